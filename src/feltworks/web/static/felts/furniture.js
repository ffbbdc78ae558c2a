// What a table for cards has besides: the places for them, the shoe or shuffler, and the discard rack.

import { html } from "../core/html.js";

const Shoe = ({ stage, shuffler }) => {
  const { x, y, turn, scale } = stage.shoe;
  return html`
    <g transform=${`translate(${x} ${y}) rotate(${turn}) scale(${scale})`}>
      <rect class="box" x="-40" y="-52" width="80" height="96" rx="9" />
      <rect class="box-lid" x="-33" y="-45" width="66" height=${shuffler ? 46 : 62} rx="5" />
      <rect class="slot-card" x="-25" y=${shuffler ? 12 : 22} width="50" height=${shuffler ? 20 : 26} rx="3" />
      <rect class="slot" x="-29" y=${shuffler ? 8 : 18} width="58" height="6" rx="3" />
    </g>`;
};

const Discard = ({ stage }) => {
  const { x, y, turn, scale } = stage.discard;
  return html`
    <g transform=${`translate(${x} ${y}) rotate(${turn}) scale(${scale * 1.1})`}>
      <rect class="rack" x="-44" y="-58" width="88" height="116" rx="9" />
      <rect class="rack-card" x="-33" y="-47" width="66" height="94" rx="5" />
    </g>`;
};

// A place for cards before the dealer, printed on the cloth.
const Place = ({ stage, place }) => {
  const { x, y, scale } = stage.dealer;
  const slots = place.cards ?? 1;
  const width = slots * 110 + 6;
  // Below the cards; where there is no room for that, under the last of them.
  const label = stage.narrow ? { x: (slots - 1) * 55, y: 5 } : { x: 0, y: 97 };
  return html`
    <g transform=${`translate(${x + scale * place.x} ${y + scale * place.y}) scale(${scale})`}>
      <rect class="place" x=${-width / 2} y="-76" width=${width} height="152" rx="12" />
      <text class="place-label" x=${label.x} y=${label.y} text-anchor="middle">${place.label}</text>
    </g>`;
};

export const Furniture = ({ stage, layout, shuffling }) => html`
  ${Object.values(stage.placed ? {} : (layout.places ?? {})).map((place) => html`<${Place} stage=${stage} place=${place} />`)}
  <${Discard} stage=${stage} />
  <${Shoe} stage=${stage} shuffler=${shuffling === "shuffler"} />`;
