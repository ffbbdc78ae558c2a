// How cards lie on a table with rows.

import { inSeat } from "../geometry.js";
import { html } from "../../core/html.js";
import { Cards as Laid } from "../card-layout.js";
import { HandTag } from "../hand-tag.js";
import { Large } from "../large-face.js";

// Where a card of the dealer lies; one that is small on the screen has large signs.
function dealt({ rows, reader, narrow }, _layout, place, index, count) {
  const at = rows[place] ?? reader;
  const slots = at.light || at === reader ? count : Math.max(count, at.cards);
  const x = at.x + (index - (slots - 1) / 2) * at.step;
  return { x, y: at.y, scale: at.scale, turn: 0, Face: narrow ? Large : undefined };
}

const radians = (degrees) => (degrees * Math.PI) / 180;

// Where a card of a seat lies: a folded hand is put together, aslant. Cards are turned less than the spots below them, so
// beside the dealer they lie further from them.
function held(stage, { cards: { x, y, other, step } }, seat, index, count, card) {
  const { own, angle = 0 } = stage.seats[seat] ?? {};
  const side = index - (count - 1) / 2;
  const folded = card.place.endsWith("folded");
  const at = inSeat(stage, seat, { x: x + side * (folded ? step / 2 : step), y: own ? y : other - 44 * Math.sin(radians(0.28 * Math.abs(angle))) });
  if (!at) return null;
  const scale = at.scale * (own ? 1 : 0.94) * (folded ? 0.86 : 1);
  return { ...at, scale, turn: at.turn + (folded ? 14 * side : 0), look: folded ? "folded" : "" };
}

// What your hand is, below its cards; and the dealer's, whose cards lie in their bands, between the rows or below the last.
function Names({ view, stage }) {
  const { layout } = view.table;
  const [first, last] = [Object.values(stage.rows)[0], Object.values(stage.rows).at(-1)];
  const lies = (seat) => view.seats.some((s) => s.seat === seat && s.cards.length && !s.cards[0].place.endsWith("folded"));
  const size = stage.narrow ? 0.86 : 1;
  return view.hands.map((hand) => {
    if (hand.seat === null) {
      const y = stage.narrow ? last.top + last.height + 6 : (first.top + first.height + last.top) / 2;
      const at = { x: stage.width / 2, y };
      return html`<${HandTag} key="dealer" text=${`Dealer: ${hand.brief}`} at=${at} scale=${size} />`;
    }
    if (hand.seat !== view.you?.seat || !lies(hand.seat)) return null;
    const at = inSeat(stage, hand.seat, { x: layout.cards.x, y: layout.cards.y + 72 });
    return html`<${HandTag} key="yours" text=${hand.brief} at=${at} scale=${size} />`;
  });
}

export const Cards = (given) => html`
  <${Laid} ...${given} dealt=${dealt} held=${held} />
  <g aria-hidden="true"><${Names} view=${given.frame.view} stage=${given.stage} /></g>`;
