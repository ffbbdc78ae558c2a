// A table whose places for cards lie in rows before the dealer: bands with a light, which is lit while the reader tells a
// card of that band, the places of the community cards, the reader, and the sign of the jackpot. Its seats have more spots
// than others: two that take the same, and one that is sensed.

import { money, short } from "../../core/format.js";
import { inSeat, spotAt } from "../geometry.js";
import { html } from "../../core/html.js";
import { style } from "../../core/lazy.js";
import { useRolled } from "../../jackpot/rolling.js";

await style("felts/rows/rows.css");

const [WIDTH, HEIGHT] = [100, 140]; // of a card
const EDGE = 6; // of a place around its cards
const BAND = 94; // the width of a band on a narrow screen

const WIDE = {
  shoe: { x: 999, y: 78, turn: -14, scale: 0.82 },
  discard: { x: 401, y: 78, turn: 14, scale: 0.66 },
};
const NARROW = {
  shoe: { x: 367, y: 24, turn: -14, scale: 0.42 },
  discard: { x: 23, y: 24, turn: 14, scale: 0.35 },
};

// The stage.

// The other seats are a little smaller than elsewhere. On a low phone your own gives way to the rows.
function seatsOf({ narrow, seats, centre }, deeper) {
  const all = (change) => Object.fromEntries(Object.entries(seats).map(([seat, s]) => [seat, change(s)]));
  if (!narrow) {
    const at = Object.values(seats).some((s) => s.own) ? 540 : 532;
    return { seats: all((s) => (s.own ? s : { ...s, at, scale: s.scale > 0.7 ? 0.73 : s.scale * 0.93 })) };
  }
  const scale = 0.86 + Math.min(0, deeper) * 0.0008;
  const at = 612 - 76 * scale;
  return { seats: all((s) => ({ ...s, at, scale })), home: { x: centre.x, y: centre.y + at, scale } };
}

// How large the cards of each row are, where the first row begins, and the room between the rows.
function sizes({ narrow, home }, deeper) {
  if (!narrow) {
    const more = Math.max(0, deeper);
    const scales = [0.7 + Math.max(0, more - 40) * 0.001, 0.65 + more * 0.001];
    return { scales, top: 42 + more * 0.4, header: 26, between: 20 + more * 0.06 };
  }
  const room = home.y - 192 * home.scale - 36;
  const header = room < 140 ? 14 : 17;
  const first = Math.min((room - header - 6) / 304, 0.52);
  const second = Math.min((room - header - 6 - first * 152) / 152, 0.64);
  return { scales: [first, second], top: 15, header, between: 6 };
}

function rowsOf(stage, layout, deeper) {
  const { scales, top, header, between } = sizes(stage, deeper);
  const found = {};
  let y = top;
  scales.forEach((scale, number) => {
    const row = Object.entries(layout.rows).filter(([, place]) => place.row === number + 1);
    const lights = row.some(([, { light }]) => light);
    const least = lights && stage.narrow ? BAND : 0;
    const apart = Math.min(WIDTH + 6, least ? least / scale - 2 * EDGE - WIDTH : Infinity);
    const width = ({ cards }) => Math.max(least, (WIDTH + (cards - 1) * apart + 2 * EDGE) * scale);
    const gap = stage.narrow ? 6 : 10;
    const above = lights ? header : 0;
    const height = above + (HEIGHT + 2 * EDGE) * scale;
    let x = stage.width / 2 - (row.reduce((sum, [, place]) => sum + width(place) + gap, 0) - gap) / 2;
    for (const [name, place] of row) {
      const at = { x: x + width(place) / 2, y: y + above + (height - above) / 2 };
      found[name] = { ...place, ...at, scale, step: apart * scale, top: y, header: above, width: width(place), height };
      x += width(place) + gap;
    }
    y += height + between;
  });
  return found;
}

// The stage of such a table: with its rows, and with everything else where it leaves them their room.
export function arrange(stage, layout) {
  const { narrow } = stage;
  const deeper = stage.height - (narrow ? 460 : 684);
  const legends = narrow ? [] : [{ at: 318 - Math.max(0, deeper) * 0.12, size: 25, radius: 1100 }];
  const made = { ...stage, ...(narrow ? NARROW : WIDE), legends, ...seatsOf(stage, deeper) };
  const rows = rowsOf(made, layout, deeper);
  const last = Object.values(rows).at(-1);
  const beside = (width) => last.width / 2 + 10 + width / 2;
  const { home } = made;
  const reader = narrow
    ? { x: 366, y: Object.values(rows)[0].y + 8, scale: 0.3, step: 9 }
    : { x: 700 + beside(76), y: last.top + 32, scale: 0.34, step: 24, width: 76, height: 62 };
  const sign = narrow
    ? { x: 195 - 158 * home.scale, y: home.y - 175 * home.scale - 18, width: 88, height: 28 }
    : { x: 700 - beside(116), y: last.top + 27, width: 116, height: 52 };
  const title = narrow && { x: 195 + 158 * home.scale, y: sign.y };
  return { ...made, rows, reader, sign, title };
}

// The view as its seats are drawn.

const isDealt = (view) => view.lying == null && view.seats.some((s) => s.cards.length);

// Once cards come, a wager on a sensed spot is registered and its chips are taken.
const isLit = (view, seat, spot) => isDealt(view) && seat.wagers[spot] > 0;

const offered = ({ layout, spots }) => spots.map(({ spot }) => [spot, layout.spots[spot]]);
const sensed = ({ table }) => offered(table).flatMap(([spot, at]) => (at.sensed ? spot : []));

// A spot that was paid for others' hands before its own was settled has one result.
function merged(results) {
  const found = new Map();
  for (const result of results) {
    const had = found.get(result.spot);
    found.set(result.spot, had ? { ...result, paid: had.paid + result.paid } : result);
  }
  return [...found.values()];
}

const isFixed = ({ least, most }) => least === most;

export function shown(view) {
  const { table, you } = view;
  const hidden = (seat) => sensed(view).filter((spot) => isLit(view, seat, spot));
  const without = (wagers, spots) => Object.fromEntries(Object.entries(wagers).filter(([spot]) => !spots.includes(spot)));
  const seats = view.seats.map((s) => ({ ...s, wagers: without(s.wagers, hidden(s)), results: merged(s.results) }));
  const limits = Object.fromEntries(Object.entries(table.limits).filter(([, of]) => !isFixed(of)));
  const spots = you ? you.spots.map((spot) => named(spot, table)) : [];
  return { ...view, seats, table: { ...table, limits }, you: you && { ...you, spots } };
}

// What a spot says of itself to those who do not see it.
function named(spot, { layout, spots }) {
  const says = `${spot.title}, ${spot.down ? `${money(spot.down)} down` : "empty"}, ${money(spot.least)}`;
  const twin = spots.find((s) => s.spot === layout.spots[spot.spot].twin);
  if (isFixed(spot)) return { ...spot, says: `${says}. ${spot.down ? "" : "Place it."}` };
  return twin ? { ...spot, says: `${says} to ${money(spot.most)}. Place a chip here and on ${twin.title}.` } : spot;
}

// The drawing.

// A light for each card that the reader told to be of this band; one that is dark while there is none.
const Lights = ({ count, x, y, r }) =>
  Array.from({ length: Math.max(1, count) }, (_, i) => html`<circle class="lamp" cx=${x + i * (2 * r + 3)} cy=${y} r=${r} />`);

function Band({ name, place, view, narrow }) {
  const { x, y, top, width, height, header, label, ranks, light } = place;
  const told = view.dealer.filter((card) => card.reading === name).length;
  const lies = view.dealer.some((card) => card.place === name);
  const r = narrow ? 3.6 : 5;
  const words = narrow ? [label] : [label, ranks];
  const [left, bar] = [-width / 2 + 5, header - 5];
  return html`
    <g class=${`band ${light}${told ? " lit" : ""}`} transform=${`translate(${x} ${top})`} data-band=${name}>
      <rect class="place" x=${-width / 2} y="0" width=${width} height=${height} rx=${narrow ? 8 : 11} />
      <rect class="bar" x=${left - 1} y="4" width=${width - 8} height=${bar} rx=${bar / 2} />
      <${Lights} count=${told} x=${left + r + 4} y=${4 + bar / 2} r=${r} />
      <text class="place-label" x=${Math.max(1, told) * (r + 1.5)} y=${4 + bar / 2 + (narrow ? 4 : 5)} text-anchor="middle">
        ${words.map((word, i) => html`<tspan class=${i ? "ranks" : "name"} dx=${i ? 5 : 0}>${word}</tspan>`)}
      </text>
      ${narrow && !lies && html`<text class="ranks" y=${y - top + 4} text-anchor="middle">${ranks}</text>`}
    </g>`;
}

const Slots = ({ place: { x, y, scale, step, cards } }) =>
  Array.from({ length: cards }, (_, i) => html`
    <rect class="place" x=${x + (i - (cards - 1) / 2) * step - (WIDTH / 2 - 1) * scale} y=${y - (HEIGHT / 2 - 1) * scale}
      width=${(WIDTH - 2) * scale} height=${(HEIGHT - 2) * scale} rx=${9 * scale} />`);

const Reader = ({ place: { x, y, width, height }, label }) => html`
  <g class="reader" transform=${`translate(${x} ${y})`}>
    <rect class="place" x=${-width / 2} y=${-height / 2} width=${width} height=${height} rx="12" />
    <path class="lens" d="M-19-7A22 22 0 0 1 19-7A22 22 0 0 1-19-7Z" />
    <circle class="lens" cy="-7" r="6.5" />
    <text class="place-label" y=${height / 2 - 7} text-anchor="middle">${label}</text>
  </g>`;

const Sign = ({ at: { x, y, width, height }, what, amount, narrow, off }) => html`
  <g class=${["sign", narrow && "small", off && "off", amount.length > 9 && "long"].filter(Boolean).join(" ")} transform=${`translate(${x} ${y})`}>
    <rect x=${-width / 2} y=${-height / 2} width=${width} height=${height} rx=${narrow ? 7 : 10} />
    <text class="what" y=${narrow ? -3 : -7} text-anchor="middle">${what}</text>
    <text class="prize" y=${narrow ? 11 : 16} text-anchor="middle">${amount}</text>
  </g>`;

const LONGEST = 15; // letters of a name for which the sign has room

// Its digits roll up to what is in the books. While nobody knows what that is, there are none.
/** @param {{ at: any, jackpot: Wire.JackpotSeen & { stale: boolean }, narrow: boolean }} props */
function Meter({ at, jackpot, narrow }) {
  const rolled = useRolled(jackpot.meter);
  const name = jackpot.name.length > LONGEST ? "Jackpot" : jackpot.name;
  const what = jackpot.stale ? "Not connected" : jackpot.why ? "No wagers now" : name;
  return html`<${Sign} at=${at} what=${what} amount=${jackpot.stale ? "–" : `$${money(rolled)}`} narrow=${narrow} off=${jackpot.stale || jackpot.why} />`;
}

// On a narrow screen the title has two lines, across from the sign.
const Title = ({ at: { x, y }, text }) => {
  const words = text.split(" ");
  const half = Math.ceil(words.length / 2);
  return [words.slice(0, half), words.slice(half)].map((line, i) => html`
    <text key=${i} class="legend title two" x=${x} y=${y - 1 + i * 15} text-anchor="middle">${line.join(" ")}</text>`);
};

const STAR = "M0-15 4-5 15-5 6 2 9 13 0 6-9 13-6 2-15-5-4-5Z";

// A sensed spot has a light, which is on once its wager is registered.
const Sensor = ({ lit, at: { x, y, scale } }) => html`
  <g class=${lit ? "sensor lit" : "sensor"} transform=${`translate(${x} ${y}) scale(${scale})`}>
    <circle class="ring" r="31" />
    <circle class="lamp" cx="-27" cy="-27" r="7" />
    ${lit && html`<path class="star" d=${STAR} />`}
  </g>`;

// Between two spots on which the same must lie.
const Equals = ({ a, b }) => html`
  <text class="equals" text-anchor="middle"
    transform=${`translate(${(a.x + b.x) / 2} ${(a.y + b.y) / 2}) rotate(${a.turn / 0.72}) scale(${a.scale}) translate(0 6)`}>=</text>`;

// What is written below a spot of your own in place of its limits.
const Note = ({ at: { x, y, scale }, text }) => html`
  <text class="spot-limits" transform=${`translate(${x} ${y}) scale(${scale}) translate(0 76)`} text-anchor="middle">${text}</text>`;

const Folded = ({ at: { x, y, scale } }) => html`
  <g class="fold" transform=${`translate(${x} ${y}) scale(${scale})`}>
    <rect x="-33" y="-10" width="66" height="20" rx="10" />
    <text y="4.5" text-anchor="middle">Folded</text>
  </g>`;

function OnSeat({ seat, view, stage }) {
  const { layout, limits } = view.table;
  const at = (spot) => spotAt(stage, layout, seat.seat, spot);
  const notes = ([spot, { note }]) => [spot, note ?? (limits[spot] && isFixed(limits[spot]) && short(limits[spot].least))];
  const spots = offered(view.table);
  return html`
    <g class=${seat.name ? "" : "vacant"}>
      ${sensed(view).map((spot) => html`<${Sensor} key=${spot} lit=${isLit(view, seat, spot)} at=${at(spot)} />`)}
      ${spots.filter(([spot, { twin }]) => spot < twin).map(([spot, { twin }]) => html`<${Equals} key=${spot} a=${at(spot)} b=${at(twin)} />`)}
      ${seat.you && spots.map(notes).map(([spot, text]) => text && html`<${Note} key=${spot} at=${at(spot)} text=${text} />`)}
      ${seat.you && seat.cards.some((c) => c.place.endsWith("folded")) && html`
        <${Folded} at=${inSeat(stage, seat.seat, { x: layout.cards.x, y: layout.cards.y + 72 })} />`}
    </g>`;
}

export function Middle({ view, stage }) {
  const { layout, prize } = view.table;
  const { jackpot } = view;
  const { narrow, rows, reader, sign, title } = stage;
  const all = Object.entries(rows);
  const [first, second] = layout.legends;
  const [upper, lower] = [all[0][1], all.at(-1)[1]];
  return html`
    <g class=${narrow ? "bands small" : "bands"} aria-hidden="true">
      ${all.map(([name, place]) =>
        place.light
          ? html`<${Band} key=${name} name=${name} place=${place} view=${view} narrow=${narrow} />`
          : html`<${Slots} key=${name} place=${place} />`)}
      ${!narrow && html`<${Reader} place=${reader} label=${layout.rows.dealer.label} />`}
      ${!narrow && second && !view.hands.some((h) => h.seat === null) && html`
        <text class="legend line" x=${stage.width / 2} y=${(upper.top + upper.height + lower.top) / 2 + 4.5} text-anchor="middle">${second.text}</text>`}
      ${title && first && html`<${Title} at=${title} text=${first.text} />`}
      ${prize && html`<${Sign} at=${sign} what="House jackpot" amount=${`$${short(prize)}`} narrow=${narrow} />`}
      ${jackpot && html`<${Meter} at=${sign} jackpot=${jackpot} narrow=${narrow} />`}
      ${view.seats.filter((s) => stage.seats[s.seat]).map((s) => html`<${OnSeat} key=${s.seat} seat=${s} view=${view} stage=${stage} />`)}
    </g>`;
}
