"""The compiled sweep: what hole cards are worth on every board, summed over turn and river.

A worked example. To keep it small, let the deck have only four cards beside the board: 9♠ 9♥ 8 7. The seat has 9♠ 8,
the dealer has two of the others. On this board the hands rank 87, 97, 98, 99 from the weakest up. How many of the
dealer's hands are weaker than 98? Go through all hands in that order. Those that have been passed are weaker, but the
ones with the seat's own cards are not possible: so they are counted for each card too.

    passed   hands   all passed   with a given 9   with the 8   with the 7
    87       1       1            0                1            1
    97       2       3            1                1            3            weaker than 98:       3 - 1 - 1 = 1
    98       2       5            2                3            3            not stronger than 98: 5 - 2 - 3 + 1 = 1

That one hand is 9♥ 7: it is all that 9♠ 8 leaves of what has been passed, since the dealer cannot have the 8 as well.

In general. A board's hole cards are swept from the weakest hand to the strongest. The dealer's hands that have been
passed lose. They are counted for the board and for each kind of card, so that those that need one of the seat's own
cards x and y can be taken out again:

    weaker       = passed - passed with x - passed with y
    not stronger = passed - passed with x - passed with y + 1, once the equal hands have been passed too

(the seat's own hand is among the equal ones and has been taken out twice). A hand of some category is then worth

    per_weaker[category] * weaker + per_not_stronger[category] * not stronger.

A dealer's hand counts with a weight that depends on its bands. So one 64-bit integer, a word, holds the counters of
several band pairs in fields side by side (see `packed_words`). Words are only added, multiplied by small numbers and
halved where every field is even: a word is an ordinary integer, and its fields are told apart at the very end.

Boards are taken by kind (see `boards`), first by their ranks as if there were no flushes, then those with three cards
or more of a suit for what that suit changes. The sums over turn and river are made on these kinds, by long vector
additions over the types of hole cards.
"""

from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.enumerator.boards import (
    CARD_KINDS,
    HOLE_TYPES,
    LAST_EQUAL,
    OFF_SUIT_COUNTS,
    PAIR_OF_TYPE,
    RANK_PAIR_COUNT,
    RANK_PAIRS,
    RANKS,
    SUITS,
    THREE_RANK_SETS,
    TWO_RANK_SETS,
    TYPE_MASK,
    TYPE_NUMBER,
    Order,
    SuitBoards,
    counts_of,
    multisets,
    numbers_of_five,
    rank_boards,
    rank_order,
    sets,
    suit_boards,
    supersets,
)
from feltworks.kit.compiled import compiled

Integers = NDArray[np.int64]
Words = NDArray[np.int64]
"""Integers with several counters side by side."""

FIRST, SECOND, PAIR = range(3)
TYPE_PARTS = np.array([(a, b, pair) for (a, b), pair in zip(HOLE_TYPES, PAIR_OF_TYPE, strict=True)], np.uint8)
"""By type: its FIRST and SECOND kind of card and its PAIR of ranks. Unsigned, because a compiled index that cannot be
negative is twice as fast."""
_LAST_EQUAL = np.uint16(LAST_EQUAL)

SUIT_SIZES = (3, 4, 5)
"""So many cards of a suit on the board make a flush possible."""
ONE_SUITED, TWO_SUITED, THREE_SUITED, NONE_SUITED = np.cumsum(
    [0, RANK_PAIR_COUNT * RANKS, TWO_RANK_SETS * RANKS, THREE_RANK_SETS]
).tolist()
"""Where the rows of `Sums.changes` begin, by how many cards of the suit are on the flop: one and a pair of other ranks,
two and another rank, three. The last row is zero."""


class Payoff(NamedTuple):
    """What is counted: a weight for each of the dealer's hands, and what it adds to a hand by that one's category."""

    weights: Words
    """By pair of ranks."""
    per_weaker: Integers
    """For each of the dealer's hands that is weaker, by category."""
    per_not_stronger: Integers
    """For each that is weaker or equal."""


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


# One board


class BoardSweep(NamedTuple):
    """What is counted while one board is swept."""

    moves: Words
    """By type, what passing it adds: to the counter of all, of its first and of its second kind of card. The fourth
    column is the weight of a single hand."""
    weaker: Words
    """By place in the order: the dealer's hands that are weaker."""
    not_stronger: Words


TO_ALL, TO_FIRST, TO_SECOND, SINGLE = range(4)
"""The columns of the moves."""


@compiled
def new_board_sweep(types: int) -> BoardSweep:
    return BoardSweep(np.zeros((types, 4), np.int64), np.zeros(types, np.int64), np.zeros(types, np.int64))


@compiled
def set_moves(left: Integers, weights: Words, moves: Words) -> None:
    """What passing each type adds, where so many cards of each kind are left."""
    for t in range(moves.shape[0]):
        a, b, weight = TYPE_PARTS[t, FIRST], TYPE_PARTS[t, SECOND], weights[TYPE_PARTS[t, PAIR]]
        if a == b:
            moves[t, TO_ALL] = left[a] * (left[a] - 1) // 2 * weight
            moves[t, TO_FIRST] = (left[a] - 1) * weight
            moves[t, TO_SECOND] = 0
        else:
            moves[t, TO_ALL] = left[a] * left[b] * weight
            moves[t, TO_FIRST] = left[b] * weight
            moves[t, TO_SECOND] = left[a] * weight
        moves[t, SINGLE] = weight


@compiled
def sweep_board(order: Order, board: BoardSweep) -> None:
    """For each place in the order, the dealer's hands that are weaker and not stronger."""
    types, ends = order
    moves, weaker, not_stronger = board
    passed = 0
    with_card = np.zeros(CARD_KINDS, np.int64)
    i, end = np.uint64(ends[0]), np.uint64(ends[-1])
    while i < end:
        begin = i
        last = False
        while not last:
            last = types[i] >= _LAST_EQUAL
            t = np.uint64(types[i] & TYPE_MASK)
            weaker[i] = passed - with_card[TYPE_PARTS[t, FIRST]] - with_card[TYPE_PARTS[t, SECOND]]
            i += np.uint64(1)
        for j in range(begin, i):
            t = np.uint64(types[j] & TYPE_MASK)
            passed += moves[t, TO_ALL]
            with_card[TYPE_PARTS[t, FIRST]] += moves[t, TO_FIRST]
            with_card[TYPE_PARTS[t, SECOND]] += moves[t, TO_SECOND]
        for j in range(begin, i):
            t = np.uint64(types[j] & TYPE_MASK)
            own = moves[t, SINGLE]
            not_stronger[j] = passed - with_card[TYPE_PARTS[t, FIRST]] - with_card[TYPE_PARTS[t, SECOND]] + own


# Every board


class Values(NamedTuple):
    """By hole cards, on one board or on many with a row each."""

    worth: Words
    compared: Words
    """Hands weaker plus hands not stronger."""


@compiled
def _add_values(order: Order, board: BoardSweep, payoff: Payoff, plain: Values, values: Values) -> None:
    """The worth of every type on a board that was swept, less what its ranks are worth without flushes."""
    types, ends = order
    _, weaker, not_stronger = board
    _, per_weaker, per_not_stronger = payoff
    plain_worth, plain_compared = plain
    worth, compared = values
    for category in range(per_weaker.size):
        for_weaker, for_not_stronger = per_weaker[category], per_not_stronger[category]
        for i in range(np.uint64(ends[category]), np.uint64(ends[category + 1])):
            t = np.uint64(types[i] & TYPE_MASK)
            pair = TYPE_PARTS[t, PAIR]
            worth[t] = for_weaker * weaker[i] + for_not_stronger * not_stronger[i] - plain_worth[pair]
            compared[t] += weaker[i] + not_stronger[i] - plain_compared[pair]


@compiled
def _sweep_ranks(orders: Order, counts: Integers, payoff: Payoff, values: Values) -> None:
    """Every board by its ranks alone."""
    board, nothing = new_board_sweep(RANK_PAIR_COUNT), np.zeros(RANK_PAIR_COUNT, np.int64)
    plain = Values(nothing, nothing)
    for number in range(counts.shape[0]):
        order = Order(orders.types[number], orders.ends[number])
        set_moves(SUITS - counts[number], payoff.weights, board.moves)
        sweep_board(order, board)
        _add_values(order, board, payoff, plain, Values(values.worth[number], values.compared[number]))


@compiled
def _sweep_suit(boards: SuitBoards, left: Integers, payoff: Payoff, plain: Values, values: Values) -> None:
    """Every board with the same ranks out of the suit: what the suit changes.

    The worth has a row for each set of ranks of the suit; what is compared is summed over them.
    """
    board = new_board_sweep(values.worth.shape[1])
    set_moves(left, payoff.weights, board.moves)
    for s in range(values.worth.shape[0]):
        order, ranks, row = Order(boards.order.types[s], boards.order.ends[s]), boards.multiset[s], values.worth[s]
        row[:] = 0
        sweep_board(order, board)
        of_ranks = Values(plain.worth[ranks], plain.compared[ranks])
        _add_values(order, board, payoff, of_ranks, Values(row, values.compared))


@compiled
def add_members(rows: Words, members: Integers, sums: Words) -> None:
    """Add to each of the sums the rows that are its members."""
    for s in range(sums.shape[0]):
        total = sums[s]
        for member in members[s]:
            row = rows[member]
            for t in range(total.size):
                total[t] += row[t]


@compiled
def add_rows(ways: Integers, rows: Words, sums: Words) -> None:
    """Add every row to its sums, as often as there are ways."""
    for s in range(rows.shape[0]):
        row, total = rows[s], sums[s]
        for t in range(row.size):
            total[t] += ways[t] * row[t]


@compiled
def add_numbered_rows(ways: NDArray[np.int8], row_of: Integers, sum_of: Integers, rows: Words, sums: Words) -> None:
    """The same for rows and sums by their numbers, each with ways of its own."""
    for number in range(ways.shape[0]):
        times, row, total = ways[number], rows[row_of[number]], sums[sum_of[number]]
        for t in range(total.size):
            total[t] += times[t] * row[t]


# Turns and rivers


class RankRunouts(NamedTuple):
    """Every turn and river on every flop, by ranks."""

    ways: NDArray[np.int8]
    """In how many ways they can be dealt, by the pair of ranks in the hole."""
    flops: Integers
    """The number of the flop's ranks."""
    boards: Integers
    """The number of all five ranks."""


@cache
def rank_runouts() -> RankRunouts:
    left = (SUITS - counts_of(list(multisets(3)))[:, :, None] - OFF_SUIT_COUNTS[:, :RANK_PAIR_COUNT]).astype(np.int8)
    ways = [left[:, x] * (left[:, x] - 1) // 2 if x == y else left[:, x] * left[:, y] for x, y in RANK_PAIRS]
    boards = numbers_of_five(list(multisets(3)), RANK_PAIRS)
    flops, pairs = np.nonzero(boards >= 0)
    return RankRunouts(np.stack(ways, 1)[flops, pairs], flops.copy(), boards[flops, pairs])


@cache
def ways_out_of_suit() -> dict[tuple[int, ...], Integers]:
    """In how many ways cards out of the suit can have these ranks, by the type in the hole."""
    left = SUITS - 1 - OFF_SUIT_COUNTS
    ways: dict[tuple[int, ...], Integers] = {(): np.ones(len(HOLE_TYPES), np.int64)}
    for x in range(RANKS):
        ways[(x,)] = left[x]
        ways[(x, x)] = left[x] * (left[x] - 1) // 2
    for x, y in combinations_with_replacement(range(RANKS), 2):
        ways.setdefault((x, y), left[x] * left[y])
    return ways


@cache
def ways_of_ranks() -> NDArray[np.int16]:
    """In how many ways a board can have its ranks, by the pair of ranks in the hole."""
    choose = np.array([[comb(of, number) for of in range(SUITS + 1)] for number in range(SUITS + 1)], np.int16)
    ways = np.ones((len(rank_boards()), RANK_PAIR_COUNT), np.int16)
    for rank in range(RANKS):
        ways *= choose[:, SUITS - OFF_SUIT_COUNTS[rank, :RANK_PAIR_COUNT]][rank_boards()[:, rank]]
    return ways


def left_out_of_suit(others: tuple[int, ...]) -> Integers:
    """How many cards of each kind the deck has beside these ranks out of the suit."""
    return np.array([SUITS - 1 - others.count(rank) for rank in range(RANKS)] + [1] * RANKS, np.int64)


def prepare_sweeps() -> None:
    """Make all that every sweep needs, so that threads do not each make it for themselves."""
    rank_order()
    rank_runouts()
    ways_of_ranks()
    ways_out_of_suit()
    for size in SUIT_SIZES:
        suit_boards(size)
        supersets(size, min(size - 1, 3))
    supersets(2, 1)


def sweep(payoff: Payoff) -> tuple[Sums, Compared]:
    """Sweep every board and sum over every turn and river."""
    plain = Values(*np.zeros((2, len(rank_boards()), RANK_PAIR_COUNT), np.int64))
    _sweep_ranks(rank_order(), rank_boards(), payoff, plain)
    base = np.zeros((len(multisets(3)), RANK_PAIR_COUNT), np.int64)
    runouts = rank_runouts()
    add_numbered_rows(runouts.ways, runouts.boards, runouts.flops, plain.worth, base)
    changes = np.zeros((NONE_SUITED + 1, len(HOLE_TYPES)), np.int64)
    compared = [row for size in SUIT_SIZES for row in _sweep_suits(size, payoff, plain, changes)]
    return Sums(base, changes), Compared(plain.compared, np.array(compared))


class FlopRows(NamedTuple):
    """Rows by what one suit has on the flop, as views of `Sums.changes`; there may be axes before them."""

    one: Words
    """By the pair of the two other ranks, and the rank of the suit."""
    two: Words
    """By the other rank, and the two ranks of the suit."""
    three: Words
    """By the three ranks of the suit."""


def flop_rows(changes: Words) -> FlopRows:
    before = changes.shape[:-2]
    return FlopRows(
        changes[..., ONE_SUITED:TWO_SUITED, :].reshape(*before, RANK_PAIR_COUNT, RANKS, -1),
        changes[..., TWO_SUITED:THREE_SUITED, :].reshape(*before, RANKS, TWO_RANK_SETS, -1),
        changes[..., THREE_SUITED:NONE_SUITED, :],
    )


def _sweep_suits(size: int, payoff: Payoff, plain: Values, changes: Words) -> list[Words]:
    """Boards with `size` cards of the suit: add what they change for every flop that they can come from, and give what
    compares by their other ranks."""
    flops, boards = flop_rows(changes), suit_boards(size)
    rows = np.empty((len(sets(size)), len(HOLE_TYPES)), np.int64)
    compared = []
    for number, others in enumerate(multisets(5 - size)):
        compared.append(np.zeros(len(HOLE_TYPES), np.int64))
        values = Values(rows, compared[-1])
        _sweep_suit(boards.with_others(number), left_out_of_suit(others), payoff, plain, values)
        if size == 5:
            add_members(rows, supersets(5, 3), flops.three)
        elif size == 4:
            _sum_four(others[0], rows, flops)
        else:
            _sum_three(others, rows, flops)
    return compared


def _sum_three(others: tuple[int, ...], rows: Words, flops: FlopRows) -> None:
    """Three of the suit on the board: turn and river are both others, one of each, or both of the suit."""
    ways = ways_out_of_suit()
    x, y = others
    add_rows(ways[others], rows, flops.three)
    twos = np.zeros((TWO_RANK_SETS, len(HOLE_TYPES)), np.int64)
    add_members(rows, supersets(3, 2), twos)
    add_rows(ways[(y,)] - (x == y), twos, flops.two[x])
    if x != y:
        add_rows(ways[(x,)], twos, flops.two[y])
    ones = np.zeros((RANKS, len(HOLE_TYPES)), np.int64)
    add_members(twos, supersets(2, 1), ones)
    # Turn and river in either order are one deal.
    flops.one[TYPE_NUMBER[x, y]] += ones // 2


def _sum_four(other: int, rows: Words, flops: FlopRows) -> None:
    """Four of the suit on the board: turn and river are one of each, or both of the suit."""
    threes = np.zeros((THREE_RANK_SETS, len(HOLE_TYPES)), np.int64)
    add_members(rows, supersets(4, 3), threes)
    add_rows(ways_out_of_suit()[(other,)], threes, flops.three)
    twos = np.zeros((TWO_RANK_SETS, len(HOLE_TYPES)), np.int64)
    add_members(threes, supersets(3, 2), twos)
    flops.two[other] += twos // 2
