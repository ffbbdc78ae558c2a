// Hands that count points, for those who do not see them, and in brief where there is little room.

import { cardName } from "../../core/format.js";
import { html } from "../../core/html.js";
import { cardWords } from "../../table/in-words.js";
import { handsOf, open, said, tagOf } from "./points.js";

const low = (text) => text.toLowerCase();

/** @param {Page.Seat} seat @param {Wire.About} table */
export function cards(seat, { layout }) {
  const hands = handsOf(seat, layout.hands);
  const several = hands.length > 1;
  const words = (hand) => [hand.cards.length && cardWords(hand.cards), low(tagOf(hand, several))].filter(Boolean).join(": ");
  return hands.map((hand) => (several ? `hand ${hand.number}, ${words(hand)}` : words(hand))).join("; ");
}

/** @param {Page.View} view */
export function dealer({ dealer }) {
  const lying = dealer.filter((c) => c.place !== "discard");
  if (!lying.length) return "no cards";
  const words = lying.map(({ card, reading }) => (card ? cardName(card) : `a card face down${reading ? `, which is ${reading}` : ""}`));
  const shown = open(lying);
  return words.join(", ") + (shown.length > 1 ? `: ${low(said(shown))}` : "");
}

// On a narrow screen the others' hands are told by what they come to, once they are more than a few cards.
export function brief(cards) {
  const hands = handsOf({ cards, wagers: {}, results: [] }, []);
  if (hands.length === 1 && cards.length < 4) return null;
  const texts = hands.filter((h) => h.cards.length).map((h) => tagOf(h, hands.length > 1, true));
  return texts.map((text, i) => html`<span key=${i} class="mini sum">${text}</span>`);
}
