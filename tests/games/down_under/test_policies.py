"""What mistakes and the short strategy cost."""

from fractions import Fraction

import numpy as np
import pytest

from feltworks.games.down_under_holdem.enumerator.bands import UNSEEN
from feltworks.games.down_under_holdem.enumerator.flop_states import DEALS
from feltworks.games.down_under_holdem.enumerator.policies import (
    SHORT_LINES,
    hands_in,
    mistakes,
    short_lines,
    short_strategy,
)
from tests.games.down_under.support import flop, solution


@pytest.mark.rule("D-21")
def test_the_decisions_of_the_solution_are_worth_what_it_says() -> None:
    assert flop().value(solution().raises, flop().folds) == solution().value


@pytest.mark.rule("D-21")
def test_the_exact_cost_of_common_mistakes() -> None:
    costs = {mistake.name: mistake.cost for mistake in mistakes(solution(), solution(UNSEEN).value)}
    assert costs == {
        "never raise": Fraction(14862426947, 63213204600),
        "always raise": Fraction(912652741991, 3476726253000),
        "never fold": Fraction(31290015767, 1158908751000),
        "ignore the bands": Fraction(98980410163, 993350358000),
        "raise 2x": Fraction(81874728521, 695345250600),
    }


@pytest.mark.rule("D-21")
def test_who_ignores_the_bands_plays_the_game_without_them() -> None:
    """The best decisions that are the same for every pair of bands, each state and each hand by itself."""
    pairs = len(solution().bands.pairs)
    folds = flop().worth.sum(1) < solution().scale * flop().deals.sum(1, dtype=np.int64)
    every_folds = np.repeat(folds[:, None], pairs, 1)
    raises = solution().totals["3x"].sum(1) > flop().checked(every_folds).sum(1)
    assert flop().value(np.repeat(raises[:, None], pairs, 1), every_folds) == solution(UNSEEN).value


@pytest.mark.rule("D-21")
def test_never_raising_always_raising_and_never_folding_are_worth_what_these_decisions_give() -> None:
    never, always = np.zeros_like(solution().raises), np.ones_like(solution().raises)
    no_folds = np.zeros_like(flop().folds)
    unfolded = solution().totals["3x"] > solution().always - 3 * solution().scale * solution().deals
    worth = {mistake.name: mistake.value for mistake in mistakes(solution(), solution(UNSEEN).value)}
    assert worth["never raise"] == flop().value(never, flop().folds)
    assert worth["always raise"] == flop().value(always, flop().folds)
    assert worth["never fold"] == flop().value(unfolded, no_folds)


@pytest.mark.slow
@pytest.mark.rule("D-21")
def test_the_short_strategy_has_at_most_ten_lines_and_costs_less_than_three_tenths_of_a_percent() -> None:
    assert len(short_lines()) == len(SHORT_LINES) + 3 <= 10
    cost = solution().value - Fraction(short_strategy(flop()), solution().scale * DEALS)
    assert 0 < cost < Fraction(3, 1000)


def test_lists_of_hands_name_classes() -> None:
    assert hands_in("22+").sum() == 13
    assert hands_in("Q8+").sum() == 2 * hands_in("Q8s+").sum() == 8
    assert (hands_in("Kx+") == (hands_in("KK+ A2+ K2+"))).all()
    assert np.array_equal(hands_in("77+ AJ+"), hands_in("AJ+ 77+"))
