// A round for others and for keeps: a link to its page, and the round as a file.

import { get } from "../core/api.js";
import { html, useEffect, useRef, useState } from "../core/html.js";
import { toldSteps } from "./recall.js";

const utc = (ms) => new Date(ms).toISOString().slice(0, 19).replace("T", " ");

// A round as text: where and by which rules it was played, and every step in words with its time. Whoever keeps it may want
// to look a rule up, so a settlement has the number of its rule.
/** @param {Wire.Recalled} round @param {Wire.About} table */
export function textOf(round, table) {
  const head = [
    `Round ${round.round} at ${table.name}, recalled from the records`,
    [table.title, table.version_title].filter(Boolean).join(", "),
    round.standing,
    ...round.warnings,
    round.root && `Root ${round.root}`,
    round.shared && (round.shared.why || `With the cards that seat ${round.shared.seat} alone saw`),
    "Times are UTC.",
  ];
  return [...head.filter(Boolean), "", ...toldSteps(round, table).map((s) => `${utc(s.time)}  ${s.text}${s.rule ? ` ${s.rule}` : ""}`), ""].join("\n");
}

/** @param {Wire.Recalled} round @param {Wire.About} table */
function saveText(round, table) {
  const url = URL.createObjectURL(new Blob([textOf(round, table)], { type: "text/plain" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: `feltworks-${table.id}-round-${round.round}.txt` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** @param {{ table: Wire.About, round: Wire.Recalled, code?: string }} props */
export const SaveRound = ({ table, round, code }) => html`
  <a class="copy" href=${`/api/tables/${table.id}/rounds/${round.round}?file=true${code ? `&share=${code}` : ""}`}
    download>Save as JSON</a>
  <button type="button" class="copy" onClick=${() => saveText(round, table)}>Save as text</button>`;

// Whether the link shows your seat, and with it the cards that only you saw, is asked each time.
function Link({ table, number, mine }) {
  const [shows, setShows] = useState(false);
  const [secret, setSecret] = useState(null);
  const [error, setError] = useState(null);
  const [copied, setCopied] = useState(null);
  const path = `/table/${table.id}/round/${number}`;
  const link = location.origin + (shows ? (secret ?? "") : path);
  const choose = (event) => {
    const wanted = event.target.checked;
    setShows(wanted);
    setError(null);
    if (!wanted || secret) return;
    get(`/api${path.replace("/table/", "/tables/").replace("/round/", "/rounds/")}/share`).then(
      (made) => setSecret(made.link),
      ({ message }) => {
        setShows(false);
        setError(message);
      },
    );
  };
  const ready = !shows || secret;
  const panel = useRef();
  useEffect(() => panel.current.scrollIntoView({ block: "nearest" }), []);
  const copy = () => navigator.clipboard.writeText(link).then(() => setCopied(link), () => setCopied(null));
  return html`
    <div class="share-link" ref=${panel}>
      ${mine && html`
        <label class="switch">
          <input type="checkbox" checked=${shows} onChange=${choose} />
          <span><strong>${table.layout.dice ? "Show it from my seat" : "Show my own cards"}</strong>
            <span class="about">${table.layout.dice
              ? "Whoever has the link sees which seat was mine."
              : "Also those that were turned to my seat alone. Whoever has the link sees them."}</span></span>
        </label>`}
      ${error && html`<p class="about" role="alert">${error}</p>`}
      <label class="about">Link to this round
        <input type="text" readonly value=${ready ? link : ""} onFocus=${(event) => event.target.select()} />
      </label>
      <div class="row">
        ${navigator.clipboard && html`
          <button type="button" class="copy" disabled=${!ready} onClick=${copy}>${copied === link ? "Copied" : "Copy"}</button>`}
        <a class="copy" href=${ready ? link : undefined}>Open</a>
      </div>
    </div>`;
}

/** @param {{ table: Wire.About, round: Wire.Recalled, mine: boolean, code?: string }} props */
export function ShareRound({ table, round, mine, code }) {
  const [open, setOpen] = useState(false);
  return html`
    <div class="share">
      <div class="row">
        <button type="button" class="copy" aria-expanded=${open ? "true" : "false"} onClick=${() => setOpen(!open)}>Share this round</button>
        <${SaveRound} table=${table} round=${round} code=${code} />
      </div>
      ${open && html`<${Link} table=${table} number=${round.round} mine=${mine} />`}
    </div>`;
}
