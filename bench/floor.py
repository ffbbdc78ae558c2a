"""A table's own work beside the disk's: a wager decided and evolved, and durable commands beside bare appends."""

import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.timing import Rows, cpu_seconds
from feltworks.floor import events as ev
from feltworks.floor.deciding import decide
from feltworks.floor.house import House
from feltworks.floor.money import Entry, Kind, player_account, table_account
from feltworks.floor.records import encode_event
from feltworks.floor.sealing import Keys
from feltworks.floor.settings import Limits, TableSettings
from feltworks.floor.store import Batch, Draft, Reply, Store
from feltworks.floor.table import Table, bookings, evolve
from feltworks.floor.verifying import verify
from tests.floor.sitting import Sitting

TIMES, COMMANDS, ROUNDS = 5_000, 1_000, 300
LIMITS = Limits(1, 100_000_000)
TABLE = TableSettings("money", "A table", "one-for-the-money", {"ante": LIMITS, "three_card_bonus": LIMITS})
BET = ev.Place("ante", 1)


def run() -> Rows:
    table = _betting()
    took = cpu_seconds(lambda: [_wager(table) for _ in range(TIMES)]) / TIMES
    yield f"{TIMES:,} wagers decided, booked and evolved", took * TIMES, f"{took * 1e6:.0f} µs each (target: below 200)"
    with TemporaryDirectory() as folder:
        path = Path(folder) / "house.db"
        bare, own = _per_second(_appends(Path(folder) / "bare.db"), _commands(path))
        yield f"{COMMANDS:,} bare appends: event, entry, answer", COMMANDS / bare, f"{bare:,.0f} a second on this disk"
        yield (
            f"{COMMANDS:,} durable commands through the house",
            COMMANDS / own,
            f"{own:,.0f} a second on this disk, {own / bare:.2f} of bare appends (target: at least 0.5)",
        )
        rounds = Path(folder) / "rounds.db"
        events = _rounds(rounds)
        quick = cpu_seconds(lambda: _opened(rounds))
        with Store(rounds) as store:
            store.connection.execute("DELETE FROM snapshots")
        again = cpu_seconds(lambda: _opened(rounds))
        yield f"a house of {events:,} events folded from the first", again, f"{events / again:,.0f} events a second"
        yield "the same from its snapshot", quick, f"{again / quick:.0f} times as fast"
        check = cpu_seconds(lambda: verify(path))
        yield "the records of the commands verified and replayed", check, f"{COMMANDS / check:,.0f} events a second"


def _betting() -> Table:
    sitting = Sitting(TABLE)
    sitting.join("ann", 1)
    sitting.start()
    return sitting.table


def _wager(table: Table) -> Table:
    (event,) = decide(table, BET, "ann", "Ann", lambda _: 100_000, 1)
    bookings(table, event)
    return evolve(table, event, 1)


def _per_second(*works: Iterator[None]) -> list[float]:
    """By the clock, because the disk is what counts; in turns, because others use it too."""
    took = [0.0] * len(works)
    for _ in range(COMMANDS):
        for n, work in enumerate(works):
            start = time.perf_counter()
            next(work)
            took[n] += time.perf_counter() - start
    for work in works:
        next(work, None)
    return [COMMANDS / seconds for seconds in took]


def _appends(path: Path) -> Iterator[None]:
    event = encode_event(ev.Answered(["place", 1, "ante", 1]))
    entry = Entry(Kind.WAGER_TAKEN, player_account("ann"), table_account("t"), 1)
    with Store(path) as store:
        store.add_player("ann", "Ann", 0, grant=COMMANDS)
        for n in range(COMMANDS):
            store.append(Batch("t", n, [Draft(n, "ann", event, [entry], 1, str(n))], reply=Reply("ann", str(n), b"{}")))
            yield


def _opened(path: Path) -> None:
    with Store(path) as store:
        House(store, Keys(bytes(32), bytes(32)), lambda: 1)


def _rounds(path: Path) -> int:
    """Rounds of one player who checks; how many events they made. What the disk takes is not measured here."""
    with Store(path) as store:
        store.connection.pragma("synchronous", "off")
        house = House(store, Keys(bytes(32), bytes(32)), lambda: 1)
        house.open_table(TABLE)
        player, _ = house.guest()
        house.command("money", player, ev.Sit(1))
        while house.live("money").table.round_number <= ROUNDS:
            table = house.live("money").table
            if table.betting:
                house.command("money", player, BET)
                house.command("money", player, ev.Ready())
            elif table.to_act:
                house.command("money", player, ev.Choose("check"))
            else:
                due = house.due("money")
                assert due is not None
                house.deal_on("money", due.doing)
        return house.live("money").table.version


def _commands(path: Path) -> Iterator[None]:
    """Chips put down one by one, as a player does it."""
    with Store(path) as store:
        house = House(store, Keys(bytes(32), bytes(32)), lambda: 1)
        house.open_table(TABLE)
        player, _ = house.guest()
        house.command("money", player, ev.Sit(1), "sit")
        house.deal_on("money", "start round")
        for n in range(COMMANDS):
            house.command("money", player, BET, str(n))
            yield
