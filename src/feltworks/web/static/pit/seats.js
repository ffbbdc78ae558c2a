// The table as the dealer has it in front: the seats along the arc from the dealer's left, the dealer's own cards below.

import { SmallCard } from "../felts/small-card.js";
import { SmallDice } from "../felts/small-dice.js";
import { SmallPocket } from "../felts/pocket.js";
import { capital, short, signedShort, titles } from "../core/format.js";
import { html } from "../core/html.js";

const Sealed = ({ reading }) => html`
  <span class=${`sealed ${reading ?? ""}`} role="img" aria-label=${reading ? `face down, ${reading}` : "face down"}></span>`;

const Cards = ({ cards }) => html`
  <span class="hand">${cards.map((card) => (card.card ? html`<${SmallCard} key=${card.token} card=${card.card} />` : html`<${Sealed} key=${card.token} reading=${card.reading} />`))}</span>`;

const byPlace = (cards) => {
  const places = new Map();
  for (const card of cards) places.set(card.place, [...(places.get(card.place) ?? []), card]);
  return [...places];
};

const wordsOf = (view, seat) => view.hands.filter((hand) => hand.seat === seat).map((hand) => hand.brief).join(" · ");

// The dice set by set, the one in front first.
function asTheyLie(view, sets) {
  let next = 0;
  const laid = sets.map((set) => ({ set, faces: view.dice.slice(next, (next += set.of)) }));
  const front = ({ set }) => view.things[set.name] === "behind";
  laid.sort((one, other) => Number(front(one)) - Number(front(other)));
  return { dice: laid.flatMap(({ faces }) => faces), sets: laid.map(({ set }) => set) };
}

function Middle({ view }) {
  const places = byPlace(view.dealer);
  const { dice, rows = {} } = view.table.layout;
  const sets = dice?.sets;
  const marker = view.table.layout.boxes?.marker;
  return html`
    <div class="middle">
      ${view.dice && sets && html`<${SmallDice} ...${asTheyLie(view, sets)} />`}
      ${view.pocket && html`<${SmallPocket} table=${view.table} pocket=${view.pocket} />`}
      ${marker && view.things[marker] && html`<p class="fact">${capital(marker)} <b>${view.things[marker]}</b></p>`}
      ${Object.entries(view.told).filter(([, said]) => said !== "none").map(([what, said]) => html`<p key=${what} class="fact">${capital(what)} <b>${said}</b></p>`)}
      ${places.map(([place, cards]) => html`
        <div key=${place} class="place"><span class="place-name">${rows[place]?.light && html`<i class=${`lamp-dot ${rows[place].light}`} aria-hidden="true"></i>`}${capital(place)}</span><${Cards} cards=${cards} />
          ${place === "dealer" && wordsOf(view, null) && html`<span class="words">${wordsOf(view, null)}</span>`}</div>`)}
    </div>`;
}

// A wager whose chips were taken off its spot is in action, and nothing lies there any more.
function isTaken(view, seat, spot) {
  const title = view.table.spots.find((one) => one.spot === spot)?.title;
  return view.things[`seat ${seat}'s ${title} chips`] === "taken";
}

// How far a seat on the arc lies below the one in the middle, in steps.
const drop = (index, count) => (count > 2 ? Math.round(5 * ((2 * index) / (count - 1) - 1) ** 2) : 0);

function Seat({ seat, view, acting, names, at }) {
  const wagers = Object.entries(seat.wagers);
  const won = Object.entries(seat.winnings);
  const words = wordsOf(view, seat.seat);
  const kind = [seat.name ? "" : "free", acting ? "acting" : "", seat.present || !seat.name ? "" : "away"].filter(Boolean).join(" ");
  return html`
    <li class=${`seat drop-${at} ${kind}`}>
      <header><b>${seat.seat}</b> <bdi>${seat.name ?? "free"}</bdi>${seat.shooter && html` <em>shooter</em>`}</header>
      ${seat.cards.length > 0 && html`<div class="hands">${byPlace(seat.cards).map(([place, cards]) => html`<${Cards} key=${place} cards=${cards} />`)}</div>`}
      ${words && html`<span class="words">${words}</span>`}
      ${wagers.length + won.length > 0 && html`
        <dl>
          ${wagers.map(([spot, cents]) => html`
            <div key=${spot}><dt>${names[spot] ?? spot}</dt><dd>${isTaken(view, seat.seat, spot) ? "registered" : `$${short(cents)}`}</dd></div>`)}
          ${won.map(([spot, cents]) => html`<div key=${`won ${spot}`} class="won"><dt>${names[spot] ?? spot}, won</dt><dd>$${short(cents)}</dd></div>`)}
        </dl>`}
      ${seat.net !== null && (seat.net || view.phase === "over") && html`<span class=${`net ${seat.net > 0 ? "won" : seat.net < 0 ? "lost" : ""}`}>${seat.net > 0 ? "wins " : seat.net < 0 ? "loses " : "even "}${seat.net ? signedShort(seat.net) : ""}</span>`}
    </li>`;
}

// What spots are called on the layout, in short where it has them so.
function namesOf(table, seat) {
  const labels = Object.entries(table.layout.spots ?? {}).filter(([, { label }]) => label);
  return { ...titles(table, Object.keys(seat.wagers)), ...Object.fromEntries(labels.map(([spot, { label }]) => [spot, label])) };
}

/** @param {{ view: Page.ConsoleView }} props */
export function Seats({ view }) {
  const { ask } = view.console;
  const count = view.seats.length;
  return html`
    <section class="table-now" aria-label="The table">
      <ul class=${`arc of-${count}`}>
        ${view.seats.map((seat, i) => html`
          <${Seat} key=${seat.seat} seat=${seat} view=${view} at=${drop(i, count)} acting=${seat.seat === ask.seat || seat.acting}
            names=${namesOf(view.table, seat)} />`)}
      </ul>
      <${Middle} view=${view} />
    </section>`;
}
