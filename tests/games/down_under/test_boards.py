"""Boards and hole cards told apart as far as suits matter, beside hands of real cards."""

import numpy as np
import pytest
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.enumerator.boards import (
    HOLE_TYPES,
    LAST_EQUAL,
    RANK_PAIRS,
    RANKS,
    SUITED,
    TYPE_MASK,
    multisets,
    numbers_of_five,
    rank_order,
    sets,
    suit_boards,
)
from feltworks.kit.fast_poker import categories, evaluate
from feltworks.kit.poker import HandRank
from tests.quick import share

BOARDS = 100


def out_of_suit(rank: int, taken: list[int]) -> int | None:
    """A card of that rank in one of the other three suits, if one is left."""
    return next((card for card in range(RANKS + rank, 52, RANKS) if card not in taken), None)


def dealt(kinds: tuple[int, ...], taken: list[int]) -> list[int] | None:
    """Cards of these kinds beside those that are taken, the first suit being the suit; None if they cannot be had."""
    cards: list[int] = []
    for kind in kinds:
        card = kind - SUITED if kind >= SUITED else out_of_suit(kind, taken + cards)
        if card is None or card in taken + cards:
            return None
        cards.append(card)
    return cards


@pytest.mark.rule("D-21")
@pytest.mark.parametrize("size", [3, 4, 5])
def test_the_types_on_a_board_are_in_the_order_of_the_hands_that_they_make(size: int) -> None:
    others, suited = list(multisets(5 - size)), list(sets(size))
    rng = np.random.default_rng(size)
    found = suit_boards(size)
    for _ in range(share(BOARDS)):
        off, held = int(rng.integers(len(others))), int(rng.integers(len(suited)))
        board = dealt((*others[off], *(SUITED + rank for rank in suited[held])), [])
        assert board is not None
        assert list(multisets(5))[found.multiset[off, held]] == tuple(sorted(card % RANKS for card in board))
        hands = {t: dealt(kinds, board) for t, kinds in enumerate(HOLE_TYPES)}
        check(found.order.types[off, held], found.order.ends[off, held], board, hands)


@pytest.mark.rule("D-21")
def test_pairs_of_ranks_are_in_the_order_of_the_hands_that_they_make_without_a_flush() -> None:
    rng = np.random.default_rng(2)
    found, boards = rank_order(), list(multisets(5))
    for number in rng.choice(len(boards), share(BOARDS)):
        # Suits in turn, so that there are hole cards left that make no flush.
        board: list[int] = []
        for place, rank in enumerate(boards[number]):
            left = [card for card in range(rank, 52, RANKS) if card not in board]
            board.append(left[place % 2 if len(left) > 1 else 0])
        hands = {pair: without_flush(ranks, board) for pair, ranks in enumerate(RANK_PAIRS)}
        check(found.types[number], found.ends[number], board, hands)


def without_flush(ranks: tuple[int, int], board: list[int]) -> list[int] | None:
    for a in range(ranks[0], 52, RANKS):
        for b in range(ranks[1], 52, RANKS):
            if a != b and not {a, b} & set(board) and max(np.bincount(np.array([a, b, *board]) // RANKS)) < 5:
                return [a, b]
    return None


def check(
    types: NDArray[np.uint16], ends: NDArray[np.int16], board: list[int], hands: dict[int, list[int] | None]
) -> None:
    """Whether every type that can be held is there once, in order, with equal hands and categories marked."""
    row = types[ends[0] : ends[-1]]
    order = (row & TYPE_MASK).tolist()
    assert sorted(order) == sorted(t for t, hand in hands.items() if hand is not None)
    values = evaluate(np.array([[*(hands[t] or ()), *board] for t in order], np.uint8))
    assert (values[1:] >= values[:-1]).all()
    assert (row >= LAST_EQUAL).tolist() == [*(values[1:] != values[:-1]).tolist(), True]
    assert (ends[1:] - ends[0]).tolist() == [int((categories(values) <= category).sum()) for category in HandRank]


def test_ranks_that_would_be_there_five_times_have_no_number() -> None:
    numbers = multisets(5)
    assert numbers_of_five([(1, 1, 1), (1, 1, 2)], [(1, 1), (2, 5)]).tolist() == [
        [-1, numbers[1, 1, 1, 2, 5]],
        [numbers[1, 1, 1, 1, 2], numbers[1, 1, 2, 2, 5]],
    ]
