"""The flop states: every flop with every pair of hole cards, as far as renaming suits does not make them the same.

A worked example: the flop K♠ 9♠ 4♥ with A♠ 2♦ in the hole.

    K♦ 9♦ 4♣ with A♦ 2♥    is the same state with other names of the suits: it is worth as much
    the flop               stands for 12 flops: 4 suits for K and 9, 3 for the 4
    the hole cards         stand for 2: on the flop K♠ 9♠ 4♥ the 2 may be ♦ or ♣
    the state              stands for 12 * 2 = 24 deals of flop and hole cards

    >>> clubs, diamonds, hearts, spades = 0, 13, 26, 39  # and a rank from 0 for a 2 to 12 for an ace
    >>> state = state_of([spades + 12, diamonds + 0], [spades + 11, spades + 7, hearts + 2])
    >>> state == state_of([diamonds + 12, hearts + 0], [diamonds + 11, diamonds + 7, clubs + 2])
    True
    >>> int(states().times[state])
    24

Its worth is found by adding up: what its ranks, A 2 on K 9 4, are worth without flushes; what spades change, with two
on the flop and one in the hole; and what hearts change, with one on the flop and none in the hole. Read backwards, the
weight of a state is handed on to all of these.

There are 1,755 flops up to the names of the suits, and 1,364,558 states. Suits that the flop does not have are
interchangeable for the hole cards too.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.enumerator.backward_sweep import HALF_BITS, Weights, no_weights
from feltworks.games.down_under_holdem.enumerator.boards import (
    RANKS,
    SUITED,
    SUITS,
    TWO_RANK_SETS,
    TYPE_NUMBER,
    multisets,
    sets,
)
from feltworks.games.down_under_holdem.enumerator.sweep import (
    NONE_SUITED,
    ONE_SUITED,
    THREE_SUITED,
    TWO_SUITED,
    Integers,
    Sums,
    Words,
    prepare_sweeps,
)
from feltworks.kit.compiled import compiled

CARDS = RANKS * SUITS
CLASSES = RANKS * RANKS
"""The 169 classes of hole cards: 13 pairs, 78 suited hands and 78 others."""
PATTERNS = 3
"""A flop has one suit, two or three."""
_NAMINGS = tuple(permutations(range(SUITS)))
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
    every = []
    for a, b, c in sets(3):
        row = THREE_SUITED + sets(3)[a, b, c]
        every.append(((a, b, c), 4, (row, NONE_SUITED, NONE_SUITED), 0))
    for a, b in sets(2):
        for x in range(RANKS):
            rows = (TWO_SUITED + TWO_RANK_SETS * x + sets(2)[a, b], _one_suited(x, a, b), NONE_SUITED)
            every.append(((a, b, RANKS + x), 12, rows, 1))
    for a, b, c in multisets(3):
        rows = (_one_suited(a, b, c), _one_suited(b, a, c), _one_suited(c, a, b))
        every.append(((a, RANKS + b, 2 * RANKS + c), {3: 24, 2: 12, 1: 4}[len({a, b, c})], rows, 2))
    cards, times, rows_of, pattern = zip(*every, strict=True)
    ranks = [multisets(3)[tuple(sorted(card % RANKS for card in flop))] for flop in cards]
    return Flops(*(np.array(column, np.int64) for column in (cards, times, ranks, rows_of, pattern)))


def _one_suited(suited: int, x: int, y: int) -> int:
    return int(ONE_SUITED + RANKS * TYPE_NUMBER[x, y] + suited)


@cache
def holes(pattern: int) -> Holes:
    """Hole cards by the pattern of the flop: the suits above the pattern's number can be renamed."""
    every = np.array(list(combinations(range(CARDS), 2)))
    named = [np.sort(_renamed(every, naming), 1) @ [CARDS, 1] for naming in _namings(pattern)]
    numbers, times = np.unique(np.min(named, 0), return_counts=True)
    cards = np.stack(np.divmod(numbers, CARDS), 1)
    ranks, suits = (cards % RANKS).T, (cards // RANKS).T
    return Holes(
        cards,
        times,
        TYPE_NUMBER[*ranks],
        np.stack([TYPE_NUMBER[*(ranks + SUITED * (suits == suit))] for suit in range(PATTERNS)], 1),
        np.array([class_of(a, b) for a, b in cards.tolist()], np.int64),
    )


def _renamed(cards: NDArray[np.int64], naming: Sequence[int]) -> NDArray[np.int64]:
    """The cards when the suits are renamed."""
    return RANKS * np.array(naming)[cards // RANKS] + cards % RANKS


def _namings(pattern: int) -> list[tuple[int, ...]]:
    """What the suits can be renamed to on a flop of a pattern: the suits that it has keep their names."""
    suits = _NAMINGS[0][: pattern + 1]
    return [naming for naming in _NAMINGS if naming[: pattern + 1] == suits]


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
    every, bits = flops(), np.int64(1) << np.arange(CARDS)
    by_pattern = []
    for pattern in range(PATTERNS):
        flop, hole = np.flatnonzero(every.pattern == pattern), holes(pattern)
        fits = bits[every.cards[flop]].sum(1)[:, None] & bits[hole.cards].sum(1) == 0
        columns = States(
            flop[:, None].astype(np.uint16),
            np.arange(len(hole.pair), dtype=np.uint16),
            hole.classes.astype(np.uint8),
            (every.times[flop][:, None] * hole.times).astype(np.uint8),
            every.ranks[flop][:, None].astype(np.uint16),
            hole.pair.astype(np.uint8),
        )
        by_pattern.append([np.broadcast_to(column, fits.shape)[fits] for column in columns])
    return States(*map(np.concatenate, zip(*by_pattern, strict=True)))


def cards_of(state: int) -> tuple[list[int], list[int]]:
    """The flop and the hole cards of a state."""
    flop, hole = int(states().flop[state]), int(states().hole[state])
    return flops().cards[flop].tolist(), holes(int(flops().pattern[flop])).cards[hole].tolist()


@cache
def hole_cards() -> NDArray[np.int64]:
    """The hole cards of every state."""
    every = states()
    cards = np.empty((len(every.flop), 2), np.int64)
    pattern = flops().pattern[every.flop]
    for number in range(PATTERNS):
        cards[pattern == number] = holes(number).cards[every.hole[pattern == number]]
    return cards


def prepare_states() -> None:
    """Make all that sweeps and states need, so that threads do not each make it for themselves."""
    prepare_sweeps()
    states()


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
_TWOS = np.array([comb(card, 2) for card in range(CARDS)], np.uint64)
_THREES = np.array([comb(card, 3) for card in range(CARDS)], np.uint64)
"""How many sets of two and of three cards there are below a card; they number the sets."""


Index = np.uint8 | np.uint64
"""The index of a card."""


@cache
def lookup() -> Lookup:
    every_flop, every_state = flops(), states()
    counts = np.array([len(holes(pattern).pair) for pattern in range(PATTERNS)])[every_flop.pattern]
    first = np.cumsum(counts) - counts
    by_place = np.full(counts.sum(), -1, np.int32)
    by_place[first[every_state.flop] + every_state.hole] = np.arange(len(every_state.flop))
    renamed = np.array([_renamed(np.arange(CARDS), naming) for naming in _NAMINGS])
    by_set = np.zeros(comb(CARDS, 3), np.uint32)
    for number, to in enumerate(renamed):
        low, middle, high = np.sort(np.argsort(to)[every_flop.cards], 1).T
        words = first << int(_PLACE) | every_flop.pattern << int(_PATTERN) | number
        by_set[_THREES[high] + _TWOS[middle] + low.astype(np.uint64)] = words
    return Lookup(by_set, renamed.astype(np.uint8), _numbers_of_holes(), by_place)


def _numbers_of_holes() -> NDArray[np.uint16]:
    numbers = np.zeros((PATTERNS, CARDS, CARDS), np.uint16)
    for pattern in range(PATTERNS):
        a, b = holes(pattern).cards.T
        for naming in _namings(pattern):
            x, y = _renamed(a, naming), _renamed(b, naming)
            numbers[pattern, x, y] = numbers[pattern, y, x] = np.arange(len(a))
    return numbers


@compiled
def place_of(tables: Lookup, a: Index, b: Index, x: Index, y: Index, z: Index) -> np.uint64:
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
    """Which sums make up the word of a state: by its flop and its hole cards."""

    ranks: Integers
    """By flop: the number of its ranks."""
    rows: Integers
    """By flop: the rows of changes for its first, second and third suit."""
    pattern: Integers
    """By flop."""
    pair: Integers
    """By pattern and hole cards: the pair of hole ranks."""
    types: Integers
    """By pattern and hole cards: the type as seen from the first, second and third suit."""


@cache
def _terms() -> Terms:
    every = flops()
    most = max(len(holes(pattern).pair) for pattern in range(PATTERNS))
    pair, types = np.zeros((PATTERNS, most), np.int64), np.zeros((PATTERNS, most, 3), np.int64)
    for pattern in range(PATTERNS):
        pair[pattern, : len(holes(pattern).pair)] = holes(pattern).pair
        types[pattern, : len(holes(pattern).pair)] = holes(pattern).types
    return Terms(every.ranks, every.rows, every.pattern, pair, types)


@compiled
def _word(flop: np.uint16, hole: np.uint16, terms: Terms, sums: Sums) -> np.int64:
    """The word of a state."""
    p = terms.pattern[flop]
    word: np.int64 = (
        sums.base[terms.ranks[flop], terms.pair[p, hole]]
        + sums.changes[terms.rows[flop, 0], terms.types[p, hole, 0]]
        + sums.changes[terms.rows[flop, 1], terms.types[p, hole, 1]]
        + sums.changes[terms.rows[flop, 2], terms.types[p, hole, 2]]
    )
    return word


@compiled
def _fill(every: States, terms: Terms, sums: Sums, words: Words) -> None:
    for state in range(words.size):
        words[state] = _word(every.flop[state], every.hole[state], terms, sums)


def words_of_states(sums: Sums) -> Words:
    """The word of every state."""
    words = np.empty(len(states().flop), np.int64)
    _fill(states(), _terms(), sums, words)
    return words


Flags = NDArray[np.bool_]


@compiled
def _add_weights(every: States, terms: Terms, raises: Flags, folds: Flags, weights: Weights) -> None:
    """Hand the weight of every state on to the terms of its word."""
    flops, holes, classes, times, _, _ = every
    base, changes = weights
    for state in range(classes.size):
        flop, hole, row, twice = flops[state], holes[state], classes[state], 2 * np.int64(times[state])
        p = terms.pattern[flop]
        of_ranks, pair = terms.ranks[flop], terms.pair[p, hole]
        first, second, third = terms.rows[flop, 0], terms.rows[flop, 1], terms.rows[flop, 2]
        to_first, to_second, to_third = terms.types[p, hole, 0], terms.types[p, hole, 1], terms.types[p, hole, 2]
        for field in range(base.shape[0]):
            raised = raises[row, field]
            weight = twice * (raised or not folds[state, field]) << HALF_BITS * raised
            base[field, of_ranks, pair] += weight
            changes[field, first, to_first] += weight
            changes[field, second, to_second] += weight
            changes[field, third, to_third] += weight


def weights_of_states(raises: Flags, folds: Flags) -> Weights:
    """The weights of the deals that are not folded in the lower halves, those of the deals that are raised above.

    Raises are by class and field, folds by state and field; what is raised is not folded.
    """
    weights = no_weights(raises.shape[1])
    _add_weights(states(), _terms(), np.ascontiguousarray(raises), np.ascontiguousarray(folds), weights)
    return weights


def by_class(amounts: Integers) -> Integers:
    """Amounts of every state summed by class."""
    totals = np.zeros(CLASSES, np.int64)
    _sum_by_class(states().classes, amounts, totals)
    return totals


@compiled
def _sum_by_class(classes: NDArray[np.uint8], amounts: Integers, totals: Integers) -> None:
    for state in range(amounts.size):
        totals[classes[state]] += amounts[state]


class ClassSums(NamedTuple):
    """Sums over the states of each class, by the fields of a word."""

    best: Integers
    """Worth where folding is never better, and what folding leaves where it is."""
    played: Integers
    """Worth if nothing is folded."""
    folded: Integers
    """Deals that are folded."""
    deals: Integers


class FoldRule(NamedTuple):
    """Fold every state whose worth is less than `scale` times its deals."""

    bits: int
    """Of a field."""
    scale: int
    hands: Integers
    """The dealer's hands by the flop's ranks, the pair of hole ranks, and field."""


def decide_folds(sums: Sums, rule: FoldRule, folds: Flags) -> ClassSums:
    """Fold by the rule. Where to fold is written into `folds`, by state and field."""
    class_sums = ClassSums(*(np.zeros((CLASSES, rule.hands.shape[2]), np.int64) for _ in ClassSums._fields))
    _decide_folds(states(), _terms(), sums, rule._replace(hands=rule.hands * RUNOUTS), folds, class_sums)
    return class_sums


@compiled
def _decide_folds(every: States, terms: Terms, sums: Sums, rule: FoldRule, folds: Flags, class_sums: ClassSums) -> None:
    bits, scale, deals_of = rule
    flops, holes, classes, times, ranks, pairs = every
    best, played, folded, deals = class_sums
    mask = (np.int64(1) << bits) - 1
    for state in range(classes.size):
        word = _word(flops[state], holes[state], terms, sums)
        row, number = classes[state], np.int64(times[state])
        for field in range(deals_of.shape[2]):
            of_state = number * deals_of[ranks[state], pairs[state], field]
            worth = number * (word >> bits * field & mask)
            deals[row, field] += of_state
            played[row, field] += worth
            folds[state, field] = worth < scale * of_state
            if folds[state, field]:
                worth = scale * of_state
                folded[row, field] += of_state
            best[row, field] += worth
