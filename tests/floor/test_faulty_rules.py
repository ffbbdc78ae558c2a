"""A table whose game has faulty rules: the round is void, every wager goes back, and nothing is half done."""

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
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.table.state import Table
from feltworks.floor.verification.verify import verify
from feltworks.games import load
from tests.floor.sitting import LIMITS
from tests.floor.world import KEYS

FAULTY = Path(__file__).parents[1] / "faulty"
SPOTS = {"no-loss": ["ante"], "dropped-bonus": ["base", "six"], "nothing-carried": ["base", "ride", "field"]}


class FaultyTable:
    """One person at a table of a faulty game, in a house whose shuffles and rolls are always the same."""

    def __init__(self, name: str, folder: Path, patch: pytest.MonkeyPatch) -> None:
        seeds = count(1)
        patch.setattr("feltworks.floor.chance.sealed.fresh_seed", lambda: next(seeds).to_bytes(32, "big"))
        patch.setattr("feltworks.floor.table.settings.load", lambda game: load(game, [FAULTY]))
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


ENDLESS = """\
from dataclasses import dataclass

from feltworks.kit import EVEN, Roll, Round, task


@dataclass(frozen=True)
class Endless(Round):
    def play(self):
        yield self.game.betting("open")
        yield Roll(1)
        yield task(self.settle)

    def settle(self):
        left = self.dice[0]
        while left:
            left = left + 1
        yield self.win(self.playing[0], "ante", "Won", EVEN, "T-1")


ROUND = Endless
"""
TOML = """\
name = "endless"
title = "Endless"
summary = "A rule that never ends."
rules = "toy"
seats = 2

[versions.toy]
title = "for the tests"
wagers = ["ante"]

[wagers.ante]
title = "Ante"
required = true
"""


@pytest.mark.rule("F-17", "F-27")
def test_rules_that_go_on_for_ever_stop_their_table_with_words_and_the_others_go_on(
    sit: list[FaultyTable], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feltworks.floor.house.LONGEST_RULES", 0.2)
    folder = tmp_path / "games" / "endless"
    folder.mkdir(parents=True)
    (folder / "game.toml").write_text(TOML, "utf-8")
    (folder / "rules.py").write_text(ENDLESS, "utf-8")
    at = FaultyTable("no-loss", tmp_path, monkeypatch)
    sit.append(at)
    monkeypatch.setattr("feltworks.floor.table.settings.load", lambda game: load(game, [FAULTY, folder.parent]))
    at.house.open_table(TableSettings("endless", "Endless", "endless", {"ante": LIMITS}, seats=2))
    other = at.house.people.guest()[0]
    at.house.command("endless", other, cmd.Sit(1))
    before = at.house.balance(other)

    def deal() -> None:
        while (due := at.house.due("endless")) is not None and due.doing not in ("clock", "free seats"):
            at.now = max(at.now, due.at)
            at.house.deal_on("endless", due.doing)

    deal()
    at.house.command("endless", other, cmd.Place("ante", 500))
    at.house.command("endless", other, cmd.Ready())
    deal()
    table = at.house.live("endless").table
    assert table.service == "paused"
    assert "The rule Endless.settle of Endless goes on for ever" in table.service_reason
    assert at.house.balance(other) == before
    at.bet()
    assert at.table.round is not None
