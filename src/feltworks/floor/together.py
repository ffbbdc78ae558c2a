"""Commands that become durable together, and what is to be so then."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from feltworks.floor.chance.sealed import SealedShoes
from feltworks.floor.journal.journal import Group
from feltworks.floor.journal.records import Record
from feltworks.floor.store.interface import DoneRow
from feltworks.floor.streams import Decision, State
from feltworks.floor.table import events as ev


class Decided(NamedTuple):
    """A decision, and everything that is to be so when it is durable."""

    stream: str
    decision: Decision
    at: ev.Time
    shoes: SealedShoes
    commit: int
    """Its number."""
    records: tuple[Record, ...]


@dataclass
class Together:
    """Commands that are decided one after the other and become durable together. Until then, what they leave is seen by
    the next of them and by nobody else."""

    group: Group
    states: dict[str, State] = field(default_factory=dict)
    shoes: dict[str, SealedShoes] = field(default_factory=dict)
    """Of tables that are only now opened."""
    decided: list[Decided] = field(default_factory=list)
    done: dict[tuple[str, str], DoneRow | None] = field(default_factory=dict)
    """By player and id of the command, what was looked up before: done already, or not."""
    made: dict[tuple[str, str], DoneRow] = field(default_factory=dict)
    """The same for the commands that are done here."""
    names: dict[str, str] = field(default_factory=dict)
    """What people are called from then on."""
    notes: list[Callable[[], None]] = field(default_factory=list)
    """What is noted beside the records when everybody hears of it."""
