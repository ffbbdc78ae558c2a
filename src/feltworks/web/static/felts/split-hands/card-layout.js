// How cards lie on a table with several hands: fanned, so that each can be read, with what they come to written on them.

import { inSeat, spotAt } from "../geometry.js";
import { rank } from "../../core/format.js";
import { html } from "../../core/html.js";
import { Cards as Laid } from "../card-layout.js";
import { HandTag } from "../hand-tag.js";
import { handsOf, isDoubled, tagOf } from "./hand-places.js";

const [WIDTH, HEIGHT] = [100, 140]; // of a card
const SIDE = 26; // what must be seen of a card that lies under another: its index
const TOP = 33;
const SMALL = 0.46; // cards below this size have large signs
const BIG_TOP = 56; // which take so much of them

// So many cards side by side, or where that makes them larger, one below the other.
function fanFor(most, { room: { width, height }, scale: size }, single) {
  const wide = Math.min(1, width / (WIDTH + SIDE * (most - 1)), height / HEIGHT);
  const high = Math.min(1, width / WIDTH, height / (HEIGHT + TOP * (most - 1)));
  const beside = single || wide >= high * 0.96;
  const scale = beside ? wide : high;
  return { beside, scale, small: scale * size < SMALL };
}

// The fan of a seat's hands. The third card of a doubled hand lies across it, where there is room.
function fanOf(view, seat, frame, hands) {
  const isDoubledOne = ({ cards, number }) => cards.length === 3 && isDoubled(view, seat, number);
  const most = (less) => Math.max(2, ...hands.map((h) => h.cards.length - less(h)));
  const upright = fanFor(most(() => 0), frame, hands.length === 1);
  if (!hands.some(isDoubledOne)) return { ...upright, isAcross: () => false };
  const fan = fanFor(most(isDoubledOne), frame, hands.length === 1);
  const scale = Math.min(fan.scale, (frame.room.width + 8) / HEIGHT);
  return scale < upright.scale * 0.9 ? { ...upright, isAcross: () => false } : { ...fan, scale, isAcross: isDoubledOne };
}

// Where the cards of a hand lie, from the middle of the lowest, in the measure of the cards.
function offset({ beside, scale, small }, { width, height }, index, count, across) {
  const laid = across ? count - 1 : count;
  if (across && index === laid) return { x: 0, y: (HEIGHT - WIDTH) / 2 + 4, turn: 90 };
  const along = beside ? width / scale - WIDTH : height / scale - HEIGHT;
  const step = Math.min(beside ? 76 : small ? BIG_TOP : 46, laid > 1 ? along / (laid - 1) : 0);
  return beside
    ? { x: (index - (laid - 1) / 2) * step, y: 0, turn: 0 }
    : { x: 0, y: -(laid - 1 - index) * step, turn: 0 };
}

// The middle of the lowest card of a hand, its size, and which way it is turned.
function handAt(stage, seat, number, fan) {
  const frame = stage.seats[seat];
  const { at, bottom } = frame.room;
  const size = fan.scale * (frame.own ? 1 : 0.94);
  const found = inSeat(stage, seat, { x: at[number - 1], y: bottom - (HEIGHT / 2) * size, scale: size });
  return { ...found, turn: at.length > 1 ? -frame.angle : found.turn };
}

// A point in the measure of a card.
function moved({ x, y, turn, scale }, by) {
  const a = (turn * Math.PI) / 180;
  const [dx, dy] = [by.x * scale, by.y * scale];
  return { x: x + dx * Math.cos(a) - dy * Math.sin(a), y: y + dx * Math.sin(a) + dy * Math.cos(a), turn: turn + (by.turn ?? 0), scale };
}

function held(stage, layout, number, _, __, card, view) {
  const frame = stage.seats[number];
  if (!frame) return null;
  const hands = handsOf(view.seats.find((s) => s.seat === number), layout.hands);
  const hand = hands.find(({ cards }) => cards.includes(card));
  const fan = fanOf(view, number, frame, hands);
  const by = offset(fan, frame.room, hand.cards.indexOf(card), hand.cards.length, fan.isAcross(hand));
  const at = moved(handAt(stage, number, hand.number, fan), by);
  return { ...at, Face: fan.small ? Signs : undefined };
}

// The dealer's cards side by side, closer when there are many.
function dealt({ dealer: { x, y, scale }, row }, layout, place, index, count) {
  const slots = Math.max(count, layout.places[place]?.cards ?? 1);
  const step = Math.min(slots > 2 ? 99 : 110, (row - WIDTH) / Math.max(1, slots - 1));
  return { x: x + scale * (index - (slots - 1) / 2) * step, y, scale, turn: 0 };
}

// A small card: rank and suit side by side at the top, where a card under others is seen.
const Signs = ({ card, pips }) => html`
  <g class=${`face suit-${card[1]}`}>
    <rect class="paper" x="-50" y="-70" width="100" height="140" rx="8" />
    <text class="index signs" x="-20" y="-26" text-anchor="middle">${rank(card)}</text>
    <path d=${pips[card[1]]} transform="translate(28 -43) scale(1.7)" />
    <path d=${pips[card[1]]} transform="translate(0 24) scale(3)" />
  </g>`;

const isNow = (view, seat, { number }, several) => seat.acting && (!several || Number(view.told.hand) === number);

// A line around the one of several hands that is played, and around its wager.
function Playing({ view, stage, seat, hands }) {
  const { layout } = view.table;
  const hand = hands.length > 1 && hands.find((h) => isNow(view, seat, h, true));
  if (!hand || !hand.cards.length) return null;
  const frame = stage.seats[seat.seat];
  const fan = fanOf(view, seat.seat, frame, hands);
  const { x, y, turn, scale } = handAt(stage, seat.seat, hand.number, fan);
  const by = hand.cards.map((_, i) => offset(fan, frame.room, i, hand.cards.length, fan.isAcross(hand)));
  const edge = 5;
  const half = (Math.max(...by.map((o) => Math.abs(o.x))) + WIDTH / 2) * scale + edge;
  const high = (Math.max(...by.map((o) => -o.y)) + HEIGHT / 2) * scale + edge;
  const low = (HEIGHT / 2) * scale + edge;
  const spot = spotAt(stage, layout, seat.seat, hand.spot);
  return html`
    <g class="playing">
      <rect x=${-half} y=${-high} width=${2 * half} height=${high + low} rx="10" transform=${`translate(${x} ${y}) rotate(${turn})`} />
      <path d="M19 33A38 38 0 1 0-19 33" transform=${`translate(${spot.x} ${spot.y}) scale(${spot.scale})`} />
    </g>`;
}

function SeatPoints({ view, stage, seat, hands }) {
  const frame = stage.seats[seat.seat];
  const { scale, room } = frame;
  const several = hands.length > 1;
  const fan = fanOf(view, seat.seat, frame, hands);
  const size = Math.max(scale, 0.86) * (several && room.width * scale < 44 ? 0.86 : 1);
  return hands.map((hand) => {
    const text = tagOf(view, seat, hand);
    const at = moved(handAt(stage, seat.seat, hand.number, fan), { x: 0, y: HEIGHT / 2 - 3 });
    return text && html`<${HandTag} key=${hand.number} text=${text} at=${at} scale=${size} now=${isNow(view, seat, hand, several)} />`;
  });
}

function DealerPoints({ view, stage: { dealer: { x, y, scale }, narrow } }) {
  const { brief } = view.hands.find((h) => h.seat === null) ?? {};
  return brief && html`<${HandTag} text=${brief} at=${{ x, y: y + (HEIGHT / 2 - 4) * scale }} scale=${narrow ? 0.9 : 1} />`;
}

export function Cards({ frame, stage }) {
  const { view } = frame;
  const seats = view.seats.filter(({ seat }) => stage.seats[seat]);
  const hands = seats.map((seat) => ({ seat, hands: handsOf(seat, view.table.layout.hands) }));
  return html`
    <g aria-hidden="true">
      ${hands.map((of) => html`<${Playing} key=${of.seat.seat} view=${view} stage=${stage} ...${of} />`)}
    </g>
    <${Laid} frame=${frame} stage=${stage} dealt=${dealt} held=${held} />
    <g aria-hidden="true">
      ${hands.map((of) => html`<${SeatPoints} key=${of.seat.seat} view=${view} stage=${stage} ...${of} />`)}
      <${DealerPoints} view=${view} stage=${stage} />
    </g>`;
}
