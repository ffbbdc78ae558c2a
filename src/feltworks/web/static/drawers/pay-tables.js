// How the table stands to the approval, and the pay tables, limits and readings in force.

import { capital, money, short } from "../core/format.js";
import { html } from "../core/html.js";
import { module, useLater } from "../core/lazy.js";

// A share of a prize or of a meter has an amount.
function inMoney(pays, prize, meter) {
  const share = (prize || meter) && pays.match(/^([\d.]+) % of meter$/);
  const of = share && short(Math.floor(((prize || meter) * share[1]) / 100));
  return share ? `${share[1]} % of the ${prize ? `prize, $${of}` : `meter, $${of} now`}` : pays;
}

/** @param {{ table: Wire.PayTable, prize: number | null, meter?: number }} props */
const Odds = ({ table, prize, meter }) => html`
  <table class="pays">
    <caption>${table.title} <span class="about">table ${table.table}</span></caption>
    <tbody>
      ${table.lines.map(({ line, pays }) => html`
        <tr key=${line}><th scope="row">${line}</th><td>${inMoney(pays, prize, meter)}</td></tr>`)}
    </tbody>
  </table>`;

// Only some tables have one.
/** @param {{ view: Page.View }} props */
function OwnJackpot({ view }) {
  const Jackpot = useLater(view.table.jackpot || view.table.prize, async () => (await module("drawers/jackpot.js")).Jackpot);
  return Jackpot && html`<${Jackpot} view=${view} />`;
}

const range = ({ least, most }) => (least === most ? money(least) : `${money(least)} to ${money(most)}`);

/** @param {{ table: Wire.About }} props */
const Limits = ({ table }) => html`
  <table class="pays">
    <caption>Limits</caption>
    <tbody>
      ${table.spots.filter((s) => table.limits[s.spot]).map(({ spot, title }) => html`
        <tr key=${spot}><th scope="row">${title}</th><td>${range(table.limits[spot])}</td></tr>`)}
    </tbody>
  </table>`;

/** @param {{ view: Page.View }} props */
export const Pays = ({ view, view: { table, jackpot } }) => html`
  <div class="prose">
    <h3>Standing</h3>
    <p>${capital(table.standing)}. ${table.venue === "training" ? "A training table, for play money." : `Venue: ${table.venue}.`}</p>
    ${table.warnings.length > 0 && html`<ul class="notes">${table.warnings.map((text) => html`<li>${text}</li>`)}</ul>`}
    ${table.pay_tables.map((t) => html`<${Odds} key=${t.wager} table=${t} prize=${table.prize} meter=${jackpot?.meter} />`)}
    <${OwnJackpot} view=${view} />
    <${Limits} table=${table} />
    ${table.decks !== null && html`
      <table class="pays">
        <caption>Cards</caption>
        <tbody>
          <tr><th scope="row">Decks</th><td>${table.decks}</td></tr>
          <tr><th scope="row">Dealt from</th><td>${table.shuffling === "shuffler" ? "a continuous shuffler" : "a shoe"}</td></tr>
        </tbody>
      </table>`}
    ${table.readings.length > 0 && html`
      <h3>Where the documents leave a question open</h3>
      ${table.readings.map(({ name, question, answer }) => html`
        <p key=${name}>${question}<br /><span class="about">Here: ${answer}.</span></p>`)}`}
    <h3>Fingerprints</h3>
    <p class="about">Definition <code>${table.fingerprint.definition}</code></p>
    <p class="about">Build <code>${table.fingerprint.build}</code></p>
  </div>`;
