// What is open behind your rounds here: wins that are held until surveillance has verified them, and rounds you dispute.

import { money, sum } from "../core/format.js";

export const HELD = "held until surveillance has verified it";

/** @param {Wire.You | null} you */
export const heldCents = (you) => sum((you?.held ?? []).map(({ cents }) => cents));

// What has just been verified or decided of yours, for the line below the felt.
/** @param {Wire.You | null} before @param {Wire.You | null} you @param {Wire.NumberedEvent[]} events @returns {Page.Notice | null} */
export function decidedNow(before, you, events) {
  const all = /** @type {any[]} */ (events);
  const released = all.filter(({ kind }) => kind === "win released").map(({ win }) => win);
  const paid = (before?.held ?? []).filter(({ id }) => released.includes(id));
  if (paid.length) return { kind: "won", head: `Verified: ${money(sum(paid.map(({ cents }) => cents)))} that was held is paid to you.` };
  const numbers = all.filter(({ kind }) => kind === "dispute decided").map(({ dispute }) => dispute);
  const own = you?.disputes.find(({ dispute, state }) => state !== "open" && numbers.includes(dispute));
  return own ? { kind: "note", head: `Round ${own.round}: ${verdict(own)}` } : null;
}

/** @param {Wire.OwnDispute} dispute */
export function verdict({ state, amount, rule, reason }) {
  if (state === "open") return "Your dispute is open. A supervisor decides it.";
  const moved = amount ? ` ${money(Math.abs(amount))} is corrected ${amount > 0 ? "in your favour" : "against you"}.` : "";
  return `Your dispute was ${state}, by ${rule}.${moved} ${reason}`;
}
