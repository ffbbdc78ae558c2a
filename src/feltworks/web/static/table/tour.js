// Three minutes for a newcomer: one round on the real table, step by step, beside it and never before it.

import { html, useEffect, useRef, useState } from "../core/html.js";
import { get } from "../core/api.js";
import { style } from "../core/lazy.js";
import { spotsInWords } from "../core/wanted.js";
import { choose } from "../core/settings.js";

await style("table/tour.css");

/** @typedef {{ text: string, at?: string, done?: (view: Page.View, first: string) => unknown }} Step */
// What a step asks for is done by what is seen now, and by the phase that it began in. Such a step goes on when it is done,
// or is skipped; the others are for reading.

/** @param {Page.View} view */
const mine = (view) => view.seats.find((s) => s.you);
/** @param {string} phase */
const playing = (phase) => phase === "dealing" || phase === "deciding";
// Whether cards or dice decide about a wager of yours, or have just done so.
/** @param {Page.View} view */
const inRound = (view) => view.phase !== "betting" && (mine(view)?.results.length || Object.keys(mine(view)?.wagers ?? {}).length);

/** @param {Wire.About} table @param {Wire.GameTold} game @returns {Array<Step>} */
function stepsOf(table, game) {
  const required = table.spots.find((s) => s.required);
  const ways = required ? [required] : table.spots.filter((s) => s.comes_in);
  const title = spotsInWords(ways);
  const deal = table.layout.ready ?? "Deal";
  const { goal, spots, decide, result } = game.tour ?? {
    goal: game.summary,
    spots: required ? `${title} is the wager of every round. The others may stay empty.` : `You are in the round with a chip on ${title}.`,
    decide: "When you are asked, the buttons below the felt say what you can do.",
    result: "",
  };
  return [
    { text: goal },
    { text: "Take a seat: the gold button, or any free place at the table.", at: "primary", done: (view) => view.you?.seat != null },
    { text: spots, at: "spots" },
    {
      text: `Choose a chip below the felt and press ${title}, ${ways.length > 1 ? "where you see a gold ring" : "the spot with the gold ring"}. Undo takes the chip back.`,
      at: "chips",
      done: (view) => view.you?.can_ready || inRound(view),
    },
    { text: `Press ${deal}. Nothing can be lost here but play money.`, at: "primary", done: inRound },
    { text: decide, at: "options", done: (view, first) => view.phase === "over" || (playing(first) && !playing(view.phase)) },
    { text: `${result} The line below the felt says what each wager brought, and why.`, at: "notice" },
    {
      text: "Pay tables, the rules, the rounds before, and how to check that nobody has changed a card are above the felt. This tour is in Rules. Enjoy the table.",
      at: "parts",
    },
  ];
}

const Offer = ({ onStart, onEnd }) => html`
  <section class="tour offer" aria-label="New here?">
    <p>New here?</p>
    <div class="tour-buttons">
      <button type="button" class="small" onClick=${onEnd}>No, thanks</button>
      <button type="button" class="small lit" onClick=${onStart}>Show me how, three minutes</button>
    </div>
  </section>`;

/** @param {{ view: Page.View, game: Wire.GameTold, onEnd: () => void }} props */
function Steps({ view, game, onEnd }) {
  const steps = stepsOf(view.table, game);
  const [at, setAt] = useState(0);
  const next = useRef(/** @type {HTMLButtonElement} */ (/** @type {unknown} */ (null)));
  const step = steps[at];
  const began = useRef({ at: -1, phase: "" });
  if (began.current.at !== at) began.current = { at, phase: view.phase };
  const done = Boolean(step.done?.(view, began.current.phase));
  useEffect(() => next.current?.focus(), []);
  // What the step asks for was done, or it was so already.
  useEffect(() => {
    if (done) setAt(at + 1);
  }, [done, at]);
  useEffect(() => {
    document.documentElement.dataset.tour = step.at ?? "";
    return () => delete document.documentElement.dataset.tour;
  }, [step.at]);
  const last = at === steps.length - 1;
  return html`
    <section class="tour" aria-label="The tour" onKeyDown=${(event) => event.key === "Escape" && onEnd()}>
      <p role="status"><span class="unseen">Step ${at + 1} of ${steps.length}. </span>${step.text}</p>
      <div class="tour-buttons">
        <span class="about" aria-hidden="true">${at + 1} of ${steps.length}</span>
        ${!last && html`<button type="button" class="small" onClick=${onEnd}>End</button>`}
        ${step.done
          ? html`<button type="button" class="small" key="skip" onClick=${() => setAt(at + 1)}>Skip this step</button>`
          : html`<button type="button" class="small lit" key="next" ref=${next} onClick=${() => (last ? onEnd() : setAt(at + 1))}>${last ? "Done" : "Next"}</button>`}
      </div>
    </section>`;
}

/** @param {{ view: Page.View, started: boolean, onStart: () => void, onEnd: () => void }} props */
export function Tour({ view, started, onStart, onEnd }) {
  const [game, setGame] = useState(/** @type {Wire.GameTold | null} */ (null));
  const { table } = view;
  useEffect(() => {
    if (started) get(`/api/games/${table.game}?version=${table.game_version}`).then(setGame, onEnd);
  }, [started]);
  const end = () => {
    choose("toured", true);
    onEnd();
  };
  // Whoever has played a round needs no invitation any more.
  const played = Boolean(mine(view)?.results.length);
  useEffect(() => {
    if (played && !started) end();
  }, [played]);
  if (!started) return html`<${Offer} onStart=${onStart} onEnd=${end} />`;
  return game && html`<${Steps} view=${view} game=${game} onEnd=${end} />`;
}
