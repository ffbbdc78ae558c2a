"""A round may end only with every wager settled, or carried by name into the next one; otherwise the rules are at
fault, and the error names the wager, the seat and the rule."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from feltworks.kit.cards import Card
from feltworks.kit.errors import FaultyRules, NotAllowed
from feltworks.kit.game import Game
from feltworks.kit.loader import load_folder
from feltworks.kit.odds import PUSH, Odds
from feltworks.kit.round import Round
from feltworks.kit.steps import DEALT, Close, Decide, Incident, Items, Over, Role, Roll, Stake, note, task
from tests.kit.support import ONE, THREE, TWO, after_all, little_game, one_sentence, place, state

FAULTY = Path(__file__).parents[1] / "faulty"
EVEN = Odds("to", 1, 1)


def faulty(name: str) -> Game:
    return load_folder(FAULTY / name)


def fault_of(round: Round, *answers: Any) -> str:
    """What is said of the rules after these answers; the last of them leaves the round as it was."""
    *before, last = answers
    round = after_all(round, before)
    was = state(round)
    with pytest.raises(FaultyRules) as fault:
        round.after(last)
    assert state(round) == was
    return one_sentence(fault.value)


def test_a_rule_that_forgets_the_loser_is_named_with_the_wager_and_the_seat() -> None:
    bets = [place(ONE, "ante", 5), place(TWO, "ante", 5), Close()]
    cards = [DEALT, Card("3c"), DEALT, Card("5c"), DEALT, Card("4d")]
    assert fault_of(faulty("no_loss").start((1, 2)), *bets, *cards, Decide(ONE, "show"), Decide(TWO, "show")) == (
        "The rule NoLoss.settle (T-42) of No Loss ended the round, but Ante of seat 1 is neither settled nor carried;"
        " settle every wager, or hand it to the next round by `carry`."
    )


def test_a_bonus_wager_that_is_dropped_is_named() -> None:
    start = after_all(faulty("dropped_bonus").start(), [place(ONE, "base"), place(ONE, "six"), Close()])
    assert start.after((5,)).over
    assert fault_of(start, (2,)) == (
        "The rule DroppedBonus.settle (T-52 and T-53) of Dropped Bonus ended the round, but Six of seat 1 is neither"
        " settled nor carried; settle every wager, or hand it to the next round by `carry`."
    )


def test_what_stays_up_and_what_was_won_must_be_carried() -> None:
    bets = [place(ONE, "base"), place(ONE, "ride", 2), place(ONE, "field", 3), Close()]
    start = after_all(faulty("nothing_carried").start(), bets)
    assert fault_of(start, (4, 4)) == (
        "The rule NothingCarried.settle (T-62 to T-64) of Nothing Carried ended the round, but Ride of seat 1 is"
        " neither settled nor carried, and Field of seat 1 is neither settled nor carried, and what was won by Field of"
        " seat 1 is neither collected nor carried; settle every wager, or hand it to the next round by `carry`."
    )
    assert start.after((3, 4)).over


def keeping(carry: Callable[[Round], dict[str, Any]], play: Callable[[Any], Items]) -> Game:
    base: type[Round] = dataclass(frozen=True)(type("Carrying", (Round,), {"carry": property(carry)}))
    return little_game(play, base=base)


def bet_alone(self: Round) -> Items:
    yield self.game.betting("open")
    yield task(nothing)


def nothing(self: Round) -> Items:
    """T-71."""
    yield from ()


@pytest.mark.parametrize(
    ("carried", "said"),
    [
        ({(ONE, "bet"): Fraction(4)}, "Bet of seat 1 is carried as 4 where 5 lies"),
        ({(ONE, "bet"): Fraction(5), (TWO, "bet"): Fraction(1)}, "Bet of seat 2 is carried as 1 where nothing lies"),
        (
            {(ONE, "moon"): Fraction(5)},
            "Bet of seat 1 is neither settled nor carried, and moon of seat 1 is carried as 5",
        ),
    ],
)
def test_a_wager_is_carried_as_it_lies_there(carried: dict[Any, Fraction], said: str) -> None:
    game = keeping(lambda round: {"wagers": carried} if round.over else {}, bet_alone)
    assert said in fault_of(game.start((1, 2)), place(ONE, "bet", 5), Close())


def test_a_fact_that_is_carried_and_not_known_is_found_when_the_round_ends() -> None:
    game = keeping(lambda round: {"shoter": 3, **round.left_up}, bet_alone)
    assert "has no fact 'shoter'" in fault_of(game.start(), place(ONE, "bet", 5), Close())


def test_what_is_left_up_is_all_that_must_be_carried() -> None:
    game = keeping(lambda round: round.left_up, bet_alone)
    over = after_all(game.start((1, 3)), [place(ONE, "bet", 5), place(THREE, "bet", 2), Close()])
    assert over.over and over.carry["wagers"] == {(ONE, "bet"): 5, (THREE, "bet"): 2}


def test_a_round_that_is_ended_early_has_every_wager_settled_too() -> None:
    def play(self: Round) -> Items:
        yield self.game.betting("open")
        yield task(enough)

    def enough(self: Round) -> Items:
        yield Over()

    said = fault_of(little_game(play).start(), place(ONE, "bet"), Close())
    assert "<locals>.enough of Little ended the round, but Bet of seat 1" in said


@pytest.mark.rule("F-17")
def test_a_void_settles_every_wager() -> None:
    """Also in a game whose rules would have left one."""
    start = after_all(faulty("dropped_bonus").start(), [place(ONE, "base"), place(ONE, "six"), Close()])
    voided = start.report(Incident("the lights went out")).after(Decide(Role.SUPERVISOR, "void"))
    assert voided.over and not voided.wagers


# Chips come and go by settlements alone.


@pytest.mark.parametrize(
    ("wagers", "said"),
    [({}, "notes 0 on the layout for seat 1 where 5 lies"), ({(ONE, "bet"): 9}, "notes 9 on the layout for seat 1")],
)
def test_a_note_brings_and_takes_no_chips(wagers: dict[Any, Any], said: str) -> None:
    def play(self: Round) -> Items:
        yield self.game.betting("open")
        yield note(wagers=wagers)

    sentence = fault_of(little_game(play).start(), place(ONE, "bet", 5), Close())
    assert said in sentence and sentence.endswith("only a settlement brings or takes chips.")


def test_a_note_may_move_chips_to_another_spot() -> None:
    def play(self: Round) -> Items:
        yield self.game.betting("open")
        yield task(move)

    def move(self: Round) -> Items:
        yield note(wagers={(ONE, "later"): Fraction(5)})
        yield task(pay)

    def pay(self: Round) -> Items:
        yield self.win(ONE, "later", "Won", EVEN, "T-00")

    wagers: dict[str, dict[str, Any]] = {"bet": {"title": "Bet", "spots": {"bet": "Bet", "later": "Later"}}}
    assert after_all(little_game(play, wagers).start(), [place(ONE, "bet", 5), Close()]).over


@pytest.mark.parametrize("part", [Fraction(2), Fraction(6), Fraction(0)])
def test_a_settlement_is_of_the_whole_wager(part: Fraction) -> None:
    """A Raise that is added to the wager is settled with it; a part of it cannot be."""

    def play(self: Round) -> Items:
        yield self.game.betting("open")
        yield task(pay)

    def pay(self: Round) -> Items:
        yield replace(self.win(ONE, "bet", "Won", EVEN, "T-00"), amount=part)

    assert f"settles {part} on Bet of seat 1 where 5 lies" in fault_of(
        little_game(play).start(), place(ONE, "bet", 5), Close()
    )


def test_a_wager_is_settled_once() -> None:
    def play(self: Round) -> Items:
        yield self.game.betting("open")
        yield task(pay)

    def pay(self: Round) -> Items:
        yield self.win(ONE, "bet", "Won", EVEN, "T-00")
        yield self.win(ONE, "bet", "Won", EVEN, "T-00")

    said = fault_of(little_game(play).start(), place(ONE, "bet", 5), Close())
    assert "settles 5 on Bet of seat 1 where nothing lies" in said


def test_a_wager_that_stays_is_paid_more_than_once_and_settled_in_the_end() -> None:
    def play(self: Round) -> Items:
        yield self.game.betting("open")
        yield task(pay)

    def pay(self: Round) -> Items:
        for _ in range(2):
            yield replace(self.win(ONE, "bet", "Won", EVEN, "T-00"), stake=Stake.STAYS)
        yield self.lose(ONE, "bet", "Lost", "T-00")

    assert after_all(little_game(play).start(), [place(ONE, "bet", 5), Close()]).over


# Rules that fail.


def test_a_rule_that_fails_is_named_with_what_went_wrong() -> None:
    def play(self: Round) -> Items:
        yield self.game.betting("open")
        yield Roll(2)
        yield task(look)

    def look(self: Round) -> Items:
        """T-81: the third die."""
        yield note(point=self.dice[2])  # type: ignore[index]

    said = fault_of(little_game(play).start(), place(ONE, "bet"), Close(), (3, 4))
    assert said.endswith("<locals>.look (T-81) of Little fails with IndexError: tuple index out of range.")


def test_a_rule_that_refuses_in_words_is_no_fault() -> None:
    def play(self: Round) -> Items:
        yield self.game.betting("open")
        yield task(refuse)

    def refuse(self: Round) -> Items:
        yield from ()
        raise NotAllowed("Not like that; place more.")

    with pytest.raises(NotAllowed, match="Not like that"):
        after_all(little_game(play).start(), [place(ONE, "bet"), Close()])


@pytest.mark.parametrize(
    ("odds", "stake"),
    [(EVEN, Stake.TAKEN), (Odds("for", 2, 1), Stake.RETURNED), (Odds("for", 2, 1), Stake.STAYS), (PUSH, Stake.TAKEN)],
)
def test_a_stake_that_contradicts_its_odds_is_named(odds: Odds, stake: Stake) -> None:
    """Otherwise an analysis and a table would book different money."""

    def play(round: Round) -> Items:
        yield round.game.betting("open")
        yield task(settle)

    def settle(round: Round) -> Items:
        yield replace(round.win(ONE, "bet", "Won", odds, "T-1"), stake=stake)

    start = little_game(play).start()
    said = fault_of(start, place(ONE, "bet"), Close())
    assert said.endswith(
        f"pays Bet of seat 1 {odds}, and its stake is {stake.value}: with odds 'to' the stake is the seat's, with odds"
        " 'for' the house's."
    )
