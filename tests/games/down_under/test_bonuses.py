"""Trips or Better, Match the Dealer and the jackpots, counted exactly."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from feltworks.games.down_under_holdem.enumerator.bonuses import (
    count_not_folded,
    edge,
    jackpot_option_1,
    jackpot_options_2_and_3,
    match_line,
    match_the_dealer,
    trips_or_better,
)
from feltworks.games.down_under_holdem.enumerator.solution import FlopStrategy
from feltworks.kit.fast_poker import count_sevens, seven_card_counts
from tests.games.down_under.support import flop, not_folded, solution

TRIPS = [
    ((50, 40, 30, 9, 7, 4, 3), "0.90"),
    ((50, 40, 30, 8, 6, 5, 3), "1.90"),
    ((50, 40, 30, 8, 7, 4, 3), "3.50"),
    ((100, 40, 30, 7, 6, 5, 3), "4.34"),
    ((50, 40, 20, 7, 6, 5, 3), "6.18"),
]
MATCH = [((250, 25, 10, 2), "6.37"), ((500, 25, 10, 2), "5.17"), ((25, 10, 7, 3), "3.07"), ((50, 10, 7, 3), "2.95")]


@pytest.mark.rule("D-11")
@pytest.mark.parametrize(("pays", "printed"), TRIPS)
def test_trips_or_better_has_the_printed_edge(pays: tuple[int, ...], printed: str) -> None:
    assert f"{float(100 * edge(trips_or_better(), pays)):.2f}" == printed


@pytest.mark.rule("D-11")
def test_hands_of_seven_cards_are_as_many_as_are_counted_one_by_one() -> None:
    assert seven_card_counts() == count_sevens()


@pytest.mark.rule("D-12")
@pytest.mark.parametrize(("pays", "printed"), MATCH)
def test_match_the_dealer_has_the_printed_edge(pays: tuple[int, ...], printed: str) -> None:
    assert f"{float(100 * edge(match_the_dealer(), pays)):.2f}" == printed


@pytest.mark.rule("D-12")
def test_match_the_dealer_counted_hand_by_hand() -> None:
    counts = [0, 0, 0, 0]
    hands = list(combinations(range(52), 2))
    own = (hands[0], (0, 13))  # two ranks, and a pair
    for hole, number in zip(own, (13 * 12 // 2 * 16, 13 * 6), strict=True):
        for dealer in hands:
            line = match_line((hole[0] % 13, hole[1] % 13), (dealer[0] % 13, dealer[1] % 13))
            if line is not None and not set(hole) & set(dealer):
                counts[line] += number
    assert [Fraction(count, 1326 * 1225) for count in counts] == list(match_the_dealer().values())


def never_folding() -> FlopStrategy:
    return FlopStrategy(solution(), flop().words, np.zeros_like(flop().folds))


@pytest.mark.slow
@pytest.mark.rule("D-09", "D-11", "D-12", "D-20")
def test_where_nothing_is_folded_nothing_is_forfeited() -> None:
    every = count_not_folded(never_folding())
    assert trips_or_better(every) == trips_or_better()
    assert match_the_dealer(every) == match_the_dealer()
    assert jackpot_option_1(every) == jackpot_option_1()
    assert jackpot_options_2_and_3(every) == jackpot_options_2_and_3()


@pytest.mark.slow
@pytest.mark.rule("D-09", "D-11", "D-12", "D-20")
def test_a_folded_hand_that_forfeits_costs_something_on_most_lines() -> None:
    for count in (trips_or_better, match_the_dealer, jackpot_option_1):
        qualifies, forfeits = count(), count(not_folded())
        assert all(forfeits[line] <= qualifies[line] for line in qualifies)
        assert sum(forfeits.values()) < sum(qualifies.values())
    assert round(float(100 * edge(trips_or_better(not_folded()), TRIPS[0][0])), 4) == 4.7340
    assert round(float(100 * edge(match_the_dealer(not_folded()), MATCH[0][0])), 4) == 14.6240


@pytest.mark.rule("D-20")
def test_every_line_of_the_jackpots_has_its_exact_chance() -> None:
    assert list(jackpot_option_1().values()) == [
        Fraction(1, 649_740),
        Fraction(19, 649_740),
        Fraction(1, 649_740),
        Fraction(81, 290_836),
        Fraction(1, 595),
        Fraction(726, 27_965),
    ]
    assert list(jackpot_options_2_and_3().values()) == [
        Fraction(count, 2_598_960) for count in (4, 36, 624, 3_744, 5_108, 10_200, 54_912)
    ]
