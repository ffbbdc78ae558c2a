// The page of one round, for whoever has the link to it: the felt as it was seen, the round step by step, and its check.

import { useLoaded, Waiting } from "../core/api.js";
import { html, render, useState } from "../core/html.js";
import { module, useLater } from "../core/lazy.js";
import { settings } from "../core/settings.js";
import { Recall } from "../drawers/recall.js";
import { SaveRound } from "../drawers/share-round.js";
import { Felt } from "../felts/felt.js";
import { turnedTo } from "../felts/turned.js";

// What a round is told by where the rules of its table are not there any more.
/** @returns {any} */
const bare = ({ table, name }) => ({ id: table, name, title: "", version_title: "", spots: [], layout: {} });

// The view at a step as the felt draws it, turned to the seat that shares its cards, or to nobody's.
/** @param {Wire.RoundViews} seen @param {number} last @param {number | null} turned */
function viewAt({ table, views }, last, turned) {
  const found = views.findLast(({ sequence }) => sequence <= last) ?? views[0];
  return { ...turnedTo(found.view, turned), table, version: found.sequence, now: 0 };
}

/** @param {{ seen: Wire.RoundViews, last: number, seat: number | null }} props */
function Table({ seen, last, seat }) {
  const [narrow, setNarrow] = useState(false);
  const played = seen.views.at(-1).view.seats.find((s) => s.results.length || Object.keys(s.wagers).length)?.seat ?? null;
  const turned = seat ?? (narrow ? played : null);
  return html`
    <div class="seen">
      <${Felt} frame=${{ view: viewAt(seen, last, turned), flights: [], calls: [], number: last, skipped: true }} onNarrow=${setNarrow} />
      ${narrow && turned !== null && html`<p class="about">Seat ${turned} is shown; the others are told below.</p>`}
    </div>`;
}

/** @param {{ shared: Wire.Recalled["shared"], dice: unknown }} props */
const SharedNote = ({ shared, dice }) => {
  if (!shared) return null;
  if (shared.why) return html`<p class="shared" role="note">${shared.why}</p>`;
  const none = dice ? `You see the round from seat ${shared.seat}.` : `No card of this round was turned to seat ${shared.seat} alone; everything lay open to all.`;
  return html`
    <p class="shared" role="note">
      ${shared.cards.length ? `Seat ${shared.seat} shows you the cards that only it saw. Nobody else's are here.` : none}
    </p>`;
};

const Head = ({ place, table, round }) => html`
  <header class="round-head">
    <a class="wordmark" href="/">Feltworks</a>
    <div>
      <h1>Round ${place.number}, ${place.name}</h1>
      <p class="about">${table.title} ${table.version_title}</p>
    </div>
    <ul class="badges" aria-label="About this round">
      <li class="badge warn">recall</li>
      ${table.venue && html`<li class="badge">${table.venue}</li>`}
      <li class=${round.standing.startsWith("modified") ? "badge warn" : "badge"}>${round.standing}</li>
    </ul>
  </header>`;

function Round({ place }) {
  const path = `/api/tables/${place.table}/rounds/${place.number}`;
  const code = place.share ? `?share=${place.share}` : "";
  const { data: round, error } = useLoaded(path + code);
  const { data: seen, error: unseen } = useLoaded(`${path}/views${code}`);
  const [last, setLast] = useState(Infinity);
  const [checks, setChecks] = useState(false);
  const Check = useLater(checks, async () => (await module("drawers/fairness.js")).Check);
  if (!round || (!seen && !unseen)) return html`<div class="loading"><${Waiting} error=${error ?? "Looking up the round."} /></div>`;
  const table = seen?.table ?? bare(place);
  const { fourColours } = settings();
  return html`
    <div class=${fourColours ? "round-page four-colours" : "round-page"}>
      <${Head} place=${place} table=${table} round=${round} />
      <main id="main" class=${seen?.views.length ? undefined : "in-words"}>
        ${seen?.views.length > 0 && html`<${Table} seen=${seen} last=${last} seat=${round.shared?.seat ?? null} />`}
        <div class="told">
          ${place.closed && html`<p class="about">${place.closed}</p>`}
          <${SharedNote} shared=${round.shared} dice=${table.layout.dice} />
          <${Recall} table=${table} round=${round} first=${Number(place.step) || Infinity} onStep=${(step) => setLast(step.sequence)} />
          <div class="row">
            <${SaveRound} table=${table} round=${round} code=${place.share} />
            ${!place.closed && html`<a class="copy" href=${`/table/${place.table}`}>To the table</a>`}
          </div>
          ${round.warnings.map((line) => html`<p key=${line} class="about">${line}</p>`)}
          ${unseen && html`<p class="about">${unseen}</p>`}
          <details class="prose" onToggle=${(event) => setChecks(event.target.open)}>
            <summary>Check the ${table.decks === null ? "rolls" : "cards"} of this round</summary>
            ${Check && html`<${Check} table=${table} number=${round.round} noted=${new Map()} />`}
          </details>
        </div>
      </main>
    </div>`;
}

const place = document.getElementById("round");
place.replaceChildren();
render(html`<${Round} place=${{ ...place.dataset }} />`, place);
