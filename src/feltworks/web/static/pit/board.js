// The board: all tables at a glance, live, and everything that waits for somebody. Where it is only watched, a table leads to its
// felt, and nothing can be decided.

import { html, render, useEffect, useMemo, useRef, useState } from "../core/html.js";
import { BoardConnection, press as send } from "./board-connection.js";
import { ChosenTable } from "./chosen-table.js";
import { Tile } from "./tile.js";
import { isYours, Waits } from "./waits.js";

const TICK = 500;

// The time at the server, while any clock runs.
/** @param {number} offset @param {boolean} runs */
function useNow(offset, runs) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!runs) return undefined;
    const timer = setInterval(() => tick((n) => n + 1), TICK);
    return () => clearInterval(timer);
  }, [runs]);
  return performance.now() + offset;
}

const counted = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** @param {Wire.BoardTable} table @param {string} text */
const isFound = (table, text) => `${table.name} ${table.title} ${table.dealer}`.toLowerCase().includes(text.trim().toLowerCase());

/** @param {{ root: string, roles: string, can: string, ahead: string, acts?: string, search?: string }} place */
function Page({ root, roles: said, can: allowed, ahead, acts, search }) {
  const [known, setKnown] = useState(/** @type {import("./board-connection.js").Known | null} */ (null));
  const [chosen, setChosen] = useState("");
  const [text, setText] = useState("");
  const [only, setOnly] = useState(false);
  const [told, setTold] = useState(/** @type {{ ok: boolean, said: string } | null} */ (null));
  const board = useRef(/** @type {BoardConnection | null} */ (null));
  board.current ??= new BoardConnection(root, setKnown);
  const now = useNow(known?.offset ?? 0, known?.tables.some((table) => table.deadline !== null) ?? false);
  const roles = useMemo(() => said.split(" "), []);
  const can = useMemo(() => allowed.split(" "), []);
  if (!known || !board.current.there) return html`<p class="quiet" role="status">${known?.lost ? "The connection is lost. Trying again." : "Looking at the tables."}</p>`;

  const { tables, signatures, lost, news } = known;
  /** @type {import("./waits.js").Press} */
  const press = async (fields) => {
    const answer = await send(root, fields);
    setTold(answer);
    return answer.ok;
  };
  const choose = (/** @type {string} */ id) => setChosen(id === chosen ? "" : id);
  const close = () => {
    setChosen("");
    document.getElementById(`tile-${chosen}`)?.focus();
  };
  const own = (/** @type {Wire.BoardTable} */ table) => table.alerts.some((alert) => isYours(alert, roles));
  const shown = tables.filter((table) => isFound(table, text) && (!only || table.alerts.length));
  const forYou = tables.reduce((n, t) => n + t.alerts.filter((alert) => isYours(alert, roles)).length, 0) + signatures.filter((one) => one.can_sign).length;
  const seats = tables.reduce((n, table) => n + table.taken.length, 0);
  const open = tables.find((table) => table.id === chosen);
  const held = tables.map((table) => ({ ...table, alerts: table.alerts.filter((alert) => alert.kind === "held win" && isYours(alert, roles)) }));
  const toVerify = !acts && held.some((table) => table.alerts.length);
  return html`
    <div class=${acts || toVerify ? "board" : "board only-watch"}>
      <p class="unseen" role="log" aria-live="assertive" aria-label="What is new">${news.map((line, i) => html`<span key=${i + line}>${line} </span>`)}</p>
      <header class="board-head">
        <p class="tally"><strong>${counted(tables.length, "table")}</strong> <span>${counted(seats, "seat")} taken</span>
          ${acts && html` <span class=${forYou ? "gold" : undefined}>${forYou ? `${counted(forYou, "thing")} ${forYou === 1 ? "waits" : "wait"} for you` : "nothing waits for you"}</span>`}</p>
        <p><label class="unseen" for="find">Find a table</label><input id="find" type="search" placeholder="Table, game or dealer" value=${text} onInput=${(event) => setText(event.target.value)} /></p>
        <label class="tick"><input type="checkbox" checked=${only} onChange=${() => setOnly(!only)} />Only those with an alert</label>
      </header>
      ${lost && html`<p class="notice" role="status">The connection is lost. Trying again; what is shown may be old.</p>`}
      ${told && html`<p class=${told.ok ? "notice done" : "notice bad"} role=${told.ok ? "status" : "alert"}>${told.said}</p>`}
      <div class="board-body">
        ${acts && html`
          <section class="waiting" aria-labelledby="waits">
            <h2 id="waits">What waits</h2>
            <${Waits} tables=${tables} signatures=${signatures} root=${root} roles=${roles} press=${press} onGo=${setChosen} />
          </section>`}
        ${toVerify && html`
          <section class="waiting" aria-labelledby="waits">
            <h2 id="waits">Wins to verify</h2>
            <${Waits} tables=${held} signatures=${[]} root=${root} roles=${roles} press=${press} />
          </section>`}
        <section class="all-tables" aria-labelledby="all">
          <h2 id="all" class="unseen">All tables</h2>
          <ul class="tiles">
            ${shown.map((table) => html`
              <${Tile} key=${table.id} table=${table} now=${now} isChosen=${chosen === table.id} isYours=${own(table)}
                href=${acts ? undefined : `${root}/house/watch/${table.id}`} onChoose=${() => choose(table.id)} />`)}
          </ul>
          ${!shown.length && html`<p class="none">${tables.length ? "No table is like that." : "No table is open."}</p>`}
        </section>
        ${open && html`<${ChosenTable} table=${open} now=${now} ahead=${Number(ahead)} root=${root} roles=${roles} can=${can} search=${Boolean(search)} press=${press} onClose=${close} />`}
      </div>
    </div>`;
}

const place = /** @type {HTMLElement} */ (document.getElementById("board"));
place.replaceChildren();
render(html`<${Page} ...${place.dataset} />`, place);
