// What a player has before them: the chips, the buttons of betting, and those of a decision.

import { ChipPicture } from "../felts/chips.js";
import { startDrag } from "./chip-drag.js";
import { money, withoutRules } from "../core/format.js";
import { html } from "../core/html.js";
import { letters, press } from "./keyboard.js";
import { style } from "../core/lazy.js";
import { Key, Primary } from "./rail.js";

await style("table/betting.css");

// A chip is chosen with a tap and may be drawn onto a spot.
const Chips = ({ chips, selected, act, enabled }) => html`
  <div class="chips" role="radiogroup" aria-label="Chip to place">
    ${chips.map((value, i) => html`
      <button type="button" key=${value} role="radio" class="chip-button" disabled=${!enabled}
        aria-checked=${value === selected ? "true" : "false"} tabindex=${value === selected ? 0 : -1}
        aria-label=${`Chip of ${money(value)}`} aria-keyshortcuts=${String(i + 1)}
        onClick=${() => act.select(value)} onPointerDown=${(event) => drag(event, value, act)}
        onKeyDown=${(event) => stepTo(event, chips, i, act.select)}>
        <${ChipPicture} value=${value} />
      </button>`)}
  </div>`;

function drag(event, value, act) {
  if (event.button) return;
  startDrag(event, event.currentTarget.querySelector("svg"), (spot) => {
    act.select(value);
    press(spot);
  });
}

function stepTo(event, chips, i, onSelect) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const next = step && chips[i + step];
  if (!next) return;
  event.preventDefault();
  event.stopPropagation();
  onSelect(next);
  event.currentTarget.parentElement.children[i + step].focus();
}

const Small = ({ name, letter, onClick, disabled }) => html`
  <button type="button" class=${`small ${name.toLowerCase()}`} onClick=${onClick} disabled=${disabled} aria-keyshortcuts=${letter}>
    ${name}<${Key}>${letter}<//>
  </button>`;

// While one is on its way to the table, another press does nothing, and the buttons say so.
export const Options = ({ options, primary, onChoose, busy }) => {
  const keys = letters(options, primary);
  const main = options.some(({ name }) => name === primary);
  return html`
    <div class=${main ? "options led" : "options"} role="group" aria-label="Your decision">
      ${options.map(({ name, title, wager, refused }, i) => html`
        <button type="button" key=${name} class=${`option${name === primary ? " main" : ""}${refused ? " refused" : ""}`} onClick=${() => onChoose(name)}
          aria-keyshortcuts=${keys[i]} aria-disabled=${busy || refused ? "true" : null} title=${refused ? withoutRules(refused) : null}>
          <span>${title}${wager ? html` <span class="amount">${money(wager)}</span>` : ""}</span><${Key}>${keys[i]}<//>
        </button>`)}
    </div>`;
};

const Betting = ({ view, act, state }) => {
  const { you } = view;
  const { next } = state;
  const seat = view.seats.find((s) => s.you);
  const open = you.spots.length > 0;
  const idle = open && !seat?.ready;
  return html`
    <${Chips} chips=${state.chips} selected=${state.selected} act=${act} enabled=${open} />
    <div class="actions">
      <div class=${next.plain ? "smalls four" : "smalls"}>
        <${Small} name="Undo" letter="U" onClick=${act.undo} disabled=${!idle || !state.canUndo} />
        <${Small} name="Clear" letter="C" onClick=${act.clear} disabled=${!idle || !state.canClear} />
        <${Small} name="Rebet" letter="R" onClick=${act.rebet} disabled=${!idle || !state.canRebet} />
        ${next.plain && html`<${Small} name=${next.plain} letter="E" onClick=${act.ready} />`}
      </div>
      <${Primary} text=${next.text} letter="D" onClick=${act.primary} disabled=${!next.enabled} />
    </div>`;
};

export const Playing = ({ view, act, state }) =>
  view.you.options.length
    ? html`<${Options} options=${view.you.options} primary=${view.table.layout.primary} onChoose=${act.choose} busy=${state.busy} />`
    : html`<${Betting} view=${view} act=${act} state=${state} />`;
