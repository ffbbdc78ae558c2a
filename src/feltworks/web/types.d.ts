// Made by `make types` from web/messages.py and those beside web/pit: what the server says and hears.

declare namespace Wire {
  /** A table of the house, what is played there, who is there, and what it offers to whoever asks. */
  interface TableListed {
    id: string;
    name: string;
    game: string;
    title: string;
    summary: string;
    version_title: string;
    standing: string;
    warnings: Array<string>;
    venue: "card room" | "training" | "tribal casino";
    seats: number;
    taken: number;
    occupied: Array<number>;
    decks: number | null;
    least: number | null;
    most: number | null;
    felt: string;
    service: "closed" | "closing" | "open" | "paused";
    why: string;
    edges: Array<Edge>;
    waiting: number;
    your_seat: number | null;
    your_line: number | null;
    offer: "go" | "line" | "play" | "sit" | "wait" | "watch";
    note: string;
    dealt_by: "people" | "program";
  }
  /** What the house keeps of a wager on average: the exact share, and in percent. */
  interface Edge {
    wager: string;
    title: string;
    exact: string;
    percent: string;
  }
  /** What the jackpot wager of a table gives back at its meter, or at the prize of a house jackpot, for each number of others from none on; `why` there are no figures, if there are none. */
  interface JackpotReturns {
    meter: number | null;
    wager: number | null;
    returns: Array<JackpotReturn>;
    why: string;
  }
  /** What a wager on a jackpot gives back on average, beside so many others who have made it: as a share of the wager, exactly and in percent; from which meter on it gives back all of itself; and how many rounds there are for one award of a share of the meter at such a table. */
  interface JackpotReturn {
    others: number;
    exact: string;
    percent: string;
    break_even: number | null;
    award_rounds: number | null;
  }
  /** The last rounds, newest first; `earlier` is what to give as `before` for those before them, null if there are none. */
  interface Rounds {
    rounds: Array<RoundListed>;
    earlier: number | null;
  }
  /** A round in short, and the records of it; of one that is not over, no more than that it is there. */
  interface RoundListed {
    round: number;
    time: number;
    ended: number | null;
    sequence_from: number;
    sequence_to: number;
    over: boolean;
    void: boolean;
    cards: Array<string>;
    dice: Array<number> | null;
    rolls: number;
    pocket: PocketSeen | null;
    own: OwnRound | null;
  }
  /** A pocket of one of the wheels that the layout tells. */
  interface PocketSeen {
    name: string;
    wheel: string;
  }
  /** How you came out of a round: your seats, your wagers, those of your cards that were turned to all and which of them you have put away, and the sum, which is null where everything stays up. */
  interface OwnRound {
    seats: Array<number>;
    wagers: Array<Staked>;
    cards: Array<string>;
    away: Array<CardAway>;
    net: number | null;
  }
  /** A wager, and what came of it: null while it stays up. */
  interface Staked {
    spot: string;
    amount: number;
    net: number | null;
  }
  /** A card that a decision of yours put away: its place in the list of your cards, and the decision. */
  interface CardAway {
    card: number;
    by: string;
  }
  /** A round step by step, as it was recorded; `shared` is told to whoever brings the code for it. */
  interface Recalled {
    round: number;
    recall: true;
    standing: string;
    warnings: Array<string>;
    root: string | null;
    size: number;
    records: Array<Recorded>;
    shared?: SharedCards;
  }
  /** A record, and who did it, without a name. */
  interface Recorded {
    sequence: number;
    time: number;
    actor: "dealer" | "house" | "player" | "staff" | "supervisor";
    hash: string;
    event: Event;
  }
  /** How the table stood to the approval is written down as it was said then; earlier records left it out. */
  interface Opened {
    kind: "opened";
    settings: TableSettings;
    definition: string;
    build: string;
    standing?: Standing | null;
    predecessor?: string;
  }
  /** Everything that must be known to play at a table, and to replay it. They stand in records. What is new is unset in older ones, and must be left out of the bytes where it is. */
  interface TableSettings {
    id: string;
    name: string;
    game: string;
    limits: Record<string, Limits>;
    version?: string | null;
    decks?: number | null;
    readings?: Record<string, string>;
    pay?: Record<string, string>;
    without?: Array<string>;
    venue?: "card room" | "training" | "tribal casino";
    equipment?: Record<string, string>;
    shuffling?: "shoe" | "shuffler";
    penetration?: number;
    burn?: number;
    chip?: number;
    rounding?: "cent" | "chip down" | "chip up";
    prize?: number | null;
    seats?: number;
    clocks?: Clocks;
    pace?: Pace;
    idle?: number;
    conditions?: Array<Fulfilled>;
    dealing?: "people" | "program";
    payout_limits?: Record<string, number>;
    house_rules?: Array<HouseRule>;
    duties?: Record<string, "person" | "program">;
    source?: "physical" | "program";
    jackpot?: string;
  }
  /** The least and the most that may lie on a spot. */
  interface Limits {
    least: number;
    most: number;
  }
  /** How long a seat has, in milliseconds (F-30): to bet, to decide, to decide when the connection was lost, and until it is free again when nobody came back and nothing of it is in the round. `absent` is how long those who are there wait for somebody whose connection was lost. At a table with it nobody is held up or hurried for nothing: whoever is alone has no clock, and betting waits only for seats with a wager. A table that was opened without it goes on as it was opened. */
  interface Clocks {
    betting?: number;
    decision?: number;
    away?: number;
    seat?: number;
    absent?: number;
  }
  /** How long the automatic dealer pauses after each thing, in milliseconds. */
  interface Pace {
    card?: number;
    settlement?: number;
    between_rounds?: number;
    roll?: number;
  }
  /** A condition of the approval as a manager has recorded it (F-29): its text as the game has it, the day on which it was fulfilled, such as 2021-05-25, and the document that says so. */
  interface Fulfilled {
    condition: string;
    date: string;
    reference: string;
  }
  /** A rule that is posted at the table besides those of the game, and which of the four kinds it is (F-05). */
  interface HouseRule {
    text: string;
    kind?: "Hoyle" | "approved house rules" | "approved manufacturer's rules" | "state rules";
  }
  /** The words, and what stands behind them, one line each. */
  interface Standing {
    words: string;
    differences?: Array<string>;
    readings?: Array<string>;
    stand_ins?: Array<string>;
    ask_first?: Array<string>;
  }
  /** The seat is free, or will be when all it has up is decided. `why` is told when the house took it back. */
  interface Left {
    kind: "left";
    seat: number;
    why?: string;
  }
  /** Somebody without an account sits down with chips. */
  interface PatronSat {
    kind: "patron sat";
    seat: number;
    chips: number;
  }
  /** Somebody without an account takes the chips away. */
  interface PatronLeft {
    kind: "patron left";
    seat: number;
    chips: number;
  }
  /** The seat is the house's again as soon as nothing of it is in action. Until then its player decides as before. */
  interface Unseated {
    kind: "unseated";
    seat: number;
  }
  interface Presence {
    kind: "presence";
    seat: number;
    present: boolean;
  }
  interface Readied {
    kind: "readied";
    seat: number;
  }
  /** A new root in mid-round: a card went back into the shuffler and the cards not dealt yet are mixed with it; or all rolls under the old one are rolled; or the shoe is empty, and the discards are dealt on (F-23). What people shuffle has an empty root. */
  interface Reshuffled {
    kind: "reshuffled";
    root: string;
    size: number;
    discards?: boolean;
  }
  interface Reported {
    kind: "reported";
    incident: string;
    text?: string;
    seat?: number | null;
    spots?: Array<string>;
    amount?: number | null;
  }
  interface Released {
    kind: "released";
    what: string;
    reason: string;
  }
  /** So many of the effects of the round, counted from its start, are carried out (F-27). */
  interface TickedOff {
    kind: "ticked off";
    done: number;
  }
  /** The house was not there, for however long: every clock of the table begins anew (F-30). */
  interface ClocksRestarted {
    kind: "clocks restarted";
  }
  interface Paused {
    kind: "paused";
    reason: string;
  }
  /** The table goes on, and every clock of it begins anew. */
  interface Resumed {
    kind: "resumed";
  }
  /** No other round begins after this one. */
  interface Closing {
    kind: "closing";
    reason: string;
  }
  /** Nobody sits there any more, and nothing lies there; it can be opened again. */
  interface TableClosed {
    kind: "table closed";
    reason: string;
    back?: Array<HandedBack>;
  }
  /** What a player has on the layout, and gets back where the table is closed: wagers in action, and winnings that nobody collected. */
  interface HandedBack {
    player: string;
    wagers: number;
    winnings: number;
  }
  interface Reopened {
    kind: "reopened";
  }
  /** Other settings are posted at the table, with what differs (F-40). They are not in force yet. */
  interface ChangePosted {
    kind: "change posted";
    settings: TableSettings;
    differences: Array<string>;
    definition: string;
    build: string;
    standing?: Standing | null;
  }
  /** What was posted is not to be; `reason` where the program found that it cannot be any more. */
  interface ChangeWithdrawn {
    kind: "change withdrawn";
    reason?: string;
  }
  /** What was posted is in force, with the fingerprints and the standing as they are now. */
  interface SettingsChanged {
    kind: "settings changed";
    settings: TableSettings;
    definition: string;
    build: string;
    standing?: Standing | null;
  }
  /** The table is closed for good, because what it was played by is not installed any more. */
  interface Abandoned {
    kind: "abandoned";
    reason: string;
    back?: Array<HandedBack>;
  }
  /** Another table takes the place of this one. */
  interface Succeeded {
    kind: "succeeded";
    by: string;
  }
  /** A person takes a seat: the id and the name. */
  interface Sat {
    kind: "sat";
    seat: number;
    player: string;
    name: string;
  }
  /** A round begins, and what the dealer says and does first; without a root the old shoe is used. */
  interface RoundStarted {
    kind: "round started";
    round: number;
    root?: string | null;
    size?: number;
    effects: Array<Effect>;
    hold_over?: number;
  }
  /** What the dealer said. */
  interface Called {
    kind: "called";
    text: string;
  }
  /** The marker, the cup or the dice were put somewhere, or the dealer's hand made a signal. */
  interface Moved {
    kind: "moved";
    what: string;
    to: string;
  }
  /** A card was put somewhere: its token is its owner, a seat or nobody, and its name. */
  interface CardMoved {
    kind: "card moved";
    owner: number | null;
    name: string;
    to: string;
  }
  /** A wager was put on another spot: the same chips, still in action, so that nothing is booked. */
  interface WagerMoved {
    kind: "wager moved";
    seat: number;
    spot: string;
    to: string;
    amount: number;
    rule: string;
  }
  /** A settlement in whole cents, as it is booked and shown. */
  interface Settled {
    kind: "settled";
    seat: number;
    spot: string;
    line: string;
    pays: string;
    stake: string;
    amount: number;
    paid: number;
    returned: number;
    rule: string;
    held?: boolean;
  }
  /** An answer and all that it caused, and of a decision about an incident why it was made. */
  interface Answered {
    kind: "answered";
    answer: Answer;
    effects: Array<Effect>;
    reason?: string;
  }
  interface Placed {
    kind: "place";
    seat: number;
    spot: string;
    amount: number;
  }
  interface TakenUp {
    kind: "take up";
    seat: number;
    spot: string;
  }
  interface Collected {
    kind: "collect";
    seat: number;
    spot: string;
  }
  interface Closed {
    kind: "close";
  }
  /** A card lies in its place, face down. */
  interface Dealt {
    kind: "dealt";
  }
  /** A card that everybody saw. */
  interface Turned {
    kind: "card";
    card: string;
  }
  /** A card was turned to one seat: the record does not say which card it is. */
  interface Hidden {
    kind: "hidden";
  }
  /** What the card reader or the dealer's look showed: the name of the set in which the card lies. */
  interface Shown {
    kind: "reading";
    set: string;
  }
  interface Rolled {
    kind: "dice";
    faces: Array<number>;
  }
  interface NotRolled {
    kind: "no roll";
    reason: string;
  }
  /** The pocket in which a wheel has stopped. */
  interface Spun {
    kind: "spin";
    wheel: string;
    pocket: string;
  }
  /** What a seat, by its number, or a role chose. */
  interface Decided {
    kind: "decide";
    who: number | string;
    option: string;
    amount?: number | null;
  }
  /** The round is over; what was turned to all is opened. */
  interface RoundEnded {
    kind: "round ended";
    round: number;
    openings: Array<Opening>;
  }
  /** An opened card, roll or spin in the published form. */
  interface Opening {
    token: [number | null, string];
    root: string;
    position: number;
    card?: string;
    dice?: string;
    spin?: string;
    salt: string;
    proof: Array<ProofNode>;
  }
  interface ProofNode {
    side: "left" | "right";
    hash: string;
  }
  /** Every wager in action went back. */
  interface Voided {
    kind: "voided";
    round: number;
    reason: string;
    returned: Array<Settled>;
    openings: Array<Opening>;
  }
  /** A win that was held is verified, and paid. */
  interface WinReleased {
    kind: "win released";
    win: string;
  }
  /** A round is disputed; by whom and why is told to those whom it concerns. */
  interface Claimed {
    kind: "claimed";
    dispute: number;
  }
  /** A dispute is decided; how is told to those whom it concerns. */
  interface DisputeDecided {
    kind: "dispute decided";
    dispute: number;
  }
  /** Another dealer has signed on (F-41). */
  interface DealerCame {
    kind: "dealer came";
  }
  /** The dealer has signed off. */
  interface DealerLeft {
    kind: "dealer left";
  }
  /** The dealer has taken an entry back, by its number among the answers of the round (F-20). */
  interface TakenBack {
    kind: "taken back";
    entry: number;
  }
  /** The supervisor has corrected an entry, and the round is what follows from that: with how many later answers, and with what these cause (F-20). */
  interface Corrected {
    kind: "corrected";
    entry: number;
    answer: Placed | TakenUp | Collected | Closed | Dealt | Turned | Hidden | Shown | Rolled | NotRolled | Spun | Decided | NoWager;
    reason: string;
    kept: number;
    effects: Array<Effect>;
    counts: Array<number>;
  }
  /** What a wager is corrected to that was entered and never made. It answers no step. */
  interface NoWager {
    kind: "no wager";
  }
  /** The cards that were turned to the seat alone whose player shows them; `why` there are none to show, if that is so. */
  interface SharedCards {
    seat: number;
    cards: Array<TurnedToSeat>;
    why: string;
  }
  /** A card that was turned to one seat alone, and the record of that. */
  interface TurnedToSeat {
    sequence: number;
    token: string;
    card: string;
  }
  /** What is posted at the table, and how it looked after each record of a round. */
  interface RoundViews {
    table: About;
    views: Array<SeenAt>;
  }
  /** What is posted at a table. It changes with the settings, between two rounds. */
  interface About {
    id: string;
    name: string;
    game: string;
    title: string;
    game_version: string;
    version_title: string;
    standing: string;
    warnings: Array<string>;
    venue: "card room" | "training" | "tribal casino";
    decks: number | null;
    shuffling: "shoe" | "shuffler";
    chip: number;
    seats: number;
    limits: Record<string, Limits>;
    prize: number | null;
    jackpot: string | null;
    spots: Array<Spot>;
    pay_tables: Array<PayTable>;
    readings: Array<Reading>;
    notices: Array<string>;
    house_rules: Array<PostedRule>;
    robots: number;
    layout: Record<string, any>;
    fingerprint: Fingerprint;
  }
  /** Where chips lie. Those with `opens` are bet on; the others are for wagers that a decision makes. A seat is in the round with all that are `required`; where none is, with any that `comes_in`. */
  interface Spot {
    spot: string;
    title: string;
    wager: string;
    opens: boolean;
    required: boolean;
    comes_in: boolean;
    needs: Array<string>;
    instead: Array<string>;
    self_service: boolean;
  }
  interface PayTable {
    wager: string;
    title: string;
    table: string;
    lines: Array<Line>;
  }
  /** A line of a pay table. */
  interface Line {
    line: string;
    pays: string;
  }
  /** A question that the document leaves open, and how this table answers it: by its name and in words. */
  interface Reading {
    name: string;
    value: string;
    question: string;
    answer: string;
  }
  /** A rule of the house at a table, and what its kind is called there. */
  interface PostedRule {
    text: string;
    kind: string;
  }
  /** SHA-256 of what is approved, and of the code that plays it. */
  interface Fingerprint {
    definition: string;
    build: string;
  }
  /** The table as it lay there after a record. */
  interface SeenAt {
    sequence: number;
    view: Seen;
  }
  /** Everything that one person may know about a table. */
  interface Seen {
    round: number | null;
    phase: "betting" | "dealing" | "deciding" | "over" | "waiting";
    message: string;
    deadline: number | null;
    dealer: Array<CardSeen>;
    hands: Array<HandSeen>;
    dice: Array<number> | null;
    pocket: PocketSeen | null;
    things: Record<string, string>;
    told: Record<string, string>;
    seats: Array<SeatSeen>;
    you: You | null;
    shoe: ShoeSeen | null;
  }
  /** A card by its token; `card` is null while it is sealed. */
  interface CardSeen {
    token: string;
    card: string | null;
    place: string;
    reading: string | null;
  }
  /** A hand in the words of the rules, of cards that you may know: whose it is, null for the dealer's; which of that seat's hands; in a sentence and in brief; and by their tokens the cards that count, where not all of them do. */
  interface HandSeen {
    seat: number | null;
    number: number;
    words: string;
    brief: string;
    counts: Array<[number | null, string]>;
  }
  interface SeatSeen {
    seat: number;
    name: string | null;
    robot: boolean;
    you: boolean;
    present: boolean;
    ready: boolean;
    leaving: boolean;
    acting: boolean;
    shooter: boolean;
    wagers: Record<string, number>;
    contract: Array<string>;
    winnings: Record<string, number>;
    cards: Array<CardSeen>;
    results: Array<Result>;
    net: number | null;
    round_net: number | null;
  }
  /** A settlement as it is shown, and why it was made, within a sentence. */
  interface Result {
    seat: number;
    spot: string;
    line: string;
    pays: string;
    stake: Stake;
    amount: number;
    paid: number;
    returned: number;
    net: number;
    rule: string;
    why: string;
    held: boolean;
  }
  /** What becomes of the wager itself when it is settled. */
  type Stake = "returned" | "stays" | "taken";
  interface You {
    name: string;
    balance: number;
    seat: number | null;
    line: number | null;
    staked: number;
    spots: Array<OpenSpot>;
    last: Record<string, number>;
    window: Array<string>;
    options: Array<Option>;
    about: string;
    can_ready: boolean;
    grant: number | null;
    clock: SessionClock | null;
    held: Array<HeldWin>;
    disputes: Array<OwnDispute>;
    may_not: string;
    lost_seat: string;
  }
  /** Where you may put chips now, or take up those that lie there. */
  interface OpenSpot {
    spot: string;
    title: string;
    least: number;
    most: number;
    down: number;
  }
  /** What you may choose, by its name and as a button says it: the usual wager that it makes, the least, and why that is not taken from you now, if so. */
  interface Option {
    name: string;
    title: string;
    wager: number;
    least: number;
    refused: string;
  }
  /** How long you have been playing since you came: milliseconds in the seats that you had before, and since when you have had the one that you have now; and what that has brought you so far. */
  interface SessionClock {
    spent: number;
    since: number | null;
    net: number;
  }
  /** A win of yours that is held until surveillance has verified it. */
  interface HeldWin {
    id: string;
    round: number;
    spot: string;
    cents: number;
  }
  /** A round that you dispute at this table, or did, and how it stands; once that is decided by which kind of rules, why, and what was paid to you or, below zero, taken back. */
  interface OwnDispute {
    dispute: number;
    round: number;
    text: string;
    state: "open" | "rejected" | "upheld";
    rule: string;
    reason: string;
    amount: number;
  }
  /** What the house has committed itself to: so many cards or rolls under a root, and how many of them were used. */
  interface ShoeSeen {
    root: string;
    size: number;
    dealt: number;
  }
  /** What opens the cards of your seat in a round, and the link that carries it. */
  interface ShareCode {
    code: string;
    link: string;
  }
  /** The rules of a game, and its approval: null of a version that carries none. */
  interface GameTold {
    name: string;
    title: string;
    summary: string;
    how_to_play: Array<string>;
    tour: Tour | null;
    approval: Approval | null;
    ask_first: Array<string>;
    statements: Array<Statement>;
    fingerprint: Fingerprint;
  }
  /** What a newcomer is told on the way through one round. */
  interface Tour {
    goal: string;
    spots: string;
    decide: string;
    result: string;
  }
  /** Who approved the game, when, for which venues, under which conditions. */
  interface Approval {
    authority: string;
    document: string;
    approved: string;
    rules: string;
    venues: Array<"card room" | "training" | "tribal casino">;
    submission: string;
    conditions: Record<string, Array<string>>;
    equipment: Array<string>;
    pieces: Record<string, Piece>;
    replaced: Array<string>;
    modifications: Array<string>;
    house_chooses: Array<string>;
    notes: Array<string>;
  }
  /** A piece of equipment that an approval names, and what does its work where the maker's own is not at the table. */
  interface Piece {
    equipment: string;
    stand_in: string;
    wagers: Array<string>;
  }
  /** A numbered rule in plain words, which kind of rule it is, where it comes from, and the readings that it depends on. */
  interface Statement {
    id: string;
    text: string;
    kind: string;
    source?: string;
    reading?: Array<string>;
  }
  /** What you have played, table by table, since you came or the server started. */
  interface SessionTold {
    played: Array<PlayedAt>;
  }
  /** What you have played at a table: rounds, and the wagers that were decided in them. */
  interface PlayedAt {
    table: string;
    name: string;
    title: string;
    rounds: number;
    wagered: number;
    won: number;
    lost: number;
    net: number;
    biggest_win: number;
    seconds: number;
  }
  /** How the game stands to its approval with these settings, and what the house keeps of its wagers. */
  interface EdgesTold {
    kind: "edges";
    definition: string;
    standing: string;
    differences: Array<string>;
    ask_first: Array<string>;
    wagers: Array<WagerEdge>;
  }
  /** What the house keeps of a wager on average: the exact share and in percent, and the same with the game as it is listed: first pay tables, usual decks, the version's own readings. */
  interface WagerEdge {
    wager: string;
    title: string;
    exact: string | null;
    percent: string | null;
    listed_exact: string | null;
    listed_percent: string | null;
    apart?: boolean;
    note?: string;
  }
  /** What the house keeps of each wager; or of one. */
  interface Edges {
    kind: "edges";
    game: string;
    version?: string | null;
    decks?: number | null;
    readings?: Record<string, string>;
    pay?: Record<string, string>;
    without?: Array<string>;
    wager?: string | null;
  }
  /** Why a request was not answered. */
  interface Problem {
    detail: string;
  }
  /** A view, and the events since the one before. */
  interface ViewMessage {
    view: View;
    events: Array<NumberedEvent>;
  }
  /** The same with the version of the table and the time; what is posted, and your last round, are told once. */
  interface View {
    round: number | null;
    phase: "betting" | "dealing" | "deciding" | "over" | "waiting";
    message: string;
    deadline: number | null;
    dealer: Array<CardSeen>;
    hands: Array<HandSeen>;
    dice: Array<number> | null;
    pocket: PocketSeen | null;
    things: Record<string, string>;
    told: Record<string, string>;
    seats: Array<SeatSeen>;
    you: You | null;
    shoe: ShoeSeen | null;
    version: number;
    now: number;
    table?: About;
    last?: LastRound;
  }
  /** What became of your wagers in the last round that you played at a table. */
  interface LastRound {
    round: number;
    wagers: Record<string, number>;
    results: Array<Result>;
    net: number;
    round_net: number | null;
  }
  /** How the table stood to the approval is written down as it was said then; earlier records left it out. */
  interface NumberedOpened {
    kind: "opened";
    settings: TableSettings;
    definition: string;
    build: string;
    standing?: Standing | null;
    predecessor?: string;
    sequence: number;
    time: number;
  }
  /** The seat is free, or will be when all it has up is decided. `why` is told when the house took it back. */
  interface NumberedLeft {
    kind: "left";
    seat: number;
    why?: string;
    sequence: number;
    time: number;
  }
  /** Somebody without an account sits down with chips. */
  interface NumberedPatronSat {
    kind: "patron sat";
    seat: number;
    chips: number;
    sequence: number;
    time: number;
  }
  /** Somebody without an account takes the chips away. */
  interface NumberedPatronLeft {
    kind: "patron left";
    seat: number;
    chips: number;
    sequence: number;
    time: number;
  }
  /** The seat is the house's again as soon as nothing of it is in action. Until then its player decides as before. */
  interface NumberedUnseated {
    kind: "unseated";
    seat: number;
    sequence: number;
    time: number;
  }
  interface NumberedPresence {
    kind: "presence";
    seat: number;
    present: boolean;
    sequence: number;
    time: number;
  }
  interface NumberedReadied {
    kind: "readied";
    seat: number;
    sequence: number;
    time: number;
  }
  /** A new root in mid-round: a card went back into the shuffler and the cards not dealt yet are mixed with it; or all rolls under the old one are rolled; or the shoe is empty, and the discards are dealt on (F-23). What people shuffle has an empty root. */
  interface NumberedReshuffled {
    kind: "reshuffled";
    root: string;
    size: number;
    discards?: boolean;
    sequence: number;
    time: number;
  }
  interface NumberedReported {
    kind: "reported";
    incident: string;
    text?: string;
    seat?: number | null;
    spots?: Array<string>;
    amount?: number | null;
    sequence: number;
    time: number;
  }
  interface NumberedReleased {
    kind: "released";
    what: string;
    reason: string;
    sequence: number;
    time: number;
  }
  /** So many of the effects of the round, counted from its start, are carried out (F-27). */
  interface NumberedTickedOff {
    kind: "ticked off";
    done: number;
    sequence: number;
    time: number;
  }
  /** The house was not there, for however long: every clock of the table begins anew (F-30). */
  interface NumberedClocksRestarted {
    kind: "clocks restarted";
    sequence: number;
    time: number;
  }
  interface NumberedPaused {
    kind: "paused";
    reason: string;
    sequence: number;
    time: number;
  }
  /** The table goes on, and every clock of it begins anew. */
  interface NumberedResumed {
    kind: "resumed";
    sequence: number;
    time: number;
  }
  /** No other round begins after this one. */
  interface NumberedClosing {
    kind: "closing";
    reason: string;
    sequence: number;
    time: number;
  }
  /** Nobody sits there any more, and nothing lies there; it can be opened again. */
  interface NumberedTableClosed {
    kind: "table closed";
    reason: string;
    back?: Array<HandedBack>;
    sequence: number;
    time: number;
  }
  interface NumberedReopened {
    kind: "reopened";
    sequence: number;
    time: number;
  }
  /** Other settings are posted at the table, with what differs (F-40). They are not in force yet. */
  interface NumberedChangePosted {
    kind: "change posted";
    settings: TableSettings;
    differences: Array<string>;
    definition: string;
    build: string;
    standing?: Standing | null;
    sequence: number;
    time: number;
  }
  /** What was posted is not to be; `reason` where the program found that it cannot be any more. */
  interface NumberedChangeWithdrawn {
    kind: "change withdrawn";
    reason?: string;
    sequence: number;
    time: number;
  }
  /** What was posted is in force, with the fingerprints and the standing as they are now. */
  interface NumberedSettingsChanged {
    kind: "settings changed";
    settings: TableSettings;
    definition: string;
    build: string;
    standing?: Standing | null;
    sequence: number;
    time: number;
  }
  /** The table is closed for good, because what it was played by is not installed any more. */
  interface NumberedAbandoned {
    kind: "abandoned";
    reason: string;
    back?: Array<HandedBack>;
    sequence: number;
    time: number;
  }
  /** Another table takes the place of this one. */
  interface NumberedSucceeded {
    kind: "succeeded";
    by: string;
    sequence: number;
    time: number;
  }
  /** A person takes a seat: the id and the name. */
  interface NumberedSat {
    kind: "sat";
    seat: number;
    player: string;
    name: string;
    sequence: number;
    time: number;
  }
  /** A round begins, and what the dealer says and does first; without a root the old shoe is used. */
  interface NumberedRoundStarted {
    kind: "round started";
    round: number;
    root?: string | null;
    size?: number;
    effects: Array<Effect>;
    hold_over?: number;
    sequence: number;
    time: number;
  }
  /** An answer and all that it caused, and of a decision about an incident why it was made. */
  interface NumberedAnswered {
    kind: "answered";
    answer: Answer;
    effects: Array<Effect>;
    reason?: string;
    sequence: number;
    time: number;
  }
  /** The round is over; what was turned to all is opened. */
  interface NumberedRoundEnded {
    kind: "round ended";
    round: number;
    openings: Array<Opening>;
    sequence: number;
    time: number;
  }
  /** Every wager in action went back. */
  interface NumberedVoided {
    kind: "voided";
    round: number;
    reason: string;
    returned: Array<Settled>;
    openings: Array<Opening>;
    sequence: number;
    time: number;
  }
  /** A win that was held is verified, and paid. */
  interface NumberedWinReleased {
    kind: "win released";
    win: string;
    sequence: number;
    time: number;
  }
  /** A round is disputed; by whom and why is told to those whom it concerns. */
  interface NumberedClaimed {
    kind: "claimed";
    dispute: number;
    sequence: number;
    time: number;
  }
  /** A dispute is decided; how is told to those whom it concerns. */
  interface NumberedDisputeDecided {
    kind: "dispute decided";
    dispute: number;
    sequence: number;
    time: number;
  }
  /** Another dealer has signed on (F-41). */
  interface NumberedDealerCame {
    kind: "dealer came";
    sequence: number;
    time: number;
  }
  /** The dealer has signed off. */
  interface NumberedDealerLeft {
    kind: "dealer left";
    sequence: number;
    time: number;
  }
  /** The dealer has taken an entry back, by its number among the answers of the round (F-20). */
  interface NumberedTakenBack {
    kind: "taken back";
    entry: number;
    sequence: number;
    time: number;
  }
  /** The supervisor has corrected an entry, and the round is what follows from that: with how many later answers, and with what these cause (F-20). */
  interface NumberedCorrected {
    kind: "corrected";
    entry: number;
    answer: Placed | TakenUp | Collected | Closed | Dealt | Turned | Hidden | Shown | Rolled | NotRolled | Spun | Decided | NoWager;
    reason: string;
    kept: number;
    effects: Array<Effect>;
    counts: Array<number>;
    sequence: number;
    time: number;
  }
  /** The jackpot for which a table plays: after the first view, and whenever it has changed. */
  interface JackpotMessage {
    jackpot: JackpotSeen;
  }
  /** A progressive jackpot as it stands in the books. `version` counts what has happened to it. */
  interface JackpotSeen {
    id: string;
    name: string;
    version: number;
    meter: number;
    wager: number;
    seed: number;
    maximum: number;
    why: string;
    closed: boolean;
    tables: Array<string>;
    notices: Array<string>;
    last: Array<JackpotAward>;
  }
  /** A share of the meter that was won: at which table, on which line, how much, and when. */
  interface JackpotAward {
    table: string;
    line: string;
    amount: number;
    time: number;
  }
  /** A command was done and is on the disk; the receipt is null where it was done before the house gave receipts, and where nothing is recorded of it. */
  interface Acknowledged {
    ok: string;
    version: number;
    receipt: Receipt | null;
  }
  /** What an acknowledgement carries: with it anybody can show that records were cut or written anew after it. */
  interface Receipt {
    chain: string;
    commit: number;
    group: number;
    hash: string;
    signature: string;
  }
  /** Why a command was not done; the id is null where there was none. */
  interface Refused {
    refused: string | null;
    why: string;
  }
  /** The answer to a ping. */
  interface Pong {
    pong: number;
  }
  /** What a client says: a command with an id of its own, and the version of the view it saw. */
  interface CommandMessage {
    id: string;
    command: Command;
    seen?: number;
  }
  interface Sit {
    kind: "sit";
    seat: number;
  }
  interface Leave {
    kind: "leave";
  }
  interface Place {
    kind: "place";
    spot: string;
    amount: number;
  }
  interface TakeUp {
    kind: "take up";
    spot: string;
  }
  /** What a self-service spot has won is picked up. */
  interface Collect {
    kind: "collect";
    spot: string;
  }
  /** The seat has bet and wants the cards. */
  interface Ready {
    kind: "ready";
  }
  interface Choose {
    kind: "choose";
    option: string;
    amount?: number | null;
  }
  /** Take a free seat, or a place in the line for one. It is done by the server, and not recorded. */
  interface Wait {
    kind: "wait";
  }
  /** Leave the line. */
  interface StopWaiting {
    kind: "stop waiting";
  }
  /** Another grant, for somebody who has too little left to wager. */
  interface MoreMoney {
    kind: "more play money";
  }
  /** Let a robot sit down beside you. */
  interface AskRobot {
    kind: "ask robot";
    seat: number;
  }
  interface SendRobotAway {
    kind: "send robot away";
    seat: number;
  }
  /** What a client wishes of the automatic dealer's pauses. It is no command: it changes nothing but when something happens, stands in no record, and gets no answer. */
  interface WishMessage {
    wish: "calm" | "go on" | "motion";
  }
  /** Whether anybody is there: it is answered with the same number. */
  interface PingMessage {
    ping: number;
  }
  /** What a dealer's console shows besides the table. */
  interface Console {
    you: string;
    dealer: string;
    yours: boolean;
    said: string;
    at: number;
    acts: Array<Act>;
    before: Array<Act>;
    ask: Ask;
    can_take_back: string;
    free: Array<number>;
    no_patrons: string;
    leaving: Array<number>;
    incidents: Array<string>;
    chips: Array<number>;
  }
  /** One thing that the dealer says, shows, moves, takes or pays. */
  interface Act {
    number: number;
    do: "card" | "hold" | "leave" | "move" | "pay" | "return" | "say" | "shift" | "signal" | "take";
    text: string;
    detail?: string;
    seat?: number | null;
    amount?: number;
    chips?: Array<Pile>;
    loose?: number;
    rule?: string;
  }
  /** So many chips of one value. */
  interface Pile {
    value: number;
    count: number;
  }
  /** What is entered next. */
  interface Ask {
    kind: "bet" | "card" | "choose" | "deal" | "dice" | "end" | "go on" | "light" | "pocket" | "shuffle" | "sign on" | "start" | "wait";
    text: string;
    detail?: string;
    seat?: number | null;
    lays?: number;
    laid?: string;
    cards?: Array<string>;
    bands?: Array<Band>;
    dice?: number;
    reasons?: Array<Choice>;
    wheel?: string;
    pockets?: Array<string>;
    choices?: Array<Choice>;
    role?: string;
    incident?: boolean;
    report?: number;
    patrons?: Array<Patron>;
  }
  /** One answer of a reader, with the key that enters it; the light is a colour, where the table's layout has one. */
  interface Band {
    name: string;
    title: string;
    key: string;
    light: string;
    ranks: string;
  }
  /** Something to choose, with the key that enters it, and what it wagers: so much, or down to the least. */
  interface Choice {
    name: string;
    title: string;
    key: string;
    wager: number;
    least: number;
  }
  /** A seat for which the dealer enters everything, and what lies before it. */
  interface Patron {
    seat: number;
    chips: number;
    spots: Array<SpotFor>;
  }
  /** Where the dealer may put chips for a seat without a screen. */
  interface SpotFor {
    spot: string;
    title: string;
    key: string;
    least: number;
    most: number;
    down: number;
    won: number;
    takes: boolean;
  }
  /** A command of the console: its id, the version of the view it saw, and after how many entries of the round. */
  interface ConsoleCommand {
    id: string;
    command: Said;
    seen?: number;
    at?: number | null;
  }
  /** A dealer comes to the table, and relieves whoever dealt there (F-41). */
  interface SignOn {
    kind: "sign on";
  }
  /** The dealer leaves the table. */
  interface SignOff {
    kind: "sign off";
  }
  /** So many of what the round has caused, counted from its start, are said, shown, taken and paid (F-27). It moves no money. */
  interface TickOff {
    kind: "tick off";
    done: number;
  }
  /** The dealer takes the last entry back, until the next step is entered (F-20). */
  interface TakeBack {
    kind: "take back";
  }
  /** `shuffle`: the cards are shuffled first. Where they must be, a round does not start without it. `hold_over`: a payout of the round above this is held until it is verified (F-19); the house fills it in, and in records from before there was such a limit it is missing. */
  interface StartRound {
    kind: "start round";
    shuffle?: boolean;
    hold_over?: number;
  }
  /** The automatic dealer does the next thing; cards and dice are chance's. People who deal say by it that they have shuffled the discards. */
  interface GoOn {
    kind: "go on";
  }
  /** A person enters what physical cards, lights, dice or wheels showed (F-20). */
  interface Enter {
    kind: "enter";
    answer: Answer;
  }
  interface CloseBetting {
    kind: "close betting";
  }
  interface EndRound {
    kind: "end round";
  }
  /** What the dealer or the supervisor decides about what was reported, and why. `report` is the number of the event that reported it, so that nobody decides what they have not seen; nought in records from before it was written. */
  interface Resolve {
    kind: "resolve";
    role: string;
    option: string;
    reason?: string;
    report?: number;
  }
  /** Something went wrong: the table stops until the dealer or the supervisor has decided (F-28). */
  interface Report {
    kind: "report";
    incident: string;
    text?: string;
    seat?: number | null;
    spots?: Array<string>;
    amount?: number | null;
  }
  /** A patron sits down with chips; nobody is asked who it is. */
  interface SeatPatron {
    kind: "seat patron";
    seat: number;
    chips: number;
  }
  /** A patron takes the chips away. */
  interface PatronLeaves {
    kind: "patron leaves";
    seat: number;
  }
  interface PlaceFor {
    kind: "place for";
    seat: number;
    spot: string;
    amount: number;
  }
  /** The patron takes back what lies on a spot: what it has won, or the wager. */
  interface TakeUpFor {
    kind: "take up for";
    seat: number;
    spot: string;
  }
  interface ChooseFor {
    kind: "choose for";
    seat: number;
    option: string;
    amount?: number | null;
  }
  /** The cards up to the next entry are laid, face down, and looked at by whom they are for. */
  interface LayCards {
    kind: "lay cards";
  }
  /** The tables that have changed since the last message; `order` has all of them when it has changed itself. */
  interface BoardMessage {
    board: Array<BoardTable>;
    number: number;
    now: number;
    order?: Array<string>;
    signatures?: Array<BoardSignature>;
  }
  /** A table at a glance: nothing but what lies open there (F-14). */
  interface BoardTable {
    id: string;
    name: string;
    title: string;
    felt: string;
    venue: string;
    standing: string;
    round: number | null;
    phase: "betting" | "dealing" | "deciding" | "over" | "waiting";
    message: string;
    deadline: number | null;
    seats: number;
    taken: Array<number>;
    away: Array<number>;
    acting: Array<number>;
    stake: number;
    dealer: string;
    has_dealer: boolean;
    service: "closed" | "closing" | "open" | "paused";
    why: string;
    alerts: Array<BoardAlert>;
    version: number;
  }
  /** Something about a table that somebody has to know, or has to do something about. */
  interface BoardAlert {
    kind: "change" | "closed" | "closing" | "decision" | "dispute" | "held win" | "incident" | "no dealer" | "out of service" | "paused";
    text: string;
    id?: string;
    roles?: Array<string>;
    options?: Array<BoardOption>;
    round?: number | null;
    step?: number | null;
    path?: string;
  }
  /** What can be decided about an alert. */
  interface BoardOption {
    name: string;
    title: string;
    voids: boolean;
  }
  /** What waits for a second signature, as one person sees it (F-13). */
  interface BoardSignature {
    action: string;
    table: string;
    title: string;
    lines: Array<string>;
    first: string;
    who_may: string;
    expires: number;
    can_sign: boolean;
    can_withdraw: boolean;
  }
  /** What was pressed on the board is done. */
  interface BoardDone {
    done: string;
  }
  /** What a page answers when it has taken a message: before that it is sent no other. */
  interface BoardTaken {
    taken: number;
  }
  type Event = Opened | Left | PatronSat | PatronLeft | Unseated | Presence | Readied | Reshuffled | Reported | Released | TickedOff | ClocksRestarted | Paused | Resumed | Closing | TableClosed | Reopened | ChangePosted | ChangeWithdrawn | SettingsChanged | Abandoned | Succeeded | Sat | RoundStarted | Answered | RoundEnded | Voided | WinReleased | Claimed | DisputeDecided | DealerCame | DealerLeft | TakenBack | Corrected;
  type NumberedEvent = NumberedOpened | NumberedLeft | NumberedPatronSat | NumberedPatronLeft | NumberedUnseated | NumberedPresence | NumberedReadied | NumberedReshuffled | NumberedReported | NumberedReleased | NumberedTickedOff | NumberedClocksRestarted | NumberedPaused | NumberedResumed | NumberedClosing | NumberedTableClosed | NumberedReopened | NumberedChangePosted | NumberedChangeWithdrawn | NumberedSettingsChanged | NumberedAbandoned | NumberedSucceeded | NumberedSat | NumberedRoundStarted | NumberedAnswered | NumberedRoundEnded | NumberedVoided | NumberedWinReleased | NumberedClaimed | NumberedDisputeDecided | NumberedDealerCame | NumberedDealerLeft | NumberedTakenBack | NumberedCorrected;
  type Effect = Called | Moved | CardMoved | WagerMoved | Settled;
  type Answer = Placed | TakenUp | Collected | Closed | Dealt | Turned | Hidden | Shown | Rolled | NotRolled | Spun | Decided;
  type Command = Sit | Leave | Place | TakeUp | Collect | Ready | Choose | Wait | StopWaiting | MoreMoney | AskRobot | SendRobotAway;
  type Said = SignOn | SignOff | TickOff | TakeBack | StartRound | GoOn | Enter | CloseBetting | EndRound | Resolve | Report | SeatPatron | PatronLeaves | PlaceFor | TakeUpFor | ChooseFor | LayCards;
}
