// Playing cards, drawn 100 by 140 around their middle: large corner index, clean pips, simple courts, our own back.

import { rank } from "../core/format.js";
import { html } from "../core/html.js";
import { Court } from "./courts.js";
import { style } from "../core/lazy.js";

await style("felts/cards.css");

export const PIPS = {
  h: "M0 9.5C-3 5.8-10 .4-10-4.6-10-8-7.4-10-5-10-2.6-10-.8-8.5 0-6.5.8-8.5 2.6-10 5-10 7.4-10 10-8 10-4.6 10 .4 3 5.8 0 9.5Z",
  d: "M0-11Q3.6-4.8 8.4 0 3.6 4.8 0 11-3.6 4.8-8.4 0-3.6-4.8 0-11Z",
  s: "M0-11C3-6.4 10-2 10 3.4 10 6.7 7.5 8.3 5.1 8.3 3.3 8.3 1.8 7.4 1 5.9 1.2 8.5 2.2 10 4 11H-4C-2.2 10-1.2 8.5-1 5.9-1.8 7.4-3.3 8.3-5.1 8.3-7.5 8.3-10 6.7-10 3.4-10-2-3-6.4 0-11Z",
  c: "M0-11A4.9 4.9 0 0 1 3.7-2.9 4.9 4.9 0 1 1 1.2 4.6C1.4 7.8 2.3 9.9 4 11H-4C-2.3 9.9-1.4 7.8-1.2 4.6A4.9 4.9 0 1 1-3.7-2.9 4.9 4.9 0 0 1 0-11Z",
};

// Columns and rows of the pips of 2 to 10; those below the middle stand on their heads.
const spread = (side, middle) => [
  ...side.flatMap((y) => [[-15, y], [15, y]]),
  ...middle.map((y) => [0, y]),
];
const [top, high, upper, third] = [-45, -30, -22.5, -15];
const PLACES = {
  2: spread([], [top, -top]),
  3: spread([], [top, 0, -top]),
  4: spread([top, -top], []),
  5: spread([top, -top], [0]),
  6: spread([top, 0, -top], []),
  7: spread([top, 0, -top], [upper]),
  8: spread([top, 0, -top], [upper, -upper]),
  9: spread([top, third, -third, -top], [0]),
  T: spread([top, third, -third, -top], [high, -high]),
};

const Pip = ({ suit, x, y, size = 1, over = false }) =>
  html`<path d=${PIPS[suit]} transform=${`translate(${x} ${y})${over ? "rotate(180)" : ""}scale(${size})`} />`;

const Corner = ({ card }) => html`
  <text class="index" x="-37" y="-42" text-anchor="middle" textLength=${card[0] === "T" ? 21 : undefined}
    lengthAdjust="spacingAndGlyphs">${rank(card)}</text>
  ${card[1] && html`<${Pip} suit=${card[1]} x=${-37} y=${-27} size=${0.78} />`}`;

function Middle({ card }) {
  const [value, suit] = card;
  if ("JQK".includes(value)) return html`<${Court} value=${value} suit=${suit} pip=${PIPS[suit]} />`;
  if (value === "A") return html`<${Pip} suit=${suit} x=${0} y=${0} size=${2.7} />`;
  return PLACES[value].map(([x, y]) => html`<${Pip} suit=${suit} x=${x} y=${y} size=${0.76} over=${y > 0} />`);
}

export const Face = ({ card }) => html`
  <g class=${`face suit-${card[1] ?? "none"}`}>
    <rect class="paper" x="-50" y="-70" width="100" height="140" rx="8" />
    <${Corner} card=${card} />
    <g transform="rotate(180)"><${Corner} card=${card} /></g>
    ${card[1] ? html`<${Middle} card=${card} />` : html`<text class="index big" y="24" text-anchor="middle">${rank(card)}</text>`}
  </g>`;

export const Back = () => html`
  <g class="back">
    <rect class="paper" x="-50" y="-70" width="100" height="140" rx="8" />
    <rect class="weave" x="-44" y="-64" width="88" height="128" rx="4" />
    <rect x="-44" y="-64" width="88" height="128" rx="4" fill="url(#lattice)" />
    <rect class="inlay" x="-38.5" y="-58.5" width="77" height="117" rx="2.5" />
    <path class="medal" d="M0-24 17 0 0 24-17 0Z" />
    <path class="spade" d=${PIPS.s} transform="translate(0 -1) scale(.9)" />
  </g>`;
