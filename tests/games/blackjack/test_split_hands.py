"""Split pairs, one hand at a time by inclusion and exclusion, against playing all of them out in order."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from feltworks.games.blackjack.enumerator.hands import RANKS, all_hands
from feltworks.games.blackjack.enumerator.integer_values import Valuer
from feltworks.games.blackjack.enumerator.split_hands import patterns, weights_of_one
from feltworks.games.blackjack.enumerator.split_squares import mean_square
from feltworks.games.blackjack.enumerator.upcard_solver import SplitPlay, UpcardSolver
from feltworks.games.blackjack.options import Options
from tests.games.blackjack import plain
from tests.quick import cases

Shoe = tuple[int, ...]

DEALS: dict[str, tuple[Shoe, int, int]] = {
    "eights against a ten": ((2, 0, 0, 0, 2, 0, 0, 6, 0, 8), 9, 7),
    "eights against a six": ((0, 0, 0, 0, 0, 4, 0, 6, 0, 8), 5, 7),
    "aces against an eight": ((6, 0, 0, 0, 0, 2, 0, 3, 0, 7), 7, 0),
    "nines against an ace": ((3, 0, 0, 0, 0, 0, 2, 6, 5, 8), 0, 8),
    "tens against a seven": ((1, 0, 0, 0, 0, 4, 3, 0, 0, 9), 6, 9),
    "sevens with few left": ((2, 0, 0, 2, 0, 0, 3, 0, 4, 7), 8, 6),
}
"""The shoe without the upcard, with the pair in it; the upcard; the rank of the pair."""


def played_out(shoe: Shoe, upcard: int, rank: int, options: Options, play: SplitPlay) -> tuple[Fraction, Fraction]:
    """Mean and mean square of the net, all hands played in order."""
    hands = all_hands()
    left = tuple(number - 2 * (place == rank) for place, number in enumerate(shoe))

    def hits(hand: plain.Hand) -> bool:
        return bool((play.alike if hand[1] == rank else play.apart)[hands.of(*hand)])

    table = plain.Table(upcard, options.hits_soft_17, options.takes_all)
    return table.split(left, rank, options.hands_from(rank), lambda hand: bool(play.doubles[hand[1]]), hits)


def check(shoe: Shoe, upcard: int, rank: int, options: Options, play: SplitPlay | None = None) -> None:
    solver = UpcardSolver(np.array(shoe), upcard, options)
    split = solver.split(rank, play)
    mean, square = played_out(shoe, upcard, rank, options, split.play)
    assert Valuer(solver).split(rank, split.play).net == mean
    assert split.net == pytest.approx(float(mean), abs=1e-13)
    assert mean_square(Valuer(solver), rank, split.play) == square


@pytest.mark.slow
@pytest.mark.rule("B-04")
@pytest.mark.parametrize("max_hands", cases(["2", "3", "4"], quick=["4"]))
@pytest.mark.parametrize("deal", DEALS)
def test_a_split_is_worth_what_playing_all_hands_in_order_gives(deal: str, max_hands: str) -> None:
    for split_aces, after, hole_card in product(("one_card", "resplit", "hit"), ("yes", "no"), ("peek", "no_peek")):
        if split_aces == "one_card" or DEALS[deal][2] == 0:
            check(
                *DEALS[deal],
                Options(max_hands=max_hands, split_aces=split_aces, double_after_split=after, hole_card=hole_card),
            )


@pytest.mark.rule("B-05")
@pytest.mark.parametrize("deal", DEALS)
def test_a_split_under_other_house_rules_is_worth_what_playing_all_hands_in_order_gives(deal: str) -> None:
    for soft_17, double in product(("hit", "stand"), ("9-11", "10-11")):
        check(*DEALS[deal], Options(soft_17=soft_17, double=double, hole_card="none_takes_original"))


@pytest.mark.rule("B-04")
@pytest.mark.parametrize("seed", range(2))
def test_a_split_played_in_any_way_is_worth_what_playing_all_hands_in_order_gives(seed: int) -> None:
    hands = all_hands()
    chance = np.random.default_rng(seed)
    sensible = hands.total < 17
    apart, alike = (sensible & (chance.random(len(hands)) < 0.7) for _ in range(2))
    play = SplitPlay(apart, alike, chance.random(RANKS) < 0.3)
    for shoe, upcard, rank in [DEALS["eights against a ten"], DEALS["sevens with few left"]]:
        check(shoe, upcard, rank, Options(max_hands="3"), play)
        check(shoe, upcard, rank, Options(hole_card="none_takes_all"), play)


@pytest.mark.rule("B-04")
@pytest.mark.parametrize("most", [2, 3, 4])
def test_the_draws_of_second_cards_are_all_there(most: int) -> None:
    # With chance p for a card of the rank, put back each time, the patterns have the chance 1 together.
    p = Fraction(1, 13)
    every = sum(pattern.times * p**pattern.splits * (1 - p) ** pattern.apart for pattern in patterns(most))
    assert every == 1
    # And the weights give the mean number of hands.
    hands = sum(
        pattern.times * p**pattern.splits * (1 - p) ** pattern.apart * (pattern.splits + 2)
        for pattern in patterns(most)
    )
    weights = weights_of_one(most)
    apart = sum(weight * p**further * (1 - p) for further, weight in enumerate(weights.apart))
    alike = sum(weight * p**further * p for further, weight in enumerate(weights.alike))
    assert apart + alike == hands
