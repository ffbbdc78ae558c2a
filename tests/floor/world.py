"""A whole house under one seed, with crashes: tables, ledger and store in one thread, and time that only a step moves.

Several players do whatever comes to mind at several tables; the dealer deals; clocks run out; connections are lost; and
the house crashes: between two steps, at some statement of a commit, or with the last write to the log torn. After every
step what is known in two ways is the same both ways.
"""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from feltworks.floor import events as ev
from feltworks.floor.deciding import Refused
from feltworks.floor.house import GRANT, House
from feltworks.floor.money import HOUSE, Settled, player_account
from feltworks.floor.records import HOUSE_STREAM, decode_event
from feltworks.floor.sealing import Keys
from feltworks.floor.settings import Clocks, TableSettings
from feltworks.floor.store import Store
from feltworks.floor.table import Table, bookings, evolve
from feltworks.floor.verifying import verify
from feltworks.kit import steps
from feltworks.kit.cards import Seat
from tests.floor.killing import everything
from tests.floor.sitting import bands, in_between, one_for_the_money, point, riding, with_toys, yo

PAGE = 4_096
KEYS = Keys(bytes(32), bytes(range(32)))
CARDS = [
    one_for_the_money(seats=3),
    TableSettings(
        "back",
        "Where traded cards go back",
        "one-for-the-money",
        one_for_the_money().limits,
        readings={"traded_card": "back"},
        clocks=Clocks(seat=40_000),
        rounding="chip up",
        chip=100,
        seats=2,
    ),
    in_between(shuffling="shoe", decks=1, penetration=60, pay={"in_between": "B"}, seats=2, idle=2),
    bands(shuffling="shoe", penetration=100, burn=7),
]
DICE = [
    point(),
    riding(clocks=Clocks(seat=40_000), idle=2),
    yo(readings={"arc_win_left": "all", "yo_on_point_made": "rides", "yo_seven_eleven": "stays_off"}),
]


class Crash(BaseException):
    """The power is gone."""


class World:
    """The house, everybody around it, and what they know of it."""

    def __init__(self, seed: int, tables: Sequence[TableSettings], folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.random = Random(seed)
        self.now = 1_700_000_000_000
        with_toys(patch)
        patch.setattr("feltworks.floor.house.ROLLS", 4)
        patch.setattr("feltworks.floor.house.fresh_seed", lambda: self.random.randbytes(32))
        names = SimpleNamespace(
            token_hex=lambda n: self.random.randbytes(n).hex(), token_urlsafe=lambda n: self.random.randbytes(n).hex()
        )
        patch.setattr("feltworks.floor.house.secrets", names)
        self.folder, self.lives = folder, 0
        self.done: dict[tuple[str, str], None] = {}
        self.unsure: list[tuple[str, str, ev.PlayerCommand, str]] = []
        self.crashes = Counter[str]()
        self.refusals = self.steps = 0
        self.tables: dict[str, Table] = {}
        self.net = Counter[str]()
        self.books = Counter[str]()
        self._start(self._next_folder())
        for settings in tables:
            self.house.open_table(settings)
        self.players = [self.house.guest()[0] for _ in range(6)]

    # Lives of the house.

    def _next_folder(self) -> Path:
        self.lives += 1
        folder = self.folder / f"life {self.lives}"
        folder.mkdir()
        return folder

    def _start(self, folder: Path) -> None:
        self.home = folder
        self.house = House(Store(folder / "records.db"), KEYS, lambda: self.now)

    def copied(self) -> Path:
        """The files as they are now, as a crash would leave them; the lock and, now and then, the index go with it."""
        folder = self._next_folder()
        kept = ["records.db", "records.db-wal"] + ["records.db-shm"] * self.random.randrange(2)
        for name in kept:
            if (self.home / name).exists():
                shutil.copy(self.home / name, folder / name)
        return folder

    def restart(self, folder: Path) -> None:
        """The old life is over; a new one starts from what the disk holds."""
        old = self.home
        self.house.store.close()
        shutil.rmtree(old)
        self._start(folder)
        for unsure in list(self.unsure):
            player, id = unsure[1], unsure[3]
            if self.house.store.answer_of(player, id) is not None:
                self.done[player, id] = None
                self.unsure.remove(unsure)

    # Steps.

    def step(self) -> None:
        self.steps += 1
        act = self.random.choices(
            [self.command, self.deal, self.repeat, self.connection, self.wait, self.void, self.crash],
            [40, 45, 6, 6, 3, 1, 5],
        )[0]
        act()

    def command(self) -> None:
        """Somebody gives a command that may make sense or not."""
        player = self.random.choice(self.players)
        seated = [name for name, live in self.house.tables.items() if live.table.seat_of(player)]
        table = self.random.choice(seated if seated and self.random.random() < 0.8 else list(self.house.tables))
        self.give(table, player, self._some_command(table, player), f"c{self.random.randrange(10**9)}")

    def _some_command(self, name: str, player: str) -> ev.PlayerCommand:
        table, chance = self.house.live(name).table, self.random
        if chance.random() < 0.1:
            spots = ["ante", "raise", "base", "in_between", "three_card_bonus", "line", "ride", "moon"]
            odd: list[ev.PlayerCommand] = [
                ev.Sit(chance.randint(-1, 9)),
                ev.Place(chance.choice(spots), chance.choice([-5, 0, 1, 99, 10**9, 500])),
                ev.TakeUp(chance.choice(spots)),
                ev.Choose(chance.choice(["check", "stand", "fly"]), chance.choice([None, 0, 500, -1])),
            ]
            return chance.choice(odd)
        if table.seat_of(player) is None:
            return ev.Sit(chance.randint(1, table.settings.seats))
        if isinstance(table.step, steps.Choose):
            return ev.Choose(chance.choice(["check", *(option.name for option in table.step.options)]))
        opens = [spot for wager in table.game.wagers.values() for spot in wager.opens]
        usual: list[ev.PlayerCommand] = [
            ev.Place(opens[0], 100 * chance.randint(1, 30)),
            ev.Place(opens[1], 100 * chance.randint(1, 10)),
            ev.Place(chance.choice(opens), 100 * chance.randint(1, 10) + 1),
            ev.TakeUp(chance.choice(opens)),
            ev.Collect(chance.choice(opens)),
            ev.Ready(),
            ev.Leave(),
        ]
        return chance.choices(usual, [8, 4, 2, 1, 1, 8, 1])[0]

    def give(self, table: str, player: str, command: ev.PlayerCommand, id: str) -> None:
        """Give a command; refused, it changes nothing (G5)."""
        before, live = everything(self.house.store), self.house.live(table).table
        self.unsure.append((table, player, command, id))
        try:
            self.house.command(table, player, command, id)
        except Refused:
            assert everything(self.house.store) == before
            assert self.house.live(table).table is live
            self.refusals += 1
        else:
            self.done[player, id] = None
        self.unsure.pop()

    def repeat(self) -> None:
        """A command is sent again: one whose answer never came, or one that was answered long ago (G7)."""
        if self.unsure:
            unsure = self.unsure.pop(0)
            self.give(*unsure)
        elif self.done:
            player, id = self.random.choice(list(self.done))
            before = everything(self.house.store)
            table = self.random.choice(list(self.house.tables))
            self.house.command(table, player, self._some_command(table, player), id)
            assert everything(self.house.store) == before

    def deal(self) -> None:
        """The dealer does what is due, when it is due."""
        due = [(next.at, name, next.doing) for name in self.house.tables if (next := self.house.due(name))]
        if not due:
            return
        at, name, doing = min(due)
        if doing != "clock" or self.random.random() < 0.3:
            self.now = max(self.now, at)
            self.house.deal_on(name, doing)

    def connection(self) -> None:
        table, player = self.random.choice(list(self.house.tables)), self.random.choice(self.players)
        self.house.connection(table, player, present=self.random.random() < 0.6)

    def wait(self) -> None:
        self.now += self.random.choice([1, 500, 30_000, 400_000])

    def void(self) -> None:
        name = self.random.choice(list(self.house.tables))
        try:
            self.house.void(name, "the lights went out")
        except Refused:
            self.refusals += 1

    # Crashes.

    def crash(self) -> None:
        kind = self.random.choice(["between steps", "at a statement", "torn"])
        self.crashes[kind] += 1
        if kind == "between steps":
            self.restart(self.copied())
        elif kind == "at a statement":
            self._crash_at(self.random.randrange(1, 16))
        else:
            self._torn()

    def _crash_at(self, statement: int) -> None:
        """The next step ends at its n-th statement, if it has so many."""
        left: list[Path] = []
        with dying_at(self.house.store, statement, lambda: left.append(self.copied())), suppress(Crash):
            self.random.choice([self.command, self.deal])()
        self.restart(left[0] if left else self.copied())

    def _torn(self) -> None:
        """Of what the next step writes to the log, only a part comes to the disk: the step may never have been."""
        files = ("records.db", "records.db-wal")
        before = [(self.home / name).read_bytes() for name in files]
        states = {name: live.table for name, live in self.house.tables.items()}
        table = self.random.choice(list(self.house.tables))
        player = self.random.choice(self.players)
        unsure = (table, player, self._some_command(table, player), f"t{self.random.randrange(10**9)}")
        try:
            self.house.command(*unsure)
        except Refused:
            return
        folder = self.copied()
        (folder / "records.db-shm").unlink(missing_ok=True)
        after = [(self.home / name).read_bytes() for name in files]
        if after[0] == before[0] and len(after[1]) >= len(before[1]):
            old, new = before[1].ljust(len(after[1]), b"\0"), after[1]
            pages = [at for at in range(0, len(new), PAGE) if old[at : at + PAGE] != new[at : at + PAGE]]
            changed = [at for page in pages for at in range(page, min(page + PAGE, len(new))) if old[at] != new[at]]
            cut = self.random.choice(changed)
            torn = bytearray(new[:cut] + old[cut:])
            if self.random.random() < 0.5:
                torn = torn[: max(cut, len(before[1]))]
            (folder / "records.db-wal").write_bytes(torn)
            self.unsure.append(unsure)
            self.restart(folder)
            assert self.house.live(table).table.version >= states[table].version
            if unsure in self.unsure:
                assert {name: live.table for name, live in self.house.tables.items()} == states
        else:
            self.done[unsure[1], unsure[3]] = None
            self.restart(folder)

    # What must hold.

    def check(self) -> None:
        store = self.house.store
        store.check_books()
        self._fold_on()
        balances = store.balances()
        assert {name: cents for name, cents in self.books.items() if cents} == {n: c for n, c in balances.items() if c}
        for player in self.players:
            balance, staked = balances[player_account(player)], self._in_action(player)
            assert balance >= 0
            assert balance == GRANT + self.net[player] - staked
        for name, live in self.house.tables.items():
            assert live.table == self.tables[name]
            assert set(live.shoes) == live.table.roots
            if live.table.round is not None:
                for token, face in live.table.round.cards.items():
                    root, position = live.table.positions[token]
                    assert face.card in (None, self.house._shoe(live, root).card(position))
            if live.table.deadline is not None:
                assert self.house.due(name) is not None
        for player, id in list(self.done)[-3:]:
            assert store.answer_of(player, id) is not None

    def _fold_on(self) -> None:
        """The tables and the books, made anew from the records that came since the last look."""
        for stream in self.house.store.streams():
            if stream == HOUSE_STREAM:
                continue
            for record in self.house.store.read(stream, self.tables[stream].version if stream in self.tables else 0):
                before, event = self.tables.get(stream), decode_event(record.event)
                assert record.hash == record.true_hash
                for entry in bookings(before, event):
                    self.books[entry.payer] -= entry.cents
                    self.books[entry.payee] += entry.cents
                for settled in results(event):
                    assert before is not None
                    self.net[before.seats[settled.seat].player] += settled.net
                self.tables[stream] = evolve(before, event, record.time)

    def _in_action(self, player: str) -> int:
        staked = 0
        for table in self.tables.values():
            seat = table.seat_of(player)
            if seat is not None:
                lying = (*table.wagers.items(), *table.winnings.items())
                staked += sum(int(cents) for (s, _), cents in lying if s == Seat(seat))
        return staked

    def begin(self) -> None:
        for player in self.players:
            self.books[HOUSE] -= GRANT
            self.books[player_account(player)] += GRANT

    def end(self) -> None:
        """Everything that was ever acknowledged is there, all of it verifies, and a replay is identical."""
        for player, id in self.done:
            assert self.house.store.answer_of(player, id) is not None
        path = self.home / "records.db"
        live = {name: (live.table, live.since, live.shoes) for name, live in self.house.tables.items()}
        self.house.store.close()
        report = verify(path, KEYS.public)
        assert report.ok, report.problems
        with Store(path) as store:
            again = House(store, KEYS, lambda: self.now)
            assert {name: (live.table, live.since, live.shoes) for name, live in again.tables.items()} == live


def results(event: ev.Event) -> list[Settled]:
    match event:
        case ev.Answered(_, effects):
            return [effect for effect in effects if isinstance(effect, Settled)]
        case ev.Voided(returned=returned):
            return returned
    return []


@contextmanager
def dying_at(store: Store, statement: int, last: Callable[[], Any]) -> Iterator[None]:
    """Inside, the n-th statement that is run is the last thing that ever happens."""
    run = 0

    def watch(*_: object) -> bool:
        nonlocal run
        run += 1
        if run == statement:
            store.connection.exec_trace = None
            last()
            raise Crash
        return True

    store.connection.exec_trace = watch
    try:
        yield
    finally:
        store.connection.exec_trace = None


def simulate(seed: int, tables: Sequence[TableSettings], steps: int, folder: Path, patch: pytest.MonkeyPatch) -> World:
    world = World(seed, tables, folder, patch)
    world.begin()
    try:
        for _ in range(steps):
            world.step()
            world.check()
        world.end()
    except BaseException:
        print(f"seed {seed}, after {world.steps} steps")
        raise
    finally:
        world.house.store.close()
    return world
