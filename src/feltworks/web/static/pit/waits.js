// What waits at the tables: decisions, devices to release, tables to let go on, signatures. Each is done where it stands.

import { html, useState } from "../core/html.js";
import { keyOf } from "./board-connection.js";
import { called, Sign } from "./signs.js";

/** @typedef {(fields: Record<string, string>) => Promise<boolean>} Press */

// A reason, and what is done for it.
/** @param {{ id: string, label: string, title: string, first?: boolean, onSend: (reason: string) => Promise<boolean> }} props */
export function WithReason({ id, label, title, first, onSend }) {
  const [busy, setBusy] = useState(false);
  /** @param {SubmitEvent} event */
  const send = async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    setBusy(true);
    if (await onSend(String(new FormData(form).get("reason") ?? ""))) form.reset();
    setBusy(false);
  };
  return html`
    <form class="line" onSubmit=${send}>
      <label for=${id}>${label}</label>
      <input id=${id} name="reason" maxlength="200" required autocomplete="off" />
      <button type="submit" class=${first ? "first" : undefined} disabled=${busy}>${title}</button>
    </form>`;
}

// One of several decisions; about what was reported, for a reason.
/** @param {{ id: string, options: Wire.BoardOption[], name: string, isReported: boolean, onSend: (fields: any) => Promise<boolean> }} props */
function Choices({ id, options, name, isReported, onSend }) {
  /** @param {SubmitEvent} event */
  const send = async (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const option = /** @type {HTMLButtonElement} */ (event.submitter ?? form.querySelector("button")).value;
    if (await onSend({ option, reason: String(new FormData(form).get("reason") ?? "") })) form.reset();
  };
  return html`
    <form class="line" onSubmit=${send}>
      ${isReported && html`<label for=${id}>Why it is decided so</label>
        <input id=${id} name="reason" maxlength="200" required autocomplete="off" />`}
      <div class="acts">
        ${options.map((option, i) => html`
          <button key=${option.name} type="submit" name="option" value=${option.name} class=${i ? undefined : "first"}>
            ${option.title}<span class="unseen"> at ${name}</span>
          </button>`)}
      </div>
      ${options.some((option) => option.voids) && html`<p class="quiet">${options.filter((option) => option.voids).map((option) => option.title).join(", ")}: the round is void when a second person has signed.</p>`}
    </form>`;
}

/** @param {Wire.BoardAlert} alert @param {string[]} roles */
export const isYours = (alert, roles) => (alert.roles ?? []).some((role) => roles.includes(role));

const a = (/** @type {string} */ role) => (["surveillance", "security"].includes(role) ? role : `a${/^[aeiou]/.test(role) ? "n" : ""} ${role}`);

// What one person can do about an alert, or who can. The same alert may stand in two places, `within` says where.
/** @param {{ table: Wire.BoardTable, alert: Wire.BoardAlert, within: string, root: string, roles: string[], press: Press }} props */
function Acts({ table, alert, within, root, roles, press }) {
  const id = `${within}-${table.id}-${alert.kind}-${alert.id}`.replaceAll(/[^\w-]/g, "-");
  const about = { table: table.id, round: String(table.round ?? "") };
  if (!alert.roles?.length) return null;
  if (!isYours(alert, roles)) return html`<p class="quiet">Waits for ${alert.roles.map(a).join(" or ")}.</p>`;
  if (alert.options?.length) {
    const decide = ({ option, reason }) => press({ ...about, do: "resolve", report: alert.id ?? "", option, reason });
    return html`<${Choices} id=${id} options=${alert.options} name=${table.name} isReported=${alert.kind === "incident"} onSend=${decide} />`;
  }
  if (alert.kind === "out of service") {
    return html`<${WithReason} id=${id} label="Who looked at it, and what was found" title="Release it" first onSend=${(reason) => press({ ...about, do: "release", what: alert.id ?? "", reason })} />`;
  }
  if (alert.kind === "held win") {
    return html`<div class="acts"><button type="button" class="first" onClick=${() => press({ ...about, do: "verify", win: alert.id ?? "" })}>It is verified: pay it<span class="unseen">, ${table.name}, ${alert.text}</span></button></div>`;
  }
  if (alert.path) return html`<p class="acts"><a class="button first" href=${root + alert.path}>Look at it and decide<span class="unseen">: ${table.name}, ${alert.text}</span></a></p>`;
  if (alert.kind === "paused") {
    return html`<div class="acts"><button type="button" onClick=${() => press({ ...about, do: "resume" })}>Let it go on<span class="unseen">: ${table.name}</span></button></div>`;
  }
  return null;
}

/** @param {{ table: Wire.BoardTable, alert: Wire.BoardAlert, within: string, root: string, roles: string[], press: Press, onGo?: () => void }} props */
export const Alert = ({ table, alert, within, root, roles, press, onGo }) => html`
  <li class=${`wait${isYours(alert, roles) ? " yours" : ""}`}>
    <p class="wait-head"><${Sign} kind=${alert.kind} /><strong>${called(alert.kind)}</strong>
      ${onGo ? html`<button type="button" class="plain" onClick=${onGo}>${table.name}</button>` : html`<span>${table.name}</span>`}</p>
    <p>${alert.text}</p>
    ${alert.round && html`<p><a href=${`/table/${table.id}/round/${alert.round}${alert.step ? `?step=${alert.step}` : ""}`}>Round ${alert.round} on the felt</a></p>`}
    <${Acts} table=${table} alert=${alert} within=${within} root=${root} roles=${roles} press=${press} />
  </li>`;

/** @param {{ one: Wire.BoardSignature, press: Press }} props */
const Signature = ({ one, press }) => html`
  <li class=${`wait${one.can_sign ? " yours" : ""}`}>
    <p class="wait-head"><${Sign} kind="signature" /><strong>Second signature</strong></p>
    <p>${one.title}</p>
    ${one.lines.map((line) => html`<p key=${line} class="quiet">${line}</p>`)}
    <p class="quiet">Signed first by <bdi>${one.first}</bdi>. ${one.can_sign ? "" : `The second is for ${one.who_may}.`}</p>
    <div class="acts">
      ${one.can_sign && html`<button type="button" class="first" onClick=${() => press({ do: "sign", action: one.action })}>Sign<span class="unseen"> this: ${one.title}</span></button>`}
    </div>
    ${one.can_withdraw && html`
      <details><summary>Withdraw it</summary>
        <${WithReason} id=${`withdraw-${one.action}`} label="Reason" title="Withdraw" onSend=${(reason) => press({ do: "withdraw", action: one.action, reason })} />
      </details>`}
  </li>`;

// Everything that waits, what waits for you first.
/** @param {{ tables: Wire.BoardTable[], signatures: Wire.BoardSignature[], root: string, roles: string[], press: Press, onGo?: (id: string) => void }} props */
export function Waits({ tables, signatures, root, roles, press, onGo }) {
  const found = tables.flatMap((table) => table.alerts.map((alert) => ({ table, alert, own: isYours(alert, roles) })));
  const alerts = [...found.filter((one) => one.own), ...found.filter((one) => !one.own)];
  const alert = ({ table, alert }) => html`<${Alert} key=${table.id + keyOf(alert)} table=${table} alert=${alert} within="waits" root=${root} roles=${roles} press=${press} onGo=${onGo && (() => onGo(table.id))} />`;
  const sign = (one) => html`<${Signature} key=${one.action} one=${one} press=${press} />`;
  if (!alerts.length && !signatures.length) return html`<p class="none">Nothing waits.</p>`;
  return html`
    <ul class="waits">
      ${signatures.filter((one) => one.can_sign).map(sign)}
      ${alerts.map(alert)}
      ${signatures.filter((one) => !one.can_sign).map(sign)}
    </ul>`;
}
