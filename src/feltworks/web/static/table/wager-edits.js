// Undo, clear and rebet, made of the two things the table knows: placing an amount, and taking up a whole spot.
// A wager that needs others is placed after them and taken up before them; a contract bet stays as it is.

import { money, sum, titles } from "../core/format.js";

/** @returns {Wire.Place} */
export const place = (spot, amount) => ({ kind: "place", spot, amount });
/** @returns {Wire.Command} */
const takeUp = (spot) => ({ kind: "take up", spot });

// The spots of a table, each after those that it needs.
function inOrder({ spots }) {
  const depth = ({ needs }) => 1 + Math.max(0, ...spots.filter((s) => needs.includes(s.wager)).map(depth));
  return spots.toSorted((a, b) => depth(a) - depth(b));
}

// Whether a wager is this one, or stands instead of it.
const is = (spot, wager) => spot.wager === wager || spot.instead.includes(wager);

// What stays of the wagers when those that lack one they need are left out.
function tenable(spots, wagers) {
  const kept = {};
  const has = (wager) => spots.some((s) => is(s, wager) && kept[s.spot]);
  for (const { spot, needs } of spots) if (wagers[spot] > 0 && needs.every(has)) kept[spot] = wagers[spot];
  return kept;
}

// The commands that leave `wanted` on the spots, as far as it may lie there, where `down` lies now.
export function change(table, down, wanted) {
  const spots = inOrder(table);
  const goal = tenable(spots, wanted);
  const lifted = new Set();
  for (const { spot, needs } of spots) {
    const loose = spots.some((s) => lifted.has(s.spot) && needs.some((wager) => is(s, wager)));
    if (down[spot] && (loose || down[spot] > (goal[spot] ?? 0))) lifted.add(spot);
  }
  const left = (spot) => (lifted.has(spot) ? 0 : (down[spot] ?? 0));
  const placed = Object.keys(goal).filter((spot) => goal[spot] > left(spot));
  return [...[...lifted].reverse().map(takeUp), ...placed.map((spot) => place(spot, goal[spot] - left(spot)))];
}

// What was placed in this betting, so that the last of it can be undone.
export class Bets {
  #round = null;
  chips = [];
  #seat = null;
  view = null;
  balance = 0;
  down = {};

  // Follow the table from view to view.
  follow(view) {
    this.view = view;
    this.#seat = view.seats.find((s) => s.you);
    this.down = this.#seat?.wagers ?? {};
    this.balance = view.you?.balance ?? 0;
    if (view.round !== this.#round || view.phase !== "betting") {
      this.#round = view.round;
      this.chips = [];
    }
  }

  // What lies there and may not be touched.
  get #fixed() {
    return Object.fromEntries(Object.entries(this.down).filter(([spot]) => this.#seat.contract.includes(spot)));
  }

  // How much of an amount a spot takes: up to its limit, and up to what one has; and what is said of that. What it does
  // not take at all, the table refuses in its own words.
  fit(spot, amount) {
    const { table } = this.view;
    const { least, most } = table.limits[spot];
    const down = this.down[spot] ?? 0;
    const title = titles(table)[spot];
    const full = `${title} is at its most, ${money(most)}.`;
    if (down >= most) return { amount: 0, says: full };
    const room = Math.min(amount, most - down);
    if (room <= this.balance) return { amount: room, says: room < amount ? full : "" };
    const left = this.balance - (this.balance % table.chip);
    if (!left) return { amount, says: "" };
    if (down + left < least) return { amount: 0, says: `You have ${money(this.balance)}; ${title} takes at least ${money(least)}.` };
    return { amount: left, says: `You have put down all you have, ${money(left)}.` };
  }

  // The commands that put an amount on a spot, or why that is not possible.
  /** @returns {Wire.Command[] | string} */
  place(spot, amount) {
    return [place(spot, amount)];
  }

  // A command was carried out, which the next view will show.
  /** @param {Wire.Command} did */
  done(did) {
    if (did.kind !== "place" && did.kind !== "take up") return;
    const lies = this.down[did.spot] ?? 0;
    const change = did.kind === "place" ? did.amount : -lies;
    this.down = { ...this.down, [did.spot]: lies + change };
    this.balance -= change;
  }

  // What is to be mended after a refusal.
  /** @returns {Wire.Command[]} */
  even() {
    return [];
  }

  placed(spot, amount) {
    this.chips.push([spot, amount]);
  }

  to(wanted, forget = true) {
    if (forget) this.chips = [];
    return change(this.view.table, this.down, wanted);
  }

  takeUp(spot) {
    return this.to({ ...this.down, [spot]: 0 });
  }

  get canUndo() {
    return this.chips.length > 0;
  }

  // The commands that undo the last chip.
  undo() {
    const [spot, amount] = this.chips.pop() ?? [];
    return !spot ? [] : this.to({ ...this.down, [spot]: (this.down[spot] ?? 0) - amount }, false);
  }

  get hasDown() {
    return Object.values(this.down).some((cents) => cents > 0);
  }

  get canClear() {
    return Object.keys(this.down).length > Object.keys(this.#fixed).length;
  }

  clear() {
    return this.to(this.#fixed);
  }

  // The last wagers on the spots that are open now, or will be when those that they need are down again.
  get #again() {
    const { table: { spots }, you } = this.view;
    const open = spots.filter(({ spot }) => you.spots.some((s) => s.spot === spot));
    const here = (s) => you.last[s.spot] && you.window.includes(s.spot) && (open.includes(s) || s.needs.some((wager) => open.some((o) => is(o, wager))));
    return { ...Object.fromEntries(spots.filter(here).map(({ spot }) => [spot, you.last[spot]])), ...this.#fixed };
  }

  /** @returns {Wire.Command[] | string} */
  rebet() {
    const takes = sum(Object.values(this.#again)) - sum(Object.values(this.down));
    if (takes > this.balance) return `You have ${money(this.balance)}; the same wagers again take ${money(takes)}.`;
    return this.to(this.#again);
  }

  get canRebet() {
    const again = this.#seat ? this.#again : {};
    return Object.entries(again).some(([spot, cents]) => (this.down[spot] ?? 0) !== cents);
  }
}
