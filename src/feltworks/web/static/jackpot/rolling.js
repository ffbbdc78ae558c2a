// A meter whose digits roll up to what is in the books, and never stand above it: a meter that falls is there at once.

import { useEffect, useRef, useState } from "../core/html.js";
import { calm } from "../felts/motion.js";

const ROLL = 900;
const eased = (/** @type {number} */ part) => 1 - (1 - part) ** 3;

/** @param {number} cents what is durable @returns {number} what is shown */
export function useRolled(cents) {
  const [shown, setShown] = useState(cents);
  const last = useRef(cents);
  useEffect(() => {
    const from = last.current;
    const show = (/** @type {number} */ value) => {
      last.current = value;
      setShown(value);
    };
    if (calm() || cents <= from) return show(cents);
    const start = performance.now();
    let frame = requestAnimationFrame(function roll(now) {
      const part = Math.max(0, Math.min(1, (now - start) / ROLL));
      show(from + Math.floor((cents - from) * eased(part)));
      if (part < 1) frame = requestAnimationFrame(roll);
    });
    return () => cancelAnimationFrame(frame);
  }, [cents]);
  return Math.min(shown, cents);
}
