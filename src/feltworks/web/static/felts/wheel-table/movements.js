// The frames between two views of a table with a wheel: the pocket is seen before anything comes of it.

import { SPIN } from "./wheel.js";
import { Plan } from "../movements.js";

class Spinning extends Plan {
  working = "The wheel spins.";

  constructor(before, after, events) {
    super(before, after, events);
    this.now = { ...this.now, pocket: before.pocket };
  }

  answer(answer) {
    if (answer.kind === "spin") this.stop(answer);
    else super.answer(answer);
  }

  stop({ wheel, pocket: name }) {
    this.now = { ...this.now, pocket: { wheel, name }, spinning: {} };
    this.frame(SPIN);
  }
}

export const plan = (...given) => new Spinning(...given).all();
