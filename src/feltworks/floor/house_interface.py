"""What the desks of a house ask of it: its people, its staff, its pit, its self-exclusion list and the others. So they
need not know the house itself."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from feltworks.floor.accounts import Cents
from feltworks.floor.actors import Actor
from feltworks.floor.administration import Administration, NoteDue
from feltworks.floor.live_tables import Live
from feltworks.floor.person import Person
from feltworks.floor.store.interface import KeptRow, PersonRow
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import Command, State
from feltworks.floor.table.abandoned import AbandonedTable
from feltworks.floor.table.commands import StaffCommand
from feltworks.floor.table.state import Table

Time = int


class HouseInterface(Protocol):
    """A house that carries out commands, one after the other."""

    store: Store
    clock: Callable[[], Time]
    fault: str
    tables: dict[str, Live]
    unplayed: dict[str, AbandonedTable]

    @property
    def administration(self) -> Administration: ...
    @property
    def names_ahead(self) -> Mapping[str, str]: ...
    def table(self, name: str) -> Table: ...
    def close_table(self, table: str, reason: str) -> None: ...
    def stopped_if_faulty(self, table: str) -> AbstractContextManager[None]: ...
    def read_person(self, id: str, store: Reader) -> Person | None: ...
    def balance(self, player: str) -> Cents: ...
    def balance_now(self, player: str) -> Cents: ...
    def lying_elsewhere(self, player: str, but: str) -> Cents: ...
    def note_due(self, item: NoteDue, now: Time) -> None: ...
    def when_told(self, note: Callable[[], None]) -> None: ...
    def was_done(self, player: str, id: str) -> bool: ...
    def give_once(self, table: str, player: str, command: StaffCommand, command_id: str, seen: int) -> int | None: ...
    def as_one(self) -> AbstractContextManager[None]: ...
    def state(self, stream: str) -> State | None: ...
    def carry_out(
        self,
        stream: str,
        command: Command,
        actor: Actor,
        command_id: str = "",
        joined: Sequence[PersonRow] = (),
        at: Time | None = None,
        renamed: Sequence[PersonRow] = (),
        kept: Sequence[KeptRow] = (),
    ) -> int | None: ...
