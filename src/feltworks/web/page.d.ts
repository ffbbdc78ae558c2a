// What the page's scripts hand to each other, besides what the server says (types.d.ts). No browser loads this.

declare namespace Page {
  interface Seat extends Wire.SeatSeen {
    /** What is being paid on each spot just now. */
    paid?: Record<string, number>;
    /** What it decided last: "raises". */
    did?: string;
  }
  /** A view as it is drawn. */
  interface View extends Wire.View {
    seats: Array<Seat>;
    /** The round whose cards still lie there: it is over, and the next one may have begun. */
    lying?: number | null;
    /** The jackpot for which the table plays; `stale` while the connection is lost. */
    jackpot?: Wire.JackpotSeen & { stale: boolean };
  }
  /** What a dealer's console is sent. */
  interface ConsoleView extends View {
    console: Wire.Console;
  }
  /** A moment between two views: what moves, what the dealer says, how long it takes, and the view at its end. */
  interface Frame {
    view: View;
    end: View;
    flights: Array<any>;
    calls: Array<string>;
    ms?: number;
    skipped?: boolean;
  }
  /** Who listens to a connection. */
  interface Listener {
    /** `first`: it is the first of a connection, and what happened before it is not told. */
    view?(view: Wire.View, events: Array<Wire.NumberedEvent>, first: boolean): void;
    /** Rows of the board; `first`: they are all of them. */
    board?(message: Wire.BoardMessage, first: boolean): void;
    /** The jackpot for which the table plays, or which a display shows. */
    jackpot?(jackpot: Wire.JackpotSeen): void;
    /** The session was ended, here or elsewhere. */
    ended?(): void;
    /** It is open, a view has come through it, or it is lost. */
    state(state: "open" | "heard" | "lost"): void;
    /** What answers no command. */
    refused(why: string): void;
  }
  /** Whether a command was done, or why not. */
  interface Done {
    ok: boolean;
    why?: string;
  }
  /** The line that says what just happened, or what is asked for. */
  interface Notice {
    kind: string;
    head: string;
    lines?: Array<string>;
    rows?: Array<any>;
    round?: number | null;
  }
  /** How a table tells of itself to those who do not see it, where that differs. */
  interface Words {
    dealer?(view: View): string;
    cards?(seat: Seat, view: View): string;
    brief?(seat: Seat, view: View): any;
  }
  /** What is handed to a part of the screen. */
  interface Props {
    view: View;
    [name: string]: any;
  }
}
