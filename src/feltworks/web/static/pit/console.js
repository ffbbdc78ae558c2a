// The dealer's console: what to do now, what is entered next, and the table beside it.

import { Controller } from "./controller.js";
import { Entry } from "./pad.js";
import { html, render, useEffect, useRef, useState } from "../core/html.js";
import { Now } from "./now.js";
import { Open } from "./panels.js";
import { Seats } from "./seats.js";
import { settings } from "../core/settings.js";

/** @param {{ controller: Controller, root: string }} props */
function Head({ controller, root }) {
  const { view, console: told, lost } = controller;
  const { table } = view;
  return html`
    <header class="top">
      <a class="back" href=${`${root}/house/tables/${table.id}`} aria-label="To the table's page">‹</a>
      <div class="which">
        <h1>${table.name}</h1>
        <p>${table.title}${view.round ? ` · round ${view.round}` : ""} <span class="badge">${table.standing}</span></p>
      </div>
      <p class=${`line ${lost ? "lost" : "live"}`} role="status">${lost ? "Offline. What you enter is kept and sent when the line is back." : "Live"}</p>
      <div class="dealing">
        <p>${told.yours ? html`<b><bdi>${told.dealer}</bdi></b> deals` : told.dealer ? html`<b><bdi>${told.dealer}</bdi></b> deals` : "Nobody deals"}</p>
        ${told.yours && html`<button type="button" class="quiet" onClick=${() => controller.send({ kind: "sign off" })}>Sign off</button>`}
      </div>
    </header>`;
}

/** @param {{ controller: Controller }} props */
function Foot({ controller }) {
  const { can_take_back: back, yours, free, leaving, no_patrons: none } = controller.console;
  const inRound = controller.view.round !== null;
  const rules = controller.view.table.house_rules.length;
  return html`
    <footer class="tools">
      <button type="button" class="back-button" disabled=${!yours || !back} onClick=${() => controller.takeBack()}>
        <span>Take back${back && html` <small>${back}</small>`}</span><kbd>⌫</kbd></button>
      <button type="button" disabled=${!yours || (!free.length && !leaving.length && !none)} onClick=${() => controller.open("patrons")}><span>Patrons</span></button>
      <button type="button" disabled=${!yours || !inRound} onClick=${() => controller.open("report")}><span>Report</span><kbd>/</kbd></button>
      <button type="button" onClick=${() => controller.open("keys")}><span>${rules > 0 ? "House rules, keys" : "Keys"}</span><kbd>?</kbd></button>
    </footer>`;
}

function Page({ url, root }) {
  const [, redraw] = useState(0);
  const ref = useRef(null);
  const controller = (ref.current ??= new Controller(url, () => redraw((n) => n + 1)));
  const { view, console: told } = controller;
  const felt = view?.table.layout.felt;
  useEffect(() => felt && document.body.style.setProperty("--felt", felt), [felt]);
  if (!view) return html`<p class="loading" role="status">${controller.wrong || "Going to the table."}</p>`;
  const acts = told.yours ? told.acts : [];
  return html`
    <div class=${`console${settings().fourColours ? " four-colours" : ""}${controller.lost ? " offline" : ""}`} data-version=${view.version}>
      <${Head} controller=${controller} root=${root} />
      <main id="main">
        <${Seats} view=${view} />
        <div class="guide">
          ${told.said && html`<p class="said" role="status">${told.said}</p>`}
          <${Now} acts=${acts} onDone=${(number) => (number ? controller.send({ kind: "tick off", done: number }) : controller.goOn())} able=${told.yours} />
          <${Entry} controller=${controller} later=${acts.length > 0} />
        </div>
      </main>
      <${Foot} controller=${controller} />
      <${Open} controller=${controller} />
      <p class="unseen" role="log" aria-live="assertive">${acts.map((act) => html`<span key=${`${act.number} ${act.text}`}>${act.text}. </span>`)}</p>
    </div>`;
}

const place = document.getElementById("console");
const url = new URL(`${place.dataset.root}/house/tables/${place.dataset.table}/deal/socket`, location.href);
url.protocol = url.protocol.replace("http", "ws");
render(html`<${Page} url=${url.href} root=${place.dataset.root} />`, place);
