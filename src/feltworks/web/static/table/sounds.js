// What is heard, for whoever has chosen it: a card, a chip, the dice, and that it is your turn. Every sound is made here.

import { sum } from "../core/format.js";

const LOUD = 0.07;
const APART = 0.06; // seconds between two sounds of one moment

/** @type {AudioContext | null} */
let context = null;
/** @type {AudioBuffer | null} */
let noise = null;

// A browser lets nothing sound before somebody has pressed something, and nothing is tried before.
function ready() {
  if (!navigator.userActivation?.hasBeenActive) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context;
}

/** @param {AudioContext} audio */
function rustle(audio) {
  if (!noise) {
    noise = audio.createBuffer(1, audio.sampleRate / 4, audio.sampleRate);
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
  }
  const source = audio.createBufferSource();
  source.buffer = noise;
  return source;
}

/** @param {AudioContext} audio @param {AudioScheduledSourceNode} source @param {number} at @param {number} length */
function sound(audio, source, at, length, loud = LOUD, pitch = 0) {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  if (pitch) {
    const filter = audio.createBiquadFilter();
    Object.assign(filter, { type: "bandpass" });
    filter.frequency.value = pitch;
    source.connect(filter).connect(gain);
  } else {
    source.connect(gain);
  }
  gain.connect(audio.destination);
  source.start(at);
  source.stop(at + length);
}

/** @param {AudioContext} audio @param {number} pitch @param {number} at @param {number} length */
function tone(audio, pitch, at, length, loud = LOUD) {
  const source = audio.createOscillator();
  source.type = "sine";
  source.frequency.value = pitch;
  sound(audio, source, at, length, loud);
}

/** @type {Record<string, (audio: AudioContext, at: number) => void>} */
const SOUNDS = {
  card: (audio, at) => sound(audio, rustle(audio), at, 0.09, LOUD, 2600),
  chip: (audio, at) => {
    tone(audio, 3400, at, 0.05, LOUD / 2);
    tone(audio, 4300, at + 0.03, 0.06, LOUD / 2);
  },
  dice: (audio, at) => {
    for (const [i, pitch] of [900, 1300, 1100].entries()) sound(audio, rustle(audio), at + i * 0.08, 0.05, LOUD, pitch);
  },
  turn: (audio, at) => {
    tone(audio, 660, at, 0.18);
    tone(audio, 880, at + 0.14, 0.28);
  },
};

/** @param {Page.View} view */
const cards = (view) => sum([view.dealer, ...view.seats.map((s) => s.cards)].map((all) => all.filter((c) => c.card).length + all.length));
/** @param {Page.View} view */
const chips = (view) => JSON.stringify(view.seats.map((s) => [s.wagers, s.winnings]));

// What is to be heard between two moments.
/** @param {Page.View | undefined} before @param {Page.View} view @returns {Array<string>} */
export function heard(before, view) {
  if (!before) return [];
  const found = [];
  if (cards(view) > cards(before)) found.push("card");
  if (view.pocket && JSON.stringify(view.pocket) !== JSON.stringify(before.pocket)) found.push("dice");
  if (view.dice && JSON.stringify(view.dice) !== JSON.stringify(before.dice)) found.push("dice");
  if (chips(view) !== chips(before)) found.push("chip");
  if (view.you?.options.length && !before.you?.options.length) found.push("turn");
  return found;
}

/** @param {Page.View | undefined} before @param {Page.View} view */
export function hear(before, view) {
  const names = heard(before, view);
  const audio = names.length ? ready() : null;
  if (audio) names.forEach((name, i) => SOUNDS[name](audio, audio.currentTime + i * APART));
}
