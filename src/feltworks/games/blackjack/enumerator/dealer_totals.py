"""The chances of the dealer's final total, by counting what the dealer may draw.

A worked example. The dealer shows a 6, and three cards are left: 5, T, T. The dealer draws to 17.

    cards drawn   total   in how many orders           ways to draw them   chance
    5 and T       21      2: 5 T and T 5               1 * 2               2 * 2 / (3 * 2) = 2/3
    T and T       26      1, and that is over 21                           the rest: 1 - 2/3 = 1/3

    >>> three_cards = np.array([0, 0, 0, 0, 1, 0, 0, 0, 0, 2])  # by rank: ace, 2 ... 9, ten
    >>> chances(draw_tree(upcard=5, hits_soft_17=False), three_cards, removed=np.zeros((1, RANKS), np.int64))
    array([[0.        , 0.        , 0.        , 0.        , 0.66666667]])

The dealer has no choice, so whether cards are final depends on the cards and not on their order. For each upcard the
drawn cards that end at 17 to 21 are listed once, each with the number of orders in which they can come (`orders`: in
none of them is the dealer done earlier). From a shoe of n cards, with n_r of rank r, cards with c_r of rank r come with
the probability

    orders * product over r of n_r (n_r - 1) ... (n_r - c_r + 1)  /  n (n - 1) ... (n - number drawn + 1).

The lists share their beginnings as a tree, so each list costs one multiplication. What is over 21 is the rest to 1.

A dealer's blackjack is left out of the lists. All that follows is therefore joint with "the dealer has no blackjack",
and the chance of that is known in one division. A value after a peek is the joint value divided by that chance; a card
that is drawn before the hole card is known needs no other care.

The same walk is done twice. `chances` has float64: a chance is a sum of products of positive numbers, none of which is
rounded more than 40 times, so it is right to 40 units of the last place, relatively. `weighted_counts` has integers, in
two words, and is exact.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.games.blackjack.enumerator.hands import (
    ACE,
    NAMES,
    RANKS,
    TEN,
    Cards,
    cards_of,
    hard_total,
    is_soft,
    total,
)
from feltworks.games.blackjack.options import Options
from feltworks.kit.cards import MOST_DECKS
from feltworks.kit.compiled import compiled
from feltworks.kit.errors import BadCard

TOTALS = 5
"""The final totals: 17, 18, 19, 20, 21."""
NO_TOTAL = TOTALS
"""The place behind them, for cards that are not final."""
LOWEST = 17
LOW_BITS = 50
"""Bits in the lower of two words: a higher word then holds any count of eight decks, which is less than 2**114."""
assert MOST_DECKS <= 8, "more decks need wider numbers here"
MOST_DRAWN = 32
"""The dealer draws fewer cards than this."""

Numbers = NDArray[np.int64]
Chances = NDArray[np.float64]
Whole = NDArray[np.object_]
"""Whole numbers without bounds."""


class Nodes(NamedTuple):
    """What the dealer may draw to 17 ... 21, as a tree. Node 0 is no card; a node adds one card to its parent."""

    parent: Numbers
    rank: Numbers
    """Of the card that is added."""
    copy: Numbers | Chances
    """How many cards of this rank its parent has already."""
    drawn: Numbers
    """How many cards are drawn by then."""
    orders: Numbers | Chances
    """In how many orders the cards of the node end there; 0 if they do not."""
    total: Numbers
    """The final total less 17, or NO_TOTAL."""


@dataclass(frozen=True)
class DrawTree:
    """What the dealer may draw to an upcard."""

    upcard: int
    nodes: Nodes
    """In integers."""

    @cached_property
    def in_floats(self) -> Nodes:
        """The same with float64 where `chances` multiplies."""
        copy, orders = self.nodes.copy.astype(np.float64), self.nodes.orders.astype(np.float64)
        return self.nodes._replace(copy=copy, orders=orders)

    @cached_property
    def most(self) -> int:
        """The most cards that are drawn."""
        return int(self.nodes.drawn.max())


def natural_card(upcard: int) -> int | None:
    """The rank that makes a blackjack with this upcard."""
    return {ACE: TEN, TEN: ACE}.get(upcard)


def _final(cards: Cards, hits_soft_17: bool) -> bool:
    reached = total(cards)
    return reached >= LOWEST and not (hits_soft_17 and reached == LOWEST and is_soft(cards))


def _orders(upcard: int, hits_soft_17: bool) -> dict[Cards, int]:
    """What the dealer may have drawn at the end, not over 21 and no blackjack, with the number of orders."""
    start = cards_of([upcard])
    going, final = {start: 1}, dict[Cards, int]()
    while going:
        further = dict[Cards, int]()
        for cards, orders in going.items():
            for rank in range(RANKS):
                reached = (*cards[:rank], cards[rank] + 1, *cards[rank + 1 :])
                if hard_total(reached) > 21 or (cards == start and rank == natural_card(upcard)):
                    continue
                into = final if _final(reached, hits_soft_17) else further
                into[reached] = into.get(reached, 0) + orders
        going = further
    return final


@cache
def draw_tree(upcard: int, hits_soft_17: bool) -> DrawTree:
    """The tree for an upcard. Tens come first, aces last: then most beginnings are shared."""
    final = {
        tuple(
            rank for rank in reversed(range(RANKS)) for _ in range(cards[rank] - (rank == upcard))
        ): (orders, total(cards) - LOWEST)
        for cards, orders in _orders(upcard, hits_soft_17).items()
    }  # fmt: skip
    beginnings = sorted({path[:end] for path in final for end in range(len(path) + 1)})
    places = {path: place for place, path in enumerate(beginnings)}
    rows = [
        (
            places[path[:-1]],
            path[-1] if path else 0,
            path[:-1].count(path[-1]) if path else 0,
            len(path),
            *final.get(path, (0, NO_TOTAL)),
        )
        for path in places
    ]
    return DrawTree(upcard, Nodes(*(np.array(column, np.int64) for column in zip(*rows, strict=True))))


LANES = 8
"""Rows that are walked side by side, which lets the processor multiply several numbers at once."""


@compiled
def _chances(shoe: Numbers, removed: Numbers, nodes: Nodes) -> Chances:
    """By row of removed cards: the chance of each final total. Rows come in whole lots of LANES."""
    parent, rank, copy, drawn, orders, final = nodes
    out = np.zeros((len(removed), TOTALS))
    value, sums = np.ones((len(parent), LANES)), np.empty((TOTALS + 1, LANES))
    left, inverse, possible = np.empty((RANKS, LANES)), np.zeros((MOST_DRAWN, LANES)), np.empty(LANES)
    for start in range(0, len(removed), LANES):
        for lane in range(LANES):
            cards = 0
            possible[lane] = 1.0
            for r in range(RANKS):
                number = shoe[r] - removed[start + lane, r]
                if number < 0:
                    possible[lane] = 0.0
                left[r, lane] = number
                cards += number
            for d in range(MOST_DRAWN):
                inverse[d, lane] = 1.0 / (cards - d) if cards > d else 0.0
        sums[:] = 0.0
        for node in range(1, len(parent)):
            before, r, c, d, times, t = parent[node], rank[node], copy[node], drawn[node] - 1, orders[node], final[node]
            for lane in range(LANES):
                chance = value[before, lane] * ((left[r, lane] - c) * inverse[d, lane])
                value[node, lane] = chance
                sums[t, lane] += times * chance
        for lane in range(LANES):
            for t in range(TOTALS):
                out[start + lane, t] = sums[t, lane] * possible[lane]
    return out


@compiled
def _counts(shoe: Numbers, removed: Numbers, worth: Numbers, most: int, nodes: Nodes) -> NDArray[np.uint64]:
    """By row of removed cards and column of worth: the ordered draws of `most` cards, times the worth of the total they
    end in.

    A number is two words, the lower with LOW_BITS bits.
    """
    parent, rank, copy, drawn, orders, final = nodes
    columns = worth.shape[1]
    low, high = np.empty(len(parent), np.uint64), np.empty(len(parent), np.uint64)
    sum_low, sum_high = np.empty((TOTALS + 1, most + 1), np.uint64), np.empty((TOTALS + 1, most + 1), np.uint64)
    left = np.empty(RANKS, np.int64)
    out = np.zeros((len(removed), columns, 2), np.uint64)
    bits, mask = np.uint64(LOW_BITS), np.uint64((1 << LOW_BITS) - 1)
    low[0], high[0] = np.uint64(1), np.uint64(0)
    for row in range(len(removed)):
        cards, possible = 0, True
        for r in range(RANKS):
            left[r] = shoe[r] - removed[row, r]
            possible = possible and left[r] >= 0
            cards += left[r]
        if not possible:
            continue
        sum_low[:] = np.uint64(0)
        sum_high[:] = np.uint64(0)
        for node in range(1, len(parent)):
            number = left[rank[node]] - copy[node]
            # Where cards have run out the parent is 0 already; a negative factor may not be.
            factor = np.uint64(max(number, 0))
            product = low[parent[node]] * factor
            carried = high[parent[node]] * factor + (product >> bits)
            product &= mask
            low[node], high[node] = product, carried
            times = np.uint64(orders[node])
            if times:
                product *= times
                total, depth = final[node], drawn[node]
                sum_high[total, depth] += carried * times + (product >> bits)
                sum_low[total, depth] += product & mask
        for total in range(TOTALS):
            for depth in range(1, most + 1):
                sum_high[total, depth] += sum_low[total, depth] >> bits
                sum_low[total, depth] &= mask
        for column in range(columns):
            number_low, number_high = np.uint64(0), np.uint64(0)
            for depth in range(1, most + 1):
                factor = np.uint64(max(cards - depth + 1, 0))
                number_low *= factor
                number_high *= factor
                for total in range(TOTALS):
                    times = np.uint64(worth[row, column, total])
                    number_low += times * sum_low[total, depth]
                    number_high += times * sum_high[total, depth]
                number_high += number_low >> bits
                number_low &= mask
            out[row, column, 0], out[row, column, 1] = number_low, number_high
    return out


def chances(tree: DrawTree, shoe: Numbers, removed: Numbers) -> Chances:
    """The chance of 17 ... 21 from this shoe without the removed cards, by row. The shoe has no upcard any more."""
    rows = len(removed)
    padded = np.vstack([removed, np.zeros((-rows % LANES, RANKS), np.int64)])
    by_row: Chances = _chances(shoe, padded, tree.in_floats)
    return by_row[:rows]


def weighted_counts(tree: DrawTree, shoe: Numbers, removed: Numbers, worth: Numbers) -> list[int]:
    """Exactly: the chances of 17 ... 21 times what each is worth in the row, times the ordered draws of `most` cards.

    The worth is a whole number from 0 to 2 by row and total, with a last column of zeros.
    """
    counts: list[int] = _whole_counts(tree, shoe, removed, worth[:, None])[:, 0].tolist()
    return counts


def counts_by_total(tree: DrawTree, shoe: Numbers, removed: Numbers) -> Whole:
    """Exactly: the chances of 17 ... 21, times the ordered draws of `most` cards, by row and total."""
    each = np.eye(TOTALS, TOTALS + 1, dtype=np.int64)
    return _whole_counts(tree, shoe, removed, np.repeat(each[None], len(removed), 0))


def _whole_counts(tree: DrawTree, shoe: Numbers, removed: Numbers, worth: Numbers) -> Whole:
    words = _counts(shoe, removed, worth, tree.most, tree.nodes).astype(object)
    whole: Whole = (words[..., 1] << LOW_BITS) + words[..., 0]
    return whole


def final_totals(shoe: Cards, upcard: int, options: Options) -> dict[str, Fraction]:
    """The exact chances of the dealer's final totals from this shoe, which the upcard has left already.

    With `peek` they hold after the dealer has looked and has no blackjack; otherwise blackjack is one of them.
    """
    if len(shoe) != RANKS or min(shoe) < 0:
        raise BadCard(f"A shoe is the number of its cards of each of the {RANKS} ranks {NAMES}.")
    tree = draw_tree(upcard, options.hits_soft_17)
    cards = sum(shoe)
    if cards < tree.most + 1:
        raise BadCard(f"The dealer may need {tree.most} cards, and the shoe has {cards}.")
    [numbers] = counts_by_total(tree, np.array(shoe), np.zeros((1, RANKS), np.int64)).tolist()
    ways = prod(range(cards - tree.most + 1, cards + 1))
    totals = {str(LOWEST + place): Fraction(number, ways) for place, number in enumerate(numbers)}
    natural = natural_card(upcard)
    blackjack = Fraction(0) if natural is None else Fraction(shoe[natural], cards)
    if options.hole_card == "peek":
        if blackjack == 1:
            raise BadCard("From this shoe the dealer always has blackjack.")
        totals = {name: chance / (1 - blackjack) for name, chance in totals.items()}
        blackjack = Fraction(0)
    return {**totals, "bust": 1 - blackjack - sum(totals.values()), "blackjack": blackjack}
