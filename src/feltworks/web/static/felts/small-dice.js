// Dice on a page, outside of the felt.

import { Die } from "./dice.js";
import { html } from "../core/html.js";

export function SmallDice({ dice, sets }) {
  const looks = sets.flatMap(({ of, look }) => Array(of).fill(look));
  return html`
    <span class="small-dice" role="img" aria-label=${dice.join(", ")}>
      ${dice.map((value, i) => html`
        <svg key=${i} viewBox="-22 -22 46 48" width="30" aria-hidden="true"><${Die} look=${looks[i]} value=${value} /></svg>`)}
    </span>`;
}
