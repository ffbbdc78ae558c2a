// A table with a wheel, which stands before the dealer.

import { html } from "../../core/html.js";
import { Wheel } from "./wheel.js";

export function Middle({ view, stage }) {
  const { x, y, scale } = stage.dealer;
  return html`<${Wheel} view=${view} at=${{ x, y: y + 18 * scale, r: 108 * scale }} />`;
}
