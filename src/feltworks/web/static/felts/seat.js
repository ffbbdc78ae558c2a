// A seat on the felt: its spots with what lies on them, its results, and the plate of who sits there.

import { money, net, short, signedShort } from "../core/format.js";
import { polar, SPOT, spotAt } from "./geometry.js";
import { html } from "../core/html.js";
import { wantedSpots } from "../core/wanted.js";
import { Stack, Total } from "./chips.js";
import { isFolded, seatNote } from "../table/in-words.js";

const READABLE = 0.86; // small seats keep their figures at this size at least

const Outline = ({ spot, className }) =>
  spot.shape === "box"
    ? html`<rect class=${className} x=${-SPOT} y=${-SPOT} width=${2 * SPOT} height=${2 * SPOT} rx="13" />`
    : html`<circle class=${className} r=${SPOT} />`;

// What became of a wager, written where it lay.
export function Tag({ result, scale }) {
  const won = net(result);
  const text = won === 0 ? "Push" : signedShort(won);
  const width = text.length * 8.2 + 16;
  const kind = won > 0 ? "won" : won < 0 ? "lost" : "even";
  return html`
    <g class=${`tag ${kind}`} transform=${`scale(${scale})`}>
      <rect x=${-width / 2} y="-13" width=${width} height="26" rx="13" />
      <text y="5" text-anchor="middle">${text}</text>
    </g>`;
}

function Label({ spot, info, own, empty, limits }) {
  if (own) {
    return html`
      <text class="spot-title" y=${SPOT + 23} text-anchor="middle">${info.title}</text>
      ${limits && html`
        <text class="spot-limits" y=${SPOT + 38} text-anchor="middle">${short(limits.least)} to ${short(limits.most)}</text>`}`;
  }
  if (!empty) return null;
  const lines = (spot.label ?? info.title).split(" ");
  const size = lines.some((line) => line.length > 6) ? "spot-short long" : "spot-short";
  return lines.map((line, i) => html`
    <text class=${size} y=${5 + (i - (lines.length - 1) / 2) * 16} text-anchor="middle">${line}</text>`);
}

// A spot. Your own can be touched while betting is open on it; before that a touch is answered with what is missing.
function Spot({ seat, info, spot, at, amount, paid, result, open, wanted, onPlace, onTooEarly, limits, chip }) {
  const { scale } = at;
  const figures = Math.max(scale, READABLE);
  const own = seat.you;
  const button = open && {
    role: "button",
    tabindex: 0,
    "data-spot": info.spot,
    "aria-label": open.says ??
      `${info.title}, ${amount ? `${money(amount)} down` : "empty"}, ${money(open.least)} to ${money(open.most)}. ` +
      `Place a chip of ${money(chip)}.`,
    onClick: () => onPlace(info.spot),
  };
  const shut = { "aria-hidden": "true", onClick: onTooEarly && (() => onTooEarly(info.title)) };
  const state = `spot${open ? " open" : ""}${wanted ? " wanted" : ""}${seat.name || own ? "" : " vacant"}`;
  return html`
    <g class=${state} transform=${`translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`} ...${button || shut}>
      <g transform=${`scale(${scale})`}>
        <${Outline} spot=${spot} className="outline" />
        <${Outline} spot=${spot} className="halo" />
        <${Label} spot=${spot} info=${info} own=${own} empty=${!amount && !result} limits=${limits} />
        ${amount > 0 && html`<${Stack} amount=${amount} />`}
        ${paid > 0 && html`<g transform="translate(24 4)"><${Stack} amount=${paid} /></g>`}
      </g>
      ${amount > 0 && !result && html`
        <g transform=${`scale(${figures})`}><${Total} amount=${amount} y=${(SPOT * scale) / figures - 6} /></g>`}
      ${result && html`
        <g transform=${`translate(0 ${amount ? SPOT * scale - 6 : 0})`}><${Tag} result=${result} scale=${figures} /></g>`}
    </g>`;
}

const shorten = (name) => (name.length > 14 ? `${name.slice(0, 13)}…` : name);

// What marks a robot: a head with an aerial and two eyes, 14 by 14 around its middle.
const ROBOT = "M-1-7H1V-4H7V7H-7V-4H-1ZM-4-1V2H-1.5V-1ZM1.5-1V2H4V-1Z";

// The plate on the rail: who sits there, or that one may.
function Plate({ seat, stage, act, watching }) {
  const { angle, own, plate } = stage.seats[seat.seat];
  const { x, y } = plate ?? polar(stage, angle, stage.felt + stage.rail / 2);
  if (!seat.name && watching && act) {
    return html`
      <g class="plate free" role="button" tabindex="0" aria-label=${`Sit here, seat ${seat.seat}`}
        transform=${`translate(${x} ${y})`} data-sit=${seat.seat} onClick=${() => act.sit(seat.seat)}>
        <rect x="-46" y="-16" width="92" height="32" rx="16" />
        <text y="5" text-anchor="middle">Sit here</text>
      </g>`;
  }
  if (!seat.name || own) return null;
  const text = shorten(seat.name);
  const note = (!isFolded(seat) && seat.did) || seatNote(seat);
  const width = Math.max(text.length * 8.3 + 28 + (seat.robot ? 20 : 0), 72);
  return html`
    <g class=${`plate${seat.acting ? " acting" : ""}${seat.present ? "" : " away"}`} aria-hidden="true"
      transform=${`translate(${x} ${y})`}>
      <rect x=${-width / 2} y="-15" width=${width} height="30" rx="15" />
      ${seat.robot && html`<path class="robot" fill-rule="evenodd" d=${ROBOT} transform=${`translate(${21 - width / 2} 0)`} />`}
      <text x=${seat.robot ? 10 : 0} y="5" text-anchor="middle">${text}</text>
      ${note && html`<text class="note" y="29" text-anchor="middle">${note}</text>`}
    </g>`;
}

// A gold arc before the seat the table waits for.
function Acting({ seat, stage }) {
  const { angle, own, scale, plate } = stage.seats[seat.seat];
  if (plate) return html`<path class="acting-arc" aria-hidden="true" d=${`M${plate.x - 60} ${plate.y - 21}h120`} />`;
  const half = own ? (stage.narrow ? 12 : 15) : 9 * scale + 2;
  const radius = stage.felt + 3;
  const from = polar(stage, angle - half, radius);
  const to = polar(stage, angle + half, radius);
  return html`<path class="acting-arc" aria-hidden="true" d=${`M${from.x} ${from.y}A${radius} ${radius} 0 0 0 ${to.x} ${to.y}`} />`;
}

const merged = (results) => results.reduce((a, b) => ({ ...b, paid: a.paid + b.paid, amount: a.amount + b.amount }));

// What is said of a wager goes with the next one on its spot, unless it stays up.
/** @param {string} phase @param {Page.Seat} seat @param {string} spot */
function resultAt(phase, seat, spot) {
  const results = seat.results.filter((r) => r.spot === spot);
  const anew = phase === "betting" && seat.wagers[spot] && results.at(-1)?.stake !== "stays";
  return results.length && !anew ? merged(results) : null;
}

export function Seat({ seat, table, you, phase, stage, act, selected }) {
  const { layout } = table;
  const betting = seat.you && act && you ? new Map(you.spots.map((s) => [s.spot, s])) : new Map();
  const wanted = seat.you && act ? wantedSpots(table, you, seat.wagers) : [];
  return html`
    <g class=${seat.you ? "seat own" : "seat"}>
      ${seat.acting && html`<${Acting} seat=${seat} stage=${stage} />`}
      ${table.spots.map((info) => {
        const at = spotAt(stage, layout, seat.seat, info.spot);
        return at && html`
          <${Spot} key=${info.spot} seat=${seat} info=${info} spot=${layout.spots[info.spot]} at=${at}
            amount=${seat.wagers[info.spot] ?? 0} paid=${seat.paid?.[info.spot] ?? 0}
            result=${resultAt(phase, seat, info.spot)} open=${betting.get(info.spot)} limits=${table.limits[info.spot]}
              wanted=${wanted.includes(info)} onPlace=${act?.place} onTooEarly=${betting.size > 0 && act.tooEarly}
              chip=${selected} />`;
      })}
      <${Plate} seat=${seat} stage=${stage} act=${act} watching=${you?.seat === null && !you.may_not} />
    </g>`;
}
