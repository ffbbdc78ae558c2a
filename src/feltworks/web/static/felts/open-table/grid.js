// The grid of spots that all seats share: cells with what they are and pay, points between numbers, and columns that may be
// marked.

import { html } from "../../core/html.js";
import { wantedSpots } from "../../core/wanted.js";
import { Heap, heapOf, Place } from "../shared-places.js";

const MOST_WANTED = 4;

function rectangle(width, height, r) {
  const turn = (x, y) => `a${r} ${r} 0 0 1 ${x} ${y}`;
  const [w, h] = [width - 2 * r, height - 2 * r];
  return `M${-w / 2} ${-height / 2}h${w}${turn(r, r)}v${h}${turn(-r, r)}h${-w}${turn(-r, -r)}v${-h}${turn(r, -r)}Z`;
}

const round = (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

// A text in as few lines as it needs, as large as there is room for.
function fitted(text, width, most) {
  const words = text.split(" ");
  const wide = (line) => line.length * 0.56;
  const whole = Math.min(most, (width - 8) / wide(text));
  if (whole >= most * 0.8 || words.length === 1) return { lines: [text], size: whole };
  const cuts = words.slice(1).map((_, i) => [words.slice(0, i + 1).join(" "), words.slice(i + 1).join(" ")]);
  const lines = cuts.reduce((a, b) => (Math.max(...b.map(wide)) < Math.max(...a.map(wide)) ? b : a));
  return { lines, size: Math.min(most, (width - 8) / Math.max(...lines.map(wide))) };
}

const Lines = ({ lines, size, className, y = 0 }) =>
  lines.map((line, i) => html`
    <text key=${i} class=${className} font-size=${size.toFixed(1)} y=${(y + size * 0.35 + (i - (lines.length - 1) / 2) * size * 1.05).toFixed(1)} text-anchor="middle">${line}</text>`);

// What is written in a cell; where chips lie, it makes room for them.
function Print({ cell, pays, filled, narrow }) {
  const { label, kind, width, depth, marked } = cell;
  const upright = kind === "box" && depth > width * 1.7;
  const [across, along] = upright ? [depth, width] : [width, depth];
  const most = Math.min(along * (kind === "number" ? 0.5 : 0.4), kind === "number" ? 40 : narrow ? 15 : 23);
  const print = fitted(label, across, most);
  const odds = pays && pays !== label && along > print.lines.length * print.size + 16 && across > pays.length * (narrow ? 5.4 : 6.4) ? pays : null;
  const aside = filled && kind === "number";
  return html`
    <g transform=${upright ? "rotate(90)" : aside ? `translate(${-width / 2 + 11} ${-depth / 2 + 11}) scale(.55)` : undefined} class=${marked ? "marked" : undefined}>
      <${Lines} ...${print} className=${kind === "number" ? "cell-number" : "cell-title"} y=${odds ? -7 : 0} />
      ${odds && !filled && html`<text class="cell-pays" y=${(print.lines.length * print.size) / 2 + (narrow ? 7 : 9)} text-anchor="middle">${odds}</text>`}
    </g>`;
}

const Heading = ({ cell, marks }) => html`
  <g class="heading" aria-hidden="true" transform=${`translate(${cell.at.x} ${cell.at.y})`}>
    <text class=${marks.length ? "cell-number on" : "cell-number"} font-size=${Math.min(cell.depth * 0.78, 34)} y=${cell.depth * 0.28} text-anchor="middle">${cell.label}</text>
    ${marks.map(({ what, words }) => html`
      <g key=${what} class="mark on" transform=${`translate(${Math.min(cell.width / 2 - 20, 44)} 0)`}>
        <circle r=${Math.min(16, cell.depth * 0.42)} />
        <text y="4" text-anchor="middle">${words.toUpperCase() || "ON"}</text>
      </g>`)}
  </g>`;

// Of the cells those between numbers lie above the others.
export function Grid({ view, stage, act, selected, marks }) {
  const { table, seats, you, phase } = view;
  const open = new Map((act && you?.spots ? you.spots : []).map((s) => [s.spot, s]));
  const info = new Map(table.spots.map((s) => [s.spot, s]));
  const tables = new Map(table.pay_tables.map((t) => [t.wager, t.lines]));
  const mine = seats.find((s) => s.you);
  const wanted = mine && act ? wantedSpots(table, you, mine.wagers) : [];
  const colours = Object.values(table.layout.wheels ?? {})[0]?.colours ?? {};
  const colourOf = (label) => Object.keys(colours).find((colour) => colours[colour].includes(label)) ?? "";
  const collects = phase === "betting" && act;
  const paysOf = ({ spot, wager }) => {
    const lines = tables.get(spot) ?? tables.get(wager) ?? [];
    return new Set(lines.map(({ pays }) => pays)).size === 1 ? lines[0].pays : null;
  };

  const spot = (cell) => {
    const about = info.get(cell.spot);
    if (!about) return null;
    const between = cell.kind === "between";
    const r = between ? Math.max(stage.narrow ? 8 : 9, cell.unit * 0.17) : 0;
    const place = between
      ? { ...cell, path: round(r), width: r * 4, depth: r * 4 }
      : { ...cell, path: rectangle(cell.width, cell.depth, Math.min(8, cell.depth / 5)) };
    const heap = heapOf(seats, cell.spot, () => true);
    const scale = Math.min(1, place.width / (stage.narrow ? 44 : 62), place.depth / (stage.narrow ? 44 : 62));
    const inner = { ...place, width: place.width / scale, depth: place.depth / scale };
    return html`
      <g key=${cell.spot} class=${`cell ${cell.kind} ${cell.kind === "number" ? colourOf(cell.label) : ""}`}>
        <${Place} place=${place} title=${about.title} open=${open.get(cell.spot)} down=${mine?.wagers[cell.spot]} chip=${selected}
          wanted=${wanted.length <= MOST_WANTED && wanted.includes(about)} onPlace=${() => act.place(cell.spot)}
          heap=${html`<g transform=${`scale(${scale.toFixed(3)})`}><${Heap} ...${heap} place=${inner} narrow=${stage.narrow} onCollect=${collects && (() => act.collect(cell.spot))} /></g>`}>
          ${!between && html`<${Print} cell=${cell} pays=${paysOf(about)} filled=${Boolean(heap.own || heap.others.length)} narrow=${stage.narrow} />`}
        <//>
      </g>`;
  };

  const cells = stage.cells.filter((cell) => !cell.heading);
  return html`
    <g class="grid">
      ${stage.cells.filter((cell) => cell.heading).map((cell) => html`
        <${Heading} key=${`${cell.heading} ${cell.number}`} cell=${cell} marks=${marks.filter(({ at }) => at.heading === cell.heading)} />`)}
      ${cells.filter(({ kind }) => kind !== "between").map(spot)}
      ${cells.filter(({ kind }) => kind === "between").map(spot)}
    </g>`;
}
