// Chips on their way over the felt.

import { Stack } from "./chips.js";
import { homeOf, spotAt } from "./geometry.js";
import { html, useLayoutEffect, useRef } from "../core/html.js";
import { fly } from "./motion.js";

function Flight({ from, to, amount, ms }) {
  const chips = useRef();
  useLayoutEffect(() => fly(chips.current, from, to, ms), []);
  return html`<g class="flight" ref=${chips}><${Stack} amount=${amount} /></g>`;
}

// Where a flight begins or ends; `shared` finds a place that all seats share.
function endpoint(where, stage, { table: { layout }, things }, shared) {
  if (where.tray) return { x: stage.tray.x, y: stage.tray.y, scale: 0.5 };
  if (where.home !== undefined) return homeOf(stage, where.home);
  const { seat, spot } = where;
  const at = spotAt(stage, layout, seat, spot) ?? shared?.(stage, layout, seat, spot, things);
  return at && { x: at.x + (where.beside ? 22 * at.scale : 0), y: at.y, scale: at.scale };
}

export const Flights = ({ flights, stage, view, frame, shared }) => html`
  <g aria-hidden="true" class="flights">
    ${flights.map(({ from, to, amount }, i) => {
      const [start, end] = [endpoint(from, stage, view, shared), endpoint(to, stage, view, shared)];
      return start && end && html`<${Flight} key=${`${frame}-${i}`} from=${start} to=${end} amount=${amount} />`;
    })}
  </g>`;
