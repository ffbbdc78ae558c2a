// Several wagers that were decided by one thing, told in one sentence.

import { net, resultSentence, sum, titles } from "../core/format.js";

const why = (r) => `${r.line} ${r.pays} ${Math.sign(net(r))}`;

// The results of a seat by what decided them, in the order in which they came.
export function alike(results) {
  const groups = new Map();
  for (const r of results) groups.set(why(r), [...(groups.get(why(r)) ?? []), r]);
  return [...groups.values()];
}

// "Ante and Play win 10.00: better hand, 1 to 1".
export function together(results, title) {
  const names = results.map((r) => title[r.spot]);
  const whole = { ...results[0], paid: sum(results.map((r) => r.paid)), amount: sum(results.map((r) => r.amount)) };
  if (results.length === 1) return resultSentence(whole, names[0]);
  const all = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return resultSentence(whole, all).replace(`${all} wins`, `${all} win`).replace(`${all} loses`, `${all} lose`)
    .replace(`${all} comes`, `${all} come`);
}

// The notice of a settled round with its wagers by what decided them. Before it is settled, what was last.
export function noticeBy(view, seat, notice) {
  const title = titles(view.table);
  const groups = alike(seat.results);
  if (notice.lines.length) return { ...notice, lines: groups.map((results) => together(results, title)) };
  const last = groups.find((results) => results.includes(seat.results.at(-1)));
  return last.length > 1 ? { ...notice, head: together(last, title) } : notice;
}
