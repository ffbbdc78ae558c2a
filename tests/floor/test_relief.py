"""Dealers sign on at a table, are relieved and sign off (F-41)."""

from pathlib import Path

import pytest

from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Dealt, Decided
from tests.floor.employing import employed
from tests.floor.pit import CHIPS, Pit
from tests.floor.test_house import events_of
from tests.web.robots import money

BY_HAND = money(dealing="people", seats=3)


@pytest.mark.rule("F-41")
def test_only_the_dealer_who_has_signed_on_deals(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", BY_HAND)
    first, second = pit.dealers
    commands: list[cmd.DealerCommand | cmd.PersonalCommand] = [
        *(cmd.StartRound(True), cmd.TickOff(0), cmd.TakeBack(), cmd.SignOff()),
    ]
    for command in commands:
        with pytest.raises(Refused, match="Another dealer has signed on at this table and relieved you; sign on again"):
            pit.deal(command, second)
    with pytest.raises(Refused, match="You deal here already"):
        pit.deal(cmd.SignOn())
    pit.deal(cmd.SignOff())
    assert pit.table.dealer == ""
    with pytest.raises(Refused, match="Sign on at this table before you deal"):
        pit.deal(cmd.StartRound(True), first)
    with pytest.raises(Refused, match="Sign on is not for a supervisor to do"):
        pit.deal(cmd.SignOn(), pit.supervisor)
    pit.deal(cmd.SignOn(), second)
    pit.play(rounds=1)
    pit.check()


@pytest.mark.rule("F-41")
@pytest.mark.parametrize("after", range(0, 40, 3))
def test_a_relief_in_the_middle_of_a_round_keeps_every_place(after: int, tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", BY_HAND, seed=after)
    for _ in range(after):
        pit.step()
    before, shown, first = pit.table, pit.procedure, pit.dealer
    pit.relieve()
    assert (pit.table.round, pit.table.done, pit.table.past) == (before.round, before.done, before.past)
    assert pit.procedure.asked == shown.asked and pit.procedure.now == shown.now
    with pytest.raises(Refused, match="relieved you"):
        pit.deal(cmd.Enter(Dealt()), first)
    came = [event for event in events_of(pit.house, "money") if isinstance(event, ev.DealerCame)]
    assert came[-1] == ev.DealerCame(pit.table.dealer, first.id)
    pit.play(rounds=1)
    pit.check()


@pytest.mark.rule("F-41")
def test_nobody_deals_at_two_tables(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", BY_HAND)
    pit.house.open_table(money(dealing="people", id="other", name="The other"))
    with pytest.raises(Refused, match="You deal at Burgundy; sign off there first"):
        pit.house.pit.deal_by_hand("other", cmd.SignOn(), pit.dealer)
    dealer = pit.dealer
    pit.deal(cmd.SignOff())
    pit.house.pit.deal_by_hand("other", cmd.SignOn(), dealer)
    pit.house.close_table("other", "for the night", pit.manager)
    assert pit.house.live("other").table.dealer == ""
    pit.deal(cmd.SignOn(), dealer)
    pit.check()


@pytest.mark.rule("F-41", "F-13")
def test_nobody_signs_on_where_the_program_deals_or_where_they_sit(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", BY_HAND)
    pit.house.open_table(money(id="program"))
    with pytest.raises(Refused, match="The program deals at this table; nobody signs on"):
        pit.house.pit.deal_by_hand("program", cmd.SignOn(), pit.dealers[1])


@pytest.mark.rule("F-41")
def test_a_supervisor_seats_and_enters_for_patrons_without_signing_on_and_another_dealer_does_not(
    tmp_path: Path,
) -> None:
    pit = Pit(tmp_path / "records.db", BY_HAND)
    pit.house.pit.for_patron("money", cmd.PatronLeaves(3), pit.supervisor)
    with pytest.raises(Refused, match="relieved you"):
        pit.house.pit.for_patron("money", cmd.SeatPatron(3, CHIPS), pit.dealers[1])
    with pytest.raises(Refused, match="relieved you"):
        pit.house.pit.report("money", cmd.Report("misdeal"), pit.dealers[1])
    both = employed(pit.house, Role.DEALER, Role.SUPERVISOR)
    pit.house.pit.for_patron("money", cmd.SeatPatron(3, CHIPS), both)
    pit.play(rounds=1)
    pit.check()


@pytest.mark.rule("F-17", "F-41")
def test_a_dealer_who_has_signed_on_still_has_after_a_restart(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", BY_HAND)
    for _ in range(9):
        pit.step()
        pit.restart()
    pit.play(rounds=1)
    pit.restart()
    assert pit.table.dealer == pit.dealers[0].id
    with pytest.raises(Refused, match="That is for a dealer to enter"):
        pit.deal(cmd.Enter(Dealt()), pit.supervisor)
    with pytest.raises(Refused, match="decides nothing at a table"):
        pit.enter(Decided("croupier", "continue"))
    pit.check()


@pytest.mark.rule("F-13", "F-41")
def test_two_supervisors_do_not_void_a_round_though_one_of_them_could_deal(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", BY_HAND)
    for _ in range(6):
        pit.step()
    both, void = employed(pit.house, Role.DEALER, Role.SUPERVISOR), cmd.VoidRound("a card was seen")
    action = pit.house.staff.propose("money", void, both)
    with pytest.raises(Refused, match="The second signature is that of a dealer or a manager"):
        pit.house.staff.sign(action, pit.supervisor)
    pit.house.staff.sign(action, pit.dealer)
    assert pit.table.round is None
    pit.check()


@pytest.mark.rule("F-13", "F-41")
def test_what_a_dealer_has_proposed_who_was_relieved_since_is_proposed_again(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", BY_HAND)
    pit.step()
    action = pit.house.staff.propose("money", cmd.VoidRound("a card was seen"), pit.dealer)
    pit.relieve()
    with pytest.raises(Refused, match="Whoever proposed it may not any more; withdraw it and propose it again"):
        pit.house.staff.sign(action, pit.supervisor)
    again = pit.house.staff.propose("money", cmd.VoidRound("a card was seen"), pit.dealer)
    pit.restart()
    pit.house.staff.sign(again, pit.supervisor)
    pit.check()


@pytest.mark.rule("F-13", "F-28")
def test_what_went_wrong_has_a_name_so_that_nobody_voids_a_round_alone(tmp_path: Path) -> None:
    pit = Pit(tmp_path / "records.db", BY_HAND)
    for _ in range(6):
        pit.step()
    before = pit.table
    for name in ("", "  "):
        with pytest.raises(Refused, match="Name what went wrong"):
            pit.house.pit.report("money", cmd.Report(name), pit.dealer)
    assert pit.table is before
    pit.house.pit.report("money", cmd.Report("misdeal"), pit.dealer)
    with pytest.raises(Refused, match="what is decided about it needs a reason"):
        pit.enter(Decided("supervisor", "void"), pit.supervisor)
    pit.check()
