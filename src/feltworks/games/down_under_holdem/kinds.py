"""Hole cards and boards, told apart only as far as suits matter, and the order of the hands on every board.

On a given board at most one suit can make a flush: the one it has three cards or more of, here called the suit. A card
is then its rank and whether it is of the suit, two hole cards are of one of 338 types, and a board is a set of ranks
(its cards of the suit) and a multiset of ranks (the others). There are 36,608 such boards, and 6,175 multisets of five
ranks for the boards without such a suit. Nothing here depends on a pay table or on bands.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.kit.compiling import compiled
from feltworks.kit.fast_poker import CATEGORY_SHIFT, rank_keys, rank_multisets, rank_values, tables
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

_WITH_PAIR = np.argsort(PAIR_OF_TYPE, kind="stable").astype(np.uint16)
_FIRST_WITH_PAIR = np.searchsorted(PAIR_OF_TYPE[_WITH_PAIR], np.arange(len(PAIRS) + 1)).astype(np.uint16)
"""The types by their pairs of ranks, and where those of each pair begin."""

OFF_COUNTS = np.array([[(a, b).count(rank) for a, b in TYPES] for rank in range(RANKS)], np.int64)
"""How many cards of a rank that are not of the suit a type has: by rank and type."""


Ranks = Sequence[tuple[int, ...]] | NDArray[np.int64]
"""Rows of ranks."""


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


def counts_of(ranks: Ranks) -> NDArray[np.int64]:
    """How often each rank is among these, a row each."""
    counts: NDArray[np.int64] = (np.asarray(ranks, np.int64)[:, :, None] == np.arange(RANKS)).sum(1)
    return counts


def numbers_of_five(some: Ranks, others: Ranks) -> NDArray[np.int64]:
    """The numbers of the multisets that some ranks make with others, -1 where a rank would be there five times."""
    known = rank_keys(rank_multisets(5))
    ascending = np.argsort(known)
    keys = rank_keys(np.asarray(some, np.int64))[:, None] + rank_keys(np.asarray(others, np.int64))
    number = ascending[np.searchsorted(known, keys, sorter=ascending) % len(known)]
    return np.where(known[number] == keys, number, -1)


class Order(NamedTuple):
    """Hole cards on many boards, a row each, from the weakest hand to the strongest."""

    types: NDArray[np.uint16]
    """Types in ascending order of their hands; the last one of a group of equal hands has `LAST` added."""
    ends: NDArray[np.int16]
    """Where the hands of each category end; the first column: where they begin. Types elsewhere cannot be held."""


LAST = 1 << 15
TYPE_MASK = np.uint16(LAST - 1)
_ONE, _UP = np.uint64(1), (1 << CATEGORY_SHIFT) - 1
"""What is added to a value to round it up to the next category."""


@cache
def rank_boards() -> NDArray[np.int64]:
    """How many cards of each rank the boards have: by number of the multiset, and rank."""
    return counts_of(rank_multisets(5))


@cache
def _rank_values() -> NDArray[np.uint16]:
    """By board's ranks and pair of hole ranks: one more than the value of the hand; 0 if there is no such hand."""
    high, low = np.array(PAIRS).T
    left = 4 - rank_boards()
    possible = (left[:, high] > (high == low)) & (left[:, low] > 0)
    values = rank_values(7, rank_keys(rank_multisets(5))[:, None] + rank_keys(np.array(PAIRS)))
    return np.where(possible, values + 1, 0).astype(np.uint16)


@cache
def rank_order() -> Order:
    """The order of the pairs of hole ranks on every multiset of five ranks, flushes left out of account."""
    values = _rank_values()
    types = np.argsort(values, axis=1, kind="stable").astype(np.uint16)
    ends = np.zeros((len(values), len(HandRank) + 1), np.int16)
    _mark_all(np.take_along_axis(values, types, 1), types, ends)
    return Order(types, ends)


class SuitBoards(NamedTuple):
    """The boards with so many cards of the suit; the other cards' ranks come first, then the set of the suit's."""

    order: Order
    multiset: NDArray[np.int64]
    """The number of the multiset of all five ranks."""


@cache
def suit_boards(size: int) -> SuitBoards:
    """Boards with `size` cards of the suit, and the order of the types on each of them."""
    others, suited = list(multisets(5 - size)), list(sets(size))
    board = numbers_of_five(others, suited)
    enough = (3 - counts_of(others)[:, :, None] >= OFF_COUNTS).all(1)
    bits = (1 << np.array(suited)).sum(1, keepdims=True)
    apart = bits & _SUIT_BITS == 0
    flushes = np.where(apart, tables(7).flushes[bits | _SUIT_BITS], 0)
    # As many types have a flush on every one of these boards.
    by_flush = np.argsort(flushes, axis=1, kind="stable")[:, (flushes[0] == 0).sum() :].astype(np.uint16)
    types = np.empty((*board.shape, apart[0].sum()), np.uint16)
    ends = np.zeros((*board.shape, len(HandRank) + 1), np.int16)
    _order(
        board, rank_order().types, _rank_values(), (_WITH_PAIR, _FIRST_WITH_PAIR), enough, apart & (flushes == 0),
        flushes, by_flush, types, ends,
    )  # fmt: skip
    return SuitBoards(Order(types, ends), board)


_SUIT_BITS = np.array([sum(1 << kind - SUITED for kind in kinds if kind >= SUITED) for kinds in TYPES])
"""The ranks of the suit that a type has, as bits."""


@compiled
def _order(boards: Any, pairs: Any, plain: Any, with_pair: Any, enough: Any, plainly: Any, flushes: Any, by_flush: Any,
           types: Any, ends: Any) -> None:  # fmt: skip
    """Put the types that can be held on each board in order: those without a flush by their ranks, then the flushes,
    which go below the stronger ones of them."""
    of_pair, begin = with_pair
    fits = np.zeros(of_pair.size, np.bool_)
    found, values = np.zeros(of_pair.size, np.uint16), np.zeros(of_pair.size, np.uint16)
    for off in range(boards.shape[0]):
        for suited in range(boards.shape[1]):
            board, number = boards[off, suited], np.uint64(0)
            for t in range(fits.size):
                fits[t] = enough[off, t] & plainly[suited, t]
            for i in range(pairs.shape[1]):
                pair = np.uint64(pairs[board, i] & TYPE_MASK)
                for k in range(begin[pair], begin[pair + _ONE]):
                    # What does not fit is written over by the next one, which is faster than to pass it over.
                    found[number], values[number] = of_pair[k], plain[board, pair]
                    number += np.uint64(fits[of_pair[k]])
            for i in range(by_flush.shape[1]):
                t = by_flush[suited, i]
                if enough[off, t]:
                    place, value = number, flushes[suited, t] + _ONE
                    while place > 0 and values[place - _ONE] > value:
                        found[place], values[place] = found[place - _ONE], values[place - _ONE]
                        place -= _ONE
                    found[place], values[place] = t, value
                    number += _ONE
            _mark(found[:number], values, types[off, suited], ends[off, suited])


@compiled
def _mark_all(values: Any, types: Any, ends: Any) -> None:
    for row in range(types.shape[0]):
        _mark(types[row], values[row], types[row], ends[row])


@compiled
def _mark(found: Any, values: Any, types: Any, ends: Any) -> None:
    """Mark the last type of every group of equal hands by its ascending values, and where each category ends."""
    for i in range(found.size):
        last = i == found.size - 1 or values[i + 1] != values[i]
        types[i] = found[i] | (LAST if last else 0)
        # A value is one too high here, and 0 where there is no hand: that is column 0.
        ends[values[i] + _UP >> CATEGORY_SHIFT] = i + 1
    for column in range(1, ends.size):
        ends[column] = max(ends[column], ends[column - 1])
