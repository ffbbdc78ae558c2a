"""What each person sees of a table."""

from typing import Literal

from msgspec import UNSET, UnsetType

from feltworks.floor.accounts import Cents
from feltworks.floor.table.events import Time
from feltworks.kit.steps import Stake
from feltworks.web.message import Message
from feltworks.web.posted_messages import About

Phase = Literal["waiting", "betting", "dealing", "deciding", "over"]


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


class PocketSeen(Message, frozen=True):
    """A pocket of one of the wheels that the layout tells."""

    name: str
    wheel: str


class Seen(Message, frozen=True, kw_only=True):
    """Everything that one person may know about a table."""

    round: int | None
    phase: Phase
    message: str
    deadline: Time | None
    dealer: list[CardSeen]
    hands: list[HandSeen]
    dice: list[int] | None
    pocket: PocketSeen | None
    """Where the wheel has stopped that was spun last."""
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
