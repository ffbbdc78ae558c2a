// Where everything lies. A stage is the drawing's size and its places; the layout places spots and cards in a seat's own
// frame (y grows towards the player, a card is 100 by 140). On narrow screens it shows the dealer and your own seat.

export const SPOT = 38;
export const TOP = 10; // of the wide table, where the dealer stands

const radians = (degrees) => (degrees * Math.PI) / 180;

// At an angle from the bottom of the arc, positive to the right, and a distance from its centre.
export function polar(stage, angle, distance) {
  const a = radians(angle);
  return { x: stage.centre.x + distance * Math.sin(a), y: stage.centre.y + distance * Math.cos(a) };
}

// An arc from left to right, for text to run along.
export function arc(stage, distance, reach = 80) {
  const from = polar(stage, -reach, distance);
  const to = polar(stage, reach, distance);
  return `M${from.x.toFixed(1)} ${from.y.toFixed(1)}A${distance} ${distance} 0 0 0 ${to.x.toFixed(1)} ${to.y.toFixed(1)}`;
}

// The arc of a legend. One with a radius of its own is flatter than the table.
export function legendArc(stage, { at, radius = at, x = stage.centre.x }) {
  const { y } = stage.centre;
  return arc({ centre: { x, y: y + at - radius } }, radius, Math.min(80, 23000 / radius));
}

const WIDE = {
  narrow: false,
  width: 1400,
  height: 684,
  depth: [0, 270],
  centre: { x: 700, y: TOP },
  felt: 626,
  rail: 36,
  dealer: { x: 700, y: 117, scale: 0.9 },
  tray: { x: 700, y: 22, width: 300 },
  shoe: { x: 985, y: 84, turn: -14, scale: 1 },
  discard: { x: 415, y: 84, turn: 14, scale: 0.8 },
  legends: [{ at: 277, size: 36 }, { at: 311, size: 18.5 }],
};

const NARROW = {
  narrow: true,
  width: 390,
  height: 460,
  depth: [-46, 110],
  centre: { x: 195, y: -190 },
  felt: 626,
  rail: 20,
  dealer: { x: 195, y: 68, scale: 0.72 },
  tray: { x: 195, y: 4, width: 150 },
  shoe: { x: 359, y: 24, turn: -14, scale: 0.54 },
  discard: { x: 31, y: 24, turn: 14, scale: 0.44 },
  legends: [{ at: 351, size: 22 }, { at: 372, size: 12.5 }],
};

// The stage for so many seats; `own` is yours, or null when you watch. In a room that is higher for its width (`slope`) the
// table is deeper; in a low one the dealer's cards are smaller, and of the legends the title is left.
export function makeStage(seats, own, narrow, slope) {
  const base = narrow ? NARROW : WIDE;
  const [least, most] = base.depth;
  const deeper = slope ? Math.max(least, Math.min(most, base.width * slope - base.height)) : 0;
  const [more, less] = [Math.max(0, deeper), Math.min(0, deeper)];
  const { centre, dealer, legends } = base;
  return {
    ...base,
    slope,
    height: base.height + deeper,
    centre: { ...centre, y: centre.y + deeper },
    dealer: { ...dealer, y: dealer.y + more * 0.4 + less * 0.1, scale: dealer.scale * (1 + more / 1200 + less / 480) },
    legends: deeper < 0 ? [{ at: 365 - less * 0.3, size: 18 }] : legends.map((legend) => ({ ...legend, at: legend.at - more * 0.12 })),
    seats: narrow ? ownAlone(own) : around(seats, own),
  };
}

function ownAlone(own) {
  return own === null ? {} : { [own]: { angle: 0, at: 547, scale: 0.86, own: true } };
}

// Seats go clockwise from the right of the screen; yours is turned to the middle.
function around(count, own) {
  const middle = Math.floor((count - 1) / 2);
  const seats = {};
  for (let place = 0; place < count; place++) {
    const seat = own === null ? place + 1 : ((own - 1 + place - middle + count) % count) + 1;
    seats[seat] = own === null ? watched(place, count) : beside(place - middle, middle, count - 1 - middle);
  }
  return seats;
}

function watched(place, count) {
  const reach = count > 5 ? 75 : count > 3 ? 68 : 45;
  const angle = count === 1 ? 0 : reach - (place * 2 * reach) / (count - 1);
  return { angle, at: 528, scale: count > 5 ? 0.68 : 0.8, own: false };
}

function beside(offset, right, left) {
  if (offset === 0) return { angle: 0, at: 522, scale: 1, own: true };
  const number = Math.abs(offset);
  const many = offset < 0 ? right : left;
  const [first, last] = many > 2 ? [36, 76] : many > 1 ? [41, 71] : [52, 52];
  const angle = many > 1 ? first + ((number - 1) * (last - first)) / (many - 1) : first;
  return { angle: offset < 0 ? angle : -angle, at: 532, scale: many > 2 ? 0.66 : 0.74, own: false };
}

// A point of a seat's frame on the stage.
export function inSeat(stage, seat, { x, y, scale = 1 }) {
  const frame = stage.seats[seat];
  if (!frame) return null;
  const a = radians(frame.angle);
  const anchor = frame.foot ?? polar(stage, frame.angle, frame.at);
  return {
    x: anchor.x + frame.scale * (x * Math.cos(a) + y * Math.sin(a)),
    y: anchor.y + frame.scale * (y * Math.cos(a) - x * Math.sin(a)),
    scale: frame.scale * scale,
    turn: -frame.angle * 0.72,
  };
}

export function spotAt(stage, layout, seat, spot) {
  const { own, spots = layout.spots } = stage.seats[seat] ?? {};
  const at = spots?.[spot];
  return at ? inSeat(stage, seat, (!own && at.other) || at) : null;
}

// Where a seat's chips come from and go to.
export function homeOf(stage, seat) {
  const frame = stage.seats[seat];
  if (!frame) return null;
  const { x, y } = frame.plate ?? polar(stage, frame.angle, stage.felt + 80);
  return { x, y, scale: frame.scale };
}
