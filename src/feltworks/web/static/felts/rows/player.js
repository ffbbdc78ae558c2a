// At a table where two spots take the same and hands are compared: how its player bets, and what is said of the hands.

import { handsTold } from "../../table/results.js";
import { Manner } from "../../table/manner.js";
import { Twins } from "../../table/twin-wagers.js";

// What the player is asked for, or has.
function note(view, mine, last) {
  const { table, you } = view;
  const has = mine.you && !mine.results.length && handsTold(view, mine);
  if (has) return { kind: "note", head: has };
  const wanted = table.spots.find(({ spot, required }) => required && you?.spots.some((s) => s.spot === spot && !s.down));
  const twin = wanted && table.spots.find((s) => s.spot === table.layout.spots[wanted.spot].twin);
  return twin && !last ? { kind: "note", head: `Choose a chip and put it on ${wanted.title}; ${twin.title} takes the same.` } : null;
}

class TwinManner extends Manner {
  bets = new Twins();
  note = note;
}

export const manner = () => new TwinManner();
