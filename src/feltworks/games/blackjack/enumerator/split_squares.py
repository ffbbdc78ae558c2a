"""The mean square of what the hands of a split pair win together, in integers: for the variance of a round.

A worked example. Two hands; the second one was doubled. The dealer ends with 19, the hands have 20 and 19.

    first hand:    stake 1, return R = 2 per unit    wins  1 * (2 - 1) = 1
    second hand:   stake 2, return R = 1 per unit    wins  2 * (1 - 1) = 0
    square of the sum                                (1 + 0)² = 1² + 0² + 2 * (1 * 0) = 1

So the square is the sum of each hand's own square and of the products of two different hands. Each result is the sum of
two parts, s R and -s; each square of two parts as well, s² (R² - 2 R) and s²:

    first hand:    2 and -1 make 1,   1 * (4 - 4) = 0 and 1 make 1
    second hand:   2 and -2 make 0,   4 * (1 - 2) = -4 and 4 make 0

The first part of a square is -s² for a push and nothing otherwise. The second parts do not look at how the hand ends.
So hands over 21, which return nothing, need no part of their own.

Two hands are valued like one (see `split_hands`): what the others drew is a number of further cards removed, with a
whole-number weight. They meet the same dealer, so everything is summed by the cards of one or both hands together, each
such lot once. As in `integer_values`, ordered draws are counted, and only the sums are divided.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from feltworks.games.blackjack.enumerator.dealer_totals import TOTALS, Numbers, counts_by_total
from feltworks.games.blackjack.enumerator.hands import RANKS, all_hands
from feltworks.games.blackjack.enumerator.integer_values import Valuer, ways
from feltworks.games.blackjack.enumerator.split_hands import weights_of_one, weights_of_two
from feltworks.games.blackjack.enumerator.upcard_solver import MISSED, Flags, SplitPlay
from feltworks.kit.compiled import compiled

BUST, BLACKJACK = TOTALS, TOTALS + 1
ENDS = TOTALS + 2
"""The dealer's ends: 17 ... 21, over 21, blackjack."""
LOT_BASE = 64
"""Cards by rank become one number, a lot, with a digit for each rank: no lot has as many cards of a rank as this."""
PLACES = LOT_BASE ** np.arange(RANKS, dtype=np.int64)
"""What one card of each rank adds to a lot."""


@dataclass(frozen=True)
class Parts:
    """The parts of one hand, each times the orders in which it comes about, by the dealer's end."""

    lot: Numbers
    """Its cards as one number."""
    net: Numbers
    square: Numbers


@compiled
def _orders(hits: Flags, after: Numbers, orders: Numbers) -> None:
    """In how many orders each hand is come to, from the hands where `orders` begins."""
    for hand in range(len(hits)):
        if orders[hand] and hits[hand]:
            for rank in range(RANKS):
                reached = after[hand, rank]
                if reached >= 0:
                    orders[reached] += orders[hand]
            orders[hand] = 0


@compiled
def _products(first: Numbers, second: Numbers, place: Numbers, sums: Numbers) -> None:
    """Add the products of all parts of two hands where their cards together have their place."""
    for i in range(len(first)):
        for j in range(len(second)):
            row = place[i, j]
            for end in range(first.shape[1]):
                sums[row, end] += first[i, end] * second[j, end]


@compiled
def _gather(place: Numbers, results: Numbers, totals: Numbers) -> None:
    """Add the results of lots of the same cards."""
    for row in range(len(place)):
        totals[place[row]] += results[row]


def parts_of(hits: Flags, starts: dict[int, bool]) -> Parts:
    """The parts of a hand that begins with two cards, doubled or not, and goes on by `hits`."""
    hands = all_hands()
    once, doubled = (np.zeros(len(hands), np.int64) for _ in range(2))
    once[[hand for hand, twice in starts.items() if not twice]] = 1
    _orders(hits, hands.after, once)
    for hand in (hand for hand, twice in starts.items() if twice):
        after = hands.after[hand]
        doubled[after[after >= 0]] += 1
    ended = np.flatnonzero(once + doubled)
    returned = np.hstack([2 - MISSED[ended, :TOTALS], np.full((len(ended), 1), 2), np.zeros((len(ended), 1), np.int64)])
    stakes = np.repeat(np.array([[2 if twice else 1] for twice in starts.values()]), ENDS, 1)
    return Parts(
        hands.cards[[*ended, *starts]] @ PLACES,
        np.vstack([(once + 2 * doubled)[ended, None] * returned, -stakes]),
        np.vstack([-(once + 4 * doubled)[ended, None] * (returned == 1), stakes**2]),
    )


def mean_square(valuer: Valuer, rank: int, play: SplitPlay) -> Fraction:
    """The mean square of what all hands of a split pair win, given the pair and the upcard.

    It is joint with no blackjack of the dealer, unless that takes all, as in `Valuer.split`.
    """
    solver, cards = valuer.solver, valuer.solver.cards - 2
    lot, totals = _by_lot(valuer, rank, play)
    removed = lot[:, None] // PLACES % LOT_BASE
    possible = np.logical_and(np.all(removed <= solver.shoe, axis=1), totals.any(1))
    removed, sums = removed[possible], totals[possible].astype(object)  # from here on whole numbers without bounds
    natural, most = valuer.natural or 0, solver.tree.most
    ended = counts_by_total(solver.tree, solver.shoe, removed)
    sizes, reach = removed.sum(1) - 2, valuer.ways_of(removed)
    [pair] = valuer.ways_of(solver.hands.cards[[solver.hands.of(rank, rank)]])
    square = Fraction(0)
    for size in np.unique(sizes).tolist():
        rows = sizes == size
        every = ways(cards - size, most)
        unbeaten = np.array(
            [valuer.unbeaten_ways(cards - size, has, most) for has in range(solver.shoe[natural] + 1)], object
        )
        unbeaten = unbeaten[removed[rows, natural]]
        worth = (sums[rows, :TOTALS] * ended[rows]).sum(1) + sums[rows, BUST] * (unbeaten - ended[rows].sum(1))
        if solver.options.takes_all:
            worth += sums[rows, BLACKJACK] * (every - unbeaten)
        square += Fraction(int((reach[rows] * worth).sum()), pair * ways(cards, size + most))
    return square


def _by_lot(valuer: Valuer, rank: int, play: SplitPlay) -> tuple[Numbers, Numbers]:
    """The removed cards as numbers, and what is to be summed where they are removed, by the dealer's end."""
    hands, most = valuer.hands, valuer.options.hands_from(rank)
    kinds = {
        False: parts_of(
            play.apart,
            {hands.of(rank, second): bool(play.doubles[second]) for second in range(RANKS) if second != rank},
        ),
        True: parts_of(play.alike, {hands.of(rank, rank): bool(play.doubles[rank])}),
    }
    lots: list[Numbers] = []
    results: list[Numbers] = []

    def add(lot: Numbers, sums: Numbers, weights: tuple[int, ...]) -> None:
        for further, weight in enumerate(weights):
            if weight:
                lots.append(lot + further * PLACES[rank])
                results.append(weight * sums)

    for kind, weights in ((False, weights_of_one(most).apart), (True, weights_of_one(most).alike)):
        add(kinds[kind].lot + PLACES[rank], kinds[kind].square, weights)  # the other hand has a card of the rank too
    for (one, other), weights in weights_of_two(most).weights.items():
        first, second = kinds[one], kinds[other]
        _refuse_overflow(first, second, weights)
        lot, place = np.unique(first.lot[:, None] + second.lot[None, :], return_inverse=True)
        sums = np.zeros((len(lot), ENDS), np.int64)
        _products(first.net, second.net, place.reshape(len(first.lot), len(second.lot)), sums)
        add(lot, sums, weights)
    lot, place = np.unique(np.concatenate(lots), return_inverse=True)
    totals = np.zeros((len(lot), ENDS), np.int64)
    _gather(place, np.concatenate(results), totals)
    return lot, totals


def _refuse_overflow(first: Parts, second: Parts, weights: tuple[int, ...]) -> None:
    """No sum of products comes near the largest whole number of 64 bits."""
    most = int(np.abs(first.net).sum()) * int(np.abs(second.net).sum()) * sum(map(abs, weights))
    assert most < 2**60, most
