// Which cards of a seat lie in which of its hands, and what the rules say of each.

export const numberOf = (place) => Number(/, hand (\d)$/.exec(place)?.[1] ?? 1);

// The hands of a seat, each with its cards as they lie and what became of it.
/** @param {Wire.SeatSeen} seat @param {string[]} spots */
export function handsOf(seat, spots) {
  const lying = seat.cards.filter((c) => c.place !== "discard");
  const staked = [...Object.keys(seat.wagers), ...seat.results.map((r) => r.spot)];
  const numbers = [1, ...lying.map((c) => numberOf(c.place)), ...staked.map((spot) => spots.indexOf(spot) + 1)];
  return Array.from({ length: Math.max(...numbers) }, (_, i) => ({
    number: i + 1,
    spot: spots[i],
    cards: lying.filter((c) => numberOf(c.place) === i + 1),
    result: seat.results.find((r) => r.spot === spots[i]),
  }));
}

// What is written on a hand; of one that was taken away, what became of it.
/** @param {Wire.View} view @param {Wire.SeatSeen} seat */
export function tagOf(view, { seat }, { number, cards, result }) {
  if (!cards.length) return result?.line ?? "";
  return view.hands.find((h) => h.seat === seat && h.number === number)?.brief ?? "";
}

// The hands that were doubled, also while they still lie there after the round.
let doubled = [];

/** @param {Page.View} view @param {number} seat */
export function isDoubled({ round, lying, told }, seat, number) {
  if (round !== null && lying == null) doubled = (told.doubled ?? "").split("; ");
  return doubled.includes(`seat ${seat}, hand ${number}`);
}
