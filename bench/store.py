"""Durable appends beside the least that a durable write can cost: one row, one commit."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw

from bench.timing import Rows, cpu_seconds
from feltworks.floor.money import Entry, Kind
from feltworks.floor.records import Record
from feltworks.floor.store import Batch, Draft, Reply, Store
from feltworks.floor.verifying import Report, verify

TIMES = 2_000
EVENT = b'{"answer":["place",2,"ante",500],"effects":[],"kind":"answered"}'
ENTRIES = [
    Entry(Kind.WAGER_TAKEN, "player:ann", "table:t", 500),
    Entry(Kind.WAGER_RETURNED, "table:t", "player:ann", 500),
]


def run() -> Rows:
    with TemporaryDirectory() as folder:
        bare, bare_time = _timed(lambda: _bare(Path(folder) / "bare.db"))
        yield f"{TIMES:,} bare commits of one row", bare, f"{TIMES / bare_time:,.0f} a second on this disk"
        with Store(Path(folder) / "house.db") as store:
            store.add_player("ann", "Ann", 0, grant=1_000)
            own, own_time = _timed(lambda: _appends(store))
        yield (
            f"{TIMES:,} appends: event, two entries, answer",
            own,
            f"{TIMES / own_time:,.0f} a second on this disk, {bare_time / own_time:.0%} of bare commits",
        )
        check = cpu_seconds(lambda: verify(store.path, replay=lambda _: _Nothing()))
        yield "their chain and books verified", check, f"{TIMES / check:,.0f} events a second"


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    """Processor seconds and, because the disk is what counts here, seconds by the clock."""
    start = time.perf_counter()
    cpu = cpu_seconds(work)
    return cpu, time.perf_counter() - start


def _bare(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.execute("CREATE TABLE rows (event BLOB)")
    for _ in range(TIMES):
        connection.execute("INSERT INTO rows VALUES (?)", (EVENT,))
    connection.close()


def _appends(store: Store) -> None:
    for n in range(TIMES):
        draft = Draft(n, "ann", EVENT, ENTRIES, 1 + n // 20, str(n))
        store.append(Batch("t", n, [draft], reply=Reply("ann", str(n), b"{}")))


class _Nothing:
    """No rules to replay by: only the chain and the books are looked at."""

    def check(self, record: Record, entries: list[Entry], report: Report) -> Iterator[str]:
        yield from ()
