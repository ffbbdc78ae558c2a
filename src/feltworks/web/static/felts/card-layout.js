// The cards on the felt: where each lies, and how it comes there.

import { Back, Face, PIPS } from "./cards.js";
import { inSeat } from "./geometry.js";
import { html, useLayoutEffect, useRef } from "../core/html.js";
import { calm, DEAL, placed, travel, turnOver } from "./motion.js";

// A card on the felt. It comes from the shoe, is turned, and moves when it lies elsewhere.
function Card({ card, at, from, counts }) {
  const whole = useRef();
  const back = useRef();
  const face = useRef();
  const shown = useRef(undefined);
  useLayoutEffect(() => {
    const first = shown.current === undefined;
    if (!calm() && from && first) travel(whole.current, from, at);
    if (!calm() && card && (first ? from : !shown.current)) turnOver(back.current, face.current, first ? DEAL : 0);
    shown.current = card;
  }, [card]);
  return html`
    <g class=${`card ${at.look ?? ""}`} ref=${whole} style=${{ transform: placed(at) }}>
      <rect class="card-shade" x="-49" y="-67" width="100" height="140" rx="9" />
      <g class=${card ? "side hidden-side" : "side"} ref=${back}><${Back} /></g>
      ${card && html`<g class="side" ref=${face}><${at.Face ?? Face} card=${card} pips=${PIPS} /></g>`}
      ${card && counts && html`<${Counts} ...${counts} />`}
    </g>`;
}

// A card that counts has an edge of light: a bar above where it is the dealer's, and below where it is yours.
const Counts = ({ dealers, yours }) => html`
  <rect class="counts" x="-50" y="-70" width="100" height="140" rx="8" />
  ${dealers && html`<rect class="counts-bar" x="-50" y="-77" width="100" height="9" rx="4.5" />`}
  ${yours && html`<rect class="counts-bar yours" x="-50" y="68" width="100" height="9" rx="4.5" />`}`;

// The cards that make your hand and the dealer's, once the dealer's is told. Several hands, as player and banker have, are
// told apart by where they lie.
function counting({ hands, you }) {
  const of = (seat) => {
    const theirs = hands.filter((h) => h.seat === seat);
    return theirs.length === 1 ? theirs[0].counts.map(([owner, token]) => `${owner ?? "dealer"} ${token}`) : [];
  };
  const [dealers, yours] = [of(null), of(you?.seat)];
  return (card) => {
    const found = { dealers: dealers.includes(card), yours: dealers.length > 0 && yours.includes(card) };
    return found.dealers || found.yours ? found : null;
  };
}

function discarded(stage) {
  const { x, y, turn, scale } = stage.discard;
  return { x, y, turn, scale: scale * 0.7 };
}

function seatCardAt(stage, layout, seat, index, count) {
  const { x, y, step } = layout.cards;
  const own = stage.seats[seat]?.own;
  const at = inSeat(stage, seat, { x: x + (index - (count - 1) / 2) * step, y: own ? y : y * 1.14 });
  return at && { ...at, scale: own ? at.scale : at.scale * 0.94 };
}

// Where a card of the dealer lies: in its place, the several cards of one place side by side around its middle.
function dealerCardAt(stage, layout, place, index, count) {
  const at = layout.places?.[place] ?? { x: 0, y: 0, cards: 1 };
  const slots = Math.max(count, at.cards ?? 1);
  const step = slots > (at.cards ?? 1) ? ((at.cards ?? 1) * 110) / slots : 110;
  const { x, y, scale } = stage.dealer;
  return { x: x + scale * (at.x + (index - (slots - 1) / 2) * step), y: y + scale * at.y, scale, turn: 0 };
}

// Every card with the place it lies in; its key stays with a card wherever it goes.
function laidCards(view, stage, layout, dealt, held) {
  const laid = [];
  const round = view.lying ?? view.round;
  const byPlace = grouped(view.dealer);
  const counts = counting(view);
  for (const [place, cards] of byPlace) {
    cards.forEach((card, i) => {
      const at = place === "discard" ? discarded(stage) : dealt(stage, layout, place, i, cards.length);
      laid.push({ key: `${round} dealer ${card.token}`, card: card.card, at, counts: counts(`dealer ${card.token}`) });
    });
  }
  for (const seat of view.seats) {
    seat.cards.forEach((card, i) => {
      const at = card.place === "discard" ? discarded(stage) : held(stage, layout, seat.seat, i, seat.cards.length, card, view);
      const name = `${seat.seat} ${card.token}`;
      if (at && stage.seats[seat.seat]) laid.push({ key: `${round} ${name}`, card: card.card, at, counts: counts(name) });
    });
  }
  return laid.sort((a, b) => a.key.localeCompare(b.key, "en", { numeric: true }));
}

function grouped(cards) {
  const groups = new Map();
  for (const card of cards) groups.set(card.place, [...(groups.get(card.place) ?? []), card]);
  return groups;
}

export function Cards({ frame, stage, dealt = dealerCardAt, held = seatCardAt }) {
  const { view, skipped } = frame;
  const known = useRef(null);
  const cards = laidCards(view, stage, view.table.layout, dealt, held);
  const isNew = (key) => known.current && !skipped && !known.current.has(key);
  useLayoutEffect(() => {
    known.current = new Set(cards.map((c) => c.key));
  });
  return html`
    <g aria-hidden="true">
      <defs>
        <pattern id="lattice" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0H9M0 0V9" fill="none" stroke="#e9d7ac" stroke-opacity=".5" stroke-width="1" />
          <circle cx="4.5" cy="4.5" r="1" fill="#e9d7ac" fill-opacity=".55" />
        </pattern>
      </defs>
      ${cards.map(({ key, card, at, counts }) => html`
        <${Card} key=${key} card=${card} at=${at} counts=${counts} from=${isNew(key) ? { ...stage.shoe, scale: 0.6 } : null} />`)}
    </g>`;
}
