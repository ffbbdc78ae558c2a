// The table by keyboard: number keys choose a chip, arrows go from spot to spot, Enter or Space places, Delete takes up;
// U, C, R, L, E and D are the buttons, and a decision's buttons have the letters written on them. Where nothing has the
// focus, Space is D; while something moves it shows how it ends.

import { settings } from "../core/settings.js";

const CONTROLS = "button, a, input, select, textarea, summary, [role=tab], [contenteditable]";

const spots = () => [.../** @type {NodeListOf<SVGElement>} */ (document.querySelectorAll("[data-spot][role]"))];

const onControl = (event) => event.target.closest?.(CONTROLS);

function between(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const all = spots();
  if (!step || !all.length || onControl(event)) return false;
  const byPlace = all.sort((a, b) => a.getBoundingClientRect().x - b.getBoundingClientRect().x);
  const at = byPlace.indexOf(event.target.closest?.("[data-spot]"));
  const first = byPlace.indexOf(document.querySelector("[data-spot].wanted"));
  byPlace[at < 0 ? Math.max(first, 0) : (at + step + byPlace.length) % byPlace.length].focus();
  return true;
}

export const press = (drawn) => drawn.dispatchEvent(new MouseEvent("click", { bubbles: true }));

// What is focused in the drawing and can be pressed.
function pressed(event, act) {
  const target = event.target.closest?.("[data-spot], [data-sit]");
  if (!target) return false;
  if (event.key === "Enter" || event.key === " ") {
    if (event.repeat) return true;
    press(target);
    return true;
  }
  if ((event.key === "Delete" || event.key === "Backspace") && target.dataset.spot) {
    act.takeUp(target.dataset.spot);
    return true;
  }
  return false;
}

// One letter for each option: its first that no other has. D is that of the option that goes on, if there is one.
export function letters(options, primary) {
  const taken = new Set(options.some(({ name }) => name === primary) ? "D" : "");
  return options.map(({ title }) => {
    const letter = [...title.toUpperCase()].find((c) => /[A-Z0-9]/.test(c) && !taken.has(c)) ?? "";
    taken.add(letter);
    return letter;
  });
}

function byLetter(event, { view, moving, chips, act }) {
  if (!settings().keys) return false;
  if (event.target.matches?.("input:not([type=checkbox]), textarea, select")) return false;
  const letter = event.key.toUpperCase();
  const space = letter === " " && !onControl(event);
  if (event.repeat && (space || /^[A-Z]$/.test(letter))) return true; // a key that is held deals and does not double
  const options = view?.you?.options ?? [];
  const { primary } = view?.table.layout ?? {};
  const main = options.find(({ name }) => name === primary);
  const option = main && (space || letter === "D") ? main : options[letters(options, primary).indexOf(letter)];
  if (option) act.choose(option.name);
  else if (space && (moving || options.length)) act.goOn();
  else if (options.length) return false;
  else return button(letter, space, chips, act);
  return true;
}

function button(letter, space, chips, act) {
  const chip = chips[Number(letter) - 1];
  if (chip) act.select(chip);
  else if (letter === "U") act.undo();
  else if (letter === "C") act.clear();
  else if (letter === "R") act.rebet();
  else if (letter === "L") act.collectAll();
  else if (letter === "E") act.ready();
  else if (letter === "D") act.primary();
  else if (space) act.space();
  else return false;
  return true;
}

// `now` gives {view, moving, chips, act} at the moment of the key. A key has the meaning that is seen then; if what is seen
// moves, it is shown how that ends.
export function listen(now) {
  const onKey = (event) => {
    if (event.target.closest?.(".drawer")) return;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const current = now();
    if (between(event) || pressed(event, current.act)) event.preventDefault();
    else if (byLetter(event, current)) {
      event.preventDefault();
      current.director.hurry();
    }
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}
