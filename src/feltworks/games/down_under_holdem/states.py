"""The flop states: every flop with every pair of hole cards, as far as renaming suits does not make them the same.

There are 1,755 flops up to the names of the suits. Suits that the flop does not have are interchangeable for the hole
cards too. A state's worth is found by adding up what its ranks are worth without flushes and what each suit of the flop
changes. Read backwards, the weight of a state is handed on to all of these.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.kinds import RANKS, SUITED, TYPE, multisets, sets
from feltworks.games.down_under_holdem.sweep import (
    HALF,
    NONE_SUITED,
    ONE_SUITED,
    THREE_SUITED,
    TWO_SUITED,
    Sums,
    Weights,
    Words,
    no_weights,
)
from feltworks.kit.compiling import compiled

CLASSES = 169
_NAMINGS = tuple(permutations(range(4)))
"""What the suits can be renamed to."""
DEALS = comb(52, 2) * comb(50, 3) * comb(47, 2) * comb(45, 2)
"""Hole cards, flop, turn and river, the dealer's cards: 27,813,810,024,000 deals."""
RUNOUTS = comb(45, 2)
"""Turns and rivers once hole cards, flop and the dealer's cards are known."""


def class_of(first: int, second: int) -> int:
    """The class of two hole cards by their indices: a square of thirteen by thirteen.

    Pairs are on the diagonal; suited hands have the higher rank first, the others the lower one.
    """
    (a, b) = sorted((first % RANKS, second % RANKS), reverse=True)
    return RANKS * a + b if first // RANKS == second // RANKS else RANKS * b + a


class Flops(NamedTuple):
    """The 1,755 flops."""

    cards: NDArray[np.int64]
    """The indices of the three cards, suits named in the order in which the pattern has them."""
    times: NDArray[np.int64]
    """How many flops become this one when suits are renamed."""
    ranks: NDArray[np.int64]
    """The number of the multiset of its ranks."""
    rows: NDArray[np.int64]
    """The rows of changes for its first, second and third suit."""
    pattern: NDArray[np.int64]
    """How many suits it has, less one."""


class Holes(NamedTuple):
    """The hole cards that can go with flops of one pattern, up to the names of suits that these do not have."""

    cards: NDArray[np.int64]
    times: NDArray[np.int64]
    pair: NDArray[np.int64]
    types: NDArray[np.int64]
    """The type as seen from the first, second and third suit."""
    classes: NDArray[np.int64]


@cache
def flops() -> Flops:
    found = []
    for a, b, c in sets(3):
        row = THREE_SUITED + sets(3)[a, b, c]
        found.append(((a, b, c), 4, (row, NONE_SUITED, NONE_SUITED), 0))
    for a, b in sets(2):
        for x in range(RANKS):
            rows = (TWO_SUITED + 78 * x + sets(2)[a, b], _one_suited(x, a, b), NONE_SUITED)
            found.append(((a, b, 13 + x), 12, rows, 1))
    for a, b, c in multisets(3):
        rows = (_one_suited(a, b, c), _one_suited(b, a, c), _one_suited(c, a, b))
        found.append(((a, 13 + b, 26 + c), {3: 24, 2: 12, 1: 4}[len({a, b, c})], rows, 2))
    cards, times, rows_of, pattern = zip(*found, strict=True)
    ranks = [multisets(3)[tuple(sorted(card % RANKS for card in flop))] for flop in cards]
    return Flops(*(np.array(column, np.int64) for column in (cards, times, ranks, rows_of, pattern)))


def _one_suited(suited: int, x: int, y: int) -> int:
    return int(ONE_SUITED + 13 * TYPE[x, y] + suited)


@cache
def holes(pattern: int) -> Holes:
    """Hole cards by the pattern of the flop: the suits above the pattern's number can be renamed."""
    every = np.array(list(combinations(range(52), 2)))
    named = [np.sort(_renamed(every, naming), 1) @ [52, 1] for naming in _namings(pattern)]
    numbers, times = np.unique(np.min(named, 0), return_counts=True)
    cards = np.stack(np.divmod(numbers, 52), 1)
    ranks, suits = (cards % RANKS).T, (cards // RANKS).T
    return Holes(
        cards,
        times,
        TYPE[*ranks],
        np.stack([TYPE[*(ranks + SUITED * (suits == suit))] for suit in range(3)], 1),
        np.array([class_of(a, b) for a, b in cards.tolist()], np.int64),
    )


def _renamed(cards: NDArray[np.int64], naming: Sequence[int]) -> NDArray[np.int64]:
    """The cards when the suits are renamed."""
    return RANKS * np.array(naming)[cards // RANKS] + cards % RANKS


def _namings(pattern: int) -> list[tuple[int, ...]]:
    """What the suits can be renamed to on a flop of a pattern: the suits that it has keep their names."""
    kept = _NAMINGS[0][: pattern + 1]
    return [naming for naming in _NAMINGS if naming[: pattern + 1] == kept]


class States(NamedTuple):
    """Every state: a flop and hole cards that it leaves, in the order of the flops."""

    flop: NDArray[np.uint16]
    hole: NDArray[np.uint16]
    """Which of the hole cards of the flop's pattern."""
    classes: NDArray[np.uint8]
    times: NDArray[np.uint8]
    """How many deals of flop and hole cards it stands for."""
    ranks: NDArray[np.uint16]
    """The number of the flop's ranks."""
    pair: NDArray[np.uint8]
    """The number of the pair of hole ranks."""


@cache
def states() -> States:
    """All 1,364,558 states."""
    every, bits = flops(), np.int64(1) << np.arange(52)
    found = []
    for pattern in range(3):
        flop, held = np.flatnonzero(every.pattern == pattern), holes(pattern)
        fits = bits[every.cards[flop]].sum(1)[:, None] & bits[held.cards].sum(1) == 0
        columns = States(
            flop[:, None].astype(np.uint16),
            np.arange(len(held.pair), dtype=np.uint16),
            held.classes.astype(np.uint8),
            (every.times[flop][:, None] * held.times).astype(np.uint8),
            every.ranks[flop][:, None].astype(np.uint16),
            held.pair.astype(np.uint8),
        )
        found.append([np.broadcast_to(column, fits.shape)[fits] for column in columns])
    return States(*map(np.concatenate, zip(*found, strict=True)))


def cards_of(state: int) -> tuple[list[int], list[int]]:
    """The flop and the hole cards of a state."""
    flop, hole = int(states().flop[state]), int(states().hole[state])
    return flops().cards[flop].tolist(), holes(int(flops().pattern[flop])).cards[hole].tolist()


@cache
def hole_cards() -> NDArray[np.int64]:
    """The hole cards of every state."""
    found = states()
    cards = np.empty((len(found.flop), 2), np.int64)
    pattern = flops().pattern[found.flop]
    for number in range(3):
        cards[pattern == number] = holes(number).cards[found.hole[pattern == number]]
    return cards


# Finding a state by its cards


class Lookup(NamedTuple):
    """Tables that find the place of any flop and hole cards, whatever their suits are called.

    Every flop has a place for all the hole cards of its pattern, also for those that it does not leave.
    """

    flops: NDArray[np.uint32]
    """By number of the set of three cards: from the lowest bit up its naming (5 bits), its pattern (2), its first
    place."""
    renamed: NDArray[np.uint8]
    """By naming and card: the card when its suit is renamed, as it must be for the flop to be one of the 1,755."""
    holes: NDArray[np.uint16]
    """By pattern and two cards that are renamed: which of the hole cards of the pattern they are."""
    states: NDArray[np.int32]
    """By place: the number of the state, -1 where the flop has a card of the hole cards."""


_PATTERN, _PLACE = np.uint64(5), np.uint64(7)
_NAMING_MASK, _PATTERN_MASK = np.uint64(31), np.uint64(3)
"""Where the pattern and the place begin in `Lookup.flops`, and their widths."""
_TWOS = np.array([comb(card, 2) for card in range(52)], np.uint64)
_THREES = np.array([comb(card, 3) for card in range(52)], np.uint64)
"""How many sets of two and of three cards there are below a card; they number the sets."""


@cache
def lookup() -> Lookup:
    every, found = flops(), states()
    counts = np.array([len(holes(pattern).pair) for pattern in range(3)])
    first = np.cumsum(counts[every.pattern]) - counts[every.pattern]
    by_place = np.full(counts[every.pattern].sum(), -1, np.int32)
    by_place[first[found.flop] + found.hole] = np.arange(len(found.flop))
    renamed = np.array([_renamed(np.arange(52), naming) for naming in _NAMINGS])
    by_set = np.zeros(comb(52, 3), np.uint32)
    for number, to in enumerate(renamed):
        low, middle, high = np.sort(np.argsort(to)[every.cards], 1).T
        by_set[_THREES[high] + _TWOS[middle] + low.astype(np.uint64)] = first << 7 | every.pattern << 5 | number
    return Lookup(by_set, renamed.astype(np.uint8), _numbers_of_holes(), by_place)


def _numbers_of_holes() -> NDArray[np.uint16]:
    numbers = np.zeros((3, 52, 52), np.uint16)
    for pattern in range(3):
        a, b = holes(pattern).cards.T
        for naming in _namings(pattern):
            x, y = _renamed(a, naming), _renamed(b, naming)
            numbers[pattern, x, y] = numbers[pattern, y, x] = np.arange(len(a))
    return numbers


@compiled
def place_of(tables: Any, a: Any, b: Any, x: Any, y: Any, z: Any) -> Any:
    """The place of the hole cards a and b on the flop x, y, z, by their indices; the cards of each in any order."""
    low, high = min(x, y), max(x, y)
    middle, low, high = max(low, min(high, z)), min(low, z), max(high, z)
    word = np.uint64(tables.flops[_THREES[high] + _TWOS[middle] + np.uint64(low)])
    naming, pattern = word & _NAMING_MASK, word >> _PATTERN & _PATTERN_MASK
    return (word >> _PLACE) + np.uint64(tables.holes[pattern, tables.renamed[naming, a], tables.renamed[naming, b]])


def state_of(hole: Sequence[int], flop: Sequence[int]) -> int:
    """The number of the state with these cards, given by their indices."""
    return int(lookup().states[place_of(lookup(), *(np.uint64(card) for card in (*hole, *flop)))])


# Words of states


class Terms(NamedTuple):
    """The sums that make up the word of a state: by its flop and its hole cards."""

    flop: NDArray[np.uint16]
    hole: NDArray[np.uint16]
    ranks: NDArray[np.int64]
    rows: NDArray[np.int64]
    pattern: NDArray[np.int64]
    """By flop."""
    pair: NDArray[np.int64]
    types: NDArray[np.int64]
    """By pattern and hole cards."""


@cache
def _terms() -> Terms:
    every, found = flops(), states()
    most = max(len(holes(pattern).pair) for pattern in range(3))
    pair, types = np.zeros((3, most), np.int64), np.zeros((3, most, 3), np.int64)
    for pattern in range(3):
        pair[pattern, : len(holes(pattern).pair)] = holes(pattern).pair
        types[pattern, : len(holes(pattern).pair)] = holes(pattern).types
    return Terms(found.flop, found.hole, every.ranks, every.rows, every.pattern, pair, types)


@compiled
def _word(terms: Any, sums: Any, state: Any) -> Any:
    flop, hole = terms.flop[state], terms.hole[state]
    p = terms.pattern[flop]
    return (
        sums.base[terms.ranks[flop], terms.pair[p, hole]]
        + sums.changes[terms.rows[flop, 0], terms.types[p, hole, 0]]
        + sums.changes[terms.rows[flop, 1], terms.types[p, hole, 1]]
        + sums.changes[terms.rows[flop, 2], terms.types[p, hole, 2]]
    )


@compiled
def _fill(terms: Any, sums: Any, words: Any) -> None:
    for state in range(words.size):
        words[state] = _word(terms, sums, state)


def words_of_states(sums: Sums) -> Words:
    """The word of every state."""
    words = np.empty(len(states().flop), np.int64)
    _fill(_terms(), sums, words)
    return words


@compiled
def _hand_on(terms: Any, classes: Any, times: Any, raises: Any, folds: Any, weights: Any) -> None:
    base, changes = weights
    for state in range(classes.size):
        flop, hole, row, twice = terms.flop[state], terms.hole[state], classes[state], 2 * np.int64(times[state])
        p = terms.pattern[flop]
        of_ranks, pair = terms.ranks[flop], terms.pair[p, hole]
        first, second, third = terms.rows[flop, 0], terms.rows[flop, 1], terms.rows[flop, 2]
        to_first, to_second, to_third = terms.types[p, hole, 0], terms.types[p, hole, 1], terms.types[p, hole, 2]
        for field in range(base.shape[0]):
            raised = raises[row, field]
            weight = twice * (raised or not folds[state, field]) << HALF * raised
            base[field, of_ranks, pair] += weight
            changes[field, first, to_first] += weight
            changes[field, second, to_second] += weight
            changes[field, third, to_third] += weight


def weights_of_states(raises: NDArray[np.bool_], folds: NDArray[np.bool_]) -> Weights:
    """The weights of the deals that are not folded in the lower halves, those of the deals that are raised above.

    Raises are by class and field, folds by state and field; what is raised is not folded.
    """
    found = states()
    weights = no_weights(raises.shape[1])
    _hand_on(_terms(), found.classes, found.times, np.ascontiguousarray(raises), np.ascontiguousarray(folds), weights)
    return weights


def by_class(amounts: Words) -> Words:
    """Amounts of every state summed by class."""
    totals = np.zeros(CLASSES, np.int64)
    _sum_by_class(states().classes, amounts, totals)
    return totals


@compiled
def _sum_by_class(classes: Any, amounts: Any, totals: Any) -> None:
    for state in range(amounts.size):
        totals[classes[state]] += amounts[state]


class Decided(NamedTuple):
    """Sums over the states of each class, by the fields of a word."""

    best: Words
    """Worth where folding is never better, and what folding leaves where it is."""
    played: Words
    """Worth if nothing is folded."""
    folded: Words
    """Deals that are folded."""
    deals: Words


def decide(sums: Sums, bits: int, hands: NDArray[np.int64], scale: int, folds: NDArray[np.bool_]) -> Decided:
    """Fold every state whose worth is less than `scale` times its deals.

    `hands` are the dealer's hands by the flop's ranks, the pair of hole ranks, and field. Where to fold is written into
    `folds`, by state and field.
    """
    found = states()
    decided = Decided(*(np.zeros((CLASSES, hands.shape[2]), np.int64) for _ in Decided._fields))
    _decide(
        _terms(), sums, bits, found.ranks, found.pair, found.classes, found.times, hands * RUNOUTS, scale, folds,
        *decided,
    )  # fmt: skip
    return decided


@compiled
def _decide(terms: Any, sums: Any, bits: Any, ranks: Any, pairs: Any, classes: Any, times: Any, hands: Any, scale: Any,
            folds: Any, best: Any, played: Any, folded: Any, deals: Any) -> None:  # fmt: skip
    mask = (np.int64(1) << bits) - 1
    for state in range(classes.size):
        word = _word(terms, sums, state)
        row, number = classes[state], np.int64(times[state])
        for field in range(hands.shape[2]):
            of_state = number * hands[ranks[state], pairs[state], field]
            worth = number * (word >> bits * field & mask)
            deals[row, field] += of_state
            played[row, field] += worth
            folds[state, field] = worth < scale * of_state
            if folds[state, field]:
                worth = scale * of_state
                folded[row, field] += of_state
            best[row, field] += worth
