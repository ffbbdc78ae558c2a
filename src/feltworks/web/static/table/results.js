// What became of your wagers: in a few words, which are also read aloud, and in a row for each wager with what it did and
// why. The line below the felt says other things too: what you have, what you are asked for, why something was refused.

import { headline, listed, money, net, reasonOf, resultSentence, titles } from "../core/format.js";
import { HELD } from "./held-and-disputed.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../core/html.js";

const kindOf = (cents) => (cents > 0 ? "won" : cents < 0 ? "lost" : "even");

/** @param {Page.Seat} seat */
export const spotsOf = ({ wagers, results }) => [...Object.keys(wagers), ...results.map((r) => r.spot)];

// The results of a seat as its player is told them. What a table with dice settles, it settles roll by roll.
/** @param {Page.View} view @param {Page.Seat} seat */
export function resultOf(view, seat) {
  const { layout, spots } = view.table;
  if (!seat?.results.length || (view.phase === "betting" && !layout.dice)) return null;
  const title = titles(view.table, spotsOf(seat));
  const order = spots.map(({ spot }) => spot);
  const results = [...seat.results].sort((a, b) => order.indexOf(a.spot) - order.indexOf(b.spot));
  const done = layout.dice ? results.length > 1 : Object.keys(seat.wagers).every((spot) => results.some((r) => r.spot === spot));
  const last = seat.results.at(-1);
  return {
    kind: kindOf(seat.net),
    head: done ? headline(results) : resultSentence(last, title[last.spot]),
    rows: results.length > 1 ? results.map((r) => rowOf(r, title[r.spot], layout.spots?.[r.spot]?.label, isHeld(view, r))) : [],
    lines: seat.you && results.some((r) => isHeld(view, r)) ? [`The win is ${HELD}.`] : [],
  };
}

// Whether a win is held still; what the program has verified itself is paid already.
/** @param {Page.View} view @param {Wire.Result} result */
const isHeld = (view, result) => result.held && Boolean(view.you?.held.some(({ spot }) => spot === result.spot));

/** @param {Wire.Result} result */
function rowOf(result, title, short, held) {
  const won = net(result);
  const [verb, amount] = won ? [won > 0 ? "wins " : "loses ", money(Math.abs(won))] : ["comes back", ""];
  return { title, short: title.startsWith(short) ? short : title, verb, amount, kind: kindOf(won), why: [reasonOf(result), won > 0 && result.pays, held && "held"].filter(Boolean).join(", ") };
}

// What you have, in the words of the rules: "You have 16 against a ten."; or of several hands the one that is to be played.
/** @param {Page.View} view @param {Page.Seat} mine */
export function handsTold(view, mine) {
  const own = view.hands.filter((h) => h.seat === mine.seat && h.brief);
  const dealer = view.hands.find((h) => h.seat === null);
  if (view.round === null || view.lying != null || !own.length) return null;
  const against = dealer ? ` against ${dealer.words}` : "";
  const now = view.told.hand && view.you?.options.length > 0 && own.find(({ number }) => number === Number(view.told.hand));
  const of = Math.max(...own.map(({ number }) => number));
  if (now) return `Hand ${now.number} of ${of}: ${now.words}${against}.`;
  return `You have ${listed(own.map(({ words }) => words))}${against}.`;
}

// The drawing.

const MARKS = {
  won: "M8 2 15 14H1Z",
  lost: "M8 14 15 2H1Z",
  even: "M2 5H14V7.5H2ZM2 9H14V11.5H2Z",
  refused: "M8 0A8 8 0 1 0 8 16 8 8 0 0 0 8 0ZM7 3.5H9V9H7ZM7 10.5H9V12.5H7Z",
};

const Mark = ({ kind }) =>
  MARKS[kind] && html`<svg class="mark" viewBox="0 0 16 16" aria-hidden="true"><path fill-rule="evenodd" d=${MARKS[kind]} /></svg>`;

const LONG = 48; // letters of a reason with which rows stand in columns

// Where there is no room for every reason, none of them is shown cut: they are opened over the felt, for as long as one wants.
function Rows({ rows }) {
  const list = useRef();
  const [open, setOpen] = useState(false);
  const [more, setMore] = useState(false);
  useLayoutEffect(() => {
    if (!open && list.current.scrollHeight > list.current.clientHeight + 2) setMore(true);
  });
  useEffect(() => {
    const again = () => setMore(false); // which is looked at again with the next drawing
    addEventListener("resize", again);
    return () => removeEventListener("resize", again);
  }, []);
  const kind = [open && "open", (rows.length > 2 || more) && "many", more && "brief", rows.some(({ why }) => why.length > LONG) && "long"];
  return html`
    <div class=${["results", ...kind].filter(Boolean).join(" ")} onKeyDown=${(event) => event.key === "Escape" && setOpen(false)}>
      <ul ref=${list} tabindex=${more ? 0 : undefined} aria-label="Your wagers">
        ${rows.map(({ title, short, verb, amount, kind, why }, i) => html`
          <li key=${i} class=${kind}>
            <${Mark} kind=${kind} />
            <p><strong data-short=${short}>${title}</strong> <span class="did"><span class="verb">${verb}</span>${amount}</span><span class="unseen">: </span><span class="why">${why}</span></p>
          </li>`)}
      </ul>
      <button type="button" class=${more ? "why-all more" : "why-all"} aria-expanded=${open ? "true" : "false"} onClick=${() => setOpen(!open)}>
        ${open ? "Close" : "Why"}
      </button>
    </div>`;
}

export const Notice = ({ notice }) => html`
  <section class=${`notice ${notice?.kind ?? ""}`} aria-label="What happened">
    <p role="status">
      ${notice && html`
        <${Mark} kind=${notice.kind.split(" ")[0]} />
        <strong>${notice.head}</strong>
        ${notice.lines?.length > 0 && html`<span class="lines">${notice.lines.join(" · ")}</span>`}`}
    </p>
    ${notice?.rows?.length > 0 && html`<${Rows} key=${JSON.stringify(notice.rows)} rows=${notice.rows} />`}
  </section>`;
