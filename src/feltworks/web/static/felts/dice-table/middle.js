// The middle of a dice table, which all seats share. Your chips lie there large, with their amount; those of others small,
// with their seat's number; what was won lies beside the wager until it is collected.

import { colourOf, largest, Stack, Total } from "../chips.js";
import { Cup, Marker } from "./cup.js";
import { money } from "../../core/format.js";
import { spotAt } from "../geometry.js";
import { html, useMemo } from "../../core/html.js";
import { module, style, useLater } from "../../core/lazy.js";
import { Tag } from "../seat.js";
import { boxesOf, sectionFor, sectionsOf, sides } from "./places.js";

export { chipsAt } from "./places.js";

await style("felts/dice-table/middle.css");

const OWN_TOP = 507; // of your own spots on a narrow screen, from the centre of the table

export const Small = ({ seat, amount, won, r }) => html`
  <g class=${`other chip ${colourOf(largest(amount))}${won ? " winner" : ""}`}>
    <title>Seat ${seat}: ${money(amount)}${won ? `, ${money(won)} to collect` : ""}</title>
    <circle r=${r} />
    <text y=${r * 0.42} font-size=${r * 1.3} text-anchor="middle">${seat}</text>
  </g>`;

// A point of a place, where chips lie upright however it is turned.
const beside = ({ at: { turn } }, x, y) => {
  const a = (turn * Math.PI) / 180;
  return `translate(${(x * Math.cos(a) - y * Math.sin(a)).toFixed(1)} ${(x * Math.sin(a) + y * Math.cos(a)).toFixed(1)})`;
};

const Chips = ({ amount, narrow }) => html`
  <g transform=${`scale(${narrow ? 0.54 : 0.62})`}><${Stack} amount=${amount} /></g>
  <g transform=${`scale(${narrow ? 0.74 : 0.86})`}><${Total} amount=${amount} y=${narrow ? 16 : 18} /></g>`;

// What lies in one place; the result of a wager is written over it.
export function Heap({ place, own, others, narrow, onCollect }) {
  const won = own?.won ?? 0;
  const shift = won && own.amount ? (narrow ? 18 : 24) : 0;
  const [low, r] = [place.depth / 2, narrow ? 7 : 9];
  const middle = low - (narrow ? 32 : 39) - (others.length ? (narrow ? 7 : 11) : 0);
  const step = Math.min(2 * r + 2, (place.width - 2 * r - 6) / Math.max(1, others.length - 1));
  const result = !won && (!own?.amount || own.result?.stake === "stays") && own?.result;
  const collect = (event) => {
    event.stopPropagation();
    onCollect();
  };
  return html`
    ${own?.amount > 0 && html`<g transform=${beside(place, -shift, middle)}><${Chips} amount=${own.amount} narrow=${narrow} /></g>`}
    ${won > 0 && html`
      <g class="won-here" transform=${beside(place, shift, middle)} onClick=${onCollect && collect}>
        <circle class="won-ring" r=${narrow ? 16.5 : 19} />
        <${Chips} amount=${won} narrow=${narrow} />
      </g>`}
    ${result && html`
      <g transform=${beside(place, 0, middle + (own.amount ? 14 : 2))}><${Tag} result=${result} scale=${narrow ? 0.8 : 0.9} /></g>`}
    ${others.map(({ seat, amount, won: theirs }, i) => html`
      <g key=${seat} transform=${beside(place, (i - (others.length - 1) / 2) * step, low - r - 3)}>
        <${Small} seat=${seat} amount=${amount + theirs} won=${theirs} r=${r} />
      </g>`)}`;
}

// A section or a box. Of two that are one wager only the first is read aloud.
export function Place({ place, title, children, open, twin, wanted, down, chip, onPlace, heap }) {
  const { at, path } = place;
  const button = open && {
    "data-spot": open.spot,
    onClick: onPlace,
    ...(twin
      ? { "aria-hidden": "true" }
      : {
          role: "button",
          tabindex: 0,
          "aria-label": `${title}, ${down ? `${money(down)} down` : "empty"}, ${money(open.least)} to ${money(open.most)}. ` +
            `Place a chip of ${money(chip)}.`,
        }),
  };
  return html`
    <g class=${`spot place-shared${open ? " open" : ""}${wanted ? " wanted" : ""}`} transform=${`translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`}
      ...${button || { "aria-hidden": "true" }}>
      <g transform=${`rotate(${at.turn.toFixed(2)})`}>
        <path class="outline" d=${path} />
        <path class="halo" d=${path} />
        ${children}
      </g>
      ${heap}
    </g>`;
}

const LOCK = "M22-35V-39A5 5 0 0 1 32-39V-35H34V-24H20V-35ZM24.5-35H29.5V-39A2.5 2.5 0 0 0 24.5-39Z";

// A contract bet on a seat's own spot is locked.
const Locks = ({ seat, stage, layout }) =>
  seat.contract.map((spot) => {
    const at = seat.wagers[spot] && spotAt(stage, layout, seat.seat, spot);
    return at && html`<path key=${spot} class="lock" d=${LOCK} transform=${`translate(${at.x} ${at.y}) scale(${at.scale})`} />`;
  });

export function heapOf(seats, spot, lies) {
  const all = seats.map((s) => ({
    seat: s.seat,
    you: s.you,
    amount: s.wagers[spot] ?? 0,
    won: s.winnings[spot] ?? 0,
    result: s.results.find((r) => r.spot === spot),
  }));
  const here = all.filter((h) => (h.amount || h.won || (h.you && h.result)) && lies(h.seat));
  return { own: here.find((h) => h.you), others: here.filter((h) => !h.you && (h.amount || h.won)) };
}

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
