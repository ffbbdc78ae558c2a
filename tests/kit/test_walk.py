"""One loop walks every game: players wager and decide, chance answers the rest."""

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from feltworks.kit.cards import Seat, parse_cards
from feltworks.kit.chance import Scripted, Shuffled
from feltworks.kit.errors import NotAllowed
from feltworks.kit.odds import Odds
from feltworks.kit.round import Round
from feltworks.kit.steps import (
    DEALT,
    Bet,
    Choose,
    Close,
    Collect,
    Decide,
    Items,
    Option,
    Place,
    Role,
    Settlement,
    Stake,
    TakeUp,
    task,
)
from feltworks.kit.walk import Habit, KnownRounds, bets_for, walk
from tests.kit.support import ONE, THREE, TWO, little_game, place, toy

UNIT = Fraction(1)


def test_a_walk_tells_each_step_its_answer_and_the_round_after_it() -> None:
    start = toy("bands").start((2,))
    told = list(walk(start, Scripted(parse_cards("7c 2d 6c")), {TWO: Habit({"base": UNIT}, prefer=("play",))}))
    assert [answer for _, answer, _ in told][:5] == [place(TWO, "ante"), Close(), DEALT, DEALT, DEALT]
    round = start
    for step, answer, after in told:
        assert round.next == step
        round = round.after(answer)
        assert round == after
    assert round.over


def test_every_seat_wagers_in_turn_before_betting_is_closed() -> None:
    players = {ONE: Habit({"base": UNIT, "match": 2 * UNIT}), TWO: Habit({"base": 3 * UNIT})}
    walked = walk(toy("bands").start((1, 2)), Shuffled(Random(1), toy("bands").fresh()), players)
    answers = [answer for step, answer, _ in walked if isinstance(step, Bet)]
    assert answers == [place(ONE, "ante"), place(ONE, "match", 2), place(TWO, "ante", 3), Close()]


def test_a_seat_without_a_wager_is_not_in_the_round() -> None:
    players = {ONE: Habit({}), TWO: Habit({"base": UNIT})}
    *_, (_, _, end) = walk(toy("peek").start((1, 2)), Scripted(parse_cards("9c 8c 7c")), players)
    assert [(s.seat, s.net()) for s in end.effects if isinstance(s, Settlement)] == [(TWO, UNIT)]


def test_nobody_wagers_and_the_walk_stops_with_a_sentence() -> None:
    with pytest.raises(NotAllowed, match=r"^No seat has a wager; place one before the betting is closed\.$"):
        list(walk(toy("peek").start(), Scripted(), {ONE: Habit({})}))


@pytest.mark.parametrize(
    ("prefer", "decided"),
    [
        ((), ["decline", "stand"]),
        (("double",), ["decline", "double"]),
        (("insure", "double"), ["insure", "double"]),
        (("no such option", "insure"), ["insure", "stand"]),
    ],
)
def test_a_habit_prefers_its_options_and_takes_the_first_otherwise(prefer: tuple[str, ...], decided: list[str]) -> None:
    script = Scripted(parse_cards("9c Ac 8c"))
    walked = walk(toy("peek").start(), script, {ONE: Habit({"base": UNIT}, prefer)})
    assert [answer.option for _, answer, _ in walked if isinstance(answer, Decide)] == decided


def test_a_habit_wagers_again_whenever_its_spot_is_open_and_empty() -> None:
    rolls = [(2, 2), (1, 2), (3, 4)]
    habit = Habit({"line": UNIT, "seven": 5 * UNIT})
    walked = list(walk(toy("point").start(), Scripted(rolls=rolls), {ONE: habit}))
    placed = [answer for _, answer, _ in walked if isinstance(answer, Place)]
    assert placed == [place(ONE, "line"), *[place(ONE, "seven", 5)] * 3]
    *_, (_, _, end) = walked
    assert [(s.line, s.net()) for s in end.effects if isinstance(s, Settlement)] == [
        ("Seven out", Fraction(-1)),
        ("Seven", Fraction(20)),
    ]


def test_a_stake_is_shared_out_on_the_spots_that_open() -> None:
    opens = {"ante": "1", "blind": "1/2"}
    spots = {"ante": "Ante", "blind": "Blind", "raise": "Raise"}

    def play(self: Round) -> Items:
        yield self.game.betting("open")

    round = little_game(play, {"base": {"title": "Base", "spots": spots, "opens": opens}}).start()
    assert isinstance(round.next, Bet)
    assert round.next.spots == ("ante", "blind")
    assert list(bets_for({"base": Fraction(3)}, round, round.next, ONE)) == [
        place(ONE, "ante", 3),
        place(ONE, "blind", "3/2"),
    ]
    half_there = round.after(place(ONE, "ante"))
    assert list(bets_for({"base": Fraction(3)}, half_there, round.next, ONE)) == [place(ONE, "blind", "3/2")]
    assert list(bets_for({"other": Fraction(3)}, round, round.next, ONE)) == []


def self_service(self: Round) -> Items:
    for _ in range(3):
        yield self.game.betting("open")
        yield task(pay_all)


class LeftUp(Round):
    @property
    def carry(self) -> dict[str, Any]:
        return self.left_up


def pay_all(self: Round) -> Items:
    for seat, spot in self.wagers:
        yield replace(self.win(seat, spot, "Won", Odds("to", 3, 1), "T-00"), stake=Stake.STAYS)


def test_a_habit_collects_takes_up_and_makes_a_self_service_wager_anew() -> None:
    """Each time is a wager of its own, and nothing it has won is left lying."""
    wagers: dict[str, dict[str, Any]] = {"own": {"title": "Own", "self_service": True}, "house": {"title": "House"}}
    habit = Habit({"own": 2 * UNIT, "house": UNIT})
    walked = list(walk(little_game(self_service, wagers, base=LeftUp).start(), Scripted(), {ONE: habit}))
    again: list[Any] = [Collect(ONE, "own"), TakeUp(ONE, "own"), place(ONE, "own", 2), Close()]
    assert [answer for _, answer, _ in walked] == [place(ONE, "own", 2), place(ONE, "house"), Close(), *again, *again]


def test_a_habit_leaves_winnings_of_a_wager_that_it_does_not_make() -> None:
    wagers = {"own": {"title": "Own", "self_service": True}}
    round = little_game(self_service, wagers).start().after(place(ONE, "own")).after(Close())
    assert isinstance(round.next, Bet)
    assert list(bets_for({}, round, round.next, ONE)) == []


def test_a_habit_does_not_make_a_wager_that_stands_instead_of_one_it_has() -> None:
    def play(self: Round) -> Items:
        yield self.game.betting("open")

    wagers: dict[str, dict[str, Any]] = {"main": {"title": "Main"}, "late": {"title": "Late", "instead": ["main"]}}
    round = little_game(play, wagers).start()
    assert isinstance(round.next, Bet)
    stakes = {"main": UNIT, "late": UNIT}
    assert place(ONE, "late") in list(bets_for({"late": UNIT}, round, round.next, ONE))
    assert list(bets_for(stakes, round.after(place(ONE, "main")), round.next, ONE)) == []


def test_the_lowest_seat_decides_first_where_several_decide() -> None:
    seats = (ONE, TWO, THREE)
    habits: dict[Seat, Any] = {seat: Habit({"base": UNIT}, prefer=("insure",)) for seat in seats}
    script = Scripted(parse_cards("9c 8c 7c Ac 6c"))
    walked = walk(toy("peek").start((1, 2, 3)), script, habits)
    insured = [a.who for _, a, _ in walked if isinstance(a, Decide) and a.option == "insure"]
    assert insured == [ONE, TWO, THREE]


def test_roles_take_the_first_option() -> None:
    def play(self: Round) -> Items:
        yield Choose(Role.DEALER, (Option("valid"), Option("cocked")))

    walked = list(walk(little_game(play).start(), Scripted(), {}))
    assert [answer for _, answer, _ in walked] == [Decide(Role.DEALER, "valid")]


def test_what_is_known_of_the_first_rounds_is_worked_out_once_and_of_later_ones_each_time() -> None:
    known, start = KnownRounds(most=2), toy("bands").start()
    placed = known.after(start, place(ONE, "ante"))
    dealt = known.after(placed, Close())
    assert known.after(start, place(ONE, "ante")) is placed
    assert known.after(placed, Close()) is dealt
    other = known.after(start, place(ONE, "ante", 6))
    assert other.stake(ONE, "ante") == 6
    assert known.after(start, place(ONE, "ante", 6)) is not other


def test_an_equal_round_that_is_another_object_is_not_taken_for_the_known_one() -> None:
    known, game = KnownRounds(), toy("bands")
    ante = place(ONE, "ante")
    first, second = game.start(), game.start()
    assert known.after(first, ante) is not known.after(second, ante)
    assert known.after(first, ante) == known.after(second, ante)
