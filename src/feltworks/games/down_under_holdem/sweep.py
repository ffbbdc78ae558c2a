"""The compiled sweep: what hole cards are worth on every board, summed over turn and river.

A board's hole cards are swept from the weakest hand to the strongest. The dealer's hands that have been passed lose.
They are counted for the board and for each kind of card, so that those that need one of the seat's own cards x and y
can be taken out again:

    weaker       = passed - passed with x - passed with y
    not stronger = passed - passed with x - passed with y + 1, once the equal hands have been passed too

(the seat's own hand is among the equal ones and has been taken out twice). A hand of some category is then worth

    less[category] * weaker + equal[category] * not stronger + every[category] * all of the dealer's hands.

A dealer's hand counts with a weight that depends on its bands. So one 64-bit integer, a word, holds the counters of
several band pairs in fields side by side. Words are only added, multiplied by small numbers and halved where every
field is even: a word is an ordinary integer, and its fields are told apart at the very end.

Boards are taken by kind (see `kinds`), first by their ranks as if there were no flushes, then those with three cards or
more of a suit for what that suit changes. The sums over turn and river are made on these kinds, by long vector
additions over the types of hole cards.
"""

from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.kinds import (
    KINDS,
    LAST,
    OFF_COUNTS,
    PAIR_OF_TYPE,
    PAIRS,
    RANKS,
    TYPE,
    TYPES,
    multisets,
    parts,
    rank_boards,
    rank_order,
    sets,
    suit_boards,
)
from feltworks.kit.compiling import compiled

Words = NDArray[np.int64]

_TYPES = np.array([(a, b, pair) for (a, b), pair in zip(TYPES, PAIR_OF_TYPE, strict=True)], np.uint8)
"""By type: its two kinds of cards and its pair of ranks. Unsigned, because a compiled index that cannot be negative is
twice as fast."""
_LAST, _TYPE_MASK = np.uint16(LAST), np.uint16(LAST - 1)

ONE_SUITED, TWO_SUITED, THREE_SUITED, NONE_SUITED = np.cumsum([0, 13 * 91, 78 * 13, 286]).tolist()
"""Where the rows of `Sums.changes` begin, by how many cards of the suit are on the flop; the last row is zero."""


class Worth(NamedTuple):
    """What is counted: a weight for each of the dealer's hands, and the worth of a hand by category."""

    weights: Words
    """By pair of ranks."""
    less: Words
    equal: Words
    every: Words
    everyone: Words
    """The sum of the weights of all the dealer's hands: by multiset of the board's ranks, and pair of hole ranks."""


class Sums(NamedTuple):
    """The worth of hole cards, summed over every turn and river."""

    base: Words
    """By the flop's ranks and the pair of hole ranks, as if there were no flushes."""
    changes: Words
    """By what one suit has on the flop and type: what the flushes of that suit add to it."""
    compared: "Compared"


class Compared(NamedTuple):
    """Hands weaker plus hands not stronger, summed over kinds of boards as far as no field overflows."""

    ranks: Words
    """By multiset of the board's ranks and pair of hole ranks, as if there were no flushes."""
    changes: Words
    """By the board's ranks that are not of the suit and type, summed over its ranks of the suit."""


@compiled
def _moves(left: Any, types: Any, weights: Any, moves: Any) -> None:
    """For each type, what passing it adds: to the counter of all, of its first and of its second kind of card.

    The fourth column is the weight of a single hand.
    """
    for t in range(moves.shape[0]):
        a, b, weight = types[t, 0], types[t, 1], weights[types[t, 2]]
        if a == b:
            moves[t, 0] = left[a] * (left[a] - 1) // 2 * weight
            moves[t, 1] = (left[a] - 1) * weight
            moves[t, 2] = 0
        else:
            moves[t, 0] = left[a] * left[b] * weight
            moves[t, 1] = left[b] * weight
            moves[t, 2] = left[a] * weight
        moves[t, 3] = weight


@compiled
def _pass(order: Any, first: Any, types: Any, moves: Any, weaker: Any, not_stronger: Any) -> None:
    """Sweep one board: for each position in the order, the dealer's hands that are weaker and not stronger."""
    passed = 0
    with_card = np.zeros(KINDS, np.int64)
    i, end = np.uint64(first), np.uint64(order.size)
    while i < end:
        begin = i
        last = False
        while not last:
            last = order[i] >= _LAST
            t = np.uint64(order[i] & _TYPE_MASK)
            weaker[i] = passed - with_card[types[t, 0]] - with_card[types[t, 1]]
            i += np.uint64(1)
        for j in range(begin, i):
            t = np.uint64(order[j] & _TYPE_MASK)
            passed += moves[t, 0]
            with_card[types[t, 0]] += moves[t, 1]
            with_card[types[t, 1]] += moves[t, 2]
        for j in range(begin, i):
            t = np.uint64(order[j] & _TYPE_MASK)
            not_stronger[j] = passed - with_card[types[t, 0]] - with_card[types[t, 1]] + moves[t, 3]


@compiled
def _value(order: Any, ends: Any, types: Any, worth: Any, everyone: Any, weaker: Any, not_stronger: Any, plain: Any,
           plain_compared: Any, row: Any, compared: Any) -> None:  # fmt: skip
    """Into the row the worth of every type, less what its ranks are worth without flushes."""
    _, less, equal, every, _ = worth
    for category in range(less.size):
        of_less, of_equal, of_every = less[category], equal[category], every[category]
        for i in range(np.uint64(ends[category]), np.uint64(ends[category + 1])):
            t = np.uint64(order[i] & _TYPE_MASK)
            pair = types[t, 2]
            row[t] = of_less * weaker[i] + of_equal * not_stronger[i] + of_every * everyone[pair] - plain[pair]
            compared[t] += weaker[i] + not_stronger[i] - plain_compared[pair]


@compiled
def _sweep_ranks(orders: Any, ends: Any, counts: Any, types: Any, worth: Any, values: Any, compared: Any) -> None:
    """Every board by its ranks alone."""
    size = values.shape[1]
    moves = np.zeros((size, 4), np.int64)
    weaker, not_stronger, nothing = np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size, np.int64)
    for board in range(values.shape[0]):
        order = orders[board]
        _moves(4 - counts[board], types, worth[0], moves)
        _pass(order, ends[board, 0], types, moves, weaker, not_stronger)
        _value(
            order, ends[board], types, worth, worth[4][board], weaker, not_stronger, nothing, nothing,
            values[board], compared[board],
        )  # fmt: skip


@compiled
def _sweep_suit(orders: Any, ends: Any, boards: Any, left: Any, types: Any, worth: Any, plain: Any,
                plain_compared: Any, rows: Any, compared: Any) -> None:  # fmt: skip
    """Every board with the same ranks out of the suit: what the suit changes."""
    size = rows.shape[1]
    moves = np.zeros((size, 4), np.int64)
    weaker, not_stronger = np.zeros(size, np.int64), np.zeros(size, np.int64)
    _moves(left, types, worth[0], moves)
    for s in range(rows.shape[0]):
        order, row, board = orders[s], rows[s], boards[s]
        row[:] = 0
        _pass(order, ends[s, 0], types, moves, weaker, not_stronger)
        _value(
            order, ends[s], types, worth, worth[4][board], weaker, not_stronger, plain[board], plain_compared[board],
            row, compared,
        )  # fmt: skip


@compiled
def _gather(rows: Any, subsets: Any, sums: Any) -> None:
    """Add every set's row to the sums of its subsets."""
    for s in range(rows.shape[0]):
        row = rows[s]
        for part in subsets[s]:
            total = sums[part]
            for t in range(row.size):
                total[t] += row[t]


@compiled
def _add(ways: Any, rows: Any, sums: Any) -> None:
    """Add every row to its sums, as often as there are ways."""
    for s in range(rows.shape[0]):
        row, total = rows[s], sums[s]
        for t in range(row.size):
            total[t] += ways[t] * row[t]


@compiled
def _sum_ranks(flops: Any, boards: Any, off_counts: Any, values: Any, base: Any) -> None:
    """Sum over turn and river by ranks: `boards` numbers the five ranks by flop and pair of turn and river."""
    size = base.shape[1]
    for flop in range(base.shape[0]):
        total = base[flop]
        pair = 0
        for x in range(RANKS):
            of_x, in_x = 4 - flops[flop, x], off_counts[x]
            for y in range(x + 1):
                of_y, in_y = 4 - flops[flop, y], off_counts[y]
                board = boards[flop, pair]
                pair += 1
                if board < 0:
                    continue
                value = values[board]
                if x == y:
                    for t in range(size):
                        total[t] += (of_x - in_x[t]) * (of_x - in_x[t] - 1) // 2 * value[t]
                else:
                    for t in range(size):
                        total[t] += (of_x - in_x[t]) * (of_y - in_y[t]) * value[t]


@cache
def _flop_ranks() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The counts of ranks of the 455 flops, and the number of the board by flop and pair of turn and river ranks."""
    numbers = multisets(5)
    flops = np.array([[flop.count(rank) for rank in range(RANKS)] for flop in multisets(3)], np.int64)
    boards = [[numbers.get(tuple(sorted(flop + pair)), -1) for pair in PAIRS] for flop in multisets(3)]
    return flops, np.array(boards, np.int64)


@cache
def ways_out_of_suit() -> dict[tuple[int, ...], NDArray[np.int64]]:
    """In how many ways cards out of the suit can have these ranks, by the type that is held."""
    left = 3 - OFF_COUNTS
    ways: dict[tuple[int, ...], NDArray[np.int64]] = {(): np.ones(len(TYPES), np.int64)}
    for x in range(RANKS):
        ways[(x,)] = left[x]
        ways[(x, x)] = left[x] * (left[x] - 1) // 2
    for x, y in combinations_with_replacement(range(RANKS), 2):
        ways.setdefault((x, y), left[x] * left[y])
    return ways


@cache
def ways_of_ranks() -> NDArray[np.int64]:
    """In how many ways a board can have its ranks, by the pair of ranks that is held."""
    choose = np.array([[comb(of, number) for number in range(5)] for of in range(5)], np.int64)
    ways = np.ones((len(rank_boards()), len(PAIRS)), np.int64)
    for rank in range(RANKS):
        ways *= choose[4 - OFF_COUNTS[rank, : len(PAIRS)], rank_boards()[:, [rank]]]
    return ways


def prepare() -> None:
    """Make all that every sweep needs, so that threads do not each make it for themselves."""
    rank_order()
    _flop_ranks()
    ways_of_ranks()
    ways_out_of_suit()
    for size in (3, 4, 5):
        suit_boards(size)
        parts(size, min(size - 1, 3))
    parts(2, 1)


def sweep(worth: Worth) -> Sums:
    """Sweep every board and sum over every turn and river."""
    pairs = len(PAIRS)
    by_ranks = np.zeros((len(rank_boards()), pairs), np.int64)
    compared = np.zeros_like(by_ranks)
    order = rank_order()
    _sweep_ranks(order.types, order.ends, rank_boards(), _TYPES, worth, by_ranks, compared)
    base = np.zeros((len(multisets(3)), pairs), np.int64)
    _sum_ranks(*_flop_ranks(), OFF_COUNTS, by_ranks, base)
    changes = np.zeros((NONE_SUITED + 1, len(TYPES)), np.int64)
    compared_changes = [row for size in (3, 4, 5) for row in _sweep_suits(size, worth, by_ranks, compared, changes)]
    return Sums(base, changes, Compared(compared, np.array(compared_changes)))


def _sweep_suits(size: int, worth: Worth, by_ranks: Words, compared: Words, changes: Words) -> list[Words]:
    """Boards with `size` cards of the suit: add what they change for every flop that they can come from."""
    one = changes[ONE_SUITED:TWO_SUITED].reshape(91, 13, -1)
    two = changes[TWO_SUITED:THREE_SUITED].reshape(13, 78, -1)
    three = changes[THREE_SUITED:NONE_SUITED]
    boards = suit_boards(size)
    rows = np.empty((len(sets(size)), len(TYPES)), np.int64)
    seen = []
    for number, others in enumerate(multisets(5 - size)):
        left = np.array([3 - others.count(rank) for rank in range(RANKS)] + [1] * RANKS, np.int64)
        seen.append(np.zeros(len(TYPES), np.int64))
        _sweep_suit(
            boards.order.types[number], boards.order.ends[number], boards.multiset[number], left,
            _TYPES, worth, by_ranks, compared, rows, seen[-1],
        )  # fmt: skip
        if size == 5:
            _gather(rows, parts(5, 3), three)
        elif size == 4:
            _sum_four(others[0], rows, two, three)
        else:
            _sum_three(others, rows, one, two, three)
    return seen


def _sum_three(others: tuple[int, ...], rows: Words, one: Words, two: Words, three: Words) -> None:
    """Three of the suit on the board: turn and river are both others, one of each, or both of the suit."""
    ways = ways_out_of_suit()
    x, y = others
    _add(ways[others], rows, three)
    twos = np.zeros((78, len(TYPES)), np.int64)
    _gather(rows, parts(3, 2), twos)
    _add(ways[(y,)] - (x == y), twos, two[x])
    if x != y:
        _add(ways[(x,)], twos, two[y])
    ones = np.zeros((13, len(TYPES)), np.int64)
    _gather(twos, parts(2, 1), ones)
    # Turn and river in either order are one deal.
    one[TYPE[x, y]] += ones // 2


def _sum_four(other: int, rows: Words, two: Words, three: Words) -> None:
    """Four of the suit on the board: turn and river are one of each, or both of the suit."""
    threes = np.zeros((286, len(TYPES)), np.int64)
    _gather(rows, parts(4, 3), threes)
    _add(ways_out_of_suit()[(other,)], threes, three)
    twos = np.zeros((78, len(TYPES)), np.int64)
    _gather(threes, parts(3, 2), twos)
    two[other] += twos // 2
