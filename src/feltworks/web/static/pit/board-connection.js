// What is known of the tables, from the socket of the board: the last row of each table, and what waits for a signature.

import { Connection } from "../core/connection.js";
import { called } from "./signs.js";

/** @typedef {{ tables: Wire.BoardTable[], signatures: Wire.BoardSignature[], lost: boolean, offset: number, news: string[] }} Known */

const KEPT = 4; // so much of what is new stays to be read aloud

export class BoardConnection {
  /** @type {Known} */
  known = { tables: [], signatures: [], lost: false, offset: 0, news: [] };
  there = false; // whether anything has come
  /** @type {Map<string, Wire.BoardTable>} */
  #rows = new Map();
  /** @type {string[]} */
  #order = [];

  /** @param {string} root @param {(known: Known) => void} onChange @param {string} [only] the one table that is wanted */
  constructor(root, onChange, only = "") {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const asked = only ? `?table=${encodeURIComponent(only)}` : "";
    const set = (changes) => {
      this.known = { ...this.known, ...changes };
      onChange(this.known);
    };
    new Connection(`${scheme}//${location.host}${root}/ws/house/board${asked}`, {
      board: (message, first) => set(this.#follow(message, first)),
      state: (state) => state === "lost" && set({ lost: true }),
      refused: (why) => set({ news: [why] }),
      ended: () => location.reload(), // the page says why
    });
  }

  /** @param {Wire.BoardMessage} message @param {boolean} first */
  #follow({ board, now, order, signatures = this.known.signatures }, first) {
    const news = this.there ? [...board.flatMap((row) => this.#newAt(row)), ...this.#newSignatures(signatures)] : [];
    if (first) this.#rows.clear();
    for (const row of board) this.#rows.set(row.id, row);
    this.#order = order ?? this.#order;
    this.there = true;
    const tables = this.#order.flatMap((id) => this.#rows.get(id) ?? []);
    return { tables, signatures, lost: false, offset: now - performance.now(), news: [...this.known.news, ...news].slice(-KEPT) };
  }

  // What is told of a table that was not told of it before.
  /** @param {Wire.BoardTable} row */
  #newAt(row) {
    const before = new Set(this.#rows.get(row.id)?.alerts.map(keyOf));
    return row.alerts.filter((alert) => !before.has(keyOf(alert))).map((alert) => `${row.name}: ${called(alert.kind)}. ${alert.text}`);
  }

  /** @param {Wire.BoardSignature[]} signatures */
  #newSignatures(signatures) {
    const before = new Set(this.known.signatures.map((one) => one.action));
    return signatures.filter((one) => !before.has(one.action)).map((one) => `Waits for a second signature: ${one.title}.`);
  }
}

/** @param {Wire.BoardAlert} alert */
export const keyOf = ({ kind, id, text }) => `${kind} ${id} ${text}`;

// What is pressed on the board: whether it was done, and what is said then.
/** @param {string} root @param {Record<string, string>} fields @returns {Promise<{ ok: boolean, said: string }>} */
export async function press(root, fields) {
  const headers = { accept: "application/json" };
  const answer = await fetch(`${root}/house/board`, { method: "POST", headers, body: new URLSearchParams(fields) }).catch(() => null);
  const told = await answer?.json().catch(() => ({}));
  if (!answer) return { ok: false, said: "The connection is lost; nothing was done. Try again." };
  return { ok: answer.ok, said: answer.ok ? told.done : told.detail ?? "The server could not answer." };
}
