// The table in words, for those who do not see it.

import { cardName, money, resultSentence, titles } from "../core/format.js";
import { html } from "../core/html.js";
import { spotsOf } from "./results.js";

export const cardWords = (cards) =>
  cards.map(({ card, reading }) => (card ? cardName(card) : reading ? `a ${reading} card, face down` : "a card face down")).join(", ");

export const isFolded = (seat) => seat.results.some((r) => r.line === "Fold");
export const seatNote = (seat) =>
  seat.leaving ? "leaving" : !seat.present ? "away" : seat.ready ? "ready" : isFolded(seat) ? "folded" : seat.shooter ? "shooter" : "";

// Cards, and what they come to where the rules have a word for it.
/** @param {Page.View} view @param {number | null} owner */
export function withHand(view, owner, cards, number = 1) {
  const hand = view.hands.find((h) => h.seat === owner && h.number === number);
  return hand?.brief ? `${cards}: ${hand.words}` : cards;
}

/** @param {Page.Seat} seat @param {Page.View} view @param {Page.Words} words */
function seatWords(seat, view, words) {
  const title = titles(view.table, spotsOf(seat));
  if (!seat.name) return "empty";
  const parts = [
    seat.cards.length && (words.cards?.(seat, view) ?? withHand(view, seat.seat, cardWords(seat.cards))),
    ...Object.entries(seat.wagers).map(([spot, cents]) => `${title[spot]} ${money(cents)}`),
    ...Object.entries(seat.winnings).map(([spot, cents]) => `${title[spot]} has won ${money(cents)}, to collect`),
    ...seat.results.map((r) => resultSentence(r, title[r.spot])),
    seat.acting && "to act",
    seatNote(seat),
  ];
  return parts.filter(Boolean).join("; ") || "no wager";
}

/** @param {Page.View} view @param {Page.Words} words */
function dealerWords(view, words) {
  if (words.dealer) return words.dealer(view);
  const inPlay = view.dealer.filter((c) => c.place !== "discard");
  if (!inPlay.length) return "no cards";
  const place = (c) => (c.place === "dealer" ? "" : ` ${view.table.layout.rows?.[c.place]?.words ?? `in the ${c.place}`}`);
  return withHand(view, null, inPlay.map((c) => cardWords([c]) + place(c)).join(", "));
}

// Cards of the round before are not told once the next has begun.
/** @param {Page.View} view @returns {Page.View} */
const ofThisRound = (view) =>
  view.round === null || view.lying == null ? view : { ...view, dealer: [], hands: [], seats: view.seats.map((s) => ({ ...s, cards: [] })) };

// `words` is how this table tells of its dice or hands.
/** @param {{ view: Page.View, words: Page.Words }} props */
export function InWords({ view: seen, words }) {
  const view = ofThisRound(seen);
  return html`
    <section class="unseen" aria-label="The table in words">
      <p>Dealer: ${dealerWords(view, words)}.</p>
      ${view.jackpot && html`<p>${view.jackpot.name}: ${view.jackpot.stale ? "not connected" : `the meter shows ${money(view.jackpot.meter)}`}. ${view.jackpot.why}</p>`}
      <ul>
        ${view.seats.map((seat) => html`
          <li key=${seat.seat}>Seat ${seat.seat}, ${seat.you ? "you" : (seat.name ?? "free")}: ${seatWords(seat, view, words)}.</li>`)}
      </ul>
    </section>`;
}
