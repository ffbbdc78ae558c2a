// Everything that happens at the page, outside of what is drawn: what comes is handed to the director, and what is pressed
// is sent.

import { rail } from "../felts/chips.js";
import { calm } from "../felts/motion.js";
import { decidedNow } from "./held-and-disputed.js";
import { Director } from "./director.js";
import { cardName, money, withoutRules } from "../core/format.js";
import { module } from "../core/lazy.js";
import { nearest } from "./rail.js";
import { settings } from "../core/settings.js";
import { Connection } from "../core/connection.js";

const READING_TIME = 7000;
const AWAY = "The connection is lost. What you pressed last was not done; press it again when the table is back.";
const LATER = "The connection is lost. What you pressed is done when the table is back.";
const QUICK = 150; // milliseconds in which what was undone is put together again

export class Controller {
  /** @type {import("./manner.js").Manner} */
  manner = null;
  roots = new Map();
  frame = null;
  selected = null;
  told = null;
  news = null; // that a seat became free for you
  lastResult = null;
  void = null; // the round that was void last
  /** @type {Wire.LastRound | undefined} */
  before; // the last round that was played when the connection was made
  round = null;
  left = null;
  doing = null;
  /** @type {Wire.JackpotSeen | null} */
  jackpot = null; // for which the table plays
  lost = false;
  losses = 0; // how often the connection was lost: what was pressed in vain until then is not done later
  waiting = 0; // how much that was pressed is not answered yet
  roll = null; // whether the dice are rolled as soon as they come: wanted, or sent
  call = null;
  said = [];
  tour = false;
  queue = Promise.resolve(true);

  // Whoever only watches is told what everybody may see, also where they have a seat.
  constructor(id, onChange, watches = false) {
    this.onChange = onChange;
    this.director = new Director((frame) => this.show(frame));
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.connection = new Connection(`${scheme}//${location.host}/ws/${id}${watches ? "?watch" : ""}`, {
      view: (view, events, first) => this.receive(view, events, first),
      state: (state) => this.setState(state),
      refused: (why) => this.refuse(why),
      jackpot: (jackpot) => this.set({ jackpot }),
    });
  }

  // Where nothing moves on the screen, the dealer's pauses may be shorter.
  setState(state) {
    if (state === "open" && calm()) this.tellMotion();
    if (state === "lost" && !this.lost) this.losses += 1;
    if (state === "heard" && this.told?.head === LATER) this.told = null;
    if (state !== "open") this.set({ lost: state === "lost" });
  }

  tellMotion() {
    this.connection.wish(calm() ? "calm" : "motion");
  }

  set(changes) {
    Object.assign(this, changes);
    this.onChange();
  }

  // The table as it is seen: nobody acts on what was not shown yet.
  get view() {
    return this.frame?.view;
  }

  get moving() {
    return this.director.moving;
  }

  get bets() {
    return this.manner?.bets;
  }

  // How the table is played is fetched when one sits down.
  async learn() {
    if (!this.manner) {
      const found = await module(this.director.latest.table.layout.parts.player).catch(() => null);
      if (!found || this.manner) return;
      this.manner = found.manner();
      this.recall();
      if (this.frame) this.keepResult(this.frame.view);
    }
    if (!this.connection.behind) this.bets.follow(this.director.latest);
    this.onChange();
  }

  /** @param {Page.View} view */
  receive(view, events, first) {
    this.offset = view.now - performance.now(); // which nobody can set
    this.chips = rail(view.table);
    const { spot } = view.table.spots.find((s) => view.table.limits[s.spot]);
    this.selected ??= this.chips.find((value) => value >= view.table.limits[spot].least) ?? this.chips[0];
    this.noteRoot(view);
    if (this.doing === "done" && !this.connection.behind) this.doing = null;
    if (this.manner) this.say(this.manner.hear(view, events));
    this.noteVoid(view, events);
    const news = decidedNow(this.director.latest?.you ?? null, view.you, events);
    if (news) this.tell(news);
    this.director.push(view, events, first);
    this.before = view.last ?? this.before;
    if (first) this.recall();
    if (view.you?.seat != null) this.learn();
    this.rollIfAsked();
  }

  // The root of the cards, and the first round that it was seen before.
  /** @param {Page.View} _ */
  noteRoot({ shoe, round, phase, table }) {
    const early = shoe?.dealt === 0 || (phase === "betting" && table.decks !== null);
    if (shoe && round !== null && early && !this.roots.has(shoe.root)) this.roots.set(shoe.root, round);
  }

  show(frame) {
    const before = this.frame?.view;
    this.frame = { ...frame, number: (this.frame?.number ?? 0) + 1 };
    this.follow(before, frame);
    const { view } = frame;
    if (settings().sound) module("table/sounds.js").then(({ hear }) => settings().sound && hear(before, view), () => null);
    this.say([...frame.calls, ...others(before, view), ...ownCards(before, view), ...decision(before, view)]);
    this.onChange();
  }

  // What the dealer called last, the seat that was left in mid-round, and the last result.
  /** @param {Page.View} before @param {Page.Frame} _ */
  follow(before, { view, end, calls }) {
    const text = calls.findLast((call) => !end.message.startsWith(call));
    if (text) this.call = { text, phase: end.phase };
    if (view.round === null || this.call?.phase !== end.phase) this.call = null;
    const was = before?.you?.seat ?? null;
    if (before?.you?.line && view.you?.seat) this.news = `You have seat ${view.you.seat}. You join the next round.`;
    else if (view.you?.seat == null || view.you.staked) this.news = null;
    this.noteSeat(before?.you, view.you);
    if (was !== null && view.you?.seat === null && before.round !== null) this.left = { seat: was, round: before.round };
    if (view.you?.seat != null || (view.round !== null && view.round !== this.left?.round)) this.left = null;
    this.keepResult(view);
  }

  // Whoever loses the seat, or may not play on, is told why in the moment that it happens.
  /** @param {Wire.You | null | undefined} before @param {Wire.You | null | undefined} you */
  noteSeat(before, you) {
    if (before?.seat == null || !you) return;
    const why = you.may_not === before.may_not ? "" : you.may_not;
    const said = why || (you.seat === null ? you.lost_seat : "");
    if (!said) return;
    this.tell({ kind: "refused", head: said });
    this.said = [...this.said, said].slice(-3);
  }

  /** @param {Page.View} view */
  keepResult(view) {
    const own = this.result(view);
    this.round = view.round ?? this.round;
    if (own) this.lastResult = { ...own, round: this.round };
    else if (view.you?.staked && view.phase !== "betting" && this.void !== view.round) this.lastResult = null;
  }

  // A round that was void leaves no result: whoever wagered in it is told why, and what came back.
  /** @param {Page.View} view */
  noteVoid(view, events) {
    const event = events.find(({ kind }) => kind === "voided");
    const returned = event?.returned.filter((r) => r.seat === view.you?.seat) ?? [];
    if (!returned.length) return;
    const back = money(returned.reduce((cents, r) => cents + r.returned, 0));
    this.void = event.round;
    this.lastResult = { kind: "even", head: `void. ${event.reason.replace(/\.?$/, ".")} ${back} comes back to you.`, rows: [], round: event.round };
    this.said = [...this.said, `Round ${event.round} is ${this.lastResult.head}`].slice(-3);
  }

  // The result of a round that was played before this page was opened, or while it was away.
  recall() {
    const last = this.before;
    if (!last || !this.manner || this.lastResult?.round >= last.round) return;
    this.round ??= last.round;
    const over = /** @type {any} */ ({ ...this.director.latest, ...{ round: last.round, phase: "over", hands: [], you: null } });
    const told = this.manner.wholeResult(over, /** @type {any} */ (last));
    if (told) this.lastResult = { ...told, round: last.round };
  }

  // Your seat, also while the round is seen in which you left it.
  /** @param {Page.View} view */
  own(view) {
    return view.seats.find((s) => s.you || s.seat === this.left?.seat);
  }

  /** @param {Page.View} view */
  result(view) {
    return this.manner?.wholeResult(view, this.own(view)) ?? null;
  }

  say(texts) {
    if (!texts.length) return;
    const { view } = this.frame;
    const mine = this.own(view);
    this.said = [...this.said, ...(this.manner && mine ? this.manner.aloud(texts, view, mine) : texts)].slice(-3);
  }

  refuse(why) {
    this.tell({ kind: "refused", head: withoutRules(why) });
  }

  // What is read in a moment, and then gone.
  /** @param {Page.Notice} notice */
  tell(notice) {
    clearTimeout(this.forget);
    this.forget = setTimeout(() => this.set({ told: null }), READING_TIME);
    this.set({ told: notice });
  }

  // Nothing when all of it is done, or why not.
  /** @param {Wire.Command[]} commands @returns {Promise<string | null>} */
  async carryOut(commands) {
    for (const command of commands) {
      const answer = await this.connection.send(command);
      if (!answer.ok) return answer.why;
      if (this.connection.behind) this.bets?.done(command);
    }
    return null;
  }

  // One thing after the other: the commands of each are made when it is its turn, or why there are none. When one is
  // refused, those after it are not sent.
  /** @param {() => Wire.Command[] | string} make @returns {Promise<boolean>} whether it was done */
  inTurn(make) {
    this.director.hurry();
    if (this.told) this.set({ told: null });
    if (this.waiting && (this.lost || !navigator.onLine)) {
      this.refuse(AWAY);
      return Promise.resolve(false);
    }
    if (this.lost) this.tell({ kind: "note", head: LATER });
    const { losses } = this;
    this.set({ waiting: this.waiting + 1 });
    const done = this.queue.then(async () => {
      const commands = losses === this.losses ? make() : AWAY;
      const why = typeof commands === "string" ? commands : await this.carryOut(commands);
      if (!why) return true;
      this.refuse(why);
      if (this.bets) await this.carryOut(this.bets.even());
      return false;
    });
    this.queue = done.catch(() => false).finally(() => this.set({ waiting: this.waiting - 1 }));
    return done;
  }

  // Until what was pressed is seen to be done, or why not, another press does nothing.
  /** @param {() => Wire.Command[] | string} make @returns {Promise<boolean>} */
  async onceMade(make) {
    if (this.doing) return false;
    this.set({ doing: "sent" });
    const done = await this.inTurn(make);
    this.set({ doing: done && this.connection.behind ? "done" : null });
    return done;
  }

  /** @param {Wire.Command} command */
  once(command) {
    return this.onceMade(() => [command]);
  }

  // Whether what you have put down or taken up is not seen yet: what comes after it means what lies there then.
  get placing() {
    const { phase, you } = this.view;
    return phase === "betting" && you?.spots.length > 0 && !this.doing && (this.waiting > 0 || this.connection.behind);
  }

  // The button that goes on: what is written on it, and what it does besides being ready.
  get next() {
    const { view, manner } = this;
    return manner?.next(view, this.placing) ?? { text: view.table.layout.ready ?? "Deal", rebet: false, roll: false, enabled: false, plain: null };
  }

  async goAhead({ rebet, roll }) {
    if (this.director.latest.phase !== "betting") return this.act.goOn(); // it was pressed twice
    const commands = () => {
      const again = rebet ? this.bets.rebet() : [];
      if (typeof again === "string") return again;
      return again.length || this.bets.hasDown ? [...again, /** @type {Wire.Command} */ ({ kind: "ready" })] : [];
    };
    if (!(await this.onceMade(commands)) || !roll) return;
    this.roll = "wanted";
    this.rollIfAsked();
  }

  // Who was ready and wants to roll does so when the dice come: not in a betting that was opened again, nor another time.
  rollIfAsked() {
    const { you, seats, phase, table } = this.director.latest;
    const mine = seats.find((s) => s.you);
    if (!this.roll || this.connection.behind) return;
    if (you?.options.some((o) => o.name === table.layout.primary)) {
      if (this.roll === "wanted" && !this.doing) {
        this.roll = "sent";
        this.once({ kind: "choose", option: table.layout.primary }).then((done) => done || this.set({ roll: null }));
      }
    } else if (this.roll === "sent" || !mine || (phase === "betting" && !mine.ready) || you?.options.length) this.roll = null;
  }

  act = {
    sit: (seat) => this.once({ kind: "sit", seat }),
    leave: () => this.once({ kind: "leave" }),
    wait: () => this.once({ kind: "wait" }),
    stopWaiting: () => this.once({ kind: "stop waiting" }),
    select: (value) => this.set({ selected: value }),
    place: async (spot) => {
      const { least, most } = this.view.table.limits[spot];
      let fits = { amount: least === most ? least : this.selected, says: "" };
      const placed = await this.inTurn(() => {
        fits = this.bets.fit(spot, fits.amount);
        return fits.amount ? this.bets.place(spot, fits.amount) : fits.says;
      });
      if (!placed) return;
      this.bets.placed(spot, fits.amount);
      if (fits.says) this.tell({ kind: "note", head: fits.says });
    },
    tooEarly: (title) => {
      const first = this.manner?.lacks(this.view);
      this.tell({ kind: "note", head: first ? `Put a chip on ${first.title} first.` : `${title} is not open for bets now.` });
    },
    takeUp: (spot) => this.open && this.inTurn(() => this.bets.takeUp(spot)),
    undo: async () => {
      if (!this.open || !this.bets.canUndo) return;
      this.director.quick = true;
      await this.inTurn(() => this.bets.undo());
      setTimeout(() => (this.director.quick = false), QUICK);
    },
    clear: () => this.open && this.bets.canClear && this.inTurn(() => this.bets.clear()),
    rebet: () => this.open && this.bets.canRebet && this.inTurn(() => this.bets.rebet()),
    collect: (spot) => this.inTurn(() => [{ kind: "collect", spot }]),
    collectAll: () => {
      const won = Object.keys(this.own(this.view)?.winnings ?? {});
      if (this.view.phase === "betting") for (const spot of won) this.act.collect(spot);
    },
    ready: () => this.view.you?.can_ready && this.once({ kind: "ready" }),
    askRobot: (seat) => this.once({ kind: "ask robot", seat }),
    sendRobot: (seat) => this.once({ kind: "send robot away", seat }),
    getGrant: () => this.once({ kind: "more play money" }),
    choose: (name) => {
      const { you } = this.view;
      const option = you?.options.find((o) => o.name === name);
      if (option?.refused) this.refuse(option.refused);
      else if (option) this.once({ kind: "choose", option: name, ...this.manner?.choice(option, you) });
    },
    // Nothing is staked anew by a key that skips what moves.
    space: () => (this.next.rebet ? this.act.goOn() : this.act.primary()),
    primary: () => {
      const { you, seats, table } = this.view ?? {};
      const free = seats?.filter((s) => !s.name) ?? [];
      if (you?.seat === null && you.may_not) return;
      if (you && you.seat === null && free.length) this.act.sit(nearest(free, table.seats));
      else if (you && you.seat === null) you.line === null && this.act.wait();
      else if (you?.seat != null && this.next.enabled) this.goAhead(this.next);
      else this.act.goOn();
    },
    // What moves is skipped, and the dealer does not pause.
    goOn: () => {
      this.director.hurry();
      if (this.view?.you?.seat != null) this.connection.wish("go on");
    },
  };

  // The frame that is shown; nobody can bet before it is known how, or is asked what they have said already.
  get seen() {
    const { manner, roll } = this;
    const frame = this.withJackpot(this.frame);
    const you = frame?.view.you;
    if (!you || (manner && !roll)) return frame;
    const shut = { ...you, spots: manner ? you.spots : [], options: roll ? [] : you.options };
    return { ...frame, view: { ...frame.view, you: shut } };
  }

  // While the connection is lost, nothing is shown as what its meter shows.
  withJackpot(frame) {
    const { jackpot, lost } = this;
    if (!jackpot || frame?.view.table.jackpot !== jackpot.id) return frame;
    return { ...frame, view: { ...frame.view, jackpot: { ...jackpot, stale: lost } } };
  }

  get open() {
    return this.manner !== null && (this.view?.you?.spots.length ?? 0) > 0;
  }

  get rail() {
    const { chips, selected, manner, doing, lost, onChange } = this;
    const next = this.view.you?.seat != null ? this.next : null;
    const { canUndo, canClear, canRebet } = this.bets ?? {};
    return { chips, selected, canUndo, canClear, canRebet, manner, next, onChange, busy: doing !== null || lost };
  }
}

// Cards that have just become known to you, in words.
function ownCards(before, view) {
  const cards = (v) => v?.seats.find((s) => s.you)?.cards.filter((c) => c.card) ?? [];
  const had = new Set(cards(before).map((c) => c.token));
  return before ? cards(view).filter((c) => !had.has(c.token)).map((c) => `Your card: ${cardName(c.card)}.`) : [];
}

// What others have just decided.
/** @param {Page.View} before @param {Page.View} view */
function others(before, view) {
  const had = (seat) => before?.seats.find((s) => s.seat === seat)?.did;
  return view.seats.filter((s) => !s.you && s.did && s.did !== had(s.seat)).map((s) => `${s.name} ${s.did}.`);
}

/** @param {Page.View} before @param {Page.View} view */
function decision(before, view) {
  const options = view.you?.options ?? [];
  if (!options.length || before?.you?.options.length) return [];
  const names = options.map(({ title, wager }) => (wager ? `${title} ${money(wager)}` : title));
  return [`Your decision: ${names.join(", ")}.`];
}
