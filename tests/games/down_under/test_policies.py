"""What mistakes and the short strategy cost."""

from fractions import Fraction

import numpy as np
import pytest

from feltworks.games.down_under_holdem.bands import UNSEEN
from feltworks.games.down_under_holdem.policies import SHORT_LINES, hands_in, mistakes, short_strategy
from tests.games.down_under.support import flop, solution


@pytest.mark.rule("D-21")
def test_the_decisions_of_the_solution_are_worth_what_it_says() -> None:
    assert flop().value(solution().raises, flop().folds) == solution().value


@pytest.mark.rule("D-21")
def test_the_exact_cost_of_common_mistakes() -> None:
    costs = {mistake.name: mistake.cost for mistake in mistakes(flop())}
    assert costs == {
        "never raise": Fraction(14862426947, 63213204600),
        "always raise": Fraction(912652741991, 3476726253000),
        "never fold": Fraction(31290015767, 1158908751000),
        "ignore the bands": Fraction(98980410163, 993350358000),
        "raise 2x": Fraction(81874728521, 695345250600),
    }


@pytest.mark.rule("D-21")
def test_who_ignores_the_bands_plays_the_game_without_them() -> None:
    [ignoring] = [mistake for mistake in mistakes(flop()) if mistake.name == "ignore the bands"]
    assert ignoring.value == solution(UNSEEN).value


@pytest.mark.rule("D-21")
def test_the_short_strategy_has_at_most_ten_lines_and_costs_less_than_three_tenths_of_a_percent() -> None:
    short = short_strategy(flop())
    assert len(short.lines) == len(SHORT_LINES) + 3 <= 10
    assert 0 < short.cost < Fraction(3, 1000)
    assert short.value == solution().value - short.cost


def test_lists_of_hands_name_classes() -> None:
    assert hands_in("22+").sum() == 13
    assert hands_in("Q8+").sum() == 2 * hands_in("Q8s+").sum() == 8
    assert (hands_in("Kx+") == (hands_in("KK+ A2+ K2+"))).all()
    assert np.array_equal(hands_in("77+ AJ+"), hands_in("AJ+ 77+"))
