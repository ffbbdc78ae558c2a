"""Hole cards and boards, told apart only as far as suits matter, and the order of the hands on every board.

On a given board at most one suit can make a flush: the one it has three cards or more of, here called the suit. A card
is then its rank and whether it is of the suit, two hole cards are of one of 338 types, and a board is a set of ranks
(its cards of the suit) and a multiset of ranks (the others). There are 36,608 such boards, and 6,175 multisets of five
ranks for the boards without such a suit. Nothing here depends on a pay table or on bands.
"""

from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.kit.compiling import compiled
from feltworks.kit.fast_poker import CATEGORY_SHIFT, rank_values, tables
from feltworks.kit.poker import HandRank

RANKS = 13
SUITED = RANKS
"""A kind of card is its rank, and this added if it is of the suit."""
KINDS = 2 * RANKS

PAIRS = [(high, low) for high in range(RANKS) for low in range(high + 1)]
"""The 91 pairs of ranks, the higher one first."""
TYPES = (
    PAIRS
    + [(SUITED + one, other) for one in range(RANKS) for other in range(RANKS)]
    + [(SUITED + high, SUITED + low) for high in range(RANKS) for low in range(high)]
)
"""The 338 types of two hole cards as pairs of kinds: neither of the suit, one, both."""

_TYPE_NUMBERS = {kinds: number for number, kinds in enumerate(TYPES)}
TYPE = np.array(
    [[_TYPE_NUMBERS.get((a, b), _TYPE_NUMBERS.get((b, a), -1)) for b in range(KINDS)] for a in range(KINDS)], np.int64
)
"""The number of the type by its two kinds in either order. Among the first thirteen it is the number of the pair."""
PAIR_OF_TYPE = np.array([TYPE[a % RANKS, b % RANKS] for a, b in TYPES], np.int64)
"""The number of the pair of ranks that a type has."""

OFF_COUNTS = np.array([[(a, b).count(rank) for a, b in TYPES] for rank in range(RANKS)], np.int64)
"""How many cards of a rank that are not of the suit a type has: by rank and type."""


@cache
def multisets(size: int) -> dict[tuple[int, ...], int]:
    """The multisets of so many ranks, none more than four times, with their numbers."""
    every = combinations_with_replacement(range(RANKS), size)
    return {ranks: number for number, ranks in enumerate(m for m in every if len(m) < 5 or m[0] != m[-1])}


@cache
def sets(size: int) -> dict[tuple[int, ...], int]:
    """The sets of so many ranks with their numbers."""
    return {ranks: number for number, ranks in enumerate(combinations(range(RANKS), size))}


@cache
def parts(size: int, smaller: int) -> NDArray[np.int64]:
    """For every set of ranks, the numbers of all its subsets of the smaller size."""
    numbers = sets(smaller)
    return np.array([[numbers[part] for part in combinations(ranks, smaller)] for ranks in sets(size)], np.int64)


class Order(NamedTuple):
    """Hole cards on many boards, a row each, from the weakest hand to the strongest."""

    types: NDArray[np.uint16]
    """Types in ascending order of their hands; the last one of a group of equal hands has `LAST` added.

    Types that cannot be held on the board stand at the front.
    """
    ends: NDArray[np.int16]
    """Where the hands of each category end; the first column: where they begin."""


LAST = 1 << 15


@cache
def rank_boards() -> NDArray[np.int64]:
    """How many cards of each rank the boards have: by number of the multiset, and rank."""
    return np.array([[ranks.count(rank) for rank in range(RANKS)] for ranks in multisets(5)], np.int64)


@cache
def _rank_values() -> NDArray[np.uint16]:
    """By board's ranks and pair of hole ranks: one more than the value of the hand; 0 if there is no such hand."""
    hole = np.array([[pair.count(rank) for rank in range(RANKS)] for pair in PAIRS], np.int8)
    together = rank_boards().astype(np.int8)[:, None, :] + hole
    possible = together.max(2) <= 4
    values = np.zeros(possible.shape, np.uint16)
    values[possible] = rank_values(together[possible]) + 1
    return values


@cache
def rank_order() -> Order:
    """The order of the pairs of hole ranks on every multiset of five ranks, flushes left out of account."""
    return _ordered(_rank_values())


class SuitBoards(NamedTuple):
    """The boards with so many cards of the suit; the other cards' ranks come first, then the set of the suit's."""

    order: Order
    multiset: NDArray[np.int64]
    """The number of the multiset of all five ranks."""


@cache
def suit_boards(size: int) -> SuitBoards:
    """Boards with `size` cards of the suit, and the order of the types on each of them."""
    flush = _flush_values(size)
    others = list(multisets(5 - size))
    numbers = multisets(5)
    board = np.array([[numbers[tuple(sorted(suited + off))] for suited in sets(size)] for off in others], np.int64)
    types = np.empty((*board.shape, len(TYPES)), np.uint16)
    ends = np.empty((*board.shape, len(HandRank) + 1), np.int16)
    for number, off in enumerate(others):
        taken = np.array([off.count(rank) for rank in range(RANKS)])
        enough = (3 - taken[:, None] >= OFF_COUNTS).all(0)
        values = np.maximum(_rank_values()[board[number]][:, PAIR_OF_TYPE], flush)
        types[number], ends[number] = _ordered(np.where(enough & _held_apart(size), values, 0))
    return SuitBoards(Order(types, ends), board)


_SUIT_BITS = np.array([sum(1 << kind - SUITED for kind in kinds if kind >= SUITED) for kinds in TYPES])
"""The ranks of the suit that a type has, as bits."""


@cache
def _set_bits(size: int) -> NDArray[np.int64]:
    """The sets of ranks as bits, in a column."""
    return np.array([[sum(1 << rank for rank in held)] for held in sets(size)])


@cache
def _held_apart(size: int) -> NDArray[np.bool_]:
    """By set of the suit's ranks on the board and type: whether the type needs none of these cards."""
    apart: NDArray[np.bool_] = _set_bits(size) & _SUIT_BITS == 0
    return apart


@cache
def _flush_values(size: int) -> NDArray[np.uint16]:
    """By set of the suit's ranks on the board and type: one more than the value of the flush; 0 without one."""
    values = tables(7).flushes[_set_bits(size) | _SUIT_BITS]
    return np.where(values > 0, values + 1, 0).astype(np.uint16)


def _ordered(values: NDArray[np.uint16]) -> Order:
    types = np.argsort(values, axis=1, kind="stable").astype(np.uint16)
    ends = np.zeros((len(values), len(HandRank) + 1), np.int16)
    _mark(values, types, ends)
    return Order(types, ends)


@compiled
def _mark(values: Any, types: Any, ends: Any) -> None:
    """Mark the last type of every group of equal hands, and where each category ends."""
    size = types.shape[1]
    for row in range(types.shape[0]):
        for i in range(size):
            value = values[row, types[row, i]]
            # A value is one too high here, and 0 where there is no hand: that is column 0.
            ends[row, 0 if value == 0 else (value - 1 >> CATEGORY_SHIFT) + 1] += 1
            if i == size - 1 or values[row, types[row, i + 1]] != value:
                types[row, i] |= LAST
        for column in range(1, ends.shape[1]):
            ends[row, column] += ends[row, column - 1]
