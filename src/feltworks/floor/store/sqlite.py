"""The records of a house in one SQLite file, for the one process that writes them.

Everything that belongs together is written in one transaction, and is on the disk when the call returns (G2).
A store belongs to one thread.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import apsw

from feltworks.floor.accounts import Account, Entry
from feltworks.floor.journal.records import Commit, Record
from feltworks.floor.store.interface import Beside
from feltworks.floor.store.reader import Reader, Unreadable
from feltworks.floor.store.schema import NO_OVERDRAFT, PATIENCE, VERSION, connect, lock_for_writing, version_of
from feltworks.floor.store.schema import Locked as Locked
from feltworks.floor.store.schema import StoreError as StoreError

KEPT_CHECKPOINTS = 2


class Conflict(StoreError):
    """The records have gone on without this process."""


class Store(Reader):
    """Reads and writes."""

    def __init__(self, path: str | Path) -> None:
        self.refusal = ""
        """Why nothing more is written, if that is so until the next start."""
        self.migrating = False
        """Whether a transaction is open that takes older records over."""
        self._wipes_log = False
        """Whether the log holds something that was removed."""
        super().__init__(path)
        self.version = version_of(self.connection)
        self._known = self._data_version()
        beside = [self.path.with_name(f"{self.path.name}{end}") for end in ("-wal", "-shm")]
        self._held = {name: _identity(name) for name in (Path(path).absolute(), self.path, *beside)}
        self._held[self.path.with_name(f"{self.path.name}-lock")] = _identity(self._lock)
        """The files that are open and not looked for again, by their names: the records by the one that was given and
        by their own, the log, its index, and the lock."""

    def _connect(self) -> apsw.Connection:
        self._lock = lock_for_writing(self.path)
        try:
            return connect(self.path, writable=True)
        except BaseException:
            os.close(self._lock)
            raise

    @property
    def is_current(self) -> bool:
        """Whether the records are of this version; older ones are migrated first."""
        return self.version == VERSION

    def close(self) -> None:
        if self._lock >= 0:
            self.connection.close()
            os.close(self._lock)
            self._lock = -1

    def write(self, commits: Sequence[Commit], beside: Beside, expected: int) -> int:
        """Write commits after the last one that is expected, and what stands beside them: all of it, durably, or a
        refusal and nothing. The place of the last one is the answer."""
        with self._transaction():
            last = self.last_commit()
            if last != expected:
                raise Conflict(f"{self.path.name} is at commit {last}, not at {expected}.")
            for commit in commits:
                last += 1
                self.write_commit(last, commit)
            self.write_beside(beside)
            if beside.checkpoint:
                self._write_checkpoint(last, beside.checkpoint)
        self._wipes_log |= bool(beside.forgotten or beside.removed)
        if self._wipes_log:
            self._wipe_log()
        return last

    def _wipe_log(self) -> None:
        """What was removed from the file still stands in its write-ahead log, which is emptied for that. Nobody waits
        for it: while somebody reads from the log, that is tried again after the next write."""
        self.connection.set_busy_timeout(0)
        try:
            is_busy, *_ = self._one("PRAGMA wal_checkpoint(TRUNCATE)")
            self._wipes_log = bool(is_busy)
        except (apsw.Error, StoreError):  # what was written is durable; what keeps the log as it is, is found elsewhere
            return
        finally:
            self.connection.set_busy_timeout(PATIENCE)

    def save_checkpoint(self, state: bytes, expected: int) -> None:
        with self._transaction():
            if self.last_commit() != expected:
                raise Conflict(f"{self.path.name} has gone on.")
            self._write_checkpoint(expected, state)

    def _write_checkpoint(self, commit: int, state: bytes) -> None:
        self._run("INSERT OR REPLACE INTO checkpoints VALUES (?, ?)", commit, state)
        self._run(
            "DELETE FROM checkpoints WHERE commit_id NOT IN"
            " (SELECT commit_id FROM checkpoints ORDER BY commit_id DESC LIMIT ?)",
            KEPT_CHECKPOINTS,
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        if self.refusal:
            raise StoreError(self.refusal)
        if self.migrating:
            yield
            return
        try:
            self._run("BEGIN IMMEDIATE")
            self.check_untouched()
            yield
            self._run("COMMIT")
        except BaseException as error:
            if self.connection.in_transaction:
                self._run("ROLLBACK")
            if isinstance(error, apsw.IOError | apsw.CorruptError | Unreadable):
                # What the disk holds is not known any more: only a fresh start reads it back.
                self.refusal = f"{self.path.name} could not be written; start again to go on from what it holds."
            if isinstance(error, apsw.Error):
                raise StoreError(f"{self.path.name} could not be written: {error}.") from error
            raise

    def check_untouched(self) -> None:
        """Nobody else writes this file: if anybody has, or has put another in its place, nothing more is written."""
        if self._data_version() != self._known:
            self.refusal = (
                f"{self.path.name} was changed by somebody else while the house was open; nothing more is written."
                " Stop the house and run `felt verify`."
            )
        elif lost := next((name for name, held in self._held.items() if _identity(name) != held), None):
            self.refusal = (
                f"{lost.name} was replaced or removed while the house was open; nothing more is written. Put the file"
                " back and start again; if it is gone, stop the house and run `felt verify`."
            )
        if self.refusal:
            raise Conflict(self.refusal)

    def _data_version(self) -> int:
        """A number that changes when another connection has written."""
        return int(self._one("PRAGMA data_version")[0])

    def write_commit(self, id: int, commit: Commit) -> None:
        """One commit, inside a transaction."""
        self._run(
            "INSERT INTO commits VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            *(id, commit.chain, commit.number, commit.time, commit.actor, commit.command_id),
            *(commit.stream, commit.command, commit.salt, commit.others, commit.signature),
        )
        for record, entries in zip(commit.records, commit.entries, strict=True):
            self._write_record(id, record, entries)
        for root, sealed in commit.secrets:
            self._run("INSERT INTO secrets VALUES (?, ?, ?, ?)", root, id, commit.stream, sealed)

    def _write_record(self, commit: int, record: Record, entries: Sequence[Entry]) -> None:
        self._run(
            "INSERT INTO events (commit_id, stream, sequence, round, event, hash) VALUES (?, ?, ?, ?, ?, ?)",
            *(commit, record.stream, record.sequence, record.round, record.event, bytes.fromhex(record.hash)),
        )
        event = self.connection.last_insert_rowid()
        for position, entry in enumerate(entries):
            self._open_account(entry.payer)
            self._open_account(entry.payee)
            try:
                self._run(
                    "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)",
                    *(event, position, entry.kind.value, str(entry.payer), str(entry.payee), entry.cents),
                )
            except apsw.ConstraintError as error:
                if NO_OVERDRAFT in str(error):
                    raise StoreError(f"{entry.payer} holds less than {entry.cents} cents.") from None
                raise

    def _open_account(self, account: Account) -> None:
        self._run("INSERT INTO accounts VALUES (?, ?, 0) ON CONFLICT DO NOTHING", str(account), int(account.may_owe))

    def write_beside(self, beside: Beside) -> None:
        """What stands beside commits, inside a transaction."""
        for row in beside.joined:
            self._run("INSERT INTO people VALUES (?, ?, ?, ?)", *row)
        for row in beside.renamed:
            self._run("UPDATE people SET name = ?, salt = ? WHERE id = ?", row.name, row.salt, row.id)
        for kept in beside.kept:
            self._run("INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?)", *kept)
        for owner, what in beside.removed:
            self._run("DELETE FROM kept WHERE owner = ? AND what = ?", owner, what)
        for id in beside.forgotten:
            self._run("DELETE FROM people WHERE id = ?", id)
            self._run("DELETE FROM kept WHERE owner = ?", id)
        for session in beside.sessions:
            self._run("DELETE FROM sessions WHERE person = ? AND expires <= ?", session.person, session.opened)
            self._run("INSERT INTO sessions VALUES (?, ?, ?, ?)", *session)
        for token in beside.ended:
            self._run("DELETE FROM sessions WHERE token = ?", token)
        for stream, sequence, state in beside.snapshots:
            self._run("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)", stream, sequence, state)
            self._thin_snapshots(stream, sequence)

    def _thin_snapshots(self, stream: str, newest: int) -> None:
        """Keep the newest, and of the older ones the first of every thousand events, to start a replay from."""
        last_two = "SELECT sequence FROM snapshots WHERE stream = ? AND sequence < ? ORDER BY sequence DESC LIMIT 2"
        match self._all(last_two, stream, newest):
            case [(last,), (before,)] if last // 1_000 == before // 1_000:
                self._run("DELETE FROM snapshots WHERE stream = ? AND sequence = ?", stream, last)


def _identity(file: Path | int) -> tuple[int, int] | None:
    """Which file has a name, or is open."""
    try:
        found = os.stat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino
