// From one view to the next: the frames that `plan` makes of them are shown one after the other, and left out when
// somebody acts.
// @ts-check

import { module } from "../core/lazy.js";
import { calm } from "../felts/motion.js";

const HURRY = 4500; // a longer queue is shown faster

// What is said aloud of events that are not shown one by one.
const callsOf = (events) => events.flatMap((e) => e.effects ?? []).filter((e) => e.kind === "called").map((e) => e.text);

// Between two rounds the cards lie as they lay, for everybody to look at.
/** @param {Page.View} before @param {Page.View} view */
function stillLying(before, view) {
  if (view.round !== null || before === null) return view;
  const cards = new Map(before.seats.map((s) => [s.seat, s.cards]));
  const seats = view.seats.map((s) => (s.cards.length ? s : { ...s, cards: cards.get(s.seat) ?? [] }));
  const lying = before.round ?? before.lying;
  const [dealer, hands] = view.dealer.length ? [view.dealer, view.hands] : [before.dealer, before.hands];
  return { ...view, lying, dealer, hands, seats };
}

export class Director {
  #show;
  #queue = [];
  #timer = 0;
  #plan = null;
  /** @type {Page.View} */
  latest = null;
  quick = false; // what comes is shown at once, as when a stack is taken apart and put together again

  /** @param {(frame: Page.Frame) => void} show */
  constructor(show) {
    this.#show = show;
  }

  push(received, events) {
    const before = this.latest;
    const view = stillLying(before, received);
    this.latest = view;
    if (before !== null || view.round !== null) this.#learn();
    if (before === null || this.quick || calm() || !this.#plan) {
      this.skip(callsOf(events));
      return;
    }
    this.#queue.push(...this.#plan(before, view, events));
    if (!this.#timer) this.#next();
  }

  // How things move is fetched when something is about to.
  async #learn() {
    if (this.#plan || calm()) return;
    const found = await module(this.latest.table.layout.parts.movements).catch(() => null);
    this.#plan = found?.plan;
  }

  // Straight to how things are, if they are still on their way there.
  hurry() {
    if (this.#queue.length) this.skip();
  }

  skip(calls = []) {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const left = this.#queue.splice(0).flatMap((frame) => frame.calls);
    if (this.latest) this.#show({ view: this.latest, flights: [], calls: [...left, ...calls], skipped: true });
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
