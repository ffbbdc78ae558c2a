// At a table where a seat may have several hands: what its player is told of them, and for how much they insure.

import { Options, Playing as Betting } from "../../table/betting.js";
import { cardName, money } from "../../core/format.js";
import { html } from "../../core/html.js";
import { handsTold, resultOf } from "../../table/results.js";
import "./hand-places.js";

const rangeOf = (options) => options.find(({ least, wager }) => least < wager);

const about = (view) => [view.you?.about].filter(Boolean);

/** @param {Wire.View} view @param {Wire.SeatSeen} mine */
function note(view, mine) {
  const head = mine.you && !mine.results.length && handsTold(view, mine);
  return head ? { kind: "note", head, lines: about(view) } : null;
}

// A hand that was lost at once is taken away with its last card, which is told all the same.
/** @param {Wire.View} view @param {Wire.NumberedEvent[]} events */
function follow(view, events, say) {
  for (const event of events) {
    if (event.kind !== "answered" || event.answer.kind !== "card") continue;
    const own = (e) => e.kind === "card moved" && e.to === "discard" && e.owner === view.you?.seat;
    if (event.effects.some(own)) say([`Your card: ${cardName(event.answer.card)}.`]);
  }
}

// What was settled so far; while there is something to decide, after what the player has.
/** @param {Wire.View} view @param {Wire.SeatSeen} mine */
function result(view, mine) {
  const told = resultOf(view, mine);
  const head = told && view.you?.options.length && handsTold(view, mine);
  return head ? { kind: "note", head, lines: [...about(view), told.head] } : told;
}

// For how much: all that may be, unless the player wants less.

const STEPS = [10000, 2500, 500, 100, 50, 25, 10, 5, 1];
let amount = null;

const most = ({ wager }, { balance }) => Math.max(1, Math.min(wager, balance));

function Amount({ range, you, onChange }) {
  const top = most(range, you);
  const step = STEPS.find((s) => top % s === 0 && top / s >= 10) ?? 1;
  const value = Math.min(amount ?? top, top);
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
  const range = rangeOf(you.options);
  if (!range) {
    amount = null;
    return html`<${Betting} view=${view} act=${act} state=${state} />`;
  }
  const wager = Math.min(amount ?? range.wager, most(range, you));
  const options = you.options.map((o) => (o === range ? { ...o, wager } : o));
  return html`
    <div class="insuring">
      <${Options} options=${options} primary=${table.layout.primary} onChoose=${act.choose} busy=${state.busy} />
      <${Amount} range=${range} you=${you} onChange=${act.insure} />
    </div>`;
}

// `seat` is all that happens at the page.
export function attach(seat) {
  const say = seat.say.bind(seat);
  const receive = seat.receive.bind(seat);
  seat.receive = (view, events) => {
    follow(view, events, say);
    receive(view, events);
  };
  seat.note = note;
  seat.result = (view) => result(view, seat.own(view));
  seat.say = (texts) => {
    const mine = seat.own(seat.frame.view);
    const has = mine && handsTold(seat.frame.view, mine);
    say(texts.map((text) => (has && text.startsWith("Your decision:") ? `${has} ${text}` : text)));
  };
  Object.assign(seat.act, {
    insure: (cents) => {
      amount = cents;
      seat.onChange();
    },
    choose: (name) => {
      const { you } = seat.view;
      const option = you?.options.find((o) => o.name === name);
      if (!option) return;
      const wants = option === rangeOf(you.options) ? { amount: Math.min(amount ?? option.wager, most(option, you)) } : {};
      seat.once({ kind: "choose", option: name, ...wants });
    },
  });
  seat.onChange();
}
