// At a table where a seat may have several hands: what its player is told of them, and for how much they insure.

import { Options, Playing as Betting } from "../../table/betting.js";
import { cardName, money } from "../../core/format.js";
import { html } from "../../core/html.js";
import { handsOf, open, said, withArticle } from "./points.js";
import { firstHand } from "./hands.js";
import { noticeBy } from "../../table/grouped-results.js";
import { Manner } from "../../table/manner.js";

const OVER = "Over 21";

// What is told.

const listed = (texts) => (texts.length > 1 ? `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}` : texts[0]);
const inSentence = (text) => (/\d/.test(text) && !/^s/.test(text) ? text : `a ${text.toLowerCase()}`);

// What the player has, or the hand that is to be played: "Hand 2 of 3: 16 against a ten."
/** @param {Wire.View} view @param {Wire.SeatSeen} mine */
function handsNow(view, mine) {
  const hands = handsOf(mine, view.table.layout.hands);
  const several = hands.length > 1;
  const lying = hands.filter(({ cards }) => open(cards).length > 1);
  const [up] = open(view.dealer);
  if (view.round === null || !lying.length || !up) return null;
  const text = (hand) => inSentence(said(open(hand.cards), { first: !several }));
  const against = `against ${withArticle(up)}`;
  const now = several && view.you?.options.length > 0 && lying.find(({ number }) => number === Number(view.told.hand));
  if (now) return `Hand ${now.number} of ${hands.length}: ${text(now)} ${against}.`;
  return `You have ${listed(lying.map(text))} ${against}.`;
}

const rangeOf = (options) => options.find(({ least, wager }) => least < wager);

const about = (view) => (rangeOf(view.you?.options ?? []) ? ["Insurance wins if the dealer has a blackjack"] : []);

/** @param {Wire.View} view @param {Wire.SeatSeen} mine */
function note(view, mine) {
  const head = mine.you && !mine.results.length && handsNow(view, mine);
  return head ? { kind: "note", head, lines: about(view) } : null;
}

/** @param {Wire.View} view @param {Wire.SeatSeen} mine */
function named(view, mine) {
  const { table } = view;
  const [first] = table.layout.hands;
  if (handsOf(mine, table.layout.hands).length === 1) return view;
  return { ...view, table: { ...table, spots: table.spots.map((s) => (s.spot === first ? firstHand(s) : s)) } };
}

const withCard = (r, over) => (r.line === OVER && over.has(r.spot) ? { ...r, line: `${OVER} with the ${over.get(r.spot)}` } : r);

// For how much: all that may be, unless the player wants less.

const STEPS = [10000, 2500, 500, 100, 50, 25, 10, 5, 1];

const most = ({ wager }, { balance }) => Math.max(1, Math.min(wager, balance));

class SplitManner extends Manner {
  note = note;
  #amount = null; // for how much the player insures
  over = new Map(); // the card with which each hand of the player went over 21: it is taken away as soon as it is seen

  hear(view, events) {
    const texts = [];
    if (view.phase === "betting") this.over.clear();
    if (!rangeOf(view.you?.options ?? [])) this.#amount = null;
    for (const event of events) {
      if (event.kind !== "answered" || event.answer.kind !== "card") continue;
      const { answer, effects } = event;
      const lost = effects.find((e) => e.kind === "settled" && e.line === OVER && e.seat === view.you?.seat);
      if (lost?.kind !== "settled") continue;
      this.over.set(lost.spot, cardName(answer.card));
      texts.push(`Your card: ${cardName(answer.card)}.`);
    }
    return texts;
  }

  aloud(texts, view, mine) {
    const has = handsNow(view, mine);
    return texts.map((text) => (has && text.startsWith("Your decision:") ? `${has} ${text}` : text));
  }

  // What was settled so far; while there is something to decide, after what the player has.
  result(view, seat) {
    const mine = seat && { ...seat, results: seat.results.map((r) => withCard(r, this.over)) };
    const own = mine && super.result(named(view, mine), mine);
    if (!own) return null;
    const told = noticeBy(named(view, mine), mine, own);
    const head = view.you?.options.length && handsNow(view, mine);
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
  if (!range || !manner) return html`<${Betting} view=${view} act=${act} state=${state} />`;
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
