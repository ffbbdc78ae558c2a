"""Sets of cards as sorted rows of card numbers, and which of them are one under an exchange of suits.

A card is its `Card.index`, 13 x suit + rank - 2. What is known already leaves some suits interchangeable: those that
have the same ranks in every group of known cards. Of the sets that an exchange of such suits turns into each other one
stands for all: the one whose ranks in these suits descend as binary numbers.
"""

from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltworks.kit.compiled import compiled

CARDS, RANKS, SUITS = 52, 13, 4
MOST = 7
"""No hand has more cards."""

Sets = NDArray[np.uint8]
"""A set of cards in each row, ascending."""
Ints = NDArray[np.int64]

BINOMIALS = np.array([[comb(n, k) for k in range(MOST + 2)] for n in range(CARDS + 1)], np.int64)
"""How many sets of `k` cards `n` cards have; the place of a set among all of its size is a sum of these."""
_FACTORIALS = np.array([1, 1, 2, 6, 24], np.int64)


def subsets(cards: Sets, size: int) -> Sets:
    """Every set of that size of these cards, which ascend."""
    rows = np.empty((comb(len(cards), size), size), np.uint8)
    _subsets(cards, rows)
    return rows


@compiled
def _subsets(cards: Sets, rows: Sets) -> None:
    size = rows.shape[1]
    places = np.arange(size)
    for row in range(len(rows)):
        for i in range(size):
            rows[row, i] = cards[places[i]]
        i = size - 1
        while i >= 0 and places[i] == len(cards) - size + i:
            i -= 1
        if i >= 0:
            places[i] += 1
            for j in range(i + 1, size):
                places[j] = places[j - 1] + 1


def suit_classes(groups: "list[tuple[int, ...]]", suits: "tuple[int, ...]" = (0, 1, 2, 3)) -> Ints:
    """The class of each suit under these groups of known cards: suits of one class are interchangeable. A suit that is
    not in the deck has a class of its own."""
    columns: dict[Any, int] = {}
    classes = np.zeros(SUITS, np.int64)
    for suit in range(SUITS):
        seen = tuple(tuple(sorted(c % RANKS for c in group if c // RANKS == suit)) for group in groups)
        column = (seen, suit if suit not in suits else -1)
        classes[suit] = columns.setdefault(column, len(columns))
    return classes


def representatives(rows: Sets, classes: Ints) -> "tuple[Sets, Ints]":
    """Of these sets those that stand for others, and for how many each (itself among them)."""
    weights = np.zeros(len(rows), np.int64)
    _weigh(rows, classes, weights)
    chosen = np.flatnonzero(weights)
    return np.ascontiguousarray(rows[chosen]), weights[chosen]


@compiled
def _weigh(rows: Sets, classes: Ints, weights: Ints) -> None:
    masks = np.zeros(SUITS, np.int64)
    last = np.zeros(SUITS, np.int64)
    size = np.zeros(SUITS, np.int64)
    run = np.zeros(SUITS, np.int64)
    for row in range(rows.shape[0]):
        masks[:] = 0
        for i in range(rows.shape[1]):
            card = np.int64(rows[row, i])
            masks[card // RANKS] |= np.int64(1) << (card % RANKS)
        last[:] = -1
        size[:] = 0
        weight = np.int64(1)
        for suit in range(SUITS):
            kind = classes[suit]
            if last[kind] >= 0 and masks[suit] > last[kind]:
                weight = np.int64(0)
                break
            size[kind] += 1
            run[kind] = run[kind] + 1 if masks[suit] == last[kind] else 1
            weight = weight * size[kind] // run[kind]
            last[kind] = masks[suit]
        weights[row] = weight


@compiled
def place_of(cards: Sets, size: int) -> int:
    """The place of an ascending set among all sets of its size."""
    place: int = np.int64(0)  # type: ignore[assignment]
    for i in range(size):
        place += BINOMIALS[cards[i], i + 1]
    return place


@compiled
def _stand_in(cards: Sets, classes: Ints, sorted_cards: Sets) -> None:
    """The set that stands for this one."""
    masks = np.zeros(SUITS, np.int64)
    for card in cards:
        masks[card // RANKS] |= np.int64(1) << (np.int64(card) % RANKS)
    for suit in range(SUITS):
        for other in range(suit + 1, SUITS):
            if classes[suit] == classes[other] and masks[other] > masks[suit]:
                masks[suit], masks[other] = masks[other], masks[suit]
    filled = 0
    for suit in range(SUITS):
        for rank in range(RANKS):
            if masks[suit] >> rank & 1:
                sorted_cards[filled] = RANKS * suit + rank
                filled += 1


@compiled
def stand_in_places(rows: Sets, classes: Ints, places: Ints) -> None:
    """The place of the set that stands for each of these sets."""
    size = rows.shape[1]
    cards = np.zeros(size, np.uint8)
    for row in range(rows.shape[0]):
        _stand_in(rows[row], classes, cards)
        places[row] = place_of(cards, size)


def places(rows: Sets) -> Ints:
    """The place of each set among all sets of its size."""
    found = np.zeros(len(rows), np.int64)
    for i in range(rows.shape[1]):
        found += BINOMIALS[rows[:, i], i + 1]
    return found
