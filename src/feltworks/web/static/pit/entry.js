// What keys and lines mean at the step that is asked for: each key either goes on with an entry, ends it, or is wrong in words.
// Nothing here knows a game; it knows cards, lights, dice, wheels, choices and wagers.

import { cardShort } from "../core/format.js";

const RANKS = "AKQJT98765432";
const SUITS = "shdc";
const SUIT_NAMES = "spades, hearts, diamonds or clubs";

/** @typedef {{ typed: string, command?: Wire.Said, wrong?: string, shown?: string }} Fed */

/** @param {string} typed @returns {Fed} */
const going = (typed) => ({ typed });
/** @param {string} wrong @param {string} [typed] @returns {Fed} */
const wrong = (wrong, typed = "") => ({ typed, wrong });
/** @param {any} command @param {string} shown @returns {Fed} */
const whole = (command, shown) => ({ typed: "", command, shown });

const entered = (answer, shown) => whole({ kind: "enter", answer }, shown);
export const cardEntered = (card) => entered({ kind: "card", card }, cardShort(card));
export const bandEntered = (band) => entered({ kind: "reading", set: band.name }, band.title);
export const diceEntered = (faces) => entered({ kind: "dice", faces }, faces.join(" "));
export const pocketEntered = (ask, pocket) => entered({ kind: "spin", wheel: ask.wheel, pocket }, pocket);
export const noRoll = (reason) => entered({ kind: "no roll", reason: reason.name }, reason.title);

/** @param {Wire.Ask} ask @param {Wire.Choice} choice @param {number | null} [amount] where the option leaves a choice of it */
export function chosen(ask, choice, amount = null) {
  if (ask.incident) return whole({ kind: "resolve", role: "dealer", option: choice.name, reason: "Decided at the table.", report: ask.report }, choice.title);
  if (ask.seat === null) return entered({ kind: "decide", who: ask.role, option: choice.name }, choice.title);
  return whole({ kind: "choose for", seat: ask.seat, option: choice.name, amount }, choice.title);
}

/** Whether less than usual may be wagered with an option. @param {Wire.Ask} ask */
export const flexible = (ask) => ask.choices.some((choice) => choice.least < choice.wager);

// One of the options; where one leaves a choice of the amount, its dollars may come before it.
/** @param {Wire.Ask} ask @param {string} typed @param {string} key @returns {Fed} */
function choose(ask, typed, key) {
  if (flexible(ask) && (/^\d$/.test(key) || (key === "." && typed && !typed.includes(".")))) return going(typed + key);
  const choice = byKey(ask.choices, key);
  if (!choice) return wrong(ask.choices.length ? `${named(key)} is nothing to choose. Press ${keysOf(ask.choices)}.` : `${named(key)} does nothing now: ${ask.text}`);
  return chosen(ask, choice, typed && choice.wager ? Math.round(Number(typed) * 100) : null);
}

const listed = (texts) => (texts.length > 1 ? `${texts.slice(0, -1).join(", ")} or ${texts.at(-1)}` : (texts[0] ?? ""));
const named = (key) => (key === " " ? "A space" : `“${key}”`);

/** @param {Wire.Ask} ask @param {string} typed @param {string} key @returns {Fed} */
function card(ask, typed, key) {
  const suited = ask.cards.some((one) => one.length > 1) || !ask.cards.length;
  if (!typed || typed === "1") {
    const rank = key === "0" ? "T" : key.toUpperCase();
    if (!typed && key === "1") return going("1");
    if (typed && rank !== "T") return wrong(`${named(`1${key}`)} is no rank. For a ten press T, 0 or 10.`);
    if (!RANKS.includes(rank)) return wrong(`${named(key)} is no rank. Press A, K, Q, J, T for ten, or 9 to 2.`);
    return suited ? going(rank) : cardEntered(rank);
  }
  if (!SUITS.includes(key.toLowerCase())) return wrong(`${named(key)} is no suit. Press s, h, d or c for ${SUIT_NAMES}.`, typed);
  return cardEntered(typed + key.toLowerCase());
}

/** @param {Array<any>} offered @param {string} key */
const byKey = (offered, key) => offered.find((one) => one.key === key.toLowerCase());
const keysOf = (offered) => listed(offered.map((one) => `${one.key} for ${one.title.toLowerCase()}`));

/** @param {Wire.Ask} ask @param {string} typed @param {string} key @returns {Fed} */
function dice(ask, typed, key) {
  const reason = !typed && byKey(ask.reasons, key);
  if (reason) return noRoll(reason);
  if (!/^[1-6]$/.test(key)) return wrong(`${named(key)} is no face of a die. Press 1 to 6 for each of the ${ask.dice} dice.`, typed);
  const faces = typed + key;
  return faces.length < ask.dice ? going(faces) : diceEntered([...faces].map(Number));
}

// A pocket by its name; a sign before it may be left out. Where no other pocket begins like that it is entered at once, else by Enter.
/** @param {Wire.Ask} ask @param {string} typed @param {string} key @returns {Fed} */
function pocket(ask, typed, key) {
  const names = (name) => [name, name.replace(/^\W+/, "")].map((text) => text.toLowerCase());
  const exact = (said) => ask.pockets.find((one) => names(one).includes(said));
  if (key === "Enter") {
    const found = exact(typed.toLowerCase());
    return found ? pocketEntered(ask, found) : wrong(`“${typed}” is no pocket of this wheel.`);
  }
  const said = (typed + key).toLowerCase();
  const begun = ask.pockets.filter((one) => names(one).some((name) => name.startsWith(said)));
  if (!begun.length) return wrong(`${named(typed + key)} is no pocket of this wheel. Type one that is, such as ${ask.pockets.at(-1)}.`, typed);
  return begun.length === 1 ? pocketEntered(ask, begun[0]) : going(typed + key);
}

// A wager for a seat without a screen: the seat, the spot, the amount in dollars, and Enter; 0 takes up what lies there.
/** @param {Wire.Ask} ask @param {string} typed @param {string} key @returns {Fed} */
function bet(ask, typed, key) {
  const seats = ask.patrons.map((patron) => String(patron.seat));
  if (!typed) {
    if (key.toLowerCase() === "c") return whole({ kind: "close betting" }, "Betting closed");
    if (seats.includes(key)) return going(key);
    return wrong(seats.length ? `${named(key)} is no seat that you bet for. Press ${listed(seats)}, or c to close the betting.`
      : `${named(key)} does nothing now. Press c to close the betting.`);
  }
  const patron = ask.patrons.find((one) => String(one.seat) === typed[0]);
  if (typed.length === 1) {
    const spot = byKey(patron.spots, key);
    return spot ? going(typed + spot.key) : wrong(`${named(key)} is no spot that is open for seat ${typed}. Press ${keysOf(patron.spots)}.`, typed);
  }
  const spot = byKey(patron.spots, typed[1]);
  const amount = typed.slice(2);
  if (key === "Enter") return placed(patron.seat, spot, amount, typed);
  if (/^\d$/.test(key) || (key === "." && amount && !amount.includes("."))) return going(typed + key);
  return wrong(`${named(key)} is no amount. Press its digits in dollars, then Enter.`, typed);
}

function placed(seat, spot, amount, typed) {
  if (!/^\d+(\.\d{1,2})?$/.test(amount)) return wrong("Press the amount in dollars, then Enter.", typed);
  const cents = Math.round(Number(amount) * 100);
  return cents ? placedFor(seat, spot, cents) : takenUp(seat, spot);
}
export const placedFor = (seat, spot, cents) => whole({ kind: "place for", seat, spot: spot.spot, amount: cents }, `Seat ${seat}, ${spot.title}`);
export const takenUp = (seat, spot) => whole({ kind: "take up for", seat, spot: spot.spot }, `Seat ${seat}, ${spot.title} taken up`);

// One key at the step that is asked for.
/** @param {Wire.Ask} ask @param {string} typed @param {string} key @returns {Fed} */
export function feed(ask, typed, key) {
  switch (ask.kind) {
    case "card":
      return card(ask, typed, key);
    case "light": {
      const band = byKey(ask.bands, key);
      return band ? bandEntered(band) : wrong(`${named(key)} is no light here. Press ${keysOf(ask.bands)}.`);
    }
    case "dice":
      return dice(ask, typed, key);
    case "pocket":
      return pocket(ask, typed, key);
    case "choose":
      return choose(ask, typed, key);
    case "bet":
      return bet(ask, typed, key);
  }
  return wrong(`${named(key)} does nothing now.${ask.kind === "wait" ? ` ${ask.text}` : " Press Space when it is done."}`);
}

// A whole line, as a scanner or a machine sends it: "QH", "10d", "gold", "3 4 5 6".
/** @param {Wire.Ask} ask @param {string} text @returns {Fed} */
export function line(ask, text) {
  const said = text.toLowerCase();
  const rubbish = (what) => wrong(`The scanner sent “${text.slice(0, 40)}”; that is ${what}. Scan it again, or enter it by hand.`);
  if (ask.kind === "card") {
    const found = /^(10|[2-9tjqka])([shdc])$/.exec(said);
    return found ? cardEntered((found[1] === "10" ? "T" : found[1].toUpperCase()) + found[2]) : rubbish("no card");
  }
  if (ask.kind === "light") {
    const band = ask.bands.find((one) => [one.key, one.light, one.name.toLowerCase(), one.title.toLowerCase()].includes(said));
    return band ? bandEntered(band) : rubbish("no light of this table");
  }
  if (ask.kind === "dice") {
    const faces = said.replace(/[\s,;-]+/g, "");
    return new RegExp(`^[1-6]{${ask.dice}}$`).test(faces) ? diceEntered([...faces].map(Number)) : rubbish(`not ${ask.dice} dice of 1 to 6`);
  }
  if (ask.kind === "pocket") {
    const found = ask.pockets.find((name) => name.toLowerCase() === said);
    return found ? pocketEntered(ask, found) : rubbish("no pocket of this wheel");
  }
  if (ask.kind === "choose") {
    const choice = ask.choices.find((one) => [one.key, one.name.toLowerCase(), one.title.toLowerCase()].includes(said));
    return choice ? chosen(ask, choice) : rubbish("nothing that can be chosen now");
  }
  return rubbish("nothing that is asked for now");
}

// What was typed so far, as it is shown: ranks and suits as signs, dice one by one, a wager in words.
/** @param {Wire.Ask} ask @param {string} typed */
export function shown(ask, typed) {
  if (ask.kind === "card") return typed.replace("T", "10");
  if (ask.kind === "choose") return typed && `$${typed}`;
  if (ask.kind === "pocket") return typed;
  if (ask.kind !== "bet" || !typed) return [...typed].join(" ");
  const patron = ask.patrons.find((one) => String(one.seat) === typed[0]);
  const spot = typed[1] && byKey(patron.spots, typed[1]);
  return `Seat ${typed[0]}${spot ? `, ${spot.title}` : ""}${typed.length > 2 ? `, $${typed.slice(2)}` : ""}`;
}
