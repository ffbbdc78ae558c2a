// Below the felt: your money, and what you can do now.

import { money, ordinal, sum } from "../core/format.js";
import { html, useLayoutEffect, useRef } from "../core/html.js";
import { module, useLater } from "../core/lazy.js";
import { hasKeyboard, settings } from "../core/settings.js";
import { heldCents } from "./held-and-disputed.js";

export const Key = ({ children }) => (settings().keys && hasKeyboard() ? html`<kbd aria-hidden="true">${children}</kbd>` : null);

const Figure = ({ title, children }) => html`<div class="figure"><dt>${title}</dt><dd>${children}</dd></div>`;

const all = (laid) => sum(Object.values(laid ?? {}));

/** @param {Page.Props} _ */
const Money = ({ view, act }) => {
  const mine = view.seats.find((s) => s.you);
  const won = all(mine?.winnings);
  const held = heldCents(view.you);
  return html`
    <div class="money">
      <dl class="figures">
        <${Figure} title="Balance">${money(view.you.balance)}<//>
        <${Figure} title="On the table">${money(all(mine?.wagers) + won)}<//>
        ${held > 0 && html`<${Figure} title="Held until verified">${money(held)}<//>`}
      </dl>
      ${won > 0 && html`
        <button type="button" class="small collect" onClick=${act.collectAll} disabled=${view.phase !== "betting"} aria-keyshortcuts="L">
          Collect ${money(won)}<${Key}>L<//>
        </button>`}
    </div>`;
};

// Whoever has too little left to wager is given play money again.
/** @param {Page.Props} _ */
const Broke = ({ view, act }) => html`
  <div class="actions join">
    <p>You have less than the least wager.</p>
    <button type="button" class="primary" onClick=${act.getGrant}>Get another ${money(view.you.grant)} of play money</button>
  </div>`;

// What does two things says so in two lines.
export const Primary = ({ text, letter, onClick, disabled }) => html`
  <button type="button" class=${text.includes(" and ") ? "primary both" : "primary"} id="primary" onClick=${onClick}
    disabled=${disabled} aria-keyshortcuts=${letter}>
    <span>${text}</span><${Key}>${letter}<//>
  </button>`;

/** @param {Page.Props} _ */
const Watching = ({ view, act }) => {
  const free = view.seats.filter((s) => !s.name);
  if (!view.you) {
    return html`
      <form class="actions join" method="post" action="/play">
        <input type="hidden" name="table" value=${view.table.id} />
        <input type="hidden" name="seat" value="any" />
        <p>You are watching.${free.length ? "" : " Every seat is taken."}</p>
        <button class="primary" type="submit">${free.length ? "Play with play money" : "Wait for a seat"}</button>
      </form>`;
  }
  const { line } = view.you;
  if (line !== null) {
    return html`
      <div class="actions join">
        <p aria-live="polite">You are ${ordinal(line)} in line. Keep this page open; the next free seat is yours in turn.</p>
        <button type="button" class="small" onClick=${act.stopWaiting}>Stop waiting</button>
      </div>`;
  }
  const { may_not: mayNot, lost_seat: lostSeat } = view.you;
  if (mayNot) return html`<div class="actions join"><p>${mayNot}</p></div>`;
  return html`
    <div class="actions join">
      <p>${lostSeat || (free.length ? "You are watching." : "Every seat is taken.")}</p>
      ${free.length > 0
        ? html`<${Primary} text="Take a seat" letter="D" onClick=${() => act.sit(nearest(free, view.table.seats))} />`
        : html`<${Primary} text="Wait for a seat" letter="D" onClick=${act.wait} />`}
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

/** @param {Page.Props} _ */
export function Rail({ view, act, state }) {
  const { you } = view;
  const seated = you && you.seat !== null;
  const Playing = useLater(seated, async () => (await module(view.table.layout.parts.rail)).Playing);
  const section = useRef();
  const keep = useKeptFocus(section, !seated ? "watching" : you.options.length ? "deciding" : "betting");
  return html`
    <section class="rail" aria-label="Your seat" tabindex="-1" ref=${section} ...${keep}>
      ${you && html`<${Money} view=${view} act=${act} />`}
      ${!seated && html`<${Watching} view=${view} act=${act} />`}
      ${seated && you.grant && html`<${Broke} view=${view} act=${act} />`}
      ${Playing && !you.grant && html`<${Playing} view=${view} act=${act} state=${state} />`}
    </section>`;
}
