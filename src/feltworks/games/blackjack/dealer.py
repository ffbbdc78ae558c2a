"""The dealer's final total, by counting what the dealer may draw.

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
rounded more than 40 times, so it is right to 40 units of the last place, relatively. `counts` has integers, in two
words, and is exact.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from feltworks.games.blackjack.hands import ACE, NAMES, RANKS, TEN, Cards, cards_of, hard_total, is_soft, total
from feltworks.games.blackjack.options import Options
from feltworks.kit.compiling import compiled
from feltworks.kit.errors import BadCard

TOTALS = 5
"""17, 18, 19, 20, 21."""
LOWEST = 17
WORD = 50
"""Bits in the lower of two words: a higher word then holds any count of eight decks, which is less than 2**114."""

Numbers = NDArray[np.int64]
Chances = NDArray[np.float64]
Whole = NDArray[np.object_]
"""Whole numbers without bounds."""


@dataclass(frozen=True)
class Draws:
    """The tree of what the dealer may draw to 17 ... 21. Node 0 is no card; a node adds one card to its parent."""

    upcard: int
    parent: Numbers
    rank: Numbers
    copy: Numbers
    """How many cards of this rank its parent has already."""
    drawn: Numbers
    orders: Numbers
    """In how many orders the cards of the node end there; 0 if they do not."""
    total: Numbers
    """The final total less 17, or 5 where it is none."""

    @cached_property
    def most(self) -> int:
        """The most cards that are drawn."""
        return int(self.drawn.max())


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
def draws(upcard: int, hits_soft_17: bool) -> Draws:
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
            *final.get(path, (0, TOTALS)),
        )
        for path in places
    ]
    return Draws(upcard, *(np.array(column, np.int64) for column in zip(*rows, strict=True)))


LANES = 8
"""Rows that are walked side by side, which lets the processor multiply several numbers at once."""


@compiled
def _chances(
    shoe: Numbers,
    removed: Numbers,
    parent: Numbers,
    rank: Numbers,
    copy: Chances,
    drawn: Numbers,
    orders: Chances,
    final: Numbers,
) -> Chances:
    """By row of removed cards: the chance of each final total. Rows come in whole lots of LANES."""
    nodes = len(parent)
    out = np.zeros((len(removed), 5))
    value, sums = np.ones((nodes, LANES)), np.empty((6, LANES))
    left, inverse, possible = np.empty((10, LANES)), np.zeros((32, LANES)), np.empty(LANES)
    for start in range(0, len(removed), LANES):
        for lane in range(LANES):
            cards = 0
            possible[lane] = 1.0
            for r in range(10):
                number = shoe[r] - removed[start + lane, r]
                if number < 0:
                    possible[lane] = 0.0
                left[r, lane] = number
                cards += number
            for d in range(32):
                inverse[d, lane] = 1.0 / (cards - d) if cards > d else 0.0
        sums[:] = 0.0
        for node in range(1, nodes):
            before, r, c, d, times, t = parent[node], rank[node], copy[node], drawn[node] - 1, orders[node], final[node]
            for lane in range(LANES):
                chance = value[before, lane] * ((left[r, lane] - c) * inverse[d, lane])
                value[node, lane] = chance
                sums[t, lane] += times * chance
        for lane in range(LANES):
            for t in range(5):
                out[start + lane, t] = sums[t, lane] * possible[lane]
    return out


@compiled
def _counts(
    shoe: Numbers,
    removed: Numbers,
    worth: Numbers,
    most: int,
    parent: Numbers,
    rank: Numbers,
    copy: Numbers,
    drawn: Numbers,
    orders: Numbers,
    final: Numbers,
) -> NDArray[np.uint64]:
    """By row of removed cards and column of worth: the ordered draws of `most` cards, times the worth of the total they
    end in.

    A number is two words, the lower with 50 bits.
    """
    nodes, columns = len(parent), worth.shape[1]
    low, high = np.empty(nodes, np.uint64), np.empty(nodes, np.uint64)
    sum_low, sum_high = np.empty((6, most + 1), np.uint64), np.empty((6, most + 1), np.uint64)
    left = np.empty(10, np.int64)
    out = np.zeros((len(removed), columns, 2), np.uint64)
    bits, mask = np.uint64(50), np.uint64((1 << 50) - 1)
    low[0], high[0] = np.uint64(1), np.uint64(0)
    for row in range(len(removed)):
        cards, possible = 0, True
        for r in range(10):
            left[r] = shoe[r] - removed[row, r]
            possible = possible and left[r] >= 0
            cards += left[r]
        if not possible:
            continue
        sum_low[:] = np.uint64(0)
        sum_high[:] = np.uint64(0)
        for node in range(1, nodes):
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
        for total in range(5):
            for depth in range(1, most + 1):
                sum_high[total, depth] += sum_low[total, depth] >> bits
                sum_low[total, depth] &= mask
        for column in range(columns):
            number_low, number_high = np.uint64(0), np.uint64(0)
            for depth in range(1, most + 1):
                factor = np.uint64(max(cards - depth + 1, 0))
                number_low *= factor
                number_high *= factor
                for total in range(5):
                    times = np.uint64(worth[row, column, total])
                    number_low += times * sum_low[total, depth]
                    number_high += times * sum_high[total, depth]
                number_high += number_low >> bits
                number_low &= mask
            out[row, column, 0], out[row, column, 1] = number_low, number_high
    return out


def chances(tree: Draws, shoe: Numbers, removed: Numbers) -> Chances:
    """The chance of 17 ... 21 from this shoe without the removed cards, by row. The shoe has no upcard any more."""
    rows = len(removed)
    padded = np.vstack([removed, np.zeros((-rows % LANES, RANKS), np.int64)])
    orders, copy = tree.orders.astype(np.float64), tree.copy.astype(np.float64)
    found: Chances = _chances(shoe, padded, tree.parent, tree.rank, copy, tree.drawn, orders, tree.total)
    return found[:rows]


def counts(tree: Draws, shoe: Numbers, removed: Numbers, worth: Numbers) -> list[int]:
    """Exactly: the chances of 17 ... 21 times what each is worth in the row, times the ordered draws of `most` cards.

    The worth is a whole number from 0 to 2 by row and total, with a last column of zeros.
    """
    found: list[int] = _numbers(tree, shoe, removed, worth[:, None])[:, 0].tolist()
    return found


def counts_by_total(tree: Draws, shoe: Numbers, removed: Numbers) -> Whole:
    """Exactly: the chances of 17 ... 21, times the ordered draws of `most` cards, by row and total."""
    each = np.eye(TOTALS, TOTALS + 1, dtype=np.int64)
    return _numbers(tree, shoe, removed, np.repeat(each[None], len(removed), 0))


def _numbers(tree: Draws, shoe: Numbers, removed: Numbers, worth: Numbers) -> Whole:
    words = _counts(
        shoe, removed, worth, tree.most, tree.parent, tree.rank, tree.copy, tree.drawn, tree.orders, tree.total
    ).astype(object)
    whole: Whole = (words[..., 1] << WORD) + words[..., 0]
    return whole


def finals(shoe: Cards, upcard: int, options: Options) -> dict[str, Fraction]:
    """The exact chances of the dealer's final totals from this shoe, which the upcard has left already.

    With `peek` they hold after the dealer has looked and has no blackjack; otherwise blackjack is one of them.
    """
    if len(shoe) != RANKS or min(shoe) < 0:
        raise BadCard(f"A shoe is the number of its cards of each of the {RANKS} ranks {NAMES}.")
    tree = draws(upcard, options.hits_soft_17)
    cards = sum(shoe)
    if cards < tree.most + 1:
        raise BadCard(f"The dealer may need {tree.most} cards, and the shoe has {cards}.")
    [numbers] = counts_by_total(tree, np.array(shoe), np.zeros((1, RANKS), np.int64)).tolist()
    ways = prod(range(cards - tree.most + 1, cards + 1))
    found = {str(LOWEST + place): Fraction(number, ways) for place, number in enumerate(numbers)}
    natural = natural_card(upcard)
    blackjack = Fraction(0) if natural is None else Fraction(shoe[natural], cards)
    if options.hole_card == "peek":
        if blackjack == 1:
            raise BadCard("From this shoe the dealer always has blackjack.")
        found = {name: chance / (1 - blackjack) for name, chance in found.items()}
        blackjack = Fraction(0)
    return {**found, "bust": 1 - blackjack - sum(found.values()), "blackjack": blackjack}
