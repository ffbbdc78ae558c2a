// The lobby while somebody looks at it: what has changed at the tables is asked for every few seconds, and a name is
// saved without leaving the page. Without this script everything works too, as it was when the page was opened.

import { saveName } from "../core/save-name.js";

const OFTEN = 3000;
const SELDOM = 10000; // while the server does not answer

/** @type {HTMLElement | null} */ // only where there are tables
const lost = document.getElementById("lost");
let timer = 0;
let tag = "";

/** @param {string} selector @returns {NodeListOf<HTMLElement>} */
const all = (selector, within = document) => /** @type {any} */ (within).querySelectorAll(selector);

/** @param {HTMLElement} room @param {Wire.TableListed} table */
function show(room, table) {
  room.setAttribute("data-offer", table.offer);
  all(".seat", /** @type {any} */ (room)).forEach((seat, i) => {
    seat.classList.toggle("taken", table.occupied.includes(i + 1));
    seat.classList.toggle("yours", table.your_seat === i + 1);
  });
  for (const [what, text] of Object.entries({ taken: String(table.taken), note: table.note })) {
    const [place] = all(`[data-${what}]`, /** @type {any} */ (room));
    if (place.textContent !== text) place.textContent = text;
  }
}

/** @param {Wire.TableListed[]} tables */
function follow(tables) {
  const rooms = [...all("[data-table]")];
  const shown = rooms.map((room) => room.dataset.table).join();
  const offered = rooms.some((room) => room.dataset.offer !== "watch");
  if (shown !== tables.map((table) => table.id).join()) location.reload(); // a table was opened, or is gone
  else if (offered !== tables.some((table) => table.offer !== "watch")) location.reload(); // the page says why
  else rooms.forEach((room, i) => show(room, tables[i]));
}

async function look() {
  clearTimeout(timer);
  if (document.hidden) return;
  const answer = await fetch("/api/tables", { headers: { accept: "application/json" } }).catch(() => null);
  const found = answer?.ok ? await answer.json().catch(() => null) : null;
  if (lost) lost.hidden = found !== null;
  if (found && answer && answer.headers.get("etag") !== tag) {
    tag = answer.headers.get("etag") ?? "";
    follow(found);
  }
  clearTimeout(timer);
  timer = setTimeout(look, found ? OFTEN : SELDOM);
}

if (lost) for (const event of ["visibilitychange", "pageshow", "online"]) addEventListener(event, look);

/** @type {HTMLFormElement | null} */
const naming = document.querySelector("form[action='/name']");

naming?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [said] = all("#name-said");
  const { name, why } = await saveName(String(new FormData(naming).get("name")));
  said.classList.toggle("refused", why !== undefined);
  said.textContent = why ?? "Saved.";
  if (name) for (const place of all("[data-name]")) place.textContent = name;
});
