// The grid of spots that all seats share: cells with what they are and pay, points between numbers, and columns that may be
// marked.

import { colourOf, largest } from "../chips.js";
import { short } from "../../core/format.js";
import { html } from "../../core/html.js";
import { wantedSpots } from "../../core/wanted.js";
import { Heap, heapOf, Place, Small } from "../dice-table/middle.js";
import { Tag } from "../seat.js";

const MOST_WANTED = 4;
const LOW = 46; // in a lower cell what lies there is beside its number
const ROOM = { wide: 66, narrow: 56 }; // so high is a cell in which chips lie
const OTHERS = 12; // and so much higher with those of others below yours

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

// What is written in a cell; where chips lie, it is one line above them.
function Print({ cell, pays, filled, narrow }) {
  const { label, kind, width, depth } = cell;
  const number = kind === "number";
  const className = number ? "cell-number" : "cell-title";
  if (filled) {
    const size = Math.min(number ? 13 : 11.5, (width - 6) / (label.length * 0.56), depth * 0.3);
    if (number && depth < LOW) return html`<text class=${className} font-size="10" x=${4 - width / 2} y=${12 - depth / 2}>${label}</text>`;
    return html`<text class=${className} font-size=${size.toFixed(1)} y=${(-depth / 2 + size + 1).toFixed(1)} text-anchor="middle">${label}</text>`;
  }
  const upright = !number && depth > width * 1.7;
  const [across, along] = upright ? [depth, width] : [width, depth];
  const print = fitted(label, across, Math.min(along * (number ? 0.5 : 0.4), number ? 40 : narrow ? 15 : 23));
  const odds = pays && pays !== label && along > print.lines.length * print.size + 16 && across > pays.length * (narrow ? 5.4 : 6.4);
  return html`
    <g transform=${upright ? "rotate(90)" : undefined}>
      <${Lines} ...${print} className=${className} y=${odds ? -7 : 0} />
      ${odds && html`<text class="cell-pays" y=${((print.lines.length * print.size) / 2 + (narrow ? 7 : 9)).toFixed(1)} text-anchor="middle">${pays}</text>`}
    </g>`;
}

// What lies in a cell that is too small for chips: your amount in the colour of its largest chip, and a dot for each other.
function Amounts({ own, others, at: { x, y }, below, onCollect }) {
  const collect = (event) => {
    event.stopPropagation();
    onCollect();
  };
  const text = own && short(own.amount || own.won);
  const width = text && Math.max(20, text.length * 7.2 + 10);
  const result = own?.result && !own.won && (!own.amount || own.result.stake === "stays");
  const beside = own && !below ? (width ?? 24) / 2 + 7 : (1 - others.length) * 6.5;
  return html`
    <g transform=${`translate(${x.toFixed(1)} ${y.toFixed(1)})`}>
      ${others.map(({ seat, amount, won }, i) => html`
        <g key=${seat} transform=${`translate(${beside + i * 13} ${own && below ? 15 : 0})`}>
          <${Small} seat=${seat} amount=${amount + won} won=${won} r=${6.5} />
        </g>`)}
      ${own && (own.amount > 0 || own.won > 0) && html`
        <g class=${`amount chip ${colourOf(largest(own.amount || own.won))}${own.won ? " winner" : ""}`} onClick=${own.won && onCollect && collect}>
          <rect x=${-width / 2} y="-9" width=${width} height="18" rx="9" />
          <text y="4.2" text-anchor="middle">${text}</text>
        </g>`}
      ${result && html`<${Tag} result=${own.result} scale=${0.74} />`}
    </g>`;
}

// A number that is marked makes room for what marks it.
const Heading = ({ cell, marks }) => html`
  <g class="heading" aria-hidden="true" transform=${`translate(${cell.at.x} ${cell.at.y})`}>
    <text x=${marks.length && cell.width < 90 ? -12 : 0} class=${marks.length ? "cell-number on" : "cell-number"} font-size=${Math.min(cell.depth * 0.78, 34)} y=${cell.depth * 0.28} text-anchor="middle">${cell.label}</text>
    ${marks.map(({ what, words }) => html`
      <g key=${what} class="mark on" transform=${`translate(${Math.min(cell.width / 2 - 15, 44)} 0)`}>
        <circle r=${Math.min(cell.width < 90 ? 13 : 16, cell.depth * 0.42)} />
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
  const faceOf = (label) => Object.keys(colours).find((colour) => colours[colour].includes(label)) ?? "";
  const collects = phase === "betting" && act;
  // Of several lines the one that names the cell, as "4, 10" does.
  const paysOf = ({ of, label }, { spot, wager }) => {
    const lines = tables.get(spot) ?? tables.get(wager) ?? [];
    const own = lines.filter(({ line }) => line.split(", ").includes(of ?? label));
    const pays = new Set((own.length ? own : lines).map(({ pays: odds }) => odds));
    return pays.size === 1 ? [...pays][0] : null;
  };

  const spot = (cell) => {
    const about = info.get(cell.spot);
    if (!about) return null;
    const between = cell.kind === "between";
    const place = { ...cell, path: between ? round(Math.max(stage.narrow ? 8 : 9, cell.unit * 0.17)) : rectangle(cell.width, cell.depth, Math.min(8, cell.depth / 5)) };
    const heap = heapOf(seats, cell.spot, () => true);
    const filled = Boolean(heap.own || heap.others.length);
    const others = heap.own && heap.others.length ? OTHERS : 0;
    const roomy = !between && cell.depth > ROOM[stage.narrow ? "narrow" : "wide"] + others;
    const onCollect = collects && (() => act.collect(cell.spot));
    const below = !between && cell.depth > 46;
    const at = { x: cell.kind === "number" && cell.depth < LOW ? 6 : 0, y: between || (below && heap.others.length > 0) ? 0 : Math.min(6, cell.depth / 2 - 11) };
    return html`
      <g key=${cell.spot} class=${`cell ${cell.kind === "number" ? `numbered ${faceOf(cell.label)}` : cell.kind}`}>
        <${Place} place=${place} title=${about.title} open=${open.get(cell.spot)} down=${mine?.wagers[cell.spot]} chip=${selected}
          wanted=${wanted.length <= MOST_WANTED && wanted.includes(about)} onPlace=${() => act.place(cell.spot)}
          heap=${roomy ? html`<${Heap} ...${heap} place=${place} narrow=${stage.narrow} onCollect=${onCollect} />` : html`<${Amounts} ...${heap} at=${at} below=${below} onCollect=${onCollect} />`}>
          ${!between && html`<${Print} cell=${cell} pays=${cell.kind === "number" && stage.numbers ? null : paysOf(cell, about)} filled=${filled} narrow=${stage.narrow} />`}
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
