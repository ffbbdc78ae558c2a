"""Tests of the game: run `pytest` in this folder."""

from fractions import Fraction
from pathlib import Path

import feltworks

GAME = feltworks.load("starter", folders=[Path(__file__).parent])


def test_a_queen_is_raised_and_a_two_is_folded() -> None:
    """S-03."""
    assert feltworks.advise(GAME, "Qd").best == "raise"
    assert feltworks.advise(GAME, "2d").best == "fold"


def test_a_pair_is_as_likely_as_counting_by_hand_says() -> None:
    """S-05: of the other 51 cards, three are of the rank of the seat's own, and the dealer gets two."""
    outcomes = {outcome.line: outcome.probability for outcome in feltworks.analyze(GAME)["pair"].outcomes}
    assert outcomes["Pair"] == 1 - Fraction(48 * 47, 51 * 50)


def test_a_simulation_agrees_with_the_exact_edge() -> None:
    z = feltworks.simulate(GAME, rounds=2000, workers=1)["base"].z
    assert z is not None and abs(z) < 4
