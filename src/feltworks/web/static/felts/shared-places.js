// A place that all seats share. Your chips lie there large, with their amount; those of others small, with their seat's number;
// what was won lies beside the wager until it is collected.

import { colourOf, largest, Stack, Total } from "./chips.js";
import { money } from "../core/format.js";
import { html } from "../core/html.js";
import { style } from "../core/lazy.js";
import { Tag } from "./seat.js";

await style("felts/shared-places.css");

export const Small = ({ seat, amount, won, r }) => html`
  <g class=${`other chip ${colourOf(largest(amount))}${won ? " winner" : ""}`}>
    <title>Seat ${seat}: ${money(amount)}${won ? `, ${money(won)} to collect` : ""}</title>
    <circle r=${r} />
    <text y=${r * 0.42} font-size=${r * 1.3} text-anchor="middle">${seat}</text>
  </g>`;

// A point of a place, where chips lie upright however it is turned.
const beside = ({ at: { turn } }, x, y) => {
  const a = (turn * Math.PI) / 180;
  return `translate(${(x * Math.cos(a) - y * Math.sin(a)).toFixed(1)} ${(x * Math.sin(a) + y * Math.cos(a)).toFixed(1)})`;
};

export const Chips = ({ amount, narrow }) => html`
  <g transform=${`scale(${narrow ? 0.54 : 0.62})`}><${Stack} amount=${amount} /></g>
  <g transform=${`scale(${narrow ? 0.74 : 0.86})`}><${Total} amount=${amount} y=${narrow ? 16 : 18} /></g>`;

// What lies in one place; the result of a wager is written over it.
export function Heap({ place, own, others, narrow, onCollect }) {
  const won = own?.won ?? 0;
  const shift = won && own.amount ? (narrow ? 18 : 24) : 0;
  const [low, r] = [place.depth / 2, narrow ? 7 : 9];
  const middle = low - (narrow ? 32 : 39) - (others.length ? (narrow ? 7 : 11) : 0);
  const step = Math.min(2 * r + 2, (place.width - 2 * r - 6) / Math.max(1, others.length - 1));
  const result = !won && (!own?.amount || own.result?.stake === "stays") && own?.result;
  const collect = (event) => {
    event.stopPropagation();
    onCollect();
  };
  return html`
    ${own?.amount > 0 && html`<g transform=${beside(place, -shift, middle)}><${Chips} amount=${own.amount} narrow=${narrow} /></g>`}
    ${won > 0 && html`
      <g class="won-here" transform=${beside(place, shift, middle)} onClick=${onCollect && collect}>
        <circle class="won-ring" r=${narrow ? 16.5 : 19} />
        <${Chips} amount=${won} narrow=${narrow} />
      </g>`}
    ${result && html`
      <g transform=${beside(place, 0, middle + (own.amount ? 14 : 2))}><${Tag} result=${result} scale=${narrow ? 0.8 : 0.9} /></g>`}
    ${others.map(({ seat, amount, won: theirs }, i) => html`
      <g key=${seat} transform=${beside(place, (i - (others.length - 1) / 2) * step, low - r - 3)}>
        <${Small} seat=${seat} amount=${amount + theirs} won=${theirs} r=${r} />
      </g>`)}`;
}

// A section or a box. Of two that are one wager only the first is read aloud.
export function Place({ place, title, children, open, twin, wanted, down, chip, onPlace, heap }) {
  const { at, path } = place;
  const button = open && {
    "data-spot": open.spot,
    onClick: onPlace,
    ...(twin
      ? { "aria-hidden": "true" }
      : {
          role: "button",
          tabindex: 0,
          "aria-label": `${title}, ${down ? `${money(down)} down` : "empty"}, ${money(open.least)} to ${money(open.most)}. ` +
            `Place a chip of ${money(chip)}.`,
        }),
  };
  return html`
    <g class=${`spot place-shared${open ? " open" : ""}${wanted ? " wanted" : ""}`} transform=${`translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`}
      ...${button || { "aria-hidden": "true" }}>
      <g transform=${`rotate(${at.turn.toFixed(2)})`}>
        <path class="outline" d=${path} />
        <path class="halo" d=${path} />
        ${children}
      </g>
      ${heap}
    </g>`;
}

export function heapOf(seats, spot, lies) {
  const all = seats.map((s) => ({
    seat: s.seat,
    you: s.you,
    amount: s.wagers[spot] ?? 0,
    won: s.winnings[spot] ?? 0,
    result: s.results.find((r) => r.spot === spot),
  }));
  const here = all.filter((h) => (h.amount || h.won || (h.you && h.result)) && lies(h.seat));
  return { own: here.find((h) => h.you), others: here.filter((h) => !h.you && (h.amount || h.won)) };
}
