"""What is posted at a table."""

from typing import Any, Literal

from feltworks.floor.accounts import Cents
from feltworks.floor.table.settings import Limits
from feltworks.kit.definition import Venue
from feltworks.web.message import Message


class Spot(Message, frozen=True):
    """Where chips lie. Those with `opens` are bet on; the others are for wagers that a decision makes. A seat is in the
    round with all that are `required`; where none is, with any that `comes_in`."""

    spot: str
    title: str
    wager: str
    opens: bool
    required: bool
    comes_in: bool
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
    """Of a house jackpot."""
    jackpot: str | None
    """The id of the progressive jackpot for which the table plays."""
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
