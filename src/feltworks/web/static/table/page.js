// The table page: the parts of the screen put together.

import { Controller } from "./controller.js";
import { Felt } from "../felts/felt.js";
import { Head } from "./head.js";
import { html, render, useEffect, useRef, useState } from "../core/html.js";
import { listen } from "./keyboard.js";
import { module, useLater } from "../core/lazy.js";
import { Rail } from "./rail.js";
import { onChoice, settings } from "../core/settings.js";
import { InWords } from "./in-words.js";
import { Notice } from "./results.js";

const LOST = "The connection is lost. Trying again.";

// The one line between felt and rail.
/** @param {Controller} controller @param {Page.View} view @returns {Page.Notice | null} */
function noticeOf(controller, view) {
  if (controller.told) return controller.told;
  const mine = controller.own(view);
  const own = controller.result(view);
  const last = controller.lastResult;
  const before = last && { ...last, head: last.round ? `Round ${last.round}: ${last.head}` : last.head, kind: `${last.kind} past` };
  const missing = mine?.you && controller.manner?.missing(view, mine);
  if (mine?.you && view.you.may_not) return { kind: "note", head: view.you.may_not, lines: [own?.head].filter(Boolean) };
  const refused = view.you?.options.find((o) => o.refused)?.refused;
  const note = mine && controller.manner?.note(view, mine, last);
  if (refused) return note ? { ...note, lines: [...(note.lines ?? []), refused] } : { kind: "note", head: refused };
  if (missing) return { kind: "note", head: missing, lines: [(own ?? before)?.head].filter(Boolean) };
  if (own) return controller.left ? { ...own, head: `You have left. ${own.head}` } : own;
  if (controller.news) return { kind: "note", head: controller.news };
  if (mine?.leaving) return { kind: "note", head: "You are leaving. Your wagers play on; what they bring goes to your balance." };
  if (mine?.ready) return { kind: "note", head: "You are ready. It goes on when the others are." };
  if (view.you?.grant) return before;
  if (note) return note;
  const wanted = controller.manner?.lacks(view);
  if (mine && wanted && (!last || wanted.instead)) return { kind: "note", head: `Choose a chip and put it on ${wanted.title}.` };
  if (!last || (mine?.you && view.phase !== "betting")) return null;
  return before;
}

function Page({ id }) {
  const [, redraw] = useState(0);
  const [part, setPart] = useState(null);
  const [narrow, setNarrow] = useState(false);
  const ref = useRef(null);
  const controller = (ref.current ??= new Controller(id, () => redraw((n) => n + 1)));
  const Drawer = useLater(part, async () => (await module("drawers/drawer.js")).Drawer, () => controller.refuse(LOST));
  const Strip = useLater(narrow, async () => (await module("table/seat-strip.js")).Strip);
  const parts = controller.view?.table.layout.parts;
  const words = useLater(parts?.words, () => module(parts.words));
  useEffect(() => listen(() => controller), []);
  useEffect(() => onChoice(() => {
    controller.tellMotion();
    redraw((n) => n + 1);
  }), []);
  const frame = controller.seen;
  const Tour = useLater(frame?.view.you && (controller.tour || !settings().toured), async () => (await module("table/tour.js")).Tour);
  if (!frame) return html`<p class="loading" role="status">${controller.lost ? "Reconnecting." : "Going to the table."}</p>`;
  const { view } = frame;
  const { fourColours, calm } = settings();
  const close = () => setPart(null);
  const onTour = () => {
    close();
    controller.set({ tour: true });
  };
  return html`
    <div class=${["page", part && "with-drawer", fourColours && "four-colours", calm && "calm"].filter(Boolean).join(" ")}>
      <${Head} view=${view} offset=${controller.offset} call=${controller.call?.text} lost=${controller.lost} part=${part} onPart=${setPart}
        onLeave=${controller.act.leave} />
      <main class="table" id="main">
        ${Strip && html`<${Strip} view=${view} act=${controller.act} words=${words ?? {}} />`}
        <${Felt} frame=${frame} act=${controller.act} selected=${controller.selected} onNarrow=${setNarrow} />
        <${Notice} notice=${noticeOf(controller, view)} />
        <${Rail} view=${view} act=${controller.act} state=${controller.rail} />
        ${Tour && html`<${Tour} view=${view} started=${controller.tour} onStart=${onTour} onEnd=${() => controller.set({ tour: false })} />`}
        <${InWords} view=${view} words=${words ?? {}} />
        <p class="unseen" role="log" aria-live="polite">${controller.said.map((text, i) => html`<span key=${text + i}>${text} </span>`)}</p>
      </main>
      ${Drawer && html`<${Drawer} part=${part} onPart=${setPart} onClose=${close} view=${view} roots=${controller.roots}
        act=${controller.act} onTour=${onTour} />`}
    </div>`;
}

const place = document.getElementById("table");
render(html`<${Page} id=${place.dataset.table} />`, place);
