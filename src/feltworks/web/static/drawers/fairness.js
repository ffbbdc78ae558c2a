// The check of a finished round, made in this browser: each card that was turned, each roll or each spin, lay in its
// position when the root was published. The scheme is described in src/feltworks/floor/chance/shoe.py.

import { capital } from "../core/format.js";
import { html, useEffect, useState } from "../core/html.js";
import { get, useLoaded, Waiting } from "../core/api.js";
import { openingsOf, turnedOf, whatOf } from "./recall-words.js";
import { SmallCard } from "../felts/small-card.js";
import { SmallDice } from "../felts/small-dice.js";
import { SmallPocket } from "../felts/pocket.js";
import { Connection } from "../core/connection.js";

const FURTHEST = 120; // no shoe lasts for more rounds than this

const ascii = (text) => new TextEncoder().encode(text);
const u32 = (n) => new Uint8Array([n >>> 24, n >>> 16, n >>> 8, n]);
const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");

function bytes(text, length) {
  if (typeof text !== "string" || !/^[0-9a-f]*$/.test(text) || text.length !== length * 2) throw new Error("not an opening");
  return Uint8Array.from({ length }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

async function hash(...parts) {
  const joined = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", joined));
}

const node = (left, right) => hash(ascii("feltworks node 1"), left, right);

// What each text must look like that is committed to, and its tag.
const KINDS = {
  card: { fits: /^[2-9TJQKA][cdhs]?$/, tag: "card" },
  dice: { fits: /^[1-6]{8}$/, tag: "roll" },
  spin: { fits: /^[a-z0-9][a-z0-9_-]* [!-~]([ -~]*[!-~])?$/, tag: "spin" },
};

// Whether the opened card, roll or spin lay in its position under this root, with so many positions.
/** @param {string} root @param {number} size @param {Wire.Opening} opening */
export async function checkOpening(root, size, { position, salt, proof, ...opening }) {
  if (!Number.isInteger(position) || position < 0 || position >= size) return false;
  const [kind, ...others] = Object.keys(KINDS).filter((name) => opening[name] !== undefined);
  if (!kind || others.length || !KINDS[kind].fits.test(opening[kind])) return false;
  const left = [...proof];
  let top = await hash(ascii(`feltworks ${KINDS[kind].tag} 1`), u32(position), ascii(opening[kind]), bytes(salt, 16));
  for (let [i, n] = [position, size]; n > 1; i = i >> 1, n = (n + 1) >> 1) {
    if (i % 2 === 0 && i + 1 >= n) continue;
    const side = i % 2 ? "left" : "right";
    const beside = left.shift();
    if (beside?.side !== side) return false;
    const neighbour = bytes(beside.hash, 32);
    top = side === "left" ? await node(neighbour, top) : await node(top, neighbour);
  }
  return left.length === 0 && hex(await hash(ascii("feltworks root 1"), u32(size), top)) === root;
}

// The roots that the record says were published, and how many cards each stands for.
/** @param {Wire.Recalled} round */
function published(round) {
  const sizes = new Map(round.root ? [[round.root, round.size]] : []);
  for (const { event } of round.records) {
    if ((event.kind === "round started" || event.kind === "reshuffled") && event.root) sizes.set(event.root, event.size);
  }
  return sizes;
}

const same = (a, b) => [...a].sort().join() === [...b].sort().join();

// A shoe serves many rounds, and its root is in the record of the first of them: go back until every root is found.
/** @param {Wire.Recalled} round @param {Wire.About} table */
async function shoesOf(round, table) {
  const sizes = published(round);
  const wanted = new Set(openingsOf(round).map((o) => o.root ?? round.root));
  const lacking = () => [...wanted].some((root) => !sizes.has(root));
  for (let number = round.round - 1; number > 0 && number > round.round - FURTHEST && lacking(); number--) {
    const earlier = await get(`/api/tables/${table.id}/rounds/${number}`).catch(() => null);
    for (const [root, size] of earlier ? published(earlier) : []) sizes.set(root, size);
  }
  return sizes;
}

// A roll is committed to with more dice than the game rolls; the first of them are those. A spin is committed to with all
// wheels of the game; of these it is the one that the record says was spun.
const opened = (sets, turned) => (o, i) =>
  o.card ?? o.dice?.slice(0, sets.reduce((n, { of }) => n + of, 0)) ?? o.spin.split(", ").find((one) => one === turned[i]) ?? o.spin;

// Everything that can be checked of a round: each opened card or roll, and whether they are those that were seen.
export async function checkRound(round, sizes, sets) {
  const openings = openingsOf(round);
  const seen = turnedOf(round);
  const shows = opened(sets, seen);
  const cards = [];
  for (const [i, opening] of openings.entries()) {
    const root = opening.root ?? round.root;
    const holds = sizes.has(root) && (await checkOpening(root, sizes.get(root), opening).catch(() => false));
    cards.push({ card: shows(opening, i), position: opening.position, root, holds });
  }
  const complete = same(openings.map(shows), seen);
  return { cards, complete, roots: [...new Set(cards.map((c) => c.root))] };
}

const YES = "M2.5 8.5 6.5 12.5 13.5 4";
const NO = "M3.5 3.5 12.5 12.5M12.5 3.5 3.5 12.5";

const Mark = ({ holds }) => html`
  <svg class=${holds ? "check yes" : "check no"} viewBox="0 0 16 16" role="img" aria-label=${holds ? "holds" : "does not hold"}>
    <path d=${holds ? YES : NO} />
  </svg>`;

const Finding = ({ holds, children }) => html`<li><${Mark} holds=${holds} /><span>${children}</span></li>`;

function cardsFinding(cards, { one, many, were }) {
  const wrong = cards.filter((c) => !c.holds).length;
  if (!cards.length) return `No ${one} of this round was opened.`;
  if (wrong) return `${wrong} of ${cards.length} ${many} do not lead to the published root.`;
  return `Each of the ${cards.length} ${many} that were ${were} leads, with its position and salt, to the published root.`;
}

const WORDS = {
  card: { one: "card", many: "cards", were: "turned", done: "dealt", fixes: "the card of every position" },
  roll: { one: "roll", many: "rolls", were: "rolled", done: "rolled", fixes: "what the dice will show in every roll" },
  spin: { one: "spin", many: "spins", were: "spun", done: "spun", fixes: "where the wheel will stop in every spin" },
};

// What was opened, as it is drawn.
function Opened({ what, shown, sets, table }) {
  if (what === "roll") return html`<${SmallDice} dice=${[...shown]} sets=${sets} />`;
  if (what === "card") return html`<${SmallCard} card=${shown} />`;
  const [wheel, name] = shown.split(/ (.*)/);
  return html`<${SmallPocket} table=${table} pocket=${{ wheel, name }} />`;
}

function Findings({ round, found: { cards, complete, roots }, noted, sets, table }) {
  const what = whatOf(round);
  const words = WORDS[what];
  const seen = roots.length > 0 && roots.every((root) => noted.get(root) <= round.round);
  return html`
    <ul class="findings">
      <${Finding} holds=${cards.length > 0 && cards.every((c) => c.holds)}>${cardsFinding(cards, words)}<//>
      <${Finding} holds=${complete}>
        The opened ${words.many} are ${complete ? "exactly" : "not"} the ${words.many} that the record says were ${words.were}.
      <//>
      ${seen && html`<${Finding} holds>This page had noted the root itself before the first of these ${words.many} was ${words.done}.<//>`}
    </ul>
    <ul class="opened">
      ${cards.map((c, i) => html`
        <li key=${i}>
          <${Opened} what=${what} shown=${c.card} sets=${sets} table=${table} /><span class="about">position ${c.position}</span><${Mark} holds=${c.holds} />
        </li>`)}
    </ul>
    ${!seen && html`
      <p class="about">This page was not open before the ${words.many} of round ${round.round}, so it takes the root from the record.</p>`}
    <h3>Root</h3>
    ${roots.map((root) => html`<p key=${root}><code>${root}</code></p>`)}
    <p class="about">${capital(words.many)} that were not ${words.were} stay closed; of those nothing is shown.</p>`;
}

export function Check({ table, number, noted }) {
  const { data, error } = useLoaded(`/api/tables/${table.id}/rounds/${number}`);
  const [found, setFound] = useState(null);
  const sets = table.layout.dice?.sets ?? [];
  useEffect(() => {
    setFound(null);
    if (data) shoesOf(data, table).then((sizes) => checkRound(data, sizes, sets)).then(setFound);
  }, [data]);
  if (!found) return html`<${Waiting} error=${error} />`;
  return html`<${Findings} round=${data} found=${found} noted=${noted} sets=${sets} table=${table} />`;
}

// What the house signed when it last did what this player asked for.
function Receipt({ receipt }) {
  const [copied, setCopied] = useState(null);
  const text = JSON.stringify(receipt, null, 2);
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(text), () => setCopied(null));
  return html`
    <h3>Your last receipt</h3>
    <p>
      The house signed that it recorded your last command: keep this in a file, and${" "}
      <code class="whole">felt verify --receipt FILE</code> shows whether its records were cut or rewritten afterwards.
    </p>
    <pre class="receipt" role="group" tabindex="0" aria-label="Your last receipt"><code>${text}</code></pre>
    ${navigator.clipboard && html`<button type="button" class="copy" onClick=${copy}>${copied === text ? "Copied" : "Copy"}</button>`}`;
}

/** @param {{ view: Wire.View, roots: Map<string, number> }} props */
export function Fairness({ view: { table, shoe, round }, roots }) {
  const [rounds, setRounds] = useState(null);
  const [error, setError] = useState(null);
  const [chosen, setChosen] = useState(null);
  useEffect(() => {
    get(`/api/tables/${table.id}/rounds`, setError).then((page) => setRounds(page.rounds.filter((r) => r.over)), () => setRounds([]));
  }, [round]);
  const number = chosen ?? rounds?.[0]?.round;
  const words = WORDS[table.decks !== null ? "card" : table.layout.wheels ? "spin" : "roll"];
  const able = Boolean(globalThis.crypto?.subtle);
  return html`
    <div class="prose">
      <p>
        Before the first ${words.one} the house publishes one root, which fixes ${words.fixes}. After the round
        each ${words.one} that was ${words.were} is opened, and this browser checks that it was there from the start.
      </p>
      ${!able && html`<p class="about">Browsers check only on pages that come over https or from the same machine.</p>`}
      ${able && rounds?.length > 0 && html`
        <label class="choice">Round
          <select onChange=${(event) => setChosen(Number(event.target.value))}>
            ${rounds.map((r) => html`<option key=${r.round} value=${r.round} selected=${r.round === number}>${r.round}</option>`)}
          </select>
        </label>
        <${Check} key=${number} table=${table} number=${number} noted=${roots} />`}
      ${!rounds && html`<${Waiting} error=${error} />`}
      ${rounds?.length === 0 && html`<p class="about">No round is finished yet.</p>`}
      ${shoe && html`
        <h3>The ${words.many} in use now</h3>
        <p>${shoe.size} ${words.many}, ${shoe.dealt} ${words.done}. Root:</p>
        <p><code>${shoe.root}</code></p>`}
      ${Connection.receipt && html`<${Receipt} receipt=${Connection.receipt} />`}
    </div>`;
}
