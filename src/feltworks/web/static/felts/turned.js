// A table that somebody watches without a seat, turned to one of its seats as if it were theirs: where a screen has no room for all
// of them, that one is drawn. Nothing can be done there, and no card is known by it.

/** @param {any} view @param {number | null} seat */
export function turnedTo(view, seat) {
  const you = seat === null ? null : { seat, name: "", balance: 0, staked: 0, spots: [], options: [], can_ready: false };
  return { ...view, you, seats: view.seats.map((s) => ({ ...s, you: s.seat === seat })) };
}
