// The wagers without which a seat is not in the round.

import { listed } from "./format.js";

const MOST = 4; // so many are named

// The spots that a seat still needs a chip on, of those that are open and empty: of what is required the first; else any
// of those with which one comes in, while it has none of their wagers.
/** @param {Wire.About} table @param {Wire.You | null} you @param {Record<string, number>} wagers */
export function wantedSpots({ spots }, you, wagers) {
  const free = you?.spots.filter((s) => !s.down).map((s) => s.spot) ?? [];
  const open = spots.filter((s) => free.includes(s.spot));
  const required = open.find((s) => s.required || s.instead.length);
  if (required) return [required];
  const ways = new Set(spots.filter((s) => s.comes_in && !s.required).map((s) => s.wager));
  const isIn = spots.some((s) => ways.has(s.wager) && wagers[s.spot]);
  return isIn ? [] : open.filter((s) => s.comes_in);
}

// What they are called, in a sentence.
/** @param {Wire.Spot[]} spots */
export const spotsInWords = (spots) => (spots.length > MOST ? "any spot" : listed(spots.map((s) => s.title), "or"));
