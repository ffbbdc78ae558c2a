"""Every message that the server says or hears, to the last field: the only definition of them.

The server builds its answers from these, `/api/openapi.json` and the types of the page's scripts are made of them
(`openapi.py`, `make types`), and the tests hold every message and `docs/api.md` against them. A field that may be
missing is `UNSET` then; one that may be nothing is null.
"""

from datetime import date
from typing import TYPE_CHECKING, Any, Literal, Union, get_args

import msgspec
from msgspec import UNSET, UnsetType

from feltworks.floor.accounts import Cents
from feltworks.floor.journal.records import Receipt
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Answer, NoWager
from feltworks.floor.table.commands import PlayerCommand
from feltworks.floor.table.dealer import Wish
from feltworks.floor.table.events import Time
from feltworks.floor.table.settings import Limits
from feltworks.floor.table.state import Service
from feltworks.floor.tagged import Tagged
from feltworks.kit.definition import Venue
from feltworks.kit.questions import Edges, EdgesTold
from feltworks.kit.steps import Stake

Phase = Literal["waiting", "betting", "dealing", "deciding", "over"]
Doer = Literal["dealer", "supervisor", "staff", "player", "house"]
Offer = Literal["go", "line", "play", "wait", "watch"]
"""What somebody can do at a table: go to their seat or to their place in the line, play, wait, or only watch."""


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is told in exactly these fields, in this order."""


# What is posted at a table.


class Spot(Message, frozen=True):
    """Where chips lie. Those with `opens` are bet on; the others are for wagers that a decision makes."""

    spot: str
    title: str
    wager: str
    opens: bool
    required: bool
    needs: list[str]
    instead: list[str]
    self_service: bool


class Line(Message, frozen=True):
    """A line of a pay table."""

    line: str
    pays: str


class PayTable(Message, frozen=True):
    wager: str
    title: str
    table: str
    lines: list[Line]


class Reading(Message, frozen=True):
    """A question that the document leaves open, and how this table answers it: by its name and in words."""

    name: str
    value: str
    question: str
    answer: str


class Fingerprint(Message, frozen=True):
    """SHA-256 of what is approved, and of the code that plays it."""

    definition: str
    build: str


class PostedRule(Message, frozen=True):
    """A rule of the house at a table, and what its kind is called there."""

    text: str
    kind: str


class About(Message, frozen=True):
    """What is posted at a table. It changes with the settings, between two rounds."""

    id: str
    name: str
    game: str
    title: str
    game_version: str
    version_title: str
    standing: str
    warnings: list[str]
    venue: Venue
    decks: int | None
    shuffling: Literal["shoe", "shuffler"]
    chip: Cents
    seats: int
    limits: dict[str, Limits]
    prize: Cents | None
    spots: list[Spot]
    pay_tables: list[PayTable]
    readings: list[Reading]
    notices: list[str]
    """How the table stands to the law, its payout limits, and which rules go before which in a dispute."""
    house_rules: list[PostedRule]
    robots: int
    """How many robots may sit there."""
    layout: dict[str, Any]
    """How the table is drawn: each game has its own entries."""
    fingerprint: Fingerprint


# What each person sees.


class CardSeen(Message, frozen=True):
    """A card by its token; `card` is null while it is sealed."""

    token: str
    card: str | None
    place: str
    reading: str | None


class HandSeen(Message, frozen=True):
    """A hand in the words of the rules, of cards that you may know: whose it is, null for the dealer's; which of that
    seat's hands; in a sentence and in brief; and by their tokens the cards that count, where not all of them do."""

    seat: int | None
    number: int
    words: str
    brief: str
    counts: list[tuple[int | None, str]]


class Result(Message, frozen=True):
    """A settlement as it is shown, and why it was made, within a sentence."""

    seat: int
    spot: str
    line: str
    pays: str
    stake: Stake
    amount: Cents
    paid: Cents
    returned: Cents
    net: Cents
    rule: str
    why: str
    held: bool
    """Whether what is paid was held until it is verified."""


class SeatSeen(Message, frozen=True):
    seat: int
    name: str | None
    robot: bool
    you: bool
    present: bool
    ready: bool
    leaving: bool
    acting: bool
    shooter: bool
    wagers: dict[str, Cents]
    contract: list[str]
    winnings: dict[str, Cents]
    cards: list[CardSeen]
    results: list[Result]
    net: Cents | None
    round_net: Cents | None


class OpenSpot(Message, frozen=True):
    """Where you may put chips now, or take up those that lie there."""

    spot: str
    title: str
    least: Cents
    most: Cents
    down: Cents


class Option(Message, frozen=True):
    """What you may choose, by its name and as a button says it: the usual wager that it makes, the least, and why that
    is not taken from you now, if so."""

    name: str
    title: str
    wager: Cents
    least: Cents
    refused: str


class SessionClock(Message, frozen=True):
    """How long you have been playing since you came: milliseconds in the seats that you had before, and since when you
    have had the one that you have now; and what that has brought you so far."""

    spent: Time
    since: Time | None
    net: Cents


class HeldWin(Message, frozen=True):
    """A win of yours that is held until surveillance has verified it."""

    id: str
    round: int
    spot: str
    cents: Cents


class OwnDispute(Message, frozen=True):
    """A round that you dispute at this table, or did, and how it stands; once that is decided by which kind of rules,
    why, and what was paid to you or, below zero, taken back."""

    dispute: int
    round: int
    text: str
    state: Literal["open", "upheld", "rejected"]
    rule: str
    reason: str
    amount: Cents


class You(Message, frozen=True):
    name: str
    balance: Cents
    seat: int | None
    line: int | None
    """The place in the line of those who wait for a seat."""
    staked: Cents
    spots: list[OpenSpot]
    last: dict[str, Cents]
    """What you wagered last on each spot."""
    window: list[str]
    """The spots that this betting takes, also those that you cannot bet on yet."""
    options: list[Option]
    about: str
    """What is good to know for the choice, in a sentence; nothing where there is no more to say."""
    can_ready: bool
    grant: Cents | None
    """Play money that you may ask for, because you have too little left to wager."""
    clock: SessionClock | None
    """Nothing for who has had no seat yet."""
    held: list[HeldWin]
    disputes: list[OwnDispute]
    may_not: str
    """Why you may take no seat and make no new wager here; nothing if you may."""
    lost_seat: str
    """Why you have lost the seat that you had here, until you take one again; nothing if you have not."""


class ShoeSeen(Message, frozen=True):
    """What the house has committed itself to: so many cards or rolls under a root, and how many of them were used."""

    root: str
    size: int
    dealt: int


class Seen(Message, frozen=True, kw_only=True):
    """Everything that one person may know about a table."""

    round: int | None
    phase: Phase
    message: str
    deadline: Time | None
    dealer: list[CardSeen]
    hands: list[HandSeen]
    dice: list[int] | None
    things: dict[str, str]
    told: dict[str, str]
    seats: list[SeatSeen]
    you: You | None
    shoe: ShoeSeen | None


class LastRound(Message, frozen=True):
    """What became of your wagers in the last round that you played at a table."""

    round: int
    wagers: dict[str, Cents]
    results: list[Result]
    net: Cents
    round_net: Cents | None


class View(Seen, frozen=True, kw_only=True):
    """The same with the version of the table and the time; what is posted, and your last round, are told once."""

    version: int
    now: Time
    table: About | UnsetType = UNSET
    last: LastRound | UnsetType = UNSET


# What happened. Most events are told as they are recorded; these are not.


class ProofNode(Message, frozen=True):
    side: Literal["left", "right"]
    hash: str


class Opening(Message, frozen=True, kw_only=True):
    """An opened card or roll in the published form."""

    token: tuple[int | None, str]
    root: str
    position: int
    card: str | UnsetType = UNSET
    dice: str | UnsetType = UNSET
    salt: str
    proof: list[ProofNode]


class Moved(Tagged, tag="moved", frozen=True):
    """The marker, the cup or the dice were put somewhere, or the dealer's hand made a signal."""

    what: str
    to: str


Effect = ev.Called | Moved | ev.CardMoved | ev.Settled


class Sat(Tagged, tag="sat", frozen=True):
    """A person takes a seat: the id and the name."""

    seat: int
    player: str
    name: str


class RoundStarted(Tagged, tag="round started", frozen=True, kw_only=True):
    """A round begins, and what the dealer says and does first; without a root the old shoe is used."""

    round: int
    root: str | None = None
    size: int = 0
    effects: list[Effect]
    hold_over: Cents | UnsetType = UNSET


class Answered(Tagged, tag="answered", frozen=True):
    """An answer and all that it caused, and of a decision about an incident why it was made."""

    answer: Answer
    effects: list[Effect]
    reason: str | UnsetType = UNSET


class RoundEnded(Tagged, tag="round ended", frozen=True):
    """The round is over; what was turned to all is opened."""

    round: int
    openings: list[Opening]


class Voided(Tagged, tag="voided", frozen=True):
    """Every wager in action went back."""

    round: int
    reason: str
    returned: list[ev.Settled]
    openings: list[Opening]


class WinReleased(Tagged, tag="win released", frozen=True):
    """A win that was held is verified, and paid."""

    win: str


class Claimed(Tagged, tag="claimed", frozen=True):
    """A round is disputed; by whom and why is told to those whom it concerns."""

    dispute: int


class DisputeDecided(Tagged, tag="dispute decided", frozen=True):
    """A dispute is decided; how is told to those whom it concerns."""

    dispute: int


class DealerCame(Tagged, tag="dealer came", frozen=True):
    """Another dealer has signed on (F-41)."""


class DealerLeft(Tagged, tag="dealer left", frozen=True):
    """The dealer has signed off."""


class TakenBack(Tagged, tag="taken back", frozen=True):
    """The dealer has taken an entry back, by its number among the answers of the round (F-20)."""

    entry: int


class Corrected(Tagged, tag="corrected", frozen=True):
    """The supervisor has corrected an entry, and the round is what follows from that: with how many later answers, and
    with what these cause (F-20)."""

    entry: int
    answer: Answer | NoWager
    reason: str
    kept: int
    effects: list[Effect]
    counts: list[int]
    """How many of the effects each of these answers causes, the corrected one first."""


AsRecorded = (
    ev.Opened
    | ev.Left
    | ev.PatronSat
    | ev.PatronLeft
    | ev.Unseated
    | ev.Presence
    | ev.Readied
    | ev.Reshuffled
    | ev.Reported
    | ev.Released
    | ev.TickedOff
    | ev.ClocksRestarted
    | ev.Paused
    | ev.Resumed
    | ev.Closing
    | ev.TableClosed
    | ev.Reopened
    | ev.ChangePosted
    | ev.ChangeWithdrawn
    | ev.SettingsChanged
    | ev.Abandoned
    | ev.Succeeded
)
Event = (
    AsRecorded
    | Sat
    | RoundStarted
    | Answered
    | RoundEnded
    | Voided
    | WinReleased
    | Claimed
    | DisputeDecided
    | DealerCame
    | DealerLeft
    | TakenBack
    | Corrected
)

_numbered = {
    kind: msgspec.defstruct(
        f"Numbered{kind.__name__}",
        [("sequence", int), ("time", Time)],
        bases=(kind,),
        namespace={"__doc__": kind.__doc__},
        module=__name__,
        frozen=True,
        kw_only=True,
        tag=kind.__struct_config__.tag,
    )
    for kind in get_args(Event)
}
if TYPE_CHECKING:
    NumberedEvent = Event
else:
    NumberedEvent = Union[tuple(_numbered.values())]  # noqa: UP007
    """An event as the socket tells it: with its number and its time."""


def numbered(sequence: int, time: Time, event: Event) -> NumberedEvent:
    fields = {name: getattr(event, name) for name in event.__struct_fields__}
    made: Any = _numbered[type(event)]
    return made(**fields, sequence=sequence, time=time)  # type: ignore[no-any-return]


# What somebody asks of the house, and not of the table.


class MoreMoney(Tagged, tag="more play money", frozen=True):
    """Another grant, for somebody who has too little left to wager."""


class AskRobot(Tagged, tag="ask robot", frozen=True):
    """Let a robot sit down beside you."""

    seat: int


class SendRobotAway(Tagged, tag="send robot away", frozen=True):
    seat: int


Request = MoreMoney | AskRobot | SendRobotAway


# The socket.


class ViewMessage(Message, frozen=True):
    """A view, and the events since the one before."""

    view: View
    events: list[NumberedEvent]


class Acknowledged(Message, frozen=True):
    """A command was done and is on the disk; the receipt is null where it was done before the house gave receipts, and
    where nothing is recorded of it."""

    ok: str
    version: int
    receipt: Receipt | None


class Refused(Message, frozen=True):
    """Why a command was not done; the id is null where there was none."""

    refused: str | None
    why: str


class Wait(Tagged, tag="wait", frozen=True):
    """Take a free seat, or a place in the line for one. It is done by the server, and not recorded."""


class StopWaiting(Tagged, tag="stop waiting", frozen=True):
    """Leave the line."""


Asked = PlayerCommand | Wait | StopWaiting
Asking = Asked | Request


class CommandMessage(Message, frozen=True):
    """What a client says: a command with an id of its own, and the version of the view it saw."""

    id: str
    command: Asking
    seen: int = 0


class WishMessage(Message, frozen=True):
    """What a client wishes of the automatic dealer's pauses. It is no command: it changes nothing but when something
    happens, stands in no record, and gets no answer."""

    wish: Wish


class PingMessage(Message, frozen=True):
    """Whether anybody is there: it is answered with the same number."""

    ping: int


class Pong(Message, frozen=True):
    """The answer to a ping."""

    pong: int


Reply = Acknowledged | Refused | Pong
SAYS = (ViewMessage, Acknowledged, Refused, Pong)
"""What the server says through the socket."""
HEARS = (CommandMessage, WishMessage, PingMessage)
"""What it hears."""


# The addresses to read.


class Edge(Message, frozen=True):
    """What the house keeps of a wager on average: the exact share, and in percent."""

    wager: str
    title: str
    exact: str
    percent: str


class TableListed(Message, frozen=True):
    """A table of the house, what is played there, who is there, and what it offers to whoever asks."""

    id: str
    name: str
    game: str
    title: str
    summary: str
    version_title: str
    standing: str
    warnings: list[str]
    venue: Venue
    seats: int
    taken: int
    occupied: list[int]
    decks: int | None
    least: Cents | None
    most: Cents | None
    felt: str
    service: Service
    why: str
    """Why it is not open."""
    edges: list[Edge]
    waiting: int
    """How many wait for a seat."""
    your_seat: int | None
    your_line: int | None
    offer: Offer
    note: str
    """What there is to say of it to whoever asks, in words."""
    dealt_by: Literal["program", "people"]


class Named(Message, frozen=True):
    """How a name is shown that somebody has chosen."""

    name: str


class Disputed(Message, frozen=True):
    """The number of the dispute that somebody has opened about a round."""

    dispute: int


class TableClosed(msgspec.Struct, frozen=True):
    """A table that is not played on, as the lobby tells of it."""

    id: str
    name: str
    why: str
    successor: str


class Staked(Message, frozen=True):
    """A wager, and what came of it: null while it stays up."""

    spot: str
    amount: Cents
    net: Cents | None


class CardAway(Message, frozen=True):
    """A card that a decision of yours put away: its place in the list of your cards, and the decision."""

    card: int
    by: str


class OwnRound(Message, frozen=True):
    """How you came out of a round: your seats, your wagers, those of your cards that were turned to all and which of
    them you have put away, and the sum, which is null where everything stays up."""

    seats: list[int]
    wagers: list[Staked]
    cards: list[str]
    away: list[CardAway]
    net: Cents | None


class RoundListed(Message, frozen=True):
    """A round in short, and the records of it; of one that is not over, no more than that it is there."""

    round: int
    time: Time
    """When it began."""
    ended: Time | None
    sequence_from: int
    sequence_to: int
    over: bool
    void: bool
    cards: list[str]
    """The dealer's, and those that all share."""
    dice: list[int] | None
    """The last roll."""
    rolls: int
    own: OwnRound | None


class Rounds(Message, frozen=True):
    """The last rounds, newest first; `earlier` is what to give as `before` for those before them, null if there are
    none."""

    rounds: list[RoundListed]
    earlier: int | None


class Recorded(Message, frozen=True):
    """A record, and who did it, without a name."""

    sequence: int
    time: Time
    actor: Doer
    hash: str
    event: Event


class TurnedToSeat(Message, frozen=True):
    """A card that was turned to one seat alone, and the record of that."""

    sequence: int
    token: str
    card: str


class SharedCards(Message, frozen=True):
    """The cards that were turned to the seat alone whose player shows them; `why` there are none to show, if that is
    so."""

    seat: int
    cards: list[TurnedToSeat]
    why: str


class ShareCode(Message, frozen=True):
    """What opens the cards of your seat in a round, and the link that carries it."""

    code: str
    link: str


class Recalled(Message, frozen=True):
    """A round step by step, as it was recorded; `shared` is told to whoever brings the code for it."""

    round: int
    recall: Literal[True]
    standing: str
    warnings: list[str]
    root: str | None
    size: int
    records: list[Recorded]
    shared: SharedCards | UnsetType = UNSET


class SeenAt(Message, frozen=True):
    """The table as it lay there after a record."""

    sequence: int
    view: Seen


class RoundViews(Message, frozen=True):
    """What is posted at the table, and how it looked after each record of a round."""

    table: About
    views: list[SeenAt]


class Piece(Message, frozen=True):
    """A piece of equipment that an approval names, and what does its work where the maker's own is not at the table."""

    equipment: str
    stand_in: str
    wagers: list[str]


class Approval(Message, frozen=True):
    """Who approved the game, when, for which venues, under which conditions."""

    authority: str
    document: str
    approved: date
    rules: str
    venues: list[Venue]
    submission: str
    conditions: dict[Venue, list[str]]
    equipment: list[str]
    pieces: dict[str, Piece]
    replaced: list[str]
    modifications: list[str]
    house_chooses: list[str]
    notes: list[str]


class Statement(Message, frozen=True):
    """A numbered rule in plain words, which kind of rule it is, where it comes from, and the readings that it depends
    on."""

    id: str
    text: str
    kind: str
    source: str | UnsetType = UNSET
    reading: list[str] | UnsetType = UNSET


class Tour(Message, frozen=True):
    """What a newcomer is told on the way through one round."""

    goal: str
    spots: str
    decide: str
    result: str


class GameTold(Message, frozen=True):
    """The rules of a game, and its approval: null of a version that carries none."""

    name: str
    title: str
    summary: str
    how_to_play: list[str]
    """In a few short lines; none where the game's definition has none."""
    tour: Tour | None
    approval: Approval | None
    ask_first: list[str]
    statements: list[Statement]
    fingerprint: Fingerprint


class PlayedAt(Message, frozen=True):
    """What you have played at a table: rounds, and the wagers that were decided in them."""

    table: str
    name: str
    title: str
    rounds: int
    wagered: Cents
    won: Cents
    lost: Cents
    net: Cents
    biggest_win: Cents
    seconds: int


class SessionTold(Message, frozen=True):
    """What you have played, table by table, since you came or the server started."""

    played: list[PlayedAt]


class Problem(Message, frozen=True):
    """Why a request was not answered."""

    detail: str


ANSWERS: dict[str, Any] = {
    "/api/tables": list[TableListed],
    "/api/tables/{table}/rounds": Rounds,
    "/api/tables/{table}/rounds/{number}": Recalled,
    "/api/tables/{table}/rounds/{number}/views": RoundViews,
    "/api/tables/{table}/rounds/{number}/share": ShareCode,
    "/api/games/{game}": GameTold,
    "/api/session": SessionTold,
    "/api/lab/edges": EdgesTold,
}
"""What each address answers."""
ASKS: dict[str, Any] = {"/api/lab/edges": Edges}
"""What is asked of an address in the body of a request."""


def schemas(refs: str) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """JSON schemas: of what each address answers, and of every message by its name; `refs` is how one names another."""
    types = [*ANSWERS.values(), *ASKS.values(), Problem, *SAYS, *HEARS]
    found, parts = msgspec.json.schema_components(types, ref_template=refs)
    return dict(zip(ANSWERS, found, strict=False)), parts
