// Disputing a round that you have played: what you say is wrong goes to a supervisor, and how it stands is told here.

import { html, useState } from "../core/html.js";
import { verdict } from "../table/held-and-disputed.js";

const LONGEST = 500;

/** @param {string} path @param {string} text @returns {Promise<string | null>} why it is refused, or nothing */
async function send(path, text) {
  const body = new URLSearchParams({ text });
  const answer = await fetch(`${path}/dispute`, { method: "POST", body, headers: { accept: "application/json" } }).catch(() => null);
  if (answer?.ok) return null;
  const told = await answer?.json().catch(() => null);
  return told?.detail ?? "The connection is lost. Try again.";
}

/** @param {{ path: string, round: number, you: Wire.You }} props */
export function DisputeRound({ path, round, you }) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [why, setWhy] = useState(null);
  const [sent, setSent] = useState(false);
  const known = you.disputes.filter((dispute) => dispute.round === round);
  const waits = sent || known.some(({ state }) => state === "open");
  const submit = async (event) => {
    event.preventDefault();
    const refused = await send(path, text);
    setWhy(refused);
    if (refused) return;
    setSent(true);
    setOpen(false);
  };
  return html`
    <section class="dispute" aria-label="Dispute">
      <div role="status">
        ${known.map((dispute) => html`<p key=${dispute.dispute} class=${`about ${dispute.state}`}>“${dispute.text}” ${verdict(dispute)}</p>`)}
        ${sent && !known.length && html`<p class="about">Your dispute is open. A supervisor decides it.</p>`}
      </div>
      ${!waits && html`
        <button type="button" class="copy" aria-expanded=${open ? "true" : "false"} onClick=${() => setOpen(!open)}>Dispute this round</button>`}
      ${open && !waits && html`
        <form onSubmit=${submit}>
          <label>What was wrong in this round?
            <textarea rows="3" maxlength=${LONGEST} required value=${text} aria-describedby="dispute-said"
              onInput=${(event) => setText(event.target.value)}></textarea>
          </label>
          <p id="dispute-said" class=${why ? "about refused" : "about"} role=${why ? "alert" : undefined}>
            ${why ?? "A supervisor looks at the round and decides by the rules that are posted here."}
          </p>
          <button type="submit" class="copy">Send</button>
        </form>`}
    </section>`;
}
