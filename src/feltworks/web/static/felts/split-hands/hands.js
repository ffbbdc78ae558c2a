// A table where a seat may have several hands side by side, each with its own wager before it, and insurance beyond them:
// where all of that lies.

import { Stack, Total } from "../chips.js";
import { short } from "../../core/format.js";
import { Line } from "../cloth.js";
import { SPOT, spotAt } from "../geometry.js";
import { html } from "../../core/html.js";
import { style } from "../../core/lazy.js";
import { handsOf } from "./hand-places.js";
import { Tag } from "../seat.js";

await style("felts/split-hands/hands.css");

const WIDE = {
  dealer: { x: 700, y: 103, scale: 0.82 },
  legends: [{ at: 233, size: 30 }, { at: 260, size: 15.5 }, { at: 295, size: 14 }],
  above: 21,
  below: 16,
  row: 560,
};
const NARROW = {
  dealer: { x: 195, y: 62, scale: 0.68 },
  legends: [{ at: 333, size: 18.5 }, { at: 350, size: 11.5 }, { at: 371, size: 11 }],
  above: 14,
  below: 10,
  row: 410,
};

const radians = (degrees) => (degrees * Math.PI) / 180;

// The stage, with arcs for three legends, the last of them between the two lines of insurance; the upper one is drawn here,
// the lower one ends the legends. `row` is the room for the dealer's cards, in their own measure; `clear`, from where on
// cards may lie.
export function arrange(stage, layout) {
  const { dealer, legends, above, below, row } = stage.narrow ? NARROW : WIDE;
  const deeper = stage.height - (stage.narrow ? 460 : 684);
  const [more, less] = [Math.max(0, deeper), Math.min(0, deeper)];
  const low = less < 0;
  const made = {
    ...stage,
    row,
    dealer: { ...dealer, y: dealer.y + more * 0.4 + less * 0.1, scale: dealer.scale * (1 + more / 1200 + less / 480) },
    legends: low ? [{ at: 334 - less * 0.7, size: 15 }] : legends.map((legend) => ({ ...legend, at: legend.at - more * 0.12 })),
  };
  const at = low ? made.dealer.y + 80 * made.dealer.scale - made.centre.y : made.legends.at(-1).at;
  const lines = [at - above, at + below];
  const clear = low ? made.legends[0].at + 7 : lines[1] + (stage.narrow ? 4 : 14);
  const bonus = layout.legends.length && Object.keys(layout.spots).find((spot) => !layout.hands.includes(spot));
  return { ...made, lines, clear, bonus };
}

// How far a seat's hands may reach to both sides together, in its own measure.
function roomOf({ seats, narrow }, frame) {
  if (frame.own) return narrow ? 438 : 376;
  const gaps = Object.values(seats).filter((s) => s !== frame).map((s) => Math.abs(s.angle - frame.angle));
  return Math.min(330, (0.83 * frame.at * radians(Math.min(60, ...gaps))) / frame.scale);
}

// How high cards may lie above their spot: to the lines of insurance, and beside the dealer's things not as far.
function heightOf({ clear }, { at, scale, own, angle }, bottom) {
  const top = clear + (Math.abs(angle) > 60 ? 66 : 0);
  return Math.max(120, Math.min(own ? 190 : 200, at / scale + bottom - top / scale));
}

// The middles of the columns in which so many hands lie, how wide one is, and where the bonus wager is beside them.
function columns(stage, frame, count) {
  const { bonus, narrow } = stage;
  const room = roomOf(stage, frame);
  const beside = !bonus ? 0 : frame.own ? 72 : 62;
  const apart = frame.own && !narrow; // in the middle of the table, with the bonus wager outside of it
  const width = Math.min(frame.own ? 150 : 108, ((frame.own ? room : room * 1.18) - (apart ? 0 : beside)) / count);
  const left = -(count * width + (apart ? 0 : beside)) / 2;
  const first = apart ? left : left + beside;
  return {
    width,
    at: Array.from({ length: count }, (_, i) => first + width * (i + 0.5)),
    bonus: apart ? left - beside / 2 : left + beside / 2,
  };
}

// Where chips for insurance lie: on the line, each seat's before it. On a narrow screen they are beside the legend.
function insuranceAt({ lines, narrow }, { at, scale, angle }) {
  const [inner, outer] = lines;
  const far = narrow ? (inner + outer) / 2 : outer + 3;
  const a = narrow ? Math.asin(118 / far) : radians(-0.36 * angle);
  return { x: (far * Math.sin(a)) / scale, y: (far * Math.cos(a) - at) / scale, scale: 0.5 / scale };
}

// The frame of a seat with where its spots lie and its hands fan out; hands of the round before leave the spots as they are
// for the next.
function withHands(stage, layout, number, count, isPast) {
  const frame = stage.seats[number];
  const { x, y } = layout.cards;
  const up = stage.narrow && count > 2 ? 10 : 0; // away from the rail, which is round
  const lean = count === 1 ? 60 * Math.sin(radians(0.28 * Math.abs(frame.angle))) : 0; // what cards are turned less than spots
  const bottom = (frame.own ? y + 70 : y + 54) - up - lean;
  const room = { bottom, height: heightOf(stage, frame, bottom) };
  const insurance = { [layout.insurance]: insuranceAt(stage, frame) };
  if (count === 1) {
    const width = frame.own ? 340 : roomOf(stage, frame) - 6;
    return { ...frame, room: { ...room, width, at: [x] }, spots: { ...layout.spots, ...insurance } };
  }
  const { width, at, bonus } = columns(stage, frame, count);
  if (isPast) return { ...frame, room: { ...room, width: width - 8, at }, spots: { ...layout.spots, ...insurance } };
  const scale = Math.min(1, (width - 5) / (2 * SPOT));
  const hands = at.map((middle, i) => [layout.hands[i], { x: middle, y: -up, scale }]);
  const other = stage.bonus && { [stage.bonus]: { x: bonus, y: frame.own ? -10 : 0, scale: 0.72 } };
  return { ...frame, room: { ...room, width: width - 8, at }, spots: { ...Object.fromEntries(hands), ...other, ...insurance } };
}

let last = {};

// With several hands the first wager is that of the first.
export const firstHand = (spot) => ({ ...spot, title: "Hand 1" });

// The view as its seats are drawn, with the stage on which they have their hands.
export function shown(view, stage) {
  const { table } = view;
  const { layout, limits } = table;
  const has = view.seats.filter(({ seat }) => stage.seats[seat]).map((seat) => [seat.seat, handsOf(seat, layout.hands).length]);
  const isPast = view.round !== null && view.lying != null;
  const key = JSON.stringify([has, isPast]);
  if (last.key !== key || last.of !== stage) {
    const seats = has.map(([seat, count]) => [seat, withHands(stage, layout, seat, count, isPast)]);
    last = { key, of: stage, stage: { ...stage, seats: Object.fromEntries(seats) } };
  }
  const own = last.stage.seats[view.you?.seat];
  const several = !isPast && own?.room.at.length > 1;
  return {
    ...view,
    stage: last.stage,
    table: {
      ...table,
      limits: several ? {} : limits,
      spots: table.spots.filter((s) => s.spot !== layout.insurance).map((s) => (several && s.spot === layout.hands[0] ? firstHand(s) : s)),
      layout: { ...layout, spots: { ...Object.fromEntries(layout.hands.map((s) => [s, {}])), ...layout.spots } },
    },
  };
}

// What a seat has on insurance, or what became of it.
function Insured({ seat, view, stage }) {
  const { layout } = view.table;
  const amount = seat.wagers[layout.insurance];
  const result = seat.results.find((r) => r.spot === layout.insurance);
  const { x, y, scale } = spotAt(stage, layout, seat.seat, layout.insurance);
  const paid = seat.paid?.[layout.insurance];
  return html`
    <g class="insured" transform=${`translate(${x} ${y})`}>
      ${[amount, paid].map((cents, i) => cents > 0 && html`
        <g transform=${`translate(${16 * i} 0) scale(${scale})`}><${Stack} amount=${cents} /></g>`)}
      ${amount > 0 && !result && html`
        <g transform=${`translate(${20 + short(amount).length * 3.6} 0) scale(.86)`}><${Total} amount=${amount} y=${0} /></g>`}
      ${result && !paid && html`<${Tag} result=${result} scale=${0.86} />`}
    </g>`;
}

export const Middle = ({ view, stage }) => html`
  <g class="splits" aria-hidden="true">
    ${stage.legends.length > 1 && html`<${Line} stage=${stage} at=${stage.lines[0]} />`}
    ${view.seats.filter((s) => stage.seats[s.seat]).map((s) => html`<${Insured} key=${s.seat} seat=${s} view=${view} stage=${stage} />`)}
  </g>`;
