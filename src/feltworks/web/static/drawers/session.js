// Your session: what you have played, and robots for company.

import { money, signed, sum } from "../core/format.js";
import { html, useEffect, useState } from "../core/html.js";
import { get, Waiting } from "../core/api.js";
import { nearest } from "../table/rail.js";

/** @param {number} seconds */
function duration(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (!minutes) return `${seconds} s`;
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** @param {Wire.PlayedAt} played @returns {Array<[string, string]>} */
const rows = (played) => [
  ["Rounds", String(played.rounds)],
  ["Wagered", money(played.wagered)],
  ["Won", money(played.won)],
  ["Lost", money(played.lost)],
  ["Net", signed(played.net)],
  ["Biggest win of a wager", money(played.biggest_win)],
  ["Time at the table", duration(played.seconds)],
];

/** @param {{ title: string, played: Wire.PlayedAt }} props */
const Played = ({ title, played }) => html`
  <table class="pays">
    <caption>${title}</caption>
    <tbody>${rows(played).map(([name, value]) => html`<tr key=${name}><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody>
  </table>`;

/** @param {Array<Wire.PlayedAt>} all @returns {Wire.PlayedAt} */
function together(all) {
  const total = (name) => sum(all.map((played) => played[name]));
  const [rounds, wagered, won, lost, net, seconds] = ["rounds", "wagered", "won", "lost", "net", "seconds"].map(total);
  const biggest_win = Math.max(...all.map((played) => played.biggest_win));
  return { ...all[0], rounds, wagered, won, lost, net, biggest_win, seconds };
}

/** @param {{ view: Wire.View }} props */
function Figures({ view }) {
  const [{ data, error }, setState] = useState(/** @type {{ data?: Wire.SessionTold, error?: string }} */ ({}));
  useEffect(() => {
    let wanted = true;
    const fail = (/** @type {string} */ said) => wanted && setState((had) => (had.data ? had : { error: said }));
    get("/api/session", fail).then((told) => wanted && setState({ data: told }), (problem) => fail(problem.message));
    return () => (wanted = false);
  }, [view.round, view.phase]);
  if (!data) return html`<${Waiting} error=${error} />`;
  const { played } = data;
  if (!played.length) return html`<p class="about">Take a seat, and what you play is counted here.</p>`;
  return html`
    ${played.map((at) => html`<${Played} key=${at.table} title=${`${at.name}, ${at.title}`} played=${at} />`)}
    ${played.length > 1 && html`<${Played} title="All tables" played=${together(played)} />`}
    <p class="about">Wagers that were decided since you came, or since the server started. Robots play with their own money.</p>`;
}

// One sits down at the free seat closest to the middle; each can be sent away.
/** @param {{ view: Wire.View, act: any }} props */
function Company({ view, act }) {
  const robots = view.seats.filter((s) => s.robot && !s.leaving);
  const free = view.seats.filter((s) => !s.name);
  const full = robots.length >= view.table.robots || !free.length;
  return html`
    <h3>Company</h3>
    <p>Robots wager little, wait for you, and leave when you do.</p>
    ${robots.length > 0 && html`
      <ul class="company">
        ${robots.map((robot) => html`
          <li key=${robot.seat}>
            <span>${robot.name}, seat ${robot.seat}</span>
            <button type="button" class="copy" onClick=${() => act.sendRobot(robot.seat)} aria-label=${`Send ${robot.name} away`}>Send it away</button>
          </li>`)}
      </ul>`}
    ${view.you?.seat === null
      ? html`<p class="about">Take a seat first.</p>`
      : full
        ? html`<p class="about">${free.length ? `${robots.length} robots are the most.` : "Every seat is taken."}</p>`
        : html`<button type="button" class="copy" onClick=${() => act.askRobot(nearest(free, view.table.seats))}>Ask a robot to sit down</button>`}`;
}

/** @param {{ view: Wire.View, act: any }} props */
export const Session = ({ view, act }) => html`
  <div class="prose session">
    ${view.you
      ? html`
        <${Figures} view=${view} />
        ${view.table.robots > 0 && html`<${Company} view=${view} act=${act} />`}`
      : html`<p class="about">You are watching. What you play is counted here.</p>`}
  </div>`;
