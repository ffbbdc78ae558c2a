"""The sums of the sweep read backwards, where only totals over chosen deals are wanted, such as those not folded.

A worked example. Two states, S and T, are worth what two boards, a and b, give them:

    S = 3 a + 1 b        T = 2 b          (turns and rivers in 3, 1 and 2 ways)

Chosen are 4 deals of S and 5 of T. Forwards one makes S and T from the boards, and then 4 S + 5 T. Backwards one hands
the weights on to the boards first, and then looks at each board once:

    weight of a: 4 * 3 = 12        weight of b: 4 * 1 + 5 * 2 = 14        total: 12 a + 14 b

With a = 10 and b = 7 both ways give 4 * 37 + 5 * 14 = 218 = 12 * 10 + 14 * 7. Backwards a board may give several
numbers at once: here, by category of the seat's hand, the dealer's hands that are weaker, not stronger, and all.

In general. A state's worth is a sum over boards and types (see `sweep`). So a total over states is one too: what a
board gives a type, times its weight, which is how many of the chosen deals have that board and type. Each step of the
sums, read backwards, hands the weight of a result on to its terms. A term that is taken out, as the plain ranks are
where a suit changes something, loses the weight.
"""

from typing import NamedTuple

import numpy as np

from feltworks.games.down_under_holdem.enumerator.boards import (
    HOLE_TYPES,
    RANK_PAIR_COUNT,
    SUITS,
    TWO_RANK_SETS,
    TYPE_MASK,
    TYPE_NUMBER,
    Order,
    SuitBoards,
    multisets,
    rank_boards,
    rank_order,
    subsets,
    suit_boards,
)
from feltworks.games.down_under_holdem.enumerator.sweep import (
    NONE_SUITED,
    PAIR,
    SUIT_SIZES,
    TYPE_PARTS,
    BoardSweep,
    FlopRows,
    Integers,
    Words,
    add_members,
    add_numbered_rows,
    add_rows,
    flop_rows,
    left_out_of_suit,
    new_board_sweep,
    rank_runouts,
    set_moves,
    sweep_board,
    ways_out_of_suit,
)
from feltworks.kit.compiled import compiled
from feltworks.kit.poker import HandRank

HALF_BITS = 32
"""Weights are words of two fields of so many bits, for two choices of deals at once.

A weight is twice a number of deals, so that halving is exact. On boards with three cards or more of a suit no field
overflows even when weights are multiplied by hands and added up: such a board stands for at most 4 * 9 boards of cards,
with 10 flops, 1,081 hole cards and 990 dealer's hands each, which makes less than 2^30 with the factor of 2. A board by
its ranks stands for up to 4^5. There the weights fit, at most 2 * 10 * 4^5 * 16 each, but their fields are told apart
before they are multiplied. They are not negative, because what the suits take from the ranks are deals of these ranks.
What is added up over all boards is at most twice the number of all deals, 5.6 * 10^13.
"""
_HALF_MASK = 2**HALF_BITS - 1
HALVES = 2
WEAKER, NOT_STRONGER, EVERY = range(3)
"""What is counted of the dealer's hands."""
MEASURES = 3


class Weights(NamedTuple):
    """What `Sums` are multiplied by, for each field of the dealer's hands."""

    base: Words
    """By field, the flop's ranks and the pair of hole ranks."""
    changes: Words
    """By field, what one suit has on the flop, and type."""


def no_weights(fields: int) -> Weights:
    """Weights of nothing, to be added to."""
    base = np.zeros((fields, len(multisets(3)), RANK_PAIR_COUNT), np.int64)
    return Weights(base, np.zeros((fields, NONE_SUITED + 1, len(HOLE_TYPES)), np.int64))


class DealerHands(NamedTuple):
    """The dealer's hands, counted in fields of so many bits."""

    weights: Words
    """By pair of ranks."""
    everyone: Words
    """The sum of the weights of all of them: by multiset of the board's ranks, and pair of hole ranks."""
    bits: int


class Field(NamedTuple):
    """Where one field of the dealer's hands stands in a word, and all of them on one board."""

    shift: int
    mask: np.int64
    everyone: Words
    """By pair of hole ranks."""


class Totals(NamedTuple):
    """By measure and category. What is below HALF_BITS is added to one, what is above to the other."""

    low: Integers
    high: Integers


@compiled
def _add_board(
    order: Order, board: BoardSweep, field: Field, weights: Words, plain_weights: Words, totals: Totals
) -> None:
    """Add up a field of the hands on a board that was swept, and take the weights from those of the plain ranks."""
    types, ends = order
    _, weaker, not_stronger = board
    shift, mask, everyone = field
    low, high = totals
    for category in range(low.shape[1]):
        begin, end = np.uint64(ends[category]), np.uint64(ends[category + 1])
        if begin == end:
            continue
        of_weaker, of_not_stronger, of_everyone = 0, 0, 0
        for i in range(begin, end):
            t = np.uint64(types[i] & TYPE_MASK)
            weight, pair = weights[t], TYPE_PARTS[t, PAIR]
            of_weaker += weight * (weaker[i] >> shift & mask)
            of_not_stronger += weight * (not_stronger[i] >> shift & mask)
            of_everyone += weight * (everyone[pair] >> shift & mask)
            plain_weights[pair] -= weight
        for measure, total in enumerate((of_weaker, of_not_stronger, of_everyone)):
            low[measure, category] += total & _HALF_MASK
            high[measure, category] += total >> HALF_BITS


class SuitWeights(NamedTuple):
    """What the weights of boards with the same ranks out of the suit are made of."""

    subsets: Integers
    """By board: the numbers of its subsets of the suit's ranks."""
    sums: Words
    """By field and subset: the weights, which are added."""
    ways: Integers
    """By type: how often the weights of the flop with the same three cards are added."""
    three: Words
    """By field and board: these weights; no row where the board has more than three cards of the suit."""


@compiled
def _weigh_suit(
    boards: SuitBoards, left: Integers, hands: DealerHands, sources: SuitWeights, plain: Words, totals: Integers
) -> None:
    """Every board with the same ranks out of the suit. Totals are by half of the word and by field."""
    dealt, everyone, bits = hands
    members, sums, ways, three = sources
    board, weights = new_board_sweep(sums.shape[2]), np.zeros(sums.shape[2], np.int64)
    mask = (np.int64(1) << bits) - 1
    set_moves(left, dealt, board.moves)
    for s in range(boards.multiset.size):
        order, ranks = Order(boards.order.types[s], boards.order.ends[s]), boards.multiset[s]
        sweep_board(order, board)
        for number in range(sums.shape[0]):
            weights[:] = 0
            if three.shape[1] > 0:
                row = three[number, s]
                for t in range(weights.size):
                    weights[t] = ways[t] * row[t]
            for member in members[s]:
                row = sums[number, member]
                for t in range(weights.size):
                    weights[t] += row[t]
            field = Field(bits * number, mask, everyone[ranks])
            _add_board(order, board, field, weights, plain[number, ranks], Totals(totals[0, number], totals[1, number]))


@compiled
def _weigh_ranks(
    orders: Order, counts: Integers, hands: DealerHands, plain: Words, totals: Integers, above: Integers
) -> None:
    """Every board by its ranks alone. Each half of the weights is weighed by itself, so what is above it is its own."""
    dealt, everyone, bits = hands
    board, weights = new_board_sweep(plain.shape[2]), np.zeros(plain.shape[2], np.int64)
    nothing, mask = np.zeros(plain.shape[2], np.int64), (np.int64(1) << bits) - 1
    for ranks in range(plain.shape[1]):
        order = Order(orders.types[ranks], orders.ends[ranks])
        set_moves(SUITS - counts[ranks], dealt, board.moves)
        sweep_board(order, board)
        for number in range(plain.shape[0]):
            row, field = plain[number, ranks], Field(bits * number, mask, everyone[ranks])
            for half in range(HALVES):
                for t in range(weights.size):
                    weights[t] = row[t] >> HALF_BITS * half & _HALF_MASK
                _add_board(order, board, field, weights, nothing, Totals(totals[half, number], above[half, number]))


def weigh_deals(hands: DealerHands, weights: Weights) -> Integers:
    """Totals by choice of deals, field, measure and category."""
    fields = len(weights.base)
    plain = np.zeros((fields, len(rank_boards()), RANK_PAIR_COUNT), np.int64)
    runouts = rank_runouts()
    for base, rows in zip(weights.base, plain, strict=True):
        add_numbered_rows(runouts.ways, runouts.flops, runouts.boards, base, rows)
    totals = np.zeros((HALVES, fields, MEASURES, len(HandRank)), np.int64)
    for size in SUIT_SIZES:
        _weigh_suits(size, hands, weights.changes, plain, totals)
    above = np.zeros_like(totals)
    _weigh_ranks(rank_order(), rank_boards(), hands, plain, totals, above)
    return (totals + (above << HALF_BITS)) // 2


def _weigh_suits(size: int, hands: DealerHands, changes: Words, plain: Words, totals: Integers) -> None:
    """Boards with `size` cards of the suit; their weights are taken from those of their ranks."""
    flops, boards = flop_rows(changes), suit_boards(size)
    flops = flops._replace(three=np.ascontiguousarray(flops.three))
    no_rows, members = flops.three[:, :0], subsets(size, min(size - 1, 3))
    for number, others in enumerate(multisets(5 - size)):
        if size == 5:
            sums, three = flops.three, no_rows
        elif size == 4:
            sums, three = _weights_of_threes(others[0], flops), no_rows
        else:
            sums, three = _weights_of_twos(others, flops), flops.three
        sources = SuitWeights(members, sums, ways_out_of_suit()[others], three)
        _weigh_suit(boards.with_others(number), left_out_of_suit(others), hands, sources, plain, totals)


def _weights_of_twos(others: tuple[int, ...], flops: FlopRows) -> Words:
    """Of two cards of the suit on a board that has three of it: `sweep._sum_three` read backwards."""
    ways = ways_out_of_suit()
    x, y = others
    twos = np.zeros((len(flops.one), TWO_RANK_SETS, len(HOLE_TYPES)), np.int64)
    for field, sums in enumerate(twos):
        add_members(flops.one[field, TYPE_NUMBER[x, y]] // 2, subsets(2, 1), sums)
        add_rows(ways[(y,)] - (x == y), flops.two[field, x], sums)
        if x != y:
            add_rows(ways[(x,)], flops.two[field, y], sums)
    return twos


def _weights_of_threes(other: int, flops: FlopRows) -> Words:
    """Of three cards of the suit on a board that has four of it: `sweep._sum_four` read backwards."""
    threes = np.zeros(flops.three.shape, np.int64)
    for field, sums in enumerate(threes):
        add_members(flops.two[field, other] // 2, subsets(3, 2), sums)
        add_rows(ways_out_of_suit()[(other,)], flops.three[field], sums)
    return threes
