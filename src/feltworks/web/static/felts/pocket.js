// A pocket of a wheel: its name in its colour, on the felt and on pages.

import { html } from "../core/html.js";
import { style } from "../core/lazy.js";

await style("felts/pocket.css");

/** @param {Wire.About} table @param {Wire.PocketSeen} pocket */
export function colourOf({ layout }, { wheel, name }) {
  const colours = layout.wheels?.[wheel]?.colours ?? {};
  return Object.keys(colours).find((colour) => colours[colour].includes(name)) ?? "";
}

/** @param {Wire.About} table @param {Wire.PocketSeen} pocket */
export function pocketWords(table, pocket) {
  const colour = colourOf(table, pocket);
  return colour ? `${pocket.name}, ${colour}` : pocket.name;
}

const size = (name) => (name.length > 4 ? 78 / name.length : name.length > 2 ? 24 : 34);

// Drawn 84 wide around its middle: a slice of the wheel's rim with the ball in it.
export const Pocket = ({ table, pocket }) => html`
  <g class=${`pocket ${colourOf(table, pocket)}`}>
    <rect class="pocket-shade" x="-38" y="-34" width="82" height="82" rx="16" />
    <rect class="pocket-rim" x="-42" y="-42" width="84" height="84" rx="16" />
    <rect class="pocket-face" x="-37" y="-37" width="74" height="74" rx="12" />
    <text y=${size(pocket.name) * 0.35} font-size=${size(pocket.name)} text-anchor="middle">${pocket.name}</text>
    <circle class="ball" cx="27" cy="-27" r="7" />
  </g>`;

export const SmallPocket = ({ table, pocket }) => html`
  <svg class="small-pocket" viewBox="-44 -44 92 96" width="36" role="img" aria-label=${pocketWords(table, pocket)}>
    <${Pocket} table=${table} pocket=${pocket} />
  </svg>`;
