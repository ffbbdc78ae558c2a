// Hands that count points: which cards make one, what they come to, and how that is told.

import { RANKS, sum } from "../../core/format.js";

const value = ([rank]) => (rank === "A" ? 1 : Number(rank) || 10);

export const isAce = ([rank]) => rank === "A";
export const open = (cards) => cards.filter((c) => c.card && c.place !== "discard").map((c) => c.card);

// The best total, and whether an ace counts 11 in it.
export function total(cards) {
  const points = sum(cards.map(value));
  const soft = points < 12 && cards.some(isAce);
  return { points: points + (soft ? 10 : 0), soft };
}

// What is written on a hand; `first` are two cards that no split has made, `brief` leaves little room.
export function said(cards, { first = true, brief = false } = {}) {
  const { points, soft } = total(cards);
  if (points > 21) return "Bust";
  if (points === 21) return first && cards.length === 2 ? "Blackjack" : "21";
  if (soft) return brief ? `${points - 10}/${points}` : `soft ${points}`;
  return String(points);
}

const numberOf = (place) => Number(/, hand (\d)$/.exec(place)?.[1] ?? 1);

// The hands of a seat, each with its cards as they lie and what became of it.
/** @param {Pick<Wire.SeatSeen, "cards" | "wagers" | "results">} seat @param {string[]} spots */
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

// What is left to say of a hand that was taken away.
const CLEARED = { "Over 21": "Bust", Surrender: "Surrender", "Even money": "Even money" };

export function tagOf({ cards, result }, several, brief) {
  const shown = open(cards);
  if (!cards.length) return (result && CLEARED[result.line]) ?? "";
  return shown.length > 1 || several ? said(shown, { first: !several, brief }) : "";
}

// The hands that were doubled, also while they still lie there after the round.
let doubled = [];

/** @param {Wire.View} view @param {Wire.SeatSeen} seat */
export function isDoubled({ round, told }, seat, number) {
  if (round !== null) doubled = (told.doubled ?? "").split("; ");
  return doubled.includes(`seat ${seat}, hand ${number}`);
}

// "a ten", "an eight".
export const withArticle = (card) => `a${/[A8]/.test(card[0]) ? "n" : ""} ${RANKS[card[0]]}`;
