"""Everything that has a history: the streams of the journal, what a decision may look at, and what it makes happen.

A stream is the history of one thing: of the house, of a person, of a table or of a jackpot. Its
name says which kind it is.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from feltworks.floor import administration, person
from feltworks.floor.accounts import Cents, Entry
from feltworks.floor.administration import Administration
from feltworks.floor.jackpot import commands as jackpot_commands
from feltworks.floor.jackpot import events as jackpot_events
from feltworks.floor.jackpot.meter import Meter, is_jackpot
from feltworks.floor.person import Person
from feltworks.floor.table import commands, events
from feltworks.floor.table.abandoned import AbandonedTable
from feltworks.floor.table.chance import TableChance
from feltworks.floor.table.state import Table

HOUSE_STREAM = "house"
PERSON = "person:"
StreamKind = Literal["house", "person", "table", "jackpot"]

Command = commands.Command | person.Command | administration.Command | jackpot_commands.Command
Event = events.Event | person.Event | administration.Event | jackpot_events.Event
State = Table | AbandonedTable | Person | Administration | Meter
Time = int


def person_stream(id: str) -> str:
    return PERSON + id


def kind_of(stream: str) -> StreamKind:
    """A table's stream has the id of the table for a name."""
    if stream == HOUSE_STREAM:
        return "house"
    if is_jackpot(stream):
        return "jackpot"
    return "person" if stream.startswith(PERSON) else "table"


def is_table(stream: str) -> bool:
    return kind_of(stream) == "table"


@dataclass(frozen=True)
class States:
    """What a decision may look at: states by stream, and what an account holds."""

    of: Callable[[str], State | None]
    balance: Callable[[str], Cents]
    """By the text of an account."""
    chance: TableChance | None = None
    lying_elsewhere: Callable[[str, str], Cents] = lambda player, table: 0
    """What a player has on all tables but one. A replay of one table knows it from the record alone."""
    deals_at: Callable[[str], str] = lambda dealer: ""
    """The name of the table at which somebody has signed on. A replay of one table does not know of others."""
    in_play: Callable[[str], Iterable[jackpot_events.InPlay]] = lambda jackpot: ()
    """The rounds that are being played for a jackpot, by its id. Of tables that are replayed elsewhere the record is
    believed."""
    signs_on: Callable[[str], bool] = lambda table: True
    """Whether dealers sign on at a table: at those of older records nobody did."""


@dataclass(frozen=True)
class Happened:
    """An event in its stream, with what it books and the round that it belongs to."""

    stream: str
    event: Event
    entries: tuple[Entry, ...] = ()
    round: int = 0


@dataclass(frozen=True)
class Decision:
    """What a command makes happen, and the states after it."""

    happened: tuple[Happened, ...] = ()
    states: Mapping[str, State] = field(default_factory=dict)


def known_person(states: States, id: str) -> Person | None:
    """A person as a decision finds them."""
    found = states.of(person_stream(id))
    return found if isinstance(found, Person) else None
