// What does not move: the room's light, the padded rail, the cloth with its legends, tray, shoe and discard rack.

import { arc, polar } from "./geometry.js";
import { html } from "./html.js";

// The half-round shape of a radius, its flat side towards the dealer.
function halfRound(stage, radius) {
  const { x, y } = stage.centre;
  if (!stage.narrow) return `M${x - radius} ${y}A${radius} ${radius} 0 0 0 ${x + radius} ${y}Z`;
  // On a narrow screen the table goes on beyond both sides.
  const reach = stage.width * 1.12;
  const side = y + Math.sqrt(radius ** 2 - reach ** 2);
  return `M${x - reach}-4V${side}A${radius} ${radius} 0 0 0 ${x + reach} ${side}V-4Z`;
}

const Definitions = ({ stage, colour }) => html`
  <defs>
    <radialGradient id="light" gradientUnits="userSpaceOnUse" cx=${stage.centre.x} cy=${stage.height * 0.42} r=${stage.width * 0.56}>
      <stop offset="0" stop-color="#fff" stop-opacity=".1" />
      <stop offset=".5" stop-color="#fff" stop-opacity="0" />
      <stop offset=".5" stop-color="#000" stop-opacity="0" />
      <stop offset="1" stop-color="#000" stop-opacity=".42" />
    </radialGradient>
    <linearGradient id="leather" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2=${stage.height}>
      <stop offset="0" stop-color="#2a211d" /><stop offset=".7" stop-color="#3a2c25" /><stop offset="1" stop-color="#241b17" />
    </linearGradient>
    <pattern id="weave" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(38)">
      <path d="M0 1.2H5M0 3.7H5" stroke="#fff" stroke-opacity=".035" />
      <path d="M1.2 0V5M3.7 0V5" stroke="#000" stroke-opacity=".1" />
    </pattern>
    <pattern id="lattice" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <path d="M0 0H9M0 0V9" fill="none" stroke="#e9d7ac" stroke-opacity=".5" stroke-width="1" />
      <circle cx="4.5" cy="4.5" r="1" fill="#e9d7ac" fill-opacity=".55" />
    </pattern>
    <clipPath id="cloth"><path d=${halfRound(stage, stage.felt)} /></clipPath>
    <filter id="soft" x="-10%" y="-10%" width="120%" height="120%"><feGaussianBlur stdDeviation="9" /></filter>
    ${stage.legends.map(({ at }, i) => html`<path id=${`legend-${i}`} d=${arc(stage, at)} />`)}
  </defs>`;

const Rail = ({ stage }) => {
  const outer = stage.felt + stage.rail;
  return html`
    <path class="table-shadow" d=${halfRound(stage, outer)} transform="translate(0 8)" filter="url(#soft)" />
    <path d=${halfRound(stage, outer)} fill="url(#leather)" />
    <path class="rail-shine" d=${arc(stage, stage.felt + stage.rail * 0.68, stage.narrow ? 44 : 89)} />
    <path class="rail-seam" d=${arc(stage, stage.felt + stage.rail * 0.24, stage.narrow ? 44 : 90)} />`;
};

const Cloth = ({ stage, colour }) => html`
  <path d=${halfRound(stage, stage.felt)} fill=${colour} />
  <path d=${halfRound(stage, stage.felt)} fill="url(#weave)" />
  <path d=${halfRound(stage, stage.felt)} fill="url(#light)" />
  <g clip-path="url(#cloth)">
    <path class="inner-shadow" d=${arc(stage, stage.felt + 8, stage.narrow ? 46 : 92)} filter="url(#soft)" />
  </g>
  <path class="border-line" d=${arc(stage, stage.felt - (stage.narrow ? 8 : 10), stage.narrow ? 43 : 84)} />`;

const Legends = ({ stage, legends }) => {
  const last = stage.legends.at(-1).at;
  const line = last + (stage.narrow ? 10 : 16);
  const reach = stage.narrow ? 23 : 48;
  return html`
    ${legends.slice(0, stage.legends.length).map(({ text, short }, i) => html`
      <text class=${i ? "legend" : "legend title"} font-size=${stage.legends[i].size}>
        <textPath href=${`#legend-${i}`} startOffset="50%" text-anchor="middle">${stage.narrow ? (short ?? text) : text}</textPath>
      </text>`)}
    <path class="legend-line" d=${arc(stage, line, reach)} />
    ${[-1, 1].map((side) => {
      const { x, y } = polar(stage, side * reach, line);
      return html`<circle class="legend-dot" cx=${x} cy=${y} r=${stage.narrow ? 1.6 : 2.4} />`;
    })}`;
};

const COLUMNS = ["#d9822b", "#6b3fa0", "#26262c", "#1f7a4d", "#b3262e", "#e9e4d8"];

const Tray = ({ stage }) => {
  const { x, y, width } = stage.tray;
  const height = stage.narrow ? 15 : 24;
  const column = (width - 16) / COLUMNS.length;
  return html`
    <g transform=${`translate(${x - width / 2} ${y - height / 2})`}>
      <rect class="tray" width=${width} height=${height} rx="5" />
      ${COLUMNS.map((colour, i) => {
        const left = 8 + i * column;
        const chips = Math.floor((column - 5) / 5);
        return html`
          <rect x=${left + 1} y="4" width=${column - 4} height=${height - 8} rx="2" fill=${colour} />
          ${Array.from({ length: chips }, (_, n) => html`<path class="chip-edge" d=${`M${left + 5 + n * 5} 4V${height - 4}`} />`)}`;
      })}
    </g>`;
};

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
  const label = stage.narrow ? { x: (slots - 1) * 55, y: 5 } : { x: 0, y: 95 };
  return html`
    <g transform=${`translate(${x + scale * place.x} ${y + scale * place.y}) scale(${scale})`}>
      <rect class="place" x=${-width / 2} y="-76" width=${width} height="152" rx="12" />
      <text class="place-label" x=${label.x} y=${label.y} text-anchor="middle">${place.label}</text>
    </g>`;
};

export const Ground = ({ stage, layout, shuffler }) => html`
  <${Definitions} stage=${stage} colour=${layout.felt} />
  <g aria-hidden="true">
    <${Rail} stage=${stage} />
    <${Cloth} stage=${stage} colour=${layout.felt} />
    <${Legends} stage=${stage} legends=${layout.legends ?? []} />
    ${Object.values(layout.places ?? {}).map((place) => html`<${Place} stage=${stage} place=${place} />`)}
    <${Tray} stage=${stage} />
    <${Discard} stage=${stage} />
    <${Shoe} stage=${stage} shuffler=${shuffler} />
  </g>`;
