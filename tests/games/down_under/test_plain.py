"""The plain enumeration, which takes any deck."""

from fractions import Fraction

import pytest

from feltworks.games.down_under_holdem.bands import BANDS
from feltworks.games.down_under_holdem.exact import BET, PAID
from feltworks.games.down_under_holdem.plain import count_state, read_plainly, solve_deck
from tests.games.down_under.support import indices

PAYS = dict(zip(PAID, BET, strict=True))
ONE_RANK_A_BAND = [13 * suit + rank for suit in range(4) for rank in (2, 6, 11)]
SIX_RANKS_TWO_SUITS = [13 * suit + rank for suit in range(2) for rank in (1, 3, 5, 7, 9, 12)]


@pytest.mark.slow
@pytest.mark.rule("D-21")
@pytest.mark.parametrize(
    ("deck", "value"),
    [(ONE_RANK_A_BAND, Fraction(1726, 693)), (SIX_RANKS_TWO_SUITS, Fraction(217093, 1663200))],
    ids=["one rank a band", "six ranks, two suits"],
)
def test_small_decks_are_solved_deal_by_deal(deck: list[int], value: Fraction) -> None:
    found = solve_deck(deck, BANDS.band_of, PAYS)
    assert found.value == value
    for options in found.before.values():
        assert options["2x"] <= max(options["check"], options["3x"])


@pytest.mark.rule("D-21")
def test_a_state_is_read_alike_by_the_plain_and_by_the_compiled_evaluator() -> None:
    deck = [card for card in range(52) if card % 13 in (2, 5, 6, 9, 11)]
    hole, board = indices("4c7d"), indices("8cJhKd")
    assert count_state(deck, hole, board, BANDS.band_of) == count_state(deck, hole, board, BANDS.band_of, read_plainly)


@pytest.mark.rule("D-21")
def test_all_the_dealers_hands_are_counted() -> None:
    tallies = count_state(range(52), indices("AsKh"), indices("2c7dJh"), BANDS.band_of)
    assert sum(tally.deals for tally in tallies.values()) == 1_081 * 990
