// Movements of single things. Who asks for calm, by the system or in the settings, sees end states only.

import { settings } from "../core/settings.js";

export const DEAL = 120;
export const TURN = 180;
export const CHIPS = 300;
export const MOVE = 260;
export const DICE = 1000;
const EASE = "cubic-bezier(.2,.7,.2,1)";

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

export const calm = () => reduced.matches || settings().calm || document.hidden;

export const placed = ({ x, y, turn = 0, scale = 1 }) =>
  `translate(${x.toFixed(1)}px,${y.toFixed(1)}px) rotate(${turn.toFixed(1)}deg) scale(${scale.toFixed(3)})`;

export function travel(element, from, to, ms = DEAL) {
  element.animate([{ transform: placed(from) }, { transform: placed(to) }], { duration: ms, easing: EASE });
}

// Chips set down or lifted: they are there at both ends of the way, and gone after it.
export function fly(element, from, to, ms = CHIPS) {
  const way = element.animate([{ transform: placed(from) }, { transform: placed(to) }], {
    duration: ms,
    easing: EASE,
    fill: "both",
  });
  way.onfinish = () => element.classList.add("landed");
}

// The back narrows to an edge, and the face widens from it.
export function turnOver(back, face, delay = 0) {
  const half = { duration: TURN / 2, fill: "both" };
  back.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], { ...half, delay, easing: "ease-in" });
  face.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], {
    ...half,
    delay: delay + TURN / 2,
    easing: "ease-out",
  });
}
