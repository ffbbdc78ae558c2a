"""How two hands of a split pair go together, for the variance of a round.

The square of what all hands win is the sum of each hand's own square (`solve`) and of the products of two different
hands. Two hands are valued like one (see `splits`): what the others drew is a number of further cards removed, with a
whole-number weight. They meet the same dealer, so their products are summed by the cards of both together, each such
lot once.

A hand wins s (R - 1), where s is its stake and R its return per unit: 0, 1 or 2. So a hand is a list of parts: each way
to end with its stake times R, and each second card with minus its stake. Hands over 21 then need no part of their own.
"""

from dataclasses import dataclass

import numpy as np

from feltworks.games.blackjack.dealer import TOTALS, Chances, Numbers, chances, natural_card
from feltworks.games.blackjack.hands import RANKS, all_hands
from feltworks.games.blackjack.solve import MISSED, Flags, SplitPlay, Table, falling
from feltworks.games.blackjack.splits import both
from feltworks.kit.compiling import compiled

ENDS = TOTALS + 2
"""The dealer's ends: 17 ... 21, over 21, blackjack."""
BASE = 64 ** np.arange(RANKS, dtype=np.int64)
"""Cards by rank as one number."""


@dataclass(frozen=True)
class Parts:
    """The parts of one hand."""

    hand: Numbers
    result: Chances
    """Stake and return, times the orders in which the hand comes about, by part and the dealer's end."""


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
def _products(first: Chances, second: Chances, place: Numbers, sums: Chances) -> None:
    """Add the products of all parts of two hands where their cards together have their place."""
    for i in range(len(first)):
        for j in range(len(second)):
            row = place[i, j]
            for end in range(first.shape[1]):
                sums[row, end] += first[i, end] * second[j, end]


@compiled
def _gather(place: Numbers, results: Chances, totals: Chances) -> None:
    """Add the results of lots of the same cards."""
    for row in range(len(place)):
        totals[place[row]] += results[row]


def parts_of(hits: Flags, starts: dict[int, bool]) -> Parts:
    """The parts of a hand that begins with two cards, doubled or not, and hits where told."""
    hands = all_hands()
    orders = np.zeros(len(hands), np.int64)
    orders[[hand for hand, doubled in starts.items() if not doubled]] = 1
    _orders(hits, hands.after, orders)
    for hand, doubled in starts.items():
        if doubled:
            after = hands.after[hand]
            orders[after[after >= 0]] += 2
    ended = np.flatnonzero(orders)
    returned = np.hstack([2 - MISSED[ended, :TOTALS], np.full((len(ended), 1), 2), np.zeros((len(ended), 1))])
    stakes = np.array([2.0 if doubled else 1.0 for doubled in starts.values()])
    return Parts(
        np.concatenate([ended, np.array(list(starts), np.int64)]),
        np.vstack([orders[ended, None] * returned, -np.repeat(stakes[:, None], ENDS, 1)]),
    )


def products(table: Table, rank: int, play: SplitPlay) -> float:
    """The mean sum over all ordered pairs of different hands of what one wins times what the other wins."""
    hands, most = table.hands, table.options.hands_from(rank)
    kinds = {
        False: parts_of(
            play.apart,
            {hands.of(rank, second): bool(play.doubles[second]) for second in range(RANKS) if second != rank},
        ),
        True: parts_of(play.alike, {hands.of(rank, rank): bool(play.doubles[rank])}),
    }
    lots: list[Numbers] = []
    results: list[Chances] = []
    for (first, second), weights in both(most).weights.items():
        keys = [hands.cards[kinds[kind].hand] @ BASE for kind in (first, second)]
        lot, place = np.unique(keys[0][:, None] + keys[1][None, :], return_inverse=True)
        sums = np.zeros((len(lot), ENDS))
        _products(kinds[first].result, kinds[second].result, place.reshape(len(keys[0]), len(keys[1])), sums)
        for further, weight in enumerate(weights):
            if weight:
                lots.append(lot + further * BASE[rank])
                results.append(weight * sums)
    lot, place = np.unique(np.concatenate(lots), return_inverse=True)
    totals = np.zeros((len(lot), ENDS))
    _gather(place, np.concatenate(results), totals)

    removed = lot[:, None] // BASE % 64
    drawn = removed.copy()
    drawn[:, rank] -= 2
    shoe = table.shoe.copy()
    shoe[rank] -= 2
    ways = falling(shoe, 64)[np.arange(RANKS), drawn].prod(1)
    every = falling(np.array([table.cards - 2]), 64)[0, drawn.sum(1)]
    possible = (ways > 0) & (every > 0)
    removed, totals, reach = removed[possible], totals[possible], ways[possible] / every[possible]

    ends = np.zeros((len(removed), ENDS))
    ends[:, :TOTALS] = chances(table.tree, table.shoe, removed)
    kept = table.no_blackjack(removed)
    ends[:, TOTALS] = kept - ends[:, :TOTALS].sum(1)
    if table.options.takes_all and natural_card(table.upcard) is not None:
        ends[:, TOTALS + 1] = 1 - kept
    return float(reach @ (totals * ends).sum(1))
