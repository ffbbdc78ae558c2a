// On narrow screens: the other seats in one row above the felt.

import { cardShort, money, signed, sum } from "../core/format.js";
import { html } from "../core/html.js";
import { isFolded, seatNote } from "./in-words.js";

const Mini = ({ card }) => html`<span class=${`mini suit-${card?.[1] ?? "none"}`}>${card ? cardShort(card) : ""}</span>`;
const Cards = ({ seat, view, words }) =>
  html`<span class="strip-cards">${words.brief?.(seat, view) || seat.cards.map((c) => html`<${Mini} key=${c.token} card=${c.card} />`)}</span>`;

function Tile({ seat, view, act, words }) {
  const watching = view.you?.seat === null && !view.you.may_not;
  if (!seat.name) {
    return html`
      <li class="tile free">
        ${watching && act
          ? html`<button type="button" onClick=${() => act.sit(seat.seat)} aria-label=${`Sit here, seat ${seat.seat}`}>Sit</button>`
          : html`<span class="vacant">Seat ${seat.seat}</span>`}
      </li>`;
  }
  const down = sum(Object.values(seat.wagers));
  const inPlay = seat.did ?? (down ? money(down) : seatNote(seat));
  const note = seat.net !== null && !down ? signed(seat.net) : inPlay;
  const middle = seat.cards.length ? html`<${Cards} seat=${seat} view=${view} words=${words} />` : html`<span class="strip-cards shooter">${seat.shooter && "shooter"}</span>`;
  return html`
    <li class=${`tile${seat.acting ? " acting" : ""}${isFolded(seat) ? " folded" : ""}`}>
      <span class="tile-name">${seat.name}</span>
      ${middle}
      <span class="tile-note">${note}</span>
    </li>`;
}

export const Strip = ({ view, act, words }) => html`
  <ul class="strip" aria-label="Other seats">
    ${view.seats.filter((s) => !s.you).map((seat) => html`
      <${Tile} key=${seat.seat} seat=${seat} view=${view} act=${act} words=${words} />`)}
  </ul>`;
