"""What a progressive jackpot costs: a wager that is registered beside one that is only placed, and sixty tables that
play for one meter beside sixty with prizes of their own."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.timing import Rows
from feltworks.floor.actors import PROGRAM
from feltworks.floor.house import House
from feltworks.floor.jackpot.commands import SeedJackpot
from feltworks.floor.jackpot.meter import meter_account, reserve_account
from feltworks.floor.jackpot.terms import Terms
from feltworks.floor.keys import Keys
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.registered import played_by
from feltworks.floor.table.settings import Clocks, Limits, Pace, TableSettings
from feltworks.kit import steps

KEYS = Keys(bytes(32), bytes(range(32)))
TABLES, SEATS, ROUNDS = 60, 5, 2
PLACED, REGISTERED, OTHER = "a wager is placed", "wagers are registered", "anything else"
HOUR = 3_600_000
SPOTS = ("ante", "bet", "jackpot")
MAIN = "main"
TODAY = 1_767_268_800_000


def run() -> Rows:
    with TemporaryDirectory() as folder:
        took = dict[str, list[float]]()
        for name, progressive in (("with a meter", True), ("with prizes", False)):
            with Crowd(Path(folder) / f"{name}.db", progressive) as crowd:
                found = crowd.play()
                crowd.check()
            if progressive:
                placed, registered = median(found[PLACED]), median(found[REGISTERED])
                yield (
                    f"a commit that registers the wagers of {SEATS} seats",
                    registered,
                    f"{registered / placed:.2f} x a wager of {placed * 1e3:.2f} ms (target: at most 1.5)",
                )
            took[name] = [one for times in found.values() for one in times]
        meter, prizes = (late(took[name]) for name in ("with a meter", "with prizes"))
        yield (
            f"{TABLES} tables, {SEATS} seats each, {len(took['with a meter']):,} commits: p99 with one meter",
            meter,
            f"{meter / prizes:.2f} x with prizes of their own, {prizes * 1e3:.2f} ms (target: at most 2)",
        )


def late(took: list[float]) -> float:
    return sorted(took)[len(took) * 99 // 100]


class Crowd:
    """Everybody plays at all tables, one command after the other, each durable by itself."""

    def __init__(self, path: Path, progressive: bool) -> None:
        self.now, self.progressive = TODAY, progressive
        self.house = House(Store(path), KEYS, lambda: self.now)
        opened(self.house, TABLES, SEATS, progressive)

    def __enter__(self) -> "Crowd":
        return self

    def __exit__(self, *_: object) -> None:
        self.house.close()

    def play(self) -> dict[str, list[float]]:
        """Every table one step after the other, until each has played its rounds: how long each commit took."""
        took: dict[str, list[float]] = {PLACED: [], REGISTERED: [], OTHER: []}
        playing = [self.rounds(name) for name in list(self.house.tables)]
        snapshots = 0
        while playing:
            for one in list(playing):
                step = next(one, None)
                if step is None:
                    playing.remove(one)
                    continue
                kind, work = step
                version, start = self.version, time.perf_counter()
                work()
                after = time.perf_counter() - start
                took[REGISTERED if self.version > version else kind].append(after)
            snapshots += 1
            if snapshots % 10 == 0:
                self.exact()
        return took

    @property
    def version(self) -> int:
        meter = self.house.jackpots.meter(MAIN)
        return 0 if meter is None else meter.version

    def rounds(self, name: str) -> Iterator[tuple[str, Callable[[], object]]]:
        house = self.house
        while house.live(name).table.last_over < ROUNDS:
            self.now += 1
            table = house.live(name).table
            if table.round is None:
                yield OTHER, partial(house.deal_on, name, "start round")
            elif table.betting:
                players = [who.player for who in table.seats.values()]
                for player in players:
                    for spot in SPOTS:
                        yield PLACED, partial(house.command, name, player, cmd.Place(spot, 100))
                for player in players:
                    yield OTHER, partial(house.command, name, player, cmd.Ready())
            elif table.to_act:
                assert isinstance(table.step, steps.Choose)
                option = "check" if table.step.options[0].name == "check" else "1x"
                player = table.seats[min(table.to_act)].player
                yield OTHER, partial(house.command, name, player, cmd.Choose(option))
            else:
                yield OTHER, partial(house.deal_on, name, "end round" if table.round.over else "answer")

    def exact(self) -> None:
        """The meter is what lies behind it, to the cent."""
        for meter in self.house.jackpots.all():
            behind = [self.house.account(str(of(meter.id))) for of in (meter_account, reserve_account)]
            assert behind == [meter.meter, meter.reserve] == [meter.in_meter.left, meter.in_reserve.left]

    def check(self) -> None:
        """All rounds are settled, and the books are right."""
        self.exact()
        assert all(live.table.last_over == ROUNDS for live in self.house.tables.values())
        self.house.store.check_books()
        for meter in self.house.jackpots.all():
            assert self.house.jackpots.wrong_books(meter.id, self.house.store) == []
            assert meter.wagered == TABLES * SEATS * ROUNDS * 100


def opened(house: House, tables: int, seats: int, progressive: bool) -> list[list[str]]:
    """Tables that play for one meter, or for prizes of their own, with guests at every seat: their tokens, by table."""
    made = [settings(f"table-{n}", progressive) for n in range(tables)]
    if progressive:
        terms = Terms("The Big One", played_by(made[0]), 100_000, "3/5", "1/7", 100_000_000)
        house.jackpots.open(MAIN, terms, PROGRAM)
        house.jackpots.give(MAIN, SeedJackpot(100_000, 50_000, "to begin with"), PROGRAM)
    tokens = []
    for one in made:
        if progressive:
            house.jackpots.link(MAIN, one, PROGRAM)
        house.open_table(one)
        guests = [house.people.guest() for _ in range(seats)]
        for seat, (player, _) in enumerate(guests, 1):
            house.command(one.id, player, cmd.Sit(seat))
        tokens.append([token for _, token in guests])
    return tokens


def settings(id: str, progressive: bool) -> TableSettings:
    return TableSettings(
        id,
        f"Table {id}",
        "down-under-holdem",
        {**dict.fromkeys(("ante", "bet"), Limits(100, 10_000)), "jackpot": Limits(100, 100)},
        pay={"jackpot": "3"},
        without=("trips_or_better", "match_the_dealer"),
        seats=SEATS,
        clocks=Clocks(HOUR, HOUR, HOUR, HOUR),
        pace=Pace(0, 0, 0, 0),
        **({"jackpot": MAIN} if progressive else {"prize": 1_000_000}),
    )
