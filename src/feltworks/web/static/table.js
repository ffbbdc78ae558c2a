// The table page: the connection, the director and the parts of the screen put together.

import { Director } from "./animate.js";
import { Bets, change, clear } from "./bets.js";
import { rail } from "./chips.js";
import { Felt } from "./felt.js";
import { cardName, money } from "./format.js";
import { Head } from "./head.js";
import { html, render, useEffect, useRef, useState } from "./html.js";
import { listen } from "./keys.js";
import { nearest, Rail } from "./rail.js";
import { onChoice, settings } from "./settings.js";
import { Connection } from "./socket.js";
import { InWords, Notice, ownResult } from "./words.js";

const READING_TIME = 7000;

// Everything that happens at the page, outside of what is drawn.
class Seat {
  constructor(id, onChange) {
    this.onChange = onChange;
    this.bets = new Bets();
    this.roots = new Map();
    this.frame = null;
    this.frames = 0;
    this.selected = null;
    this.refusal = null;
    this.lastResult = null;
    this.lost = false;
    this.call = "";
    this.said = [];
    this.queue = Promise.resolve();
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

  get down() {
    return this.view?.seats.find((s) => s.you)?.wagers ?? {};
  }

  receive(view, events) {
    this.offset = view.now - Date.now();
    this.chips = rail(view.table);
    this.selected ??= this.chips.find((value) => value >= view.table.limits[view.table.spots[0].spot].least) ?? this.chips[0];
    this.bets.follow(view);
    this.noteRoot(view);
    this.director.push(view, events);
  }

  // The root of the cards, and the first round before whose cards this page saw it.
  noteRoot({ shoe, round, phase }) {
    const early = phase === "betting" || shoe?.dealt === 0;
    if (shoe && round !== null && early && !this.roots.has(shoe.root)) this.roots.set(shoe.root, round);
  }

  show(frame) {
    this.frames += 1;
    const before = this.frame?.view;
    this.frame = { ...frame, number: this.frames };
    if (frame.calls.length) this.call = frame.calls.at(-1);
    else if (frame.view.round !== null && frame.view.round !== this.called) this.call = "";
    this.called = frame.view.round ?? this.called;
    const own = ownResult(frame.view);
    if (own) this.lastResult = { ...own, round: frame.view.round ?? this.lastResult?.round };
    this.say([...frame.calls, ...ownCards(before, frame.view), ...decision(before, frame.view)]);
    this.onChange();
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
  send(...commands) {
    this.director.skip();
    this.set({ refusal: null });
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

  act = {
    sit: (seat) => this.send({ kind: "sit", seat }),
    leave: () => this.send({ kind: "leave" }),
    select: (value) => this.set({ selected: value }),
    drag: async (event, value) => {
      if (event.button) return;
      const chip = event.currentTarget.querySelector("svg");
      const { startDrag } = await import("./drag.js");
      startDrag(event, chip, (spot) => {
        this.set({ selected: value });
        this.act.place(spot);
      });
    },
    place: async (spot) => {
      const amount = this.selected;
      if (await this.send({ kind: "place", spot, amount })) this.set(this.bets.placed(spot, amount));
    },
    takeUp: (spot) => {
      this.bets.forget();
      return this.send(...change(this.view.table, this.down, { ...this.down, [spot]: 0 }));
    },
    undo: async () => {
      if (!this.open || !this.bets.canUndo) return;
      this.director.quick = true;
      await this.send(...this.bets.undo(this.view.table, this.down));
      setTimeout(() => (this.director.quick = false), 150);
    },
    clear: () => {
      if (!this.open || !Object.keys(this.down).length) return;
      this.bets.forget();
      this.send(...clear(this.view.table, this.down));
    },
    rebet: () => {
      if (!this.open || !this.bets.canRebet(this.down)) return;
      this.bets.forget();
      this.send(...this.bets.rebet(this.view.table, this.down));
    },
    ready: () => this.view.you?.can_ready && this.send({ kind: "ready" }),
    choose: (option) => this.send({ kind: "choose", option }),
    primary: () => {
      const { you, seats, table } = this.view ?? {};
      const free = seats?.filter((s) => !s.name) ?? [];
      if (you && you.seat === null && free.length) this.act.sit(nearest(free, table.seats));
      else if (you?.can_ready) this.act.ready();
      else this.director.skip();
    },
  };

  get open() {
    return (this.view?.you?.spots.length ?? 0) > 0;
  }

  get rail() {
    const { chips, selected, bets } = this;
    return { chips, selected, canUndo: bets.canUndo, canRebet: bets.canRebet(this.down) };
  }
}

// Cards that have just become known to you, in words.
function ownCards(before, view) {
  const cards = (v) => v?.seats.find((s) => s.you)?.cards.filter((c) => c.card) ?? [];
  const had = new Set(cards(before).map((c) => c.token));
  return before ? cards(view).filter((c) => !had.has(c.token)).map((c) => `Your card: ${cardName(c.card)}.`) : [];
}

function decision(before, view) {
  const options = view.you?.options ?? [];
  if (!options.length || before?.you?.options.length) return [];
  const names = options.map(({ name, wager }) => (wager ? `${name} ${money(wager)}` : name));
  return [`Your decision: ${names.join(", ")}.`];
}

// The one line between felt and rail.
function noticeOf(seat, view) {
  if (seat.refusal) return { kind: "refused", head: seat.refusal };
  const own = ownResult(view);
  if (own) return own;
  const mine = view.seats.find((s) => s.you);
  if (mine?.ready && view.phase === "betting") return { kind: "note", head: "You are ready. The cards come when the others are." };
  const last = seat.lastResult;
  if (!last || view.phase !== "betting") return null;
  return { ...last, head: last.round ? `Round ${last.round}: ${last.head}` : last.head, kind: `${last.kind} past` };
}

// A part of the page that is fetched when it is first wanted.
function useLater(wanted, fetchPart) {
  const [Part, setPart] = useState(null);
  useEffect(() => {
    if (wanted && !Part) fetchPart().then((found) => setPart(() => found));
  }, [Boolean(wanted)]);
  return wanted ? Part : null;
}

function Page({ id }) {
  const [, redraw] = useState(0);
  const [part, setPart] = useState(null);
  const [narrow, setNarrow] = useState(false);
  const ref = useRef(null);
  const seat = (ref.current ??= new Seat(id, () => redraw((n) => n + 1)));
  const Drawer = useLater(part, async () => (await import("./drawer.js")).Drawer);
  const Strip = useLater(narrow, async () => (await import("./strip.js")).Strip);
  useEffect(() => listen(() => seat), []);
  useEffect(() => onChoice(() => redraw((n) => n + 1)), []);
  const { frame } = seat;
  if (!frame) return html`<p class="loading" role="status">${seat.lost ? "Reconnecting." : "Going to the table."}</p>`;
  const { view } = frame;
  const { fourColours, calm } = settings();
  const close = () => setPart(null);
  return html`
    <div class=${["page", part && "with-drawer", fourColours && "four-colours", calm && "calm"].filter(Boolean).join(" ")}>
      <${Head} view=${view} offset=${seat.offset} call=${seat.call} lost=${seat.lost} part=${part} onPart=${setPart}
        onLeave=${seat.act.leave} />
      <main class="table" id="main">
        ${Strip && html`<${Strip} view=${view} act=${seat.act} />`}
        <${Felt} frame=${frame} act=${seat.act} selected=${seat.selected} onNarrow=${setNarrow} />
        <${Notice} notice=${noticeOf(seat, view)} />
        <${Rail} view=${view} act=${seat.act} state=${seat.rail} />
        <${InWords} view=${view} />
        <p class="unseen" role="log" aria-live="polite">${seat.said.map((text, i) => html`<span key=${text + i}>${text} </span>`)}</p>
      </main>
      ${Drawer && html`<${Drawer} part=${part} onPart=${setPart} onClose=${close} view=${view} roots=${seat.roots} />`}
    </div>`;
}

const place = document.getElementById("table");
render(html`<${Page} id=${place.dataset.table} />`, place);
