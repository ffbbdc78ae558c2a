// What an alert is called and the shape that marks it: each kind has its own, so that no colour has to be told from another.

import { html } from "../core/html.js";

const KINDS = {
  incident: ["Incident", "M8 1.5 15 14H1ZM8 6v4M8 11.6v.8"],
  decision: ["Decision", "M8 1.5 14.5 8 8 14.5 1.5 8ZM6 6.4C6 4 10 4 10 6.4 10 8 8 7.8 8 9.4M8 11.2v.6"],
  dispute: ["Dispute", "M2 2.5h12v8H7l-3.5 3v-3H2ZM5 5.2h6M5 7.8h4"],
  "held win": ["Held win", "M8 1.2 9.9 5.7l4.9.4-3.7 3.2 1.1 4.8L8 11.5l-4.2 2.6 1.1-4.8L1.2 6.1l4.9-.4Z"],
  "out of service": ["Out of service", "M8 1.2A6.8 6.8 0 1 1 7.99 1.2M3.4 3.4l9.2 9.2"],
  "no dealer": ["No dealer", "M8 2a2.6 2.6 0 1 1-.01 0M2.6 14.5c0-3.2 2.4-5 5.4-5s5.4 1.8 5.4 5"],
  paused: ["Paused", "M5 2.5v11M11 2.5v11"],
  closing: ["Closes after this round", "M3 1.5h10M3 14.5h10M4.2 1.5c0 4 7.6 9 7.6 13M11.8 1.5c0 4-7.6 9-7.6 13"],
  closed: ["Closed", "M3 7h10v7.5H3ZM5 7V4.6a3 3 0 0 1 6 0V7"],
  change: ["Settings change", "M2.5 5h8.5M8.5 2.2 11.5 5l-3 2.8M13.5 11H5M7.5 8.2l-3 2.8 3 2.8"],
  signature: ["Signature", "M1.5 13.5c3-1 3.5-4 5-8.5 1 3 0 6-1.5 8 2-1 3-3 4-3s0 2 1 2 2.5-1 4.5-1"],
};

/** @param {{ kind: string }} props */
export const Sign = ({ kind }) => html`
  <svg class="sign" viewBox="0 0 16 16" aria-hidden="true"><path d=${KINDS[kind]?.[1] ?? ""} /></svg>`;

/** @param {string} kind */
export const called = (kind) => KINDS[kind]?.[0] ?? kind;
