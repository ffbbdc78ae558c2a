"""A house that crashes at any moment keeps every promise; a failing seed is the bug report, and names the test."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from feltworks.floor import events as ev
from feltworks.floor.house import GRANT, House
from feltworks.floor.settings import TableSettings
from feltworks.floor.store import Store, StoreError
from feltworks.floor.table import Table
from feltworks.floor.verifying import verify
from tests.floor.sitting import one_for_the_money
from tests.floor.world import CARDS, DICE, KEYS, Crash, dying_at, simulate
from tests.quick import SEED, cases, share

both = pytest.mark.parametrize("tables", [CARDS, DICE], ids=["cards", "dice"])


@both
@pytest.mark.soak
@pytest.mark.rule("F-11", "F-16", "F-17")
@pytest.mark.parametrize("seed", cases(range(SEED, SEED + share(4, soak=100)), quick=[SEED]))
def test_a_house_that_crashes_at_any_moment_keeps_every_promise(
    seed: int, tables: list[TableSettings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulate(seed, tables, max(400, share(1_000, soak=1_500)), tmp_path, monkeypatch)


@both
@pytest.mark.slow
def test_the_same_seed_is_the_same_life(
    tables: list[TableSettings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failing seed can be run again; and the worlds are worth looking at: much is done, refused and crashed."""
    lives = []
    for n in range(2):
        (tmp_path / str(n)).mkdir()
        world = simulate(7, tables, 450, tmp_path / str(n), monkeypatch)
        lives.append((world.tables, world.books, list(world.done), world.crashes, world.refusals))
    assert lives[0] == lives[1]
    assert all(table.round_number >= 3 for table in world.tables.values())
    assert set(world.crashes) == {"between steps", "at a statement", "torn"}
    assert world.refusals > 10 and len(world.done) > 30


# Every statement of every commit.


def a_round(house: House, tick: Callable[[int], None]) -> Iterator[Callable[[], None]]:
    """A round of One For The Money, one commit after the other."""
    player, _ = house.guest()
    commands: list[ev.PlayerCommand] = [
        ev.Sit(2),
        ev.Place("ante", 500),
        ev.Place("three_card_bonus", 200),
        ev.Ready(),
        ev.Choose("trade"),
        ev.Choose("raise"),
    ]
    for n, command in enumerate(commands):
        yield lambda command=command, n=n: house.command("back", player, command, f"c{n}")  # type: ignore[misc]
        while (due := house.due("back")) is not None and due.doing != "clock":
            if house.live("back").table.round_number == 2:
                return
            tick(due.at)
            yield lambda due=due: house.deal_on("back", due.doing)  # type: ignore[misc]


@pytest.mark.slow
@pytest.mark.rule("F-17")
def test_a_crash_at_every_statement_of_every_commit_of_a_round_leaves_it_before_or_after(tmp_path: Path) -> None:
    now = 1_000

    def tick(at: int) -> None:
        nonlocal now
        now = max(now, at)

    crashes = befores = 0
    with Store(tmp_path / "records.db") as store:
        house = House(store, KEYS, lambda: now)
        house.open_table(CARDS[1])
        for step in a_round(house, tick):
            before, statement = house.live("back").table, 0
            found: list[Table] = []
            while True:  # the n-th statement for every n, until the step gets through
                statement += 1
                copy = tmp_path / f"crash {crashes}"

                def die(copy: Path = copy) -> None:
                    copy.mkdir()
                    for name in ("records.db", "records.db-wal"):
                        shutil.copy(tmp_path / name, copy / name)

                try:
                    with dying_at(store, statement, die):
                        step()
                except Crash:
                    crashes += 1
                    with Store(copy / "records.db") as left:
                        left.check_books()
                        found.append(House(left, KEYS, lambda: now).live("back").table)
                    shutil.rmtree(copy)
                    if house.live("back").table is not before:
                        break  # it died after the commit: in what is done besides
                else:
                    break
            after = house.live("back").table
            assert all(table in (before, after) for table in found)
            befores += sum(table == before for table in found)
    assert crashes > 100
    assert befores > 100


@pytest.mark.rule("F-17")
def test_a_disk_that_fails_at_any_statement_is_a_refusal_and_the_next_start_goes_on(tmp_path: Path) -> None:
    """G5: the house does not believe what could not be written."""
    for statement in range(1, 12):
        path = tmp_path / f"{statement}.db"
        with Store(path) as store:
            house = House(store, KEYS, lambda: 1_000)
            house.open_table(one_for_the_money())
            player, _ = house.guest()
            house.command("money", player, ev.Sit(1), "sit")
            house.deal_on("money", "start round")
            before = house.live("money").table

            def fail(*_: object, counter: list[int] = [statement]) -> bool:  # noqa: B006
                counter[0] -= 1
                if counter[0] == 0:
                    raise apsw.FullError("the disk is full")
                return True

            store.connection.exec_trace = fail
            try:
                house.command("money", player, ev.Place("ante", 500), "bet")
            except (StoreError, apsw.FullError):
                assert house.live("money").table is before
            finally:
                store.connection.exec_trace = None
        with Store(path) as store:
            again = House(store, KEYS, lambda: 1_000)
            done = store.answer_of(player, "bet") is not None
            assert again.balance(player) == GRANT - 500 * done
            again.command("money", player, ev.Place("ante", 500), "bet")
            assert again.balance(player) == GRANT - 500
        assert verify(path).ok
