// Hands in words: what your two cards and those that all share make, and what became of your wagers by it.

import { RANKS } from "../../core/format.js";
import { noticeBy } from "../../table/grouped-results.js";

const ORDER = "23456789TJQKA";
const one = (rank) => RANKS[ORDER[rank]];
const many = (rank) => one(rank) + (one(rank) === "six" ? "es" : "s");

// The highest rank of five in a row, or -1; an ace is also below the two.
function straight(ranks) {
  for (let top = 12; top > 2; top--) {
    if ([0, 1, 2, 3, 4].every((n) => ranks.includes(top - n < 0 ? 12 : top - n))) return top;
  }
  return -1;
}

// The best five of five to seven cards, as a dealer calls it; the kit's `describe` says the same.
export function best(cards) {
  const ranks = cards.map(([rank]) => ORDER.indexOf(rank)).sort((a, b) => b - a);
  const suit = [..."cdhs"].find((s) => cards.filter((card) => card[1] === s).length > 4);
  const suited = ranks.filter((rank) => cards.includes(ORDER[rank] + suit));
  const top = straight(suited);
  if (top === 12) return "a royal flush";
  if (top > 0) return `a straight flush, ${one(top)} high`;
  const count = (rank) => ranks.filter((r) => r === rank).length;
  const [first, second] = [...new Set(ranks)].sort((a, b) => count(b) - count(a) || b - a);
  if (count(first) > 3) return `four of a kind, ${many(first)}`;
  if (count(first) > 2 && count(second) > 1) return `a full house, ${many(first)} over ${many(second)}`;
  if (suit) return `a flush, ${one(suited[0])} high`;
  if (straight(ranks) > 0) return `a straight, ${one(straight(ranks))} high`;
  if (count(first) > 2) return `three of a kind, ${many(first)}`;
  if (count(second) > 1) return `two pair, ${many(first)} and ${many(second)}`;
  return count(first) > 1 ? `a pair of ${many(first)}` : `${one(ranks[0])} high`;
}

const open = (cards) => cards.filter((c) => c.card).map((c) => c.card);

// What cards make with those of the place that is shared; nothing before three of these lie open.
/** @param {Wire.View} view */
function made(view, cards) {
  const shared = open(view.dealer.filter((c) => c.place === view.table.layout.hand));
  return cards.length === 2 && shared.length > 2 ? best([...cards, ...shared]) : null;
}

/** @param {Wire.View} view @param {Wire.SeatSeen} seat */
export const hand = (view, seat) => made(view, open(seat.cards));
/** @param {Wire.View} view */
const dealers = (view) => made(view, open(view.dealer.filter((c) => c.reading)));

// The notice of a settled round begins with both hands.
/** @param {Wire.View} view @param {Wire.SeatSeen} seat */
export function result(view, seat, notice) {
  const told = noticeBy(view, seat, notice);
  if (!notice.lines.length) return told;
  const [own, dealer] = [hand(view, seat), dealers(view)];
  const hands = own && dealer ? [`You have ${own}, the dealer ${dealer}`] : own ? [`You have ${own}`] : [];
  return { ...told, lines: [...hands, ...told.lines] };
}
