// The frames between two views where a wager is sensed: its chips are taken when the first card comes, and are not there
// any more when it is settled.

import { CHIPS } from "../motion.js";
import { Plan } from "../movements.js";

class Sensing extends Plan {
  isSensed(spot) {
    return this.after.table.layout.spots[spot]?.sensed;
  }

  // Registered wagers light with the first card.
  cards() {
    const first = !this.cardsShown && this.now.seats.every((s) => !s.cards.length);
    super.cards();
    if (!first) return;
    const lit = this.now.seats.flatMap((s) => Object.entries(s.wagers).map(([spot, amount]) => ({ seat: s.seat, spot, amount })));
    const flights = lit.filter(({ spot }) => this.isSensed(spot)).map(({ amount, ...from }) => ({ from, to: { tray: true }, amount }));
    if (flights.length) this.frame(CHIPS, flights);
  }

  frame(ms, flights = []) {
    super.frame(ms, flights.filter(({ from, to }) => !(to.tray && this.isSensed(from.spot) && this.settling)));
  }

  // What you chose together with others was shown to you before it is told to all.
  settle(result) {
    const same = ({ spot, line }) => spot === result.spot && line === result.line;
    if (this.seat(result.seat)?.results.some(same)) return;
    this.settling = true;
    super.settle(result);
    this.settling = false;
  }
}

export const plan = (...given) => new Sensing(...given).all();
