"""The compiled sweep: what hole cards are worth on every board, summed over turn and river.

A board's hole cards are swept from the weakest hand to the strongest. The dealer's hands that have been passed lose.
They are counted for the board and for each kind of card, so that those that need one of the seat's own cards x and y
can be taken out again:

    weaker       = passed - passed with x - passed with y
    not stronger = passed - passed with x - passed with y + 1, once the equal hands have been passed too

(the seat's own hand is among the equal ones and has been taken out twice). A hand of some category is then worth

    less[category] * weaker + equal[category] * not stronger.

A dealer's hand counts with a weight that depends on its bands. So one 64-bit integer, a word, holds the counters of
several band pairs in fields side by side. Words are only added, multiplied by small numbers and halved where every
field is even: a word is an ordinary integer, and its fields are told apart at the very end.

Boards are taken by kind (see `kinds`), first by their ranks as if there were no flushes, then those with three cards or
more of a suit for what that suit changes. The sums over turn and river are made on these kinds, by long vector
additions over the types of hole cards.

The same sums are read backwards where only totals over chosen deals are wanted. A state's worth is a sum over boards
and types. So a total over states is one too: what a board gives a type, times its weight, which is how many of the
chosen deals have that board and type. Each step of the sums, read backwards, hands the weight of a result on to its
terms. A term that is taken out, as the plain ranks are where a suit changes something, loses the weight. One sweep then
gives the totals of every category at once.
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
    TYPE_MASK,
    TYPES,
    counts_of,
    multisets,
    numbers_of_five,
    parts,
    rank_boards,
    rank_order,
    sets,
    suit_boards,
)
from feltworks.kit.compiling import compiled
from feltworks.kit.poker import HandRank

Words = NDArray[np.int64]

_TYPES = np.array([(a, b, pair) for (a, b), pair in zip(TYPES, PAIR_OF_TYPE, strict=True)], np.uint8)
"""By type: its two kinds of cards and its pair of ranks. Unsigned, because a compiled index that cannot be negative is
twice as fast."""
_LAST = np.uint16(LAST)

ONE_SUITED, TWO_SUITED, THREE_SUITED, NONE_SUITED = np.cumsum([0, 13 * 91, 78 * 13, 286]).tolist()
"""Where the rows of `Sums.changes` begin, by how many cards of the suit are on the flop; the last row is zero."""


class Worth(NamedTuple):
    """What is counted: a weight for each of the dealer's hands, and the worth of a hand by category."""

    weights: Words
    """By pair of ranks."""
    less: Words
    equal: Words


class Sums(NamedTuple):
    """The worth of hole cards, summed over every turn and river."""

    base: Words
    """By the flop's ranks and the pair of hole ranks, as if there were no flushes."""
    changes: Words
    """By what one suit has on the flop and type: what the flushes of that suit add to it."""


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
def _pass(order: Any, ends: Any, types: Any, moves: Any, weaker: Any, not_stronger: Any) -> None:
    """Sweep one board: for each position in the order, the dealer's hands that are weaker and not stronger."""
    passed = 0
    with_card = np.zeros(KINDS, np.int64)
    i, end = np.uint64(ends[0]), np.uint64(ends[-1])
    while i < end:
        begin = i
        last = False
        while not last:
            last = order[i] >= _LAST
            t = np.uint64(order[i] & TYPE_MASK)
            weaker[i] = passed - with_card[types[t, 0]] - with_card[types[t, 1]]
            i += np.uint64(1)
        for j in range(begin, i):
            t = np.uint64(order[j] & TYPE_MASK)
            passed += moves[t, 0]
            with_card[types[t, 0]] += moves[t, 1]
            with_card[types[t, 1]] += moves[t, 2]
        for j in range(begin, i):
            t = np.uint64(order[j] & TYPE_MASK)
            not_stronger[j] = passed - with_card[types[t, 0]] - with_card[types[t, 1]] + moves[t, 3]


@compiled
def _value(order: Any, ends: Any, types: Any, worth: Any, weaker: Any, not_stronger: Any, plain: Any,
           plain_compared: Any, row: Any, compared: Any) -> None:  # fmt: skip
    """Into the row the worth of every type, less what its ranks are worth without flushes."""
    _, less, equal = worth
    for category in range(less.size):
        of_less, of_equal = less[category], equal[category]
        for i in range(np.uint64(ends[category]), np.uint64(ends[category + 1])):
            t = np.uint64(order[i] & TYPE_MASK)
            pair = types[t, 2]
            row[t] = of_less * weaker[i] + of_equal * not_stronger[i] - plain[pair]
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
        _pass(order, ends[board], types, moves, weaker, not_stronger)
        _value(order, ends[board], types, worth, weaker, not_stronger, nothing, nothing, values[board], compared[board])


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
        _pass(order, ends[s], types, moves, weaker, not_stronger)
        _value(order, ends[s], types, worth, weaker, not_stronger, plain[board], plain_compared[board], row, compared)


@compiled
def _gather(rows: Any, members: Any, sums: Any) -> None:
    """Add to each of the sums the rows that are its members."""
    for s in range(sums.shape[0]):
        total = sums[s]
        for member in members[s]:
            row = rows[member]
            for t in range(total.size):
                total[t] += row[t]


@compiled
def _add(ways: Any, rows: Any, sums: Any) -> None:
    """Add every row to its sums, as often as there are ways."""
    for s in range(rows.shape[0]):
        row, total = rows[s], sums[s]
        for t in range(row.size):
            total[t] += ways[t] * row[t]


@compiled
def _add_one_by_one(ways: Any, row_of: Any, sum_of: Any, rows: Any, sums: Any) -> None:
    """The same for rows and sums by their numbers, each with ways of its own."""
    for number in range(ways.shape[0]):
        times, row, total = ways[number], rows[row_of[number]], sums[sum_of[number]]
        for t in range(total.size):
            total[t] += times[t] * row[t]


@cache
def wholes(size: int, smaller: int) -> NDArray[np.int64]:
    """For every set of ranks of the smaller size, the numbers of all sets that it is part of."""
    of_parts = parts(size, smaller)
    places = np.argsort(of_parts, axis=None, kind="stable")
    numbers: NDArray[np.int64] = places.reshape(len(sets(smaller)), -1) // of_parts.shape[1]
    return numbers


class RankRunouts(NamedTuple):
    """Every turn and river on every flop, by ranks."""

    ways: NDArray[np.int8]
    """In how many ways they can be dealt, by the pair of ranks that is held."""
    flops: NDArray[np.int64]
    """The number of the flop's ranks."""
    boards: NDArray[np.int64]
    """The number of all five ranks."""


@cache
def _rank_runouts() -> RankRunouts:
    left = (4 - counts_of(list(multisets(3)))[:, :, None] - OFF_COUNTS[:, : len(PAIRS)]).astype(np.int8)
    ways = [left[:, x] * (left[:, x] - 1) // 2 if x == y else left[:, x] * left[:, y] for x, y in PAIRS]
    boards = numbers_of_five(list(multisets(3)), PAIRS)
    flops, pairs = np.nonzero(boards >= 0)
    return RankRunouts(np.stack(ways, 1)[flops, pairs], flops.copy(), boards[flops, pairs])


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
def ways_of_ranks() -> NDArray[np.int16]:
    """In how many ways a board can have its ranks, by the pair of ranks that is held."""
    choose = np.array([[comb(of, number) for of in range(5)] for number in range(5)], np.int16)
    ways = np.ones((len(rank_boards()), len(PAIRS)), np.int16)
    for rank in range(RANKS):
        ways *= choose[:, 4 - OFF_COUNTS[rank, : len(PAIRS)]][rank_boards()[:, rank]]
    return ways


def prepare() -> None:
    """Make all that every sweep needs, so that threads do not each make it for themselves."""
    rank_order()
    _rank_runouts()
    ways_of_ranks()
    ways_out_of_suit()
    for size in (3, 4, 5):
        suit_boards(size)
        wholes(size, min(size - 1, 3))
    wholes(2, 1)


def sweep(worth: Worth) -> tuple[Sums, Compared]:
    """Sweep every board and sum over every turn and river."""
    pairs = len(PAIRS)
    by_ranks = np.zeros((len(rank_boards()), pairs), np.int64)
    compared = np.zeros_like(by_ranks)
    order = rank_order()
    _sweep_ranks(order.types, order.ends, rank_boards(), _TYPES, worth, by_ranks, compared)
    base = np.zeros((len(multisets(3)), pairs), np.int64)
    runouts = _rank_runouts()
    _add_one_by_one(runouts.ways, runouts.boards, runouts.flops, by_ranks, base)
    changes = np.zeros((NONE_SUITED + 1, len(TYPES)), np.int64)
    compared_changes = [row for size in (3, 4, 5) for row in _sweep_suits(size, worth, by_ranks, compared, changes)]
    return Sums(base, changes), Compared(compared, np.array(compared_changes))


def _sweep_suits(size: int, worth: Worth, by_ranks: Words, compared: Words, changes: Words) -> list[Words]:
    """Boards with `size` cards of the suit: add what they change for every flop that they can come from."""
    one = changes[ONE_SUITED:TWO_SUITED].reshape(91, 13, -1)
    two = changes[TWO_SUITED:THREE_SUITED].reshape(13, 78, -1)
    three = changes[THREE_SUITED:NONE_SUITED]
    boards = suit_boards(size)
    rows = np.empty((len(sets(size)), len(TYPES)), np.int64)
    seen = []
    for number, others in enumerate(multisets(5 - size)):
        seen.append(np.zeros(len(TYPES), np.int64))
        _sweep_suit(
            boards.order.types[number], boards.order.ends[number], boards.multiset[number], _left(others),
            _TYPES, worth, by_ranks, compared, rows, seen[-1],
        )  # fmt: skip
        if size == 5:
            _gather(rows, wholes(5, 3), three)
        elif size == 4:
            _sum_four(others[0], rows, two, three)
        else:
            _sum_three(others, rows, one, two, three)
    return seen


def _left(others: tuple[int, ...]) -> NDArray[np.int64]:
    """How many cards of each kind the deck has beside these ranks out of the suit."""
    return np.array([3 - others.count(rank) for rank in range(RANKS)] + [1] * RANKS, np.int64)


def _sum_three(others: tuple[int, ...], rows: Words, one: Words, two: Words, three: Words) -> None:
    """Three of the suit on the board: turn and river are both others, one of each, or both of the suit."""
    ways = ways_out_of_suit()
    x, y = others
    _add(ways[others], rows, three)
    twos = np.zeros((78, len(TYPES)), np.int64)
    _gather(rows, wholes(3, 2), twos)
    _add(ways[(y,)] - (x == y), twos, two[x])
    if x != y:
        _add(ways[(x,)], twos, two[y])
    ones = np.zeros((13, len(TYPES)), np.int64)
    _gather(twos, wholes(2, 1), ones)
    # Turn and river in either order are one deal.
    one[TYPE[x, y]] += ones // 2


def _sum_four(other: int, rows: Words, two: Words, three: Words) -> None:
    """Four of the suit on the board: turn and river are one of each, or both of the suit."""
    threes = np.zeros((286, len(TYPES)), np.int64)
    _gather(rows, wholes(4, 3), threes)
    _add(ways_out_of_suit()[(other,)], threes, three)
    twos = np.zeros((78, len(TYPES)), np.int64)
    _gather(threes, wholes(3, 2), twos)
    two[other] += twos // 2


# The sums read backwards


HALF = 32
"""Weights are words of two fields of so many bits, for two choices of deals at once.

A weight is twice a number of deals, so that halving is exact. On boards with three cards or more of a suit no field
overflows even when weights are multiplied by hands and added up: such a board stands for at most 4 * 9 boards of cards,
with 10 flops, 1,081 hole cards and 990 dealer's hands each, which makes less than 2^30 with the factor of 2. A board by
its ranks stands for up to 4^5. There the weights fit, at most 2 * 10 * 4^5 * 16 each, but their fields are told apart
before they are multiplied. They are not negative, because what the suits take from the ranks are deals of these ranks.
What is added up over all boards is at most twice the number of all deals, 5.6 * 10^13.
"""
_HALF_MASK = 2**HALF - 1


class Weights(NamedTuple):
    """What `Sums` are multiplied by, for each field of the dealer's hands."""

    base: Words
    """By field, the flop's ranks and the pair of hole ranks."""
    changes: Words
    """By field, what one suit has on the flop, and type."""


def no_weights(fields: int) -> Weights:
    """Weights of nothing, to be added to."""
    base = np.zeros((fields, len(multisets(3)), len(PAIRS)), np.int64)
    return Weights(base, np.zeros((fields, NONE_SUITED + 1, len(TYPES)), np.int64))


class Hands(NamedTuple):
    """The dealer's hands, counted in fields of so many bits."""

    weights: Words
    """By pair of ranks."""
    everyone: Words
    """The sum of the weights of all of them: by multiset of the board's ranks, and pair of hole ranks."""
    bits: int


@compiled
def _weigh(order: Any, ends: Any, types: Any, weaker: Any, not_stronger: Any, everyone: Any, bits: Any, field: Any,
           weights: Any, plain: Any, low: Any, high: Any) -> None:  # fmt: skip
    """Add up a field of the hands on one board by category, and take the weights from those of the plain ranks."""
    shift, mask = bits * field, (np.int64(1) << bits) - 1
    for category in range(low.shape[1]):
        begin, end = np.uint64(ends[category]), np.uint64(ends[category + 1])
        if begin == end:
            continue
        of_weaker, of_not_stronger, of_everyone = 0, 0, 0
        for i in range(begin, end):
            t = np.uint64(order[i] & TYPE_MASK)
            weight, pair = weights[t], types[t, 2]
            of_weaker += weight * (weaker[i] >> shift & mask)
            of_not_stronger += weight * (not_stronger[i] >> shift & mask)
            of_everyone += weight * (everyone[pair] >> shift & mask)
            plain[pair] -= weight
        for what, found in enumerate((of_weaker, of_not_stronger, of_everyone)):
            low[what, category] += found & _HALF_MASK
            high[what, category] += found >> HALF


@compiled
def _weigh_suit(orders: Any, ends: Any, boards: Any, left: Any, types: Any, hands: Any, subsets: Any, sums: Any,
                ways: Any, three: Any, plain: Any, totals: Any) -> None:  # fmt: skip
    """Every board with the same ranks out of the suit.

    Its weights are the sums of its subsets, and as often as there are ways those of the flop with the same three cards.
    """
    dealt, everyone, bits = hands
    size = sums.shape[2]
    moves = np.zeros((size, 4), np.int64)
    weaker, not_stronger, weights = np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size, np.int64)
    _moves(left, types, dealt, moves)
    for s in range(orders.shape[0]):
        order, board = orders[s], boards[s]
        _pass(order, ends[s], types, moves, weaker, not_stronger)
        for field in range(sums.shape[0]):
            weights[:] = 0
            if three.shape[1] > 0:
                row = three[field, s]
                for t in range(size):
                    weights[t] = ways[t] * row[t]
            for part in subsets[s]:
                row = sums[field, part]
                for t in range(size):
                    weights[t] += row[t]
            _weigh(
                order, ends[s], types, weaker, not_stronger, everyone[board], bits, field, weights,
                plain[field, board], totals[0, field], totals[1, field],
            )  # fmt: skip


@compiled
def _weigh_ranks(orders: Any, ends: Any, counts: Any, types: Any, hands: Any, rows: Any, totals: Any,
                 above: Any) -> None:  # fmt: skip
    """Every board by its ranks alone; the rows are its weights."""
    dealt, everyone, bits = hands
    size = rows.shape[2]
    moves = np.zeros((size, 4), np.int64)
    weaker, not_stronger, weights = np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size, np.int64)
    nothing = np.zeros(size, np.int64)
    for board in range(rows.shape[1]):
        order = orders[board]
        _moves(4 - counts[board], types, dealt, moves)
        _pass(order, ends[board], types, moves, weaker, not_stronger)
        for field in range(rows.shape[0]):
            row = rows[field, board]
            for half in range(2):
                for t in range(size):
                    weights[t] = row[t] >> HALF * half & _HALF_MASK
                _weigh(
                    order, ends[board], types, weaker, not_stronger, everyone[board], bits, field, weights,
                    nothing, totals[half, field], above[half, field],
                )  # fmt: skip


def weigh(hands: Hands, weights: Weights) -> Words:
    """Totals by choice of deals, field, what is counted, and category.

    Counted are the dealer's hands that are weaker, those that are not stronger, and all.
    """
    fields = len(weights.base)
    ranks = np.zeros((fields, len(rank_boards()), len(PAIRS)), np.int64)
    runouts, order = _rank_runouts(), rank_order()
    for base, rows in zip(weights.base, ranks, strict=True):
        _add_one_by_one(runouts.ways, runouts.flops, runouts.boards, base, rows)
    totals = np.zeros((2, fields, 3, len(HandRank)), np.int64)
    for size in (3, 4, 5):
        _weigh_suits(size, hands, weights.changes, ranks, totals)
    # By ranks each half is weighed by itself, so what is above it is its own.
    above = np.zeros_like(totals)
    _weigh_ranks(order.types, order.ends, rank_boards(), _TYPES, hands, ranks, totals, above)
    return (totals + (above << HALF)) // 2


def _weigh_suits(size: int, hands: Hands, changes: Words, ranks: Words, totals: Words) -> None:
    """Boards with `size` cards of the suit; their weights are taken from those of their ranks."""
    fields = len(changes)
    one = changes[:, ONE_SUITED:TWO_SUITED].reshape(fields, 91, 13, -1)
    two = changes[:, TWO_SUITED:THREE_SUITED].reshape(fields, 13, 78, -1)
    three = np.ascontiguousarray(changes[:, THREE_SUITED:NONE_SUITED])
    boards, nothing = suit_boards(size), three[:, :0]
    for number, others in enumerate(multisets(5 - size)):
        if size == 5:
            sums, same = three, nothing
        elif size == 4:
            sums, same = _weights_of_threes(others[0], two, three), nothing
        else:
            sums, same = _weights_of_twos(others, one, two), three
        _weigh_suit(
            boards.order.types[number], boards.order.ends[number], boards.multiset[number], _left(others), _TYPES,
            hands, parts(size, min(size - 1, 3)), sums, ways_out_of_suit()[others], same, ranks, totals,
        )  # fmt: skip


def _weights_of_twos(others: tuple[int, ...], one: Words, two: Words) -> Words:
    """Of two cards of the suit on a board that has three of it: `_sum_three` read backwards."""
    ways = ways_out_of_suit()
    x, y = others
    twos = np.zeros((len(one), 78, len(TYPES)), np.int64)
    for field, sums in enumerate(twos):
        _gather(one[field, TYPE[x, y]] // 2, parts(2, 1), sums)
        _add(ways[(y,)] - (x == y), two[field, x], sums)
        if x != y:
            _add(ways[(x,)], two[field, y], sums)
    return twos


def _weights_of_threes(other: int, two: Words, three: Words) -> Words:
    """Of three cards of the suit on a board that has four of it: `_sum_four` read backwards."""
    threes = np.zeros(three.shape, np.int64)
    for field, sums in enumerate(threes):
        _gather(two[field, other] // 2, parts(3, 2), sums)
        _add(ways_out_of_suit()[(other,)], three[field], sums)
    return threes
