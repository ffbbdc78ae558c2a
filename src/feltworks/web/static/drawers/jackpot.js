// The jackpot of the table in the drawer: what its meter shows and what is posted, and what its wager gives back on average
// at this meter beside as many others as have made it.

import { get, Waiting } from "../core/api.js";
import { listed, money, short } from "../core/format.js";
import { html, useEffect, useState } from "../core/html.js";

const OFTEN = 2000; // a meter may change several times a second

/** @typedef {{ told: Wire.JackpotReturns | null, error: string }} Loaded */

// The figures for the meter that is shown, and after a change for that of then.
/** @param {string} table @param {number} meter @returns {Loaded} */
function useReturns(table, meter) {
  const [loaded, setLoaded] = useState(/** @type {Loaded} */ ({ told: null, error: "" }));
  const isNow = loaded.told?.meter === meter;
  useEffect(() => {
    if (isNow && !loaded.told.why) return undefined;
    let wanted = true;
    const fail = (/** @type {string} */ error) => wanted && setLoaded((had) => ({ ...had, error }));
    const ask = () => get(`/api/tables/${table}/jackpot`, fail).then((told) => wanted && setLoaded({ told, error: "" }), ({ message }) => fail(message));
    const timer = setTimeout(ask, loaded.told ? OFTEN : 0);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [table, meter, loaded.told]);
  return loaded;
}

// The meter of a progressive jackpot has a maximum, and the prize of a house has none.
/** @param {number | null} from @param {number | null} most */
function breaksEven(from, most) {
  if (from === null) return "It never gives back all of itself.";
  if (most === null) return `It gives back all of itself from a prize of $${money(from)} on.`;
  const never = from > most ? `; the meter rises to $${short(most)} at most` : "";
  return `It gives back all of itself from a meter of $${money(from)} on${never}.`;
}

/** @param {{ view: Page.View, meter: number }} props */
function Returns({ view, meter }) {
  const { told, error } = useReturns(view.table.id, meter);
  if (!told) return html`<p class="about" role="status">${error || "What a wager gives back is being worked out."}</p>`;
  if (told.why) return html`<p class="about" role="status">${told.why}</p>`;
  const spot = view.table.spots.find((s) => s.wager === "jackpot")?.spot ?? "";
  const others = view.seats.filter((s) => !s.you && s.wagers[spot]).length;
  const now = told.returns.find((one) => one.others === others) ?? told.returns.at(-1);
  const even = breaksEven(now.break_even, view.jackpot?.maximum ?? null);
  const differ = told.returns.some((one) => one.exact !== told.returns[0].exact);
  return html`
    <p data-jackpot-returns>At $${money(told.meter)}, beside ${others} ${others === 1 ? "other who has" : "others who have"} made it, a wager gives back
      <strong> ${now.percent} %</strong> on average. <span class="about">${even}</span></p>
    <p class="about">Exactly <code class="exact">${now.exact}</code>${now.award_rounds === null ? "" : `; one award of a share of ${view.table.jackpot ? "the meter" : "the prize"} in ${short(100 * now.award_rounds)} rounds at such a table`}.</p>
    ${differ && html`
      <table class="pays">
        <caption>By how many others play it</caption>
        <tbody>${told.returns.map((one) => html`<tr key=${one.others}><th scope="row">${one.others} ${one.others === 1 ? "other" : "others"}</th><td>${one.percent} %</td></tr>`)}</tbody>
      </table>`}`;
}

const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hour12: false });

/** @param {{ view: Page.View }} props */
function Progressive({ view }) {
  const { jackpot } = view;
  if (!jackpot) return html`<${Waiting} />`;
  return html`
    <h3>${jackpot.name}: <span data-jackpot-meter>$${money(jackpot.meter)}</span></h3>
    ${jackpot.stale && html`<p class="about" role="status">Not connected: it stood at this when the connection was lost.</p>`}
    ${jackpot.why && html`<p role="status">▲ ${jackpot.why}</p>`}
    <${Returns} view=${view} meter=${jackpot.meter} />
    <ul class="notes">${jackpot.notices.map((text) => html`<li key=${text}>${text}</li>`)}</ul>
    <p class="about">Played for at ${listed(jackpot.tables) || "no table now"}. <a href=${`/display/jackpots/${jackpot.id}`} target="_blank" rel="noopener">Public display</a></p>
    <table class="pays">
      <caption>Last awards</caption>
      <tbody>
        ${jackpot.last.map((won) => html`<tr key=${`${won.time} ${won.amount}`}><th scope="row">${won.line}, ${won.table}, ${day.format(won.time)}</th><td>${money(won.amount)}</td></tr>`)}
        ${!jackpot.last.length && html`<tr><th scope="row">None yet</th><td></td></tr>`}
      </tbody>
    </table>`;
}

/** @param {{ view: Page.View, prize: number }} props */
const OfTheHouse = ({ view, prize }) => html`
  <h3>House jackpot: $${short(prize)}</h3>
  <p class="about">
    A fixed prize: no wager lifts it, and each winner is paid in full. No money of players is in it; it is the house's own until it
    is won, and the house may remove it. It is not shared with other tables.
  </p>
  <${Returns} view=${view} meter=${prize} />`;

/** @param {{ view: Page.View }} props */
export const Jackpot = ({ view }) =>
  view.table.jackpot ? html`<${Progressive} view=${view} />` : view.table.prize ? html`<${OfTheHouse} view=${view} prize=${view.table.prize} />` : null;
