// From one view to the next: the frames that `plan` makes of them are shown one after the other, and left out when
// somebody acts.

import { module } from "../core/lazy.js";
import { calm } from "../felts/motion.js";

const HURRY = 4500; // a longer queue is shown faster

// What is said aloud of events that are not shown one by one.
const callsOf = (events) => events.flatMap((e) => e.effects ?? []).filter((e) => e.kind === "called").map((e) => e.text);

// What a seat decided, as it is written beside its name: "raises", "2x".
const VERB = /^(?!insurance)[a-z]+$/;
const didWords = (option) => (VERB.test(option) ? `${option}${option.endsWith("s") ? "es" : "s"}` : option);

// Whether you may still look at the cards of the round before: until the next one begins, and where you sit, until you bet.
/** @param {Page.View} view */
function mayLook({ round, phase, seats }) {
  const mine = seats.find((s) => s.you);
  return round === null || (phase === "betting" && mine && !mine.ready && !Object.keys(mine.wagers).length);
}

// When a round is over, its cards lie as they lay then, for everybody to look at.
/** @param {Page.View} before @param {Page.View} view */
function stillLying(before, view) {
  const lay = before?.phase === "over" || before?.round === null || before?.lying != null;
  if (!lay || !mayLook(view)) return view;
  const cards = new Map(before.seats.map((s) => [s.seat, s.cards]));
  const seats = view.seats.map((s) => (s.cards.length ? s : { ...s, cards: cards.get(s.seat) ?? [] }));
  const lying = before.lying ?? before.round;
  const [dealer, hands] = view.dealer.length ? [view.dealer, view.hands] : [before.dealer, before.hands];
  return { ...view, lying, dealer, hands, seats };
}

export class Director {
  #show;
  #queue = [];
  #timer = 0;
  #plan = null;
  #did = new Map();
  /** @type {Page.View} */
  latest = null;
  quick = false; // what comes is shown at once, as when a stack is taken apart and put together again

  /** @param {(frame: Page.Frame) => void} show */
  constructor(show) {
    this.#show = show;
  }

  // The first view of a connection tells nothing of what happened before it: nothing of that is shown.
  push(received, events, first = false) {
    const before = first ? null : this.latest;
    if (first) this.#did.clear();
    const view = stillLying(before, this.#withDecisions(received, events));
    this.latest = view;
    if (before !== null || view.round !== null) this.#learn();
    if (before === null || this.quick || calm() || !this.#plan) {
      this.skip(callsOf(events));
      return;
    }
    this.#queue.push(...this.#plan(before, view, events).map((frame) => ({ ...frame, end: view })));
    if (!this.#timer) this.#next();
  }

  // What each seat decided last stays beside its name until it decides again or the next betting opens.
  #withDecisions(view, events) {
    for (const { answer } of events) if (answer?.kind === "decide") this.#did.set(answer.who, didWords(answer.option));
    if (view.phase === "betting" || events.some((event) => event.kind === "taken back")) this.#did.clear();
    const did = (s) => (s.name && s.present && !s.leaving ? this.#did.get(s.seat) : undefined);
    return { ...view, seats: view.seats.map((s) => ({ ...s, did: did(s) })) };
  }

  // How things move is fetched when something is about to.
  async #learn() {
    if (this.#plan || calm()) return;
    const found = await module(this.latest.table.layout.parts.movements).catch(() => null);
    this.#plan = found?.plan;
  }

  // Whether the latest view is still to be seen.
  get moving() {
    return this.#queue.length > 0;
  }

  // Straight to how things are, if they are still on their way there.
  hurry() {
    if (this.moving) this.skip();
  }

  // How the round ended is shown all the same, though what comes after it is there already.
  skip(calls = []) {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const queue = this.#queue.splice(0);
    const left = queue.flatMap((frame) => frame.calls);
    const view = this.latest;
    const over = view?.phase !== "over" && queue.find((frame) => frame.view.phase === "over");
    if (over) this.#show({ ...over, flights: [], calls: [], skipped: true });
    if (view) this.#show({ view, end: view, flights: [], calls: [...left, ...calls], skipped: true });
  }

  #next = () => {
    this.#timer = 0;
    const frame = this.#queue.shift();
    if (!frame) return;
    this.#show(frame);
    const ahead = this.#queue.reduce((ms, f) => ms + f.ms, frame.ms);
    this.#timer = setTimeout(this.#next, ahead > HURRY ? frame.ms / 2 : frame.ms);
  };
}
