// What the dealer does now: the words to say, the wave to make, what to move, take and pay, in the document's order.

import { ChipPicture } from "../felts/chips.js";
import { money, short } from "../core/format.js";
import { html } from "../core/html.js";

const LABEL = {
  say: "Say", signal: "Signal", move: "Move", card: "Move", shift: "Move", take: "Take", pay: "Pay", hold: "Hold", return: "Give back", leave: "Leave",
};

const dollars = (cents) => `$${short(cents)}`;

function Chips({ act }) {
  const words = act.chips.map(({ value, count }) => `${count} of ${dollars(value)}`);
  if (act.loose) words.push(`${money(act.loose)} in coins`);
  return html`
    <span class="chips" role="img" aria-label=${words.join(", ")}>
      ${act.chips.map(({ value, count }) => html`
        <span class="pile" key=${value}><${ChipPicture} value=${value} /><b aria-hidden="true">×${count}</b></span>`)}
      ${act.loose > 0 && html`<span class="pile loose" aria-hidden="true">+ ${money(act.loose)}</span>`}
    </span>`;
}

// A touch on one of them says that it and all before it are done.
function Act({ act, first, onDone, able }) {
  return html`
    <li class=${`act ${act.do}${first ? " first" : ""}`}>
      <button type="button" class="row" disabled=${!able} onClick=${() => onDone(act.number)}>
        <span class="label">${LABEL[act.do]}</span>
        <span class="what">${act.do === "say" ? html`<q>${act.text}</q>` : act.text}${act.detail && html` <small>${act.detail}</small>`}</span>
        ${act.chips.length + act.loose > 0 && html`<${Chips} act=${act} />`}
        ${act.amount > 0 && html`<span class="amount">${dollars(act.amount)}</span>`}
      </button>
    </li>`;
}

/** @param {{ acts: Array<Wire.Act>, onDone: (number?: number) => void, able: boolean }} props */
export function Now({ acts, onDone, able }) {
  if (!acts.length) return null;
  return html`
    <section class="now" aria-labelledby="now-title">
      <h2 id="now-title" class="unseen">What to do now</h2>
      <ol class="acts">${acts.map((act, i) => html`<${Act} key=${`${act.number} ${act.text}`} act=${act} first=${i === 0} onDone=${onDone} able=${able} />`)}</ol>
      <button type="button" class="done" onClick=${() => onDone()} disabled=${!able}>
        <span>${acts.length > 1 ? `All ${acts.length} done` : "Done"}</span><kbd>Space</kbd>
      </button>
      ${acts.length > 1 && html`<p class="one">The first alone is done: <kbd>.</kbd> or a touch on it</p>`}
    </section>`;
}
