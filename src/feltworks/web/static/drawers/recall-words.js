// A finished round in words, step by step, from its record.

import { capital, cardName, money, net, ordinal, resultSentence, signed } from "../core/format.js";

// The cards that all share are called by their name: "flop 1" is one of the flop.
function whose(token, bands) {
  if (!token) return "A card";
  const [owner, name] = token;
  if (owner !== null) return `The card of seat ${owner}`;
  return !bands.length || name.startsWith("dealer") ? "A card of the dealer" : / \d/.test(name) ? `A card of the ${name.slice(0, -2)}` : `The ${name}`;
}

// "dealer 1" is the dealer's first card, "card 2" of seat 3 the second card of seat 3.
function owner([seat, name]) {
  const [, what, number] = /^(.*?)(?: (\d+))?$/.exec(name);
  const one = `${number ? `${ordinal(Number(number))} ` : ""}${what === "dealer" ? "card" : what}`;
  return seat === null ? `the dealer's ${one}` : `the ${one} of seat ${seat}`;
}

/** @param {any} answer */
function answerWords({ kind, seat, spot, amount, who, option, card, token, set, faces, pocket }, title, bands) {
  switch (kind) {
    case "place":
      return `Seat ${seat} places ${money(amount)} on ${title[spot] ?? spot}.`;
    case "take up":
      return `Seat ${seat} takes up ${title[spot] ?? spot}.`;
    case "collect":
      return `Seat ${seat} collects what ${title[spot] ?? spot} has won.`;
    case "close":
      return "Betting is closed.";
    case "decide":
      return `${typeof who === "number" ? `Seat ${who}` : `The ${who}`} decides: ${option}${amount ? ` ${money(amount)}` : ""}.`;
    case "dealt":
      return "A card is dealt, face down.";
    case "card":
      return `${whose(token, bands)} is turned: ${cardName(card)}.`;
    case "hidden":
      return card ? `Seat ${token[0]} alone sees its card: ${cardName(card)}.` : "A card is turned to one seat alone.";
    case "reading":
      return `${bands.length ? "The reader tells" : "The dealer looks at the card"}: ${set}.`;
    case "dice":
      return `The dice show ${faces.join(", ")}.`;
    case "spin":
      return `The wheel stops at ${pocket}.`;
    default:
      return capital(kind);
  }
}

const goes = (to) => (to.endsWith("folded") ? "is folded" : to.startsWith("seat") ? `is laid at ${to}` : `goes to the ${to}`);

// A signal that the dealer gives is a move, not a word.
const HANDS = new Set(["hand", "hands"]);

/** @param {Wire.Effect} effect @param {any} [boxes] @param {string} [by] the decision that caused it */
function effectWords(effect, titles, bands, boxes, by) {
  if (effect.kind === "called") return { text: `“${effect.text}”`, kind: "called" };
  if (effect.kind === "moved") {
    const on = effect.what === boxes?.marker && boxes.of.includes(effect.to) ? `${boxes.on} on ` : "";
    return { text: HANDS.has(effect.what) ? `The dealer's ${effect.what}: ${effect.to}.` : `${capital(effect.what)}: ${on}${effect.to}.`, kind: "moved" };
  }
  if (effect.kind === "card moved") {
    const away = ["discard", "shuffler"].includes(effect.to) ? [effect.owner, effect.name] : undefined;
    return { ...(by && { away, by }), text: `${capital(owner([effect.owner, effect.name]))} ${goes(effect.to)}${bands.includes(effect.to) ? " band" : ""}.`, kind: "moved" };
  }
  if (effect.kind === "wager moved") {
    const title = (spot) => titles(effect.seat)[spot] ?? spot;
    return { text: `Seat ${effect.seat}: ${title(effect.spot)} ${money(effect.amount)} goes to ${title(effect.to)}.`, kind: "moved", rule: effect.rule };
  }
  const words = resultSentence(effect, titles(effect.seat)[effect.spot] ?? effect.spot);
  return { text: `Seat ${effect.seat}: ${words} (${signed(net(effect)) || "0.00"}).`, kind: "settled", result: effect, rule: effect.rule };
}

/** @param {any} answer */
const shown = ({ card = null, faces = null, token = null, wheel = null, pocket: name = null }) =>
  ({ card, dice: faces, token, pocket: wheel && { wheel, name } });

// What is opened of a round: its cards, its rolls of dice, or its spins of a wheel.
/** @param {Wire.Recalled} round @returns {"card" | "roll" | "spin"} */
export function whatOf(round) {
  const openings = openingsOf(round);
  return openings.some((o) => o.dice) ? "roll" : openings.some((o) => o.spin) ? "spin" : "card";
}

/** @param {Wire.RoundStarted} event @param {Wire.Recalled} round */
function startWords({ root, size }, round) {
  const what = whatOf(round);
  if (what !== "card") return `The round starts with ${size} ${what}s to come; their root is published.`;
  if (!root) return size ? `The round starts with ${size} cards that the dealer has shuffled.` : "The round starts with the shoe as it is.";
  return `The round starts with ${size} freshly shuffled cards; their root is published.`;
}

/** @param {Wire.Event} event @param {Wire.Recalled} round */
function eventWords(event, titles, round, bands, boxes) {
  switch (event.kind) {
    case "answered": {
      const by = event.answer.kind === "decide" && typeof event.answer.who === "number" ? event.answer.option : undefined;
      return [
        { text: answerWords(event.answer, titles(), bands), ...shown(event.answer) },
        ...event.effects.map((effect) => effectWords(effect, titles, bands, boxes, by)),
      ];
    }
    case "round started":
      return [{ text: startWords(event, round) }, ...(event.effects ?? []).map((effect) => effectWords(effect, titles, bands, boxes))];
    case "reshuffled":
      if (whatOf(round) !== "card") return [{ text: `${event.size} more ${whatOf(round)}s to come; their root is published.` }];
      if (event.discards) {
        return [{ text: `The shoe is empty; the ${event.size} cards that are not of this round are shuffled and dealt on${event.root ? ", and their root is published" : ""}.` }];
      }
      return [{ text: `The ${event.size} cards not yet dealt are shuffled again; a new root is published.` }];
    case "round ended":
      return [{ text: `The round is over; ${event.openings.length} ${whatOf(round)}s are opened to be checked.` }];
    case "voided":
      return [{ text: `The round is void: ${event.reason}` }, ...event.returned.map((r) => effectWords(r, titles, bands))];
    case "reported":
      return [{ text: `Incident: ${event.incident}${event.text ? `, ${event.text}` : ""}${event.seat ? `, seat ${event.seat}` : ""}.` }];
    case "released":
      return [{ text: `${capital(event.what)}: released. ${event.reason}` }];
    case "paused":
      return [{ text: `The table is paused: ${event.reason}` }];
    case "resumed":
      return [{ text: "The table goes on." }];
    case "closing":
      return [{ text: `The table closes after this round: ${event.reason}` }];
    case "change posted":
      return [{ text: `Posted, from the next round: ${event.differences.join("; ")}.` }];
    case "change withdrawn":
      return [{ text: `What was posted is withdrawn.${event.reason ? ` ${event.reason}` : ""}` }];
    case "clocks restarted":
      return [{ text: "The house was away; every clock begins anew." }];
    case "sat":
      return [{ text: `${event.name} sits down at seat ${event.seat}.` }];
    case "left":
      return [{ text: `The player at seat ${event.seat} leaves.` }];
    case "patron sat":
      return [{ text: `A patron sits down at seat ${event.seat}.` }];
    case "patron left":
      return [{ text: `The patron at seat ${event.seat} leaves.` }];
    case "unseated":
      return [{ text: `Seat ${event.seat} goes back to the house when nothing of it is in action.` }];
    case "presence":
      return [{ text: `Seat ${event.seat} is ${event.present ? "back" : "away"}.` }];
    case "readied":
      return [{ text: `Seat ${event.seat} is ready.` }];
    case "dealer came":
      return [{ text: "Another dealer deals from here on." }];
    case "dealer left":
      return [{ text: "The dealer signs off." }];
    case "ticked off":
      return [{ text: "What was to do until here is done." }];
    case "taken back":
      return [{ text: `The dealer takes entry ${event.entry} back.` }];
    case "corrected":
      return [
        { text: `Correction of entry ${event.entry}: ${event.reason}` },
        event.answer.kind === "no wager" ? { text: "There was no wager." } : { text: answerWords(event.answer, titles(), bands), ...shown(event.answer) },
        ...event.effects.map((effect) => effectWords(effect, titles, bands, boxes)),
      ];
    default:
      return [{ text: capital(event.kind) }];
  }
}

// What each answer causes after a correction, that of the corrected one first: of all that is told with it, in order.
/** @template T @param {T[]} caused @param {Wire.Corrected} event */
function byAnswer(caused, { counts }) {
  let next = 0;
  return counts.map((count) => caused.slice(next, (next += count)));
}

// Every step says from which record on it does not count any more: what an entry has turned and settled that was taken back
// or corrected, and what later answers have settled that is told anew with the correction (F-20).
function endSteps(told) {
  /** @type {Array<{ turned: any[], caused: any[] }>} */
  let answers = [];
  const end = (steps, sequence) => steps.forEach((step) => (step.until = sequence));
  for (const { event, sequence, steps } of told) {
    if (event.kind === "answered") answers.push({ turned: steps.slice(0, 1), caused: steps.slice(1) });
    else if (event.kind === "taken back") {
      for (const { turned, caused } of answers.splice(event.entry - 1, 1)) end([...turned, ...caused], sequence);
    } else if (event.kind === "corrected") {
      const [was, ...later] = answers.splice(event.entry - 1);
      const [own, ...caused] = byAnswer(steps.slice(2), event);
      for (const one of [was, ...later]) end(one.caused, sequence);
      for (const one of [was, ...later.slice(event.kept)]) end(one.turned, sequence);
      const corrected = event.answer.kind === "no wager" ? [] : [{ turned: [steps[1]], caused: own }];
      answers = [...answers, ...corrected, ...caused.map((anew, i) => ({ turned: later[i].turned, caused: anew }))];
    }
  }
}

// [{text, card?, token?, dice?, pocket?, result?, rule?, kind?, time, sequence, until?}] for every step of a round.
/** @param {Wire.Recalled} round */
export function stepsOf(round, titles, bands = [], boxes = null) {
  const left = [...openingsOf(round)];
  const own = new Map(round.shared?.cards.map((one) => [one.sequence, { card: one.card, token: [round.shared.seat, one.token] }]));
  const turned = (event, sequence) => {
    if (event.answer?.kind === "hidden") return { ...event, answer: { ...event.answer, ...own.get(sequence) } };
    if (event.answer?.kind !== "card") return event;
    const [opening] = left.splice(left.findIndex((o) => o.card === event.answer.card) >>> 0, 1);
    return { ...event, answer: { ...event.answer, token: opening?.token } };
  };
  const told = round.records.map(({ event, time, sequence }) => {
    const steps = eventWords(turned(event, sequence), titles, round, bands, boxes).map((step) => ({ ...step, time, sequence }));
    return { event, sequence, steps };
  });
  endSteps(told);
  return told.flatMap(({ steps }) => steps);
}

// Every answer of a round that counts, with what it caused: one that was taken back or corrected does not.
/** @param {Wire.Recalled} round @returns {Array<{ answer: Wire.Answer, effects: Array<Wire.Effect> }>} */
function answersOf(round) {
  let found = [];
  for (const { event } of round.records) {
    if (event.kind === "answered") found.push(event);
    else if (event.kind === "taken back") found.splice(event.entry - 1, 1);
    else if (event.kind === "corrected") {
      const answers = [event, ...found.slice(event.entry, event.entry + event.kept)];
      const caused = byAnswer(event.effects, event);
      const anew = answers.map(({ answer }, i) => ({ answer, effects: caused[i] }));
      found = [...found.slice(0, event.entry - 1), ...(event.answer.kind === "no wager" ? anew.slice(1) : anew)];
    }
  }
  return found;
}

// Every settlement of a round.
/** @param {Wire.Recalled} round @returns {Wire.Settled[]} */
export const settledIn = (round) =>
  [...answersOf(round).flatMap(({ effects }) => effects), ...round.records.flatMap(({ event }) => (event.kind === "voided" ? event.returned : []))].filter((e) => e.kind === "settled");

/** @param {Wire.Recalled} round */
export const openingsOf = (round) => round.records.flatMap(({ event }) => (event.kind === "round ended" || event.kind === "voided" ? event.openings : []));

// What the record says was turned to all, rolled or spun, in order.
/** @param {Wire.Recalled} round */
export const turnedOf = (round) =>
  answersOf(round).flatMap(({ answer }) => {
    const { card, dice, pocket } = shown(answer);
    return card ?? dice?.join("") ?? (pocket ? `${pocket.wheel} ${pocket.name}` : []);
  });
