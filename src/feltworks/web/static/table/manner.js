// How a table is played: the commands that a press on a spot makes, what a choice sends, and what its player is told. A
// table that differs in any of it has a manner of its own, which is the part `player` of its layout.

import { resultOf } from "./results.js";
import { Bets } from "./wager-edits.js";

export class Manner {
  bets = new Bets();

  // What a choice sends besides its name.
  /** @param {Wire.Option} _ @param {Wire.You} __ @returns {{ amount?: number }} */
  choice(_, __) {
    return {};
  }

  // What is said aloud of events that the next view does not show any more.
  /** @param {Wire.View} _ @param {Wire.NumberedEvent[]} __ @returns {string[]} */
  hear(_, __) {
    return [];
  }

  // What is said aloud, as the player of this seat should hear it.
  /** @param {string[]} texts @param {Page.View} _ @param {Page.Seat} __ */
  aloud(texts, _, __) {
    return texts;
  }

  // What the player is asked for, or has.
  /** @param {Page.View} _ @param {Page.Seat} __ @param {Page.Notice | null} ___ @returns {Page.Notice | null} */
  note(_, __, ___) {
    return null;
  }

  // What became of the wagers.
  /** @param {Page.View} view @param {Page.Seat} mine @returns {Page.Notice | null} */
  result(view, mine) {
    return resultOf(view, mine);
  }
}

export const manner = () => new Manner();
