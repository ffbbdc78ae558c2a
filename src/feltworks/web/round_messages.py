"""The rounds of a table, as they are listed and recalled."""

from typing import Literal

from msgspec import UNSET, UnsetType

from feltworks.floor.accounts import Cents
from feltworks.floor.table.events import Time
from feltworks.web.event_messages import Event
from feltworks.web.message import Message
from feltworks.web.posted_messages import About
from feltworks.web.view_messages import PocketSeen, Seen

Doer = Literal["dealer", "supervisor", "staff", "player", "house"]


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
    pocket: PocketSeen | None
    """Where the wheel stopped last."""
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
