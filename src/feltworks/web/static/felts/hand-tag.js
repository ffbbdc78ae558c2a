// What a hand is, written on the felt beside its cards.

import { html } from "../core/html.js";

export function HandTag({ text, at: { x, y }, scale = 1, now = false }) {
  const width = text.length * 7.4 + 16;
  return html`
    <g class=${now ? "points now" : "points"} transform=${`translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale})`}>
      <rect x=${-width / 2} y="-11" width=${width} height="22" rx="11" />
      <text y="4.8" text-anchor="middle">${text}</text>
    </g>`;
}
