// The frames between two views of a dice table: the cup goes to who rolls, the dice tumble, and what the arc has won stays
// beside its wager.

import { CHIPS, DICE, MOVE } from "../motion.js";
import { Plan, without } from "../movements.js";

class Rolling extends Plan {
  working = "The dice are out.";

  constructor(before, after, events) {
    super(before, after, events);
    const { dice, things, told, shoe } = before;
    const seats = this.now.seats.map((s, i) => {
      const { contract, winnings } = before.seats[i];
      return { ...s, contract, winnings };
    });
    this.now = { ...this.now, dice, things, told, shoe, seats };
  }

  answer(answer) {
    const { kind, seat, spot } = answer;
    if (kind === "collect") this.collect(seat, spot);
    else if (kind === "dice") this.roll();
    else if (kind === "close") this.close();
    else super.answer(answer);
  }

  collect(seat, spot) {
    const amount = this.seat(seat)?.winnings[spot];
    if (!amount) return;
    this.change(seat, (s) => ({ winnings: without(s.winnings, spot) }));
    this.frame(CHIPS - 50, [{ from: { seat, spot, beside: true }, to: { home: seat }, amount }]);
  }

  // With the close of the betting nothing of the roll before is shown any more, and contract bets are fixed.
  close() {
    const contract = (s) => this.after.seats.find((a) => a.seat === s.seat).contract;
    this.now = { ...this.now, seats: this.now.seats.map((s) => ({ ...s, contract: contract(s), results: [], net: null })) };
  }

  roll() {
    const { dice, shoe } = this.after;
    this.now = { ...this.now, dice, shoe, rolling: {} };
    this.rolled = true;
    this.before = this.calls.length;
  }

  event(event) {
    super.event(event);
    this.seen();
  }

  // Once it is called, and the cup and the dice are put where they go, the roll is seen before anything comes of it.
  effect(effect) {
    const { sets } = this.after.table.layout.dice;
    const aside = effect.kind === "moved" && ["cup", ...(sets ?? []).map(({ name }) => name)].includes(effect.what);
    const called = effect.kind === "called";
    if (!aside && !called) this.seen();
    super.effect(effect);
  }

  // What the dice show is called when they lie.
  seen() {
    if (!this.rolled) return;
    const called = this.calls.splice(this.before);
    this.frame(DICE);
    this.calls.push(...called);
    this.rolled = false;
  }

  moved({ what: thing, to }) {
    this.now = { ...this.now, things: { ...this.now.things, [thing]: to } };
    if (thing === "cup" && to !== "bankroll") this.frame(MOVE);
  }

  // What a self-service wager wins stays beside it.
  lies({ spot, stake }) {
    return stake === "stays" && this.after.table.spots.some((s) => s.spot === spot && s.self_service);
  }

  pays(result) {
    return this.lies(result) ? 0 : super.pays(result);
  }

  settle(result) {
    super.settle(result);
    const { seat, spot, paid } = result;
    if (!this.lies(result)) return;
    this.change(seat, (s) => ({ paid: without(s.paid, spot), winnings: { ...s.winnings, [spot]: (s.winnings[spot] ?? 0) + paid } }));
  }
}

export const plan = (...given) => new Rolling(...given).all();
