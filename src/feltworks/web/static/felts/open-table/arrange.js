// Where everything lies on a table that is drawn from its rules.

import { TOP } from "../geometry.js";

const [CARD, HEIGHT] = [110, 152]; // a card with the room around it
const EDGE = 12; // of a place beside its cards
const APART = 34; // between two places
const LARGEST = { wide: 0.9, narrow: 0.72 };

const wheelOf = ({ wheels }) => wheels && Object.values(wheels)[0];

// The rows of places, so large that they fit into a box; their labels are below them, or at their left side.
function rowsIn(layout, { left, right, top, bottom }, largest, label, aside = false) {
  const rows = [];
  for (const [name, place] of Object.entries(layout.places ?? {})) {
    const row = (place.row ?? 1) - 1;
    (rows[row] ??= []).push({ name, ...place, cards: place.cards ?? 1 });
  }
  const used = rows.filter(Boolean);
  const widthOf = (row) => row.reduce((sum, { cards }) => sum + cards * CARD + EDGE, APART * (row.length - 1));
  const widest = Math.max(1, ...used.map(widthOf));
  const each = (bottom - top) / Math.max(1, used.length);
  const below = aside ? 0 : label;
  const scale = Math.min(largest, (right - left) / widest, (each - below - 6) / HEIGHT);
  const high = HEIGHT * scale + below;
  const gap = Math.max(0, Math.min(26, (bottom - top - high * used.length) / (used.length + 1)));
  const first = top + Math.max(0, bottom - top - high * used.length - gap * (used.length - 1)) / 2;
  const found = {};
  used.forEach((row, number) => {
    const y = first + number * (high + gap) + (HEIGHT * scale) / 2;
    let x = (left + right) / 2 - (widthOf(row) * scale) / 2;
    for (const place of row) {
      const width = (place.cards * CARD + EDGE) * scale;
      found[place.name] = { ...place, x: x + width / 2, y, scale, width, step: CARD * scale, aside };
      x += width + APART * scale;
    }
  });
  return found;
}

// Without a grid: the half-round table, with its places above the legends. Where they have several rows, the legends are
// one flat line, and on a phone they give way to the cards.
function half(stage, layout) {
  const { narrow, centre } = stage;
  const many = new Set(Object.values(layout.places ?? {}).map(({ row }) => row)).size > 1;
  const deeper = stage.height - (narrow ? 460 : 684);
  const more = Math.max(0, deeper);
  const flat = narrow ? (more > 60 ? [{ at: 366 - more * 0.06, size: 19 }] : []) : [{ at: 318 - more * 0.12, size: 25, radius: 1100 }];
  const legends = many ? flat : stage.legends;
  const bottom = legends.length
    ? centre.y + legends[0].at - legends[0].size - (narrow ? 6 : 12)
    : centre.y + 380;
  const box = !narrow
    ? [{ left: 452, right: 948, top: 38, bottom }]
    : [{ left: many ? 66 : 62, right: many ? 324 : 328, top: 14, bottom }, ...(many ? [] : [{ left: 6, right: 384, top: 54, bottom }])];
  const largest = LARGEST[narrow ? "narrow" : "wide"] * (1 + more / 1200);
  const tried = box.map((inside) => rowsIn(layout, inside, largest, narrow ? 14 : 22, narrow && many));
  const size = (places) => Object.values(places)[0]?.scale ?? 0;
  const placed = tried.reduce((a, b) => (size(b) > size(a) + 0.04 ? b : a));
  const middle = { x: stage.width / 2, y: (40 + bottom) / 2 };
  return {
    ...stage,
    legends,
    placed,
    cells: [],
    shoe: narrow ? { ...stage.shoe, scale: 0.44 } : { x: 999, y: 78, turn: -14, scale: 0.82 },
    discard: narrow ? { ...stage.discard, scale: 0.36 } : { x: 401, y: 78, turn: 14, scale: 0.66 },
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
    : { left: 44, right: 1356, top: TOP, bottom: height - 76, r: 120 };
  const turned = narrow && wheelOf(layout) && !layout.grid.narrow;
  const grid = narrow ? (layout.grid.narrow ?? turnedBoard(layout.grid.wide)) : layout.grid.wide;
  const area = narrow ? { left: turned ? 136 : 8, right: 382, top: turned ? 14 : 104 } : { left: 396, right: 1306, top: 116 };
  const inside = { ...area, bottom: cloth.bottom - (narrow ? 6 : 30) };
  const middle = (inside.top + inside.bottom) / 2;
  const [first, second] = layout.legends ?? [];
  const title = { text: first?.text ?? "", size: 17 };
  const side = turned
    ? { title: { ...title, x: 66, y: 26 }, wheel: { x: 66, y: 104, r: 58 }, board: { x: 66, y: 204, columns: 3, rows: 4 }, tray: { x: 66, y: height - 34, width: 104 } }
    : narrow
      ? { title: { ...title, x: 195, y: 32 }, wheel: { x: 62, y: 54, r: 44 }, diceAt: { x: 195, y: 66, size: 34 }, marks: { x: 330, y: 66 }, board: { x: 62, y: 54, columns: 3, rows: 2 } }
      : { title: null, wheel: { x: 222, y: middle - 44, r: 138 }, diceAt: { x: 222, y: middle - 90, size: 54 }, marks: { x: 222, y: middle }, board: { x: 222, y: middle + (wheelOf(layout) ? 132 : 60), columns: 6, rows: 2 } };
  const shared = narrow ? { left: 60, right: 330, top: 36, bottom: 98 } : { left: 84, right: 372, top: 120, bottom: height - 230 };
  const x = (inside.left + inside.right) / 2;
  return {
    ...made,
    outline: (larger) => outlineOf(cloth, larger),
    legends: narrow ? [] : [{ at: 74 - made.centre.y, radius: 9000, size: 30, x }, ...(second ? [{ at: 100 - made.centre.y, radius: 9000, size: 16, x }] : [])],
    seats: along(made.seats, cloth, narrow),
    cells: cellsIn(grid, inside, narrow),
    numbers: Boolean(layout.grid.wide.numbers),
    placed: rowsIn(layout, shared, narrow ? 0.4 : 0.6, narrow ? 12 : 20),
    shoe: narrow ? { x: 366, y: 30, turn: -14, scale: 0.4 } : { x: 330, y: 74, turn: -14, scale: 0.7 },
    discard: narrow ? { x: 24, y: 30, turn: 14, scale: 0.35 } : { x: 140, y: 88, turn: 14, scale: 0.6 },
    ...side,
  };
}

// The shape of the cloth, so much larger.
function outlineOf({ left, right, top, bottom, r }, larger) {
  const around = r + larger;
  const turn = (x, y) => `a${around} ${around} 0 0 1 ${x} ${y}`;
  return `M${left + r} ${top - larger}H${right - r}${turn(around, around)}V${bottom - r}${turn(-around, around)}H${left + r}${turn(-around, -around)}V${top + r}${turn(around, -around)}Z`;
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

// The place in which a hand of the dealer's lies: that of its name, or the first one with cards.
export function placeOf({ placed }, { words, brief }, view) {
  const names = Object.keys(placed).filter((name) => view.dealer.some((card) => card.place === name));
  const said = `${words} ${brief}`.toLowerCase();
  return placed[names.find((name) => said.includes(name.toLowerCase())) ?? names[0]];
}
