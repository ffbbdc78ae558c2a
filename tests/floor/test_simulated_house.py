"""A house that crashes at any moment keeps every promise; a failing seed is the bug report, and names the test."""

import shutil
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import apsw
import pytest

from feltworks.floor.accounts import player_account
from feltworks.floor.actors import PROGRAM
from feltworks.floor.actors import person as by_person
from feltworks.floor.administration import Book
from feltworks.floor.house import House
from feltworks.floor.journal.journal import finish_key_change
from feltworks.floor.keys import Keys
from feltworks.floor.people import GRANT
from feltworks.floor.person import Grant, OpenSession
from feltworks.floor.store.schema import StoreError
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import person_stream
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.table.state import Table
from feltworks.floor.verification.verify import verify
from tests.floor.done import commit_of
from tests.floor.sitting import one_for_the_money
from tests.floor.world import CARDS, DICE, KEYS, PROGRESSIVE, Crash, dying_at, everything, simulate
from tests.quick import SEED, cases, share

NOW = 1_000
RENEWED = Keys(bytes(32), b"r" * 32)
COMMANDS = set(
    "OpenTable Sit Leave Place Ready Choose Connection StartRound GoOn EndRound ClockRanOut VoidRound Report Resolve"
    " AdmitGuest OpenSession EndSession Grant Propose Sign AddPerson GiveRoles Forget NoteJump RestartClocks"
    " ChangeSettings VerifyWin Claim".split()
)
"""What every world carries out sooner or later; rarer ones are not waited for."""

both = pytest.mark.parametrize("tables", [CARDS, DICE], ids=["cards", "dice"])
every = pytest.mark.parametrize("tables", [CARDS, DICE, PROGRESSIVE], ids=["cards", "dice", "jackpots"])


@every
@pytest.mark.soak
@pytest.mark.rule("F-11", "F-16", "F-17", "F-24", "F-25", "F-26", "F-40")
@pytest.mark.parametrize("seed", cases(range(SEED, SEED + share(4, soak=100)), quick=[SEED]))
def test_a_house_that_crashes_at_any_moment_keeps_every_promise(
    seed: int, tables: list[TableSettings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = simulate(seed, tables, max(400, share(1_000, soak=1_500)), tmp_path, monkeypatch)
    assert tables is not PROGRESSIVE or world.happened["Registered"]


@both
@pytest.mark.slow
def test_the_same_seed_is_the_same_life(
    tables: list[TableSettings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failing seed can be run again; and the worlds are worth looking at: much is done, refused and crashed."""
    lives = []
    for n in range(2):
        (tmp_path / str(n)).mkdir()
        world = simulate(9, tables, 1_400, tmp_path / str(n), monkeypatch)
        lives.append((world.states, world.books, world.done, world.acts, world.crashes, world.refusals, world.tokens))
    assert lives[0] == lives[1]
    assert all(table.round_number >= 3 for table in world.tables.values())
    assert set(world.crashes) == {"between steps", "at a statement", "torn", "closed"}
    assert world.refusals > 10 and len(world.done) > 30
    assert set(world.carried_out) >= COMMANDS
    assert len(world.people) > 5


# Every statement of every commit.


def a_round(house: House, tick: Callable[[int], None]) -> Iterator[Callable[[], None]]:
    """A round of One For The Money, one commit after the other."""
    player, _ = house.people.guest()
    commands: list[cmd.PlayerCommand] = [
        cmd.Sit(2),
        cmd.Place("ante", 500),
        cmd.Place("three_card_bonus", 200),
        cmd.Ready(),
        cmd.Choose("trade"),
        cmd.Choose("raise"),
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


# Every statement of a commit outside the rounds.


def at_the_table(folder: Path) -> tuple[str, str]:
    """A house with a round in which somebody has bet: who that is, and the session."""
    with Store(folder / "records.db") as store:
        house = House(store, KEYS, lambda: NOW)
        house.open_table(one_for_the_money())
        player, token = house.people.guest()
        house.command("money", player, cmd.Sit(1), "sit")
        house.deal_on("money", "start round")
        house.command("money", player, cmd.Place("ante", 500), "bet")
    return player, token


ACTS: dict[str, Callable[[House, str, str], object]] = {
    "a guest joins": lambda house, player, token: house.people.guest(),
    "a session is opened": lambda house, player, token: house.carry_out(
        person_stream(player), OpenSession("ab" * 32, NOW + 5), PROGRAM
    ),
    "a session is ended": lambda house, player, token: house.people.end_session(token),
    "somebody is forgotten": lambda house, player, token: house.forget(player, "asked for it"),
    "play money is granted": lambda house, player, token: house.carry_out(
        person_stream(player), Grant(700, "a birthday"), PROGRAM
    ),
    "money moves": lambda house, player, token: house.book(
        Book("cash-out", str(player_account(player)), "cage cash", 700, "at the cage"), PROGRAM
    ),
    "a table is opened": lambda house, player, token: house.open_table(CARDS[1]),
    "a connection is lost": lambda house, player, token: house.connection("money", player, present=False),
    "something is reported": lambda house, player, token: house.pit.report("money", cmd.Report("a spill"), PROGRAM),
    "a round is void": lambda house, player, token: house.void("money", "the lights went out"),
    "other settings are posted": lambda house, player, token: house.change_settings(
        "money", one_for_the_money(seats=4)
    ),
    "a limit is set": lambda house, player, token: house.staff.set_limit(player, "loss", 700),
    "somebody says who they are": lambda house, player, token: house.exclusions.give_details(
        player, "Bea Moss", "1950-01-31", "B1111", by_person(player)
    ),
    "a self-exclusion list is imported": lambda house, player, token: import_list(house),
    "somebody is barred": lambda house, player, token: house.staff.bar(player, "elsewhere", "a test", PROGRAM),
    "the key is changed": lambda house, player, token: house.change_keys(RENEWED),
}


def import_list(house: House) -> None:
    header = "name,date of birth,document number,from,until"
    file = house.exclusions.read(f"{header}\nAda Quill,1950-12-31,WDL123456,1960-01-01,\n".encode())
    house.exclusions.look_at(file)
    house.exclusions.confirm(file.digest, PROGRAM)


@pytest.mark.slow
@pytest.mark.rule("F-16", "F-17")
@pytest.mark.parametrize("words", ACTS)
def test_a_crash_at_every_statement_of_what_is_done_outside_the_play_leaves_all_of_it_or_nothing(
    words: str, tmp_path: Path
) -> None:
    (tmp_path / "base").mkdir()
    player, token = at_the_table(tmp_path / "base")
    found: list[bool] = []
    for statement in count(1):
        life, left = tmp_path / f"life {statement}", tmp_path / f"left {statement}"
        shutil.copytree(tmp_path / "base", life)
        with Store(life / "records.db") as store:
            house = House(store, KEYS, lambda: NOW)
            before, last = everything(store), store.last_commit()
            try:
                with dying_at(store, statement, partial(copy_records, life, left)):
                    ACTS[words](house, player, token)
            except Crash:
                found.append(is_done(left, before, last))
            else:
                assert store.last_commit() == last + 1
                break
        shutil.rmtree(life)
        shutil.rmtree(left)
    assert found == sorted(found)  # nothing of it up to one moment, and all of it from then on
    assert found.count(False) > 4


def copy_records(life: Path, left: Path) -> None:
    left.mkdir()
    for name in ("records.db", "records.db-wal"):
        shutil.copy(life / name, left / name)


def is_done(left: Path, before: dict[str, list[Any]], last: int) -> bool:
    """Whether a crash left what was done; otherwise it left everything as it was. The house starts in any case."""
    with Store(left / "records.db") as store:
        done = store.last_commit() == last + 1
        assert done or everything(store) == before
        store.check_books()
        keys = RENEWED if finish_key_change(store, KEYS, RENEWED) else KEYS
        house = House(store, keys, lambda: NOW)
        assert not house.fault and not house.closed and "money" in house.tables
    report = verify(left / "records.db", keys.public)
    assert report.ok, report.problems
    return done


@pytest.mark.rule("F-17")
def test_a_disk_that_fails_at_any_statement_is_a_refusal_and_the_next_start_goes_on(tmp_path: Path) -> None:
    """G5: the house does not believe what could not be written."""
    for statement in range(1, 12):
        path = tmp_path / f"{statement}.db"
        with Store(path) as store:
            house = House(store, KEYS, lambda: 1_000)
            house.open_table(one_for_the_money())
            player, _ = house.people.guest()
            house.command("money", player, cmd.Sit(1), "sit")
            house.deal_on("money", "start round")
            before = house.live("money").table

            def fail(*_: object, counter: list[int] = [statement]) -> bool:  # noqa: B006
                counter[0] -= 1
                if counter[0] == 0:
                    raise apsw.FullError("the disk is full")
                return True

            store.connection.exec_trace = fail
            try:
                house.command("money", player, cmd.Place("ante", 500), "bet")
            except (StoreError, apsw.FullError):
                assert house.live("money").table is before
            finally:
                store.connection.exec_trace = None
        with Store(path) as store:
            again = House(store, KEYS, lambda: 1_000)
            done = commit_of(store, [str(by_person(player))], "bet") is not None
            assert again.balance(player) == GRANT - 500 * done
            again.command("money", player, cmd.Place("ante", 500), "bet")
            assert again.balance(player) == GRANT - 500
        assert verify(path).ok
