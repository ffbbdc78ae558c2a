// At a table where two spots take the same and hands are compared: how its player bets, and what is said of the hands.

import { betting } from "./rows.js";
import { Twins } from "../../table/twin-wagers.js";
import { handsTold } from "../../table/results.js";


// What the player is asked for, or has.
function note(view, mine, last) {
  const { table, you } = view;
  const has = mine.you && !mine.results.length && handsTold(view, mine);
  if (has) return { kind: "note", head: has };
  const wanted = table.spots.find(({ spot, required }) => required && you?.spots.some((s) => s.spot === spot && !s.down));
  const twin = wanted && table.spots.find((s) => s.spot === table.layout.spots[wanted.spot].twin);
  return twin && !last ? { kind: "note", head: `Choose a chip and put it on ${wanted.title}; ${twin.title} takes the same.` } : null;
}

// `seat` is all that happens at the page: commands go through it, and are made when it is their turn.
export function attach(seat) {
  const bets = (seat.bets = new Twins());

  // Nothing when all is done, or why not.
  const carryOut = async (commands) => {
    for (const command of commands) {
      const answer = await seat.connection.send(command);
      if (!answer.ok) return answer.why;
      bets.done(command);
    }
    return null;
  };
  const inTurn = (make) => {
    seat.director.hurry();
    if (seat.refusal) seat.set({ refusal: null });
    const done = seat.queue.then(async () => {
      const commands = make();
      const why = typeof commands === "string" ? commands : await carryOut(commands);
      if (!why) return true;
      seat.refuse(why);
      await carryOut(bets.even());
      return false;
    });
    seat.queue = done.catch(() => false);
    return done;
  };

  seat.send = (...commands) => inTurn(() => commands);
  Object.assign(seat.act, {
    place: async (spot) => {
      const { least, most } = seat.view.table.limits[spot];
      const amount = least === most ? least : seat.selected;
      if (await inTurn(() => bets.place(spot, amount))) bets.placed(spot, amount);
    },
    takeUp: (spot) => inTurn(() => bets.takeUp(spot)),
    undo: async () => {
      if (!seat.open || !bets.canUndo) return;
      seat.director.quick = true;
      await inTurn(() => bets.undo());
      setTimeout(() => (seat.director.quick = false), 150);
    },
    clear: () => seat.open && bets.canClear && inTurn(() => bets.clear()),
    rebet: () => seat.open && bets.canRebet && inTurn(() => bets.rebet()),
  });
  seat.note = note;
  betting.known = true;
  seat.onChange();
}
