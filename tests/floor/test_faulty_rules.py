"""A table whose game has faulty rules: the round is void, every wager goes back, and nothing is half done."""

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from feltworks.floor.actors import person
from feltworks.floor.house import House
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.people import GRANT
from feltworks.floor.refusal import Refused
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table import running_rules
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.table.state import Table
from feltworks.floor.verification.verify import verify
from feltworks.games import load
from tests.floor.sitting import LIMITS
from tests.floor.world import KEYS

FAULTY = Path(__file__).parents[1] / "faulty"
SPOTS = {"no-loss": ["ante"], "dropped-bonus": ["base", "six"], "nothing-carried": ["base", "ride", "field"]}


def spoilt(folder: Path, file: str, rule: str, instead: str) -> Path:
    """A folder with the game of one die, of which one rule reads otherwise."""
    shutil.copytree(FAULTY / "dropped_bonus", folder / "dropped_bonus")
    rules = folder / "dropped_bonus" / file
    before, heading, _ = rules.read_text("utf-8").partition(rule)
    assert heading
    rules.write_text(f"{before}{instead}\n\nROUND = DroppedBonus\nBONUSES = {{}}\n", "utf-8")
    return folder


RAISES = "    def settle(self) -> Items:\n        yield from ()\n        print(1 // 0)\n"
LOOPS = "    def settle(self) -> Items:\n        yield from ()\n        while True:\n            pass\n"
LOOPS_AT_THE_END = """    def settle(self) -> Items:
        yield self.lose(self.playing[0], "base", "Low", "T-52")

    @property
    def carry(self) -> dict[str, int]:
        while True:
            pass
"""
CANNOT_CARRY = (
    RAISES
    + """
    @property
    def carry(self) -> dict[str, int]:
        return {"rolled": 1 // 0}
"""
)
SETTLE = "    def settle(self)"


class FaultyTable:
    """One person at a table of a faulty game, in a house whose shuffles and rolls are always the same."""

    def __init__(self, name: str, folder: Path, patch: pytest.MonkeyPatch, games: Path = FAULTY) -> None:
        seeds = count(1)
        patch.setattr("feltworks.floor.chance.sealed.fresh_seed", lambda: next(seeds).to_bytes(32, "big"))
        patch.setattr("feltworks.floor.table.settings.load", lambda game: load(game, [games]))
        self.path, self.now, self.spots = folder / "records.db", 1_000, SPOTS[name]
        self.store = Store(self.path)
        self.house = House(self.store, KEYS, lambda: self.now)
        self.house.open_table(TableSettings("t", "Faulty", name, dict.fromkeys(self.spots, LIMITS), seats=2))
        self.player = self.house.people.guest()[0]
        self.house.command("t", self.player, cmd.Sit(1))

    @property
    def table(self) -> Table:
        return self.house.live("t").table

    def deal(self) -> None:
        while (due := self.house.due("t")) is not None and due.doing not in ("clock", "free seats"):
            self.now = max(self.now, due.at)
            self.house.deal_on("t", due.doing)

    def bet(self) -> None:
        self.deal()
        for spot in self.spots:
            self.house.command("t", self.player, cmd.Place(spot, 500))
        self.house.command("t", self.player, cmd.Ready())
        self.deal()

    def voided(self) -> list[ev.Voided]:
        events = (decode_event("t", record.event) for record in self.store.read("t"))
        return [event for event in events if isinstance(event, ev.Voided)]


@pytest.fixture
def sit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[FaultyTable]]:
    """Tables to be closed when the test is over."""
    found: list[FaultyTable] = []
    yield found
    for table in found:
        table.store.close()
        report = verify(table.path, KEYS.public)
        assert report.ok, report.problems


@pytest.mark.rule("F-17", "F-11")
@pytest.mark.parametrize(
    ("name", "wager", "rule"),
    [
        ("dropped-bonus", "Six of seat 1", "DroppedBonus.settle (T-52 and T-53)"),
        ("nothing-carried", "Ride of seat 1", "NothingCarried.settle (T-62 to T-64)"),
    ],
)
def test_where_the_rules_forget_a_wager_the_round_is_void_and_every_wager_goes_back(
    name: str, wager: str, rule: str, sit: list[FaultyTable], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dealer's roll would have settled one wager and lost another: neither happens, and the record says why."""
    at = FaultyTable(name, tmp_path, monkeypatch)
    sit.append(at)
    while not at.voided():
        before = at.house.balance(at.player)
        at.bet()
    [void] = at.voided()
    assert wager in void.reason and f"The rule {rule} of" in void.reason
    assert sorted(back.spot for back in void.returned) == sorted(at.spots)
    assert at.house.balance(at.player) == before
    assert not at.table.wagers and not at.table.winnings
    at.store.check_books()
    assert at.table.service == "paused" and at.table.service_reason == void.reason
    assert at.house.due("t") is None
    at.house.resume("t")
    at.bet()
    assert at.table.round_number > void.round


@pytest.mark.rule("F-17", "F-07")
def test_who_makes_the_choice_by_which_the_rules_fail_is_told_that_the_round_is_void(
    sit: list[FaultyTable], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = FaultyTable("no-loss", tmp_path, monkeypatch)
    sit.append(at)
    told, asked = "", ""
    while not told:
        at.bet()
        balance, asked = at.house.balance(at.player), f"show {at.table.round_number}"
        try:
            at.house.command("t", at.player, cmd.Choose("show"), asked)
        except Refused as refusal:
            told = str(refusal)
        at.deal()
    assert told.startswith("The round is void and every wager goes back: The rule NoLoss.settle (T-42) of No Loss")
    assert at.house.balance(at.player) == balance + 500
    assert at.store.done([str(person(at.player))], asked) is None
    assert [void.returned[0].returned for void in at.voided()] == [500]
    with pytest.raises(
        Refused, match=r"^The table is paused: The rule NoLoss.settle .* \(no_loss/rules.py:\d+\)\. Wait"
    ):
        at.house.command("t", at.player, cmd.Place("ante", 500))


@pytest.mark.rule("F-30", "F-17")
def test_a_clock_that_runs_out_into_faulty_rules_voids_the_round_too(
    sit: list[FaultyTable], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = FaultyTable("no-loss", tmp_path, monkeypatch)
    sit.append(at)
    while not at.voided():
        before = at.house.balance(at.player)
        at.bet()
        at.now = at.table.deadline or 0
        at.house.deal_on("t", "clock")
    assert at.house.balance(at.player) == before <= GRANT + 500 * at.table.round_number


@pytest.mark.rule("F-17", "F-28")
@pytest.mark.parametrize(
    ("settle", "said"),
    [
        (
            RAISES,
            "The rule DroppedBonus.settle of Dropped Bonus fails with ZeroDivisionError: integer division or modulo by"
            " zero (dropped_bonus/rules.py:29).",
        ),
        (CANNOT_CARRY, "The rule DroppedBonus.settle of Dropped Bonus fails with ZeroDivisionError"),
        (
            LOOPS,
            "The rule DroppedBonus.settle of Dropped Bonus goes on for ever; let it end, or yield a step"
            " (dropped_bonus/rules.py:",
        ),
    ],
    ids=["it raises", "so does what it hands on", "it loops for ever"],
)
def test_rules_that_fail_or_never_end_stop_their_table_alone_and_say_in_which_line(
    settle: str, said: str, sit: list[FaultyTable], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wagers go back, the table is paused until somebody lets it go on, and the table beside it plays."""
    monkeypatch.setattr(running_rules, "LONGEST", 0.2)
    at = FaultyTable("dropped-bonus", tmp_path, monkeypatch, spoilt(tmp_path / "games", "rules.py", SETTLE, settle))
    sit.append(at)
    monkeypatch.setattr("feltworks.floor.table.settings.load", lambda game: load(game, [FAULTY]))
    at.house.open_table(TableSettings("beside", "Beside", "no-loss", {"ante": LIMITS}, seats=2))
    before = at.house.balance(at.player)
    at.bet()
    [void] = at.voided()
    assert void.reason.startswith(said) and void.reason == at.table.service_reason
    assert at.house.balance(at.player) == before and not at.table.wagers
    assert at.table.service == "paused" and at.house.due("t") is None
    at.store.check_books()

    other = at.house.people.guest()[0]
    at.house.command("beside", other, cmd.Sit(1))
    at.now = max(at.now, at.house.due("beside").at)  # type: ignore[union-attr]
    at.house.deal_on("beside", "start round")
    at.house.command("beside", other, cmd.Place("ante", 500))
    assert at.house.live("beside").table.wagers


@pytest.mark.rule("F-17")
def test_rules_that_never_end_a_round_which_is_settled_take_back_nothing_of_it(
    sit: list[FaultyTable], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_rules, "LONGEST", 0.2)
    games = spoilt(tmp_path / "games", "rules.py", SETTLE, LOOPS_AT_THE_END)
    at = FaultyTable("dropped-bonus", tmp_path, monkeypatch, games)
    sit.append(at)
    at.spots = ["base"]
    before = at.house.balance(at.player)
    at.bet()
    assert not at.voided() and at.house.balance(at.player) == before - 500
    assert at.table.service == "paused" and "DroppedBonus.carry" in at.table.service_reason
