// A card on a page, outside of the felt. Of one that its player has put away it says by which decision.

import { Face } from "./cards.js";
import { cardName } from "../core/format.js";
import { html } from "../core/html.js";

const Card = ({ card }) => html`
  <svg class="small-card" viewBox="-51 -71 102 142" role="img" aria-label=${cardName(card)}><${Face} card=${card} /></svg>`;

// "trade" becomes "traded", "surrender" "surrendered".
const past = (option) => `${option}${option.endsWith("e") ? "d" : "ed"}`;

/** @param {{ card: string, away?: string }} props */
export const SmallCard = ({ card, away }) =>
  away ? html`<span class="put-away"><${Card} card=${card} /><span>${past(away)}</span></span>` : html`<${Card} card=${card} />`;
