"""How many of the dealer's hands are worse than a seat's, and how many are not better: one sweep for all seat hands.

All hands are sorted by their value. Going up, each hand of the dealer adds one to the counter of every subset of its
cards. How many of those so far share no card with a seat's hand is the alternating sum over the subsets of that hand of
their counters. It is read before and after each group of equal values, which tells wins and ties; and once at the end,
for all there are. Nothing but an order of values is needed. Two kinds of dealer's hands share a word.
"""

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.kit.compiled import compiled
from feltworks.lab.showdown.card_sets import BINOMIALS, CARDS, Ints, Sets

Codes = NDArray[np.int32]
_HALF = np.int64(0xFFFFFFFF)
ABOVE_ALL = np.int32(2**31 - 1)
"""No code is as high."""
WORSE, EQUAL, BETTER = 0, 1, 2
"""The dealer's hand beside the seat's, in the order of the counts."""


def compared(
    seat: Sets, seat_codes: Codes, dealer: Sets, dealer_codes: Codes, kinds: Ints, number: int, apart: int
) -> Ints:
    """For each of the seat's hands: how many dealer's hands without its cards there are of each kind that are worse,
    equal and better, and `apart` of all kinds. Cards that both hands have in common stand in neither row."""
    counts = np.zeros((len(seat), number, 3), np.int64)
    upward, dealers_upward = _upward(seat_codes), _upward(dealer_codes)
    size = min(seat.shape[1], dealer.shape[1])
    starts = np.cumsum([0, *(comb(CARDS, k) for k in range(size + 1))])
    # With two kinds of which one is below the other, a hand above the lower kind has passed all hands of that kind.
    low, high = dealer_codes[kinds == 0], dealer_codes[kinds == 1]
    passed = int(low.max(initial=-1)) if number == 2 and _is_below(low, high) else int(ABOVE_ALL)
    for first in range(0, number, 2):
        words = np.where(kinds == first, 1, np.where(kinds == first + 1, np.int64(1) << 32, 0)).astype(np.int64)
        less, not_more, every = np.zeros((3, len(seat)), np.int64)
        hands = Rows(seat, seat_codes, upward), Rows(dealer, dealer_codes, dealers_upward)
        counters = np.zeros(int(starts[-1]), np.int64)
        _sweep(*hands, words, starts, size, counters, less, not_more)
        _count_all(hands[0], starts, size, counters, passed, apart, less, every)
        for kind in range(first, min(first + 2, number)):
            shift = 32 * (kind - first)
            below, level, total = (part >> shift & _HALF for part in (less, not_more, every))
            counts[:, kind, WORSE], counts[:, kind, EQUAL] = below, level - below
            counts[:, kind, BETTER] = total - level
    return counts


def _upward(codes: Codes) -> Ints:
    """The hands from the weakest to the strongest; small numbers are sorted by their digits."""
    small = codes.astype(np.uint16) if codes.max(initial=0) < 1 << 16 else codes
    return np.argsort(small, kind="stable")


def _is_below(low: Codes, high: Codes) -> bool:
    return bool(low.max(initial=-1) < high.min(initial=ABOVE_ALL))


class Rows(NamedTuple):
    """Hands, what they are worth, and their order."""

    cards: Sets
    codes: Codes
    upward: Ints


@compiled
def _subset_places(cards: Sets, row: int, size: int, most: int, starts: Ints, places: Ints, sizes: Ints) -> None:
    """The counter of each subset of a hand, by the bits of its cards; a larger one than counts has none (-1)."""
    places[0], sizes[0] = starts[0], 0
    for i in range(size):
        bit = 1 << i
        card = cards[row, i]
        for lower in range(bit):
            held = sizes[lower] + 1
            sizes[bit + lower] = held
            if held <= most and places[lower] >= 0:
                places[bit + lower] = places[lower] - starts[held - 1] + starts[held] + BINOMIALS[card, held]
            else:
                places[bit + lower] = -1


@compiled
def _apart(counters: Ints, places: Ints, sizes: Ints, number: int) -> int:
    """How many of the hands that were added share no card with a hand."""
    total: int = np.int64(0)  # type: ignore[assignment]
    for subset in range(number):
        if places[subset] >= 0:
            if sizes[subset] & 1:
                total -= counters[places[subset]]
            else:
                total += counters[places[subset]]
    return total


@compiled
def _add_hand(
    cards: Sets, row: int, word: int, most: int, starts: Ints, counters: Ints, places: Ints, sizes: Ints
) -> None:
    """Add a hand of the dealer to the counters of its subsets."""
    _subset_places(cards, row, cards.shape[1], most, starts, places, sizes)
    for subset in range(places.size):
        if places[subset] >= 0:
            counters[places[subset]] += word


@compiled
def _sweep(
    seat: Rows, dealer: Rows, words: Ints, starts: Ints, most: int, counters: Ints, less: Ints, not_more: Ints
) -> None:
    size, subsets = seat.cards.shape[1], 1 << seat.cards.shape[1]
    places, sizes = np.zeros(subsets, np.int64), np.zeros(subsets, np.int64)
    theirs, their_sizes = np.zeros(1 << dealer.cards.shape[1], np.int64), np.zeros(1 << dealer.cards.shape[1], np.int64)
    added = 0
    first = 0
    while first <= seat.upward.size:
        # Once more at the end, for the dealer's hands that are better than any of the seat's.
        over = first == seat.upward.size
        code = ABOVE_ALL if over else seat.codes[seat.upward[first]]
        while added < dealer.upward.size and dealer.codes[dealer.upward[added]] < code:
            row = dealer.upward[added]
            _add_hand(dealer.cards, row, words[row], most, starts, counters, theirs, their_sizes)
            added += 1
        if over:
            break
        last = first
        while last < seat.upward.size and seat.codes[seat.upward[last]] == code:
            row = seat.upward[last]
            _subset_places(seat.cards, row, size, most, starts, places, sizes)
            less[row] = _apart(counters, places, sizes, subsets)
            not_more[row] = less[row]
            last += 1
        before = added
        while added < dealer.upward.size and dealer.codes[dealer.upward[added]] == code:
            row = dealer.upward[added]
            _add_hand(dealer.cards, row, words[row], most, starts, counters, theirs, their_sizes)
            added += 1
        for place in range(first, last if added > before else first):
            row = seat.upward[place]
            _subset_places(seat.cards, row, size, most, starts, places, sizes)
            not_more[row] = _apart(counters, places, sizes, subsets)
        first = last


@compiled
def _count_all(
    seat: Rows, starts: Ints, most: int, counters: Ints, passed: int, apart: int, less: Ints, every: Ints
) -> None:
    """All hands of the dealer without the cards of each of the seat's, with all of them added to the counters."""
    subsets = 1 << seat.cards.shape[1]
    places, sizes = np.zeros(subsets, np.int64), np.zeros(subsets, np.int64)
    for row in range(every.size):
        if seat.codes[row] > passed:
            low = less[row] & _HALF
            every[row] = low + ((apart - low) << 32)
        else:
            _subset_places(seat.cards, row, seat.cards.shape[1], most, starts, places, sizes)
            every[row] = _apart(counters, places, sizes, subsets)


@compiled
def add_ends(totals: Ints, places: Ints, numbers: Ints, deals: Ints, weights: Ints) -> None:
    """Add what every hand ends by to where it is."""
    for row in range(deals.shape[0]):
        for column in range(deals.shape[1]):
            if deals[row, column]:
                totals[places[row], numbers[row, column]] += deals[row, column] * weights[row]
