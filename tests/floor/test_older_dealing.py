"""Records of tables that people dealt before dealers signed on (F-41) go on: they load, they verify, and whoever deals
from now on signs on first."""

from pathlib import Path

import pytest

from feltworks.floor import rights
from feltworks.floor.refusal import Refused
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.betting import MOST_CHANGES
from feltworks.floor.verification.verify import verify
from tests.floor.pit import Pit
from tests.floor.test_corrections import READER
from tests.floor.world import KEYS
from tests.web.robots import money, under


@pytest.mark.rule("F-16", "F-41")
def test_records_from_before_dealers_signed_on_verify_and_the_next_dealer_signs_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr(rights, "_check_signed_on", lambda *_: None)
        older.setattr(Pit, "sign_on", lambda _: None)
        pit = Pit(tmp_path / "records.db", money(dealing="people", seats=3))
        pit.play(rounds=2)
        for _ in range(7):
            pit.step()
        assert pit.table.dealer == ""
    pit.check()
    with pytest.raises(Refused, match="Sign on at this table before you deal"):
        pit.deal(cmd.TickOff(0))
    pit.deal(cmd.SignOn())
    pit.play(rounds=1)
    pit.check()


@pytest.mark.rule("F-16", "F-41")
def test_a_record_of_somebody_who_deals_without_being_signed_on_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pit = Pit(tmp_path / "records.db", money(dealing="people", seats=3))
    pit.play(rounds=1)
    with monkeypatch.context() as wrong:
        wrong.setattr(rights, "_check_signed_on", lambda *_: None)
        pit.deal(cmd.StartRound(True), pit.dealers[1])
    pit.house.close()
    report = verify(pit.path, KEYS.public)
    assert "Another dealer has signed on at this table" in report.problems[0]


@pytest.mark.rule("F-16", "F-41")
def test_older_records_of_many_changes_and_of_wagers_that_the_close_took_up_verify(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = under(dealing="people", seats=3, equipment=READER)
    with monkeypatch.context() as older:
        older.setattr(rights, "_check_signed_on", lambda *_: None)
        older.setattr(Pit, "sign_on", lambda _: None)
        pit = Pit(tmp_path / "records.db", settings)
        pit.step()
        for number in range(MOST_CHANGES + 2):
            pit.house.command("under", pit.player, cmd.TakeUp("ante") if number % 2 else cmd.Place("ante", 500))
        pit.enter_for(cmd.PlaceFor(1, "bet", 500))
        for spot in ("ante", "bet"):
            pit.enter_for(cmd.PlaceFor(3, spot, 500))
        pit.deal(cmd.CloseBetting())
        assert {seat for seat, _ in pit.table.wagers} == {3}
    pit.check()
