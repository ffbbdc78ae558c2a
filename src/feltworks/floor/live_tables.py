"""The tables of a house: those that are open, those that are not played on, and what listeners are told of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from feltworks.floor.chance.sealed import SealedShoes
from feltworks.floor.journal.records import Record
from feltworks.floor.table import events as ev
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.table.state import Table


@dataclass
class Live:
    """A table that is open: its state, since when it is so, and the shoes and rolls that only the house can look
    into."""

    table: Table
    since: ev.Time
    shoes: SealedShoes = field(repr=False)


@dataclass(frozen=True)
class ClosedTable:
    """A table that is not played on, and why; `settings` where they can be read."""

    id: str
    why: str
    settings: TableSettings | None = None
    successor: str = ""


@dataclass(frozen=True)
class Change:
    """What the listeners of a table are told."""

    table: Table
    records: Sequence[Record]


Listener = Callable[[str, Change], None]
