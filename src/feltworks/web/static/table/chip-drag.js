// A chip drawn from the rail onto a spot. The chip follows the pointer; the spot under it is marked.

import { placed } from "../felts/motion.js";

const STARTS = 7; // a shorter way is a tap

const spotUnder = (x, y) => document.elementFromPoint(x, y)?.closest("[data-spot]") ?? null;

// The first is the pointer's event on a chip, and `chip` the picture that goes along.
export function startDrag({ clientX: x0, clientY: y0, pointerId }, chip, onDrop) {
  let ghost = null;
  let over = null;

  const mark = (spot) => {
    if (spot === over) return;
    over?.classList.remove("under-chip");
    spot?.classList.add("under-chip");
    over = spot;
  };
  const move = (e) => {
    if (e.pointerId !== pointerId) return;
    if (!ghost && Math.hypot(e.clientX - x0, e.clientY - y0) > STARTS) {
      ghost = chip.cloneNode(true);
      ghost.classList.add("dragged");
      document.body.append(ghost);
    }
    if (!ghost) return;
    ghost.style.transform = placed({ x: e.clientX, y: e.clientY });
    mark(spotUnder(e.clientX, e.clientY));
  };
  const end = (e) => {
    if (e.pointerId !== pointerId) return;
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    const spot = over;
    mark(null);
    ghost?.remove();
    if (ghost && spot && e.type === "pointerup") onDrop(spot);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}
