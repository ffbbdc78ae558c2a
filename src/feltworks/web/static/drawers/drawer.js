// What is posted at the table, one step away: beside the felt on wide screens, a sheet from below on narrow ones.

import { html, useEffect, useRef } from "../core/html.js";
import { Fairness } from "./fairness.js";
import { History } from "./history.js";
import { style } from "../core/lazy.js";
import { OwnName } from "./own-name.js";
import { Pays } from "./pay-tables.js";
import { Rules } from "./rules.js";
import { Session } from "./session.js";
import { choose, hasKeyboard, settings } from "../core/settings.js";

await Promise.all(["drawer", "prose", "rounds", "fairness"].map((name) => style(`drawers/${name}.css`)));

const Switch = ({ name, title, children }) => html`
  <label class="switch">
    <input type="checkbox" checked=${settings()[name]} onChange=${(event) => choose(name, event.target.checked)} />
    <span><strong>${title}</strong><span class="about">${children}</span></span>
  </label>`;

const KEYS = [
  ["1 to 6", "choose a chip"],
  ["Tab, arrows", "go to a spot"],
  ["Enter, Space", "place the chip there"],
  ["Delete", "take the spot's wager up"],
  ["U", "undo the last chip"],
  ["C", "clear all your wagers"],
  ["R", "bet as in the last round"],
  ["L", "collect what your wagers have won"],
  ["D", "deal, or go on"],
  ["Space", "skip what moves; deal or roll what lies there"],
];

const Settings = ({ view }) => html`
  <div class="prose">
    ${view.you && html`<${OwnName} name=${view.you.name} />`}
    <${Switch} name="fourColours" title="Four-colour suits">Diamonds blue, clubs green.<//>
    <${Switch} name="calm" title="Without motion">Cards, dice and chips are at once where they go.<//>
    <${Switch} name="sound" title="Sound">Cards, chips, dice, and when it is your turn. Quiet.<//>
    ${hasKeyboard() && html`
      <${Switch} name="keys" title="Letter keys">Play with single keys.<//>
      <h3>Keys</h3>
      <table class="plain">
        <tbody>${KEYS.map(([key, what]) => html`<tr key=${key}><th scope="row">${key}</th><td>${what}</td></tr>`)}</tbody>
      </table>
      <p class="about">A decision's buttons show their own letters.</p>`}
    <p class="about">These choices stay in this browser.</p>
    ${view.you && html`
      <h3>Your session</h3>
      <form method="post" action="/logout">
        <button type="submit" class="copy">Log out</button>
        <p class="about">A guest cannot come back to the play money.</p>
      </form>`}
  </div>`;

const TABS = [
  ["pays", "Pay tables", Pays],
  ["rules", "Rules", Rules],
  ["history", "History", History],
  ["fairness", "Fairness", Fairness],
  ["session", "Session", Session],
  ["settings", "Settings", Settings],
];

function step(event, onPart) {
  const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!move) return;
  event.preventDefault();
  const names = TABS.map(([name]) => name);
  const at = names.indexOf(event.target.dataset.part);
  const next = names[(at + move + names.length) % names.length];
  onPart(next);
  event.currentTarget.querySelector(`[data-part=${next}]`).focus();
}

export function Drawer({ part, onPart, onClose, view, roots, act, onTour }) {
  const drawer = useRef();
  const opener = useRef(document.activeElement);
  useEffect(() => {
    drawer.current.querySelector(`[data-part=${part}]`).focus();
    return () => opener.current?.isConnected && opener.current.focus();
  }, []);
  // Escape closes it, also when the button that was pressed last is gone.
  useEffect(() => {
    const onKey = (event) => event.key === "Escape" && (event.target === document.body || drawer.current.contains(event.target)) && onClose();
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  useEffect(() => drawer.current.querySelector("[aria-selected=true]").scrollIntoView({ block: "nearest", inline: "nearest" }), [part]);
  const [, title, Part] = TABS.find(([name]) => name === part);
  return html`
    <aside class="drawer" ref=${drawer} aria-label=${title}>
      <div class="drawer-head">
        <div class="tabs" role="tablist" aria-label="Posted at this table" onKeyDown=${(event) => step(event, onPart)}>
          ${TABS.map(([name, text]) => html`
            <button type="button" role="tab" key=${name} id=${`tab-${name}`} data-part=${name} aria-controls="drawer-panel"
              aria-selected=${name === part ? "true" : "false"} tabindex=${name === part ? 0 : -1} onClick=${() => onPart(name)}>
              ${text}
            </button>`)}
        </div>
        <button type="button" class="close" aria-label="Close" onClick=${onClose}>
          <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6 18 18M18 6 6 18" /></svg>
        </button>
      </div>
      <div class="drawer-body" id="drawer-panel" role="tabpanel" aria-labelledby=${`tab-${part}`} tabindex="0">
        <h2 class="unseen">${title}</h2>
        <${Part} key=${part} view=${view} roots=${roots} act=${act} onTour=${onTour} />
      </div>
    </aside>`;
}
