"""Hole cards and boards, told apart only as far as suits matter, and the order of the hands on every board.

A worked example: the board A♠ K♠ Q♠ 7♥ 7♦. Only spades can make a flush here; they are called the suit of the board.

    the board   a set of ranks of the suit, A K Q, and a multiset of other ranks, 7 7
    2♠ 7♣       a 2 of the suit and another 7: all such hole cards make the same hand, three sevens
    A♥ A♦       two other aces: a full house
    J♠ T♠       J and T of the suit: a royal flush, the strongest hand on this board

Ranks are numbers from 0 for a 2 to 12 for an ace, and 13 more for a card of the suit (`SUITED`):

    >>> boards, row = suit_boards(3).with_others(multisets(2)[5, 5]), sets(3)[10, 11, 12]
    >>> strongest = boards.order.types[row, boards.order.ends[row, -1] - 1]
    >>> HOLE_TYPES[strongest & TYPE_MASK]  # J and T of the suit
    (22, 21)

In general. On a given board at most one suit can make a flush: the one it has three cards or more of. A card is then
its rank and whether it is of the suit, two hole cards are of one of 338 types, and a board is a set of ranks and a
multiset of ranks. There are 36,608 such boards, and 6,175 multisets of five ranks for the boards without such a suit.
Nothing here depends on a pay table or on bands.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.kit.compiled import compiled
from feltworks.kit.fast_poker import CATEGORY_SHIFT, rank_keys, rank_multisets, rank_values, tables
from feltworks.kit.poker import HandRank

RANKS = 13
SUITS = 4
"""So many cards of a rank are in the deck, and one less out of the suit."""
SUITED = RANKS
"""A kind of card is its rank, and this added if it is of the suit."""
CARD_KINDS = 2 * RANKS
"""13 ranks, of the suit or not: 26 kinds of cards."""

RANK_PAIRS = [(high, low) for high in range(RANKS) for low in range(high + 1)]
"""Two ranks that may be the same, the higher one first."""
RANK_PAIR_COUNT = len(RANK_PAIRS)
"""There are 91 of them: 13 of the same rank and 78 of two."""
TWO_RANK_SETS = comb(RANKS, 2)
"""78 sets of two different ranks."""
THREE_RANK_SETS = comb(RANKS, 3)
"""286 sets of three different ranks."""

HOLE_TYPES = (
    RANK_PAIRS
    + [(SUITED + one, other) for one in range(RANKS) for other in range(RANKS)]
    + [(SUITED + high, SUITED + low) for high in range(RANKS) for low in range(high)]
)
"""The types of two hole cards as pairs of kinds: 91 with no card of the suit, 169 with one, 78 with two."""

_TYPE_NUMBERS = {kinds: number for number, kinds in enumerate(HOLE_TYPES)}
TYPE_NUMBER = np.array(
    [[_TYPE_NUMBERS.get((a, b), _TYPE_NUMBERS.get((b, a), -1)) for b in range(CARD_KINDS)] for a in range(CARD_KINDS)],
    np.int64,
)
"""The number of the type by its two kinds in either order. Among the first 13 it is the number of the pair of ranks."""
PAIR_OF_TYPE = np.array([TYPE_NUMBER[a % RANKS, b % RANKS] for a, b in HOLE_TYPES], np.int64)
"""The number of the pair of ranks that a type has."""

_TYPES_BY_PAIR = np.argsort(PAIR_OF_TYPE, kind="stable").astype(np.uint16)
_FIRST_OF_PAIR = np.searchsorted(PAIR_OF_TYPE[_TYPES_BY_PAIR], np.arange(RANK_PAIR_COUNT + 1)).astype(np.uint16)
"""The types by their pairs of ranks, and where those of each pair begin."""

OFF_SUIT_COUNTS = np.array([[(a, b).count(rank) for a, b in HOLE_TYPES] for rank in range(RANKS)], np.int64)
"""How many cards of a rank that are not of the suit a type has: by rank and type."""


Ranks = Sequence[tuple[int, ...]] | NDArray[np.int64]
"""Rows of ranks."""


@cache
def multisets(size: int) -> dict[tuple[int, ...], int]:
    """The multisets of so many ranks, none more than four times, with their numbers."""
    every = combinations_with_replacement(range(RANKS), size)
    return {ranks: number for number, ranks in enumerate(m for m in every if len(m) <= SUITS or m[0] != m[-1])}


@cache
def sets(size: int) -> dict[tuple[int, ...], int]:
    """The sets of so many ranks with their numbers."""
    return {ranks: number for number, ranks in enumerate(combinations(range(RANKS), size))}


@cache
def subsets(size: int, smaller: int) -> NDArray[np.int64]:
    """For every set of ranks, the numbers of all its subsets of the smaller size."""
    numbers = sets(smaller)
    return np.array([[numbers[subset] for subset in combinations(ranks, smaller)] for ranks in sets(size)], np.int64)


@cache
def supersets(size: int, smaller: int) -> NDArray[np.int64]:
    """For every set of ranks of the smaller size, the numbers of all sets that it is part of."""
    of_subsets = subsets(size, smaller)
    places = np.argsort(of_subsets, axis=None, kind="stable")
    numbers: NDArray[np.int64] = places.reshape(len(sets(smaller)), -1) // of_subsets.shape[1]
    return numbers


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
    """Hole cards from the weakest hand to the strongest: on one board, or on many with a row each."""

    types: NDArray[np.uint16]
    """Types in ascending order of their hands; the last one of a group of equal hands has `LAST_EQUAL` added."""
    ends: NDArray[np.int16]
    """Where the hands of each category end; the first column: where they begin. Types elsewhere are not possible."""


LAST_EQUAL = 1 << 15
TYPE_MASK = np.uint16(LAST_EQUAL - 1)
_ONE, _UP = np.uint64(1), (1 << CATEGORY_SHIFT) - 1
"""What is added to a value to round it up to the next category."""


@cache
def rank_boards() -> NDArray[np.int64]:
    """How many cards of each rank the boards have: by number of the multiset, and rank."""
    return counts_of(rank_multisets(5))


@cache
def _rank_values() -> NDArray[np.uint16]:
    """By board's ranks and pair of hole ranks: one more than the value of the hand; 0 if there is no such hand."""
    high, low = np.array(RANK_PAIRS).T
    left = SUITS - rank_boards()
    possible = (left[:, high] > (high == low)) & (left[:, low] > 0)
    values = rank_values(7, rank_keys(rank_multisets(5))[:, None] + rank_keys(np.array(RANK_PAIRS)))
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

    def with_others(self, number: int) -> "SuitBoards":
        """Those whose other cards have the ranks of this number."""
        return SuitBoards(Order(self.order.types[number], self.order.ends[number]), self.multiset[number])


@cache
def suit_boards(size: int) -> SuitBoards:
    """Boards with `size` cards of the suit, and the order of the types on each of them."""
    others, suited = list(multisets(5 - size)), list(sets(size))
    board = numbers_of_five(others, suited)
    enough: NDArray[np.bool_] = np.all(SUITS - 1 - counts_of(others)[:, :, None] >= OFF_SUIT_COUNTS, axis=1)
    bits = (1 << np.array(suited)).sum(1, keepdims=True)
    apart = bits & _SUIT_BITS == 0
    flushes = np.where(apart, tables(7).flushes[bits | _SUIT_BITS], 0)
    # As many types have a flush on every one of these boards.
    by_flush = np.argsort(flushes, axis=1, kind="stable")[:, (flushes[0] == 0).sum() :].astype(np.uint16)
    order = Order(
        np.empty((*board.shape, apart[0].sum()), np.uint16), np.zeros((*board.shape, len(HandRank) + 1), np.int16)
    )
    hands = SuitHands(enough, apart & (flushes == 0), flushes, by_flush)
    _order_boards(board, RankHands(rank_order().types, _rank_values()), hands, order)
    return SuitBoards(order, board)


_SUIT_BITS = np.array([sum(1 << kind - SUITED for kind in kinds if kind >= SUITED) for kinds in HOLE_TYPES])
"""The ranks of the suit that a type has, as bits."""


class RankHands(NamedTuple):
    """Hands without flushes, by number of the board's ranks."""

    order: NDArray[np.uint16]
    """The pairs of hole ranks from the weakest hand to the strongest."""
    values: NDArray[np.uint16]
    """By pair of hole ranks: one more than the value of the hand."""


class SuitHands(NamedTuple):
    """Which types are possible, and which of them have a flush."""

    enough: NDArray[np.bool_]
    """By the board's other ranks and type: whether the deck has enough cards out of the suit."""
    no_flush: NDArray[np.bool_]
    """By the board's ranks of the suit and type: whether the type is possible and has no flush."""
    flushes: NDArray[np.uint16]
    """By the board's ranks of the suit and type: the value of the flush, 0 for none."""
    by_flush: NDArray[np.uint16]
    """By the board's ranks of the suit: the types with a flush from the weakest on."""


@compiled
def _order_boards(boards: NDArray[np.int64], ranks: RankHands, hands: SuitHands, order: Order) -> None:
    """Put the types that are possible on each board in order: those without a flush by their ranks, then the flushes,
    which go below the stronger ones of them."""
    pairs, plain = ranks
    enough, no_flush, flushes, by_flush = hands
    fits = np.zeros(_TYPES_BY_PAIR.size, np.bool_)
    types, values = np.zeros(_TYPES_BY_PAIR.size, np.uint16), np.zeros(_TYPES_BY_PAIR.size, np.uint16)
    for off in range(boards.shape[0]):
        for suited in range(boards.shape[1]):
            board, number = boards[off, suited], np.uint64(0)
            for t in range(fits.size):
                fits[t] = enough[off, t] & no_flush[suited, t]
            for i in range(pairs.shape[1]):
                pair = np.uint64(pairs[board, i] & TYPE_MASK)
                for k in range(_FIRST_OF_PAIR[pair], _FIRST_OF_PAIR[pair + _ONE]):
                    # What does not fit is written over by the next one, which is faster than to pass it over.
                    types[number], values[number] = _TYPES_BY_PAIR[k], plain[board, pair]
                    number += np.uint64(fits[_TYPES_BY_PAIR[k]])
            for i in range(by_flush.shape[1]):
                t = by_flush[suited, i]
                if enough[off, t]:
                    place, value = number, flushes[suited, t] + _ONE
                    while place > 0 and values[place - _ONE] > value:
                        types[place], values[place] = types[place - _ONE], values[place - _ONE]
                        place -= _ONE
                    types[place], values[place] = t, value
                    number += _ONE
            _mark(types[:number], values, order.types[off, suited], order.ends[off, suited])


@compiled
def _mark_all(values: NDArray[np.uint16], types: NDArray[np.uint16], ends: NDArray[np.int16]) -> None:
    for row in range(types.shape[0]):
        _mark(types[row], values[row], types[row], ends[row])


@compiled
def _mark(
    ascending: NDArray[np.uint16], values: NDArray[np.uint16], types: NDArray[np.uint16], ends: NDArray[np.int16]
) -> None:
    """Mark the last type of every group of equal hands by its ascending values, and where each category ends."""
    for i in range(ascending.size):
        last = i == ascending.size - 1 or values[i + 1] != values[i]
        types[i] = ascending[i] | (LAST_EQUAL if last else 0)
        # A value is one too high here, and 0 where there is no hand: that is column 0.
        ends[values[i] + _UP >> CATEGORY_SHIFT] = i + 1
    for column in range(1, ends.size):
        ends[column] = max(ends[column], ends[column - 1])
