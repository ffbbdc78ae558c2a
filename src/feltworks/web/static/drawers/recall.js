// A round step by step, from its end: what was turned, what was settled, and every step in words. By keys: the arrows go from
// step to step, Home and End to the first and the last.

import { capital, money, net, resultSentence, signed, sum, titles } from "../core/format.js";
import { html, useEffect, useRef, useState } from "../core/html.js";
import { SmallCard } from "../felts/small-card.js";
import { SmallDice } from "../felts/small-dice.js";
import { SmallPocket } from "../felts/pocket.js";
import { settledIn, stepsOf } from "./recall-words.js";

/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit" };
const time = (ms) => new Date(ms).toLocaleTimeString([], CLOCK);
const utc = (ms) => `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;

// Local time, and UTC for whoever points at it.
export const When = ({ ms, show }) => html`<time dateTime=${new Date(ms).toISOString()} title=${utc(ms)}>${show(ms)}</time>`;

// What the spots of a seat are called, or of any.
/** @param {Wire.Recalled} round @param {Wire.About} table @returns {(seat?: number) => Record<string, string>} */
function titlesBySeat(round, table) {
  const settled = settledIn(round);
  return (seat) => titles(table, settled.filter((r) => r.seat === seat).map((r) => r.spot));
}

// The steps of a round in the words of its table.
/** @param {Wire.Recalled} round @param {Wire.About} table */
export function toldSteps(round, table) {
  const rows = Object.entries(table.layout.rows ?? {});
  return stepsOf(round, titlesBySeat(round, table), rows.filter(([, { light }]) => light).map(([name]) => name), table.layout.boxes);
}

function whose(owner, ownSeats, isShared = false) {
  if (owner === null) return isShared ? "Board" : "Dealer";
  return ownSeats.includes(owner) ? "You" : `Seat ${owner}`;
}

// The cards that were turned up to a step, by whose they are; one that was first turned to a seat and then to all is one.
function Cards({ steps, table, ownSeats }) {
  const groups = new Map();
  const away = new Map(steps.filter((s) => s.away).map((s) => [s.away.join(), s.by]));
  for (const { card, token } of steps) {
    if (!card) continue;
    const [seat = null, name = ""] = token ?? [];
    const owner = whose(seat, ownSeats, Boolean(table.layout.rows) && !name.startsWith("dealer"));
    if (!groups.has(owner)) groups.set(owner, new Map());
    groups.get(owner).set(`${name} ${card}`, { card, away: away.get(token?.join()) });
  }
  return [...groups].map(([owner, cards]) => html`
    <div key=${owner} class="recall-hand">
      <span class="about">${owner}</span>
      <span>${[...cards].map(([key, one]) => html`<${SmallCard} key=${key} ...${one} />`)}</span>
    </div>`);
}

// What was settled up to a step, by seat; your own first.
function Results({ steps, table, ownSeats }) {
  const results = steps.map((s) => s.result).filter(Boolean);
  const seats = [...new Set(results.map((r) => r.seat))].sort((a, b) => Number(ownSeats.includes(b)) - Number(ownSeats.includes(a)) || a - b);
  if (!seats.length) return null;
  return html`
    <section class="recall-results" aria-label="Results">
      ${seats.map((seat) => {
        const own = results.filter((r) => r.seat === seat);
        const title = titles(table, own.map((r) => r.spot));
        const total = sum(own.map(net));
        return html`
          <div key=${seat} class=${ownSeats.includes(seat) ? "mine" : undefined}>
            <p><strong>${whose(seat, ownSeats)}</strong><strong class=${total > 0 ? "won" : undefined}>${signed(total) || money(0)}</strong></p>
            <ul>${own.map((r, i) => html`<li key=${i}>${capital(resultSentence(r, title[r.spot] ?? r.spot))}</li>`)}</ul>
          </div>`;
      })}
    </section>`;
}

const KEYS = { ArrowLeft: (at) => at - 1, ArrowRight: (at) => at + 1, Home: () => 0, End: () => Infinity };

// `ownSeats` are those of whoever looks at it; `first` is the event that is shown at first, the last one unless told
// otherwise; `onStep` is told which step is shown.
/** @param {{ table: Wire.About, round: Wire.Recalled, ownSeats?: number[], first?: number, onStep?: (step: any) => void }} props */
export function Recall({ table, round, ownSeats = [], first = Infinity, onStep }) {
  const steps = toldSteps(round, table);
  const [chosen, setAt] = useState(() => Math.max(0, steps.findLastIndex((step) => step.sequence <= first)));
  const [numbers, setNumbers] = useState(false);
  const at = Math.min(chosen, steps.length - 1);
  const list = useRef();
  const bar = useRef();
  useEffect(() => bar.current.focus({ preventScroll: true }), []);
  useEffect(() => {
    const row = list.current?.children[at];
    if (row) list.current.scrollTop = row.offsetTop - list.current.offsetTop - list.current.clientHeight / 2;
    onStep?.(steps[at]);
  }, [at, round]);
  const go = (to) => setAt(Math.max(0, Math.min(steps.length - 1, to)));
  const onKey = (event) => {
    const to = KEYS[event.key];
    if (!to || event.target.matches("input")) return;
    event.preventDefault();
    go(to(at));
  };
  const shown = steps.slice(0, at + 1).filter(({ until = Infinity }) => until > steps[at].sequence);
  const sets = table.layout.dice?.sets;
  const roll = shown.findLast((s) => s.dice)?.dice;
  const pocket = shown.findLast((s) => s.pocket)?.pocket;
  const button = (text, to, off) => html`
    <button type="button" aria-disabled=${off ? "true" : undefined} onClick=${() => go(to)}>${text}</button>`;
  return html`
    <div class="recall-steps" onKeyDown=${onKey}>
      ${sets
        ? html`<div class="recall-cards" aria-label="The last roll" role="group">${roll && html`<${SmallDice} dice=${roll} sets=${sets} />`}</div>`
        : table.layout.wheels
        ? html`<div class="recall-cards" aria-label="The last spin" role="group">${pocket && html`<${SmallPocket} table=${table} pocket=${pocket} />`}</div>`
        : html`<div class="recall-cards" aria-label="Cards turned so far" role="group"><${Cards} steps=${shown} table=${table} ownSeats=${ownSeats} /></div>`}
      <div class="steps" role="group" aria-label="Steps" tabindex="-1" ref=${bar}>
        ${button("First", 0, at === 0)}
        ${button("Back", at - 1, at === 0)}
        <span>${at + 1} of ${steps.length}</span>
        ${button("Next", at + 1, at === steps.length - 1)}
        ${button("Last", steps.length - 1, at === steps.length - 1)}
      </div>
      <p class="unseen" role="status">${steps[at]?.text}</p>
      <${Results} steps=${shown} table=${table} ownSeats=${ownSeats} />
      <ol class="record" ref=${list}>
        ${steps.map((step, i) => html`
          <li key=${i} class=${`${step.kind ?? "step"}${i === at ? " now" : i > at ? " later" : ""}`}
            aria-current=${i === at ? "step" : undefined}>
            <button type="button" onClick=${() => go(i)}><${When} ms=${step.time} show=${time} /><span>${step.text}${numbers && step.rule && html` <span class="rule-number">${step.rule}</span>`}</span></button>
          </li>`)}
      </ol>
      ${steps.some((s) => s.rule) && html`
        <label class="rule-numbers about"><input type="checkbox" checked=${numbers} onChange=${() => setNumbers(!numbers)} />With the numbers of the rules</label>`}
    </div>`;
}
