// At a table where a seat may have several hands: what its player is told of them, and for how much they insure.

import { Options, Playing as Betting } from "../../table/betting.js";
import { cardName, money } from "../../core/format.js";
import { html } from "../../core/html.js";
import { Manner } from "../../table/manner.js";
import { handsTold } from "../../table/results.js";

const rangeOf = (options) => options.find(({ least, wager }) => least < wager);

const about = (view) => [view.you?.about].filter(Boolean);

/** @param {Wire.View} view @param {Wire.SeatSeen} mine */
function note(view, mine) {
  const head = mine.you && !mine.results.length && handsTold(view, mine);
  return head ? { kind: "note", head, lines: about(view) } : null;
}

// For how much: all that may be, unless the player wants less.

const STEPS = [10000, 2500, 500, 100, 50, 25, 10, 5, 1];

const most = ({ wager }, { balance }) => Math.max(1, Math.min(wager, balance));

class SplitManner extends Manner {
  note = note;
  #amount = null; // for how much the player insures

  // A hand that was lost at once is taken away with its last card, which is told all the same.
  hear(view, events) {
    if (!rangeOf(view.you?.options ?? [])) this.#amount = null;
    const own = (e) => e.kind === "card moved" && e.to === "discard" && e.owner === view.you?.seat;
    return events
      .map((event) => event.kind === "answered" && event.effects.some(own) && event.answer.kind === "card" && event.answer.card)
      .filter(Boolean)
      .map((card) => `Your card: ${cardName(card)}.`);
  }

  aloud(texts, view, mine) {
    const has = handsTold(view, mine);
    return texts.map((text) => (has && text.startsWith("Your decision:") ? `${has} ${text}` : text));
  }

  // What was settled so far; while there is something to decide, after what the player has.
  result(view, mine) {
    const told = super.result(view, mine);
    const head = told && view.you?.options.length && handsTold(view, mine);
    return head ? { kind: "note", head, lines: [...about(view), told.head] } : told;
  }

  insure(cents) {
    this.#amount = cents;
  }

  // What is staked by an option that may be had for less.
  wager(option, you) {
    return Math.min(this.#amount ?? option.wager, most(option, you));
  }

  choice(option, you) {
    return option === rangeOf(you.options) ? { amount: this.wager(option, you) } : {};
  }
}

export const manner = () => new SplitManner();

function Amount({ range, you, value, onChange }) {
  const top = most(range, you);
  const step = STEPS.find((s) => top % s === 0 && top / s >= 10) ?? 1;
  return html`
    <label class="insure">
      <span>or for less</span>
      <input type="range" min=${step} max=${top} step=${step} value=${value} aria-label="Insure for" aria-valuetext=${money(value)}
        onInput=${(event) => onChange(Number(event.currentTarget.value))} />
    </label>`;
}

/** @param {Page.Props} _ */
export function Playing({ view, act, state }) {
  const { you, table } = view;
  const { manner, onChange } = state;
  const range = rangeOf(you.options);
  if (!range || range.refused || !manner) return html`<${Betting} view=${view} act=${act} state=${state} />`;
  const wager = manner.wager(range, you);
  const options = you.options.map((o) => (o === range ? { ...o, wager } : o));
  const insure = (cents) => {
    manner.insure(cents);
    onChange();
  };
  return html`
    <div class="insuring">
      <${Options} options=${options} primary=${table.layout.primary} onChoose=${act.choose} busy=${state.busy} />
      <${Amount} range=${range} you=${you} value=${wager} onChange=${insure} />
    </div>`;
}
