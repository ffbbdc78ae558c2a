// The table as one drawing: the ground, the cards, the seats, and what is on its way between them.

import { dealerCardAt, homeOf, makeStage, seatCardAt, spotAt } from "./geometry.js";
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./html.js";
import { Back, Face } from "./cards.js";
import { Stack } from "./chips.js";
import { Ground } from "./cloth.js";
import { calm, DEAL, fly, placed, travel, turnOver } from "./motion.js";
import { Seat } from "./seat.js";

// A card on the felt. It comes from the shoe, is turned, and moves when it lies elsewhere.
function Card({ card, at, from }) {
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
    <g class="card" ref=${whole} style=${{ transform: placed(at) }}>
      <rect class="card-shade" x="-49" y="-67" width="100" height="140" rx="9" />
      <g class=${card ? "side hidden-side" : "side"} ref=${back}><${Back} /></g>
      ${card && html`<g class="side" ref=${face}><${Face} card=${card} /></g>`}
    </g>`;
}

function discarded(stage) {
  const { x, y, turn, scale } = stage.discard;
  return { x, y, turn, scale: scale * 0.7 };
}

// Every card with the place it lies in; its key stays with a card wherever it goes.
function laidCards(view, stage, layout) {
  const laid = [];
  const round = view.round ?? view.lying;
  const byPlace = grouped(view.dealer);
  for (const [place, cards] of byPlace) {
    cards.forEach((card, i) => {
      const at = place === "discard" ? discarded(stage) : dealerCardAt(stage, layout, place, i, cards.length);
      laid.push({ key: `${round} dealer ${card.token}`, card: card.card, at });
    });
  }
  for (const seat of view.seats) {
    seat.cards.forEach((card, i) => {
      const at = card.place === "discard" ? discarded(stage) : seatCardAt(stage, layout, seat.seat, i, seat.cards.length);
      if (at && stage.seats[seat.seat]) laid.push({ key: `${round} ${seat.seat} ${card.token}`, card: card.card, at });
    });
  }
  return laid.sort((a, b) => (a.key < b.key ? -1 : 1));
}

function grouped(cards) {
  const groups = new Map();
  for (const card of cards) groups.set(card.place, [...(groups.get(card.place) ?? []), card]);
  return groups;
}

function Flight({ from, to, amount, ms }) {
  const chips = useRef();
  useLayoutEffect(() => fly(chips.current, from, to, ms), []);
  return html`<g class="flight" ref=${chips}><${Stack} amount=${amount} total=${false} /></g>`;
}

// Where a flight begins or ends.
function endpoint(where, stage, layout) {
  if (where.tray) return { x: stage.tray.x, y: stage.tray.y, scale: 0.5 };
  if (where.home !== undefined) return homeOf(stage, where.home);
  const at = spotAt(stage, layout, where.seat, where.spot);
  return at && { x: at.x + (where.beside ? 22 * at.scale : 0), y: at.y, scale: at.scale };
}

const Flights = ({ flights, stage, layout, frame }) =>
  flights.map(({ from, to, amount }, i) => {
    const [start, end] = [endpoint(from, stage, layout), endpoint(to, stage, layout)];
    return start && end && html`<${Flight} key=${`${frame}-${i}`} from=${start} to=${end} amount=${amount} />`;
  });

// Whether the room is too narrow for the whole table.
function useNarrow(element) {
  const [narrow, setNarrow] = useState(() => innerWidth < innerHeight);
  useEffect(() => {
    const look = () => {
      const { clientWidth: width, clientHeight: height } = element.current;
      setNarrow(width < 720 || width < height * 1.2);
    };
    const observer = new ResizeObserver(look);
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return narrow;
}

// `act` has `sit(seat)` and `place(spot)`; without it nothing can be touched.
export function Felt({ frame, act, selected, onNarrow }) {
  const room = useRef();
  const narrow = useNarrow(room);
  const { view, flights, number } = frame;
  const { table } = view;
  const layout = table.layout;
  const own = view.you?.seat ?? null;
  const stage = useMemo(() => makeStage(table.seats, own, narrow), [table.seats, own, narrow]);
  const ground = useMemo(
    () => html`<${Ground} stage=${stage} layout=${layout} shuffler=${table.shuffling === "shuffler"} />`,
    [stage, table.id],
  );
  const known = useRef(null);
  const cards = laidCards(view, stage, layout);
  const fresh = known.current && known.current.round === view.round && !frame.skipped;
  const isNew = (key) => fresh && !known.current.keys.has(key);
  useEffect(() => onNarrow(narrow), [narrow]);
  useLayoutEffect(() => {
    known.current = { round: view.round, keys: new Set(cards.map((c) => c.key)) };
  });
  return html`
    <div class="room" ref=${room}>
      <svg class=${narrow ? "felt narrow" : "felt"} viewBox=${`0 0 ${stage.width} ${stage.height}`}
        preserveAspectRatio="xMidYMin" role="group" aria-label="The table">
        ${ground}
        ${view.seats.map((seat) => stage.seats[seat.seat] && html`
          <${Seat} key=${seat.seat} seat=${seat} view=${view} stage=${stage} layout=${layout} act=${act} selected=${selected} />`)}
        <g aria-hidden="true">
          ${cards.map(({ key, card, at }) => html`
            <${Card} key=${key} card=${card} at=${at} from=${isNew(key) ? { ...stage.shoe, scale: 0.6 } : null} />`)}
        </g>
        <g aria-hidden="true" class="flights">
          <${Flights} flights=${flights ?? []} stage=${stage} layout=${layout} frame=${number} />
        </g>
      </svg>
    </div>`;
}
