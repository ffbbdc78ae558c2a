// What does not move: light, rail, cloth, legends, tray.

import { arc, legendArc, polar, TOP } from "./geometry.js";
import { html } from "../core/html.js";

// The half-round shape of a radius, its flat side towards the dealer.
function halfRound(stage, radius) {
  if (stage.outline) return stage.outline(radius - stage.felt);
  const { x, y } = stage.centre;
  if (!stage.narrow) return `M${x - radius} ${TOP}V${y}A${radius} ${radius} 0 0 0 ${x + radius} ${y}V${TOP}Z`;
  // On a narrow screen the table goes on beyond both sides.
  const reach = stage.width * 1.12;
  const side = y + Math.sqrt(radius ** 2 - reach ** 2);
  return `M${x - reach}-4V${side}A${radius} ${radius} 0 0 0 ${x + reach} ${side}V-4Z`;
}

// A line along the rail.
function edge(stage, distance) {
  if (stage.outline) return stage.outline(distance - stage.felt);
  if (stage.narrow) return arc(stage, distance, 45);
  const { x, y } = stage.centre;
  return `M${x - distance} ${TOP}V${y}A${distance} ${distance} 0 0 0 ${x + distance} ${y}V${TOP}`;
}

const Definitions = ({ stage }) => html`
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
    <clipPath id="cloth"><path d=${halfRound(stage, stage.felt)} /></clipPath>
    <filter id="soft" x="-10%" y="-10%" width="120%" height="120%"><feGaussianBlur stdDeviation="9" /></filter>
    ${stage.legends.map((legend, i) => html`<path id=${`legend-${i}`} d=${legendArc(stage, legend)} />`)}
  </defs>`;

const Rail = ({ stage }) => {
  const outer = stage.felt + stage.rail;
  return html`
    <path class="table-shadow" d=${halfRound(stage, outer)} transform="translate(0 8)" filter="url(#soft)" />
    <path d=${halfRound(stage, outer)} fill="url(#leather)" />
    <path class="rail-shine" d=${edge(stage, stage.felt + stage.rail * 0.68)} />
    <path class="rail-seam" d=${edge(stage, stage.felt + stage.rail * 0.24)} />`;
};

const Cloth = ({ stage, colour }) => html`
  <path d=${halfRound(stage, stage.felt)} fill=${colour} />
  <path d=${halfRound(stage, stage.felt)} fill="url(#weave)" />
  <path d=${halfRound(stage, stage.felt)} fill="url(#light)" />
  <g clip-path="url(#cloth)">
    <path class="inner-shadow" d=${edge(stage, stage.felt + 8)} filter="url(#soft)" />
  </g>
  <path class="border-line" d=${edge(stage, stage.felt - (stage.narrow ? 8 : 10))} />`;

// A fine line between two dots, along the legends.
export const Line = ({ stage, at }) => {
  const reach = stage.narrow ? 23 : 48;
  return html`
    <path class="legend-line" d=${arc(stage, at, reach)} />
    ${[-1, 1].map((side) => {
      const { x, y } = polar(stage, side * reach, at);
      return html`<circle class="legend-dot" cx=${x} cy=${y} r=${stage.narrow ? 1.6 : 2.4} />`;
    })}`;
};

const Legends = ({ stage, legends }) => {
  if (!stage.legends.length || !legends.length) return null;
  const last = stage.legends.at(-1).at;
  return html`
    ${legends.slice(0, stage.legends.length).map(({ text, short }, i) => html`
      <text class=${i ? "legend" : "legend title"} font-size=${stage.legends[i].size}>
        <textPath href=${`#legend-${i}`} startOffset="50%" text-anchor="middle">${stage.narrow ? (short ?? text) : text}</textPath>
      </text>`)}
    ${stage.legends.length > 1 && !stage.outline && html`<${Line} stage=${stage} at=${last + (stage.narrow ? 10 : 16)} />`}`;
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

// `Furniture` is what cards are dealt from and to, where there are any.
export const Ground = ({ stage, layout, Furniture, shuffling }) => html`
  <${Definitions} stage=${stage} />
  <${Rail} stage=${stage} />
  <${Cloth} stage=${stage} colour=${layout.felt} />
  <${Legends} stage=${stage} legends=${layout.legends ?? []} />
  <${Tray} stage=${stage} />
  ${Furniture && html`<${Furniture} stage=${stage} layout=${layout} shuffling=${shuffling} />`}`;
