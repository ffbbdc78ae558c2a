// The rounds of this table, newest first; each can be recalled step by step.

import { titles } from "../core/format.js";
import { html, useEffect, useRef, useState } from "../core/html.js";
import { get, useLoaded, Waiting } from "../core/api.js";
import { stepsOf } from "./recall-words.js";
import { SmallCard } from "../felts/small-card.js";
import { SmallDice } from "../felts/small-dice.js";

const A_PAGE = 20;

/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { hour: "2-digit", minute: "2-digit", second: "2-digit" };
const time = (ms) => new Date(ms).toLocaleTimeString([], CLOCK);
const hours = (ms) => new Date(ms).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
const utc = (ms) => `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;

// Local time, and UTC for whoever points at it.
const When = ({ ms, show }) => html`<time dateTime=${new Date(ms).toISOString()} title=${utc(ms)}>${show(ms)}</time>`;

/** @param {{ table: Wire.About, number: number, onBack: () => void }} props */
function Recall({ table, number, onBack }) {
  const { data, error } = useLoaded(`/api/tables/${table.id}/rounds/${number}`);
  const [at, setAt] = useState(0);
  const list = useRef();
  const sets = table.layout.dice?.sets;
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: "nearest" }), [at]);
  if (!data) return html`<${Waiting} error=${error} />`;
  const rows = Object.entries(table.layout.rows ?? {});
  const steps = stepsOf(data, titles(table), rows.filter(([, { light }]) => light).map(([name]) => name), table.layout.boxes);
  const go = (to) => setAt(Math.max(0, Math.min(steps.length - 1, to)));
  const shown = steps.slice(0, at + 1);
  const cards = shown.filter((s) => s.card);
  const roll = shown.findLast((s) => s.dice)?.dice;
  return html`
    <div class="recall">
      <p class="recall-head">
        <button type="button" class="back" onClick=${onBack}>All rounds</button><span class="badge warn">recall</span>
      </p>
      <h2>Round ${number}</h2>
      ${sets
        ? html`<div class="recall-cards" aria-label="The last roll" role="group">${roll && html`<${SmallDice} dice=${roll} sets=${sets} />`}</div>`
        : html`
          <div class="recall-cards" aria-label="Cards turned so far" role="group">
            ${cards.map((s, i) => html`<${SmallCard} key=${i} card=${s.card} />`)}
          </div>`}
      <div class="steps" role="group" aria-label="Steps">
        <button type="button" onClick=${() => go(0)} disabled=${at === 0}>First</button>
        <button type="button" onClick=${() => go(at - 1)} disabled=${at === 0}>Back</button>
        <span>${at + 1} of ${steps.length}</span>
        <button type="button" onClick=${() => go(at + 1)} disabled=${at === steps.length - 1}>Next</button>
        <button type="button" onClick=${() => go(steps.length - 1)} disabled=${at === steps.length - 1}>Last</button>
      </div>
      <p class="unseen" role="status">${steps[at]?.text}</p>
      <ol class="record" ref=${list}>
        ${steps.map((step, i) => html`
          <li key=${i} class=${`${step.kind ?? "step"}${i === at ? " now" : i > at ? " later" : ""}`}
            aria-current=${i === at ? "step" : undefined}>
            <button type="button" onClick=${() => go(i)}><${When} ms=${step.time} show=${time} /><span>${step.text}</span></button>
          </li>`)}
      </ol>
    </div>`;
}

/** @param {{ view: Wire.View }} props */
export function History({ view }) {
  const { table } = view;
  const [rounds, setRounds] = useState(null);
  const [error, setError] = useState(null);
  const [more, setMore] = useState(true);
  const [chosen, setChosen] = useState(null);
  const path = `/api/tables/${table.id}/rounds`;
  const fetchRounds = async (before) => {
    try {
      const found = await get(before ? `${path}?before=${before}` : path, setError);
      setRounds((had) => [...(before ? had : []), ...found]);
      setMore(found.length >= A_PAGE);
    } catch (problem) {
      setError(problem.message);
    }
  };
  useEffect(() => void fetchRounds(), [view.round]);
  if (chosen !== null) return html`<${Recall} table=${table} number=${chosen} onBack=${() => setChosen(null)} />`;
  if (!rounds) return html`<${Waiting} error=${error} />`;
  const finished = rounds.filter((r) => r.round !== view.round);
  if (!finished.length) return html`<p class="about">No round is finished yet.</p>`;
  return html`
    <ul class="rounds">
      ${finished.map(({ round, time: ms }) => html`
        <li key=${round}>
          <button type="button" onClick=${() => setChosen(round)}><strong>Round ${round}</strong><${When} ms=${ms} show=${hours} /></button>
        </li>`)}
    </ul>
    ${more && html`
      <button type="button" class="small" onClick=${() => fetchRounds(rounds.at(-1).round)}>Earlier rounds</button>`}`;
}
