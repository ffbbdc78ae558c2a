"""Tests of the game: run `pytest` in this folder."""

from fractions import Fraction
from pathlib import Path

import feltworks
from feltworks.kit import Seat, Settlement, parse_cards
from feltworks.kit.chance import Scripted
from feltworks.kit.walk import Habit, walk

GAME = feltworks.load("starter", folders=[Path(__file__).parent])


def results(cards: str, choice: str) -> dict[str, Fraction]:
    """What seat 1 wins on each spot, with 10 on Ante and 1 on Pair. The cards are in the order of the deal."""
    player = Habit({"base": Fraction(10), "pair": Fraction(1)}, prefer=(choice,))
    played = walk(GAME.start(seats=[1]), Scripted(parse_cards(cards)), {Seat(1): player})
    return {e.spot: e.net() for _, _, after in played for e in after.effects if isinstance(e, Settlement)}


def test_a_higher_card_is_paid_on_ante_and_twice_on_raise() -> None:
    """S-03, S-04: a queen against ten and nine, and against king and nine."""
    assert results("Qd Th 9c", "raise") == {"ante": 10, "raise": 20, "pair": -1}
    assert results("Qd Kh 9c", "raise") == {"ante": -10, "raise": -10, "pair": -1}
    assert results("Qd Th 9c", "fold") == {"ante": -10, "pair": -1}


def test_a_tie_gives_both_back_and_pair_wins_also_for_who_folds() -> None:
    """S-03, S-04, S-05."""
    assert results("Qd Qh 9c", "raise") == {"ante": 0, "raise": 0, "pair": 7}
    assert results("Qd Kh Qc", "fold") == {"ante": -10, "pair": 7}


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
