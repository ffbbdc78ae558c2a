// Parts of a page that keep themselves current: the page is asked for again every few seconds, and what has changed in
// a part named by `data-live` takes the place of what was there. A part in which somebody is typing, or whose form was
// just refused, is left alone.

import { inLocalTime } from "./times.js";

const OFTEN = 3000;
const SELDOM = 10000; // while the server does not answer
let tag = "";
let timer = 0;

/** @typedef {Record<string, string>} Shown */
/** @type {Shown} what the server last sent for each part */
const shown = {};

const parts = (/** @type {Document} */ page) => /** @type {HTMLElement[]} */ ([...page.querySelectorAll("[data-live]")]);

/** @param {HTMLElement} part */
const isBusy = (part) =>
  [...part.querySelectorAll("input, textarea")].some((/** @type {any} */ field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked)
  || part.querySelector("[data-refused]") !== null
  || [...part.querySelectorAll("details[open]")].some((open) => open.contains(document.activeElement));

/** @param {string} focused */
const focusAgain = (focused) => focused && document.getElementById(focused)?.focus({ preventScroll: true });

/** @param {Document} page @returns {boolean} whether all of it is shown now */
function follow(page) {
  let all = true;
  for (const fresh of parts(page)) {
    const name = fresh.dataset.live ?? "";
    const old = parts(document).find((part) => part.dataset.live === name);
    if (!old || shown[name] === fresh.outerHTML) continue;
    if (isBusy(old)) {
      all = false;
      continue;
    }
    shown[name] = fresh.outerHTML;
    const focused = old.contains(document.activeElement) ? document.activeElement?.id ?? "" : "";
    const here = document.importNode(fresh, true);
    inLocalTime(here);
    old.replaceWith(here);
    focusAgain(focused);
  }
  return all;
}

/** @returns {Promise<XMLHttpRequest>} */ // fetch gives no document that the page's policy lets in
const ask = () =>
  new Promise((told) => {
    const request = new XMLHttpRequest();
    request.open("GET", location.href);
    request.responseType = "document";
    request.setRequestHeader("x-live", "1");
    request.setRequestHeader("accept", "text/html");
    if (tag) request.setRequestHeader("if-none-match", tag);
    request.onloadend = () => told(request);
    request.send();
  });

async function look() {
  clearTimeout(timer);
  if (document.hidden) return;
  const answer = await ask();
  if (answer.status === 401 || answer.status === 403) return location.reload(); // the page says why
  const lost = document.getElementById("lost");
  if (lost) lost.hidden = answer.status !== 0;
  if (answer.status === 200 && answer.response) {
    tag = follow(answer.response) ? answer.getResponseHeader("etag") ?? "" : "";
  }
  timer = setTimeout(look, answer.status ? OFTEN : SELDOM);
}

export function keepCurrent() {
  for (const part of parts(document)) shown[part.dataset.live ?? ""] = part.outerHTML;
  timer = setTimeout(look, OFTEN);
  for (const event of ["visibilitychange", "pageshow", "online"]) addEventListener(event, look);
}
