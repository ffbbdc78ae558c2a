// The rules of play: each statement with its number and where it comes from.

import { html } from "../core/html.js";
import { useLoaded, Waiting } from "../core/api.js";

const Approval = ({ approval, notes }) => html`
  <h3>Approval</h3>
  <p>${approval.authority}, document ${approval.document}, ${approval.approved}. For: ${approval.venues.join(", ")}.</p>
  <ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`;

/** @param {{ view: Wire.View, onTour: () => void }} props */
export function Rules({ view, onTour }) {
  const { data, error } = useLoaded(`/api/games/${view.table.game}?version=${view.table.game_version}`);
  if (!data) return html`<${Waiting} error=${error} />`;
  return html`
    <div class="prose">
      <h2>${data.title}</h2>
      <p>${data.summary}</p>
      ${view.you && html`<p><button type="button" class="copy" onClick=${onTour}>Show me how, three minutes</button></p>`}
      <ol class="statements">
        ${data.statements.map(({ id, text, source }) => html`
          <li key=${id}><span class="number">${id}</span><p>${text}</p><p class="about">${source}</p></li>`)}
      </ol>
      ${data.approval && html`<${Approval} approval=${data.approval} notes=${[...data.ask_first, ...data.approval.notes]} />`}
    </div>`;
}
