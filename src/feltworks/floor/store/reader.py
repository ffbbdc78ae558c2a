"""Reading the records: streams, commits, books, rounds, people. Any number of processes may, while one writes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self, TypeVar

import apsw

from feltworks.floor.accounts import Account, Cents, Entry, Kind, player_account
from feltworks.floor.journal.records import FIRST, Commit, Head, Record
from feltworks.floor.store.interface import Booking, DoneRow, KeptRow, PersonRow, PlayedRound, SecretRow, SessionRow
from feltworks.floor.store.schema import OLDEST_JOURNAL, SCHEMA_ROWS, StoreError, connect, version_of

T = TypeVar("T", bytes, int, str)
PAGE = 500


class Unreadable(StoreError):
    """A part of the file is damaged, or the disk does not give it."""


class BadBooks(StoreError):
    """The accounts are not what the entries make them."""


_RECORD = (
    "events.stream, sequence, time, actor, command_id, round, event, hash"
    " FROM events JOIN commits ON commits.id = events.commit_id"
)
_COMMIT = (int, str, int, int, str, str, str, bytes, bytes, str, bytes)
_DONE = (int, str, int, str, str, str, bytes, bytes)
_EVENT = (int, int, str, int, int, bytes, bytes)
_BOOKING = (
    "events.stream, sequence, round, time, actor, kind, payer, payee, cents"
    " FROM entries JOIN events ON entries.event = events.id JOIN commits ON commits.id = events.commit_id"
)
_CHECKPOINTS = "SELECT commit_id, state FROM checkpoints ORDER BY commit_id"

# From each stream straight to the next: far quicker than a look at every event. An index that leads back ends it.
_STREAMS = """
    WITH RECURSIVE found (stream) AS (
        SELECT min(stream) FROM events
        UNION
        SELECT (SELECT min(stream) FROM events WHERE stream > found.stream) FROM found WHERE stream IS NOT NULL)
    SELECT stream FROM found WHERE stream IS NOT NULL"""


class Reader:
    """The records of a house, as they stand in its file."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).resolve()
        self.connection = self._connect()
        self._is_given_up = False

    def _connect(self) -> apsw.Connection:
        return connect(self.path, writable=False)

    def close(self) -> None:
        self.connection.close()

    def give_up(self) -> None:
        """Whoever reads something long in another thread comes no further."""
        self._is_given_up = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """What is read inside is of one moment, whatever is written meanwhile."""
        self._run("BEGIN")
        try:
            self._one("SELECT count(*) FROM people")  # the moment is that of the first reading
            yield
        finally:
            self._run("ROLLBACK")

    # Streams and commits.

    def streams(self) -> list[str]:
        return [stream for (stream,) in self._all(_STREAMS)]

    def head(self, stream: str) -> tuple[int, str]:
        """The last sequence number of a stream and its hash."""
        query = "SELECT sequence, hash FROM events WHERE stream = ? ORDER BY sequence DESC LIMIT 1"
        rows = self._checked((int, bytes), self._all(query, stream))
        return (rows[0][0], rows[0][1].hex()) if rows else (0, FIRST)

    def hash_of(self, stream: str, sequence: int) -> str:
        """The hash of a record; of the one before the first, what the first names."""
        row = self._value(bytes, "SELECT hash FROM events WHERE stream = ? AND sequence = ?", stream, sequence)
        return FIRST if row is None else row.hex()

    def read(self, stream: str, after: int = 0, until: int | None = None) -> Iterator[Record]:
        """The records of a stream in their order."""
        page = f"SELECT {_RECORD} WHERE events.stream = ? AND sequence > ? ORDER BY sequence LIMIT {PAGE}"
        previous = self.hash_of(stream, after)
        while rows := self._checked((str, int, int, str, str, int, bytes, bytes), self._all(page, stream, after)):
            self._goes_on(after, rows[-1][1])
            for row in rows:
                of, sequence, time, actor, command, round, event, data = row
                hash = data.hex()
                record = Record(of, sequence, time, actor, command, round, event, previous, hash)
                if until is not None and record.sequence > until:
                    return
                yield record
                previous, after = hash, record.sequence

    def commits(self, after: int = 0) -> Iterator[tuple[int, Commit]]:
        """The commits in their order, each with its place in it; those of the first version are at -1 and below.

        Events, entries and secrets lie in the order of their commits too, so that one pass over each is enough. What
        lies out of order belongs to none: the commit that lacks it shows it."""
        columns = "id, chain, number, time, actor, command_id, stream, command, salt, others, signature"
        rows = self._pages(_COMMIT, f"SELECT {columns} FROM commits WHERE id > ? ORDER BY id LIMIT {PAGE}", after)
        start = self._first_event_after(after)
        events = _Peekable(
            self._pages(
                _EVENT,
                "SELECT id, commit_id, stream, sequence, round, event, hash FROM events WHERE id > ? ORDER BY id"
                f" LIMIT {PAGE}",
                start - 1,
            )
        )
        entries = _Peekable(self._entry_rows(start))
        secrets = _Peekable(self._secret_rows(after))
        hashes: dict[str, str] = {}
        for id, chain, number, time, actor, command_id, stream, command, salt, others, signature in rows:
            records, booked = [], []
            for event, _, of, sequence, round, data, hash in events.take(1, id):
                previous = hashes.get(of) or self.hash_of(of, sequence - 1)
                hashes[of] = hash.hex()
                records.append(Record(of, sequence, time, actor, command_id, round, data, previous, hashes[of]))
                booked.append(tuple(_entry(*row[2:]) for row in entries.take(0, event)))
            sealed = tuple((root, data) for _, root, data in secrets.take(0, id))
            about = (chain, number, time, actor, command_id, stream, command)
            yield id, Commit(*about, tuple(records), tuple(booked), sealed, signature, others, salt)

    def _pages(self, kinds: tuple[type, ...], query: str, after: int) -> Iterator[Any]:
        """The rows of a query whose first column is what it goes on after."""
        while rows := self._checked(kinds, self._all(query, after)):
            self._goes_on(after, rows[-1][0])
            yield from rows
            after = rows[-1][0]

    def _entry_rows(self, event: int) -> Iterator[Any]:
        page = (
            "SELECT event, position, kind, payer, payee, cents FROM entries WHERE (event, position) > (?, ?)"
            f" ORDER BY event, position LIMIT {PAGE}"
        )
        last = (event - 1, 2**62)
        while rows := self._checked((int, int, str, str, str, int), self._all(page, *last)):
            self._goes_on(last, rows[-1][:2])
            yield from rows
            last = rows[-1][:2]

    def _secret_rows(self, commit: int) -> Iterator[Any]:
        page = (
            "SELECT commit_id, root, sealed FROM secrets WHERE (commit_id, root) > (?, ?) ORDER BY commit_id, root"
            f" LIMIT {PAGE}"
        )
        last: tuple[int, str | bytes] = (commit, b"")  # after every root of that commit
        while rows := self._checked((int, str, bytes), self._all(page, *last)):
            self._goes_on(last, rows[-1][:2])
            yield from rows
            last = rows[-1][:2]

    def _first_event_after(self, commit: int) -> int:
        """The id of the first event of a later commit, by bisection: there is no index of it."""
        low = self._value(int, "SELECT id FROM events ORDER BY id LIMIT 1") or 1
        high = (self._value(int, "SELECT id FROM events ORDER BY id DESC LIMIT 1") or 0) + 1
        while low < high:
            middle = (low + high) // 2
            row = self._one("SELECT id, commit_id FROM events WHERE id >= ? ORDER BY id LIMIT 1", middle)
            self._goes_on(middle - 1, row[0] if row else middle)
            if row is None or row[1] > commit:
                high = middle
            else:
                low = row[0] + 1
        return int(low)

    def counts(self) -> dict[str, int]:
        """How many rows there are of what belongs to commits."""
        tables = ("commits", "events", "entries", "secrets")
        return {table: self._one(f"SELECT count(*) FROM {table}")[0] for table in tables}

    def last_commit(self) -> int:
        return max(0, self._value(int, "SELECT id FROM commits ORDER BY id DESC LIMIT 1") or 0)

    def commits_between(self, since: int, until: int) -> tuple[int, int] | None:
        """The first and the last commit whose time is one of these, `until` itself left out. Those of the first version
        are not looked at. Times go back where the wall clock did, so every commit is looked at."""
        query = "SELECT min(id), max(id) FROM commits WHERE id > 0 AND time >= ? AND time < ?"
        first, last = self._one(query, since, until)
        return None if first is None else (first, last)

    def signed_from(self, commit: int) -> int | None:
        """The first commit from this one on that carries a signature."""
        query = "SELECT id FROM commits WHERE id >= ? AND length(signature) > 0 ORDER BY id LIMIT 1"
        return self._value(int, query, commit)

    def time_of(self, commit: int) -> int | None:
        return self._value(int, "SELECT time FROM commits WHERE id = ?", commit)

    def house_events_like(self, part: bytes, since: int) -> list[bytes]:
        """The events of the house that have these bytes in them, from a commit on."""
        query = "SELECT event FROM events WHERE stream = 'house' AND id >= ? AND instr(event, ?) ORDER BY id"
        return [
            event for (event,) in self._checked((bytes,), self._all(query, self._first_event_after(since - 1), part))
        ]

    def counts_between(self, first: int, last: int) -> tuple[int, int, int]:
        """How many commits, events and entries there are from one commit to another."""
        start, end = self._first_event_after(first - 1), self._first_event_after(last)
        counted = (("commits", "id", first, last + 1), ("events", "id", start, end), ("entries", "event", start, end))
        commits, events, entries = (
            self._one(f"SELECT count(*) FROM {table} WHERE {key} >= ? AND {key} < ?", low, high)[0]
            for table, key, low, high in counted
        )
        return commits, events, entries

    def last_rows(self) -> tuple[int, int, int, int]:
        """The last event and the commit that it names; the last event of an entry; the last commit of a secret."""
        event, commit = self._one("SELECT id, commit_id FROM events ORDER BY id DESC LIMIT 1") or (0, 0)
        booked = self._value(int, "SELECT event FROM entries ORDER BY event DESC, position DESC LIMIT 1") or 0
        sealed = self._value(int, "SELECT commit_id FROM secrets ORDER BY commit_id DESC LIMIT 1") or 0
        return event, commit, booked, sealed

    def is_signed(self, chain: str, number: int, signature: bytes) -> bool:
        """Whether a commit carries this signature; where there is one chain, its number is its place."""
        query = "SELECT chain, number, signature FROM commits WHERE id >= ? ORDER BY id"
        return any(row == (chain, number, signature) for row in self._all(query, number))

    def first_commit(self) -> int:
        return self._value(int, "SELECT id FROM commits ORDER BY id LIMIT 1") or 0

    def done(self, actors: Sequence[str], command_id: str) -> DoneRow | None:
        """What stands in the list of commits of a command that was carried out already, if it was."""
        by_index = "SELECT id FROM commits WHERE actor = ? AND command_id = ? AND command_id <> ''"
        by_place = f"SELECT {', '.join(DoneRow._fields)} FROM commits NOT INDEXED WHERE id = ?"
        for actor in actors:
            for (id,) in self._all(by_index, actor, command_id):
                for row in self._checked(_DONE, self._all(by_place, id)):
                    done = DoneRow(*row)
                    if (done.actor, done.command_id) == (actor, command_id):
                        return done
                raise Unreadable(f"{self.path.name} is damaged: a command is listed where there is none.")
        return None

    def newest_of_older(self) -> int | None:
        """The time of the newest record of the first version, if there is one."""
        return self._value(int, "SELECT time FROM events ORDER BY id DESC LIMIT 1")

    # The books.

    def balance(self, account: str) -> Cents:
        return self._value(int, "SELECT balance FROM accounts WHERE name = ?", account) or 0

    def balances(self) -> dict[str, Cents]:
        return dict(self._all("SELECT name, balance FROM accounts ORDER BY name"))

    def entries(self, stream: str, first: int = 1, last: int | None = None) -> Iterator[Booking]:
        """The entries that the events of a stream made, from the first of these events to the last."""
        end = self.head(stream)[0] if last is None else last
        page = f"SELECT {_BOOKING} WHERE events.stream = ? AND sequence BETWEEN ? AND ? ORDER BY sequence, position"
        for start in range(first, end + 1, PAGE):
            rows = self._all(page, stream, start, min(start + PAGE - 1, end))
            yield from (_booking(*row) for row in rows)

    def statement(self, account: str) -> Iterator[Booking]:
        """The entries of an account, in the order they were booked."""
        page = " UNION ALL ".join(
            f"SELECT entries.event, position, {_BOOKING} WHERE {side} = ?1 AND (entries.event, position) > (?2, ?3)"
            for side in ("payer", "payee")
        )
        last = (0, 0)
        while rows := self._all(f"{page} ORDER BY 1, 2 LIMIT {PAGE}", account, *last):
            self._goes_on(last, rows[-1][:2])
            for event, position, *row in rows:
                last = (event, position)
                yield _booking(*row)

    def check_books(self) -> None:
        """G1: the accounts sum to zero, and each is what its entries make it."""
        for said in self.wrong_books():
            raise BadBooks(said)

    def wrong_books(self) -> Iterator[str]:
        """What is wrong with the accounts, a sentence each."""
        wrong = """
            SELECT name, balance, made FROM (
                SELECT account AS name, sum(cents) AS made FROM (
                    SELECT payee AS account, cents FROM entries UNION ALL SELECT payer, -cents FROM entries
                    UNION ALL SELECT name, 0 FROM accounts)
                GROUP BY account)
            LEFT JOIN accounts USING (name) WHERE balance IS NOT made ORDER BY name"""
        for name, balance, made in self._all(wrong):
            yield f"The account {name} stands at {balance} cents; its entries make {made}."
        (total,) = self._one("SELECT coalesce(sum(balance), 0) FROM accounts")
        if total:
            yield f"The accounts sum to {total} cents instead of zero."

    # What saves folding.

    def secret(self, root: str) -> bytes | None:
        """The sealed bytes of what a root commits to."""
        return self._value(bytes, "SELECT sealed FROM secrets WHERE root = ?", root)

    def secrets(self) -> list[SecretRow]:
        return [SecretRow(*row) for row in self._all("SELECT * FROM secrets ORDER BY root")]

    def old_heads(self) -> list[Head]:
        return [Head(*row) for row in self._all("SELECT * FROM old_heads ORDER BY stream, sequence, time, public")]

    def snapshot(self, stream: str, until: int | None = None) -> tuple[int, bytes] | None:
        """The newest snapshot of a stream; `until` a number: the newest one not after it."""
        query = (
            "SELECT sequence, state FROM snapshots WHERE stream = ? AND sequence <= ? ORDER BY sequence DESC LIMIT 1"
        )
        return next(iter(_shortcuts(self._all(query, stream, 2**62 if until is None else until))), None)

    def snapshots(self, stream: str, since: int = 0) -> list[tuple[int, bytes]]:
        query = "SELECT sequence, state FROM snapshots WHERE stream = ? AND sequence >= ? ORDER BY sequence"
        return _shortcuts(self._all(query, stream, since))

    def snapshot_streams(self) -> list[str]:
        return [stream for (stream,) in self._all("SELECT DISTINCT stream FROM snapshots ORDER BY stream")]

    def checkpoint(self) -> tuple[int, bytes] | None:
        """The newest checkpoint, and the commit after which it was taken."""
        return next(iter(_shortcuts(self._all(f"{_CHECKPOINTS} DESC LIMIT 1"))), None)

    def checkpoints(self) -> list[tuple[int, bytes]]:
        return _shortcuts(self._all(_CHECKPOINTS))

    # Rounds.

    def rounds(self, stream: str, limit: int = 10, before: int | None = None) -> list[PlayedRound]:
        """The last rounds of a table, the newest first; `before` a number: those before it."""
        found = self._all(
            "SELECT * FROM rounds WHERE stream = ? AND round < ? ORDER BY round DESC LIMIT ?",
            *(stream, 2**62 if before is None else before, limit),
        )
        return [self._round(*row) for row in found]

    def rounds_of(self, player: str, limit: int = 10, skip: int = 0) -> list[PlayedRound]:
        """The last rounds in which a player had money, at any table, the newest first."""
        played = self._all(
            "SELECT rounds.* FROM played JOIN rounds USING (stream, round) WHERE account = ?"
            " ORDER BY played.id DESC LIMIT ? OFFSET ?",
            *(str(player_account(player)), limit, skip),
        )
        return [self._round(*row) for row in played]

    def last_played(self, stream: str, player: str, before: int | None = None) -> int | None:
        """The last round of a table in which a player had money; `before` a number: the last one before it."""
        query = (
            "SELECT round FROM played INDEXED BY played_by WHERE account = ? AND stream = ? AND round < ?"
            " ORDER BY id DESC LIMIT 1"  # rounds of one table are played in their order
        )
        return self._value(int, query, str(player_account(player)), stream, 2**62 if before is None else before)

    def _round(self, stream: str, number: int, first: int, last: int, time: int) -> PlayedRound:
        who = "SELECT account FROM played WHERE stream = ? AND round = ? ORDER BY id"
        players = tuple(account.removeprefix("player:") for (account,) in self._all(who, stream, number))
        return PlayedRound(stream, number, first, last, time, players)

    # People.

    def person(self, id: str) -> PersonRow | None:
        rows = self._checked((str, str, bytes, int), self._all("SELECT * FROM people WHERE id = ?", id))
        return PersonRow(*rows[0]) if rows else None

    def named(self, otherwise_than: str) -> list[PersonRow]:
        """Those whose name does not begin like this."""
        found = self._all("SELECT * FROM people WHERE substr(name, 1, ?) <> ?", len(otherwise_than), otherwise_than)
        return [PersonRow(*row) for row in self._checked((str, str, bytes, int), found)]

    def people(self) -> list[PersonRow]:
        return [PersonRow(*row) for row in self._all("SELECT * FROM people ORDER BY id")]

    def find_people(self, text: str, most: int) -> list[PersonRow]:
        """People whose name has this in it, in any case; robots are none."""
        query = (
            "SELECT * FROM people WHERE instr(lower(name), lower(?)) AND id NOT LIKE 'robot-%' ORDER BY name LIMIT ?"
        )
        return [PersonRow(*row) for row in self._checked((str, str, bytes, int), self._all(query, text, most))]

    def kept(self, owner: str, what: str) -> KeptRow | None:
        """What is kept outside the journal."""
        found = self._all("SELECT * FROM kept WHERE owner = ? AND what = ?", owner, what) if self._keeps else []
        rows = self._checked((str, str, bytes, str), found)
        return KeptRow(*rows[0]) if rows else None

    def all_kept(self, what: str | None = None) -> list[KeptRow]:
        """Everything that is kept outside the journal, or all of one kind."""
        if not self._keeps:
            return []
        query = "SELECT * FROM kept WHERE ? IS NULL OR what = ? ORDER BY owner, what"
        return [KeptRow(*row) for row in self._all(query, what, what)]

    @property
    def _keeps(self) -> bool:
        """Whether the file is of a version that keeps such things."""
        return version_of(self.connection) > OLDEST_JOURNAL

    def session(self, token: str) -> SessionRow | None:
        """A session by the digest of its token."""
        rows = self._checked((str, str, int, int), self._all("SELECT * FROM sessions WHERE token = ?", token))
        return SessionRow(*rows[0]) if rows else None

    def sessions(self) -> list[SessionRow]:
        return [SessionRow(*row) for row in self._all("SELECT * FROM sessions ORDER BY token")]

    def _run(self, sql: str, *values: Any) -> apsw.Cursor:
        return self.connection.execute(sql, values)

    def schema(self) -> Counter[Any]:
        """What the file says that it holds: tables, indexes and guards, and how often."""
        return Counter(self._all(SCHEMA_ROWS))

    def _all(self, sql: str, *values: Any) -> list[Any]:
        if self._is_given_up:
            raise StoreError("Reading the records was given up.")
        try:
            return self._run(sql, *values).fetchall()
        except (apsw.CorruptError, apsw.NotADBError, apsw.IOError, UnicodeDecodeError) as error:
            raise self._unreadable(str(error)) from error
        except OverflowError as error:
            raise self._unreadable("it holds a number at the end of what a file can number") from error
        except apsw.Error as error:
            raise StoreError(f"{self.path.name} cannot be read: {error}.") from error

    def _unreadable(self, why: str) -> Unreadable:
        return Unreadable(f"{self.path.name} cannot be read: {why}. Put a backup in its place.")

    def _checked(self, kinds: tuple[type, ...], rows: list[Any]) -> list[Any]:
        """Rows whose values are of these kinds: what is written as other bytes is not found by its key."""
        for row in rows:
            if tuple(map(type, row)) != kinds:
                raise self._unreadable("it holds values of another kind than Feltworks writes")
        return rows

    def _goes_on(self, after: Any, last: Any) -> None:
        """Whoever reads page after page comes nearer to the end with each: in a damaged index a key can lead back."""
        if last <= after:
            raise self._unreadable("its rows are not in their order")

    def _one(self, sql: str, *values: Any) -> Any:
        """The first row, if there is one."""
        return next(iter(self._all(sql, *values)), None)

    def _value(self, kind: type[T], sql: str, *values: Any) -> T | None:
        """What stands in the first row, if there is one."""
        rows = self._checked((kind,), self._all(sql, *values))
        return rows[0][0] if rows else None


class _Peekable:
    """Rows that are taken as long as they belong to what is asked for."""

    def __init__(self, rows: Iterator[Any]) -> None:
        self.rows = rows
        self.next = next(rows, None)

    def take(self, column: int, key: int) -> Iterator[Any]:
        """The next rows with this key in a column; those with a lesser one are out of order and left out."""
        while self.next is not None and self.next[column] <= key:
            row, self.next = self.next, next(self.rows, None)
            if row[column] == key:
                yield row


def _shortcuts(rows: list[Any]) -> list[tuple[int, bytes]]:
    """Snapshots or checkpoints. One that is of another kind than bytes is one that nobody has signed."""
    return [(at, state if isinstance(state, bytes) else b"") for at, state in rows if isinstance(at, int)]


def _entry(kind: str, payer: str, payee: str, cents: Cents) -> Entry:
    entry = Entry(Kind(kind), Account.parse(payer), Account.parse(payee), cents)
    if (str(entry.payer), str(entry.payee)) != (payer, payee):
        raise ValueError(f"{payer!r} or {payee!r} is not how an account is written")
    return entry


def _booking(
    stream: str,
    sequence: int,
    round: int,
    time: int,
    actor: str,
    kind: str,
    payer: str,
    payee: str,
    cents: Cents,
) -> Booking:
    return Booking(stream, sequence, round, time, actor, _entry(kind, payer, payee, cents))
