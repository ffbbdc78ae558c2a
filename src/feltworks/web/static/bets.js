// Undo, clear and rebet, made of the two things the table knows: placing an amount, and taking up a whole spot.
// A table's first spot is what the others need: it is placed first and taken up last.

const place = (spot, amount) => ({ kind: "place", spot, amount });
const takeUp = (spot) => ({ kind: "take up", spot });

const order = (table) => table.spots.map((s) => s.spot);

// The commands that leave exactly `wanted` on the spots, where `down` lies now.
export function change(table, down, wanted) {
  const spots = order(table);
  const less = spots.filter((s) => (down[s] ?? 0) > (wanted[s] ?? 0));
  const lifted = less.includes(spots[0]) ? spots.filter((s) => down[s]) : less;
  const left = (spot) => (lifted.includes(spot) ? 0 : (down[spot] ?? 0));
  const placed = spots.filter((s) => (wanted[s] ?? 0) > left(s));
  return [...[...lifted].reverse().map(takeUp), ...placed.map((s) => place(s, wanted[s] - left(s)))];
}

export const clear = (table, down) => change(table, down, {});

// What was placed in this round, so that the last of it can be undone; and what was down when the last betting closed.
export class Bets {
  #round = null;
  #placed = [];
  #down = {};
  last = null;

  // Follow the table from view to view.
  follow(view) {
    const own = view.seats.find((s) => s.you);
    const betting = view.phase === "betting";
    if (own && betting) this.#down = { ...own.wagers };
    if (!betting && Object.keys(this.#down).length) {
      this.last = this.#down;
      this.#down = {};
    }
    if (view.round !== this.#round || !betting) {
      this.#round = view.round;
      this.#placed = [];
    }
  }

  placed(spot, amount) {
    this.#placed.push([spot, amount]);
  }

  forget() {
    this.#placed = [];
  }

  get canUndo() {
    return this.#placed.length > 0;
  }

  // The commands that undo the last chip.
  undo(table, down) {
    const [spot, amount] = this.#placed.pop();
    const rest = (down[spot] ?? 0) - amount;
    const without = { ...down, [spot]: rest };
    return change(table, down, spot === order(table)[0] && rest <= 0 ? {} : without);
  }

  rebet(table, down) {
    return change(table, down, this.last ?? {});
  }

  canRebet(down) {
    const { last } = this;
    return last !== null && Object.keys(last).length > 0 && Object.entries(last).some(([s, n]) => (down[s] ?? 0) !== n);
  }
}
