// One table on the board: its felt in small with the seats that are taken, the phase with its clock, who deals, and what is
// wrong there.

import { money } from "../core/format.js";
import { html } from "../core/html.js";
import { called, Sign } from "./signs.js";

export const PHASES = { waiting: "Waiting", betting: "Betting", dealing: "Dealing", deciding: "Deciding", over: "Over" };

// Seats along the arc, from the right as the dealer counts them.
/** @param {{ table: Wire.BoardTable }} props */
const Cloth = ({ table }) => {
  const places = Array.from({ length: table.seats }, (_, i) => {
    const angle = ((i + 0.5) / table.seats) * Math.PI;
    return { seat: i + 1, x: 50 + 41 * Math.cos(angle), y: 9 + 35 * Math.sin(angle) };
  });
  const kind = (seat) => (table.acting.includes(seat) ? "acts" : table.away.includes(seat) ? "is-away" : table.taken.includes(seat) ? "taken" : "free");
  return html`
    <svg class="cloth" viewBox="0 0 100 52" aria-hidden="true">
      <path d="M2 6A48 43 0 0 0 98 6Z" fill=${table.felt} />
      ${places.map(({ seat, x, y }) => html`<circle key=${seat} class=${kind(seat)} cx=${x} cy=${y} r="4.6" />`)}
    </svg>`;
};

// Seconds until the clock of the table runs out.
/** @param {Wire.BoardTable} table @param {number} now */
export const secondsLeft = (table, now) => (table.deadline === null || table.service === "paused" ? null : Math.max(0, Math.ceil((table.deadline - now) / 1000)));

/** @param {{ table: Wire.BoardTable, now: number, isChosen: boolean, isYours: boolean, href?: string, onChoose?: () => void }} props */
export function Tile({ table, now, isChosen, isYours, href, onChoose }) {
  const seconds = secondsLeft(table, now);
  const [first] = table.alerts;
  const more = table.alerts.length - 1;
  const name = ["tile", isYours && "yours", first && "alerted", isChosen && "chosen", table.service !== "open" && "still"].filter(Boolean).join(" ");
  const inside = html`
    <span class="tile-name">${table.name}</span>
    <span class="tile-clock">${seconds === null ? "" : html`${seconds} s`}</span>
    <span class="tile-game">${table.title}</span>
    <${Cloth} table=${table} />
    <span class="tile-phase">${table.service === "closed" ? "Closed" : PHASES[table.phase]}${table.round !== null && html` <span class="tile-round">round ${table.round}</span>`}</span>
    <span class="tile-seats"><span class="unseen">Seats taken: </span>${table.taken.length} of ${table.seats}</span>
    <span class="tile-dealer"><span class="unseen">Dealer: </span>${table.dealer || "no dealer"}</span>
    <span class="tile-stake"><span class="unseen">In action: </span>${money(table.stake)}</span>
    ${first && html`<span class="tile-alert"><${Sign} kind=${first.kind} /><span><strong>${called(first.kind)}</strong>${more > 0 ? ` and ${more} more` : ""}</span></span>`}`;
  return html`
    <li class=${name}>
      ${href ? html`<a href=${href}>${inside}</a>` : html`<button type="button" id=${`tile-${table.id}`} aria-expanded=${isChosen ? "true" : "false"} onClick=${onChoose}>${inside}</button>`}
    </li>`;
}
