// Below the felt for those who only watch: who deals, what is wrong, and the way to the rounds that are over.

import { money } from "../core/format.js";
import { html, useEffect, useState } from "../core/html.js";
import { BoardConnection } from "./board-connection.js";
import { called, Sign } from "./signs.js";

const MOST = 3; // alerts in words, so that the felt keeps its place

// `seat` is the one that is drawn, where there is room for one; another is chosen here.
/** @param {{ view: Page.View, place: Record<string, string>, seat: number | null, onLook: (seat: number) => void }} props */
export function Watched({ view, place, seat, onLook }) {
  const [known, setKnown] = useState(/** @type {import("./board-connection.js").Known | null} */ (null));
  useEffect(() => {
    new BoardConnection(place.root, setKnown, place.table);
  }, []);
  const row = known?.tables[0];
  const alerts = row?.alerts ?? [];
  const rounds = `${place.root}/house/tables/${place.table}#rounds`;
  return html`
    <section class="watched" aria-label="About this table">
      <p class="unseen" role="log" aria-live="assertive">${known?.news.map((line, i) => html`<span key=${i + line}>${line} </span>`)}</p>
      <dl>
        <div><dt>Dealer</dt><dd>${row ? row.dealer || "nobody" : "…"}</dd></div>
        <div><dt>In action</dt><dd>${row ? money(row.stake) : "…"}</dd></div>
        <div><dt>Seats</dt><dd>${view.seats.filter((s) => s.name).length} of ${view.table.seats}</dd></div>
      </dl>
      ${seat !== null && html`
        <div class="looked-at" role="group" aria-label="The seat on the felt">
          ${view.seats.filter((s) => s.name).map((s) => html`<button key=${s.seat} type="button" aria-pressed=${s.seat === seat ? "true" : "false"} onClick=${() => onLook(s.seat)}>Seat ${s.seat}</button>`)}
        </div>`}
      <ul class="watched-alerts">
        ${alerts.slice(0, MOST).map((alert) => html`<li key=${alert.kind + alert.id}><${Sign} kind=${alert.kind} /><span><strong>${called(alert.kind)}</strong> ${alert.text}</span></li>`)}
        ${alerts.length > MOST && html`<li class="none">and ${alerts.length - MOST} more, told with all tables</li>`}
        ${row && !alerts.length && html`<li class="none">You watch: everything that lies open, and nothing else.</li>`}
      </ul>
      <p class="ways">
        <a href=${rounds}>Rounds</a>
        ${place.search && html`<a href=${`${place.root}/house/search?table=${encodeURIComponent(place.table)}`}>Search</a>`}
        <a href=${place.watch}>All tables</a>
      </p>
    </section>`;
}
