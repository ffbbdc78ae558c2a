"""The floor's own work: a wager, durable commands beside bare appends, a start, a check of the records, their size.

`LONG=1` starts a house of a million events too, which takes minutes to make.
"""

import os
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw

from bench.timing import Rows, cpu_seconds
from feltworks.floor import administration
from feltworks.floor.accounts import Kind, player_account
from feltworks.floor.actors import person
from feltworks.floor.house import House
from feltworks.floor.journal.upcasting import decode_event, encode
from feltworks.floor.keys import Keys
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Placed
from feltworks.floor.table.decide import decide
from feltworks.floor.table.entries import entries
from feltworks.floor.table.evolve import evolve
from feltworks.floor.table.settings import Limits, TableSettings
from feltworks.floor.table.state import Table
from feltworks.floor.verification.verify import verify
from feltworks.web.demo import TABLES
from tests.floor.sitting import ScriptedChance, Sitting

TIMES, COMMANDS = 5_000, 1_000
SHORT, LONG = 10_000, 1_000_000 if os.environ.get("LONG") else 100_000
KEYS = Keys(bytes(32), bytes(range(32)))
LIMITS = Limits(1, 100_000_000)
TABLE = TableSettings("money", "A table", "one-for-the-money", {"ante": LIMITS, "three_card_bonus": LIMITS})
UNDER = next(settings for settings in TABLES if settings.id == "under")
BET = cmd.Place("ante", 1)
ENOUGH, CASHIER = 1_000, person("cashier")
SCHEMA = (
    "CREATE TABLE events (event BLOB); CREATE TABLE entries (text TEXT); CREATE TABLE answers (id TEXT PRIMARY KEY)"
)


def run() -> Rows:
    table = _betting()
    took = cpu_seconds(lambda: [_wager(table) for _ in range(TIMES)]) / TIMES
    yield f"{TIMES:,} wagers decided, booked and evolved", took * TIMES, f"{took * 1e6:.0f} µs each (target: below 200)"
    with TemporaryDirectory() as folder:
        bare, own = _per_second(_appends(Path(folder) / "bare.db"), _commands(Path(folder) / "house.db"))
        yield f"{COMMANDS:,} bare appends: event, entry, answer", COMMANDS / bare, f"{bare:,.0f} a second on this disk"
        yield (
            f"{COMMANDS:,} durable commands through the house",
            COMMANDS / own,
            f"{own:,.0f} a second on this disk, {own / bare:.2f} of bare appends (target: at least 0.5)",
        )
        short, long = Path(folder) / "short.db", Path(folder) / "long.db"
        bytes_a_round = _rounds(short, SHORT)
        yield "a round of Down Under with three seats", 0.0, f"{bytes_a_round / 1_000:.1f} kB of file"
        _rounds(long, LONG)
        starts = [min(cpu_seconds(partial(_opened, path)) for _ in range(5)) for path in (short, long)]
        yield (
            f"a start with {LONG:,} events beside one with {SHORT:,}",
            starts[1],
            f"{starts[1] / starts[0]:.2f} times as long (target: at most 1.5)",
        )
        fold, check = cpu_seconds(lambda: _folded(short)), cpu_seconds(lambda: verify(short, KEYS.public))
        yield (
            f"{SHORT:,} events verified, beside a bare fold of them",
            check,
            f"{check / fold:.2f} times as long (target: at most 3), {SHORT / check:,.0f} events a second",
        )


def _betting() -> Table:
    sitting = Sitting(TABLE)
    sitting.join("ann", 1)
    sitting.start()
    return sitting.table


def _wager(table: Table) -> Table | None:
    """What the house does with a wager: the rules are asked once, and the new table comes with the event."""
    (event,), (before, after) = decide(table, BET, person("ann"), lambda _: 100_000, 1, ScriptedChance("", ()))
    entries(before, event)
    return after


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
    """The least that a durable command can cost: three rows in one transaction."""
    event = encode(ev.Answered(Placed(1, "ante", 1)))
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    for _ in connection.execute(SCHEMA):
        pass
    for n in range(COMMANDS):
        with connection:
            connection.execute("INSERT INTO events VALUES (?)", (event,))
            connection.execute("INSERT INTO entries VALUES (?)", ("wager taken player:ann table:t 1",))
            connection.execute("INSERT INTO answers VALUES (?)", (str(n),))
        yield
    connection.close()


def _commands(path: Path) -> Iterator[None]:
    """Chips put down one by one, as a player does it."""
    house = House(Store(path), KEYS, lambda: 1)
    house.open_table(TABLE)
    player, _ = house.people.guest()
    house.command("money", player, cmd.Sit(1), "sit")
    house.deal_on("money", "start round")
    for n in range(COMMANDS):
        house.command("money", player, BET, str(n))
        yield
    house.close()


def _opened(path: Path) -> None:
    House(Store(path), KEYS, lambda: 1).store.close()


def _folded(path: Path) -> None:
    """Every event read, decoded and folded, and nothing else."""
    with Reader(path) as store:
        table: Table | None = None
        for record in store.read(UNDER.id):
            event = decode_event(record.stream, record.event)
            assert isinstance(event, ev.Event)
            table = evolve(table, event, record.time)


def _rounds(path: Path, events: int) -> float:
    """Three players of Down Under who see every hand through, until there are so many events; the bytes of a round.
    What the disk takes is not measured here."""
    store = Store(path)
    store.connection.pragma("synchronous", "off")
    now = [1_700_000_000_000]
    house = House(store, KEYS, lambda: now[0])
    house.open_table(UNDER)
    players = [house.people.guest()[0] for _ in range(3)]
    for seat, player in enumerate(players, 1):
        house.command("under", player, cmd.Sit(seat))
    before = _size(store)
    while (table := house.live("under").table).version < events or table.round is not None:
        _next(house, table, players, now)
    rounds = table.round_number
    house.close()
    with Reader(path) as reader:
        return (_size(reader) - before) / rounds


def _next(house: House, table: Table, players: list[str], now: list[int]) -> None:
    if table.betting and not table.wagers:
        for n, player in enumerate(players):
            if house.balance(player) < ENOUGH:
                account = str(player_account(player))
                house.book(administration.Book(Kind.BUY_IN.value, "cage cash", account, 100 * ENOUGH, "more"), CASHIER)
            for spot in ("ante", "bet"):
                house.command("under", player, cmd.Place(spot, 100), f"{table.version}-{n}-{spot}")
        for n, player in enumerate(players):
            house.command("under", player, cmd.Ready(), f"{table.version}-{n}-ready")
    elif table.to_act:
        assert table.step is not None
        seat = min(table.to_act)
        house.command("under", players[seat - 1], cmd.Choose(table.step.options[-1].name), f"{table.version}")  # type: ignore[union-attr]
    else:
        due = house.due("under")
        assert due is not None
        now[0] = max(now[0], due.at)
        house.deal_on("under", due.doing)


def _size(store: Reader) -> int:
    return int(store.connection.pragma("page_count")) * int(store.connection.pragma("page_size"))
