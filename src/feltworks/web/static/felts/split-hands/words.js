// Hands that count points, for those who do not see them, and in brief where there is little room.

import { cardName } from "../../core/format.js";
import { html } from "../../core/html.js";
import { cardWords, withHand } from "../../table/in-words.js";
import { handsOf, tagOf } from "./hand-places.js";

/** @param {Page.Seat} seat @param {Page.View} view */
export function cards(seat, view) {
  const hands = handsOf(seat, view.table.layout.hands);
  const words = (hand) => withHand(view, seat.seat, cardWords(hand.cards), hand.number);
  const lying = hands.filter((hand) => hand.cards.length);
  return lying.map((hand) => (hands.length > 1 ? `hand ${hand.number}, ${words(hand)}` : words(hand))).join("; ");
}

/** @param {Page.View} view */
export function dealer(view) {
  const lying = view.dealer.filter((c) => c.place !== "discard");
  if (!lying.length) return "no cards";
  const words = lying.map(({ card, reading }) => (card ? cardName(card) : `a card face down${reading ? `, which is ${reading}` : ""}`));
  return withHand(view, null, words.join(", "));
}

// On a narrow screen the others' hands are told by what they come to, once they are more than a few cards.
/** @param {Page.Seat} seat @param {Page.View} view */
export function brief(seat, view) {
  const hands = handsOf({ ...seat, wagers: {}, results: [] }, []);
  if (hands.length === 1 && seat.cards.length < 4) return null;
  const texts = hands.filter((h) => h.cards.length).map((h) => tagOf(view, seat, h));
  return texts.map((text, i) => html`<span key=${i} class="mini sum">${text}</span>`);
}
