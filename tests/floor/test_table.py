"""A table: what it lets people do, what it refuses with a reason, and what it books."""

from fractions import Fraction
from pathlib import Path

import pytest

from feltworks.floor import aggregates
from feltworks.floor.accounts import Entry, Kind, player_account, table_account
from feltworks.floor.actors import person
from feltworks.floor.house import House
from feltworks.floor.keys import Keys
from feltworks.floor.refusal import Refused
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import States
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Closed, Placed
from feltworks.floor.table.events import Settled
from feltworks.floor.table.settings import Clocks
from feltworks.kit import steps
from feltworks.kit.cards import Seat
from feltworks.kit.round import Round
from tests.floor.sitting import Sitting, in_between, one_for_the_money


@pytest.fixture
def sitting() -> Sitting:
    """Seat 2 gets a seven and the dealer a nine and a four."""
    sitting = Sitting(one_for_the_money(), "7h 9c 4d Kd")
    sitting.join("ann", 2)
    sitting.start()
    return sitting


def bet_and_deal(sitting: Sitting, player: str = "ann", amount: int = 1_000) -> None:
    sitting.do(player, cmd.Place("ante", amount))
    sitting.do(player, cmd.Ready())
    sitting.deal()


@pytest.mark.rule("F-11", "F-27")
def test_a_wager_is_booked_when_it_is_placed_and_its_win_when_it_is_decided(sitting: Sitting) -> None:
    sitting.chance = Sitting(one_for_the_money(), "Kh 9c 4d").chance
    bet_and_deal(sitting)
    assert sitting.balance("ann") == 99_000
    sitting.do("ann", cmd.Choose("raise"))
    assert sitting.balance("ann") == 98_000
    sitting.deal()
    assert sitting.balance("ann") == 102_000
    assert [(s.spot, s.line, s.pays, s.paid, s.returned, s.rule) for s in sitting.table.results] == [
        ("ante", "Higher card", "1 to 1", 1_000, 1_000, "O-06"),
        ("raise", "Higher card", "1 to 1", 1_000, 1_000, "O-06"),
    ]
    assert sum(sitting.books.values()) == 0


@pytest.mark.rule("F-11")
def test_a_lost_wager_stays_with_the_table(sitting: Sitting) -> None:
    bet_and_deal(sitting)
    sitting.do("ann", cmd.Choose("check"))
    sitting.deal()
    assert sitting.balance("ann") == 99_000
    assert sitting.books["table:money"] == 1_000


@pytest.mark.rule("F-08")
@pytest.mark.parametrize(
    ("rounding", "chip", "paid"), [("cent", 1, 250), ("chip down", 100, 200), ("chip up", 100, 300)]
)
def test_odds_that_do_not_divide_evenly_follow_the_rounding_of_the_house(rounding: str, chip: int, paid: int) -> None:
    settings = in_between(rounding=rounding, chip=chip, pay={"in_between": "5/2,5/2,5/2,5/2,5/2"})
    sitting = Sitting(settings, "2c 7d Kh 9s")
    sitting.join("ann", 1)
    sitting.start()
    sitting.do("ann", cmd.Place("base", 500))
    sitting.do("ann", cmd.Place("in_between", 100))
    sitting.do("ann", cmd.Ready())
    sitting.deal()
    assert [s.paid for s in sitting.table.results if s.spot == "in_between"] == [paid]


@pytest.mark.rule("F-07")
@pytest.mark.parametrize(
    ("command", "why"),
    [
        (cmd.Place("ante", 50), "at least 1.00"),
        (cmd.Place("ante", 30_100), "at most 300.00"),
        (cmd.Place("ante", 0), "between 1.00 and 300.00"),
        (cmd.Place("ante", -500), "between 1.00 and 300.00"),
        (cmd.Place("ante", 10**15), "between 1.00 and 300.00"),
        (cmd.Place("raise", 500), "no spot 'raise'"),
        (cmd.Place("nowhere", 500), "no spot 'nowhere'"),
        (cmd.Place("three_card_bonus", 500), "needs Ante; place that first"),
        (cmd.TakeUp("ante"), "nothing on Ante to take up"),
        (cmd.Ready(), "Place a wager first"),
        (cmd.Choose("raise"), "not your turn"),
        (cmd.Sit(3), "You sit at seat 2 already"),
    ],
)
def test_a_command_that_cannot_be_is_refused_with_a_reason_and_changes_nothing(
    sitting: Sitting, command: cmd.Command, why: str
) -> None:
    before, books = sitting.table, dict(sitting.books)
    with pytest.raises(Refused, match=why):
        sitting.do("ann", command)
    assert sitting.table is before
    assert dict(sitting.books) == books


@pytest.mark.rule("F-07")
def test_nobody_wagers_more_than_they_have() -> None:
    sitting = Sitting(one_for_the_money(), "7h 9c 4d", balance=1_500)
    sitting.join("ann", 1)
    sitting.start()
    with pytest.raises(Refused, match=r"You have 15\.00"):
        sitting.do("ann", cmd.Place("ante", 1_600))
    bet_and_deal(sitting)
    with pytest.raises(Refused, match=r"wagers 10\.00 more; you have 5\.00"):
        sitting.do("ann", cmd.Choose("raise"))
    sitting.do("ann", cmd.Choose("check"))


@pytest.mark.rule("F-07")
def test_a_spectator_and_another_seat_cannot_act_for_somebody(sitting: Sitting) -> None:
    sitting.join("bob", 3)
    bet_and_deal_both(sitting)
    with pytest.raises(Refused, match="You are watching"):
        sitting.do("eve", cmd.Choose("raise"))
    with pytest.raises(Refused, match="not your turn"):
        sitting.do("bob", cmd.Choose("raise"))


def bet_and_deal_both(sitting: Sitting) -> None:
    for player in ("ann", "bob"):
        sitting.do(player, cmd.Place("ante", 1_000))
    for player in ("ann", "bob"):
        sitting.do(player, cmd.Ready())
    sitting.chance = Sitting(one_for_the_money(), "7h 8h 9c 4d").chance
    sitting.deal()


@pytest.mark.rule("F-07")
def test_a_wager_after_the_close_is_no_bet(sitting: Sitting) -> None:
    bet_and_deal(sitting)
    for command in (cmd.Place("ante", 500), cmd.TakeUp("ante"), cmd.Ready()):
        with pytest.raises(Refused, match="Betting is closed"):
            sitting.do("ann", command)


def test_cards_come_when_everybody_who_sits_is_ready(sitting: Sitting) -> None:
    sitting.join("bob", 4)
    sitting.do("ann", cmd.Place("ante", 1_000))
    sitting.do("ann", cmd.Ready())
    assert sitting.table.betting
    sitting.do("bob", cmd.Place("ante", 500))
    sitting.do("bob", cmd.Ready())
    assert not sitting.table.betting


@pytest.mark.parametrize("how", ["leaves", "loses the seat"])
def test_cards_come_when_the_last_one_who_was_not_ready_is_gone(sitting: Sitting, how: str) -> None:
    sitting.join("bob", 4)
    sitting.join("cyd", 5)
    sitting.do("bob", cmd.Place("ante", 500))
    sitting.do("ann", cmd.Place("ante", 1_000))
    sitting.do("ann", cmd.Ready())
    sitting.do("cyd", cmd.Leave())
    assert sitting.table.betting
    if how == "loses the seat":
        sitting.do("bob", cmd.TakeUp("ante"))
        sitting.house(cmd.Connection("bob", present=False))
        sitting.now += Clocks().seat
        found = sitting.house(cmd.FreeSeats())
        assert found[0] == ev.Left(4, "away for too long")
    else:
        found = sitting.do("bob", cmd.Leave())
    assert sitting.balance("bob") == 100_000
    assert isinstance(found[-1], ev.Answered) and found[-1].answer == Closed()
    assert sitting.table.round is not None
    assert sitting.table.round.playing == (2,)


def test_betting_stays_open_when_somebody_leaves_and_nobody_is_ready(sitting: Sitting) -> None:
    sitting.join("bob", 4)
    sitting.do("ann", cmd.Place("ante", 1_000))
    assert sitting.do("bob", cmd.Leave()) == [ev.Left(4)]
    assert sitting.table.betting


@pytest.mark.rule("F-30")
def test_who_lets_round_after_round_go_by_loses_the_seat_and_may_take_one_again() -> None:
    """The seat is kept while there is a wager, and the count begins anew with one."""
    sitting = Sitting(one_for_the_money(idle=3), "7h 9c 4d " * 8)
    sitting.join("ann", 2)
    sitting.join("bob", 4)

    def play(*bettors: str) -> None:
        sitting.start()
        for player in bettors:
            sitting.do(player, cmd.Place("ante", 500))
        sitting.house(cmd.CloseBetting())
        for _ in bettors:
            sitting.deal()
            (seat,) = sitting.table.to_act
            sitting.do(sitting.table.seats[seat].player, cmd.Choose("check"))
        sitting.deal()
        sitting.end()

    for bettors in (("ann",), ("ann",), ("ann", "bob"), ("ann",), ("ann",)):
        play(*bettors)
        assert sitting.house(cmd.FreeSeats()) == []
    play("ann")
    assert sitting.house(cmd.FreeSeats()) == [ev.Left(4, "no wager in 3 rounds")]
    assert sitting.table.seat_of("bob") is None
    sitting.do("bob", cmd.Sit(4))
    play("ann")
    assert sitting.house(cmd.FreeSeats()) == []


def test_a_player_who_takes_a_wager_up_has_it_back(sitting: Sitting) -> None:
    sitting.do("ann", cmd.Place("ante", 700))
    sitting.do("ann", cmd.Place("ante", 300))
    assert sitting.balance("ann") == 99_000
    sitting.do("ann", cmd.TakeUp("ante"))
    assert sitting.balance("ann") == 100_000


@pytest.mark.rule("F-30")
def test_a_clock_that_runs_out_checks_and_never_wagers(sitting: Sitting) -> None:
    bet_and_deal(sitting)
    deadline = sitting.table.deadline
    assert deadline is not None
    sitting.now = deadline - 1
    assert sitting.house(cmd.ClockRanOut()) == []
    sitting.now = deadline
    sitting.house(cmd.ClockRanOut())
    sitting.deal()
    assert [(s.spot, s.amount) for s in sitting.table.results] == [("ante", 1_000)]


@pytest.mark.rule("F-30")
def test_a_lost_connection_gets_the_longer_clock(sitting: Sitting) -> None:
    bet_and_deal(sitting)
    assert sitting.table.deadline == sitting.now + Clocks().decision
    sitting.now += 1_000
    sitting.house(cmd.Connection("ann", present=False))
    assert sitting.table.deadline == sitting.now + Clocks().away


@pytest.mark.rule("F-30")
def test_betting_has_no_clock_until_somebody_has_bet(sitting: Sitting) -> None:
    deadlines = [sitting.table.deadline]
    for _ in range(2):
        sitting.do("ann", cmd.Place("ante", 500))
        deadlines.append(sitting.table.deadline)
        sitting.now += 3_000
    sitting.do("ann", cmd.TakeUp("ante"))
    deadlines.append(sitting.table.deadline)
    first = sitting.now - 6_000 + Clocks().betting
    assert deadlines == [None, first, first, None]


@pytest.mark.rule("F-30")
def test_who_leaves_while_betting_is_open_takes_the_wagers_along(sitting: Sitting) -> None:
    sitting.do("ann", cmd.Place("ante", 1_000))
    sitting.do("ann", cmd.Place("three_card_bonus", 500))
    sitting.do("ann", cmd.Leave())
    assert sitting.balance("ann") == 100_000
    assert sitting.table.seat_of("ann") is None
    assert sitting.table.round is not None
    assert not sitting.table.round.wagers


@pytest.mark.rule("F-30")
def test_who_leaves_in_mid_round_plays_on_without_new_wagers_and_is_paid(sitting: Sitting) -> None:
    sitting.chance = Sitting(one_for_the_money(), "Kh 9c 4d").chance
    bet_and_deal(sitting)
    sitting.do("ann", cmd.Leave())
    assert sitting.table.deadline == sitting.now
    sitting.house(cmd.ClockRanOut())
    sitting.deal()
    assert sitting.balance("ann") == 101_000
    sitting.end()
    assert sitting.table.seat_of("ann") is None


@pytest.mark.rule("F-17")
def test_a_void_returns_every_wager_in_action(sitting: Sitting) -> None:
    sitting.do("ann", cmd.Place("ante", 1_000))
    sitting.do("ann", cmd.Place("three_card_bonus", 500))
    sitting.do("ann", cmd.Ready())
    sitting.deal()
    found = sitting.house(cmd.VoidRound("the lights went out"))
    assert isinstance(found[0], ev.Voided)
    assert sitting.balance("ann") == 100_000
    assert sitting.table.round is None
    assert sum(sitting.books.values()) == 0


@pytest.mark.rule("F-16")
def test_a_table_is_the_fold_of_its_events(sitting: Sitting) -> None:
    bet_and_deal(sitting)
    sitting.do("ann", cmd.Choose("trade"))
    sitting.deal()
    assert sitting.replayed() == sitting.table
    sitting.do("ann", cmd.Choose("stand"))
    sitting.deal()
    sitting.end()
    assert sitting.replayed() == sitting.table


@pytest.mark.rule("F-23")
def test_a_shoe_goes_on_until_the_cut_card_and_a_shuffler_never_does() -> None:
    for shuffling, again in (("shoe", False), ("shuffler", True)):
        sitting = Sitting(one_for_the_money(shuffling=shuffling), "7h 9c 4d")
        sitting.join("ann", 1)
        assert sitting.table.needs_shuffle
        sitting.start()
        bet_and_deal(sitting)
        sitting.do("ann", cmd.Choose("check"))
        sitting.deal()
        sitting.end()
        assert sitting.table.needs_shuffle is again
        assert sitting.table.unseen is not None
        assert sitting.table.unseen.total == 309


@pytest.mark.rule("F-23")
def test_the_cut_card_asks_for_a_shuffle() -> None:
    sitting = Sitting(one_for_the_money(shuffling="shoe", penetration=10), "7h 9c 4d 7c 9d 4s 7s 9h 4c 7d 9s 4h " * 5)
    sitting.join("ann", 1)
    rounds = 0
    sitting.start()
    while rounds == 0 or not sitting.table.needs_shuffle:
        if rounds:
            sitting.start()
        bet_and_deal(sitting)
        sitting.do("ann", cmd.Choose("check"))
        sitting.deal()
        sitting.end()
        rounds += 1
    assert rounds == 11


def test_results_are_those_of_the_round_and_are_gone_with_the_next(sitting: Sitting) -> None:
    bet_and_deal(sitting)
    sitting.do("ann", cmd.Choose("check"))
    sitting.deal()
    assert all(isinstance(result, Settled) for result in sitting.table.results)
    sitting.end()
    assert sitting.table.results
    sitting.start()
    assert not sitting.table.results


# A wager goes through the rules once.


@pytest.fixture
def ruled(monkeypatch: pytest.MonkeyPatch) -> list[steps.Answer]:
    """Every answer that the rules are asked about, as often as they are."""
    asked: list[steps.Answer] = []
    after = Round.after

    def counted(round: Round, answer: steps.Answer) -> Round:
        asked.append(answer)
        return after(round, answer)

    monkeypatch.setattr(Round, "after", counted)
    return asked


@pytest.mark.rule("F-07", "F-16")
def test_a_wager_that_is_accepted_goes_through_the_rules_once_and_one_outside_the_limits_never(
    sitting: Sitting, ruled: list[steps.Answer]
) -> None:
    states = States(lambda _: sitting.table, lambda _: 100_000, sitting.chance)
    decision = aggregates.decide(states, "money", cmd.Place("ante", 1_000), person("ann"), sitting.now)
    assert ruled == [steps.Place(Seat(2), "ante", Fraction(1_000))]
    (happened,) = decision.happened
    assert happened.event == ev.Answered(Placed(2, "ante", 1_000))
    assert happened.entries == (Entry(Kind.WAGER_TAKEN, player_account("ann"), table_account("money"), 1_000),)
    assert decision.states == {"money": aggregates.evolve(sitting.table, "money", happened.event, sitting.now)}
    ruled.clear()
    with pytest.raises(Refused, match="at most"):
        aggregates.decide(states, "money", cmd.Place("ante", 30_100), person("ann"), sitting.now)
    assert ruled == []


@pytest.mark.rule("F-16")
def test_a_house_asks_the_rules_once_for_a_wager_that_it_decides_records_and_adopts(
    tmp_path: Path, ruled: list[steps.Answer]
) -> None:
    house = House(Store(tmp_path / "records.db"), Keys(bytes(32), bytes(32)), lambda: 1_000)
    house.open_table(one_for_the_money())
    player, _ = house.people.guest()
    house.command("money", player, cmd.Sit(2))
    house.deal_on("money", "start round")
    ruled.clear()
    house.command("money", player, cmd.Place("ante", 1_000))
    assert ruled == [steps.Place(Seat(2), "ante", Fraction(1_000))]
    assert house.live("money").table.wagers == {(Seat(2), "ante"): 1_000}
    house.close()
