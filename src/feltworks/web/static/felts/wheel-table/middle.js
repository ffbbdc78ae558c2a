// A table with a wheel: before the dealer lies the pocket in which it has stopped last.

import { html, useLayoutEffect, useRef } from "../../core/html.js";
import { calm, placed } from "../motion.js";
import { Pocket } from "../pocket.js";

const ROLLS = 900;
const TURNS = 540;

// It rolls to its place as the ball does into its pocket.
function roll(pocket, at) {
  const from = { ...at, x: at.x - 240, turn: -TURNS, scale: at.scale * 0.5 };
  const over = { ...at, x: at.x + 26, turn: 12, scale: at.scale * 1.06 };
  pocket.animate(
    [{ transform: placed(from), opacity: 0 }, { transform: placed(over), opacity: 1, offset: 0.72 }, { transform: placed(at) }],
    { duration: ROLLS, easing: "cubic-bezier(.2,.6,.3,1)" },
  );
}

export function Middle({ view: { pocket, spinning, table }, stage }) {
  const drawn = useRef();
  const shown = useRef();
  const { x, y, scale } = stage.dealer;
  const at = { x, y, scale: scale * 1.15 };
  useLayoutEffect(() => {
    if (spinning && spinning !== shown.current && drawn.current && !calm()) roll(drawn.current, at);
    shown.current = spinning;
  });
  return pocket && html`
    <g ref=${drawn} aria-hidden="true" style=${{ transform: placed(at) }}><${Pocket} table=${table} pocket=${pocket} /></g>`;
}
