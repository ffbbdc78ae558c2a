// The dice, how they tumble, and how they lie.

import { cupAt } from "./dice-table/cup.js";
import { html, useLayoutEffect, useMemo, useRef } from "../core/html.js";
import { style } from "../core/lazy.js";
import { calm, placed } from "./motion.js";
import { diceAt } from "./dice-table/places.js";

await style("felts/dice.css");

const ROLL = 700;
const PASSING = 5; // faces that are seen before the last one

const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

const Pips = ({ value }) =>
  PIPS[value].map((n) => html`<circle key=${n} cx=${((n % 3) - 1) * 11} cy=${(Math.floor(n / 3) - 1) * 11} r="4.4" />`);

// Drawn 42 wide around its middle.
export const Die = ({ look, value, passing = [] }) => html`
  <g class=${`die ${look}`}>
    <rect class="die-shade" x="-19" y="-15" width="44" height="44" rx="10" />
    <rect class="die-side" x="-21" y="-17" width="42" height="42" rx="9" />
    <rect class="die-top" x="-21" y="-21" width="42" height="41" rx="9" />
    <rect class="die-light" x="-18.5" y="-18.5" width="37" height="36" rx="14" />
    <g class="pips last"><${Pips} value=${value} /></g>
    ${passing.map((face, i) => html`<g key=${i} class="pips passing"><${Pips} value=${face} /></g>`)}
  </g>`;

// A die comes out of the cup, turns over edge after edge, and lies still on the face that was rolled.
function tumble(whole, from, at, i) {
  const duration = ROLL + i * 70;
  const spin = (i % 2 ? -1 : 1) * (300 + 60 * i);
  const over = { x: at.x + (i % 2 ? 46 : -46), y: at.y + 30, turn: spin / 5, scale: at.scale * 1.12 };
  whole.animate(
    [{ transform: placed({ ...from, turn: spin, scale: 0.5 }) }, { transform: placed(over), offset: 0.62 }, { transform: placed(at) }],
    { duration, easing: "cubic-bezier(.25,.6,.35,1)" },
  );
  const die = whole.firstElementChild;
  const edge = Array.from({ length: 2 * PASSING + 3 }, (_, n) => ({ transform: n % 2 ? "scale(1,.62)" : "scale(1,1)" }));
  die.animate(edge, { duration: duration * 0.86, easing: "ease-out" });
  const shows = (element, first, last) => {
    const frames = [[0, first === 0 ? 1 : 0], [first, 1], [last, last < 1 ? 0 : 1], [1, last < 1 ? 0 : 1]];
    const steps = frames.map(([offset, opacity]) => ({ offset, opacity, easing: "steps(1)" }));
    element.animate(steps, { duration: duration * 0.86 });
  };
  const each = 1 / (PASSING + 1);
  die.querySelectorAll(".passing").forEach((face, n) => shows(face, n * each, (n + 1) * each));
  shows(die.querySelector(".last"), PASSING * each, 1);
}

// The dice in a square, touching: one set before the players, the other behind it. A single set lies in a row.
function laid(layout, dice, things, { x, y, size }) {
  let next = 0;
  const [apart, off] = layout.dice.sets.length > 1 ? [size, size / 2] : [size * 1.22, 0];
  return layout.dice.sets.flatMap(({ name, of, look }, set) => {
    const front = (things[name] ?? "front") === "front" ? 1 : -1;
    return Array.from({ length: of }, (_, i) => ({
      look,
      set,
      value: dice[next++],
      at: { x: x + (i - (of - 1) / 2) * apart, y: y + front * off, scale: size / 42 },
    }));
  });
}

export function Dice({ view: { dice, things, table, rolling }, stage }) {
  const group = useRef();
  const shown = useRef();
  const rolledFrom = useRef(null);
  const faces = useMemo(() => Array.from({ length: PASSING * 8 }, () => 1 + Math.floor(Math.random() * 6)), [rolling]);
  const all = dice ? laid(table.layout, dice, things, diceAt(stage)) : [];
  const inCup = things.cup !== undefined && things.cup !== "bankroll";
  const cup = cupAt(stage, table.layout, things.cup);
  useLayoutEffect(() => {
    if (rolling && rolling !== shown.current && group.current && !calm()) {
      for (const die of group.current.children) tumble(die, rolledFrom.current ?? cup, all[die.dataset.die].at, Number(die.dataset.die));
    }
    shown.current = rolling;
    rolledFrom.current = inCup ? cup : null;
  });
  if (!all.length || inCup) return null;
  const labels = table.layout.dice.sets.flatMap(({ name, label }, n) => {
    const set = all.filter((die) => die.set === n);
    const left = Math.min(...set.map(({ at }) => at.x)) - set[0].at.scale * 28;
    return label ? [{ name, label, x: left, y: set[0].at.y }] : [];
  });
  const order = all.map((die, i) => ({ ...die, i })).sort((a, b) => a.at.y - b.at.y);
  return html`
    <g aria-hidden="true">
      ${labels.map(({ name, label, x, y }) => html`<text key=${name} class="dice-label" x=${x} y=${y + 4} text-anchor="end">${label}</text>`)}
    </g>
    <g class="dice" aria-hidden="true" ref=${group}>
      ${order.map(({ look, value, at, i }) => html`
        <g key=${i} data-die=${i} style=${{ transform: placed(at) }}>
          <${Die} look=${look} value=${value} passing=${rolling ? faces.slice(i * PASSING, (i + 1) * PASSING) : []} />
        </g>`)}
    </g>`;
}
