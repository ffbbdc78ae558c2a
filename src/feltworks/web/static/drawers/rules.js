// The rules of play: in a few lines how it is played, and behind them each statement with its number and its source.

import { html } from "../core/html.js";
import { useLoaded, Waiting } from "../core/api.js";

const Approval = ({ approval, notes }) => html`
  <details>
    <summary>Approval</summary>
    <p>${approval.authority}, document ${approval.document}, ${approval.approved}. For: ${approval.venues.join(", ")}.</p>
    <ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>
  </details>`;

/** @param {{ view: Wire.View, onTour: () => void }} props */
export function Rules({ view, onTour }) {
  const { data, error } = useLoaded(`/api/games/${view.table.game}?version=${view.table.game_version}`);
  const answers = new Map(view.table.readings.map(({ name, answer }) => [name, answer]));
  if (!data) return html`<${Waiting} error=${error} />`;
  return html`
    <div class="prose">
      <h2>${data.title}</h2>
      ${data.how_to_play.length
        ? html`<h3>How to play</h3><ol class="how-to">${data.how_to_play.map((line) => html`<li key=${line}>${line}</li>`)}</ol>`
        : html`<p>${data.summary}</p>`}
      ${view.you && html`<p><button type="button" class="copy" onClick=${onTour}>Show me how, three minutes</button></p>`}
      <details open=${!data.how_to_play.length}>
        <summary>All rules, by the documents</summary>
        <ol class="statements">
          ${data.statements.map(({ id, text, kind, source, reading }) => html`
            <li key=${id}>
              <span class="rule-number">${id}</span>
              <p>${text}</p>
              ${(reading ?? []).filter((name) => answers.has(name)).map((name) => html`<p key=${name}>Here: ${answers.get(name)}.</p>`)}
              <p class="about">${source} · ${kind}</p>
            </li>`)}
        </ol>
      </details>
      ${view.table.house_rules.length > 0 && html`
        <h3>House rules</h3>
        <ul class="notes">
          ${view.table.house_rules.map(({ text, kind }) => html`<li key=${text}>${text} <span class="about">(${kind})</span></li>`)}
        </ul>`}
      <h3>Notices</h3>
      <ul class="notes">${view.table.notices.map((text) => html`<li key=${text}>${text}</li>`)}</ul>
      ${data.approval && html`<${Approval} approval=${data.approval} notes=${[...data.ask_first, ...data.approval.notes]} />`}
    </div>`;
}
