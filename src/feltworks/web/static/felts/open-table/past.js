// What came before: where the wheel stopped and what the dice showed, round by round, the newest first.

import { get } from "../../core/api.js";
import { sum } from "../../core/format.js";
import { html, useEffect, useState } from "../../core/html.js";
import { colourOf } from "../pocket.js";

const words = (table, { pocket, dice }) => (pocket ? { text: pocket.name, look: colourOf(table, pocket) || "plain" } : { text: String(sum(dice)), look: "dice" });

// A round is among them when all that came of it has been seen.
export function Past({ view: { table, round, phase }, at, narrow }) {
  const [rounds, setRounds] = useState([]);
  const ended = phase === "waiting" || phase === "over";
  useEffect(() => {
    const found = ({ rounds: listed }) => setRounds(listed.filter((r) => r.over && (r.pocket || r.dice?.length)));
    get(`/api/tables/${table.id}/rounds`).then(found, () => null);
  }, [table.id, round, ended]);
  const { x, y, columns, rows } = at;
  const [width, height] = narrow ? [38, 26] : [42, 32];
  const shown = rounds.slice(0, columns * rows);
  return shown.length > 0 && html`
    <g class="past" role="img" aria-label=${`The last rounds, the newest first: ${shown.map((r) => words(table, r).text).join(", ")}`}>
      ${shown.map((row, i) => {
        const { text, look } = words(table, row);
        const left = x + ((i % columns) - (columns - 1) / 2) * width;
        const top = y + Math.floor(i / columns) * height;
        return html`
          <g key=${row.round} class=${`past-round ${look}${i ? "" : " newest"}`} transform=${`translate(${left} ${top})`}>
            <rect x=${3 - width / 2} y=${2 - height / 2} width=${width - 6} height=${height - 4} rx="7" />
            <text y=${narrow ? 4.5 : 5.5} font-size=${Math.min(narrow ? 13 : 16, (width - 10) / (text.length * 0.6))} text-anchor="middle">${text}</text>
          </g>`;
      })}
    </g>`;
}
