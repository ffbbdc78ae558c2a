// The places that all seats share: the sections of the arc, and the boxes before the dealer. On a narrow screen both are
// rows, and nothing is there twice.

import { polar } from "../geometry.js";

const ARC = { inner: 332, outer: 432, reach: 62, gap: 0.35 };
const ROW = { step: 75, width: 73, height: 86 };

const WIDE_BOX = { step: 97, width: 93, height: 74 };
const NARROW_BOX = { step: 62.5, width: 60, height: 56 };

// How much deeper than it must be the stage is.
const deeper = (stage) => stage.height - (stage.narrow ? 398 : 684);

function rectangle({ width, height }) {
  const turn = (x, y) => `a10 10 0 0 1 ${x} ${y}`;
  const [w, h] = [width - 20, height - 20];
  return `M${-w / 2} ${-height / 2}h${w}${turn(10, 10)}v${h}${turn(-10, 10)}h${-w}${turn(-10, -10)}v${-h}${turn(10, -10)}Z`;
}

// A piece of the ring around its own middle, its outer side below.
function sector(half) {
  const middle = (ARC.inner + ARC.outer) / 2;
  const point = (radius, side) => {
    const a = (side * half * Math.PI) / 180;
    return `${(radius * Math.sin(a)).toFixed(1)} ${(radius * Math.cos(a) - middle).toFixed(1)}`;
  };
  const { inner, outer } = ARC;
  return `M${point(inner, -1)}A${inner} ${inner} 0 0 0 ${point(inner, 1)}L${point(outer, 1)}` +
    `A${outer} ${outer} 0 0 1 ${point(outer, -1)}Z`;
}

// [{spot, note, number, at, path, depth, width}], from left to right.
export function sectionsOf(stage, { arc }) {
  if (stage.narrow) {
    const list = arc.narrow ?? arc.sections;
    const y = 189 + deeper(stage) * 0.34;
    const at = (i) => ({ x: stage.width / 2 + (i - (list.length - 1) / 2) * ROW.step, y, turn: 0 });
    return list.map((section, number) => ({ ...section, number, at: at(number), path: rectangle(ROW), depth: ROW.height, width: ROW.width }));
  }
  const { sections } = arc;
  const each = (2 * ARC.reach) / sections.length;
  const path = sector(each / 2 - ARC.gap);
  return sections.map((section, number) => {
    const angle = -ARC.reach + (number + 0.5) * each;
    const at = { ...polar(stage, angle, (ARC.inner + ARC.outer) / 2), turn: -angle };
    const width = 2 * ARC.outer * Math.tan((each * Math.PI) / 360);
    return { ...section, number, angle, at, path, depth: ARC.outer - ARC.inner, width };
  });
}

// [{label, at, path, depth, width}]
export function boxesOf(stage, { boxes }) {
  const size = stage.narrow ? NARROW_BOX : WIDE_BOX;
  const y = stage.narrow ? 112 + deeper(stage) * 0.2 : 100 + deeper(stage) * 0.25;
  return boxes.of.map((label, i) => ({
    label,
    at: { x: stage.width / 2 + (i - (boxes.of.length - 1) / 2) * size.step, y, turn: 0 },
    path: rectangle(size),
    depth: size.height,
    width: size.width,
  }));
}

// Where the marker lies: on a box, or beside them all.
export function markerAt(stage, layout, place) {
  const boxes = boxesOf(stage, layout);
  const box = boxes.find(({ label }) => label === place);
  if (box) return { x: box.at.x, y: box.at.y - box.depth / 2 + (stage.narrow ? 2 : 3), scale: stage.narrow ? 0.8 : 1 };
  if (stage.narrow) return { x: 338, y: diceAt(stage).y, scale: 1 };
  return { x: boxes[0].at.x - 92, y: boxes[0].at.y, scale: 1.15 };
}

// The middle of the four dice, and the size of one.
export function diceAt(stage) {
  if (stage.diceAt) return stage.diceAt;
  if (stage.narrow) return { x: 195, y: 43 + deeper(stage) * 0.15, size: 29 };
  return { x: 700, y: 192 + deeper(stage) * 0.45, size: 42 };
}

// On which of two sections of a wager you put chips last.
export const sides = new Map();

export const own = (stage, seat) => stage.seats[seat]?.own;

// The section in which a seat's chips lie: where its player put them, or the nearest one.
export function sectionFor(stage, sections, seat, spot) {
  const found = sections.filter((section) => section.spot === spot);
  const chosen = own(stage, seat) && found.find(({ number }) => number === sides.get(spot));
  const angle = stage.seats[seat]?.angle ?? 0;
  const far = (section) => Math.abs((section.angle ?? 0) - angle);
  return chosen || found.reduce((a, b) => (far(b) < far(a) ? b : a), found[0]);
}

// Where a seat's chips lie in a place that all seats share; `things` says which box has the marker.
export function chipsAt(stage, layout, seat, spot, things) {
  const { boxes } = layout;
  const place = spot === boxes.spot
    ? boxesOf(stage, layout).find(({ label }) => label === things[boxes.marker])
    : sectionFor(stage, sectionsOf(stage, layout), seat, spot);
  return place && { x: place.at.x, y: place.at.y, scale: own(stage, seat) ? 0.6 : 0.35 };
}
