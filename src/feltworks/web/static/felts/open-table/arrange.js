// Where everything lies on a table that is drawn from its rules.

import { TOP } from "../geometry.js";

const [CARD, HEIGHT] = [110, 152]; // a card with the room around it
const EDGE = 12; // of a place beside its cards
const APART = 34; // between two places
const LARGEST = { wide: 0.9, narrow: 0.72 };
const BOARD = { wide: { left: 392, right: 1316, top: 92 }, narrow: { left: 8, right: 382, top: 104 } };

const wheelOf = ({ wheels }) => wheels && Object.values(wheels)[0];

// The rows of places, so large that they fit into a box.
function rowsIn(layout, { left, right, top, bottom }, largest, label) {
  const rows = [];
  for (const [name, place] of Object.entries(layout.places ?? {})) {
    const row = (place.row ?? 1) - 1;
    (rows[row] ??= []).push({ name, ...place, cards: place.cards ?? 1 });
  }
  const used = rows.filter(Boolean);
  const widthOf = (row) => row.reduce((sum, { cards }) => sum + cards * CARD + EDGE, APART * (row.length - 1));
  const widest = Math.max(1, ...used.map(widthOf));
  const each = (bottom - top) / Math.max(1, used.length);
  const scale = Math.min(largest, (right - left) / widest, (each - label - 6) / HEIGHT);
  const found = {};
  used.forEach((row, number) => {
    const high = HEIGHT * scale + label;
    const gap = Math.min(26, (bottom - top - high * used.length) / (used.length + 1));
    const y = top + gap + number * (high + gap) + (HEIGHT * scale) / 2;
    let x = (left + right) / 2 - (widthOf(row) * scale) / 2;
    for (const place of row) {
      const width = (place.cards * CARD + EDGE) * scale;
      found[place.name] = { ...place, x: x + width / 2, y, scale, width, step: CARD * scale };
      x += width + APART * scale;
    }
  });
  return found;
}

// Without a grid: the half-round table, with its places above the legends.
function half(stage, layout) {
  const { narrow, centre } = stage;
  const room = narrow ? "narrow" : "wide";
  const many = new Set(Object.values(layout.places ?? {}).map(({ row }) => row)).size > 1;
  const legends = narrow && many ? stage.legends.slice(0, 1).map((legend) => ({ ...legend, at: legend.at + 16, size: 19 })) : stage.legends;
  const bottom = centre.y + (legends[0]?.at ?? 351) - (legends[0]?.size ?? 20) - (narrow ? 6 : 12);
  const more = Math.max(0, stage.height - (narrow ? 460 : 684));
  const box = narrow
    ? [{ left: 62, right: 328, top: 14, bottom }, { left: 6, right: 384, top: 52, bottom }]
    : [{ left: 452, right: 948, top: 40, bottom }];
  const tried = box.map((inside) => rowsIn(layout, inside, LARGEST[room] * (1 + more / 1200), narrow ? 14 : 22));
  const size = (places) => Object.values(places)[0]?.scale ?? 0;
  const placed = tried.reduce((a, b) => (size(b) > size(a) + 0.04 ? b : a));
  const middle = { x: stage.width / 2, y: (40 + bottom) / 2 };
  return {
    ...stage,
    legends,
    placed,
    cells: [],
    shoe: narrow ? stage.shoe : { x: 999, y: 78, turn: -14, scale: 0.82 },
    discard: narrow ? stage.discard : { x: 401, y: 78, turn: 14, scale: 0.66 },
    diceAt: { ...middle, size: narrow ? 40 : 58 },
    wheel: { ...middle, r: (bottom - 44) / 2 },
    marks: { x: middle.x, y: middle.y + (narrow ? 44 : 66) },
  };
}

// With a grid: an oblong table. On its left side dice, wheel and cards; on a phone these are above the grid, and a wheel
// beside its board of numbers.
function oblong(stage, layout) {
  const { narrow } = stage;
  const made = narrow ? { ...stage, height: Math.max(420, Math.min(640, 390 * (stage.slope || 1.2))) } : stage;
  const { height } = made;
  const cloth = narrow
    ? { left: -40, right: 430, top: -40, bottom: height - 10, r: 30 }
    : { left: 44, right: 1356, top: TOP, bottom: height - 76, r: 170 };
  const turned = narrow && wheelOf(layout) && !layout.grid.narrow;
  const grid = narrow ? (layout.grid.narrow ?? turnedBoard(layout.grid.wide)) : layout.grid.wide;
  const area = { ...BOARD[narrow ? "narrow" : "wide"], bottom: cloth.bottom - (narrow ? 6 : 26) };
  const inside = turned ? { ...area, left: 136, top: 14 } : area;
  const title = { text: layout.legends?.[0]?.text ?? "", size: 20 };
  const side = turned
    ? { title: { ...title, x: 66, y: 26, size: 17 }, wheel: { x: 66, y: 104, r: 58 }, board: { x: 66, y: 196, columns: 3, rows: 5 }, tray: { x: 66, y: height - 34, width: 104 } }
    : narrow
      ? { title: { ...title, x: 195, y: 32, size: 17 }, wheel: { x: 62, y: 54, r: 44 }, diceAt: { x: 195, y: 66, size: 34 }, marks: { x: 326, y: 66 }, board: { x: 58, y: 56, columns: 3, rows: 2 } }
      : { title: null, wheel: { x: 226, y: 262, r: 138 }, diceAt: { x: 226, y: 200, size: 54 }, marks: { x: 226, y: 290 }, board: { x: 226, y: wheelOf(layout) ? 446 : 372, columns: 6, rows: 2 } };
  const shared = narrow ? { left: 60, right: 330, top: 36, bottom: 98 } : { left: 84, right: 372, top: 120, bottom: height - 230 };
  return {
    ...made,
    oblong: cloth,
    legends: narrow ? [] : [{ at: 70 - made.centre.y, radius: 9000, size: 30, x: (inside.left + inside.right) / 2 }],
    seats: along(made.seats, cloth, narrow),
    cells: cellsIn(grid, inside, narrow),
    placed: rowsIn(layout, shared, narrow ? 0.4 : 0.6, narrow ? 12 : 20),
    shoe: narrow ? { x: 366, y: 30, turn: -14, scale: 0.4 } : { x: 330, y: 74, turn: -14, scale: 0.7 },
    discard: narrow ? { x: 24, y: 30, turn: 14, scale: 0.35 } : { x: 140, y: 88, turn: 14, scale: 0.6 },
    ...side,
  };
}

// Seats along the lower rail, yours in the middle.
function along(seats, { bottom }, narrow) {
  const order = Object.entries(seats).sort(([, a], [, b]) => b.angle - a.angle);
  return Object.fromEntries(order.map(([seat, frame], i) => {
    const x = narrow ? 195 : order.length === 1 ? 700 : 1200 - (i * 1000) / (order.length - 1);
    return [seat, { ...frame, angle: 0, plate: { x, y: bottom + 18 }, foot: { x, y: bottom - 40 } }];
  }));
}

// A board of numbers, turned by a quarter: the first of them are at the top.
function turnedBoard({ width, height, cells }) {
  const turn = ({ x, y, w, h, ...cell }) => ({ ...cell, x: y, y: x, ...(w && { w: h, h: w }) });
  return { width: height, height: width, cells: cells.map(turn) };
}

function cellsIn({ width, height, cells }, { left, right, top, bottom }, narrow) {
  const across = (right - left) / width;
  const down = Math.min((bottom - top) / height, across * (narrow ? 1.9 : 1.3));
  const gap = narrow ? 2 : 3;
  const [x0, y0] = [left, top + (bottom - top - down * height) / 2];
  return cells.map((cell, number) => {
    const { x, y, w = 0, h = 0 } = cell;
    const at = { x: x0 + (x + w / 2) * across, y: y0 + (y + h / 2) * down, turn: 0 };
    return { ...cell, number, at, width: w * across - gap, depth: h * down - gap, unit: Math.min(across, down) };
  });
}

export function arrange(stage, layout) {
  return layout.grid ? oblong(stage, layout) : half(stage, layout);
}

// Where a seat's chips lie on a spot of the grid.
export function chipsAt(stage, _layout, seat, spot) {
  const cell = stage.cells.find((c) => c.spot === spot);
  return cell && { x: cell.at.x, y: cell.at.y, scale: stage.seats[seat]?.own ? 0.5 : 0.32 };
}
