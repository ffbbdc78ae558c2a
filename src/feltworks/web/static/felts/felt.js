// The table as one drawing: the ground, the seats, what is dealt, and what is on its way between them.

import { makeStage } from "./geometry.js";
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../core/html.js";
import { Ground } from "./cloth.js";
import { module, useLater } from "../core/lazy.js";
import { Seat } from "./seat.js";

const STRIP = 80; // what the row of the other seats takes of a narrow room

// How much higher than wide the room is, and whether it is too narrow for the whole table.
function useRoom(element) {
  const [room, setRoom] = useState(() => ({ narrow: innerWidth < innerHeight, slope: 0 }));
  useLayoutEffect(() => {
    const look = () => {
      const { clientWidth: width, clientHeight: height } = element.current;
      const slope = Math.round((height / width) * 100) / 100;
      setRoom((had) => {
        const narrow = width < 720 || width < (had.narrow ? height + STRIP : height) * 1.27;
        return had.narrow === narrow && had.slope === slope ? had : { narrow, slope };
      });
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return room;
}

// A seat is drawn anew only when something of it has changed.
function useSeats(view, stage, act, selected) {
  const drawn = useRef({});
  const { table, you, phase } = view;
  return view.seats.filter((seat) => stage.seats[seat.seat]).map((seat) => {
    const what = JSON.stringify([seat, phase, you?.seat, seat.you && [you.spots, selected]]);
    const had = drawn.current[seat.seat];
    if (had?.what === what && had.stage === stage) return had.drawing;
    const drawing = html`
      <${Seat} key=${seat.seat} seat=${seat} table=${table} you=${you} phase=${phase} stage=${stage} act=${act} selected=${selected} />`;
    drawn.current[seat.seat] = { what, stage, drawing };
    return drawing;
  });
}

const frameOf = (stage) => ({ viewBox: `0 0 ${stage.width} ${stage.height}`, preserveAspectRatio: "xMidYMin" });

// A click beside everything that can be pressed.
const goesOn = (act) => (event) => event.target.closest("[data-spot], [data-sit]") || act.goOn();

// On another stage the cards are laid anew: they slide only when the dealer moves them.
//
// The ground is a drawing of its own, which is not drawn again when something moves on it. Without `act`, which has
// `sit(seat)`, `place(spot)` and `goOn()`, nothing can be touched.
export function Felt({ frame, act, selected, onNarrow }) {
  const room = useRef();
  const { narrow, slope } = useRoom(room);
  const { view, flights, number } = frame;
  const { table } = view;
  const layout = table.layout;
  const own = view.you?.seat ?? null;
  const { parts } = layout;
  const more = useLater(parts.felt, () => module(parts.felt));
  const drawn = useRef(0);
  const stage = useMemo(() => {
    drawn.current += 1;
    const made = makeStage(table.seats, own, narrow, slope);
    return more?.arrange?.(made, layout) ?? made;
  }, [table.seats, own, narrow, slope, more]);
  const cards = table.decks !== null;
  const Furniture = useLater(cards, async () => (await module("felts/furniture.js")).Furniture);
  const ground = useMemo(
    () => html`<svg class="ground" ...${frameOf(stage)} aria-hidden="true">
      <${Ground} stage=${stage} layout=${layout} Furniture=${Furniture} shuffling=${table.shuffling} />
    </svg>`,
    [stage, table.id, Furniture],
  );
  const seen = more?.shown?.(view, stage) ?? view;
  const now = seen.stage ?? stage;
  const seats = useSeats(seen, now, act, selected);
  const Cards = useLater(cards && (view.round ?? view.lying), async () => (await module(parts.cards)).Cards);
  const { Middle } = more ?? {};
  const Flights = useLater(flights?.length, async () => (await module("felts/chip-flights.js")).Flights);
  useEffect(() => onNarrow(narrow), [narrow]);
  return html`
    <div class="room" ref=${room}>${(more || !parts.felt) && html`
      <div class=${narrow ? "felt narrow" : "felt"} role="group" aria-label="The table" onClick=${act && goesOn(act)}>
        ${ground}
        <svg ...${frameOf(stage)}>
          ${seats}
          ${Middle && html`<${Middle} view=${view} stage=${now} act=${act} selected=${selected} />`}
          ${Cards && html`<${Cards} key=${drawn.current} frame=${frame} stage=${now} />`}
          ${Flights && html`<${Flights} flights=${flights} stage=${now} view=${view} frame=${number} shared=${more?.chipsAt} />`}
        </svg>
      </div>`}
    </div>`;
}
