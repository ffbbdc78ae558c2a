"""The compiled part of counting by card types: one board, all boards with the same cards out of the flush suit, flops.

This module imports little, so that what is compiled of it is kept when other code changes.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.enumerator.boards import HOLE_TYPES, PAIR_OF_TYPE, TYPE_NUMBER
from feltworks.kit.compiled import compiled
from feltworks.lab.showdown.card_sets import CARDS, RANKS, Ints

KINDS_OF_CARDS = 2 * RANKS
_HALF = np.int64(0xFFFFFFFF)
TYPE_A = np.array([a for a, _ in HOLE_TYPES], np.int64)
TYPE_B = np.array([b for _, b in HOLE_TYPES], np.int64)
PAIRS = PAIR_OF_TYPE.copy()
_KIND = TYPE_NUMBER.copy()


class Rules(NamedTuple):
    """What a hand is worth on the river: pays of the ends, and the decisions there."""

    seat_kinds: Ints
    """By value of a hand."""
    dealer_kinds: Ints
    pays: Ints
    """By end, kind of the seat's hand, of the dealer's, and whether that one is worse, equal or better."""
    options: Ints
    """By decision: the nodes that its options lead to, -1 where there are no more."""
    up: Ints
    """The nodes that a decision before the river leads to."""


class RankBoard(NamedTuple):
    """A board by its ranks alone: the pairs of hole ranks that it leaves, from the weakest hand on."""

    types: Ints
    values: Ints
    left: Ints


class SuitBoards(NamedTuple):
    """The boards with the same ranks out of the flush suit, a row each."""

    types: NDArray[np.uint16]
    values: NDArray[np.uint16]
    """Of the hand of each type in `types`."""
    ends: NDArray[np.int16]
    """How many of the types each board leaves; the others come after them and mean nothing."""
    left: Ints
    ranks: Ints
    """The number of all five ranks."""
    targets: Ints
    """The rows of the changes that each board is in."""
    ways: Ints
    """In how many ways turn and river then come, by target and type."""


class Flops(NamedTuple):
    """Every flop that no exchange of suits turns into another."""

    cards: Ints
    weights: Ints
    ranks: Ints
    """The number of its ranks."""
    suits: Ints
    """The suits it has, -1 where there are no more."""
    rows: Ints
    """The row of changes of each of these suits."""


@compiled
def _sweep(types: Ints, values: Ints, left: Ints, kinds: Ints, below: Ints, level: Ints, every: Ints) -> None:
    """For each place in the order: the dealer's hands that are worse, not better, and all; two kinds in a word."""
    with_card = np.zeros(KINDS_OF_CARDS, np.int64)
    passed = np.int64(0)
    number = types.size
    i = 0
    while i < number:
        first = i
        word = np.int64(1) << (32 * kinds[values[i]])
        while i < number and values[i] == values[first]:
            a, b = TYPE_A[types[i]], TYPE_B[types[i]]
            below[i] = passed - with_card[a] - with_card[b]
            i += 1
        for j in range(first, i):
            a, b = TYPE_A[types[j]], TYPE_B[types[j]]
            if a == b:
                passed += left[a] * (left[a] - 1) // 2 * word
                with_card[a] += (left[a] - 1) * word
            else:
                passed += left[a] * left[b] * word
                with_card[a] += left[b] * word
                with_card[b] += left[a] * word
        for j in range(first, i):
            a, b = TYPE_A[types[j]], TYPE_B[types[j]]
            # A pair of one rank has been taken out once for either card, and so has the hand itself.
            level[j] = passed - with_card[a] - with_card[b] + word
    for j in range(number):
        a, b = TYPE_A[types[j]], TYPE_B[types[j]]
        every[j] = passed - with_card[a] - with_card[b] + (np.int64(1) << (32 * kinds[values[j]]))


@compiled
def _counts(place: int, below: Ints, level: Ints, every: Ints, kinds: int, counts: Ints) -> None:
    for kind in range(kinds):
        worse = below[place] >> (32 * kind) & _HALF
        not_better = level[place] >> (32 * kind) & _HALF
        counts[kind, 0] = worse
        counts[kind, 1] = not_better - worse
        counts[kind, 2] = (every[place] >> (32 * kind) & _HALF) - not_better


@compiled
def _nodes_worth(counts: Ints, seat: int, pays: Ints, options: Ints, worth: Ints) -> None:
    """What every node on the river is worth."""
    ends = pays.shape[0]
    for end in range(ends):
        total = np.int64(0)
        for kind in range(counts.shape[0]):
            for result in range(3):
                total += pays[end, seat, kind, result] * counts[kind, result]
        worth[end] = total
    for choice in range(options.shape[0]):
        best = worth[options[choice, 0]]
        for option in options[choice]:
            if option >= 0 and worth[option] > best:
                best = worth[option]
        worth[ends + choice] = best


@compiled
def _end_of(node: int, ends: int, options: Ints, worth: Ints) -> int:
    """The end that the best play goes to from a node on the river; of equal options the first."""
    while node >= ends:
        row = options[node - ends]
        best = row[0]
        for option in row:
            if option >= 0 and worth[option] > worth[best]:
                best = option
        node = best
    return node


@compiled
def rank_worth(board: RankBoard, rules: Rules, plain: Ints) -> None:
    types, values, left = board
    seat_kinds, dealer_kinds, pays, options, up = rules
    below, level, every = np.zeros(types.size, np.int64), np.zeros(types.size, np.int64), np.zeros(types.size, np.int64)
    _sweep(types, values, left, dealer_kinds, below, level, every)
    counts = np.zeros((pays.shape[2], 3), np.int64)
    worth = np.zeros(pays.shape[0] + options.shape[0], np.int64)
    for i in range(types.size):
        _counts(i, below, level, every, counts.shape[0], counts)
        _nodes_worth(counts, seat_kinds[values[i]], pays, options, worth)
        for channel in range(up.size):
            plain[channel, types[i]] = worth[up[channel]]


@compiled
def suit_worth(boards: SuitBoards, rules: Rules, plain: Ints, changes: Ints) -> None:
    seat_kinds, dealer_kinds, pays, options, up = rules
    most = boards.types.shape[1]
    types, values = np.zeros(most, np.int64), np.zeros(most, np.int64)
    below, level, every = np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most, np.int64)
    counts = np.zeros((pays.shape[2], 3), np.int64)
    worth = np.zeros(pays.shape[0] + options.shape[0], np.int64)
    rows = np.zeros((up.size, changes.shape[2]), np.int64)
    for s in range(boards.types.shape[0]):
        types[:], values[:] = boards.types[s], boards.values[s]
        number = boards.ends[s]
        ranks = boards.ranks[s]
        _sweep(types[:number], values[:number], boards.left, dealer_kinds, below, level, every)
        rows[:] = 0
        for i in range(number):
            _counts(i, below, level, every, counts.shape[0], counts)
            _nodes_worth(counts, seat_kinds[values[i]], pays, options, worth)
            for channel in range(up.size):
                rows[channel, types[i]] = worth[up[channel]] - plain[channel, ranks, PAIRS[types[i]]]
        for channel in range(up.size):
            row = rows[channel]
            for k in range(boards.targets.shape[1]):
                total, ways = changes[channel, boards.targets[s, k]], boards.ways[k]
                for t in range(row.size):
                    total[t] += ways[t] * row[t]


@compiled
def sum_runouts(ways: NDArray[np.int8], flops: Ints, boards: Ints, plain: Ints, base: Ints) -> None:
    for channel in range(base.shape[0]):
        for number in range(flops.size):
            row, total, times = plain[channel, boards[number]], base[channel, flops[number]], ways[number]
            for pair in range(row.size):
                total[pair] += times[pair] * row[pair]


@compiled
def spread_runouts(ways: NDArray[np.int8], flops: Ints, boards: Ints, base: Ints, plain: Ints) -> None:
    for channel in range(base.shape[0]):
        for number in range(flops.size):
            row, total, times = base[channel, flops[number]], plain[channel, boards[number]], ways[number]
            for pair in range(row.size):
                total[pair] += times[pair] * row[pair]


@compiled
def _is_on(flop: Ints, card: int) -> bool:
    return bool(flop[0] == card or flop[1] == card or flop[2] == card)


@compiled
def _type_for(suit: int, a: int, b: int) -> int:
    """The type of two hole cards as a suit sees them."""
    first = a % RANKS + (RANKS if a // RANKS == suit else 0)
    second = b % RANKS + (RANKS if b // RANKS == suit else 0)
    kind: int = _KIND[first, second]
    return kind


@compiled
def flop_worth(flops: Flops, base: Ints, changes: Ints, options: Ints, totals: Ints, chosen: NDArray[np.uint8]) -> None:
    """What every node on the flop is worth with every hand, summed over the flops, and what is chosen there."""
    channels = base.shape[0]
    worth = np.zeros(channels + options.shape[0], np.int64)
    for number in range(flops.cards.shape[0]):
        flop = flops.cards[number]
        for b in range(1, CARDS):
            for a in range(b):
                if _is_on(flop, a) or _is_on(flop, b):
                    continue
                pair = _KIND[a % RANKS, b % RANKS]
                place = b * (b - 1) // 2 + a
                for channel in range(channels):
                    worth[channel] = base[channel, flops.ranks[number], pair]
                for k in range(3):
                    suit = flops.suits[number, k]
                    if suit >= 0:
                        t = _type_for(suit, a, b)
                        for channel in range(channels):
                            worth[channel] += changes[channel, flops.rows[number, k], t]
                for choice in range(options.shape[0]):
                    best, taken = worth[options[choice, 0]], 0
                    for option in range(1, options.shape[1]):
                        node = options[choice, option]
                        if node >= 0 and worth[node] > best:
                            best, taken = worth[node], option
                    worth[channels + choice] = best
                    chosen[choice, number, place] = taken
                for node in range(worth.size):
                    totals[node, place] += flops.weights[number] * worth[node]


@compiled
def flops_taken(flops: Flops, start: Ints, chosen: NDArray[np.uint8], options: Ints, base: Ints, changes: Ints) -> None:
    """How often each course goes on from the flops, by what the sums over turn and river are made of."""
    channels = base.shape[0]
    for number in range(flops.cards.shape[0]):
        flop = flops.cards[number]
        for b in range(1, CARDS):
            for a in range(b):
                if _is_on(flop, a) or _is_on(flop, b):
                    continue
                place = b * (b - 1) // 2 + a
                node = start[place]
                while node >= channels:
                    choice = node - channels
                    node = options[choice, chosen[choice, number, place]]
                base[node, flops.ranks[number], _KIND[a % RANKS, b % RANKS]] += flops.weights[number]
                for k in range(3):
                    suit = flops.suits[number, k]
                    if suit >= 0:
                        changes[node, flops.rows[number, k], _type_for(suit, a, b)] += flops.weights[number]


@compiled
def rank_taken(board: RankBoard, rules: Rules, times: Ints, totals: Ints) -> None:
    types, values, left = board
    seat_kinds, dealer_kinds, pays, options, up = rules
    below, level, every = np.zeros(types.size, np.int64), np.zeros(types.size, np.int64), np.zeros(types.size, np.int64)
    _sweep(types, values, left, dealer_kinds, below, level, every)
    counts = np.zeros((pays.shape[2], 3), np.int64)
    worth = np.zeros(pays.shape[0] + options.shape[0], np.int64)
    for i in range(types.size):
        _counts(i, below, level, every, counts.shape[0], counts)
        seat = seat_kinds[values[i]]
        _nodes_worth(counts, seat, pays, options, worth)
        for channel in range(up.size):
            often = times[channel, types[i]]
            if often:
                end = _end_of(up[channel], pays.shape[0], options, worth)
                for kind in range(counts.shape[0]):
                    for result in range(3):
                        totals[end, seat, kind, result] += often * counts[kind, result]


@compiled
def suit_taken(boards: SuitBoards, rules: Rules, changes: Ints, plain: Ints, totals: Ints) -> None:
    seat_kinds, dealer_kinds, pays, options, up = rules
    most = boards.types.shape[1]
    types, values = np.zeros(most, np.int64), np.zeros(most, np.int64)
    below, level, every = np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most, np.int64)
    counts = np.zeros((pays.shape[2], 3), np.int64)
    worth = np.zeros(pays.shape[0] + options.shape[0], np.int64)
    times = np.zeros((up.size, changes.shape[2]), np.int64)
    for s in range(boards.types.shape[0]):
        types[:], values[:] = boards.types[s], boards.values[s]
        number = boards.ends[s]
        _sweep(types[:number], values[:number], boards.left, dealer_kinds, below, level, every)
        for channel in range(up.size):
            row = times[channel]
            row[:] = 0
            for k in range(boards.targets.shape[1]):
                source, ways = changes[channel, boards.targets[s, k]], boards.ways[k]
                for t in range(row.size):
                    row[t] += ways[t] * source[t]
        for i in range(number):
            _counts(i, below, level, every, counts.shape[0], counts)
            seat = seat_kinds[values[i]]
            _nodes_worth(counts, seat, pays, options, worth)
            for channel in range(up.size):
                often = times[channel, types[i]]
                if often:
                    plain[channel, boards.ranks[s], PAIRS[types[i]]] -= often
                    end = _end_of(up[channel], pays.shape[0], options, worth)
                    for kind in range(counts.shape[0]):
                        for result in range(3):
                            totals[end, seat, kind, result] += often * counts[kind, result]
