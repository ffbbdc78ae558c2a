// A card on a page, outside of the felt.

import { Face } from "./cards.js";
import { cardName } from "../core/format.js";
import { html } from "../core/html.js";

export const SmallCard = ({ card }) => html`
  <svg class="small-card" viewBox="-51 -71 102 142" role="img" aria-label=${cardName(card)}><${Face} card=${card} /></svg>`;
