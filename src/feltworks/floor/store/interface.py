"""What the floor asks of a store. SQL stands behind it alone, so that a second database can take its place."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from feltworks.floor.accounts import Cents, Entry
from feltworks.floor.journal.records import Commit, Head, Record

Time = int


@dataclass(frozen=True)
class Booking:
    """An entry in the books with the event, round and actor it names (F-11)."""

    stream: str
    sequence: int
    round: int
    time: Time
    actor: str
    entry: Entry


class PersonRow(NamedTuple):
    """What can identify a person."""

    id: str
    name: str
    salt: bytes
    joined: Time


class KeptRow(NamedTuple):
    """Something of a person that lies outside the journal, or of the house itself; the journal has its digest."""

    owner: str
    what: str
    salt: bytes
    body: str


class SessionRow(NamedTuple):
    token: str
    person: str
    opened: Time
    expires: Time


class DoneRow(NamedTuple):
    """A command that was carried out, as the list of commits has it; `id` is below 1 for those of the first version."""

    id: int
    chain: str
    number: int
    actor: str
    command_id: str
    stream: str
    command: bytes
    salt: bytes

    @classmethod
    def of(cls, commit: Commit) -> "DoneRow":
        """A commit that is about to be written."""
        about = (commit.actor, commit.command_id, commit.stream, commit.command, commit.salt)
        return cls(commit.number, commit.chain, commit.number, *about)


class SecretRow(NamedTuple):
    root: str
    commit: int
    stream: str
    sealed: bytes


@dataclass(frozen=True)
class PlayedRound:
    """Where a round stands in the records, for recall (F-18)."""

    stream: str
    round: int
    first: int
    last: int
    time: Time
    players: tuple[str, ...]


@dataclass(frozen=True)
class Beside:
    """What is written together with commits and is no record: what can identify persons, and what saves folding."""

    joined: Sequence[PersonRow] = ()
    renamed: Sequence[PersonRow] = ()
    kept: Sequence[KeptRow] = ()
    removed: Sequence[tuple[str, str]] = ()
    """What is kept no longer, by owner and what it is."""
    forgotten: Sequence[str] = ()
    sessions: Sequence[SessionRow] = ()
    ended: Sequence[str] = ()
    """Sessions, by their tokens' digests."""
    snapshots: Sequence[tuple[str, int, bytes]] = ()
    checkpoint: bytes = b""


class Reading(Protocol):
    """Records, books and people, as they stand."""

    def frozen(self) -> AbstractContextManager[None]: ...
    def close(self) -> None: ...
    def streams(self) -> list[str]: ...
    def head(self, stream: str) -> tuple[int, str]: ...
    def read(self, stream: str, after: int = 0, until: int | None = None) -> Iterator[Record]: ...
    def commits(self, after: int = 0) -> Iterator[tuple[int, Commit]]: ...
    def last_commit(self) -> int: ...
    def first_commit(self) -> int: ...
    def last_rows(self) -> tuple[int, int, int, int]: ...
    def is_signed(self, chain: str, number: int, signature: bytes) -> bool: ...
    def hash_of(self, stream: str, sequence: int) -> str: ...
    def done(self, actors: Sequence[str], command_id: str) -> DoneRow | None: ...
    def entries(self, stream: str, first: int = 1, last: int | None = None) -> Iterator[Booking]: ...
    def balance(self, account: str) -> Cents: ...
    def balances(self) -> dict[str, Cents]: ...
    def secret(self, root: str) -> bytes | None: ...
    def snapshot(self, stream: str, until: int | None = None) -> tuple[int, bytes] | None: ...
    def checkpoint(self) -> tuple[int, bytes] | None: ...
    def rounds(self, stream: str, limit: int = 10, before: int | None = None) -> list[PlayedRound]: ...
    def rounds_of(self, player: str, limit: int = 10, skip: int = 0) -> list[PlayedRound]: ...
    def person(self, id: str) -> PersonRow | None: ...
    def kept(self, owner: str, what: str) -> KeptRow | None: ...
    def all_kept(self, what: str | None = None) -> list[KeptRow]: ...
    def named(self, otherwise_than: str) -> list[PersonRow]: ...
    def session(self, token: str) -> SessionRow | None: ...
    def old_heads(self) -> list[Head]: ...


class Writing(Reading, Protocol):
    """The same, for the one process that writes."""

    def write(self, commits: Sequence[Commit], beside: Beside, expected: int) -> int: ...
    def save_checkpoint(self, state: bytes, expected: int) -> None: ...
