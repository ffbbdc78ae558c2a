// The frames between two views where a hand is doubled or goes over: the chips that are added, and the card that was too
// much, which is seen before the hand is taken away.

import { DEAL, TURN } from "../motion.js";
import { Plan } from "../movements.js";
import { numberOf } from "./hand-places.js";

const SEEN = 700; // a hand that is lost at once lies for so long

const taken = (event) => (event.effects ?? []).filter((e) => e.kind === "card moved" && e.to === "discard" && e.owner !== null);

class Busting extends Plan {
  // A decision may have put more on a spot where a wager lies.
  extra(seat) {
    const lies = this.after.seats.find((s) => s.seat === seat)?.wagers ?? {};
    const was = this.settled.filter((s) => s.seat === seat).map((s) => [s.spot, s.amount]);
    for (const [spot, amount] of [...Object.entries(lies), ...was]) {
      const { wagers, results } = this.seat(seat);
      const more = amount - (wagers[spot] ?? 0);
      if (more > 0 && !results.some((r) => r.spot === spot)) this.place(seat, spot, more);
    }
  }

  // A hand that is taken away later on lies there until then.
  cards() {
    const { after } = this;
    const going = new Set(this.events.flatMap(taken).map(({ owner, name }) => `${owner} ${name}`));
    const lies = (seat) => this.seat(seat).cards.filter((c) => going.has(`${seat} ${c.token}`));
    this.after = { ...after, seats: after.seats.map((s) => ({ ...s, cards: [...s.cards, ...lies(s.seat)] })) };
    super.cards();
    this.after = after;
  }

  event(event) {
    const gone = taken(event).map(({ owner, name }) => [owner, name]);
    if (!gone.length || event.answer?.kind !== "card") {
      super.event(event);
      return;
    }
    this.lastCard(event.answer.card, gone);
    for (const effect of event.effects) this.effect(effect);
  }

  // The card that was turned is the one of the hand that nobody has seen yet.
  lastCard(card, gone) {
    const [[seat]] = gone;
    const { cards } = this.seat(seat);
    const found = ([, token]) => cards.find((c) => c.token === token);
    const [, token] = gone.find((what) => !found(what)?.card) ?? [];
    const { place } = gone.map(found).find(Boolean) ?? {};
    if (!token || !place) return;
    this.now = { ...this.now, hands: this.now.hands.filter((h) => h.seat !== seat || h.number !== numberOf(place)) };
    this.change(seat, () => ({ cards: [...cards.filter((c) => c.token !== token), { token, card, place, reading: null }] }));
    this.frame(DEAL + TURN + SEEN);
  }
}

export const plan = (...given) => new Busting(...given).all();
