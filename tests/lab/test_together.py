"""What several stakes win together, against plain counting of the deals."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import sqrt

import pytest

import feltworks
from tests.kit.support import toy

ONE = Fraction(1)


def counted(units: dict[str, Fraction]) -> Counter[Fraction]:
    """All deals of two cards from two packs of four ranks: what these units of the wagers of Sides win."""
    wins: Counter[Fraction] = Counter()
    shoe = [*product("2345", "cdhs")] * 2
    for left, right in permutations(shoe, 2):
        level = left[0] == right[0]
        won = {
            "left": Fraction(-1, 2) if level else Fraction(1 if left[0] > right[0] else -1),
            "twins": Fraction(5 if left == right else -1),
            "right_high": Fraction(1 if right[0] > "3" else -1),
        }
        wins[sum((units[name] * won[name] for name in units), Fraction(0))] += 1
    return wins


@pytest.mark.parametrize(
    "units", [{"left": ONE, "twins": ONE}, {"left": Fraction(2), "twins": Fraction(1, 2), "right_high": Fraction(3)}]
)
def test_stakes_on_the_same_cards_win_what_plain_counting_says(units: dict[str, Fraction]) -> None:
    together = feltworks.analyze(toy("sides"), stakes=units).together
    wins = counted(units)
    mean = sum((win * n for win, n in wins.items()), Fraction(0)) / wins.total()
    square = sum((win**2 * n for win, n in wins.items()), Fraction(0)) / wins.total()
    assert together is not None
    assert together.net == mean and together.variance == square - mean**2
    assert together.initial == together.staked == sum(units.values())
    assert together.edge == -mean / sum(units.values())
    assert together.standard_deviation == sqrt(square - mean**2)


def test_a_raise_counts_as_staked_and_not_as_put_down() -> None:
    alone = feltworks.analyze("one-for-the-money")
    stakes = {"base": ONE, "three_card_bonus": ONE}
    both = feltworks.analyze("one-for-the-money", stakes=stakes)
    assert alone.together is None and both.together is not None
    assert both.together.net == -both["base"].edge - both["three_card_bonus"].edge
    assert both.together.initial == 2
    assert both.together.staked == both["base"].average_stake + 1
    assert feltworks.analyze("one-for-the-money", wager="base", stakes=stakes).together is None


def test_where_each_wager_is_counted_alone_only_the_means_are_told() -> None:
    found = feltworks.analyze("ultimate-texas-holdem", stakes={"base": ONE, "trips": Fraction(2)})
    together = found.together
    assert together is not None and together.standard_deviation is None
    assert together.net == -found["base"].edge - 2 * found["trips"].edge
    assert together.initial == 4
    assert together.to_json()["variance"] is None


def test_dice_tell_their_stakes_as_a_plan() -> None:
    assert feltworks.analyze("craps", stakes={"pass": ONE, "field": ONE}).together is None
