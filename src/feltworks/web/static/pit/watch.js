// A table for those who only watch it: the felt as it lies open, live, and below it what they should know. Nothing can be done here.

import { html, render, useEffect, useRef, useState } from "../core/html.js";
import { module, useLater } from "../core/lazy.js";
import { onChoice, settings } from "../core/settings.js";
import { Felt } from "../felts/felt.js";
import { turnedTo } from "../felts/turned.js";
import { Controller } from "../table/controller.js";
import { Head } from "../table/head.js";
import { InWords } from "../table/in-words.js";
import { Watched } from "./watched.js";

// Where there is room for one seat, it is the one that was chosen, or the first that is taken.
/** @param {Page.Frame} frame @param {number | null} chosen */
function turned(frame, chosen) {
  const taken = frame.view.seats.filter((s) => s.name).map((s) => s.seat);
  return { ...frame, view: turnedTo(frame.view, taken.includes(chosen) ? chosen : taken[0] ?? null) };
}

/** @param {{ place: Record<string, string> }} props */
function Watch({ place }) {
  const [, redraw] = useState(0);
  const [part, setPart] = useState(null);
  const [narrow, setNarrow] = useState(false);
  const [seat, setSeat] = useState(null); // that is looked at
  const again = () => redraw((n) => n + 1);
  const ref = useRef(null);
  const controller = (ref.current ??= new Controller(place.table, again, true));
  const Drawer = useLater(part, async () => (await module("drawers/drawer.js")).Drawer);
  const Strip = useLater(narrow, async () => (await module("table/seat-strip.js")).Strip);
  const parts = controller.view?.table.layout.parts;
  const words = useLater(parts?.words, () => module(parts.words));
  useEffect(() => onChoice(again), []);
  const frame = controller.seen;
  if (!frame) return html`<p class="loading" role="status">${controller.lost ? "Reconnecting." : "Going to the table."}</p>`;
  const { view } = frame;
  const drawn = narrow ? turned(frame, seat) : frame;
  const { fourColours, calm } = settings();
  return html`
    <div class=${["page", part && "with-drawer", fourColours && "four-colours", calm && "calm"].filter(Boolean).join(" ")}>
      <${Head} view=${view} offset=${controller.offset} call=${controller.call?.text} lost=${controller.lost} part=${part} onPart=${setPart} home=${place.watch} />
      <main class="table" id="main">
        ${Strip && html`<${Strip} view=${drawn.view} words=${words ?? {}} />`}
        <${Felt} frame=${drawn} act=${controller.act} onNarrow=${setNarrow} />
        <${Watched} view=${view} place=${place} seat=${drawn.view.you?.seat ?? null} onLook=${setSeat} />
        <${InWords} view=${view} words=${words ?? {}} />
        <p class="unseen" role="log" aria-live="polite">${controller.said.map((text, i) => html`<span key=${text + i}>${text} </span>`)}</p>
      </main>
      ${Drawer && html`<${Drawer} part=${part} onPart=${setPart} onClose=${() => setPart(null)} view=${view} roots=${controller.roots} act=${controller.act} />`}
    </div>`;
}

const place = document.getElementById("table");
render(html`<${Watch} place=${{ ...place.dataset }} />`, place);
