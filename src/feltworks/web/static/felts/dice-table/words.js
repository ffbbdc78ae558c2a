// The dice and the facts of the game, for those who do not see the table.

/** @param {Page.View} view */
export function dealer({ dice, told, table }) {
  let next = 0;
  const sets = dice ? table.layout.dice.sets.map(({ name, of }) => `${name} ${dice.slice(next, (next += of)).join(" and ")}`) : [];
  return [...sets, ...Object.entries(told).map(factWords)].join(", ") || "no dice";
}

// A fact of the game: "no point", "point 6", "shooter seat 3", "the dealer rolls".
function factWords([fact, value]) {
  if (value === "none") return `no ${fact}`;
  return fact === "roller" ? `${/\d/.test(value) ? value : `the ${value}`} rolls` : `${fact} ${value}`;
}
