// The table page: the connection, the director and the parts of the screen put together.
// @ts-check

import { rail } from "../felts/chips.js";
import { Director } from "./director.js";
import { Felt } from "../felts/felt.js";
import { cardName, money } from "../core/format.js";
import { Head } from "./head.js";
import { html, render, useEffect, useRef, useState } from "../core/html.js";
import { listen } from "./keyboard.js";
import { module, useLater } from "../core/lazy.js";
import { nearest, Rail } from "./rail.js";
import { onChoice, settings } from "../core/settings.js";
import { Connection } from "../core/connection.js";
import { InWords } from "./in-words.js";
import { Notice, resultOf } from "./results.js";

const READING_TIME = 7000;
const LOST = "The connection is lost. Trying again.";

// Everything that happens at the page, outside of what is drawn.
class Seat {
  bets = null;
  note = null;
  roots = new Map();
  frame = null;
  selected = null;
  refusal = null;
  news = null; // that a seat became free for you
  lastResult = null;
  round = null;
  left = null;
  doing = null;
  lost = false;
  call = null;
  said = [];
  tour = false;
  queue = Promise.resolve(true);

  constructor(id, onChange) {
    this.onChange = onChange;
    this.director = new Director((frame) => this.show(frame));
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.connection = new Connection(`${scheme}//${location.host}/ws/${id}`, {
      view: (view, events) => this.receive(view, events),
      state: (state) => this.set({ lost: state === "lost" }),
      refused: (why) => this.refuse(why),
    });
  }

  set(changes) {
    Object.assign(this, changes);
    this.onChange();
  }

  get view() {
    return this.director.latest;
  }

  async learnToBet() {
    this.bets ??= await module("table/wager-edits.js").then(({ Bets }) => new Bets(), () => null);
    const part = this.view.table.layout.parts.player;
    if (part && !this.note) await module(part).then(({ attach }) => attach(this), () => null);
    this.bets?.follow(this.view);
  }

  /** @param {Page.View} view */
  receive(view, events) {
    this.offset = view.now - performance.now(); // which nobody can set
    this.chips = rail(view.table);
    const [first] = view.table.spots.filter((s) => view.table.limits[s.spot]);
    this.selected ??= this.chips.find((value) => value >= view.table.limits[first.spot].least) ?? this.chips[0];
    this.noteRoot(view);
    if (this.doing === "done" && !this.connection.behind) this.doing = null;
    this.director.push(view, events);
    if (view.you?.seat != null) this.learnToBet();
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
    if (settings().sound) module("table/sounds.js").then(({ hear }) => settings().sound && hear(before, frame.view), () => null);
    this.say([...frame.calls, ...ownCards(before, frame.view), ...decision(before, frame.view)]);
    this.onChange();
  }

  // What the dealer called last, the seat that was left in mid-round, and the last result.
  /** @param {Page.View} before @param {Page.Frame} _ */
  follow(before, { view, calls }) {
    const text = calls.findLast((call) => !view.message.startsWith(call));
    if (text) this.call = { text, phase: view.phase };
    if (view.round === null || this.call?.phase !== view.phase) this.call = null;
    const was = before?.you?.seat ?? null;
    if (before?.you?.line && view.you?.seat) this.news = `You have seat ${view.you.seat}. You join the next round.`;
    else if (view.you?.seat == null || view.you.staked) this.news = null;
    if (was !== null && view.you?.seat === null && before.round !== null) this.left = { seat: was, round: before.round };
    if (view.you?.seat != null || (view.round !== null && view.round !== this.left?.round)) this.left = null;
    const own = this.result(view);
    this.round = view.round ?? this.round;
    if (own) this.lastResult = { ...own, round: this.round };
  }

  // Your seat, also while the round is seen in which you left it.
  /** @param {Page.View} view */
  own(view) {
    return view.seats.find((s) => s.you || s.seat === this.left?.seat);
  }

  result(view) {
    return resultOf(view, this.own(view));
  }

  say(texts) {
    if (texts.length) this.said = [...this.said, ...texts].slice(-3);
  }

  refuse(why) {
    clearTimeout(this.forget);
    this.forget = setTimeout(() => this.set({ refusal: null }), READING_TIME);
    this.set({ refusal: why });
  }

  // Commands go one after the other; when one is refused, those after it are not sent.
  /** @param {Wire.Command[]} commands */
  send(...commands) {
    this.director.hurry();
    if (this.refusal) this.set({ refusal: null });
    const done = this.queue.then(async () => {
      for (const command of commands) {
        const answer = await this.connection.send(command);
        if (!answer.ok) {
          this.refuse(answer.why);
          return false;
        }
      }
      return true;
    });
    this.queue = done.catch(() => false);
    return done;
  }

  // Until what was pressed is seen to be done, or why not, another press does nothing.
  /** @param {Wire.Command} command */
  async once(command) {
    if (this.doing) return;
    this.set({ doing: "sent" });
    const done = await this.send(command);
    this.set({ doing: done && this.connection.behind ? "done" : null });
  }

  act = {
    sit: (seat) => this.once({ kind: "sit", seat }),
    leave: () => this.once({ kind: "leave" }),
    wait: () => this.once({ kind: "wait" }),
    stopWaiting: () => this.once({ kind: "stop waiting" }),
    select: (value) => this.set({ selected: value }),
    place: async (spot) => {
      const amount = this.selected;
      if (await this.send({ kind: "place", spot, amount })) this.bets?.placed(spot, amount);
    },
    takeUp: (spot) => this.bets && this.send(...this.bets.takeUp(spot)),
    undo: async () => {
      if (!this.open || !this.bets?.canUndo) return;
      this.director.quick = true;
      await this.send(...this.bets.undo());
      setTimeout(() => (this.director.quick = false), 150);
    },
    clear: () => this.open && this.bets?.canClear && this.send(...this.bets.clear()),
    rebet: () => this.open && this.bets?.canRebet && this.send(...this.bets.rebet()),
    collect: (spot) => this.send({ kind: "collect", spot }),
    ready: () => this.view.you?.can_ready && this.once({ kind: "ready" }),
    askRobot: (seat) => this.once({ kind: "ask robot", seat }),
    sendRobot: (seat) => this.once({ kind: "send robot away", seat }),
    getGrant: () => this.once({ kind: "more play money" }),
    choose: (option) => this.view.you?.options.some((o) => o.name === option) && this.once({ kind: "choose", option }),
    primary: () => {
      const { you, seats, table } = this.view ?? {};
      const free = seats?.filter((s) => !s.name) ?? [];
      if (you && you.seat === null && free.length) this.act.sit(nearest(free, table.seats));
      else if (you && you.seat === null) you.line === null && this.act.wait();
      else if (you?.can_ready) this.act.ready();
      else this.director.hurry();
    },
  };

  get open() {
    return (this.view?.you?.spots.length ?? 0) > 0;
  }

  get rail() {
    const { chips, selected, bets, doing } = this;
    const { canUndo, canClear, canRebet } = bets ?? {};
    return { chips, selected, canUndo, canClear, canRebet, busy: doing !== null };
  }
}

// Cards that have just become known to you, in words.
function ownCards(before, view) {
  const cards = (v) => v?.seats.find((s) => s.you)?.cards.filter((c) => c.card) ?? [];
  const had = new Set(cards(before).map((c) => c.token));
  return before ? cards(view).filter((c) => !had.has(c.token)).map((c) => `Your card: ${cardName(c.card)}.`) : [];
}

/** @param {Page.View} before @param {Page.View} view */
function decision(before, view) {
  const options = view.you?.options ?? [];
  if (!options.length || before?.you?.options.length) return [];
  const names = options.map(({ title, wager }) => (wager ? `${title} ${money(wager)}` : title));
  return [`Your decision: ${names.join(", ")}.`];
}

// The one line between felt and rail.
/** @param {Seat} seat @param {Page.View} view */
function noticeOf(seat, view) {
  if (seat.refusal) return { kind: "refused", head: seat.refusal };
  const mine = seat.own(view);
  const own = seat.result(view);
  if (own) return seat.left ? { ...own, head: `You have left. ${own.head}` } : own;
  if (seat.news) return { kind: "note", head: seat.news };
  if (mine?.leaving) return { kind: "note", head: "You are leaving. Your wagers play on; what they bring goes to your balance." };
  if (mine?.ready) return { kind: "note", head: "You are ready. It goes on when the others are." };
  if (view.you?.grant) return null;
  const last = seat.lastResult;
  const note = mine && seat.note?.(view, mine, last);
  if (note) return note;
  const open = view.you?.spots.filter((s) => !s.down).map((s) => s.spot) ?? [];
  const wanted = view.table.spots.find((s) => (s.required || s.instead.length) && open.includes(s.spot));
  if (mine && wanted && (!last || wanted.instead.length)) return { kind: "note", head: `Choose a chip and put it on ${wanted.title}.` };
  if (!last || (mine?.you && view.phase !== "betting")) return null;
  return { ...last, head: last.round ? `Round ${last.round}: ${last.head}` : last.head, kind: `${last.kind} past` };
}

function Page({ id }) {
  const [, redraw] = useState(0);
  const [part, setPart] = useState(null);
  const [narrow, setNarrow] = useState(false);
  const ref = useRef(null);
  const seat = (ref.current ??= new Seat(id, () => redraw((n) => n + 1)));
  const Drawer = useLater(part, async () => (await module("drawers/drawer.js")).Drawer, () => seat.refuse(LOST));
  const Strip = useLater(narrow, async () => (await module("table/seat-strip.js")).Strip);
  useEffect(() => listen(() => seat), []);
  useEffect(() => onChoice(() => redraw((n) => n + 1)), []);
  const { frame } = seat;
  const Tour = useLater(frame?.view.you && (seat.tour || !settings().toured), async () => (await module("table/tour.js")).Tour);
  if (!frame) return html`<p class="loading" role="status">${seat.lost ? "Reconnecting." : "Going to the table."}</p>`;
  const { view } = frame;
  const { fourColours, calm } = settings();
  const close = () => setPart(null);
  const onTour = () => {
    close();
    seat.set({ tour: true });
  };
  return html`
    <div class=${["page", part && "with-drawer", fourColours && "four-colours", calm && "calm"].filter(Boolean).join(" ")}>
      <${Head} view=${view} offset=${seat.offset} call=${seat.call?.text} lost=${seat.lost} part=${part} onPart=${setPart}
        onLeave=${seat.act.leave} />
      <main class="table" id="main">
        ${Strip && html`<${Strip} view=${view} act=${seat.act} />`}
        <${Felt} frame=${frame} act=${seat.act} selected=${seat.selected} onNarrow=${setNarrow} />
        <${Notice} notice=${noticeOf(seat, view)} />
        <${Rail} view=${view} act=${seat.act} state=${seat.rail} />
        ${Tour && html`<${Tour} view=${view} started=${seat.tour} onStart=${onTour} onEnd=${() => seat.set({ tour: false })} />`}
        <${InWords} view=${view} />
        <p class="unseen" role="log" aria-live="polite">${seat.said.map((text, i) => html`<span key=${text + i}>${text} </span>`)}</p>
      </main>
      ${Drawer && html`<${Drawer} part=${part} onPart=${setPart} onClose=${close} view=${view} roots=${seat.roots} act=${seat.act} onTour=${onTour} />`}
    </div>`;
}

const place = document.getElementById("table");
render(html`<${Page} id=${place.dataset.table} />`, place);
