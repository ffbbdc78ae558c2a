"""What the server says to a page that shows many tables at once: a row for each table that has changed, and what waits
for a signature. It is for those who work here, and no part of the published API."""

from typing import Literal

from msgspec import UNSET, UnsetType

from feltworks.floor.accounts import Cents
from feltworks.floor.table.events import Time
from feltworks.floor.table.state import Service
from feltworks.web.message import Message
from feltworks.web.view_messages import Phase

AlertKind = Literal[
    "incident",
    "decision",
    "dispute",
    "held win",
    "out of service",
    "no dealer",
    "paused",
    "closing",
    "closed",
    "change",
]


class BoardOption(Message, frozen=True):
    """What can be decided about an alert."""

    name: str
    title: str
    voids: bool
    """Whether the round is void by it, so that a second person signs (F-13)."""


class BoardAlert(Message, frozen=True, kw_only=True):
    """Something about a table that somebody has to know, or has to do something about."""

    kind: AlertKind
    text: str
    id: str = ""
    """What a decision about it names: the event that reported it, a device, a dispute, a win."""
    roles: tuple[str, ...] = ()
    """Who can do something about it; nobody where it is only to be known."""
    options: tuple[BoardOption, ...] = ()
    round: int | None = None
    """The round that shows what it is about, if it is over."""
    step: int | None = None
    """The event in it."""
    path: str = ""
    """The page of the house on which it is looked at and decided, where that is not the board itself."""


class BoardTable(Message, frozen=True, kw_only=True):
    """A table at a glance: nothing but what lies open there (F-14)."""

    id: str
    name: str
    title: str
    felt: str
    venue: str
    standing: str
    round: int | None
    phase: Phase
    message: str
    deadline: Time | None
    seats: int
    taken: list[int]
    away: list[int]
    acting: list[int]
    stake: Cents
    dealer: str
    """Who deals: a name, or the program."""
    has_dealer: bool
    """Whether a person does any of the dealer's duties."""
    service: Service
    why: str
    """Why it is not open."""
    alerts: list[BoardAlert]
    version: int
    """The number of the last event that it shows."""


class BoardSignature(Message, frozen=True, kw_only=True):
    """What waits for a second signature, as one person sees it (F-13)."""

    action: str
    table: str
    title: str
    lines: list[str]
    first: str
    who_may: str
    expires: Time
    can_sign: bool
    can_withdraw: bool


class BoardMessage(Message, frozen=True, kw_only=True):
    """The tables that have changed since the last message; `order` has all of them when it has changed itself."""

    board: list[BoardTable]
    number: int
    """Of the message, by which the page says that it has taken it."""
    now: Time
    order: list[str] | UnsetType = UNSET
    signatures: list[BoardSignature] | UnsetType = UNSET


class BoardTaken(Message, frozen=True):
    """What a page answers when it has taken a message: before that it is sent no other."""

    taken: int


class BoardDone(Message, frozen=True):
    """What was pressed on the board is done."""

    done: str


SAYS = (BoardMessage, BoardDone)
HEARS = (BoardTaken,)
