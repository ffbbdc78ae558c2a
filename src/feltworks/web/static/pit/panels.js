// What is done beside the round: report what went wrong, seat patrons and let them go, sign off, and what each key does.

import { capital } from "../core/format.js";
import { html, useEffect, useRef, useState } from "../core/html.js";

function Panel({ title, onClose, children }) {
  const ref = useRef(null);
  useEffect(() => {
    const had = document.activeElement;
    (ref.current.querySelector(".kinds button, input") ?? ref.current.querySelector("button")).focus();
    return () => had instanceof HTMLElement && had.focus();
  }, []);
  return html`
    <div class="behind" onClick=${(event) => event.target === event.currentTarget && onClose()}>
      <section class="panel" role="dialog" aria-modal="true" aria-labelledby="panel-title" ref=${ref}>
        <div class="panel-head"><h2 id="panel-title">${title}</h2><button type="button" class="quiet" onClick=${onClose}>Close <kbd>Esc</kbd></button></div>
        ${children}
      </section>
    </div>`;
}

// What is about a wager names the seat, the spots and the amount; the table says where it needs them.
function Report({ controller }) {
  const { incidents } = controller.console;
  const { seats, table } = controller.view;
  const [kind, setKind] = useState("");
  const [text, setText] = useState("");
  const [seat, setSeat] = useState(0);
  const [spots, setSpots] = useState([]);
  const [dollars, setDollars] = useState("");
  const toggle = (spot) => setSpots(spots.includes(spot) ? spots.filter((one) => one !== spot) : [...spots, spot]);
  const report = (event) => {
    event.preventDefault();
    if (!kind.trim()) return;
    const amount = dollars ? Math.round(Number(dollars) * 100) : null;
    controller.send({ kind: "report", incident: kind.trim(), text: text.trim(), seat: seat || null, spots, amount });
    controller.close();
  };
  return html`
    <${Panel} title="Report what went wrong" onClose=${() => controller.close()}>
      <p>The table stops until it is decided.</p>
      <form onSubmit=${report}>
        <div class="kinds" role="group" aria-label="What it is">
          ${incidents.map((name) => html`<button type="button" key=${name} aria-pressed=${kind === name} onClick=${() => setKind(name)}>${capital(name)}</button>`)}
        </div>
        <label>What it is <input name="incident" maxlength="60" required value=${kind} onInput=${(event) => setKind(event.target.value)} /></label>
        <label>What was seen <input name="text" maxlength="200" value=${text} onInput=${(event) => setText(event.target.value)} /></label>
        <details>
          <summary>About a seat or a wager</summary>
          <div class="kinds small" role="group" aria-label="Seat">
            ${seats.filter((one) => one.name).map((one) => html`
              <button type="button" key=${one.seat} aria-pressed=${seat === one.seat} onClick=${() => setSeat(seat === one.seat ? 0 : one.seat)}>Seat ${one.seat}</button>`)}
          </div>
          <div class="kinds small" role="group" aria-label="Spots">
            ${table.spots.map(({ spot, title }) => html`
              <button type="button" key=${spot} aria-pressed=${spots.includes(spot)} onClick=${() => toggle(spot)}>${title}</button>`)}
          </div>
          <label>Amount in dollars <input name="amount" inputmode="decimal" pattern="[0-9]+([.][0-9]{1,2})?" value=${dollars} onInput=${(event) => setDollars(event.target.value)} /></label>
        </details>
        <button type="submit" class="first">Stop the table and report</button>
      </form>
    </${Panel}>`;
}

function Patrons({ controller }) {
  const { free, leaving, no_patrons: none } = controller.console;
  const [seat, setSeat] = useState(free[0] ?? 0);
  const [dollars, setDollars] = useState("100");
  const sit = (event) => {
    event.preventDefault();
    controller.send({ kind: "seat patron", seat: Number(seat), chips: Math.round(Number(dollars) * 100) });
    controller.close();
  };
  return html`
    <${Panel} title="Seats without a screen" onClose=${() => controller.close()}>
      <p>${none || "A patron without an account plays with the chips before the seat; you enter the wagers and decisions."}</p>
      ${free.length > 0 && html`
        <form onSubmit=${sit}>
          <div class="kinds" role="group" aria-label="Free seat">
            ${free.map((one) => html`<button type="button" key=${one} aria-pressed=${Number(seat) === one} onClick=${() => setSeat(one)}>Seat ${one}</button>`)}
          </div>
          <label>Chips in dollars <input name="chips" inputmode="decimal" pattern="[0-9]+([.][0-9]{1,2})?" required value=${dollars} onInput=${(event) => setDollars(event.target.value)} /></label>
          <button type="submit" class="first" disabled=${!free.includes(Number(seat))}>Seat a patron at seat ${seat}</button>
        </form>`}
      ${leaving.length > 0 && html`
        <div class="kinds" role="group" aria-label="Leaves">
          ${leaving.map((one) => html`
            <button type="button" key=${one} onClick=${() => (controller.send({ kind: "patron leaves", seat: one }), controller.close())}>Seat ${one} leaves with the chips</button>`)}
        </div>`}
      ${!free.length && !leaving.length && !none && html`<p>Every seat is taken, and nobody can leave now.</p>`}
    </${Panel}>`;
}

const KEYS = [
  ["Space or Enter", "What is to do is done, up to the next entry; or the one thing that comes next."],
  [".", "The first thing to do is done, and nothing after it."],
  ["A K Q J T 9 … 2, then s h d c", "A card: rank, then suit. T, 0 or 10 is a ten."],
  ["1 to 6", "A die; the roll is entered with the last one."],
  ["The letter on a button", "A light or a choice."],
  ["Seat, spot, amount, Enter", "A wager for a seat without a screen: 4 A 25 Enter. The amount 0 takes it up."],
  ["C", "Close the betting, while it is open."],
  ["Backspace", "What was typed, or else the last entry, is taken back."],
  ["R", "Relieve whoever deals here."],
  ["/", "Report what went wrong."],
  ["?", "This list."],
  ["A scanner", "Its line is entered as a whole. The same line twice within a second counts once."],
];

const KeyList = ({ controller }) => html`
  <${Panel} title=${controller.view.table.house_rules.length > 0 ? "House rules and keys" : "Keys"} onClose=${() => controller.close()}>
    ${controller.view.table.house_rules.length > 0 && html`
      <h3>Rules of the house at this table</h3>
      <ul class="house-rules">${controller.view.table.house_rules.map(({ text, kind }) => html`<li key=${text}>${text} <small>${kind}</small></li>`)}</ul>
      <h3>Keys</h3>`}
    <dl class="keys">${KEYS.map(([key, does]) => html`<div key=${key}><dt>${key}</dt><dd>${does}</dd></div>`)}</dl>
  </${Panel}>`;

const PANELS = { report: Report, patrons: Patrons, keys: KeyList };

/** @param {{ controller: import("./controller.js").Controller }} props */
export function Open({ controller }) {
  const Shown = PANELS[controller.panel];
  return Shown ? html`<${Shown} controller=${controller} />` : null;
}
