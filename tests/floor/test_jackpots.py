"""Progressive jackpots at the tables: wagers are registered, awarded and given back, to the cent (F-24 to F-26)."""

from pathlib import Path
from typing import TypeVar

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from feltworks.floor.accounts import Kind
from feltworks.floor.actors import PROGRAM
from feltworks.floor.administration import Book
from feltworks.floor.excerpt.verify import verify_excerpt
from feltworks.floor.excerpt.write import write_excerpt
from feltworks.floor.jackpot import commands as jackpot
from feltworks.floor.jackpot import events as ev
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.store.sqlite import Locked, Store
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as table_events
from feltworks.floor.table.answers import Decided, Turned
from feltworks.floor.table.registered import registered
from feltworks.floor.table.settings import Limits
from feltworks.floor.table.state import NotInstalled
from feltworks.floor.verification.verify import verify
from feltworks.kit import steps
from feltworks.kit.jackpot_steps import CONFIRM_AWARD, ENTER_AWARD
from feltworks.lab.live_answers import same_jackpot
from tests.floor.damage import change
from tests.floor.employing import employed
from tests.floor.jackpots import (
    CHIPS,
    MAIN,
    NOTHING,
    ROYAL,
    STRAIGHT_FLUSH,
    Room,
    by_program,
    under,
)
from tests.floor.world import KEYS

SEED = 100_000


T = TypeVar("T")


def events(room: Room, kind: type[T]) -> list[T]:
    """The events of the jackpot of one kind."""
    lines = room.house.jackpots.statement(MAIN, room.house.store, limit=10_000)
    return [line.event for line in lines if isinstance(line.event, kind)]


# Wagers (D-13, F-24, F-25).


@pytest.mark.rule("D-13", "F-24", "F-25")
def test_wagers_are_in_the_meter_with_the_commit_that_takes_their_chips_and_not_before(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.bet()
    room.close()
    room.enter("under", Decided("dealer", "lit"))
    assert room.meter.meter == SEED and not registered(room.table())
    before = room.house.store.last_commit()
    room.sense()
    last = [record.stream for _, commit in room.house.store.commits(before) for record in commit.records][-2:]
    assert last == ["under", "jackpot:main"]
    assert room.meter.meter == SEED + 3 * 60
    assert room.tray() == 3 * 300 - 3 * 60 - 3 * 14  # the house's share stays in the tray
    room.check()


@pytest.mark.rule("F-25")
def test_shares_are_cut_to_whole_cents_and_the_remainder_of_each_goes_to_the_next_wager(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", to_meter="1/3", to_reserve="1/7", reserve=0)
    for _ in range(7):
        room.round(hands={1: NOTHING, 2: "5s 5d", 3: "9h Tc"}, board="2s 4d 8h Jc Kd", dealer="2h 7h")
    wagers = 21 * 100
    assert (room.meter.meter - SEED, room.meter.reserve) == (wagers // 3, wagers // 7)
    assert room.meter.carried == ((0, 1), (0, 1)) and room.meter.wagered == wagers
    cuts = [one.meter for event in events(room, ev.Registered) for one in event.wagers]
    assert set(cuts) == {33, 34} and cuts[:3] == [33, 33, 34]
    room.check()


@pytest.mark.rule("F-25")
def test_a_contribution_of_a_fraction_of_a_cent_is_a_cent_after_enough_wagers(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", to_meter="1/400", to_reserve="0")
    room.round(hands={1: NOTHING, 2: "5s 5d", 3: "9h Tc"}, board="2s 4d 8h Jc Kd", dealer="2h 7h")
    assert room.meter.meter == SEED and room.meter.carried[0] == (3, 4)
    room.bet(seats=(1,))
    room.close()
    room.sense()
    assert room.meter.meter == SEED + 1 and room.meter.carried[0] == (0, 1)
    room.check()


@pytest.mark.rule("D-13", "F-24")
def test_chips_on_a_spot_that_does_not_light_are_not_in_the_meter_and_go_back(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.bet()
    room.close()
    room.sense(dark=(2,))
    assert room.meter.meter == SEED + 2 * 60
    assert room.chips(2) == CHIPS - 200
    room.end(hands={1: NOTHING, 2: "5s 5d", 3: "9h Tc"}, board="2s 4d 8h Jc Kd", dealer="2h 7h")
    room.check()


@pytest.mark.rule("D-13", "F-24")
def test_a_spot_that_was_sensed_is_not_sensed_once_more(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.bet()
    room.close()
    room.sense()
    before = room.meter
    with pytest.raises(Refused):
        room.enter("under", Decided("dealer", "lit"))
    assert room.meter == before


@pytest.mark.rule("D-13")
def test_a_jackpot_wager_of_another_amount_is_refused(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.bet(jackpot=False)
    for cents in (50, 99, 101, 200):
        with pytest.raises(Refused):
            room.house.pit.for_patron("under", cmd.PlaceFor(1, "jackpot", cents), room.dealers["under"])
    room.house.pit.for_patron("under", cmd.PlaceFor(1, "jackpot", 100), room.dealers["under"])
    assert room.meter.meter == SEED


@pytest.mark.rule("F-24")
def test_the_meter_does_not_rise_above_its_maximum_and_the_excess_goes_to_the_reserve(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", maximum=SEED + 100, reserve=0)
    room.bet()
    room.close()
    room.sense()
    assert (room.meter.meter, room.meter.reserve) == (SEED + 100, 3 * 14 + 80)
    [event] = events(room, ev.Registered)
    assert [(one.meter, one.over) for one in event.wagers] == [(60, 0), (40, 20), (0, 60)]
    room.check()


# Awards (D-16 to D-18, F-26).


@pytest.mark.rule("D-16", "F-26")
def test_several_awards_of_a_round_are_paid_of_the_meter_as_it_stands_then_in_paying_order(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.round(hands={1: ROYAL, 2: STRAIGHT_FLUSH, 3: NOTHING})
    meter = SEED + 180
    tenth = meter // 10
    awards = events(room, ev.Awarded)
    assert [(a.seat, a.percent, a.base, a.cents) for a in awards] == [
        (2, "10", meter, tenth),
        (1, "100", meter - tenth, meter - tenth),
    ]
    assert room.meter.meter == SEED
    assert room.booked(Kind.JACKPOT_AWARD) == -meter
    room.check()


@pytest.mark.rule("D-16", "F-26")
def test_the_largest_is_paid_first_where_the_house_says_so_and_the_next_is_of_the_seed(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", under(readings={"award_sequence": "largest_first"}))
    room.round(hands={1: ROYAL, 2: STRAIGHT_FLUSH, 3: NOTHING})
    awards = events(room, ev.Awarded)
    assert [(a.seat, a.base, a.cents) for a in awards] == [
        (1, SEED + 180, SEED + 180),
        (2, SEED, SEED // 10),
    ]
    assert room.meter.meter == SEED - SEED // 10
    room.check()


@pytest.mark.rule("D-16", "F-26")
def test_awards_of_the_meter_at_the_sensing_do_not_depend_on_each_other_or_on_other_tables(tmp_path: Path) -> None:
    base = {"award_base": "before_round"}
    room = Room(tmp_path / "records.db", under("one", readings=base), under("two", readings=base))
    room.bet("one")
    room.close("one")
    room.sense("one")
    sensed = SEED + 180
    room.bet("two")
    room.close("two")
    room.sense("two")
    assert room.meter.meter == sensed + 180
    room.end("one", hands={1: ROYAL, 2: STRAIGHT_FLUSH, 3: NOTHING})
    awards = events(room, ev.Awarded)
    assert [(a.base, a.cents) for a in awards] == [(sensed, sensed // 10), (sensed, sensed)]
    assert room.meter.meter == SEED  # what the other table put in was part of what the award was paid from
    assert awards[1].reserve == sensed // 10 - 180
    room.end("two", hands={1: ROYAL, 2: NOTHING, 3: "5h 5c"}, board=f"{'Ts Js Qs'} 3h 4h")
    last = events(room, ev.Awarded)[-1]
    assert (last.base, last.cents) == (sensed + 180, sensed + 180)
    assert last.meter == SEED and last.reserve + last.house == 360
    room.check()


@pytest.mark.rule("F-26")
def test_of_two_wins_at_linked_tables_the_one_that_is_confirmed_first_gets_the_meter(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", under("one"), under("two"))
    hands = {1: ROYAL, 2: NOTHING, 3: "5h 5c"}
    for id in ("one", "two"):
        room.bet(id)
        room.close(id)
        room.until(CONFIRM_AWARD.name, id, hands)
    room.end("two", hands=hands)
    room.end("one", hands=hands)
    awards = events(room, ev.Awarded)
    assert [(a.table, a.cents) for a in awards] == [("two", SEED + 360), ("one", SEED)]
    assert room.meter.meter == SEED and room.meter.whole == 2
    room.check()


@pytest.mark.rule("F-26")
def test_an_award_larger_than_the_meter_is_paid_in_full_by_the_reserve_and_then_by_the_house(tmp_path: Path) -> None:
    base = {"award_base": "before_round"}
    room = Room(tmp_path / "records.db", under(readings=base), reserve=20_000)
    room.round(hands={1: ROYAL, 2: STRAIGHT_FLUSH, 3: NOTHING})
    sensed = SEED + 180
    tenth, whole = events(room, ev.Awarded)
    assert whole.cents == sensed and whole.meter == sensed - sensed // 10
    assert whole.reserve == sensed // 10 and whole.house == 0
    left = 20_000 + 42 - sensed // 10
    assert (whole.seed_reserve, whole.seed_house) == (left, SEED - left)
    assert (room.meter.meter, room.meter.reserve) == (SEED, 0)
    assert isinstance(tenth, ev.Awarded) and room.chips(1) + room.house.account("held:under") > CHIPS
    room.check()


@pytest.mark.rule("D-17")
def test_envy_is_paid_from_the_tray_to_every_other_wager_and_the_meter_does_not_move_for_it(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.round(hands={1: ROYAL, 2: STRAIGHT_FLUSH, 3: NOTHING})
    assert room.chips(3) == CHIPS - 100 + 100_000 + 30_000  # the main wagers tie
    assert room.booked(Kind.JACKPOT_AWARD) == -(SEED + 180)
    room.check()


@pytest.mark.rule("D-14", "D-15")
def test_odds_for_one_are_paid_from_the_tray_and_leave_the_meter_alone(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.round(seats=(1,), hands={1: "5s 5d"}, board="5h 5c Jc Kd 2s", dealer="2h 7h")
    settled = [s for s in room.house.store.entries("under") if s.entry.kind is Kind.PAYOUT]
    assert any(one.entry.cents == 300 * 100 for one in settled)
    assert room.meter.meter == SEED + 60 and not events(room, ev.Awarded)
    room.check()


@pytest.mark.rule("D-18", "F-13")
def test_an_award_is_entered_by_the_dealer_and_confirmed_by_another_person_before_it_is_paid(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    both = employed(room.house, Role.DEALER, Role.SUPERVISOR)
    room.bet(seats=(1,))
    room.close()
    room.until(ENTER_AWARD.name)
    room.deal("under", cmd.SignOn(), both)
    room.dealers["under"] = both
    with pytest.raises(Refused, match="for a dealer to decide"):
        room.enter("under", Decided("dealer", ENTER_AWARD.name), room.supervisor)
    room.enter("under", Decided("dealer", ENTER_AWARD.name))
    assert room.meter.meter == SEED + 60 and not events(room, ev.Awarded)
    confirm = Decided("supervisor", CONFIRM_AWARD.name)
    with pytest.raises(Refused, match="another supervisor confirms it"):
        room.enter("under", confirm, both)
    relief = employed(room.house, Role.DEALER)
    room.deal("under", cmd.SignOn(), relief)
    with pytest.raises(Refused, match="another supervisor confirms it"):
        room.enter("under", confirm, both)  # who has entered it, also after relief
    room.dealers["under"] = relief
    room.enter("under", confirm, room.supervisor)
    [award] = events(room, ev.Awarded)
    assert (award.entered, award.confirmed) == (str(both), str(room.supervisor))
    room.end()
    room.check()


@pytest.mark.rule("D-18", "F-19")
def test_at_a_training_table_dealt_by_the_program_the_program_enters_and_confirms_and_the_record_says_so(
    tmp_path: Path,
) -> None:
    room = Room(tmp_path / "records.db", by_program(pay={"jackpot": "2"}))
    player, _ = room.house.people.guest()
    room.house.command("under", player, cmd.Sit(1))
    for _ in range(4):
        room.house.deal_on("under", "start round")
        for spot in ("ante", "bet", "jackpot"):
            room.house.command("under", player, cmd.Place(spot, 100))
        room.house.command("under", player, cmd.Ready())
        while (table := room.table()).round is not None and not table.round.over:
            if table.to_act:
                first = table.step.options[0].name if isinstance(table.step, steps.Choose) else ""
                room.house.command("under", player, cmd.Choose("check" if first == "check" else "1x"))
            else:
                room.house.deal_on("under", "answer")
        room.house.deal_on("under", "end round")
    assert room.meter.meter == SEED + 60 * 4 or events(room, ev.Awarded)
    for award in events(room, ev.Awarded):
        assert (award.entered, award.confirmed) == ("program:dealer", "program:dealer")
    room.check()


@pytest.mark.rule("D-18", "D-19", "F-13")
def test_an_award_of_a_house_jackpot_is_not_confirmed_by_the_dealer_who_entered_it_and_was_relieved(
    tmp_path: Path,
) -> None:
    room = Room(tmp_path / "records.db", under(), under("fixed", jackpot=UNSET, prize=500_000))
    both, relief = employed(room.house, Role.DEALER, Role.SUPERVISOR), employed(room.house, Role.DEALER)
    room.bet("fixed", seats=(1,))
    room.close("fixed")
    room.until(ENTER_AWARD.name, "fixed")
    room.deal("fixed", cmd.SignOn(), both)
    room.enter("fixed", Decided("dealer", ENTER_AWARD.name), both)
    room.deal("fixed", cmd.SignOn(), relief)
    confirm = Decided("supervisor", CONFIRM_AWARD.name)
    with pytest.raises(Refused, match="another supervisor confirms it"):
        room.enter("fixed", confirm, both)
    room.enter("fixed", confirm, room.supervisor)
    room.check()


@pytest.mark.rule("F-26")
def test_of_two_wins_that_are_confirmed_in_one_group_of_commits_the_first_gets_the_meter_and_both_are_paid(
    tmp_path: Path,
) -> None:
    room = Room(tmp_path / "records.db", under("one"), under("two"))
    hands = {1: ROYAL, 2: NOTHING, 3: "5h 5c"}
    for id in ("one", "two"):
        room.bet(id)
        room.close(id)
        room.until(CONFIRM_AWARD.name, id, hands)
    before = room.meter
    with room.house.together():
        for id in ("two", "one"):
            room.enter(id, Decided("supervisor", CONFIRM_AWARD.name), room.supervisor)
        assert room.house.journal.position.meters[MAIN] == before, "nothing is so before it is durable"
    awards = events(room, ev.Awarded)
    assert [(a.table, a.cents) for a in awards] == [("two", SEED + 360), ("one", SEED)]
    assert room.meter.meter == SEED
    room.check()


# What is void, and what was wrong (F-17, F-20, F-24).


@pytest.mark.rule("F-17", "F-24")
def test_a_void_returns_every_registration_from_the_meter_and_its_remainder_too(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", to_meter="1/3")
    before = room.meter
    room.bet()
    room.close()
    room.sense()
    assert room.meter.meter == SEED + 100
    room.void()
    assert (room.meter.meter, room.meter.reserve, room.meter.carried) == (SEED, before.reserve, ((0, 1), (0, 1)))
    assert room.tray() == 0 and room.chips(1) == CHIPS
    assert room.booked(Kind.REGISTRATION_RETURNED) == -100
    room.check()


@pytest.mark.rule("F-17", "F-24")
def test_what_was_registered_before_the_meter_was_won_goes_back_from_the_reserve_and_then_the_house(
    tmp_path: Path,
) -> None:
    room = Room(tmp_path / "records.db", under("one"), under("two"), reserve=SEED)
    room.bet("two")
    room.close("two")
    room.sense("two")
    room.round("one", hands={1: ROYAL, 2: NOTHING, 3: "5h 5c"})
    assert (room.meter.meter, room.meter.reserve) == (SEED, 600 // 7)
    room.void("two")
    [back] = events(room, ev.RegistrationsReturned)
    assert sum(one.meter for one in back.wagers) == 0
    assert sum(one.reserve for one in back.wagers) == 600 // 7
    assert sum(one.house for one in back.wagers) == 3 * 74 - 600 // 7
    assert (room.meter.meter, room.meter.reserve) == (SEED, 0)
    assert room.chips(1, "two") == CHIPS
    room.check()


@pytest.mark.rule("F-17", "F-24")
def test_a_void_after_an_award_of_the_same_round_leaves_what_was_settled_and_returns_the_rest(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.bet()
    room.close()
    room.until(ENTER_AWARD.name, hands={1: STRAIGHT_FLUSH, 2: ROYAL, 3: NOTHING})
    room.enter("under", Decided("dealer", ENTER_AWARD.name))
    room.enter("under", Decided("supervisor", CONFIRM_AWARD.name), room.supervisor)
    assert room.meter.meter == SEED  # the royal flush of seat 2 is paid; seat 1 has still to be settled
    room.void()
    [back] = events(room, ev.RegistrationsReturned)
    assert [(one.seat, one.meter, one.reserve) for one in back.wagers] == [(1, 0, 0)]
    assert back.wagers[0].house == 74
    assert len(events(room, ev.Awarded)) == 1
    room.check()


@pytest.mark.rule("F-17", "F-24", "D-10")
def test_a_round_that_becomes_void_by_a_decision_returns_its_registrations_too(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.bet()
    room.close()
    room.sense()
    room.house.pit.report("under", cmd.Report("misdeal", "a card fell"), room.dealers["under"])
    action = room.house.pit.resolve("under", steps.Role.SUPERVISOR, "void", room.supervisor, "seen on the film")
    room.house.staff.sign(action, room.manager)
    assert (room.meter.meter, room.tray()) == (SEED, 0)
    room.check()


@pytest.mark.rule("F-20", "F-24")
def test_a_sensing_that_is_taken_back_takes_its_registration_back_and_counts_once_when_it_is_entered_again(
    tmp_path: Path,
) -> None:
    room = Room(tmp_path / "records.db")
    room.bet()
    room.close()
    room.sense()
    assert room.meter.meter == SEED + 180
    room.deal("under", cmd.TakeBack())
    assert (room.meter.meter, room.meter.carried) == (SEED, ((0, 1), (0, 1)))
    room.sense()
    assert room.meter.meter == SEED + 180
    room.end(hands={1: NOTHING, 2: "5s 5d", 3: "9h Tc"}, board="2s 4d 8h Jc Kd", dealer="2h 7h")
    room.check()


def _entry(room: Room, wanted: object, id: str = "under") -> int:
    """The number of an entry of the round by what was entered."""
    answers = [past.event.answer for past in room.table(id).answers if isinstance(past.event, table_events.Answered)]
    found = [n for n, answer in enumerate(answers, 1) if answer == wanted]
    return found[-1]


@pytest.mark.rule("F-20", "F-26")
def test_a_correction_after_an_award_takes_it_back_with_its_seed_and_awards_what_was_really_won(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", reserve=30_000)
    before = room.meter
    room.bet(seats=(1,))
    room.close()
    room.until("", hands={1: ROYAL})
    assert room.meter.meter == SEED and room.meter.whole == 1 and room.meter.reserve == 0
    correct = cmd.Correct(_entry(room, Turned("As")), Turned("9s"), "misread")
    room.house.pit.correct("under", correct, room.supervisor)
    tenth = (SEED + 60) // 10
    assert room.meter.meter == SEED + 60 and room.meter.reserve == before.reserve + 14
    room.until("", hands={1: "Ks 9s"})  # the straight flush is entered and confirmed like any award
    assert room.meter.meter == SEED + 60 - tenth and room.meter.reserve == before.reserve + 14
    [gone] = events(room, ev.AwardTakenBack)
    assert gone.unseeded and gone.cents == SEED + 60
    assert [a.cents for a in events(room, ev.Awarded)] == [SEED + 60, tenth]
    assert len(room.meter.last) == 1 and room.meter.last[0].cents == tenth
    room.end()
    room.check()


@pytest.mark.rule("F-20", "F-26")
def test_an_award_that_a_correction_leaves_as_it_was_stays_as_it_was_paid(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", under("one"), under("two"))
    room.bet("one", seats=(1, 3))
    room.close("one")
    room.until("", "one", hands={1: ROYAL, 3: NOTHING})
    room.round("two", seats=(1,), hands={1: NOTHING}, board="2s 4d 8h Jc Kd", dealer="2h 7h")
    before = room.meter
    correct = cmd.Correct(_entry(room, Turned("7d"), "one"), Turned("9d"), "misread")
    room.house.pit.correct("one", correct, room.supervisor)
    assert room.meter.meter == before.meter and not events(room, ev.AwardTakenBack)
    assert len(events(room, ev.Awarded)) == 1
    room.end("one")
    room.check()


@pytest.mark.rule("F-20", "F-26")
def test_an_award_is_taken_back_although_somebody_else_has_won_the_seed_since(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", under("one"), under("two"), reserve=3 * SEED)
    room.bet("one", seats=(1,))
    room.close("one")
    room.until("", "one", hands={1: ROYAL})
    room.round("two", seats=(1,), hands={1: ROYAL})
    assert room.meter.whole == 2
    correct = cmd.Correct(_entry(room, Turned("As"), "one"), Turned("9h"), "misread")
    room.house.pit.correct("one", correct, room.supervisor)
    [gone] = events(room, ev.AwardTakenBack)
    assert not gone.unseeded and gone.rises == SEED + 60
    assert room.meter.meter == SEED + SEED + 60  # the seed of the second win, and what was not won after all
    room.end("one", hands={1: "Ks 9h"})
    room.check()


@pytest.mark.rule("F-24", "F-20")
def test_an_award_that_is_taken_back_does_not_lift_the_meter_above_its_maximum(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", under("one"), under("two"), maximum=SEED + 100, reserve=3 * SEED)
    room.bet("one", seats=(1,))
    room.close("one")
    room.until("", "one", hands={1: ROYAL})
    room.round("two", seats=(1,), hands={1: ROYAL})  # the seed, which does not go back then
    before = room.meter
    correct = cmd.Correct(_entry(room, Turned("As"), "one"), Turned("9h"), "misread")
    room.house.pit.correct("one", correct, room.supervisor)
    [gone] = events(room, ev.AwardTakenBack)
    assert (gone.cents, gone.rises) == (SEED + 60, 100)
    assert (room.meter.meter, room.meter.reserve) == (SEED + 100, before.reserve + SEED + 60 - 100)
    assert gone.meter + gone.reserve + gone.house == gone.cents
    room.end("one", hands={1: "Ks 9h"})
    room.check()


@pytest.mark.rule("F-20", "F-37", "D-13")
def test_a_spot_is_not_corrected_to_lit_while_the_jackpot_takes_no_wagers(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.bet(seats=(1,))
    room.close()
    room.house.book(Book("correction", "meter:main", "cage cash", 40_000, "seized"), PROGRAM)
    dark = Decided("dealer", "not lit")
    room.enter("under", dark)
    before = room.meter
    correct = cmd.Correct(_entry(room, dark), Decided("dealer", "lit"), "it was lit")
    with pytest.raises(Refused, match=r"400\.00 short"):
        room.house.pit.correct("under", correct, room.supervisor)
    assert room.meter == before
    room.house.book(Book("correction", "cage cash", "meter:main", 40_000, "given back"), PROGRAM)
    room.house.pit.correct("under", correct, room.supervisor)
    assert room.meter.meter == SEED + 60
    room.check()


@pytest.mark.rule("F-24", "D-13")
def test_a_jackpot_is_not_closed_or_unlinked_while_spots_are_being_sensed_for_it(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    heir = replace(room.meter.terms, name="The Next")
    room.house.jackpots.open("next", heir, room.manager)
    room.bet()
    room.close()
    room.enter("under", Decided("dealer", "lit"))
    with pytest.raises(Refused, match="being sensed at Table under"):
        room.do(jackpot.CloseJackpot("the summer is over", "next"))
    with pytest.raises(Refused, match="being sensed at Table under"):
        room.do(jackpot.UnlinkTable("under", "a broken panel"))
    room.sense()
    assert room.meter.meter == SEED + 3 * 60
    room.do(jackpot.UnlinkTable("under", "a broken panel"))  # what is registered is played to its end
    room.end(hands={1: NOTHING, 2: "5s 5d", 3: "9h Tc"}, board="2s 4d 8h Jc Kd", dealer="2h 7h")
    room.check()


@pytest.mark.rule("F-25", "F-16")
def test_every_event_of_a_table_and_of_its_meter_lies_in_one_commit(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.round(hands={1: ROYAL, 2: STRAIGHT_FLUSH, 3: NOTHING})
    for _, commit in room.house.store.commits(0):
        streams = [record.stream for record in commit.records]
        if commit.stream == "under" and "jackpot:main" in streams:
            assert streams[0] == "under"
            awards = sum(b"jackpot awarded" in record.event for record in commit.records)
            entries = [e for booked in commit.entries for e in booked if e.kind is Kind.JACKPOT_AWARD]
            assert bool(awards) == bool(entries)


@pytest.mark.rule("F-17", "F-25")
def test_a_house_that_starts_again_finds_the_meter_as_it_was_also_in_the_middle_of_a_round(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.bet()
    room.close()
    room.until(CONFIRM_AWARD.name, hands={1: ROYAL, 2: NOTHING, 3: "5h 5c"})
    before = room.meter
    room.restart()
    assert room.meter == before
    room.house.store.connection.execute("DELETE FROM checkpoints")  # folded from the first event
    room.house.store.close()
    room.house = type(room.house)(type(room.house.store)(room.path), room.house.keys, room.clock)
    assert room.meter == before
    room.end(hands={1: ROYAL, 2: NOTHING, 3: "5h 5c"})
    room.check()


def test_the_statement_is_read_from_its_end_and_its_balances_are_those_after_each_line(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.round(hands={1: ROYAL, 2: STRAIGHT_FLUSH, 3: NOTHING})
    desk, store = room.house.jackpots, room.house.store
    lines = desk.statement(MAIN, store)
    assert [line.number for line in lines] == list(range(1, room.meter.version + 1))
    meter = reserve = 0
    for line in lines:
        meter, reserve = meter + line.meter_change, reserve + line.reserve_change
        assert (line.meter, line.reserve) == (meter, reserve)
    assert (meter, reserve) == (room.meter.meter, room.meter.reserve)
    assert desk.statement(MAIN, store, last=5, limit=2) == lines[3:5]


def test_listeners_hear_of_the_newest_state_of_a_meter_when_it_is_durable(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    heard: list[tuple[int, int]] = []
    room.house.jackpot_listeners.append(lambda meter: heard.append((meter.meter, room.behind[0])))
    room.bet()
    room.close()
    assert not heard
    room.sense()
    assert heard == [(SEED + 180, SEED + 180)]


def test_a_table_event_stays_as_it_was_and_names_the_amount_of_its_award(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.bet(seats=(1,))
    room.close()
    room.until("", hands={1: ROYAL})
    settled = [s for s in room.table().results if isinstance(s, table_events.Settled) and s.spot == "jackpot"]
    assert [(s.line, s.pays, s.paid) for s in settled] == [("Royal flush", "100 % of meter", SEED + 60)]


# Managers (F-13, F-24).


def signed(room: Room, command: jackpot.Signed, second: str = "cashier") -> None:
    action = room.house.jackpots.propose(MAIN, command, room.manager)
    room.house.staff.sign(action, room.cashier if second == "cashier" else room.supervisor)


@pytest.mark.rule("F-24", "F-13")
def test_a_meter_is_adjusted_by_two_people_and_for_nothing_but_the_listed_reasons(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    command = jackpot.AdjustJackpot("display fault", -700, "the panel of table 1 showed too much; film of 9 pm")
    with pytest.raises(Refused, match="needs two signatures"):
        room.do(command, room.manager)
    with pytest.raises(Refused, match="not for a dealer"):
        room.house.jackpots.propose(MAIN, command, room.dealers["under"])
    action = room.house.jackpots.propose(MAIN, command, room.manager)
    with pytest.raises(Refused, match="another person's"):
        room.house.staff.sign(action, room.manager)
    assert room.meter.meter == SEED
    room.house.staff.sign(action, room.supervisor)
    assert (room.meter.meter, room.meter.reserve) == (SEED - 700, 50_700)
    signed(room, jackpot.AdjustJackpot("non-displayed funds removed", -50_700, "recorded as gross receipts"))
    assert room.meter.reserve == 0
    signed(room, jackpot.AdjustJackpot("display fault", 700, "the panel showed too little"))
    assert room.meter.meter == SEED
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(
            b'{"kind":"adjust jackpot","why":"a slow week","cents":-5,"note":"x"}', type=jackpot.AdjustJackpot
        )
    room.check()


@pytest.mark.rule("F-24")
@pytest.mark.parametrize(
    ("command", "said"),
    [
        (jackpot.AdjustJackpot("display fault", -SEED - 1, "x"), "more than the meter"),
        (jackpot.AdjustJackpot("display fault", 0, "x"), "by how much"),
        (jackpot.AdjustJackpot("display fault", -5, " "), "Say what was found"),
        (jackpot.AdjustJackpot("seed recovered", 5, "x"), "Only a display"),
        (jackpot.AdjustJackpot("seed recovered", -5, "x"), "above its seed"),
        (jackpot.AdjustJackpot("above the maximum", -5, "x"), "above its seed"),
        (jackpot.AdjustJackpot("non-displayed funds removed", -50_001, "x"), "more than the reserve"),
        (jackpot.AdjustJackpot("display fault", 10_000_000, "x"), "above the maximum"),
        (jackpot.SeedJackpot(-5, 0, "x"), "positive amount"),
        (jackpot.SeedJackpot(0, 0, "x"), "positive amount"),
        (jackpot.SeedJackpot(5, 0, ""), "Say what the money is for"),
        (jackpot.SeedJackpot(9_900_001, 0, "x"), "above its maximum"),
        (jackpot.CloseJackpot("x"), "was not put there as its seed"),
        (jackpot.CloseJackpot("x", "another"), "no other open jackpot"),
        (jackpot.CloseJackpot("x", MAIN), "no other open jackpot"),
    ],
    ids=str,
)
def test_what_cannot_be_done_to_a_jackpot_is_refused_and_changes_nothing(
    tmp_path: Path, command: jackpot.Command, said: str
) -> None:
    room = Room(tmp_path / "records.db")
    before = room.meter
    with pytest.raises(Refused, match=said):
        room.do(command)
    with pytest.raises(Refused, match=said):
        room.house.jackpots.effect(MAIN, command, room.manager)
    assert room.meter == before


@pytest.mark.rule("F-24")
def test_seed_is_recovered_from_what_the_meter_has_above_it_and_only_once(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", seed=SEED + 900)
    signed(room, jackpot.AdjustJackpot("seed recovered", -900, "the house's own"))
    assert room.meter.meter == SEED and room.meter.lent == SEED
    with pytest.raises(Refused, match="above its seed"):
        signed(room, jackpot.AdjustJackpot("seed recovered", -1, "once more"))
    room.check()


@pytest.mark.rule("F-24")
def test_a_maximum_below_what_the_meter_shows_is_refused_and_so_are_terms_that_cannot_be(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", seed=SEED + 500)
    desk, now = room.house.jackpots, room.meter.terms
    with pytest.raises(Refused, match="cannot be below it"):
        desk.change(MAIN, replace(now, maximum=SEED + 499), room.manager)
    for wrong, said in (
        (replace(now, to_meter="2/3", to_reserve="1/2"), "more than the wager"),
        (replace(now, to_meter="0"), "a share of it"),
        (replace(now, to_meter="half"), "no share"),
        (replace(now, to_meter="1/0"), "no share"),
        (replace(now, to_meter="1/1000001"), "millionth"),
        (replace(now, seed=5), "A seed is from"),
        (replace(now, maximum=SEED - 1), "The maximum is from the seed"),
        (replace(now, name=" "), "needs a name"),
        (replace(now, notices=("",)), "A notice is"),
        (replace(now, played=replace(now.played, wager=500)), "stay as they are"),
        (now, "already"),
    ):
        with pytest.raises(Refused, match=said):
            desk.change(MAIN, wrong, room.manager)
    desk.change(MAIN, replace(now, maximum=SEED + 500, to_meter="1/4"), room.manager)
    room.bet()
    room.close()
    room.sense()
    assert (room.meter.meter, room.meter.reserve) == (SEED + 500, 50_000 + 3 * 25 + 42)
    room.check()


@pytest.mark.rule("F-24")
def test_a_closed_jackpot_hands_what_is_left_to_another_one_and_takes_no_more_wagers(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.bet()
    room.close()
    room.sense()
    heir = replace(room.meter.terms, name="The Next", maximum=150_000)
    room.house.jackpots.open("next", heir, room.manager)
    room.do(jackpot.SeedJackpot(SEED, 0, "to begin with"), id="next")
    close = jackpot.CloseJackpot("the summer is over", "next")
    with pytest.raises(Refused, match="is being played at Table under"):
        room.do(close)
    room.end(hands={1: NOTHING, 2: "5s 5d", 3: "9h Tc"}, board="2s 4d 8h Jc Kd", dealer="2h 7h")
    left = room.meter.meter + room.meter.reserve
    effect = room.house.jackpots.effect(MAIN, close, room.manager)
    assert effect.lines[0] == "The meter goes from 1,001.80 to 0.00." and "no more wagers" in effect.lines[-1]
    assert room.meter.meter == SEED + 180
    signed(room, close)
    after = room.house.jackpots.known("next")
    assert after.meter == 150_000 and after.meter + after.reserve == SEED + left
    assert room.behind == (0, 0) and room.meter.closed == "the summer is over"
    assert room.house.jackpots.wrong_books("next", room.house.store) == []
    with pytest.raises(Refused, match="is closed: the summer is over"):
        room.bet()
    room.check()


@pytest.mark.rule("F-37")
def test_a_jackpot_whose_money_is_short_takes_no_wagers_until_it_is_put_back_and_pays_what_is_won(
    tmp_path: Path,
) -> None:
    room = Room(tmp_path / "records.db", under("one"), under("two"))
    room.bet("one", seats=(1,))
    room.close("one")
    room.sense("one")
    room.bet("two", seats=(1,))
    room.house.book(Book("correction", "meter:main", "cage cash", 40_000, "seized"), PROGRAM)
    said = "money behind The Big One is 400.00 short"
    assert room.house.jackpots.shortage(MAIN) == 40_000 and said in room.house.jackpots.takes_none(MAIN)
    with pytest.raises(Refused, match=said):
        room.house.pit.for_patron("two", cmd.PlaceFor(1, "jackpot", 100), room.dealers["two"])
    room.close("two")
    with pytest.raises(Refused, match=f"{said}.* Enter 'not lit'"):
        room.enter("two", Decided("dealer", "lit"))
    room.sense("two", dark=(1,))
    assert room.meter.meter == SEED + 60
    room.end("one", hands={1: ROYAL})
    [award] = events(room, ev.Awarded)
    assert (award.cents, award.falls, award.meter) == (SEED + 60, SEED + 60, SEED + 60 - 40_000)
    assert award.reserve + award.house == 40_000 and room.meter.meter == SEED
    assert room.house.jackpots.shortage(MAIN) == 0 and not room.house.jackpots.takes_none(MAIN)
    room.check()


@pytest.mark.rule("F-37", "F-24")
@pytest.mark.parametrize("kind", ["buy-in", "cash-out", "forfeiture", "play-money grant"])
def test_nothing_but_a_correction_by_hand_touches_the_money_behind_a_jackpot(tmp_path: Path, kind: str) -> None:
    room = Room(tmp_path / "records.db")
    book = Book(kind, "reserve:main", "cage cash", 5, "a test")
    with pytest.raises(Refused, match="only a correction does"):
        room.house.staff.propose("house", book, room.manager)
    with pytest.raises(Refused, match="no account"):
        room.house.book(Book("correction", "meter:none", "cage cash", 5, "a test"), PROGRAM)


# Sharing (D-19).


@pytest.mark.rule("D-19", "D-13")
def test_a_table_is_opened_for_a_jackpot_only_when_it_is_linked_by_the_same_settings(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    desk, other = room.house.jackpots, under("other", pay={"jackpot": "2"})
    with pytest.raises(Refused, match="is not linked to The Big One"):
        room.house.open_table(other)
    with pytest.raises(Refused, match="There is no jackpot 'none'"):
        room.house.open_table(under("other", jackpot="none"))
    question = desk.question(MAIN, other)
    assert question is not None and question.other.pay == {"jackpot": "2"}
    with pytest.raises(Refused, match="ask the laboratory"):
        desk.link(MAIN, other, room.manager)
    answer = same_jackpot(question)
    assert not answer.same
    with pytest.raises(Refused, match=r"cannot share The Big One .*The lines are"):
        desk.link(MAIN, other, room.manager, answer)
    alike = under("other", readings={"order_of_action": "together"})
    asked = desk.question(MAIN, alike)
    assert asked is not None
    desk.link(MAIN, alike, room.manager, same_jackpot(asked))
    room.house.open_table(alike)
    assert desk.tables(MAIN) == ["under", "other"] and desk.question(MAIN, alike) is None
    dear = {**alike.limits, "jackpot": Limits(200, 200)}
    with pytest.raises(Refused, match="one amount for everybody"):
        desk.link(MAIN, replace(alike, limits=dear), room.manager, same_jackpot(asked))
    room.check()


@pytest.mark.rule("D-19", "F-40")
def test_an_unlinked_table_takes_no_wagers_and_one_set_otherwise_does_not_come_back_unlinked(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.bet(jackpot=False)
    room.house.jackpots.unlink(MAIN, "under", "a broken panel", room.manager)
    with pytest.raises(Refused, match="This table is not linked"):
        room.house.pit.for_patron("under", cmd.PlaceFor(1, "jackpot", 100), room.dealers["under"])
    assert "not linked" in room.house.jackpots.not_taken("under") and room.house.jackpots.tables(MAIN) == []
    with pytest.raises(Refused, match="not linked"):
        room.house.change_settings("under", replace(room.settings["under"], seats=4), room.manager)
    house = replace(room.settings["under"], jackpot=UNSET, prize=500_000)
    room.house.change_settings("under", house, room.manager)
    assert room.house.jackpots.of_table("under") is not None  # posted, and not in force before the round is over
    room.end(hands={1: NOTHING, 2: "5s 5d", 3: "9h Tc"}, board="2s 4d 8h Jc Kd", dealer="2h 7h")
    assert room.house.jackpots.of_table("under") is None
    assert room.table().settings.prize == 500_000
    room.check()


@pytest.mark.rule("D-19")
def test_a_house_jackpot_pays_every_winner_of_the_whole_prize_and_moves_no_meter(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db", under(), under("fixed", jackpot=UNSET, prize=500_000))
    before = room.meter
    room.round("fixed", hands={1: ROYAL, 2: "Kd Ad", 3: NOTHING}, board="Ts Js Qs 3h 4h")
    assert room.meter == before
    assert 500_000 in [
        one.entry.cents for one in room.house.store.entries("fixed") if one.entry.kind in (Kind.PAYOUT, Kind.WIN_HELD)
    ]
    room.check()


@pytest.mark.rule("F-26")
def test_a_second_process_is_refused_and_told_which_one_to_use(tmp_path: Path) -> None:
    Room(tmp_path / "records.db")
    with pytest.raises(Locked, match=r"keeps the meters of its jackpots \(F-26\): use the server that is running"):
        Store(tmp_path / "records.db")


@pytest.mark.rule("F-17", "F-24")
def test_a_table_whose_rules_are_gone_gives_its_registrations_back_to_its_players_and_takes_them_from_the_meter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room(tmp_path / "records.db")
    room.bet()
    room.close()
    room.until(ENTER_AWARD.name, hands={1: STRAIGHT_FLUSH, 2: NOTHING, 3: ROYAL})
    room.enter("under", Decided("dealer", ENTER_AWARD.name))
    room.enter("under", Decided("supervisor", CONFIRM_AWARD.name), room.supervisor)
    assert room.meter.whole == 1  # seats 3 and 2 are settled, and 1 waits for its award
    room.house.close()

    def gone(opened: object) -> None:
        raise NotInstalled("It is played by a definition that is not here.")

    monkeypatch.setattr("feltworks.floor.recovery.check_rules", gone)
    monkeypatch.setattr("feltworks.floor.recovery.Recovery._from_snapshot", lambda *_: None)
    room.house = type(room.house)(Store(room.path), room.house.keys, room.clock)
    assert "under" in room.house.closed and not room.house.fault
    [back] = events(room, ev.RegistrationsReturned)
    assert [(one.seat, one.meter) for one in back.wagers] == [(1, 0)]
    assert room.house.jackpots.wrong_books(MAIN, room.house.store) == []
    room.house.store.check_books()
    monkeypatch.setattr("feltworks.floor.verification.replay.check_rules", gone)
    report = verify(room.path, KEYS.public)
    assert report.ok, report.problems
    room.house.close()


@pytest.mark.rule("F-16", "F-25")
def test_an_excerpt_of_a_meter_is_checked_without_what_was_before_it(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.round(hands={1: NOTHING, 2: "5s 5d", 3: "9h Tc"}, board="2s 4d 8h Jc Kd", dealer="2h 7h")
    since = room.now
    room.round(hands={1: ROYAL, 2: STRAIGHT_FLUSH, 3: NOTHING})
    write_excerpt(room.path, tmp_path / "part.jsonl", since, room.now + 1, KEYS.public)
    report = verify_excerpt(tmp_path / "part.jsonl", KEYS.public)
    assert report.ok, report.problems


@pytest.mark.rule("F-25", "F-16")
def test_an_event_of_a_meter_that_somebody_has_changed_is_found(tmp_path: Path) -> None:
    room = Room(tmp_path / "records.db")
    room.round(hands={1: ROYAL, 2: STRAIGHT_FLUSH, 3: NOTHING})
    room.house.close()
    changed = "CAST(replace(CAST(event AS TEXT), '\"meter\":60', '\"meter\":61') AS BLOB)"
    change(room.path, f"UPDATE events SET event = {changed} WHERE stream = 'jackpot:main'")
    report = verify(room.path, KEYS.public)
    assert not report.ok and any("jackpot:main" in problem for problem in report.problems)
