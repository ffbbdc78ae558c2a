// What a person chooses for this browser; kept in it, and nowhere else.

const KEY = "feltworks";
const DEFAULTS = { fourColours: false, calm: false, keys: true, sound: false, toured: false };

let kept = null;
const listeners = new Set();

export function settings() {
  if (kept === null) {
    try {
      kept = { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
    } catch {
      kept = DEFAULTS;
    }
  }
  return kept;
}

export function choose(name, value) {
  kept = { ...settings(), [name]: value };
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing still plays with the choice until the page is left.
  }
  for (const listener of listeners) listener(kept);
}

export function onChoice(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// Where one points with a finger there is no keyboard, and nothing is said of keys; those of one that is there all the same
// work.
export const hasKeyboard = () => matchMedia("(any-hover: hover) and (any-pointer: fine)").matches;
