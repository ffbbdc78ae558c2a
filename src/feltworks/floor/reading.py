"""Reading the records: streams, books, rounds, players. Any number of processes may, while one writes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Self, TypeVar

import apsw

from feltworks.floor.database import StoreError, connect
from feltworks.floor.events import Time
from feltworks.floor.money import Entry, Kind, player_account
from feltworks.floor.records import FIRST, Head, Record
from feltworks.floor.settings import Cents

T = TypeVar("T", bytes, int, str)


class BadBooks(StoreError):
    """The accounts are not what the entries make them."""


@dataclass(frozen=True)
class Booking:
    """An entry in the books with the event, round and actor it names (F-11)."""

    stream: str
    sequence: int
    round: int
    time: Time
    actor: str
    entry: Entry


@dataclass(frozen=True)
class Player:
    id: str
    name: str
    joined: Time


@dataclass(frozen=True)
class PlayedRound:
    """Where a round stands in the records, for recall (F-18)."""

    stream: str
    round: int
    first: int
    last: int
    time: Time
    players: tuple[str, ...]


COLUMNS = "stream, sequence, time, actor, command, round, event, previous, hash"
_BOOKING = (
    "stream, sequence, round, time, actor, kind, payer, payee, cents"
    " FROM events JOIN entries ON entries.event = events.id"
)

# From each stream straight to the next: far quicker than a look at every event.
_STREAMS = """
    WITH RECURSIVE found (stream) AS (
        SELECT min(stream) FROM events
        UNION ALL
        SELECT (SELECT min(stream) FROM events WHERE stream > found.stream) FROM found WHERE stream > '')
    SELECT stream FROM found WHERE stream IS NOT NULL"""


class Reader:
    """The records of a house, as they stand in its file."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).resolve()
        self.connection = self._connect()

    def _connect(self) -> apsw.Connection:
        return connect(self.path, writable=False)

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """What is read inside is of one moment, whatever is written meanwhile."""
        self._run("BEGIN")
        try:
            self._one("SELECT count(*) FROM players")  # the moment is that of the first reading
            yield
        finally:
            self._run("ROLLBACK")

    def streams(self) -> list[str]:
        return [stream for (stream,) in self._all(_STREAMS)]

    def head(self, stream: str) -> tuple[int, str]:
        """The last sequence number of a stream and its hash."""
        last = "SELECT sequence, hash FROM events WHERE stream = ? ORDER BY sequence DESC LIMIT 1"
        return self._one(last, stream) or (0, FIRST)

    def read(self, stream: str, after: int = 0, until: int | None = None) -> Iterator[Record]:
        """The records of a stream in their order."""
        page = f"SELECT {COLUMNS} FROM events WHERE stream = ? AND sequence > ? ORDER BY sequence LIMIT 500"
        while rows := self._all(page, stream, after):
            for row in rows:
                record = Record(*row)
                if until is not None and record.sequence > until:
                    return
                yield record
            after = record.sequence

    def answer_of(self, actor: str, command: str) -> bytes | None:
        """What a command was answered, if it was carried out already."""
        return self._value(bytes, "SELECT answer FROM answers WHERE actor = ? AND command = ?", actor, command)

    def secret(self, root: str) -> bytes | None:
        """The sealed bytes of what a root commits to."""
        return self._value(bytes, "SELECT sealed FROM secrets WHERE root = ?", root)

    def balance(self, account: str) -> Cents:
        return self._value(int, "SELECT balance FROM accounts WHERE name = ?", account) or 0

    def balances(self) -> dict[str, Cents]:
        return dict(self._all("SELECT name, balance FROM accounts ORDER BY name"))

    def entries(self, stream: str, first: int = 1, last: int | None = None) -> Iterator[Booking]:
        """The entries that the events of a stream made, from the first of these events to the last."""
        end = self.head(stream)[0] if last is None else last
        page = f"SELECT {_BOOKING} WHERE stream = ? AND sequence BETWEEN ? AND ? ORDER BY sequence, position"
        for start in range(first, end + 1, 500):
            rows = self._all(page, stream, start, min(start + 499, end))
            yield from (_booking(*row) for row in rows)

    def statement(self, account: str) -> Iterator[Booking]:
        """The entries of an account, in the order they were booked."""
        page = " UNION ALL ".join(
            f"SELECT entries.event, position, {_BOOKING} WHERE {side} = ?1 AND (entries.event, position) > (?2, ?3)"
            for side in ("payer", "payee")
        )
        last = (0, 0)
        while rows := self._all(f"{page} ORDER BY 1, 2 LIMIT 500", account, *last):
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

    def heads(self) -> list[Head]:
        rows = self._all("SELECT * FROM heads ORDER BY stream, sequence, time, public")
        return [Head(*row) for row in rows]

    def latest_snapshot(self, stream: str) -> tuple[int, bytes] | None:
        row = self._one("SELECT sequence, state FROM snapshots WHERE stream = ?", stream)
        return (row[0], row[1]) if row else None

    def rounds(self, stream: str, limit: int = 10, before: int | None = None) -> list[PlayedRound]:
        """The last rounds of a table, the newest first; `before` a number: those before it."""
        numbers = self._all(
            "SELECT DISTINCT round FROM events WHERE stream = ? AND round > 0 AND round < ?"
            " ORDER BY round DESC LIMIT ?",
            *(stream, 2**62 if before is None else before, limit),
        )
        return [self._round(stream, number) for (number,) in numbers]

    def rounds_of(self, player: str, limit: int = 10, skip: int = 0) -> list[PlayedRound]:
        """The last rounds in which a player had money, at any table, the newest first."""
        played = self._all(
            "SELECT stream, round FROM played WHERE account = ? ORDER BY id DESC LIMIT ? OFFSET ?",
            *(player_account(player), limit, skip),
        )
        return [self._round(stream, number) for stream, number in played]

    def _round(self, stream: str, number: int) -> PlayedRound:
        first, last, time = self._one(
            "SELECT min(sequence), max(sequence), min(time) FROM events WHERE stream = ? AND round = ? AND round > 0",
            *(stream, number),
        )
        who = "SELECT account FROM played WHERE stream = ? AND round = ? ORDER BY id"
        players = tuple(account.removeprefix("player:") for (account,) in self._all(who, stream, number))
        return PlayedRound(stream, number, first, last, time, players)

    def player(self, player: str) -> Player | None:
        row = self._one("SELECT id, name, joined FROM players WHERE id = ?", player)
        return Player(*row) if row else None

    def player_count(self) -> int:
        return int(self._all("SELECT count(*) FROM players")[0][0])

    def players(self) -> list[Player]:
        return [Player(*row) for row in self._all("SELECT id, name, joined FROM players ORDER BY id")]

    def session(self, token: str, now: Time) -> str | None:
        """The player whose session a token opens, unless it has expired."""
        query = "SELECT player FROM sessions WHERE token = ? AND expires > ?"
        return self._value(str, query, hashed(token), now)

    def _run(self, sql: str, *values: Any) -> apsw.Cursor:
        return self.connection.execute(sql, values)

    def _all(self, sql: str, *values: Any) -> list[Any]:
        return self._run(sql, *values).fetchall()

    def _one(self, sql: str, *values: Any) -> Any:
        """The first row, if there is one."""
        return next(iter(self._all(sql, *values)), None)

    def _value(self, kind: type[T], sql: str, *values: Any) -> T | None:
        """What stands in the first row, if there is one."""
        row = self._one(sql, *values)
        return kind(row[0]) if row else None


def _booking(
    stream: str,
    sequence: int,
    round: int,
    time: Time,
    actor: str,
    kind: str,
    payer: str,
    payee: str,
    cents: Cents,
) -> Booking:
    return Booking(stream, sequence, round, time, actor, Entry(Kind(kind), payer, payee, cents))


def hashed(token: str) -> bytes:
    """What is kept of a session's token."""
    return sha256(token.encode()).digest()
