// The middle of a dice table, which all seats share.

import { Cup, Marker } from "./cup.js";
import { spotAt } from "../geometry.js";
import { html, useMemo } from "../../core/html.js";
import { module, style, useLater } from "../../core/lazy.js";
import { Heap, heapOf, Place } from "../shared-places.js";
import { boxesOf, sectionFor, sectionsOf, sides } from "./places.js";

export { chipsAt } from "./places.js";

await style("felts/dice-table/middle.css");

const OWN_TOP = 507; // of your own spots on a narrow screen, from the centre of the table

const LOCK = "M22-35V-39A5 5 0 0 1 32-39V-35H34V-24H20V-35ZM24.5-35H29.5V-39A2.5 2.5 0 0 0 24.5-39Z";

// A contract bet on a seat's own spot is locked.
const Locks = ({ seat, stage, layout }) =>
  seat.contract.map((spot) => {
    const at = seat.wagers[spot] && spotAt(stage, layout, seat.seat, spot);
    return at && html`<path key=${spot} class="lock" d=${LOCK} transform=${`translate(${at.x} ${at.y}) scale(${at.scale})`} />`;
  });

// On a narrow screen the title is between what all share and your own spots.
export function arrange(stage, layout) {
  if (!stage.narrow) return stage;
  const [section] = sectionsOf(stage, layout);
  const [above, below] = [section.at.y + section.depth / 2, stage.centre.y + OWN_TOP];
  return { ...stage, legends: [{ at: (above + below) / 2 + 8 - stage.centre.y, size: 24 }] };
}

export function Middle({ view, stage, act, selected }) {
  const { table, seats, you, things } = view;
  const { layout } = table;
  const open = new Map((act && you?.spots ? you.spots : []).map((s) => [s.spot, s]));
  const info = new Map(table.spots.map((s) => [s.spot, s]));
  const odds = new Map(table.pay_tables.map((t) => [t.wager, t.lines]));
  const mine = seats.find((s) => s.you);
  const sections = useMemo(() => sectionsOf(stage, layout), [stage, table.id]);
  const boxes = useMemo(() => boxesOf(stage, layout), [stage, table.id]);
  const Dice = useLater(view.dice, async () => (await module("felts/dice.js")).Dice);
  const collects = view.phase === "betting" && act;
  const first = (section) => (mine ? sectionFor(stage, sections, mine.seat, section.spot) : sections.find((s) => s.spot === section.spot));

  const section = (place) => {
    const { spot, number, depth } = place;
    const pays = odds.get(spot)?.[0]?.pays;
    const put = () => {
      sides.set(spot, number);
      act.place(spot);
    };
    const heap = heapOf(seats, spot, (seat) => sectionFor(stage, sections, seat, spot) === place);
    return html`
      <${Place} key=${number} place=${place} title=${info.get(spot).title} open=${open.get(spot)} twin=${first(place) !== place}
        down=${mine?.wagers[spot]} chip=${selected} onPlace=${put}
        heap=${html`<${Heap} ...${heap} place=${place} narrow=${stage.narrow} onCollect=${collects && (() => act.collect(spot))} />`}>
        <text class="section-title" y=${-depth / 2 + (stage.narrow ? 16 : 21)} text-anchor="middle">${info.get(spot).title}</text>
        ${!heap.own && html`
          <text class="section-note" y=${-depth / 2 + (stage.narrow ? 29 : 36)} text-anchor="middle">
            ${stage.narrow ? pays : [place.note, pays].filter(Boolean).join(" · ")}
          </text>`}
      <//>`;
  };

  const box = (place) => {
    const { label } = place;
    const { spot } = layout.boxes;
    const on = things[layout.boxes.marker] === label;
    const heap = on ? heapOf(seats, spot, () => true) : { others: [] };
    const filled = heap.own || heap.others.length;
    const here = on && open.get(spot);
    return html`
      <${Place} key=${label} place=${place} title=${info.get(spot).title} open=${here} wanted=${here && !mine.wagers[spot]}
        down=${mine?.wagers[spot]} chip=${selected} onPlace=${() => act.place(spot)}
        heap=${html`<${Heap} ...${heap} place=${place} narrow=${stage.narrow} />`}>
        <text class=${`number${filled ? " aside" : ""}${on ? " on" : ""}`} text-anchor="middle"
          x=${filled ? -place.depth / 2 + 8 : 0} y=${filled ? -place.depth / 2 + 32 : stage.narrow ? 11 : 14}>${label}</text>
        ${here && !filled && html`
          <text class="section-note" y=${place.depth / 2 - (stage.narrow ? 4 : 7)} text-anchor="middle">${info.get(spot).title}</text>`}
      <//>`;
  };

  return html`
    <g class=${stage.narrow ? "middle small" : "middle"}>
      ${seats.map((s) => html`<${Locks} key=${s.seat} seat=${s} stage=${stage} layout=${layout} />`)}
      ${boxes.map(box)}
      ${sections.map(section)}
      <${Marker} view=${view} stage=${stage} />
      ${Dice && html`<${Dice} view=${view} stage=${stage} />`}
      <${Cup} view=${view} stage=${stage} />
    </g>`;
}
