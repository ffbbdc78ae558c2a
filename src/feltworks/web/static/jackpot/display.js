// The public display of a jackpot. While it is not connected it shows no number as the present one, and says so.

import { Connection } from "../core/connection.js";
import { capital, listed, money, short } from "../core/format.js";
import { html, render, useState, useEffect } from "../core/html.js";
import { useRolled } from "./rolling.js";

/** @typedef {{ jackpot: Wire.JackpotSeen | null, lost: boolean, at: number, refused: string }} Known */

const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hour12: false });
const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "long", hour: "2-digit", minute: "2-digit", hour12: false });

/** @param {{ cents: number }} props */
const Meter = ({ cents }) => {
  const shown = money(useRolled(cents));
  return html`
    <p class=${`meter long-${Math.min(12, shown.length)}`}>
      <span class="unseen" id="amount">$${money(cents)}</span>
      <span aria-hidden="true" id="digits"><span class="dollar">$</span>${shown}</span>
    </p>`;
};

/** @param {{ known: Known }} props */
const Lost = ({ known: { jackpot, at, refused } }) => html`
  <div class="meter off" role="alert">
    <p>Not connected</p>
    <p class="small">${refused || "Trying again."}${jackpot && html` It stood at <span class="once">$${money(jackpot.meter)}</span> at ${clock.format(at)}.`}</p>
  </div>`;

const GLANCE = 300; // letters that are read at one glance
const TURN = 10_000;

// What is posted in turns, as large as the rest: nobody scrolls a big screen. Readers and phones get all of it at once.
/** @param {string[]} notices @returns {string[][]} */
function inTurns(notices) {
  const turns = [];
  let letters = 0;
  for (const text of notices) {
    letters += text.length;
    if (!turns.length || letters > GLANCE) {
      turns.push([]);
      letters = text.length;
    }
    turns.at(-1).push(text);
  }
  return turns;
}

/** @param {{ notices: string[] }} props */
function Notices({ notices }) {
  const [shown, setShown] = useState(0);
  const turns = inTurns(notices);
  const now = turns.length ? shown % turns.length : 0;
  useEffect(() => {
    const timer = setInterval(() => setShown((had) => had + 1), TURN);
    return () => clearInterval(timer);
  }, []);
  return html`
    <section class="notices" aria-labelledby="notices">
      <h2 id="notices">Posted${turns.length > 1 && html`<span class="turn" aria-hidden="true"> ${now + 1} of ${turns.length}</span>`}</h2>
      <ul>${turns.flatMap((texts, turn) => texts.map((text) => html`<li key=${text} class=${turn === now ? "" : "later"}>${text}</li>`))}</ul>
    </section>`;
}

/** @param {{ jackpot: Wire.JackpotSeen }} props */
const Posted = ({ jackpot }) => html`
  <section class="results" aria-labelledby="results">
    <h2 id="results">Last awards</h2>
    ${jackpot.last.length
      ? html`<ul>${jackpot.last.slice(0, 3).map((won) => html`
          <li key=${`${won.time} ${won.amount}`}><strong>$${money(won.amount)}</strong> <span>${won.line}, ${won.table}, <time datetime=${new Date(won.time).toISOString()}>${day.format(won.time)}</time></span></li>`)}</ul>`
      : html`<p>None yet.</p>`}
  </section>
  <${Notices} notices=${jackpot.notices} />`;

const MOST_NAMED = 4;
/** @param {Wire.JackpotSeen} jackpot */
const played = ({ tables }) =>
  tables.length > MOST_NAMED ? `Played for at ${tables.length} tables` : tables.length ? `Played for at ${listed(tables)}` : "No table plays for it now";

/** @param {{ id: string, first: string }} props */
function Display({ id, first }) {
  const [known, setKnown] = useState(/** @type {Known} */ ({ jackpot: null, lost: false, at: 0, refused: "" }));
  useEffect(() => {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const connection = new Connection(`${scheme}//${location.host}/ws/display/jackpots/${id}`, {
      jackpot: (jackpot) => setKnown({ jackpot, lost: false, at: Date.now(), refused: "" }),
      state: (state) => state === "lost" && setKnown((had) => ({ ...had, lost: true, at: had.lost ? had.at : Date.now() })),
      refused: (why) => setKnown((had) => ({ ...had, refused: why })),
    });
    return () => connection.close();
  }, []);
  const { jackpot, lost } = known;
  return html`
    <header>
      <h1>${jackpot?.name ?? first}</h1>
      <p class=${lost || !jackpot ? "link off" : "link"} role="status"><span aria-hidden="true">${lost || !jackpot ? "○" : "●"}</span> ${lost ? "Not connected" : jackpot ? "Live" : "Connecting"}</p>
    </header>
    <div class="middle">
      ${lost ? html`<${Lost} known=${known} />` : jackpot ? html`<${Meter} cents=${jackpot.meter} />` : html`<p class="meter off">Connecting</p>`}
      ${jackpot && !lost && jackpot.why && html`<p class="none" role="status">${capital(jackpot.why)}</p>`}
      ${jackpot && html`
        <p class="limits">A Jackpot wager is $${short(jackpot.wager)}. The meter begins at $${short(jackpot.seed)} and rises to $${short(jackpot.maximum)}.</p>
        <p class="tables">${played(jackpot)}.</p>`}
    </div>
    ${jackpot && html`<${Posted} jackpot=${jackpot} />`}`;
}

const place = document.getElementById("display");
const { id, name } = place.dataset;
place.replaceChildren();
render(html`<${Display} id=${id} first=${name} />`, place);
