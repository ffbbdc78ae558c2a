// Chips on their way over the felt.

import { Stack } from "./chips.js";
import { homeOf, shared, spotAt } from "./geometry.js";
import { html, useLayoutEffect, useRef } from "../core/html.js";
import { fly } from "./motion.js";

function Flight({ from, to, amount, ms }) {
  const chips = useRef();
  useLayoutEffect(() => fly(chips.current, from, to, ms), []);
  return html`<g class="flight" ref=${chips}><${Stack} amount=${amount} /></g>`;
}

// Where a flight begins or ends.
function endpoint(where, stage, { table: { layout }, things }) {
  if (where.tray) return { x: stage.tray.x, y: stage.tray.y, scale: 0.5 };
  if (where.home !== undefined) return homeOf(stage, where.home);
  const { seat, spot } = where;
  const at = spotAt(stage, layout, seat, spot) ?? shared.at?.(stage, layout, seat, spot, things);
  return at && { x: at.x + (where.beside ? 22 * at.scale : 0), y: at.y, scale: at.scale };
}

export const Flights = ({ flights, stage, view, frame }) => html`
  <g aria-hidden="true" class="flights">
    ${flights.map(({ from, to, amount }, i) => {
      const [start, end] = [endpoint(from, stage, view), endpoint(to, stage, view)];
      return start && end && html`<${Flight} key=${`${frame}-${i}`} from=${start} to=${end} amount=${amount} />`;
    })}
  </g>`;
