// Below the felt: your money, the chips, and what you can do now.

import { capital, money, sum } from "./format.js";
import { html, useLayoutEffect, useRef } from "./html.js";
import { ChipPicture } from "./chips.js";
import { settings } from "./settings.js";

const Key = ({ children }) => (settings().keys ? html`<kbd aria-hidden="true">${children}</kbd>` : null);

const Figure = ({ title, children }) => html`<div class="figure"><dt>${title}</dt><dd>${children}</dd></div>`;

const Money = ({ view }) => html`
  <dl class="money">
    <${Figure} title="Balance">${money(view.you.balance)}<//>
    <${Figure} title="On the table">${money(sum(Object.values(view.seats.find((s) => s.you)?.wagers ?? {})))}<//>
  </dl>`;

// A chip is chosen with a tap and may be drawn onto a spot.
const Chips = ({ chips, selected, onSelect, onDrag, enabled }) => html`
  <div class="chips" role="radiogroup" aria-label="Chip to place">
    ${chips.map((value, i) => html`
      <button type="button" key=${value} role="radio" class="chip-button" disabled=${!enabled}
        aria-checked=${value === selected ? "true" : "false"} tabindex=${value === selected ? 0 : -1}
        aria-label=${`Chip of ${money(value)}`} aria-keyshortcuts=${String(i + 1)}
        onClick=${() => onSelect(value)} onPointerDown=${(event) => onDrag(event, value)}
        onKeyDown=${(event) => stepTo(event, chips, i, onSelect)}>
        <${ChipPicture} value=${value} />
      </button>`)}
  </div>`;

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
  <button type="button" class="small" onClick=${onClick} disabled=${disabled} aria-keyshortcuts=${letter}>
    ${name}<${Key}>${letter}<//>
  </button>`;

const Primary = ({ children, letter, onClick, disabled }) => html`
  <button type="button" class="primary" id="primary" onClick=${onClick} disabled=${disabled} aria-keyshortcuts=${letter}>
    ${children}<${Key}>${letter}<//>
  </button>`;

// One letter for each option: its first that no other has.
export function letters(options) {
  const taken = new Set();
  return options.map(({ name }) => {
    const letter = [...name.toUpperCase()].find((c) => /[A-Z0-9]/.test(c) && !taken.has(c)) ?? "";
    taken.add(letter);
    return letter;
  });
}

const Options = ({ options, onChoose }) => {
  const keys = letters(options);
  return html`
    <div class="options" role="group" aria-label="Your decision">
      ${options.map(({ name, wager }, i) => html`
        <button type="button" key=${name} class="option" onClick=${() => onChoose(name)} aria-keyshortcuts=${keys[i]}>
          <span>${capital(name)}${wager ? html` <span class="amount">${money(wager)}</span>` : ""}</span><${Key}>${keys[i]}<//>
        </button>`)}
    </div>`;
};

const Betting = ({ view, act, state }) => {
  const { you } = view;
  const seat = view.seats.find((s) => s.you);
  const open = you.spots.length > 0;
  const idle = open && !seat?.ready;
  return html`
    <${Chips} chips=${state.chips} selected=${state.selected} onSelect=${act.select} onDrag=${act.drag} enabled=${open} />
    <div class="actions">
      <div class="smalls">
        <${Small} name="Undo" letter="U" onClick=${act.undo} disabled=${!idle || !state.canUndo} />
        <${Small} name="Clear" letter="C" onClick=${act.clear} disabled=${!idle || !you.staked} />
        <${Small} name="Rebet" letter="R" onClick=${act.rebet} disabled=${!idle || !state.canRebet} />
      </div>
      <${Primary} letter="D" onClick=${act.ready} disabled=${!you.can_ready}>Deal<//>
    </div>`;
};

const Watching = ({ view, act }) => {
  const free = view.seats.filter((s) => !s.name);
  if (!view.you) {
    return html`
      <form class="actions join" method="post" action="/play">
        <input type="hidden" name="table" value=${view.table.id} />
        <p>You are watching.</p>
        <button class="primary" type="submit">Play with play money</button>
      </form>`;
  }
  return html`
    <div class="actions join">
      <p>${free.length ? "You are watching." : "Every seat is taken; you can watch until one is free."}</p>
      ${free.length > 0 && html`<${Primary} letter="D" onClick=${() => act.sit(nearest(free, view.table.seats))}>Take a seat<//>`}
    </div>`;
};

// The free seat closest to the middle of the table.
export function nearest(free, seats) {
  const middle = (seats + 1) / 2;
  return free.map((s) => s.seat).reduce((a, b) => (Math.abs(b - middle) < Math.abs(a - middle) ? b : a));
}

// When the button that had the focus is gone, the rail takes it, so that the next Tab goes on from here.
function useKeptFocus(section, what) {
  const had = useRef(false);
  useLayoutEffect(() => {
    if (had.current && document.activeElement === document.body) section.current.focus({ preventScroll: true });
  }, [what]);
  return {
    onFocusIn: () => (had.current = true),
    onFocusOut: (event) => event.relatedTarget && (had.current = false),
  };
}

export function Rail({ view, act, state }) {
  const { you } = view;
  const seated = you && you.seat !== null;
  const section = useRef();
  const keep = useKeptFocus(section, !seated ? "watching" : you.options.length ? "deciding" : "betting");
  return html`
    <section class="rail" aria-label="Your seat" tabindex="-1" ref=${section} ...${keep}>
      ${you && html`<${Money} view=${view} />`}
      ${!seated && html`<${Watching} view=${view} act=${act} />`}
      ${seated && you.options.length > 0 && html`<${Options} options=${you.options} onChoose=${act.choose} />`}
      ${seated && you.options.length === 0 && html`<${Betting} view=${view} act=${act} state=${state} />`}
    </section>`;
}
