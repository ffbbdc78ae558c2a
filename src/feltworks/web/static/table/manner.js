// How a table is played: the commands that a press on a spot makes, what a choice sends, and what its player is told. A
// table that differs in any of it has a manner of its own, which is the part `player` of its layout.

import { listed, money } from "../core/format.js";
import { spotsInWords, wantedSpots } from "../core/wanted.js";
import { resultOf } from "./results.js";
import { Bets } from "./wager-edits.js";

// Whether the dice come to you: also before the first roll, where nobody else sits who could have them.
/** @param {Page.Seat[]} seats */
const isShooter = (seats) =>
  seats.some((s) => s.you && s.shooter) || (!seats.some((s) => s.shooter) && seats.every((s) => s.you || !s.name));

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

  // The same for a whole round: where it had several bettings, the sum of all of them stands above what came last.
  /** @param {Page.View} view @param {Page.Seat} mine @returns {Page.Notice | null} */
  wholeResult(view, mine) {
    const own = this.result(view, mine);
    if (!own) return null;
    const { net, round_net: sum } = mine;
    if (sum === null || sum === net || !(view.round === null || view.phase === "over")) return own;
    const head = sum > 0 ? `You win ${money(sum)} in all` : sum < 0 ? `You lose ${money(-sum)} in all` : "You come out even in all";
    return { ...own, kind: sum > 0 ? "won" : sum < 0 ? "lost" : "even", head, lines: own.lines?.length ? own.lines : [own.rows?.length ? "The last roll:" : `The last roll: ${own.head}`] };
  }

  // The wagers without which you are not in the round, if they are not down: what they are called, whether one of them is
  // needed in any case, and whether it may be made now instead of another.
  /** @param {Page.View} view */
  lacks({ table, you, seats }) {
    const wanted = wantedSpots(table, you, seats.find((s) => s.you)?.wagers ?? {});
    if (!wanted.length) return null;
    return { title: spotsInWords(wanted), needed: wanted.some((s) => s.comes_in), instead: wanted.some((s) => s.instead.length) };
  }

  // Wagers lie there that need one which is gone: what can be done.
  /** @param {Page.View} view @param {Page.Seat} mine */
  missing(view, mine) {
    const { you, table } = view;
    const wanted = this.lacks(view);
    if (!wanted?.needed || you.can_ready || !Object.keys(mine.wagers).length) return null;
    const back = you.spots.filter((s) => s.down).map((s) => s.title);
    const stays = table.spots.filter(({ spot }) => mine.contract.includes(spot)).map((s) => s.title);
    const keeps = stays.length ? ` to keep ${stays.join(" and ")} in the game` : "";
    return `Put a chip on ${wanted.title}${back.length ? `, or take ${listed(back, "or")} back` : keeps}.`;
  }

  // The button that goes on: what is written on it, what it does besides being ready, and whether one may be only ready.
  // While a chip is on its way, nothing of the last round is put beside it.
  /** @param {Page.View} view @param {boolean} placing */
  next(view, placing) {
    const { you, seats, table: { layout } } = view;
    const ready = layout.ready ?? "Deal";
    const roll = Boolean(layout.primary) && isShooter(seats);
    const again = !placing && !you.can_ready && !seats.some((s) => s.you && s.ready) && you.spots.length > 0;
    const rebet = again && this.bets.canRebet && Boolean(this.lacks(view));
    const then = (roll ? layout.primary : ready).toLowerCase();
    const canReady = you.can_ready || placing;
    const text = rebet ? `Rebet and ${then}` : roll && canReady ? `${ready} and ${then}` : ready;
    return { text, rebet, roll, enabled: rebet || canReady, plain: roll && !rebet && canReady ? ready : null };
  }
}

export const manner = () => new Manner();
