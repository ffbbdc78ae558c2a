// The form of settings looks by itself: every change sends it as the button "Look" would, and whatever differs in the page
// that comes back takes its place. Figures are asked for at the same time and come when they are there. The latest change
// wins: what was asked before it is given up.

const QUIET = 100; // milliseconds without a key before a text is looked at
const NOT_NOW = "The figures are not there now; everything else works.";
const COMING = "The figures come in a moment.";

const form = /** @type {HTMLFormElement} */ (document.getElementById("settings"));
/** @type {XMLHttpRequest[]} */
let asked = [];
let timer = 0;
let isSent = false;
let figured = ""; // the game that the figures are of
/** @type {Record<string, boolean>} which sections the server last had open */
const wasOpen = {};

/** @param {string} name @param {ParentNode} [within] */
const part = (name, within = document) => /** @type {HTMLElement | null} */ (within.querySelector(`[data-part="${CSS.escape(name)}"]`));

/** @param {string} path @param {Record<string, string>} more @returns {Promise<Document | null>} */ // fetch gives no document that the page's policy lets in
const ask = (path, more) =>
  new Promise((told) => {
    const fields = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    for (const [name, value] of Object.entries(more)) fields.set(name, value);
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.responseType = "document";
    request.setRequestHeader("x-look", "1");
    request.setRequestHeader("accept", "text/html");
    request.setRequestHeader("content-type", "application/x-www-form-urlencoded");
    request.onload = () => {
      if (request.status === 401 || request.status === 403) location.reload(); // the page says why
      told(request.status < 400 ? request.response : null);
    };
    request.onerror = () => told(null);
    asked.push(request);
    request.send(fields);
  });

const giveUp = () => {
  for (const request of asked) request.abort();
  asked = [];
};

// What comes back.

/** @param {HTMLElement} old @param {HTMLElement} fresh */
function replace(old, fresh) {
  const active = /** @type {any} */ (document.activeElement);
  const focused = old.contains(active) ? active.id : "";
  const at = focused && "selectionStart" in active ? [active.selectionStart, active.selectionEnd] : null;
  old.replaceWith(document.importNode(fresh, true));
  const again = /** @type {any} */ (focused && document.getElementById(focused));
  if (!again) return;
  again.focus({ preventScroll: true });
  if (at && at[0] !== null) again.setSelectionRange(at[0], at[1]);
}

/** @param {Document} page */
function follow(page) {
  for (const fresh of /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-part]"))) {
    const name = fresh.dataset.part ?? "";
    const old = part(name);
    if (!old || name === "figures") continue;
    const isSame = fresh.dataset.key ? fresh.dataset.key === old.dataset.key : fresh.isEqualNode(old);
    if (!isSame) replace(old, fresh);
  }
  for (const section of /** @type {NodeListOf<HTMLDetailsElement>} */ (page.querySelectorAll("details.section"))) {
    const here = /** @type {HTMLDetailsElement | null} */ (document.getElementById(section.id));
    if (here && section.open && !wasOpen[section.id]) here.open = true;
    wasOpen[section.id] = section.open;
  }
  markWrong();
}

function markWrong() {
  for (const field of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[aria-describedby]"))) {
    const said = document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent?.trim();
    if (said) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
  }
}

// Figures.

/** @param {ParentNode} within @param {string} wager */
const row = (within, wager) => /** @type {HTMLElement | null} */ (within.querySelector(`[data-wager="${CSS.escape(wager)}"]`));

/** @param {string} words */
function sayInstead(words) {
  const said = document.createElement("p");
  said.className = "note";
  said.textContent = words;
  part("figures")?.replaceChildren(said);
  part("figures")?.removeAttribute("aria-busy");
}

/** @param {Document | null} page */
function showFigures(page) {
  const old = part("figures");
  if (!old) return;
  const fresh = page && part("figures", page);
  if (!fresh) return sayInstead(NOT_NOW);
  const here = document.importNode(fresh, true);
  for (const pending of /** @type {NodeListOf<HTMLElement>} */ (here.querySelectorAll("[data-pending]"))) {
    const before = row(old, pending.dataset.wager ?? "");
    if (!before?.querySelector(".exactly")) continue;
    const kept = /** @type {HTMLElement} */ (before.cloneNode(true)); // as it was, until the count is there
    kept.dataset.pending = "";
    pending.replaceWith(kept);
  }
  old.replaceWith(here);
}

/** @param {Document | null} page @param {string} wager */
function showFigure(page, wager) {
  const figures = part("figures");
  const old = figures && row(figures, wager);
  if (!figures || !old) return;
  const fresh = page && row(page, wager);
  if (fresh) {
    old.replaceWith(document.importNode(fresh, true));
  } else {
    const said = document.createElement("td");
    said.className = "note";
    said.colSpan = 2;
    said.textContent = page ? part("figures", page)?.textContent?.trim() ?? NOT_NOW : NOT_NOW;
    delete old.dataset.pending;
    old.replaceChildren(/** @type {Node} */ (old.firstElementChild), said);
  }
}

function speakFigures() {
  const known = [...form.querySelectorAll("[data-wager]:not([data-pending])")].filter((one) => one.querySelector("summary"));
  const said = known.map((one) => `${one.querySelector("th")?.textContent} ${one.querySelector("summary")?.textContent}`);
  const place = document.getElementById("spoken-figures");
  const words = said.length ? `House edge: ${said.join(", ")}.` : "";
  if (place && place.textContent !== words) place.textContent = words;
}

async function figure() {
  const path = `${form.action}/figures`;
  const game = ["game", "version"].map((name) => new FormData(form).get(name)).join(" ");
  if (game !== figured) sayInstead(COMING);
  figured = game;
  part("figures")?.setAttribute("aria-busy", "true");
  showFigures(await ask(path, { wager: "" }));
  const pending = /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-pending]"));
  await Promise.all(
    [...pending].map(async ({ dataset: { wager = "" } }) => showFigure(await ask(path, { wager }), wager)),
  );
  speakFigures();
}

async function look() {
  clearTimeout(timer);
  giveUp();
  figure();
  const page = await ask(form.action, { do: "look" });
  if (page) follow(page);
}

// What somebody does.

form.addEventListener("input", (event) => {
  clearTimeout(timer);
  giveUp(); // what comes back is always of what stands there now
  const isTyped = /** @type {HTMLElement} */ (event.target).matches("textarea, input:not([type=radio], [type=checkbox])");
  timer = setTimeout(look, isTyped ? QUIET : 0);
});

form.addEventListener("submit", (event) => {
  const what = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (what?.value === "look" || isSent) event.preventDefault();
  if (what?.value === "look") look();
  else isSent = true; // once is enough
});

addEventListener("pageshow", () => {
  isSent = false;
});

const more = /** @type {HTMLButtonElement} */ (form.querySelector(".more-told"));

/** @param {boolean} isOpen */
function unfold(isOpen) {
  more.setAttribute("aria-expanded", String(isOpen));
  more.textContent = isOpen ? "Less" : "Details";
}

more.addEventListener("click", () => unfold(more.getAttribute("aria-expanded") !== "true"));

form.addEventListener("click", (event) => {
  const link = /** @type {HTMLElement} */ (event.target).closest(".against a");
  if (!link) return;
  const wrong = document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
  if (!wrong) return;
  event.preventDefault();
  unfold(false);
  const section = wrong.closest("details");
  if (section) section.open = true;
  const field = /** @type {HTMLElement | null} */ (form.querySelector(`[aria-describedby="${wrong.id}"]`) ?? wrong.closest(".field")?.querySelector("input, select"));
  wrong.scrollIntoView({ block: "center" });
  field?.focus({ preventScroll: true });
});

form.classList.add("scripted");
more.hidden = false;
/** @type {HTMLElement} */ (form.querySelector(".look")).hidden = true;
for (const section of /** @type {NodeListOf<HTMLDetailsElement>} */ (form.querySelectorAll("details.section"))) wasOpen[section.id] = section.open;
figure();
