// Chips, drawn around their middle with a radius of 26, and stacks of at most five.

import { short } from "../core/format.js";
import { html } from "../core/html.js";

// Cents, and the name of the colour in the style sheet.
/** @type {[number, string][]} */
const CHIPS = [
  [100000, "orange"],
  [50000, "purple"],
  [10000, "black"],
  [2500, "green"],
  [500, "red"],
  [100, "white"],
  [50, "blue"],
  [10, "pink"],
  [1, "grey"],
];
const COLOUR = new Map(CHIPS);
const AT_MOST = 5;

export const colourOf = (cents) => COLOUR.get(cents) ?? "grey";

const label = (cents) => (cents >= 100000 ? `${cents / 100000}k` : cents >= 100 ? String(cents / 100) : `${cents}c`);

// The chips a dealer would make an amount of, the largest first.
function chipsFor(cents) {
  const chips = [];
  let left = cents;
  for (const [value] of CHIPS) {
    for (; left >= value; left -= value) {
      chips.push(value);
      if (chips.length > 40) return chips;
    }
  }
  return chips;
}

export const largest = (cents) => chipsFor(cents)[0] ?? cents;

// The chips a table with these limits puts before a player.
export function rail(table) {
  const limits = Object.values(table.limits);
  const most = Math.max(...limits.map((l) => l.most));
  const least = Math.min(...limits.map((l) => l.least));
  const fit = CHIPS.map(([value]) => value).filter((v) => v <= most && v % table.chip === 0).reverse();
  const small = fit.filter((v) => v < least && v >= 100).slice(-1);
  return [...small, ...fit.filter((v) => v >= least)].slice(0, 6);
}

const Disc = ({ value }) => html`
  <g class=${`chip ${colourOf(value)}`}>
    <circle class="edge" r="26" />
    <circle class="spots" r="22.5" />
    <circle class="heart" r="18" />
    <circle class="ring" r="15.4" />
    <text class="value" y="5.2" text-anchor="middle">${label(value)}</text>
  </g>`;

const Blank = ({ value }) => html`
  <g class=${`chip ${colourOf(value)}`}><circle class="edge" r="26" /><circle class="spots" r="22.5" /></g>`;

// A stack around its middle.
export function Stack({ amount }) {
  const chips = chipsFor(amount).slice(0, AT_MOST);
  const lift = 4.5;
  const up = (chips.length - 1) * lift;
  return html`
    <g class="stack">
      <ellipse class="shade" cx="2" cy="5" rx="27" ry="26" />
      ${chips.map((value, i) => html`
        <g transform=${`translate(0 ${(-i * lift + up / 2).toFixed(1)})`}>
          ${i < chips.length - 1 ? html`<${Blank} value=${value} />` : html`<${Disc} value=${value} />`}
        </g>`)}
    </g>`;
}

export function Total({ amount, y }) {
  const text = short(amount);
  const width = text.length * 8.4 + 14;
  return html`
    <g class="total" transform=${`translate(0 ${y})`}>
      <rect x=${-width / 2} y="-10" width=${width} height="20" rx="10" />
      <text y="5" text-anchor="middle">${text}</text>
    </g>`;
}

// A chip on a page, outside of the felt.
export const ChipPicture = ({ value }) => html`
  <svg class="chip-picture" viewBox="-28 -28 56 56" aria-hidden="true"><${Disc} value=${value} /></svg>`;
