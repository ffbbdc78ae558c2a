// How cards lie on a table that is drawn from its rules: in the rows of its places, and fanned before a seat.

import { html } from "../../core/html.js";
import { Cards as Laid } from "../card-layout.js";
import { inSeat } from "../geometry.js";
import { HandTag } from "../hand-tag.js";
import { Large } from "../large-face.js";
import { placeOf } from "./arrange.js";

const SMALL = 0.5; // of this size and below a card has large signs

const radians = (degrees) => (degrees * Math.PI) / 180;

// A card that lies where no place was seen is laid beside the first of them.
function dealt({ placed, dealer }, _layout, place, index, count) {
  const at = placed[place] ?? Object.values(placed)[0] ?? { ...dealer, step: 110 * dealer.scale, cards: 1 };
  const slots = Math.max(1, at.cards);
  const step = count > slots ? (at.step * slots) / count : at.step;
  return { x: at.x + (index - (Math.max(count, slots) - 1) / 2) * step, y: at.y, scale: at.scale, turn: 0, Face: at.scale < SMALL ? Large : undefined };
}

// A hand that grows beyond what was seen is laid closer. Cards are turned less than the spots below them, so beside the
// dealer they lie further from them.
function held(stage, { cards }, seat, index, count) {
  const own = stage.seats[seat]?.own;
  const { x = 0, y = -118, step = 40, other = y * 1.14 } = cards ?? {};
  const wide = own ? 260 : 150;
  const apart = count > 1 ? Math.min(own ? step : Math.min(step, 46), wide / (count - 1)) : 0;
  const aside = own ? y : other - 44 * Math.sin(radians(0.28 * Math.abs(stage.seats[seat]?.angle ?? 0)));
  const at = inSeat(stage, seat, { x: x + (index - (count - 1) / 2) * apart, y: aside });
  return at && { ...at, scale: at.scale * (own ? 1 : 0.88) };
}

function Names({ view, stage }) {
  const size = stage.narrow ? 0.82 : 1;
  const cards = view.table.layout.cards ?? { x: 0, y: -118 };
  return view.hands.map((hand, i) => {
    if (hand.seat === null) {
      const at = placeOf(stage, hand, view);
      return at && html`<${HandTag} key=${i} text=${hand.brief} at=${{ x: at.x, y: at.y + 75 * at.scale + (stage.narrow ? 2 : 12) }} scale=${size} />`;
    }
    const seat = hand.seat === view.you?.seat && view.seats.find((s) => s.seat === hand.seat);
    const at = seat && seat.cards.length > 0 && inSeat(stage, hand.seat, { x: cards.x, y: cards.y + 72 });
    return at && html`<${HandTag} key=${i} text=${hand.brief} at=${at} scale=${size} />`;
  });
}

export const Cards = (given) => html`
  <${Laid} ...${given} dealt=${dealt} held=${held} />
  <g aria-hidden="true"><${Names} view=${given.frame.view} stage=${given.stage} /></g>`;
