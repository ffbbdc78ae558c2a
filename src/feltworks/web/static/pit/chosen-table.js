// The table that was chosen on the board: what is known of it now, what can be done there, and its last rounds.

import { useLoaded } from "../core/api.js";
import { money } from "../core/format.js";
import { html, useEffect, useRef } from "../core/html.js";
import { When } from "../drawers/recall.js";
import { PHASES, secondsLeft } from "./tile.js";
import { Alert, WithReason } from "./waits.js";

const ROUNDS = 6;

// The house's clock, which is so many minutes ahead of UTC.
const clock = (/** @type {number} */ ahead) => (/** @type {number} */ ms) => new Date(ms + ahead * 60_000).toISOString().slice(11, 16);

// The last rounds that are over, each on its felt.
/** @param {{ table: Wire.BoardTable, ahead: number }} props */
export function LastRounds({ table, ahead }) {
  const { data, error } = useLoaded(`/api/tables/${table.id}/rounds?since=${table.round ?? "none"}`); // asked anew when a round is over
  const last = useRef(/** @type {any} */ (null));
  if (data) last.current = data;
  const rounds = last.current?.rounds.filter((round) => round.over).slice(0, ROUNDS) ?? [];
  if (error) return html`<p class="quiet">${error}</p>`;
  if (!rounds.length) return html`<p class="quiet">${last.current ? "No round is over yet." : "Looking them up."}</p>`;
  return html`
    <ul class="last-rounds">
      ${rounds.map((round) => html`
        <li key=${round.round}><a href=${`/table/${table.id}/round/${round.round}`}>Round ${round.round}</a> <${When} ms=${round.time} show=${clock(ahead)} />${round.void && html` <span class="quiet">void</span>`}</li>`)}
    </ul>`;
}

/** @param {{ table: Wire.BoardTable, now: number, ahead: number, root: string, roles: string[], can: string[], search: boolean, press: import("./waits.js").Press, onClose: () => void }} props */
export function ChosenTable({ table, now, ahead, root, roles, can, search, press, onClose }) {
  const seconds = secondsLeft(table, now);
  const heading = useRef(/** @type {any} */ (null));
  useEffect(() => heading.current.focus(), [table.id]);
  /** @param {KeyboardEvent} event */
  const onKey = (event) => event.key === "Escape" && onClose();
  return html`
    <section class="chosen-table" aria-labelledby="chosen" onKeyDown=${onKey}>
      <header>
        <h2 id="chosen" tabindex="-1" ref=${heading}>${table.name}</h2>
        <button type="button" class="small" onClick=${onClose}>Close</button>
      </header>
      <p class="quiet">${table.title} <span class="badge">${table.standing || table.venue}</span></p>
      <p>${table.message}${seconds !== null && html` <span class="gold">${seconds} s</span>`}</p>
      <dl class="facts">
        <div><dt>Phase</dt><dd>${PHASES[table.phase]}</dd></div>
        ${table.round !== null && html`<div><dt>Round</dt><dd>${table.round}</dd></div>`}
        <div><dt>Dealer</dt><dd>${table.dealer || "nobody"}</dd></div>
        <div><dt>Seats</dt><dd>${table.taken.length} of ${table.seats}</dd></div>
        <div><dt>In action</dt><dd>${money(table.stake)}</dd></div>
      </dl>
      <p class="acts">
        <a class="button" href=${`${root}/house/watch/${table.id}`}>Watch it on the felt</a>
        <a class="button" href=${`${root}/house/tables/${table.id}`}>Its page</a>
        ${can.includes("correct") && table.has_dealer && table.round !== null && html`<a class="button" href=${`${root}/house/tables/${table.id}/correct`}>Correct an entry</a>`}
        ${search && html`<a class="button" href=${`${root}/house/search?table=${encodeURIComponent(table.id)}`}>Search it</a>`}
      </p>
      ${table.alerts.length > 0 && html`
        <ul class="waits">${table.alerts.map((alert) => html`<${Alert} key=${alert.kind + alert.id} table=${table} alert=${alert} within="chosen" root=${root} roles=${roles} press=${press} />`)}</ul>`}
      ${can.includes("pause") && table.service === "open" && html`
        <h3>Pause the table</h3>
        <p class="hint">Everything lies where it is, and no clock runs. Everybody reads the reason.</p>
        <${WithReason} id="pause-reason" label="Reason" title="Pause" onSend=${(reason) => press({ table: table.id, do: "pause", reason })} />`}
      <h3>Its last rounds</h3>
      <${LastRounds} key=${table.id} table=${table} ahead=${ahead} />
    </section>`;
}
