"""What the desks of a house ask of it: its staff, its self-exclusion list. So they need not know the house itself."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from feltworks.floor.actors import Actor
from feltworks.floor.administration import Administration
from feltworks.floor.aggregates import Command, State
from feltworks.floor.person import Person
from feltworks.floor.store.interface import KeptRow, PersonRow
from feltworks.floor.store.sqlite import Store

Time = int


class HouseInterface(Protocol):
    """A house that carries out commands, one after the other."""

    store: Store
    clock: Callable[[], Time]

    @property
    def administration(self) -> Administration: ...
    def person(self, id: str) -> Person | None: ...
    def name(self, id: str) -> str: ...
    def account_of(self, name: str) -> str | None: ...
    def as_one(self) -> AbstractContextManager[None]: ...
    def breaches_noted(self) -> AbstractContextManager[None]: ...
    def unseat_who_may_not_play(self) -> None: ...
    def _is_taken(self, name: str, id: str) -> bool: ...
    def _state(self, stream: str) -> State | None: ...
    def _carry_out(
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
