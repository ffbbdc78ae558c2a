"""Whom a table waits for, and how long (F-30): nobody is held up by who is not there, and who is alone has no clock."""

import msgspec
import pytest

from feltworks.floor.journal.upcasting import encode
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Closed, Decided
from feltworks.floor.table.settings import Clocks
from feltworks.web.demo import TABLES
from tests.floor.sitting import Sitting, at_dice, one_for_the_money, riding, with_toys
from tests.floor.test_pace import AnyCards

pytestmark = pytest.mark.rule("F-30")
CLOCKS = Clocks(absent=10_000)
CARDS = "7h 9h 4d 9c 2c " * 20


@pytest.fixture
def table() -> Sitting:
    """Ann at seat 2, and betting is open."""
    sitting = Sitting(one_for_the_money(clocks=CLOCKS), CARDS)
    sitting.join("ann", 2)
    sitting.start()
    return sitting


def bet(table: Sitting, *players: str) -> None:
    for player in players:
        table.do(player, cmd.Place("ante", 500))


def dealt(table: Sitting, *players: str) -> None:
    """They have bet, and somebody is asked."""
    bet(table, *players)
    for player in players:
        table.do(player, cmd.Ready())
    table.deal()
    assert table.table.to_act


def goes(table: Sitting, player: str = "ann") -> None:
    table.house(cmd.Connection(player, present=False))


def comes(table: Sitting, player: str = "ann") -> None:
    table.house(cmd.Connection(player, present=True))


def left(table: Sitting) -> int | None:
    """What is left on the clock."""
    return None if table.table.deadline is None else table.table.deadline - table.now


# Alone.


def test_who_is_alone_has_no_clock_on_betting_or_decisions(table: Sitting) -> None:
    bet(table, "ann")
    assert left(table) is None
    table.do("ann", cmd.Ready())
    table.deal()
    assert table.table.to_act == {2}
    assert left(table) is None
    table.now += 10**9
    assert table.house(cmd.ClockRanOut()) == []


@pytest.mark.parametrize("when", ["betting", "deciding"])
def test_the_clock_of_a_lost_connection_runs_for_somebody_alone_until_they_are_back(table: Sitting, when: str) -> None:
    (bet if when == "betting" else dealt)(table, "ann")
    goes(table)
    assert left(table) == CLOCKS.away
    table.now += 50_000
    comes(table)
    assert left(table) is None
    goes(table)
    table.now += CLOCKS.away
    (event,) = table.house(cmd.ClockRanOut())
    assert isinstance(event, ev.Answered)
    assert event.answer == (Closed() if when == "betting" else Decided(2, "check"))


@pytest.mark.parametrize("when", ["betting", "deciding"])
def test_clocks_run_from_when_a_second_person_sits_down_to_when_one_is_alone_again(table: Sitting, when: str) -> None:
    (bet if when == "betting" else dealt)(table, "ann")
    table.now += 100_000
    table.join("bob", 4)
    assert left(table) == (CLOCKS.betting if when == "betting" else CLOCKS.decision)
    table.now += 5_000
    table.do("bob", cmd.Leave())
    assert left(table) is None


def test_who_left_with_a_wager_in_the_round_is_not_kept_waiting_by_who_stays(table: Sitting) -> None:
    table.join("bob", 4)
    dealt(table, "ann", "bob")
    table.do("bob" if table.table.to_act == {2} else "ann", cmd.Leave())
    assert len(table.table.seats) == 2
    assert left(table) == CLOCKS.decision


def test_the_first_who_sits_down_beside_somebody_who_is_away_waits_ten_seconds_at_most(table: Sitting) -> None:
    dealt(table, "ann")
    goes(table)
    table.now += 4_000
    table.join("bob", 4)
    assert left(table) == 6_000


# Betting.


def test_a_seat_without_a_wager_is_not_waited_for_once_those_with_one_are_ready(table: Sitting) -> None:
    table.join("bob", 4)
    table.join("cyd", 5)
    bet(table, "ann", "bob")
    table.do("ann", cmd.Ready())
    assert table.table.betting
    table.do("bob", cmd.Ready())
    assert not table.table.betting


def test_before_these_clocks_everybody_who_is_there_is_waited_for() -> None:
    """A table that was opened by older settings goes on as its records have it."""
    table = Sitting(one_for_the_money(), CARDS)
    table.join("ann", 2)
    table.join("bob", 4)
    table.start()
    bet(table, "ann")
    assert left(table) == CLOCKS.betting
    table.do("ann", cmd.Ready())
    assert table.table.betting


def test_betting_waits_ten_seconds_for_a_wager_whose_owner_is_away(table: Sitting) -> None:
    table.join("bob", 4)
    bet(table, "ann", "bob")
    table.now += 1_000
    goes(table, "bob")
    assert left(table) == CLOCKS.betting - 1_000  # ann may take her time
    table.now += 3_000
    table.do("ann", cmd.Ready())
    assert table.table.betting
    assert left(table) == 7_000
    table.now += 7_000
    (event,) = table.house(cmd.ClockRanOut())
    assert isinstance(event, ev.Answered) and event.answer == Closed()
    assert table.table.wagers.keys() == {(2, "ante"), (4, "ante")}  # what is down plays on


def test_who_comes_back_in_time_may_go_on_betting_until_the_same_deadline(table: Sitting) -> None:
    table.join("bob", 4)
    bet(table, "ann", "bob")
    deadline = table.table.deadline
    table.do("ann", cmd.Ready())
    for _ in range(3):
        table.now += 2_000
        goes(table, "bob")
        table.now += 1_000
        comes(table, "bob")
        assert table.table.deadline == deadline
    table.now += 9_000
    goes(table, "bob")
    assert table.table.deadline == deadline  # no later, though ten seconds are not over by then


def test_betting_is_not_closed_early_while_nobody_is_ready(table: Sitting) -> None:
    """Who has not bet yet has the whole clock, though the only one who has is away."""
    table.join("bob", 4)
    bet(table, "ann")
    goes(table)
    assert left(table) == CLOCKS.betting


def test_who_takes_the_wager_up_again_has_the_rest_of_the_betting_clock(table: Sitting) -> None:
    """Nobody is shut out by a chip that was put on the wrong spot."""
    table.join("bob", 4)
    bet(table, "ann", "bob")
    deadline = table.table.deadline
    table.do("ann", cmd.Ready())
    table.do("bob", cmd.TakeUp("ante"))
    assert table.table.betting and table.table.deadline == deadline


# Decisions.


def test_who_is_away_is_waited_for_ten_seconds_and_then_checks(table: Sitting) -> None:
    table.join("bob", 4)
    dealt(table, "ann", "bob")
    (seat,) = table.table.to_act
    table.now += 1_000
    goes(table, table.table.seats[seat].player)
    assert left(table) == 10_000
    table.now += 10_000
    (event,) = table.house(cmd.ClockRanOut())
    assert isinstance(event, ev.Answered) and event.answer == Decided(seat, "check")


def test_whoever_was_away_before_being_asked_has_been_waited_for_since_then(table: Sitting) -> None:
    table.join("bob", 4)
    dealt(table, "ann", "bob")
    (first,) = table.table.to_act
    other = next(who.player for seat, who in table.table.seats.items() if seat != first)
    goes(table, other)
    table.now += 6_000
    table.do(table.table.seats[first].player, cmd.Choose("check"))
    table.deal()
    assert left(table) == 4_000


@pytest.mark.parametrize("left_of_it", [24_000, 9_000, 500])
def test_a_reload_does_not_lengthen_a_clock(table: Sitting, left_of_it: int) -> None:
    table.join("bob", 4)
    dealt(table, "ann", "bob")
    (seat,) = table.table.to_act
    player, deadline = table.table.seats[seat].player, table.table.deadline
    table.now += CLOCKS.decision - left_of_it
    for _ in range(4):
        goes(table, player)
        assert left(table) == 10_000
        table.now += 100
        comes(table, player)
        assert table.table.deadline == deadline


def test_who_comes_back_after_the_deadline_has_what_is_left_and_gains_no_more_by_going_again(table: Sitting) -> None:
    table.join("bob", 4)
    dealt(table, "ann", "bob")
    (seat,) = table.table.to_act
    player = table.table.seats[seat].player
    table.now += CLOCKS.decision - 1_000
    goes(table, player)
    last = table.now + 10_000
    table.now += 3_000
    for _ in range(3):
        comes(table, player)
        assert table.table.deadline == last
        table.now += 1_000
        goes(table, player)
        assert table.table.deadline == last


def test_where_seats_decide_together_nobody_is_hurried_by_who_is_away() -> None:
    """The clock of those who are there runs anyway; when they have decided, who is away is waited for no longer."""
    (settings,) = (table for table in TABLES if table.id == "under")
    readings = {"order_of_action": "together"}
    table = Sitting(msgspec.structs.replace(settings, readings=readings))
    table.chance = AnyCards(7)
    table.join("ann", 1)
    table.join("bob", 2)
    table.start()
    for player in ("ann", "bob"):
        for spot in ("ante", "bet"):
            table.do(player, cmd.Place(spot, 500))
    for player in ("ann", "bob"):
        table.do(player, cmd.Ready())
    table.deal()
    assert table.table.to_act == {1, 2}
    deadline = table.table.deadline
    goes(table, "bob")
    assert table.table.deadline == deadline
    table.now += 4_000
    table.do("ann", cmd.Choose("check"))
    assert table.table.to_act == {2}
    assert left(table) == 6_000


def test_contract_bets_of_somebody_away_play_on_roll_by_roll(monkeypatch: pytest.MonkeyPatch) -> None:
    with_toys(monkeypatch)
    table = at_dice(riding(clocks=CLOCKS), "3312", "5512", "5512", players="ann bob")
    for player in ("ann", "bob"):
        table.do(player, cmd.Place("play", 1_000))
    for player in ("ann", "bob"):
        table.do(player, cmd.Ready())
    assert table.table.to_act == {1}
    goes(table)
    assert left(table) == 10_000
    table.now += 10_000
    (event,) = table.house(cmd.ClockRanOut())
    assert isinstance(event, ev.Answered) and event.answer == Decided(1, "the dealer rolls")
    table.deal()
    assert table.table.betting and (1, "play") in table.table.wagers
    table.do("bob", cmd.Ready())
    assert left(table) == 0  # she was waited for already
    table.house(cmd.ClockRanOut())
    assert not table.table.betting


def test_a_house_that_was_away_gives_everybody_the_whole_clock_again(table: Sitting) -> None:
    table.join("bob", 4)
    dealt(table, "ann", "bob")
    table.now += 20_000
    for player in ("ann", "bob"):
        goes(table, player)
    table.now += 10**6
    table.house(cmd.RestartClocks())
    assert left(table) == CLOCKS.away  # nobody is there to wait
    table.now += 2_000
    (seat,) = table.table.to_act
    comes(table, table.table.seats[seat].player)
    assert left(table) == CLOCKS.decision - 2_000


def test_every_change_of_the_clock_is_a_fold_of_what_is_recorded(table: Sitting) -> None:
    table.join("bob", 4)
    dealt(table, "ann", "bob")
    for player in ("ann", "bob", "ann"):
        table.now += 1_000
        goes(table, player)
        table.now += 500
        comes(table, player)
    assert table.replayed() == table.table


def test_settings_from_before_are_written_as_they_were_and_the_demo_tables_have_the_new_ones() -> None:
    """A check of the records decides them again and compares the bytes."""
    assert b"absent" not in encode(cmd.OpenTable(one_for_the_money()))
    assert b'"absent":10000' in encode(cmd.OpenTable(one_for_the_money(clocks=CLOCKS)))
    assert {settings.clocks.absent for settings in TABLES} == {10_000}
