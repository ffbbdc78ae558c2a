// What happens at the console: the connection, what is typed, and what is sent. What is entered while something is still on its
// way waits its turn, and is dropped if that was refused.

import { Connection } from "../core/connection.js";
import { feed, line, noRoll } from "./entry.js";
import { Keys } from "./keys.js";

const GO = [" ", "Enter"];
const ONE = "."; // the first thing to do is done, and nothing after it
const SHORTCUTS = { "/": "report", "?": "keys" };

export class Controller {
  /** @type {Page.ConsoleView | null} */
  view = null;
  lost = true;
  typed = "";
  /** What was wrong with the last entry, said where it is entered. */
  wrong = "";
  /** What was entered last, while that is new. */
  entered = "";
  /** The panel that is open: "report", "patrons", "keys" or "table". */
  panel = "";
  #redraw;
  #connection;
  #keys;
  #waiting = []; // keys and presses that came while a command was on its way
  #busy = false;

  constructor(url, redraw) {
    this.#redraw = redraw;
    this.#connection = new Connection(url, {
      view: (view) => this.#see(view),
      state: (state) => this.#set({ lost: state === "lost" || (state === "open" && this.lost) }),
      refused: (why) => this.#set({ wrong: why }),
    });
    this.#keys = new Keys({
      quick: () => this.typed !== "" && !this.#busy,
      key: (key) => this.#later(() => this.#key(key)),
      line: (text, again) => this.#later(() => this.#line(text, again)),
    });
    addEventListener("keydown", (event) => this.#hear(event));
    addEventListener("click", letGo);
  }

  get console() {
    return this.view?.console;
  }

  get ask() {
    return this.console?.ask;
  }

  /** Whether you deal here, so that what you enter counts. */
  get deals() {
    return Boolean(this.console?.yours);
  }

  // What is to do is done: all of it until the next entry; and where there is nothing, the one thing that comes next.
  goOn() {
    this.#later(() => this.#goOn());
  }

  takeBack() {
    this.#later(() => this.#takeBack());
  }

  /** A key of the touch pad; `anew` begins the entry again. @param {string} key @param {boolean} [anew] */
  press(key, anew = false) {
    this.#later(() => this.#take(feed(this.ask, anew ? "" : this.typed, key)));
  }

  /** What the touch pad enters as a whole. @param {import("./entry.js").Fed} fed */
  enter(fed) {
    this.#later(() => this.#take(fed));
  }

  noRoll(reason) {
    this.enter(noRoll(reason));
  }

  /** @param {Wire.Said} command */
  send(command) {
    this.#later(() => this.#send(command));
  }

  open(panel) {
    this.#set({ panel: this.panel === panel ? "" : panel, wrong: "" });
  }

  close() {
    this.#set({ panel: "" });
  }

  #hear(event) {
    const { target } = event;
    if (!(target instanceof Element) || target.closest("input, select, textarea")) return;
    const onButton = target.closest("button, a") && event.key === "Enter";
    if (event.key === "Escape" && this.panel) this.close();
    else if (this.panel || onButton) return;
    else if (!this.#keys.hear(event)) return;
    event.preventDefault();
  }

  #key(key) {
    const { acts, yours, dealer } = this.console;
    if (SHORTCUTS[key] && !this.typed) return this.open(SHORTCUTS[key]);
    if (!yours && dealer && key.toLowerCase() === "r") return this.#send({ kind: "sign on" });
    if (yours && acts.length && key === ONE && !this.typed) return this.#send({ kind: "tick off", done: acts[0].number });
    if (key === "Backspace") return this.typed ? this.#set({ typed: this.typed.slice(0, -1), wrong: "" }) : this.#takeBack();
    if (key === "Escape") return this.#set({ typed: "", wrong: "" });
    if (GO.includes(key) && !this.typed) return this.#goOn();
    return this.#take(feed(this.ask, this.typed, key));
  }

  #line(text, again) {
    if (again) return this.#set({ wrong: `The scanner sent “${text}” twice; it was entered once.` });
    return this.#take(line(this.ask, text));
  }

  #take(fed) {
    if (!this.deals) return this.#set({ typed: "", wrong: this.console.said || "Sign on to deal at this table." });
    this.#set({ typed: fed.typed, wrong: fed.wrong ?? "", entered: "" });
    return fed.command && this.#send(fed.command, fed.shown);
  }

  #goOn() {
    const { ask, acts, yours } = this.console;
    if (!yours && this.console.dealer) return this.#set({ wrong: `${this.console.dealer} deals here. Press R to relieve them.` });
    if (!yours) return this.#send({ kind: "sign on" });
    if (acts.length) return this.#send({ kind: "tick off", done: acts.at(-1).number });
    const next = {
      shuffle: { kind: "start round", shuffle: true },
      start: { kind: "start round" },
      deal: { kind: "lay cards" },
      "go on": { kind: "go on" },
      end: { kind: "end round" },
    }[ask.kind];
    if (next) return this.#send(next);
    return ask.lays ? this.#send({ kind: "lay cards" }) : this.#set({ wrong: waitsFor(ask) });
  }

  #takeBack() {
    const { can_take_back: what, yours } = this.console;
    if (yours && what) return this.#send({ kind: "take back" });
    return this.#set({ wrong: yours ? "There is nothing to take back; a supervisor corrects what was entered before." : this.console.said });
  }

  // One after the other: what comes while something is on its way waits until the table has changed.
  #later(work) {
    if (!this.view) return;
    this.#waiting.push(work);
    if (!this.#busy) this.#next();
  }

  #next() {
    while (!this.#busy && this.#waiting.length) this.#waiting.shift()();
  }

  /** @param {Wire.Said} command @param {string} [shown] */
  async #send(command, shown = "") {
    this.#busy = true;
    const done = await this.#connection.send(command, { at: this.console.at });
    if (done.ok) {
      if (this.#connection.behind) await new Promise((resolve) => (this.#seen = () => resolve(true)));
      this.#set({ entered: shown, wrong: "" });
    } else {
      this.#waiting.length = 0;
      this.#set({ typed: "", wrong: done.why });
    }
    this.#busy = false;
    this.#next();
  }

  #seen = () => {};

  #see(view) {
    const other = this.console && stepOf(this.console) !== stepOf(view.console);
    this.view = view;
    if (other) this.typed = "";
    this.lost = false;
    this.#redraw();
    if (!this.#connection.behind) this.#seen();
  }

  #set(changes) {
    Object.assign(this, changes);
    this.#redraw();
  }
}

// A button that was touched keeps no key for itself; one that was reached by Tab is pressed with Enter.
function letGo({ detail, target }) {
  if (detail && target instanceof Element && target.closest("button")) /** @type {HTMLElement} */ (document.activeElement)?.blur();
}

const stepOf = ({ at, ask }) => JSON.stringify([at, ask.kind, ask.text]);

/** @param {Wire.Ask} ask */
function waitsFor(ask) {
  const wanted = { card: "Enter the card: rank, then suit.", light: "Enter the light.", dice: "Enter what the dice show.", pocket: "Enter where the wheel stops.", bet: "Press c to close the betting." };
  return wanted[ask.kind] ?? (ask.kind === "choose" ? `${ask.text} Choose one of the options.` : ask.text);
}
