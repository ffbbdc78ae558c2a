// Where something is entered: what is asked in large type, what was typed so far, and a pad with everything that it can be.

import { bandEntered, chosen, flexible, placedFor, pocketEntered, shown, takenUp } from "./entry.js";
import { ChipPicture } from "../felts/chips.js";
import { PIPS } from "../felts/cards.js";
import { Die } from "../felts/dice.js";
import { colourOf, pocketWords } from "../felts/pocket.js";
import { RANKS as RANK_NAMES, short } from "../core/format.js";
import { html, useState } from "../core/html.js";

const RANKS = [..."AKQJT98765432"];
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };

const Key = ({ children }) => html`<kbd aria-hidden="true">${children}</kbd>`;

const Suit = ({ suit }) => html`<svg class=${`suit-${suit}`} viewBox="-12 -12 24 24" aria-hidden="true"><path d=${PIPS[suit]} /></svg>`;

// Rank, then suit; of both only those of which a card can still come.
function Cards({ ask, typed, press, able }) {
  const can = new Set(ask.cards.map((card) => card[0]));
  const suits = new Set(ask.cards.filter((card) => card[0] === typed).map((card) => card[1]));
  const suited = ask.cards.some((card) => card.length > 1);
  return html`
    <div class="pad cards">
      <div class="ranks" role="group" aria-label="Rank">
        ${RANKS.map((rank) => html`
          <button type="button" key=${rank} aria-label=${RANK_NAMES[rank]} aria-pressed=${typed === rank} disabled=${!able || !can.has(rank)}
            onClick=${() => press(rank, true)}>${rank === "T" ? "10" : rank}</button>`)}
      </div>
      ${suited && html`
        <div class="suits" role="group" aria-label="Suit">
          ${Object.entries(SUITS).map(([suit, name]) => html`
            <button type="button" key=${suit} class=${suit} aria-label=${name} disabled=${!able || !suits.has(suit)} onClick=${() => press(suit)}>
              <${Suit} suit=${suit} /></button>`)}
        </div>`}
    </div>`;
}

const Lights = ({ ask, enter, able }) => html`
  <div class="pad lights" role="group" aria-label="Light">
    ${ask.bands.map((band) => html`
      <button type="button" key=${band.name} class=${`light ${band.light}`} disabled=${!able} onClick=${() => enter(bandEntered(band))}>
        <span class="lamp" aria-hidden="true"></span>
        <span class="name">${band.title}${band.light && html` <small>${band.light}</small>`}</span>
        ${band.ranks && html`<span class="ranks-of">${band.ranks}</span>`}
        <${Key}>${band.key.toUpperCase()}</${Key}>
      </button>`)}
  </div>`;

// How each die looks, set by set, where the table's layout says so.
const looksOf = (view, count) => {
  const sets = view.table.layout.dice?.sets ?? [];
  return Array.from({ length: count }, (_, i) => sets.flatMap(({ of, look }) => Array(of).fill(look))[i]);
};

function Dice({ ask, view, typed, press, onNoRoll, able }) {
  const looks = looksOf(view, ask.dice);
  const face = (value, look) => html`<svg viewBox="-22 -22 46 48" aria-hidden="true"><${Die} look=${look} value=${value} /></svg>`;
  const names = (view.table.layout.dice?.sets ?? []).flatMap(({ of, name }) => [name, ...Array(of - 1).fill("")]);
  return html`
    <div class="pad dice">
      <ol class="slots" aria-label="Dice entered so far">
        ${looks.map((look, i) => html`
          <li key=${i} class=${typed[i] ? "filled" : i === typed.length ? "next" : ""}>${typed[i] ? face(Number(typed[i]), look) : ""}
            <small>${names[i] ?? ""}</small></li>`)}
      </ol>
      <div class="faces" role="group" aria-label="Face">
        ${[1, 2, 3, 4, 5, 6].map((value) => html`
          <button type="button" key=${value} aria-label=${String(value)} disabled=${!able} onClick=${() => press(String(value))}>
            ${face(value, looks[typed.length])}<${Key}>${value}</${Key}></button>`)}
      </div>
      ${ask.reasons.length > 0 && html`
        <div class="reasons" role="group" aria-label="No roll">
          ${ask.reasons.map((reason) => html`
            <button type="button" key=${reason.name} class="quiet" disabled=${!able} onClick=${() => onNoRoll(reason)}>
              No roll: ${reason.title.toLowerCase()}<${Key}>${reason.key.toUpperCase()}</${Key}></button>`)}
        </div>`}
    </div>`;
}

// Every pocket by its number; what is typed goes on to those that begin with it.
const Pockets = ({ ask, view, typed, enter, able }) => html`
  <div class="pad pockets" role="group" aria-label="Pocket">
    ${ask.pockets.map((name) => html`
      <button type="button" key=${name} class=${`pocket ${colourOf(view.table, { name, wheel: ask.wheel })}${typed && name.startsWith(typed) ? " begun" : ""}`}
        aria-label=${pocketWords(view.table, { name, wheel: ask.wheel })} disabled=${!able} onClick=${() => enter(pocketEntered(ask, name))}>${name}</button>`)}
    ${typed && html`<p class="less">Press Enter for ${typed}.</p>`}
  </div>`;

const Choices = ({ ask, enter, able }) => html`
  <div class="pad choices" role="group" aria-label=${ask.text}>
    ${ask.choices.map((choice) => html`
      <button type="button" key=${choice.name} disabled=${!able} onClick=${() => enter(chosen(ask, choice))}>
        <span>${choice.title}</span>${choice.wager > 0 && html`<span class="wager">$${short(choice.wager)}</span>`}
        <${Key}>${choice.key.toUpperCase()}</${Key}></button>`)}
    ${flexible(ask) && html`<p class="less">For less, type the dollars first.</p>`}
  </div>`;

// Wagers for seats without a screen: a seat, a spot, then chips, each of which is one more wager.
function Bets({ ask, chips, press, enter, able, typed }) {
  const [chosenSeat, setSeat] = useState(null);
  const [chosenSpot, setSpot] = useState(null);
  const seat = typed[0] ? Number(typed[0]) : chosenSeat;
  const patron = ask.patrons.find((one) => one.seat === seat) ?? ask.patrons[0];
  const spot = patron?.spots.find((one) => (typed[1] ? one.key === typed[1] : one.spot === chosenSpot)) ?? patron?.spots[0];
  const values = spot ? chips.filter((value) => value >= Math.min(100, spot.least) && value <= spot.most - spot.down && value <= patron.chips).slice(0, 6).reverse() : [];
  return html`
    <div class="pad bets">
      ${ask.patrons.length > 0 && html`
        <div class="seats-of" role="group" aria-label="Seat">
          ${ask.patrons.map((one) => html`
            <button type="button" key=${one.seat} aria-pressed=${one === patron} disabled=${!able} onClick=${() => setSeat(one.seat)}>
              <span>Seat ${one.seat}</span><small>$${short(one.chips)} before it</small><${Key}>${one.seat}</${Key}></button>`)}
        </div>`}
      ${patron && html`
        <div class="spots-of" role="group" aria-label=${`Spot of seat ${patron.seat}`}>
          ${patron.spots.map((one) => html`
            <button type="button" key=${one.spot} aria-pressed=${one === spot} disabled=${!able} onClick=${() => setSpot(one.spot)}>
              <span>${one.title}</span>${one.down > 0 && html`<span class="wager">$${short(one.down)}</span>`}${one.key && html`<${Key}>${one.key.toUpperCase()}</${Key}>`}</button>`)}
        </div>`}
      ${spot && html`
        <div class="chips-of" role="group" aria-label=${`Chip on ${spot.title} of seat ${patron.seat}`}>
          ${values.map((value) => html`
            <button type="button" key=${value} class="chip-button" aria-label=${`$${short(value)} on ${spot.title}`} disabled=${!able}
              onClick=${() => enter(placedFor(patron.seat, spot, value))}><${ChipPicture} value=${value} /></button>`)}
          ${spot.takes && html`
            <button type="button" class="quiet" disabled=${!able} onClick=${() => enter(takenUp(patron.seat, spot))}>${spot.won ? `Collect $${short(spot.won)} of ${spot.title}` : `Take up ${spot.title}`}</button>`}
          <small class="limits">$${short(spot.least)} to $${short(spot.most)}</small>
        </div>`}
      <button type="button" class="close" disabled=${!able} onClick=${() => press("c")}><span>Close the betting</span><${Key}>C</${Key}></button>
    </div>`;
}

const GO = { shuffle: "Done: start the round", start: "Open the betting", deal: "Dealt", "go on": "Go on", end: "End the round", "sign on": "Sign on and deal" };

// Whoever relieves somebody says so with another key than the one that dealers press most.
const Relieve = ({ controller }) => html`
  <button type="button" class="done" onClick=${() => controller.send({ kind: "sign on" })}><span>${controller.ask.text.replace(".", "")} and deal</span><kbd>R</kbd></button>`;

/** @param {{ controller: import("./controller.js").Controller, later: boolean }} props */
export function Entry({ controller, later }) {
  const { ask, typed, wrong, console: told, view, deals: able } = controller;
  const press = (key, anew = false) => controller.press(key, anew);
  const enter = (fed) => controller.enter(fed);
  const props = { ask, view, typed, press, enter, able, chips: told.chips };
  const pads = {
    card: () => html`<${Cards} ...${props} />`,
    light: () => html`<${Lights} ...${props} />`,
    dice: () => html`<${Dice} ...${props} onNoRoll=${(reason) => controller.noRoll(reason)} />`,
    pocket: () => html`<${Pockets} ...${props} />`,
    choose: () => html`<${Choices} ...${props} />`,
    bet: () => html`<${Bets} ...${props} />`,
  };
  const relieves = ask.kind === "sign on" && told.dealer;
  const go = relieves ? "" : GO[ask.kind] ?? (ask.lays && ask.kind !== "card" ? "Dealt" : "");
  return html`
    <section class=${`entry${later ? " later" : ""}`} aria-labelledby="ask">
      <div class="asked">
        ${later && html`<span class="then">Then</span>`}
        ${ask.laid && html`<p class="laid">${ask.laid}</p>`}
        <h2 id="ask">${ask.text}</h2>
        ${ask.detail && html`<p class="detail">${ask.detail}</p>`}
        <p class=${`typed${typed ? "" : " empty"}`} aria-live="polite">${typed && html`<span class="unseen">Typed: </span>`}${shown(ask, typed)}</p>
      </div>
      <p class="wrong" role="alert">${wrong}</p>
      ${pads[ask.kind]?.()}
      ${relieves && html`<${Relieve} controller=${controller} />`}
      ${go && html`
        <button type="button" class="done" disabled=${!able && ask.kind !== "sign on"} onClick=${() => controller.goOn()}><span>${go}</span><kbd>Space</kbd></button>`}
    </section>`;
}

