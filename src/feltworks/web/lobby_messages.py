"""What is told in the lobby: the tables, and what somebody has played."""

from typing import Literal

import msgspec

from feltworks.floor.accounts import Cents
from feltworks.floor.table.state import Service
from feltworks.kit.definition import Venue
from feltworks.web.message import Message

Offer = Literal["go", "line", "play", "sit", "wait", "watch"]
"""What somebody can do at a table: go to their seat or to their place in the line, play, sit down where nothing is
dealt just now, wait, or only watch."""


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
