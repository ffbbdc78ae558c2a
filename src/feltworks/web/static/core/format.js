// Money, cards and results in words. Money is whole cents everywhere but on the screen.

export const RANKS = {
  A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight",
  7: "seven", 6: "six", 5: "five", 4: "four", 3: "three", 2: "two",
};
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };

const exact = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const whole = new Intl.NumberFormat("en");

export const money = (cents) => exact.format(cents / 100);

// Without ".00", for chips and limits.
export const short = (cents) => (cents % 100 ? money(cents) : whole.format(cents / 100));

const sign = (cents) => (cents > 0 ? "+" : cents < 0 ? "−" : "");
export const signed = (cents) => sign(cents) + money(Math.abs(cents));
export const signedShort = (cents) => sign(cents) + short(Math.abs(cents));

export const rank = (card) => (card[0] === "T" ? "10" : card[0]);
export const cardName = (card) => (card[1] ? `${RANKS[card[0]]} of ${SUITS[card[1]]}` : RANKS[card[0]]);
export const cardShort = (card) => rank(card) + (SIGNS[card[1]] ?? "");

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
// A line's name within a sentence: "Three of a kind" becomes "three of a kind", a name in capitals stays.
const within = (text) => (/^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text);

export const net = (result) => result.paid - (result.stake === "taken" ? result.amount : 0);

// "a, b and c", or with another word.
export const listed = (texts, word = "and") => [texts.slice(0, -1).join(", "), texts.at(-1)].filter(Boolean).join(` ${word} `);

const ORDER = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
export const ordinal = (number) => ORDER[number - 1] ?? `number ${number}`;

export const sum = (numbers) => numbers.reduce((total, n) => total + n, 0);

// What spots are called. Of a seat with several hands, whose spots these are, the first wager is that of the first.
/** @param {Wire.About} table @param {string[]} [own] */
export function titles(table, own = []) {
  const all = Object.fromEntries(table.spots.map((s) => [s.spot, s.title]));
  const [first, second] = table.layout.hands ?? [];
  return second && own.includes(second) ? { ...all, [first]: "Hand 1" } : all;
}

// Why, in the words of the rules; of what is only recorded, the line on which it was settled.
export const reasonOf = (result) => result.why || within(result.line);

// A refusal in the words of the rules, without the number of the rule, which says nothing to a player: "(Y-20)".
/** @param {string} why */
export const withoutRules = (why) => why.replace(/ \([A-Z][A-Z0-9]{0,2}-\d+\)/g, "");

// What became of one wager, and why: "Ante wins 25.00: queen beats nine, 1 to 1".
export function resultSentence(result, title) {
  const won = net(result);
  if (won > 0) return `${title} wins ${money(won)}: ${reasonOf(result)}, ${result.pays}`;
  if (won < 0) return `${title} loses ${money(-won)}: ${reasonOf(result)}`;
  return `${title} comes back: ${reasonOf(result)}`;
}

// A seat's whole round in a few words. A return below the stake is a loss and is called one.
export function headline(results) {
  const total = sum(results.map(net));
  const why = results.length === 1 ? `: ${reasonOf(results[0])}` : "";
  if (total > 0) return `You win ${money(total)}${why}${why && `, ${results[0].pays}`}`;
  if (total < 0) return `You lose ${money(-total)}${why}`;
  if (results.every((r) => net(r) === 0)) return results.length > 1 ? "Your wagers come back" : `Your wager comes back${why}`;
  return "You come out even";
}
