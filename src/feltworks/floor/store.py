"""The store: records, ledger, answers, secrets and players in one SQLite file, written by one process.

Everything that belongs together is written in one transaction, and is on the disk when the call returns (G2).
A store belongs to one thread.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import apsw

from feltworks.floor.database import NO_OVERDRAFT, connect, lock_for_writing
from feltworks.floor.database import Locked as Locked
from feltworks.floor.database import StoreError as StoreError
from feltworks.floor.events import Time
from feltworks.floor.money import HOUSE, Entry, Kind, player_account
from feltworks.floor.reading import COLUMNS, Reader, hashed
from feltworks.floor.records import (
    HOUSE_STREAM,
    Booked,
    Head,
    HouseEvent,
    Joined,
    Record,
    Signer,
    chained,
    encode_event,
    head_message,
)
from feltworks.floor.settings import Cents


class Conflict(StoreError):
    """The stream has gone on: stream and sequence number are the lock."""


class Overdrawn(StoreError):
    """A player's account would go below zero (F-11)."""


class Repeated(StoreError):
    """The command was carried out already (G7); `answer` is what was answered then."""

    def __init__(self, said: str, answer: bytes) -> None:
        super().__init__(said)
        self.answer = answer


@dataclass(frozen=True)
class Draft:
    """An event to be recorded, with the entries it makes in the books."""

    time: Time
    actor: str
    event: bytes
    entries: Sequence[Entry] = ()
    round: int = 0
    command: str = ""


@dataclass(frozen=True)
class Reply:
    """What a command was answered, kept so that a repetition gets the same answer (G7)."""

    actor: str
    command: str
    answer: bytes


@dataclass(frozen=True)
class Batch:
    """What is written together, all of it or nothing. `expected` is the stream's last sequence number; `snapshot`
    makes one of the last record."""

    stream: str
    expected: int
    drafts: Sequence[Draft] = ()
    secrets: Mapping[str, bytes] = field(default_factory=dict)
    reply: Reply | None = None
    snapshot: Callable[[Record], bytes] | None = None


class Store(Reader):
    """The records of a house, for the one process that writes them."""

    def __init__(self, path: str | Path) -> None:
        self._refusal = ""
        super().__init__(path)

    def _connect(self) -> apsw.Connection:
        self._lock = lock_for_writing(self.path)
        try:
            return connect(self.path, writable=True)
        except BaseException:
            os.close(self._lock)
            raise

    @staticmethod
    def read_only(path: str | Path) -> Reader:
        """The same records for reading, whoever writes them."""
        return Reader(path)

    def close(self) -> None:
        if self._lock >= 0:
            self.connection.close()
            os.close(self._lock)
            self._lock = -1

    def append(self, batch: Batch) -> list[Record]:
        """Write a batch: all of it, durably, or a refusal and nothing."""
        with self._transaction():
            return self._write(batch)

    def book(
        self, entries: Sequence[Entry], actor: str, reason: str, time: Time, reply: Reply | None = None
    ) -> list[Record]:
        """Move money outside the tables: an event of the house like everything else."""
        with self._transaction():
            draft = _house_draft(Booked(reason, list(entries)), actor, time, reply)
            return self._write(Batch(HOUSE_STREAM, self.head(HOUSE_STREAM)[0], [draft], reply=reply))

    def add_player(self, player: str, name: str, time: Time, grant: Cents = 0) -> list[Record]:
        """Open a player's account, with play money if any is granted."""
        drafts = [_house_draft(Joined(player, name), player, time)]
        if grant:
            entry = Entry(Kind.GRANT, HOUSE, player_account(player), grant)
            drafts.append(_house_draft(Booked("play money for a new player", [entry]), HOUSE, time))
        with self._transaction():
            if self.player(player) is not None:
                raise StoreError(f"There is a player {player!r} already.")
            self._run("INSERT INTO players VALUES (?, ?, ?)", player, name, time)
            return self._write(Batch(HOUSE_STREAM, self.head(HOUSE_STREAM)[0], drafts))

    def sign_head(self, stream: str, keys: Signer, time: Time) -> Head:
        """Sign a stream as it stands. A head that is kept elsewhere too shows a tail that was cut."""
        with self._transaction():
            sequence, hash = self.head(stream)
            signature = keys.sign(head_message(stream, sequence, hash, time))
            head = Head(stream, sequence, hash, time, signature, keys.public)
            self._run(
                "INSERT INTO heads VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                *(stream, sequence, hash, time, signature, keys.public),
            )
            return head

    def open_session(self, token: str, player: str, now: Time, expires: Time) -> None:
        with self._transaction():
            self._run("DELETE FROM sessions WHERE expires <= ?", now)
            self._run("INSERT INTO sessions VALUES (?, ?, ?, ?)", hashed(token), player, now, expires)

    def end_session(self, token: str) -> None:
        with self._transaction():
            self._run("DELETE FROM sessions WHERE token = ?", hashed(token))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        if self._refusal:
            raise StoreError(self._refusal)
        try:
            self._run("BEGIN IMMEDIATE")
            yield
            self._run("COMMIT")
        except BaseException as error:
            if self.connection.in_transaction:
                self._run("ROLLBACK")
            if isinstance(error, apsw.IOError | apsw.CorruptError):
                # What the disk holds is not known any more: only a fresh start reads it back.
                self._refusal = f"{self.path.name} could not be written; start again to go on from what it holds."
            if isinstance(error, apsw.Error):
                raise StoreError(f"{self.path.name} could not be written: {error}.") from error
            raise

    def _write(self, batch: Batch) -> list[Record]:
        if batch.reply is not None:
            self._keep(batch.reply)
        sequence, hash = self.head(batch.stream)
        if sequence != batch.expected:
            raise Conflict(f"{batch.stream} is at event {sequence}, not at {batch.expected}.")
        records = []
        for draft in batch.drafts:
            sequence += 1
            about = (draft.time, draft.actor, draft.command, draft.round)
            record = chained(batch.stream, sequence, *about, draft.event, hash)
            hash = record.hash
            records.append(record)
            self._record(record, draft.entries)
        for root, sealed in batch.secrets.items():
            self._run("INSERT INTO secrets VALUES (?, ?, ?)", root, batch.stream, sealed)
        if batch.snapshot is not None and records:
            state = batch.snapshot(records[-1])
            self._run("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)", batch.stream, sequence, state)
        return records

    def _keep(self, reply: Reply) -> None:
        before = self.answer_of(reply.actor, reply.command)
        if before is not None:
            raise Repeated(f"The command {reply.command} of {reply.actor} was carried out already.", before)
        self._run("INSERT INTO answers VALUES (?, ?, ?)", reply.actor, reply.command, reply.answer)

    def _record(self, record: Record, entries: Sequence[Entry]) -> None:
        self._run(
            f"INSERT INTO events ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            *(record.stream, record.sequence, record.time, record.actor, record.command),
            *(record.round, record.event, record.previous, record.hash),
        )
        event = self.connection.last_insert_rowid()
        for position, entry in enumerate(entries):
            try:
                self._run(
                    "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)",
                    *(event, position, entry.kind.value, entry.payer, entry.payee, entry.cents),
                )
            except apsw.ConstraintError as error:
                if NO_OVERDRAFT in str(error):
                    raise Overdrawn(f"{entry.payer} holds less than {entry.cents} cents.") from None
                raise


def _house_draft(event: HouseEvent, actor: str, time: Time, reply: Reply | None = None) -> Draft:
    entries = event.entries if isinstance(event, Booked) else ()
    return Draft(time, actor, encode_event(event), entries, command=reply.command if reply else "")
