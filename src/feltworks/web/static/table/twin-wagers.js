// Betting where two spots take the same: what goes on one goes on the other, and what is taken up from one is from both.

import { Bets, change, place } from "./wager-edits.js";
import { money, sum, titles } from "../core/format.js";

export class Twins extends Bets {
  pair(spot) {
    const { twin } = this.view.table.layout.spots[spot];
    return twin ? [spot, twin] : [spot];
  }

  // As much as both of them take; whether there is enough for both is asked when it is placed.
  fit(spot, amount) {
    const pair = this.pair(spot);
    if (pair.length === 1) return super.fit(spot, amount);
    const { table } = this.view;
    const [first] = pair.toSorted((a, b) => table.limits[a].most - table.limits[b].most);
    const { most } = table.limits[first];
    const room = most - Math.max(...pair.map((s) => this.down[s] ?? 0));
    const says = room < amount ? `${titles(table)[first]} is at its most, ${money(most)}.` : "";
    return { amount: Math.max(0, Math.min(amount, room)), says };
  }

  // Both, or none: what cannot be on both of them is not begun. What a spot alone does not take, the table says itself.
  place(spot, amount) {
    const pair = this.pair(spot);
    const { table, you } = this.view;
    const goal = Math.max(...pair.map((s) => this.down[s] ?? 0)) + amount;
    const wanted = pair.map((s) => place(s, goal - (this.down[s] ?? 0)));
    const wrong = pair.findIndex((s) => goal < table.limits[s].least || goal > table.limits[s].most);
    if (wrong >= 0) return [wanted[wrong]];
    const takes = sum(wanted.map((w) => w.amount));
    if (pair.length === 1 || takes <= you.balance) return wanted;
    const title = titles(table);
    return `You have ${money(you.balance)}; ${money(amount)} on ${pair.map((s) => title[s]).join(" and on ")} takes ${money(takes)}.`;
  }

  #less(spot, amount) {
    return { ...this.down, ...Object.fromEntries(this.pair(spot).map((s) => [s, (this.down[s] ?? 0) - amount])) };
  }

  takeUp(spot) {
    return this.to(this.#less(spot, Infinity));
  }

  undo() {
    const [spot, amount] = this.chips.pop() ?? [];
    return spot ? this.to(this.#less(spot, amount), false) : [];
  }

  // What makes the two equal again, if something between them was refused.
  even() {
    const wanted = { ...this.down };
    for (const spot of Object.keys(this.down)) {
      for (const s of this.pair(spot)) wanted[s] = Math.min(...this.pair(spot).map((other) => this.down[other] ?? 0));
    }
    return change(this.view.table, this.down, wanted);
  }
}
