"""A table's own work beside the disk's: a wager decided and evolved, and durable commands beside bare appends."""

import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.timing import Rows, cpu_seconds
from feltworks.floor import events as ev
from feltworks.floor.house import House
from feltworks.floor.money import Entry, Kind, player_account, table_account
from feltworks.floor.records import encode_event
from feltworks.floor.sealing import Keys
from feltworks.floor.settings import Limits, TableSettings
from feltworks.floor.store import Batch, Draft, Reply, Store
from feltworks.floor.table import Table, bookings, decide, evolve
from feltworks.floor.verifying import verify
from tests.floor.sitting import Sitting

TIMES, COMMANDS = 5_000, 1_000
LIMITS = Limits(1, 100_000_000)
TABLE = TableSettings("money", "A table", "one-for-the-money", {"ante": LIMITS, "three_card_bonus": LIMITS})
BET = ev.Place("ante", 1)


def run() -> Rows:
    table = _betting()
    took = cpu_seconds(lambda: [_wager(table) for _ in range(TIMES)]) / TIMES
    yield f"{TIMES:,} wagers decided, booked and evolved", took * TIMES, f"{took * 1e6:.0f} µs each (target: below 200)"
    with TemporaryDirectory() as folder:
        bare = _per_second(lambda: _appends(Path(folder) / "bare.db"))
        yield f"{COMMANDS:,} bare appends: event, entry, answer", COMMANDS / bare, f"{bare:,.0f} a second on this disk"
        path = Path(folder) / "house.db"
        own = _per_second(lambda: _commands(path))
        yield (
            f"{COMMANDS:,} durable commands through the house",
            COMMANDS / own,
            f"{own:,.0f} a second on this disk, {own / bare:.2f} of bare appends (target: at least 0.5)",
        )
        again = cpu_seconds(lambda: _opened(path))
        yield f"a house of {COMMANDS:,} events opened again", again, f"{COMMANDS / again:,.0f} events a second"
        check = cpu_seconds(lambda: verify(path))
        yield "its records verified and replayed", check, f"{COMMANDS / check:,.0f} events a second"


def _betting() -> Table:
    sitting = Sitting(TABLE)
    sitting.join("ann", 1)
    sitting.start()
    return sitting.table


def _wager(table: Table) -> Table:
    (event,) = decide(table, BET, "ann", "Ann", lambda _: 100_000, 1)
    bookings(table, event)
    return evolve(table, event, 1)


def _per_second(work: Callable[[], object]) -> float:
    """By the clock, because the disk is what counts."""
    start = time.perf_counter()
    work()
    return COMMANDS / (time.perf_counter() - start)


def _appends(path: Path) -> None:
    event = encode_event(ev.Answered(["place", 1, "ante", 1]))
    entry = Entry(Kind.WAGER_TAKEN, player_account("ann"), table_account("t"), 1)
    with Store(path) as store:
        store.add_player("ann", "Ann", 0, grant=COMMANDS)
        for n in range(COMMANDS):
            store.append(Batch("t", n, [Draft(n, "ann", event, [entry], 1, str(n))], reply=Reply("ann", str(n), b"{}")))


def _opened(path: Path) -> None:
    with Store(path) as store:
        House(store, Keys(bytes(32), bytes(32)), lambda: 1)


def _commands(path: Path) -> None:
    """Chips put down one by one, as a player does it."""
    with Store(path) as store:
        house = House(store, Keys(bytes(32), bytes(32)), lambda: 1)
        house.open_table(TABLE)
        player, _ = house.guest()
        house.command("money", player, ev.Sit(1), "sit")
        house.deal_on("money", "start round")
        for n in range(COMMANDS):
            house.command("money", player, BET, str(n))
