// The dice and the facts of the game, for those who do not see the table.

/** @param {Page.View} view */
export function dealer({ dice, told, table }) {
  let next = 0;
  const sets = dice ? table.layout.dice.sets.map(({ name, of }) => `${name} ${dice.slice(next, (next += of)).join(" and ")}`) : [];
  return [...sets, ...Object.entries(told).map((fact) => fact.join(" "))].join(", ") || "no dice";
}
