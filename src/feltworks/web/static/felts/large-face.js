// The face of a card that is small on the screen: its signs are large.

import { rank } from "../core/format.js";
import { html } from "../core/html.js";

export const Large = ({ card, pips }) => html`
  <g class=${`face suit-${card[1] ?? "none"}`}>
    <rect class="paper" x="-50" y="-70" width="100" height="140" rx="8" />
    <text class="index large" x=${card[1] ? -5 : 0} y=${card[1] ? -8 : 26} text-anchor="middle">${rank(card)}</text>
    ${card[1] && html`<path d=${pips[card[1]]} transform="translate(10 36) scale(2.5)" />`}
  </g>`;
