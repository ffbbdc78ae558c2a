// How long you have played since you came, and what it has brought: small, and without any urging. Once an hour a quiet
// sentence says so.

import { signed } from "../core/format.js";
import { html, useEffect, useState } from "../core/html.js";

const MINUTE = 60_000;
const HOUR = 60; // minutes
const SAID_FOR = 3; // minutes

/** @param {number} minutes */
export const duration = (minutes) => (minutes < HOUR ? `${minutes} min` : `${Math.floor(minutes / HOUR)} h ${minutes % HOUR} min`);

// Once an hour, for a while: a sentence in place of the clock.
/** @param {number} minutes */
function reminder(minutes) {
  const hours = Math.floor(minutes / HOUR);
  return hours && minutes % HOUR < SAID_FOR ? `You have played for ${hours === 1 ? "an hour" : `${hours} hours`}` : "";
}

/** @param {{ clock: Wire.SessionClock, offset: number }} props */
export function SessionClock({ clock, offset }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), MINUTE / 4);
    return () => clearInterval(timer);
  }, []);
  const playing = clock.since === null ? 0 : performance.now() + offset - clock.since;
  const minutes = Math.max(0, Math.floor((clock.spent + playing) / MINUTE));
  const said = reminder(minutes);
  return html`
    <span class="session-clock">
      <span role="status">${said}</span>${!said && html`<span class="unseen">You have played for </span>${duration(minutes)}`} · net ${signed(clock.net)}
    </span>`;
}
