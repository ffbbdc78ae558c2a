// A table that is drawn from its rules: places for cards in rows before the dealer, dice or a wheel, what is put somewhere,
// and a grid of spots that all seats share, where there are more of them than a seat has room for.

import { capital } from "../../core/format.js";
import { html } from "../../core/html.js";
import { module, style, useLater } from "../../core/lazy.js";
import { arrange as arranged, chipsAt as chipsIn, placeOf } from "./arrange.js";

export const arrange = arranged;
export const chipsAt = chipsIn;

await style("felts/open-table/middle.css");

// Where a hand is told, its words stand in place of the label.
const Places = ({ places, told, narrow }) =>
  places.map((place) => {
    const { name, x, y, scale, width, label, aside } = place;
    const at = aside ? { x: -width / 2 - 5, y: 4, anchor: "end" } : { x: 0, y: 75 * scale + (narrow ? 11 : 17), anchor: "middle" };
    return html`
      <g key=${name} transform=${`translate(${x.toFixed(1)} ${y.toFixed(1)})`}>
        <rect class="place" x=${-width / 2} y=${-75 * scale} width=${width} height=${150 * scale} rx=${11 * scale} />
        ${(aside || !told.includes(name)) && html`<text class="place-label" x=${at.x} y=${at.y} text-anchor=${at.anchor}>${label}</text>`}
      </g>`;
  });

// What is put somewhere and marks no column of the grid: told beside the dice.
const Marks = ({ marks, at, narrow }) =>
  marks.map(({ what, to }, i) => {
    const text = `${capital(what)} ${to}`;
    const width = text.length * (narrow ? 6.6 : 8.2) + 22;
    return html`
      <g key=${what} class="mark" transform=${`translate(${at.x} ${at.y + i * 30})`}>
        <rect x=${-width / 2} y="-12" width=${width} height="24" rx="6" />
        <text y="5" text-anchor="middle">${text}</text>
      </g>`;
  });

// Things of which the layout says that they are to be seen, with the column that they mark, if there is one.
function marksOf({ table, things }, cells) {
  const headings = cells.filter((cell) => cell.heading);
  return (table.layout.marks ?? []).flatMap((what) => {
    const to = things[what];
    if (!to) return [];
    const at = headings.find(({ heading }) => to === heading || to.endsWith(` ${heading}`));
    return [{ what, to, at, words: at ? to.slice(0, -at.heading.length).trim() : to }];
  });
}

export function Middle({ view, stage, act, selected }) {
  const { table } = view;
  const { layout } = table;
  const { narrow, cells, placed, board } = stage;
  const Grid = useLater(cells.length, async () => (await module("felts/open-table/grid.js")).Grid);
  const Dice = useLater(view.dice, async () => (await module("felts/dice.js")).Dice);
  const Wheel = useLater(layout.wheels, async () => (await module("felts/wheel-table/wheel.js")).Wheel);
  const Past = useLater(board, async () => (await module("felts/open-table/past.js")).Past);
  const marks = marksOf(view, cells);
  const told = view.hands.filter((hand) => hand.seat === null).map((hand) => placeOf(stage, hand, view)?.name);
  return html`
    <g class=${narrow ? "open-table small" : "open-table"}>
      ${stage.title && html`<text class="legend title two" aria-hidden="true" x=${stage.title.x} y=${stage.title.y} font-size=${stage.title.size} text-anchor="middle">${stage.title.text}</text>`}
      <g aria-hidden="true"><${Places} places=${Object.values(placed)} told=${told} narrow=${narrow} /></g>
      ${Grid && html`<${Grid} view=${view} stage=${stage} act=${act} selected=${selected} marks=${marks.filter(({ at }) => at)} />`}
      ${Wheel && html`<${Wheel} view=${view} at=${stage.wheel} />`}
      ${Dice && html`<${Dice} view=${view} stage=${stage} />`}
      ${Past && html`<${Past} view=${view} at=${board} narrow=${narrow} />`}
      <g aria-hidden="true"><${Marks} marks=${marks.filter(({ at }) => !at)} at=${stage.marks} narrow=${narrow} /></g>
    </g>`;
}
