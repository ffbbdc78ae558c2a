// Keys as they come: typed one by one, or a whole line from a scanner, which types faster than any hand and ends with Enter.

const FAST = 25; // milliseconds between two keys of a scanner, at most
const MORE = 60; // so long after its last key a line may still go on
const TWICE = 1000; // the same line again within this time is the same card under the scanner

export class Keys {
  #on;
  #held = []; // keys that may be the beginning of a line
  #timer = 0;
  #last = -Infinity;
  #line = { text: "", at: -Infinity };

  // `on.key(key)` takes a key that a hand pressed, `on.line(text, again)` a line. `on.quick()` says whether the next key ends
  // something that was begun by hand, so that it need not be held.
  constructor(on) {
    this.#on = on;
  }

  // Whether the key is ours: nothing that belongs to the browser, or to a field that somebody writes in.
  hear(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return false;
    const { key, timeStamp: at } = event;
    const gap = at - this.#last;
    this.#last = at;
    if (key === "Enter" && this.#held.length && gap < MORE) return this.#end(at);
    if (key.length === 1 && key !== " ") {
      const burst = gap < FAST && this.#held.length;
      if (!burst) this.#flush();
      if (!burst && this.#on.quick()) this.#on.key(key);
      else this.#hold(key, burst ? MORE : FAST);
      return true;
    }
    if (!["Enter", " ", "Backspace", "Escape"].includes(key)) return false;
    if (key === " " && this.#held.length && gap < FAST) {
      this.#hold(key, MORE);
      return true;
    }
    this.#flush();
    return this.#on.key(key) !== false;
  }

  #hold(key, ms) {
    this.#held.push(key);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), ms);
  }

  #flush() {
    clearTimeout(this.#timer);
    for (const key of this.#held.splice(0)) this.#on.key(key);
  }

  #end(at) {
    clearTimeout(this.#timer);
    const text = this.#held.splice(0).join("").trim();
    const again = text === this.#line.text && at - this.#line.at < TWICE;
    this.#line = { text, at };
    this.#on.line(text, again);
    return true;
  }
}
