// The cup, and the plaque that marks the point.

import { inSeat, polar } from "../geometry.js";
import { html, useLayoutEffect, useRef } from "../../core/html.js";
import { calm, placed } from "../motion.js";
import { diceAt, markerAt } from "./places.js";

const SHAKE = 700;

// Between the circles of who rolls and the next seat's, on the right if there is one.
function besideSeat(stage, seat, { between, alone }) {
  const frame = stage.seats[seat];
  const others = Object.values(stage.seats).filter((other) => other !== frame);
  if (!frame || !others.length) return frame && inSeat(stage, seat, alone);
  const far = ({ angle }) => (angle > frame.angle ? angle : 1e3 - angle);
  const next = others.reduce((a, b) => (far(b) < far(a) ? b : a));
  return { ...polar(stage, (frame.angle + next.angle) / 2, (frame.at + next.at) / 2 + between), scale: frame.scale };
}

// With who rolls, otherwise beside the bankroll.
export function cupAt(stage, layout, place) {
  const seat = Number(/^seat (\d+)$/.exec(place ?? "")?.[1]);
  const at = seat && besideSeat(stage, seat, layout.dice.cup);
  if (at) return { x: at.x, y: at.y, scale: Math.max(0.72, at.scale) };
  const { x, y } = diceAt(stage);
  if (place && place !== "bankroll") return { x: x - (stage.narrow ? 64 : 96), y, scale: 1 };
  return stage.narrow ? { x: 62, y: y - 3, scale: 0.9 } : { x: 508, y: 32, scale: 0.9 };
}

export function Cup({ view, stage }) {
  const place = view.things.cup;
  const cup = useRef();
  const had = useRef(place);
  const rolled = place && place !== "bankroll";
  useLayoutEffect(() => {
    if (had.current !== place && rolled && !calm()) {
      const shake = [0, -9, 8, -7, 8, -5, 0].map((turn) => ({ transform: `rotate(${turn}deg)` }));
      cup.current.animate(shake, { duration: SHAKE, delay: 260 });
    }
    had.current = place;
  }, [place]);
  return html`
    <g class="cup" aria-hidden="true" style=${{ transform: placed(cupAt(stage, view.table.layout, place)) }}>
      <g ref=${cup}>
        <ellipse class="cup-shade" cx="3" cy="19" rx="20" ry="6" />
        <path class="cup-body" d="M-19-15 -15 15Q-14 20 0 20 14 20 15 15L19-15Z" />
        <path class="cup-band" d="M-18-7Q0-1 18-7M-16.2 7Q0 13 16.2 7" />
        <ellipse class="cup-rim" cy="-15" rx="19.5" ry="6.5" />
        <ellipse class="cup-hole" cy="-15" rx="15.5" ry="4.4" />
        ${rolled && html`<path class="cup-dice" d="M-10-20 -2-23 1-15 -8-13ZM2-22 10-20 8-12 0-14Z" />`}
      </g>
    </g>`;
}

export function Marker({ view, stage }) {
  const { boxes } = view.table.layout;
  const place = view.things[boxes.marker];
  const on = boxes.of.includes(place);
  return html`
    <g class=${on ? "marker on" : "marker"} aria-hidden="true" style=${{ transform: placed(markerAt(stage, view.table.layout, place)) }}>
      <rect x="-26" y="-12" width="52" height="24" rx="6" />
      <text y="5.6" text-anchor="middle">${on ? boxes.on : boxes.off}</text>
    </g>`;
}
