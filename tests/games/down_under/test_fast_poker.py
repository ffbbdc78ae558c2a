"""The compiled evaluator reads hands exactly as the plain one does."""

from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from feltworks.kit.cards import SUITED_CARDS
from feltworks.kit.errors import BadValue
from feltworks.kit.fast_poker import (
    categories,
    count_sevens,
    evaluate,
    rank_keys,
    rank_multisets,
    rank_values,
    tables,
    value_of,
)
from feltworks.kit.poker import HandRank, best_hand
from tests.quick import SEED, share, soaking


def plainly(hands: NDArray[np.uint8]) -> list[int]:
    return [value_of(best_hand([SUITED_CARDS[card] for card in hand])) for hand in hands.tolist()]


def dealt(number: int, size: int, seed: int = 0) -> NDArray[np.uint8]:
    deck = np.tile(np.arange(52, dtype=np.uint8), (number, 1))
    return np.random.default_rng(seed).permuted(deck, axis=1)[:, :size].copy()


@pytest.mark.soak
@pytest.mark.rule("D-21")
@pytest.mark.parametrize("size", [5, 6, 7])
def test_hands_dealt_at_random_have_the_value_that_the_plain_evaluator_gives_them(size: int) -> None:
    for seed in range(SEED, SEED + share(10, soak=300)):
        hands = dealt(5_000, size, seed)
        assert evaluate(hands).tolist() == plainly(hands)


@given(st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True), st.permutations(range(4)))
def test_order_of_cards_and_names_of_suits_do_not_matter(cards: list[int], suits: list[int]) -> None:
    renamed = [13 * suits[card // 13] + card % 13 for card in sorted(cards)]
    values = evaluate(np.array([cards, renamed], np.uint8))
    assert values.tolist() == plainly(np.array([cards, renamed], np.uint8)) and values[0] == values[1]


def test_rare_hands_of_seven_cards_are_read_rightly() -> None:
    """Seven cards of one suit, among them straight flushes, royal flushes and wheels."""
    rng = np.random.default_rng(1)
    hands = [
        [13 * suit + rank for rank in chosen]
        for suit in range(4)
        for chosen in combinations(range(13), 7)
        if rng.random() < 0.2
    ]
    array = np.array(hands, np.uint8)
    assert evaluate(array).tolist() == plainly(array)


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("D-21")
def test_all_five_card_hands_have_the_value_that_the_plain_evaluator_gives_them() -> None:
    """All that differ in more than the names of their suits; in a soak really all."""
    places = np.array(list(combinations(range(52), 5)), np.uint8)  # by rank, and in it by suit
    assert len(places) == 2_598_960
    suits = places % 4
    new = np.maximum.accumulate(suits, 1) + 1
    named_in_order = (suits[:, 0] == 0) & (suits[:, 1:] <= new[:, :-1]).all(1)
    chosen = places if soaking() else places[named_in_order]
    for part in np.array_split(13 * (chosen % 4) + chosen // 4, 100):
        assert evaluate(part).tolist() == plainly(part)


@pytest.mark.rule("D-11", "D-21")
def test_categories_of_all_seven_card_hands_are_the_known_ones() -> None:
    assert count_sevens() == {
        HandRank.ROYAL_FLUSH: 4_324,
        HandRank.STRAIGHT_FLUSH: 37_260,
        HandRank.FOUR_OF_A_KIND: 224_848,
        HandRank.FULL_HOUSE: 3_473_184,
        HandRank.FLUSH: 4_047_644,
        HandRank.STRAIGHT: 6_180_020,
        HandRank.THREE_OF_A_KIND: 6_461_620,
        HandRank.TWO_PAIR: 31_433_400,
        HandRank.PAIR: 58_627_800,
        HandRank.HIGH_CARD: 23_294_460,
    }


@pytest.mark.slow
def test_five_cards_make_7462_different_hands() -> None:
    hands = np.array(list(combinations(range(52), 5)), np.uint8)
    values = evaluate(hands)
    assert len(np.unique(values)) == 7_462
    assert np.bincount(categories(values)).tolist() == [
        1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4,
    ]  # fmt: skip


def test_values_by_ranks_are_those_of_hands_without_a_flush() -> None:
    hands = dealt(5_000, 7, seed=3)
    flush = np.array([max(np.bincount(hand // 13)) >= 5 for hand in hands])
    assert (rank_values(7, rank_keys(hands.astype(np.int64) % 13)) == evaluate(hands))[~flush].all()


@pytest.mark.parametrize("size", [1, 2, 5, 6, 7])
def test_the_multisets_of_ranks_are_those_that_a_deck_has(size: int) -> None:
    every = combinations_with_replacement(range(13), size)
    assert rank_multisets(size).tolist() == [list(ranks) for ranks in every if max(map(ranks.count, ranks)) <= 4]


@pytest.mark.parametrize("size", [4, 8])
def test_a_hand_of_another_size_is_refused(size: int) -> None:
    with pytest.raises(BadValue, match="5, 6 or 7 cards"):
        tables(size)
