// The rounds of this table, newest first, with how you came out of each; each can be recalled step by step.

import { get, useLoaded, Waiting } from "../core/api.js";
import { signed, money, short, titles } from "../core/format.js";
import { html, useEffect, useState } from "../core/html.js";
import { SmallCard } from "../felts/small-card.js";
import { SmallDice } from "../felts/small-dice.js";
import { SmallPocket } from "../felts/pocket.js";
import { DisputeRound } from "./dispute-round.js";
import { Recall, When } from "./recall.js";
import { ShareRound } from "./share-round.js";

const FILTERS = [["all", "All rounds"], ["played", "Those I played"], ["won", "Those I won"], ["lost", "Those I lost"]];
const NONE = {
  all: "No round is finished yet.",
  played: "You have not played a round at this table yet.",
  won: "You have not won a round at this table yet.",
  lost: "You have not lost a round at this table yet.",
};

const hours = (ms) => new Date(ms).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

// The cards that only you saw are asked for where there are any.
function useOwnCode(path, wanted) {
  const [code, setCode] = useState(null);
  useEffect(() => {
    if (wanted) get(`${path}/share`).then((made) => setCode(made.code), () => null);
  }, [wanted]);
  return code;
}

const hides = ({ event }) => event.kind === "answered" && event.answer.kind === "hidden";

/** @param {{ table: Wire.About, you: Wire.You | null, row: Wire.RoundListed, onBack: () => void }} props */
function OneRound({ table, you, row, onBack }) {
  const path = `/api/tables/${table.id}/rounds/${row.round}`;
  const { data: open, error } = useLoaded(path);
  const code = useOwnCode(path, Boolean(row.own && open?.records.some(hides)));
  const { data: own } = useLoaded(code && `${path}?share=${code}`);
  const round = own ?? open;
  return html`
    <div class="recall">
      <p class="recall-head">
        <button type="button" class="back" onClick=${onBack}>All rounds</button><span class="badge warn">recall</span>
      </p>
      <h2>Round ${row.round}</h2>
      ${round
        ? html`
          <${Recall} table=${table} round=${round} ownSeats=${row.own?.seats ?? []} />
          <${ShareRound} table=${table} round=${round} mine=${row.own !== null} code=${code} />
          ${you && row.own && html`<${DisputeRound} path=${path} round=${row.round} you=${you} />`}`
        : html`<${Waiting} error=${error} />`}
    </div>`;
}

function Wagers({ table, wagers }) {
  const title = titles(table, wagers.map((w) => w.spot));
  const order = table.spots.map(({ spot }) => spot);
  const sorted = wagers.toSorted((a, b) => order.indexOf(a.spot) - order.indexOf(b.spot));
  return html`
    <span class="wagered">${sorted.map(({ spot, amount, net }) => html`
      <span key=${spot}>${title[spot] ?? spot} ${short(amount)}${net === null && " stays up"}</span>`)}</span>`;
}

const kindOf = (net) => (net > 0 ? "net won" : net < 0 ? "net lost" : "net");

/** @param {{ table: Wire.About, row: Wire.RoundListed, onOpen: () => void }} props */
function Row({ table, row, onOpen }) {
  const { own } = row;
  const net = own?.net ?? null;
  return html`
    <li>
      <button type="button" onClick=${onOpen}>
        <span class="round-name">
          <strong>Round ${row.round}</strong>
          ${row.void && html`<span class="about">void</span>`}
          <${When} ms=${row.ended ?? row.time} show=${hours} />
        </span>
        ${net !== null && html`<strong class=${kindOf(net)}>${signed(net) || money(0)}</strong>`}
        ${(row.cards.length > 0 || own?.cards.length > 0) && html`
          <span class="round-cards">
            ${own && !own.cards.length && !row.void && html`<span class="about">Your cards are in the round.</span>`}
            ${own?.cards.length > 0 && html`
              <span role="group" aria-label="Your cards">${own.cards.map((card, i) => html`<${SmallCard} key=${i} card=${card} away=${own.away.find((a) => a.card === i)?.by} />`)}</span>`}
            ${row.cards.length > 0 && html`
              <span role="group" aria-label=${table.layout.rows ? "The dealer's cards and the board" : "The dealer's cards"}>${row.cards.map((card, i) => html`<${SmallCard} key=${i} card=${card} />`)}</span>`}
          </span>`}
        ${row.dice && html`
          <span class="round-cards">
            <${SmallDice} dice=${row.dice} sets=${table.layout.dice.sets} />
            <span class="about">${row.rolls === 1 ? "one roll" : `the last of ${row.rolls} rolls`}</span>
          </span>`}
        ${row.pocket && html`<span class="round-cards"><${SmallPocket} table=${table} pocket=${row.pocket} /></span>`}
        ${own && html`<${Wagers} table=${table} wagers=${own.wagers} />`}
      </button>
    </li>`;
}

/** @param {{ view: Wire.View }} props */
export function History({ view }) {
  const { table } = view;
  const [which, setWhich] = useState("all");
  const [page, setPage] = useState(null);
  const [error, setError] = useState(null);
  const [chosen, setChosen] = useState(null);
  const path = `/api/tables/${table.id}/rounds`;
  const fetchRounds = async (before, had = []) => {
    try {
      const { rounds, earlier } = await get(`${path}?which=${which}${before ? `&before=${before}` : ""}`, setError);
      setPage({ which, rounds: [...had, ...rounds.filter((r) => r.over)], earlier });
    } catch (problem) {
      setError(problem.message);
    }
  };
  useEffect(() => void fetchRounds(), [view.round, which]);
  if (chosen !== null) return html`<${OneRound} table=${table} you=${view.you} row=${chosen} onBack=${() => setChosen(null)} />`;
  const shown = page?.which === which ? page : null;
  return html`
    ${view.you && html`
      <label class="choice filter">Show
        <select value=${which} onChange=${(event) => setWhich(event.target.value)}>
          ${FILTERS.map(([name, title]) => html`<option key=${name} value=${name}>${title}</option>`)}
        </select>
      </label>`}
    ${!shown && html`<${Waiting} error=${error} />`}
    ${shown && !shown.rounds.length && !shown.earlier && html`<p class="about">${NONE[which]}</p>`}
    ${shown && html`
      <ul class="rounds">
        ${shown.rounds.map((row) => html`<${Row} key=${row.round} table=${table} row=${row} onOpen=${() => setChosen(row)} />`)}
      </ul>
      ${shown.earlier && html`
        <button type="button" class="small" onClick=${() => fetchRounds(shown.earlier, shown.rounds)}>Earlier rounds</button>`}`}`;
}
