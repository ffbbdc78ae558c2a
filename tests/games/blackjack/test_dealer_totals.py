"""The dealer's final totals."""

from fractions import Fraction

import numpy as np
import pytest

from feltworks.games.blackjack.enumerator.dealer_totals import TOTALS, chances, draw_tree, final_totals
from feltworks.games.blackjack.enumerator.hands import RANKS, all_hands
from feltworks.games.blackjack.options import Options
from feltworks.kit.errors import BadCard
from tests.games.blackjack import plain

SHOES = [
    (2, 1, 1, 1, 1, 2, 1, 1, 1, 4),
    (0, 0, 3, 0, 4, 0, 3, 0, 0, 6),
    (6, 0, 0, 2, 0, 3, 0, 0, 3, 2),
    (1, 0, 0, 0, 0, 0, 0, 9, 0, 9),
]
SOFT_17 = ("hit", "stand")


def without_blackjack(ends: dict[str, Fraction]) -> dict[str, Fraction]:
    blackjack = ends.get("blackjack", Fraction(0))
    return {name: chance / (1 - blackjack) for name, chance in ends.items() if name != "blackjack"}


@pytest.mark.rule("B-05")
@pytest.mark.parametrize("soft_17", SOFT_17)
@pytest.mark.parametrize("shoe", SHOES)
def test_final_totals_are_those_of_playing_every_card_out(shoe: tuple[int, ...], soft_17: str) -> None:
    for upcard in (0, 2, 4, 6, 8, 9):
        ends = plain.dealer(shoe, (upcard,), soft_17 == "hit")
        unseen = final_totals(shoe, upcard, Options(soft_17=soft_17, hole_card="no_peek"))
        assert {name: chance for name, chance in unseen.items() if chance} == ends
        peeked = final_totals(shoe, upcard, Options(soft_17=soft_17))
        assert {name: chance for name, chance in peeked.items() if chance} == without_blackjack(ends)


@pytest.mark.rule("B-05")
@pytest.mark.parametrize("decks", [1, 6, 8])
@pytest.mark.parametrize("soft_17", SOFT_17)
def test_the_chances_of_the_dealers_totals_sum_to_one(decks: int, soft_17: str) -> None:
    for hole_card in ("peek", "none_takes_all"):
        options = Options(decks=decks, soft_17=soft_17, hole_card=hole_card)
        for upcard in range(RANKS):
            shoe = tuple(number - (rank == upcard) for rank, number in enumerate(options.shoe))
            found = final_totals(shoe, upcard, options)
            assert sum(found.values()) == 1
            assert min(found.values()) >= 0
            assert (found["blackjack"] > 0) == (hole_card != "peek" and upcard in (0, 9))


@pytest.mark.rule("B-05")
def test_float_chances_are_the_exact_ones_to_the_last_places() -> None:
    options = Options(decks=8, hole_card="no_peek")
    hands = all_hands()
    for upcard in range(RANKS):
        shoe = np.array(options.shoe)
        shoe[upcard] -= 1
        rows = np.arange(0, len(hands), 307)
        found = chances(draw_tree(upcard, True), shoe, hands.cards[rows])
        for row, number in enumerate(rows):
            exact = final_totals(tuple((shoe - hands.cards[number]).tolist()), upcard, options)
            for place in range(TOTALS):
                assert found[row, place] == pytest.approx(float(exact[str(17 + place)]), rel=1e-14)


@pytest.mark.rule("B-05")
def test_the_dealer_draws_at_most_twelve_cards_and_counts_fit_their_words() -> None:
    for upcard in range(RANKS):
        for hits_soft_17 in (False, True):
            tree = draw_tree(upcard, hits_soft_17)
            assert tree.most <= 12
            # Two words of 50 and 64 bits, and an order count that the lower word can be multiplied with.
            assert 2 * 416**tree.most < 2**114
            assert 2 * int(tree.nodes.orders.max()) < 2**14


def test_a_shoe_that_cannot_serve_the_dealer_is_refused() -> None:
    with pytest.raises(BadCard, match="may need"):
        final_totals((0, 0, 0, 0, 0, 0, 0, 0, 0, 3), 9, Options())
    with pytest.raises(BadCard, match="each of the 10 ranks"):
        final_totals((1, 2), 9, Options())
    with pytest.raises(BadCard, match="always has blackjack"):
        final_totals((0, 0, 0, 0, 0, 0, 0, 0, 0, 20), 0, Options())
