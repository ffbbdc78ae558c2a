// The pocket and the facts of the game, for those who do not see the table.

import { pocketWords } from "../pocket.js";

/** @param {Page.View} view */
export function dealer({ pocket, told, table }) {
  const lies = pocket ? [`the wheel has stopped at ${pocketWords(table, pocket)}`] : ["the wheel has not been spun"];
  return [...lies, ...Object.entries(told).map(([fact, value]) => `${fact} ${value}`)].join(", ");
}
