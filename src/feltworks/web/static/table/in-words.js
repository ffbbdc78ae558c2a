// The table in words, for those who do not see it, and the one line that says what just happened.

import { cardName, headline, money, net, resultSentence, titles } from "../core/format.js";
import { html } from "../core/html.js";

export const cardWords = (cards) =>
  cards.map(({ card, reading }) => (card ? cardName(card) : reading ? `a ${reading} card, face down` : "a card face down")).join(", ");

export const isFolded = (seat) => seat.results.some((r) => r.line === "Fold");
export const seatNote = (seat) =>
  seat.leaving ? "leaving" : !seat.present ? "away" : seat.ready ? "ready" : isFolded(seat) ? "folded" : seat.shooter ? "shooter" : "";

/** @param {Page.Seat} seat @param {Wire.About} table @param {Page.Words} words */
function seatWords(seat, table, words) {
  const title = titles(table);
  if (!seat.name) return "empty";
  const parts = [
    seat.cards.length && (words.cards?.(seat, table) ?? cardWords(seat.cards)),
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
  return inPlay.map((c) => cardWords([c]) + (c.place === "dealer" ? "" : ` ${view.table.layout.rows?.[c.place]?.words ?? `in the ${c.place}`}`)).join(", ");
}

// `words` is how this table tells of its dice or hands.
export const InWords = ({ view, words }) => html`
  <section class="unseen" aria-label="The table in words">
    <p>Dealer: ${dealerWords(view, words)}.</p>
    <ul>
      ${view.seats.map((seat) => html`
        <li key=${seat.seat}>Seat ${seat.seat}, ${seat.you ? "you" : (seat.name ?? "free")}: ${seatWords(seat, view.table, words)}.</li>`)}
    </ul>
  </section>`;

// The results of a seat as its player is told them, the wager that decided most first.
/** @param {Page.View} view @param {Page.Seat} seat */
export function resultOf(view, seat) {
  const { dice } = view.table.layout;
  if (!seat?.results.length || (view.phase === "betting" && !dice)) return null;
  const title = titles(view.table);
  const results = [...seat.results].sort((a, b) => Math.abs(net(b)) - Math.abs(net(a)));
  const done = dice ? results.length > 1 : Object.keys(seat.wagers).every((spot) => results.some((r) => r.spot === spot));
  return {
    kind: seat.net > 0 ? "won" : seat.net < 0 ? "lost" : "even",
    head: done ? headline(results) : resultSentence(seat.results.at(-1), title[seat.results.at(-1).spot]),
    lines: results.length > 1 && done ? results.map((r) => resultSentence(r, title[r.spot])) : [],
  };
}

const MARKS = {
  won: "M8 2 15 14H1Z",
  lost: "M8 14 15 2H1Z",
  even: "M2 5H14V7.5H2ZM2 9H14V11.5H2Z",
  refused: "M8 0A8 8 0 1 0 8 16 8 8 0 0 0 8 0ZM7 3.5H9V9H7ZM7 10.5H9V12.5H7Z",
};

export const Notice = ({ notice }) => html`
  <p class=${`notice ${notice?.kind ?? ""}`} role="status">
    ${notice && html`
      ${MARKS[notice.kind] && html`
        <svg class="mark" viewBox="0 0 16 16" aria-hidden="true"><path fill-rule="evenodd" d=${MARKS[notice.kind]} /></svg>`}
      <strong>${notice.head}</strong>
      ${notice.lines?.length > 0 && html`<span class="lines">${notice.lines.join(" · ")}</span>`}`}
  </p>`;
