// A wheel: its pockets in their order, the ball, and in its middle the pocket in which it has stopped last. It is spun to
// the recorded pocket, which then stands at the top.

import { html, useLayoutEffect, useMemo, useRef } from "../../core/html.js";
import { style } from "../../core/lazy.js";
import { calm } from "../motion.js";
import { Pocket } from "../pocket.js";

await style("felts/wheel-table/wheel.css");

export const SPIN = 2200;
const [TURNS, BACK] = [2, -4];
const MOST_NAMED = 60;

const point = (angle, r) => `${(r * Math.sin(angle)).toFixed(2)} ${(-r * Math.cos(angle)).toFixed(2)}`;

function slice(i, count, inner, outer) {
  const [from, to] = [i - 0.5, i + 0.5].map((n) => (n * 2 * Math.PI) / count);
  return `M${point(from, inner)}L${point(from, outer)}A${outer} ${outer} 0 0 1 ${point(to, outer)}L${point(to, inner)}A${inner} ${inner} 0 0 0 ${point(from, inner)}Z`;
}

// Drawn with a radius of 100 around its middle.
const Rotor = ({ pockets, colours }) => {
  const count = pockets.length;
  const colourOf = (name) => Object.keys(colours).find((colour) => colours[colour].includes(name)) ?? "plain";
  return pockets.map((name, i) => html`
    <g key=${i} class=${`slice ${colourOf(name)}`}>
      <path d=${slice(i, count, 56, 92)} />
      ${count <= MOST_NAMED && html`
        <text transform=${`rotate(${((i * 360) / count).toFixed(2)}) translate(0 -80.5)`} y="3.4" text-anchor="middle"
          font-size=${Math.min(10, 420 / count / Math.max(1, name.length * 0.62)).toFixed(1)}>${name}</text>`}
    </g>`);
};

export function Wheel({ view: { pocket, spinning, table }, at }) {
  const { layout } = table;
  const [name, drawn] = (pocket && Object.entries(layout.wheels).find(([wheel]) => wheel === pocket.wheel)) ?? Object.entries(layout.wheels)[0];
  const [rotor, ball, hub] = [useRef(), useRef(), useRef()];
  const shown = useRef();
  const angle = useRef(0);
  const stops = pocket ? (-drawn.pockets.indexOf(pocket.name) * 360) / drawn.pockets.length : 0;
  useLayoutEffect(() => {
    const anew = spinning && spinning !== shown.current;
    if (anew && !calm()) {
      const turn = (degrees) => ({ transform: `rotate(${degrees.toFixed(2)}deg)` });
      const gently = { duration: SPIN, easing: "cubic-bezier(.16,.6,.3,1)" };
      rotor.current.animate([turn(angle.current - TURNS * 360), turn(stops)], gently);
      ball.current.animate([turn(-BACK * 360), turn(0)], { ...gently, easing: "cubic-bezier(.2,.5,.35,1)" });
      ball.current.firstElementChild.animate([{ transform: "translateY(-16px)" }, { transform: "translateY(-16px)", offset: 0.62 }, { transform: "none" }], { duration: SPIN });
      hub.current?.animate([{ opacity: 0 }, { opacity: 0, offset: 0.94 }, { opacity: 1 }], { duration: SPIN });
    }
    shown.current = spinning;
    angle.current = stops;
  });
  const face = useMemo(() => html`<${Rotor} pockets=${drawn.pockets} colours=${drawn.colours} />`, [table.id, name]);
  return html`
    <g class="wheel" aria-hidden="true" transform=${`translate(${at.x} ${at.y}) scale(${(at.r / 108).toFixed(3)})`}>
      <circle class="wheel-shade" cx="3" cy="6" r="108" />
      <circle class="wheel-bowl" r="108" />
      <circle class="wheel-track" r="97" />
      <g ref=${rotor} style=${{ transform: `rotate(${stops.toFixed(2)}deg)` }}>${face}</g>
      <circle class="wheel-cone" r="56" />
      <path class="wheel-arms" d="M0-44V44M-44 0H44" />
      <circle class="wheel-hub" r="9" />
      <g ref=${ball}>${pocket && html`<g><circle class="wheel-ball" cy="-63" r="5" /></g>`}</g>
      ${pocket && html`<g ref=${hub}><g transform="scale(.74)"><${Pocket} table=${table} pocket=${pocket} /></g></g>`}
    </g>`;
}
