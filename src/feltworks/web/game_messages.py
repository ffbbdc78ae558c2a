"""The rules of a game, and its approval."""

from datetime import date

from msgspec import UNSET, UnsetType

from feltworks.kit.definition import Venue
from feltworks.web.message import Message
from feltworks.web.posted_messages import Fingerprint


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
