// The connection to a table, the board or a display. A command that was not answered when it dropped is sent again with the same id, and done once.

const SHORTEST = 300;
const LONGEST = 8000;
const SILENCE = 5000; // after so long the server is asked whether it is there
const PATIENCE = 3000; // and has so long to answer
const LOOK = 500;
const ENDED = 4001; // the code of a session that was ended

const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");

export class Connection {
  #url;
  #on;
  #socket = null;
  #pending = new Map();
  #wait = SHORTEST;
  #timer = 0;
  #closed = false;
  #seen = 0;
  #heard = 0; // when something came last
  #asked = null; // when the server was asked whether it is there, if it has not answered
  #first = true; // whether no view has come through this socket
  #posted = null; // what is posted at the table: it comes with the first view
  #done = 0; // the version of the table with the last command that was done
  static receipt; // the last one

  /** @param {Page.Listener} on */
  constructor(url, on) {
    this.#url = url;
    this.#on = on;
    addEventListener("online", () => this.#retryNow());
    addEventListener("offline", () => this.#ask());
    setInterval(() => this.#listen(), LOOK);
    addEventListener("pageshow", () => this.#retryNow());
    addEventListener("visibilitychange", () => document.hidden || this.#retryNow());
    this.#open();
  }

  /** @param {Wire.Command | Wire.Said} command @param {object} [more] what else goes with it @returns {Promise<Page.Done>} */
  send(command, more = {}) {
    const id = newId();
    const message = { id, seen: this.#seen, command, ...more };
    return new Promise((resolve) => {
      this.#pending.set(id, { message, resolve });
      this.#post(message);
    });
  }

  // What is wished of the dealer's pauses. It gets no answer, and while the connection is lost it is not sent.
  /** @param {Wire.WishMessage["wish"]} wish */
  wish(wish) {
    this.#post({ wish });
  }

  // Whether the view of what was done last is still to come: after a lost connection it may have come before the answer.
  get behind() {
    return this.#seen < this.#done;
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #open() {
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    this.#first = true;
    this.#asked = null;
    this.#heard = performance.now();
    socket.onopen = () => {
      this.#on.state("open");
      for (const { message } of this.#pending.values()) this.#post(message);
    };
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#receive(JSON.parse(event.data));
    };
    socket.onclose = ({ code }) => {
      if (this.#closed || socket !== this.#socket) return;
      if (code === ENDED) this.#on.ended?.();
      this.#lose();
    };
  }

  #lose() {
    this.#socket = null;
    this.#asked = null;
    this.#on.state("lost");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(this.#wait * 2, LONGEST);
  }

  // A connection may be broken and nobody tells: whoever is silent is asked, and left if no answer comes.
  #listen() {
    const now = performance.now();
    if (this.#socket?.readyState > WebSocket.OPEN) return;
    if (this.#asked !== null && now - this.#asked > PATIENCE) {
      const silent = this.#socket;
      this.#lose();
      silent.close();
    } else if (this.#socket && now - this.#heard > SILENCE) this.#ask();
  }

  #ask() {
    if (!this.#socket || this.#asked !== null) return;
    this.#asked = performance.now();
    this.#post({ ping: this.#seen });
  }

  #retryNow() {
    if (!this.#closed && !this.#socket) this.#open();
  }

  #post(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** @param {Wire.ViewMessage | Wire.BoardMessage | Wire.JackpotMessage | Wire.Acknowledged | Wire.Refused | Wire.Pong} message */
  #receive(message) {
    this.#heard = performance.now();
    this.#asked = null;
    this.#wait = SHORTEST;
    if ("view" in message) {
      const first = this.#first;
      this.#first = false;
      this.#seen = message.view.version;
      this.#posted = message.view.table ?? this.#posted;
      if (first) this.#on.state("heard");
      this.#on.view({ ...message.view, table: this.#posted }, message.events, first);
    } else if ("board" in message) {
      this.#on.board(message, this.#first);
      this.#first = false;
      this.#post({ taken: message.number });
    } else if ("jackpot" in message) {
      this.#on.jackpot?.(message.jackpot);
    } else if ("ok" in message) {
      Connection.receipt = message.receipt;
      this.#done = message.version;
      this.#settle(message.ok, { ok: true });
    } else if ("refused" in message) {
      this.#settle(message.refused, { ok: false, why: message.why });
    }
  }

  #settle(id, answer) {
    const waiting = this.#pending.get(id);
    this.#pending.delete(id);
    if (waiting) waiting.resolve(answer);
    else if (!answer.ok && id === null) this.#on.refused(answer.why);
  }
}
