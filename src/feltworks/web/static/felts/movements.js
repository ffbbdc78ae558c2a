// The frames between two views, made out of the events in the order in which they happened. What the new view says and
// asks for comes with the last of them, when all that it is about is seen.

import "./chip-flights.js";
import { CHIPS, DEAL, MOVE, TURN } from "./motion.js";
import { sum } from "../core/format.js";

const SETTLING = 2200; // all settlements of one moment together
const HOLD = 600; // what was paid lies a moment before it goes to its player
const READ = 600; // the results of a round stay for so long, at least
const WATCH = 1800; // and for those whose own bet does not clear the table

const key = (owner, card) => `${owner ?? "dealer"} ${card.token}`;

function everyCard(view) {
  const cards = new Map(view.dealer.map((card) => [key(null, card), card]));
  for (const seat of view.seats) for (const card of seat.cards) cards.set(key(seat.seat, card), card);
  return cards;
}

const withSeat = (view, seat, change) => ({
  ...view,
  seats: view.seats.map((s) => (s.seat === seat ? { ...s, ...change(s) } : s)),
});

export function without(wagers, spot) {
  const { [spot]: _, ...rest } = wagers;
  return rest;
}

// What could be pressed before, and still can: what is new is offered when all that led to it is seen.
/** @param {Wire.You} before @param {Wire.You} after */
const stillOpen = (before, after) => ({
  options: [],
  spots: after.spots.filter(({ spot }) => before?.spots.some((s) => s.spot === spot)),
  can_ready: Boolean(before?.can_ready) && after.can_ready,
});

// The working view of a plan, and the frames made so far.
export class Plan {
  constructor(before, after, events) {
    this.after = after;
    this.frames = [];
    this.calls = [];
    this.settled = events.flatMap((e) => e.effects ?? []).filter((e) => e.kind === "settled");
    this.each = Math.min(CHIPS + 20, Math.max(110, SETTLING / Math.max(this.settled.length, 1)));
    this.home = [];
    this.events = events;
    this.cardsShown = false;
    const own = this.settled.filter((s) => s.seat === after.you?.seat);
    const due = own.reduce((cents, s) => cents + this.pays(s) + s.returned, 0);
    const { round, lying, phase, message, deadline, dealer } = before;
    this.now = {
      ...after,
      ...{ round, lying, phase, message, deadline, dealer, hands: before.hands },
      you: after.you && { ...after.you, ...stillOpen(before.you, after.you), balance: after.you.balance - due },
      seats: after.seats.map((seat, i) => {
        const { wagers, cards, results, net, round_net, acting, ready, did } = before.seats[i];
        return { ...seat, wagers, cards, results, net, round_net, paid: {}, acting, ready, did };
      }),
    };
  }

  working = "The dealer deals."; // what the table says while nobody is asked for anything

  // Betting is closed, or a decision is made: nobody is asked for anything before the next view does.
  work() {
    const { you, seats } = this.now;
    this.now = {
      ...this.now,
      ...{ phase: "dealing", message: this.working, deadline: null },
      you: you && { ...you, spots: [], can_ready: false },
      seats: seats.map((s) => ({ ...s, acting: false, ready: false })),
    };
  }

  frame(ms, flights = []) {
    this.frames.push({ view: this.#even(), ms, flights, calls: this.calls.splice(0) });
  }

  // Chips that are put down or taken up are yours all the time: they lie there when they have come.
  #even() {
    const { now, after, settled } = this;
    const lies = ({ seats }) => seats.filter((s) => s.you).flatMap((s) => [...Object.values(s.wagers), ...Object.values(s.winnings)]);
    if (!now.you || settled.some((s) => s.seat === now.you.seat)) return now;
    return { ...now, you: { ...now.you, balance: after.you.balance + sum(lies(after)) - sum(lies(now)) } };
  }

  seat(number) {
    return this.now.seats.find((s) => s.seat === number);
  }

  change(seat, change) {
    this.now = withSeat(this.now, seat, change);
  }

  event(event) {
    if (event.kind === "round started") this.newRound(event.round);
    if (event.kind === "voided") this.voided(event);
    if (event.kind !== "answered") return;
    if (["close", "decide"].includes(event.answer.kind)) this.work();
    this.answer(event.answer);
    for (const effect of event.effects) this.effect(effect);
  }

  answer({ kind, seat, spot, amount, who }) {
    if (kind === "place") this.place(seat, spot, amount);
    else if (kind === "take up") this.takeUp(seat, spot);
    else if (kind === "decide") this.decided(who);
    else if (["dealt", "card", "hidden", "reading"].includes(kind)) this.cards();
  }

  place(seat, spot, amount) {
    if (!this.seat(seat)) return;
    this.frame(CHIPS - 50, [{ from: { home: seat }, to: { seat, spot }, amount }]);
    this.change(seat, (s) => ({ wagers: { ...s.wagers, [spot]: (s.wagers[spot] ?? 0) + amount } }));
  }

  takeUp(seat, spot) {
    const amount = this.seat(seat)?.wagers[spot];
    if (!amount) return;
    this.change(seat, (s) => ({ wagers: without(s.wagers, spot) }));
    this.frame(CHIPS - 50, [{ from: { seat, spot }, to: { home: seat }, amount }]);
  }

  decided(seat) {
    const did = this.after.seats.find((s) => s.seat === seat)?.did;
    if (did) this.change(seat, () => ({ did }));
    this.extra(seat);
  }

  // A decision may have put down more; it lies in the view after it, or was settled on the way there.
  extra(seat) {
    const lies = this.after.seats.find((s) => s.seat === seat)?.wagers ?? {};
    const was = this.settled.filter((s) => s.seat === seat).map((s) => [s.spot, s.amount]);
    for (const [spot, amount] of [...Object.entries(lies), ...was]) {
      if (!this.seat(seat).wagers[spot]) this.place(seat, spot, amount);
    }
  }

  // New cards and turned ones, as they lie after the whole; those that are moved later still lie where they did.
  cards() {
    if (this.cardsShown) return;
    this.cardsShown = true;
    const had = everyCard(this.now);
    const cards = everyCard(this.after);
    const fresh = [...cards.keys()].filter((k) => !had.has(k)).length;
    const turned = [...cards].filter(([k, card]) => card.card && !had.get(k)?.card).length;
    const stay = (owner) => (card) => ({ ...card, place: had.get(key(owner, card))?.place ?? card.place });
    this.now = { ...this.now, dealer: this.after.dealer.map(stay(null)) };
    for (const { seat, cards } of this.after.seats) this.change(seat, () => ({ cards: cards.map(stay(seat)) }));
    this.frame(fresh * DEAL + (turned ? TURN : 0));
    this.now = { ...this.now, hands: this.after.hands }; // named when all of their cards are seen
  }

  effect(effect) {
    if (effect.kind === "called") this.calls.push(effect.text);
    else if (effect.kind === "card moved") this.cardMoved(effect);
    else if (effect.kind === "moved") this.moved(effect);
    else if (effect.kind === "wager moved") this.wagerMoved(effect);
    else if (effect.kind === "settled") this.settle(effect);
  }

  // What is no card is put somewhere: that is not drawn here.
  moved(_effect) {}

  cardMoved({ owner, name: token, to }) {
    const gone = to === "discard" || to === "shuffler";
    const move = (cards) => cards.map((c) => (c.token === token ? { ...c, place: gone ? "discard" : to } : c));
    const drop = (cards) => cards.filter((c) => c.token !== token);
    if (owner === null) this.now = { ...this.now, dealer: move(this.now.dealer) };
    else this.change(owner, (s) => ({ cards: move(s.cards) }));
    this.frame(MOVE);
    if (gone && owner !== null) this.change(owner, (s) => ({ cards: drop(s.cards) }));
    else if (gone) this.now = { ...this.now, dealer: drop(this.now.dealer) };
  }

  // A wager goes to another spot, and on to what lies there.
  wagerMoved({ seat, spot, to, amount }) {
    const flight = { from: { seat, spot }, to: { seat, spot: to }, amount };
    this.change(seat, (s) => ({ wagers: without(s.wagers, spot) }));
    this.frame(MOVE, [flight]);
    this.change(seat, (s) => ({ wagers: { ...s.wagers, [to]: (s.wagers[to] ?? 0) + amount } }));
  }

  // What goes to the player's own chips when a wager is settled.
  pays({ paid }) {
    return paid;
  }

  // A loser's chips are taken, a winner is paid beside the stake; what goes back to the player does so at the end.
  settle(result) {
    const { seat, spot, amount, paid } = result;
    const told = this.after.seats.find((s) => s.seat === seat)?.results.find((r) => r.spot === spot && r.line === result.line);
    const flights = [];
    if (paid) flights.push({ from: { tray: true }, to: { seat, spot, beside: true }, amount: paid });
    if (result.stake === "taken") flights.push({ from: { seat, spot }, to: { tray: true }, amount });
    const goes = this.pays(result) + result.returned;
    if (goes) this.home.push({ from: { seat, spot }, to: { home: seat }, amount: goes });
    const brings = paid - (result.stake === "taken" ? amount : 0);
    this.change(seat, (s) => ({
      results: [...s.results, told ?? result],
      net: (s.net ?? 0) + brings,
      round_net: (s.round_net ?? 0) + brings,
      wagers: result.stake === "taken" ? without(s.wagers, spot) : s.wagers,
    }));
    this.frame(this.each, flights);
    if (paid) this.change(seat, (s) => ({ paid: { ...s.paid, [spot]: paid } }));
  }

  voided({ returned }) {
    for (const result of returned) this.settle(result);
  }

  // The cards go to the discard tray.
  newRound(round) {
    this.sweep();
    this.now = { ...this.now, round, lying: this.after.lying };
  }

  clear() {
    this.sweep();
    this.now = { ...this.now, lying: null };
  }

  sweep() {
    const cards = everyCard(this.now);
    const stays = everyCard(this.after);
    if (![...cards.keys()].some((k) => !stays.has(k))) return;
    const sweep = (list) => list.map((card) => ({ ...card, place: "discard" }));
    this.now = {
      ...this.now,
      dealer: sweep(this.now.dealer),
      hands: [],
      seats: this.now.seats.map((s) => ({ ...s, cards: sweep(s.cards) })),
    };
    this.frame(MOVE);
    this.now = { ...this.now, dealer: [], hands: [], seats: this.now.seats.map((s) => ({ ...s, cards: [] })) };
  }

  all() {
    if (this.now.lying != null && this.after.lying == null) this.clear();
    for (const event of this.events) this.event(event);
    if (this.home.length) this.frame(HOLD);
    const over = this.settled.length && this.after.phase === "over";
    const read = this.after.you?.seat == null ? WATCH : READ;
    this.frames.push({ view: this.after, ms: over ? read : 0, flights: this.home, calls: this.calls });
    return this.frames;
  }
}

export const plan = (...given) => new Plan(...given).all();
