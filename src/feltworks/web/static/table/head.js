// Above the felt: where you are, what is played, what the table waits for, and the way to everything posted.

import { html, useEffect, useState } from "../core/html.js";
import { useLater } from "../core/lazy.js";

// Seconds until the deadline, counted from the moment the view came, ticking only while there is one.
function useSeconds(view, offset) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (view.deadline === null) return undefined;
    const timer = setInterval(() => tick((n) => n + 1), 250);
    return () => clearInterval(timer);
  }, [view.deadline]);
  if (view.deadline === null) return null;
  return Math.max(0, Math.ceil((view.deadline - (performance.now() + offset)) / 1000));
}

const Clock = ({ view, offset }) => {
  const seconds = useSeconds(view, offset);
  return seconds === null ? null : html` <span class="clock" role="timer" aria-live="off">${seconds} s</span>`;
};

const Status = ({ view, offset, call, lost }) => html`
  <div class="status">
    <p class="state">
      ${lost ? "Reconnecting. Your seat and wagers are kept." : view.message}
      ${!lost && html`<${Clock} view=${view} offset=${offset} />`}
    </p>
    <p class="call">${call && html`<span class="unseen">Dealer: </span>“${call}”`}</p>
  </div>`;

// How the table stands opens what is behind it, the first thing among the pay tables.
const Badges = ({ table, onPart }) => html`
  <ul class="badges" aria-label="About this table">
    <li class="badge">${table.venue}</li>
    <li>
      <button type="button" class=${table.standing.startsWith("modified") ? "badge standing warn" : "badge standing"}
        title="What this means" onClick=${() => onPart("pays")}>${table.standing}</button>
    </li>
  </ul>`;

const PARTS = [
  ["pays", "Pay tables"],
  ["rules", "Rules"],
  ["history", "History"],
  ["fairness", "Fairness"],
  ["session", "Session"],
  ["settings", "Settings"],
];

/** @param {Page.Props} _ */
export const Head = ({ view, offset, call, lost, part, onPart, onLeave, home = "/" }) => {
  const clock = view.you?.clock;
  const SessionClock = useLater(clock, async () => (await import("./session-clock.js")).SessionClock);
  return html`
    <header class="head">
      <a class="home" href=${home} aria-label=${home === "/" ? "Feltworks, to the lobby" : "To all tables"}>
        <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M14.5 5 7.5 12l7 7" /></svg>
      </a>
      <div class="where">
        <div class="title"><h1>${view.table.name}</h1><${Badges} table=${view.table} onPart=${onPart} /></div>
        <p>
          <span class="game">${view.table.title} <span class="version">${view.table.version_title}</span></span>
          ${view.round !== null && html` <span class="round">Round ${view.round}</span>`}
          ${SessionClock && clock && html` <${SessionClock} clock=${clock} offset=${offset} />`}
        </p>
      </div>
      <${Status} view=${view} offset=${offset} call=${call} lost=${lost} />
      <nav class="parts" aria-label="Posted at this table">
        ${PARTS.map(([name, title]) => html`
          <button type="button" key=${name} class=${`part part-${name}`} aria-expanded=${part === name ? "true" : "false"}
            onClick=${() => onPart(part === name ? null : name)}>
            ${title}
          </button>`)}
        <button type="button" class="part part-all" aria-expanded=${part ? "true" : "false"}
          aria-label="Pay tables, rules, history, fairness, session, settings" onClick=${() => onPart(part ? null : "pays")}>
          <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 7H20M4 12H20M4 17H20" /></svg>
        </button>
        ${view.seats.some((s) => s.you && !s.leaving) && html`
          <button type="button" class="part leave" onClick=${onLeave}>Leave<span class="leave-seat"> seat</span></button>`}
      </nav>
    </header>`;
};
