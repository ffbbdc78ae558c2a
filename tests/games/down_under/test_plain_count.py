"""The plain enumeration, which takes any deck. Small decks are solved by it in test_chain_of_trust.py."""

import pytest

from feltworks.games.down_under_holdem.enumerator.bands import BANDS
from feltworks.games.down_under_holdem.enumerator.plain_count import count_state, read_plainly
from tests.games.down_under.support import indices


@pytest.mark.rule("D-21")
def test_a_state_is_read_alike_by_the_plain_and_by_the_compiled_evaluator() -> None:
    deck = [card for card in range(52) if card % 13 in (2, 5, 6, 9, 11)]
    hole, board = indices("4c7d"), indices("8cJhKd")
    assert count_state(deck, hole, board, BANDS.band_of) == count_state(deck, hole, board, BANDS.band_of, read_plainly)


@pytest.mark.rule("D-21")
def test_all_the_dealers_hands_are_counted() -> None:
    tallies = count_state(range(52), indices("AsKh"), indices("2c7dJh"), BANDS.band_of)
    assert sum(tally.deals for tally in tallies.values()) == 1_081 * 990
