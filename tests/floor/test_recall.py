"""A round told again from its records: every pay as it was booked, and a void as a void."""

from pathlib import Path

import pytest

from feltworks.cli.floor_commands import replay
from feltworks.floor.house import House
from feltworks.floor.keys import Keys
from feltworks.floor.people import GRANT
from feltworks.floor.recall import replayed
from feltworks.floor.store.sqlite import Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.settings import TableSettings
from feltworks.kit.errors import UnknownName
from tests.floor.sitting import in_between, one_for_the_money
from tests.floor.test_house import Clock, deal, play_round, seated

KEYS = Keys(bytes(32), bytes(32))
WINS_ALWAYS = {"in_between": "7/6,7/6,7/6,7/6,7/6"}


def told(path: Path, table: str, capsys: pytest.CaptureFixture[str], number: int | None = None) -> str:
    replay(table, number, file=path)
    return capsys.readouterr().out


def rounds_of_in_between(path: Path, settings: TableSettings) -> tuple[int, int]:
    """Rounds until the bonus has won: the round, and what was booked for it."""
    clock = Clock()
    with Store(path) as store:
        house = House(store, KEYS, clock)
        house.open_table(settings)
        player = seated(house, "between", clock)
        while True:
            number = house.live("between").table.round_number
            house.command("between", player, cmd.Place("base", 500))
            house.command("between", player, cmd.Place("in_between", 100))
            house.command("between", player, cmd.Ready())
            while house.live("between").table.round_number == number:
                won = [s.paid for s in house.live("between").table.results if s.spot == "in_between" and s.paid]
                due = house.due("between")
                assert due is not None
                clock.now = max(clock.now, due.at)
                house.deal_on("between", due.doing)
            if won:
                return number, won[0]


@pytest.mark.rule("F-08", "F-18")
@pytest.mark.parametrize(
    ("rounding", "chip", "paid"), [("cent", 1, 117), ("chip down", 100, 100), ("chip up", 100, 200)]
)
def test_a_pay_is_told_as_it_was_booked_with_the_exact_one_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rounding: str, chip: int, paid: int
) -> None:
    settings = in_between(pay=WINS_ALWAYS, rounding=rounding, chip=chip)
    number, booked = rounds_of_in_between(tmp_path / "records.db", settings)
    assert booked == paid
    said = told(tmp_path / "records.db", "between", capsys, number)
    assert f"pays 7 to 6 (exactly 7/6) · wins {paid / 100:g} [" in said
    assert "they sum to 0" in said


@pytest.mark.rule("F-18")
def test_a_pay_that_divides_evenly_is_told_without_more_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = in_between(pay={"in_between": "5/2,5/2,5/2,5/2,5/2"})
    number, _ = rounds_of_in_between(tmp_path / "records.db", settings)
    said = told(tmp_path / "records.db", "between", capsys, number)
    assert "pays 5 to 2 · wins 2.5 [" in said and "exactly" not in said


@pytest.mark.rule("F-17", "F-18")
def test_a_voided_round_is_told_as_voided_and_its_wagers_as_returned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Clock()
    with Store(tmp_path / "records.db") as store:
        house = House(store, KEYS, clock)
        house.open_table(one_for_the_money())
        player = seated(house, "money", clock)
        play_round(house, "money", player, clock, [])
        house.command("money", player, cmd.Choose("raise"))
        during = told(tmp_path / "records.db", "money", capsys)
        house.void("money", "The lights went out.")
        voided = told(tmp_path / "records.db", "money", capsys)
        deal(house, "money", clock)
        assert house.balance(player) == GRANT
        assert told(tmp_path / "records.db", "money", capsys, 1) == voided
    assert during.startswith("Recall: table money, round 1, still being played; amounts in dollars\n")
    assert "20 still lies" in during
    assert voided.startswith("Recall: table money, round 1, voided, wagers returned; amounts in dollars\n")
    assert "Incident: voided, wagers returned, The lights went out." in voided
    assert "Seat 2 · Ante 10 · Void · push [F-17]" in voided
    assert "Seat 2: put down 20, got back 20; comes out even." in voided
    assert "they sum to 0" in voided


def test_a_table_or_a_round_that_is_not_there_is_refused(tmp_path: Path) -> None:
    clock = Clock()
    with Store(tmp_path / "records.db") as store:
        house = House(store, KEYS, clock)
        house.open_table(one_for_the_money())
        with pytest.raises(UnknownName, match=r"There is no round ''; choose one of: \(none\)"):
            replayed(tmp_path / "records.db", "money", None)
        seated(house, "money", clock)
    with pytest.raises(UnknownName, match="There is no table 'moon'; choose one of: money"):
        replayed(tmp_path / "records.db", "moon", None)
    with pytest.raises(UnknownName, match="There is no round '7'; choose one of: 1 to 1"):
        replayed(tmp_path / "records.db", "money", 7)
