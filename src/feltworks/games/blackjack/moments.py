"""The mean square of what the hands of a split pair win together, in integers: for the variance of a round.

That square is the sum of each hand's own square and of the products of two different hands. Two hands are valued like
one (see `splits`): what the others drew is a number of further cards removed, with a whole-number weight. They meet the
same dealer, so everything is summed by the cards of one or both hands together, each such lot once. As in `integers`,
ordered draws are counted, and only the sums are divided.

A hand wins s (R - 1), where s is its stake and R its return per unit: 0, 1 or 2. So a hand is a list of parts: each way
to end with s R, and each second card with -s. Its square is made of the same parts, with s² (R² - 2 R), which is -s²
for a push and nothing otherwise, and with s². Hands over 21 then need no part of their own.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from feltworks.games.blackjack.dealer import TOTALS, Numbers, counts_by_total
from feltworks.games.blackjack.hands import RANKS, all_hands
from feltworks.games.blackjack.integers import Valuer, ways
from feltworks.games.blackjack.solve import MISSED, Flags, SplitPlay
from feltworks.games.blackjack.splits import both, single
from feltworks.kit.compiling import compiled

BUST, BLACKJACK = TOTALS, TOTALS + 1
ENDS = TOTALS + 2
"""The dealer's ends: 17 ... 21, over 21, blackjack."""
BASE = 64 ** np.arange(RANKS, dtype=np.int64)
"""Cards by rank as one number."""


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
            for rank in range(10):
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
    """The parts of a hand that begins with two cards, doubled or not, and hits where told."""
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
        hands.cards[[*ended, *starts]] @ BASE,
        np.vstack([(once + 2 * doubled)[ended, None] * returned, -stakes]),
        np.vstack([-(once + 4 * doubled)[ended, None] * (returned == 1), stakes**2]),
    )


def mean_square(valuer: Valuer, rank: int, play: SplitPlay) -> Fraction:
    """The mean square of what all hands of a split pair win, given the pair and the upcard.

    It is joint with no blackjack of the dealer, unless that takes all, as in `Valuer.split`.
    """
    table, cards = valuer.table, valuer.table.cards - 2
    lot, totals = _by_lot(valuer, rank, play)
    removed = lot[:, None] // BASE % 64
    possible = np.logical_and(np.all(removed <= table.shoe, axis=1), totals.any(1))
    removed, sums = removed[possible], totals[possible].astype(object)  # from here on whole numbers without bounds
    natural, most = valuer.natural or 0, table.tree.most
    ended = counts_by_total(table.tree, table.shoe, removed)
    sizes, reach = removed.sum(1) - 2, valuer.ways_of(removed)
    [pair] = valuer.ways_of(table.hands.cards[[table.hands.of(rank, rank)]])
    square = Fraction(0)
    for size in np.unique(sizes).tolist():
        rows = sizes == size
        every = ways(cards - size, most)
        kept = np.array([valuer.kept_ways(cards - size, has, most) for has in range(table.shoe[natural] + 1)], object)
        kept = kept[removed[rows, natural]]
        worth = (sums[rows, :TOTALS] * ended[rows]).sum(1) + sums[rows, BUST] * (kept - ended[rows].sum(1))
        if table.options.takes_all:
            worth += sums[rows, BLACKJACK] * (every - kept)
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
                lots.append(lot + further * BASE[rank])
                results.append(weight * sums)

    for kind, weights in ((False, single(most).apart), (True, single(most).alike)):
        add(kinds[kind].lot + BASE[rank], kinds[kind].square, weights)  # the other hand has a card of the rank too
    for (one, other), weights in both(most).weights.items():
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
