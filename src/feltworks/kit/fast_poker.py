"""Poker hands by the hundred million: the same order as `feltworks.kit.poker`, compiled.

A card is its `Card.index`, 13 x suit + rank - 2. A hand's value is 16 bits: its category above, and below how many
worse hands of that category there are. Values of five, six and seven cards compare with each other.

How it works. Suits matter only where five cards or more have the same one. Every card is a word of 64 bits: the upper
half is a key of its rank, the lower half counts its suit. The words of a hand are added up. The sum of the suit
counters shows a flush, whose value stands in a table by the set of its ranks. Any other value depends on the sum of the
keys alone, which is a different one for every multiset of ranks; a table without collisions is found by it: the top
bits choose a displacement and the low bits, displaced, the place (a perfect hash by "hash and displace").

Importing this module brings Numba with it, so only what computes imports it.
"""

from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy import uint16, uint64
from numpy.typing import NDArray

from feltworks.kit.compiled import compiled
from feltworks.kit.errors import BadValue
from feltworks.kit.poker import Hand, HandRank

CATEGORY_SHIFT = 12
"""A value's category stands above this bit."""

Values = NDArray[uint16]
Hands = NDArray[np.uint8]

RANKS = 13

_SLOT_BITS, _BUCKET_BITS = 16, 14
_SLOT_MASK = uint64((1 << _SLOT_BITS) - 1)
_BUCKET_SHIFT = uint64(64 - _BUCKET_BITS)
_KEY_SHIFT = uint64(32)
_NO_SUITS = uint64(0x3333)
"""The suit counters begin at three, so that the fifth card of a suit sets the counter's top bit."""
_FLUSH = uint64(0x8888)
_KEYS = np.array([pow(279470273, rank + 1, 4294967291) for rank in range(RANKS)], uint64)
_SUIT, _SECOND_SUIT, _THIRD_SUIT, _FOURTH_SUIT = uint64(0x1FFF), uint64(13), uint64(26), uint64(39)
"""The thirteen bits of a suit, and where the others begin."""

_SETS = np.arange(1 << RANKS)
"""Every set of ranks, a bit for each."""
_BITS = np.append(1 << np.arange(RANKS), 0)
"""The bit of a rank, and last that of none, which is rank -1."""
_TOP = np.array([ranks.bit_length() - 1 for ranks in range(1 << RANKS)])
"""The highest rank of a set, -1 for none."""
_STRAIGHTS = (_BITS[[12, 0, 1, 2, 3]].sum(), *(0b11111 << rank - 4 for rank in range(4, RANKS)))
_STRAIGHT = np.select([_SETS & run == run for run in _STRAIGHTS[::-1]], list(range(RANKS - 1, 2, -1)), -1)
"""The top rank of the best straight in a set, -1 for none; the lowest one is five high."""


class Tables(NamedTuple):
    """What the compiled functions look up."""

    words: NDArray[uint64]
    """By card: its rank's key above, one in its suit's counter below."""
    flushes: Values
    """By set of ranks: the value of the flush they make, 0 if they are fewer than five."""
    displacements: NDArray[uint16]
    places: Values
    """By displaced key: the value without a flush."""


# Values, from the way a hand is read


def rank_multisets(size: int) -> NDArray[np.int64]:
    """Every multiset of ranks that so many cards of a deck can have: a row each, its ranks ascending."""
    rows = np.arange(RANKS)[:, None]
    for _ in range(size - 1):
        # Each row goes on with its last rank and with every higher one.
        ways = RANKS - rows[:, -1]
        row = np.repeat(np.arange(len(rows)), ways)
        step = np.arange(len(row)) - np.repeat(np.cumsum(ways) - ways, ways)
        rows = np.column_stack([rows[row], rows[row, -1] + step])
    possible: NDArray[np.int64] = rows[~(rows[:, 4:] == rows[:, :-4]).any(1)]
    return possible


def rank_keys(ranks: NDArray[np.int64]) -> NDArray[uint64]:
    """The sums of the keys of ranks, a row of them each; sums of cards that go together are added."""
    keys: NDArray[uint64] = _KEYS[ranks].sum(1)
    return keys


def rank_values(size: int, keys: NDArray[uint64]) -> Values:
    """The values of hands of that many cards by the sums of their keys, flushes left out of account.

    A sum that is not of a hand has any value.
    """
    lookup = tables(size)
    values: Values = lookup.places[keys & _SLOT_MASK ^ lookup.displacements[(keys << _KEY_SHIFT) >> _BUCKET_SHIFT]]
    return values


_STRENGTH_BITS = 20
"""Below the category of a strength."""


class _Order(NamedTuple):
    strengths: NDArray[np.int64]
    """Of all 7,462 different hands, ascending: the category and the ranks that decide, four bits each."""
    values: Values


@cache
def _order() -> _Order:
    flushes = _flush_strengths()
    strengths = np.unique(np.concatenate([_strengths(rank_multisets(5)), flushes[flushes > 0]]))
    category = strengths >> _STRENGTH_BITS
    worse = np.arange(len(strengths)) - np.searchsorted(category, category)
    return _Order(strengths, (category << CATEGORY_SHIFT | worse).astype(uint16))


def _strengths(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """A number for each hand that orders them: the category, then the deciding ranks from the left."""
    columns = np.ascontiguousarray(ranks.T)
    held, paired, tripled, four = (_ranks_held(columns, times) for times in (1, 2, 3, 4))
    quad, trip, pair, straight = _TOP[four], _TOP[tripled], _TOP[paired], _STRAIGHT[held]
    second = _TOP[_without(paired, pair)]
    beside_trip = _TOP[_without(paired, trip)]
    cases: list[tuple[NDArray[np.bool_], HandRank, list[NDArray[np.int64]]]] = [
        (quad >= 0, HandRank.FOUR_OF_A_KIND, [quad, *_highest(_without(held, quad), 1)]),
        ((trip >= 0) & (beside_trip >= 0), HandRank.FULL_HOUSE, [trip, beside_trip]),
        (straight >= 0, HandRank.STRAIGHT, [straight]),
        (trip >= 0, HandRank.THREE_OF_A_KIND, [trip, *_highest(_without(held, trip), 2)]),
        (second >= 0, HandRank.TWO_PAIR, [pair, second, *_highest(_without(_without(held, pair), second), 1)]),
        (pair >= 0, HandRank.PAIR, [pair, *_highest(_without(held, pair), 3)]),
        (pair < 0, HandRank.HIGH_CARD, _highest(held, 5)),
    ]
    return np.select([fits for fits, _, _ in cases], [_packed(category, ranks) for _, category, ranks in cases])


def _flush_strengths() -> NDArray[np.int64]:
    """By set of ranks: the strength of the flush they make, 0 if they are fewer than five."""
    strengths = np.select(
        [_STRAIGHT == RANKS - 1, _STRAIGHT >= 0],
        [_packed(HandRank.ROYAL_FLUSH, [_STRAIGHT]), _packed(HandRank.STRAIGHT_FLUSH, [_STRAIGHT])],
        _packed(HandRank.FLUSH, _highest(_SETS, 5)),
    )
    return np.where(np.bitwise_count(_SETS) >= 5, strengths, 0)


def _ranks_held(columns: NDArray[np.int64], times: int) -> NDArray[np.int64]:
    """The set of ranks that each hand has so many times or more, by columns of ascending ranks."""
    first, last = columns[: len(columns) - times + 1], columns[times - 1 :]
    held: NDArray[np.int64] = np.bitwise_or.reduce(np.where(first == last, _BITS[first], 0))
    return held


def _without(held: NDArray[np.int64], rank: NDArray[np.int64]) -> NDArray[np.int64]:
    left: NDArray[np.int64] = held & ~_BITS[rank]
    return left


def _highest(held: NDArray[np.int64], number: int) -> list[NDArray[np.int64]]:
    ranks = []
    for _ in range(number):
        ranks.append(_TOP[held])
        held = _without(held, ranks[-1])
    return ranks


def _packed(category: HandRank, ranks: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    # Ranks that are not there are -1 and make room for 0; hands in which that happens are of another category.
    total = np.full(len(ranks[0]), int(category), np.int64)
    for place in range(5):
        total = total << 4 | ((ranks[place] + 1) if place < len(ranks) else 0)
    return total


# Tables


@cache
def tables(size: int) -> Tables:
    """The tables for hands of that many cards, made when first asked for."""
    if not 5 <= size <= 7:
        raise BadValue(f"A poker hand is read from 5, 6 or 7 cards, not from {size}.")
    cards = np.arange(52, dtype=uint64)
    words = _KEYS[cards % uint64(13)] << _KEY_SHIFT | uint64(1) << uint64(4) * (cards // uint64(13))
    flushes = _flush_strengths()
    order = _order()
    flush_values = order.values[np.searchsorted(order.strengths, flushes)]
    ranks = rank_multisets(size)
    values = order.values[np.searchsorted(order.strengths, _strengths(ranks))]
    displacements, places = _place(rank_keys(ranks) << _KEY_SHIFT, values)
    return Tables(words, np.where(flushes > 0, flush_values, 0).astype(uint16), displacements, places)


def _place(sums: NDArray[uint64], values: Values) -> tuple[NDArray[uint16], Values]:
    """Displacements under which no two sums meet in one place, and the values in their places."""
    ascending = np.argsort(sums)
    sums, values = sums[ascending], values[ascending]
    if (sums[1:] == sums[:-1]).any():
        raise AssertionError("two multisets of ranks have one key")
    buckets = (sums >> _BUCKET_SHIFT).astype(np.int64)
    largest_first = np.argsort(-np.bincount(buckets)[buckets], kind="stable")
    displacements, places, has_room = _displace(sums[largest_first], values[largest_first])
    if not has_room:
        raise AssertionError("the table has no room for a bucket")
    return displacements, places


@compiled
def _displace(sums: NDArray[uint64], values: Values) -> tuple[NDArray[uint16], Values, bool]:
    """Give every bucket, the largest first, the first displacement that moves it to free places."""
    displacements = np.zeros(1 << _BUCKET_BITS, uint16)
    places = np.zeros(1 << _SLOT_BITS, uint16)
    taken = np.zeros(1 << _SLOT_BITS, np.bool_)
    first = 0
    while first < sums.size:
        bucket = sums[first] >> _BUCKET_SHIFT
        last = first
        while last < sums.size and sums[last] >> _BUCKET_SHIFT == bucket:
            last += 1
        for tried in range(1 << _SLOT_BITS):
            displacement = uint64(tried)
            free = True
            for i in range(first, last):
                place = sums[i] >> _KEY_SHIFT & _SLOT_MASK ^ displacement
                free = free and not taken[place]
                taken[place] |= free
                if not free:
                    for j in range(first, i):
                        taken[sums[j] >> _KEY_SHIFT & _SLOT_MASK ^ displacement] = False
                    break
            if free:
                break
        else:
            return displacements, places, False
        displacements[bucket] = displacement
        for i in range(first, last):
            places[sums[i] >> _KEY_SHIFT & _SLOT_MASK ^ displacement] = values[i]
        first = last
    return displacements, places, True


# Looking hands up


@compiled
def _best_flush(cards: uint64, flushes: Values) -> uint16:
    """The value of the flush in a set of cards, given as 52 bits: of the four suits only one can have one."""
    return max(
        flushes[cards & _SUIT],
        flushes[cards >> _SECOND_SUIT & _SUIT],
        flushes[cards >> _THIRD_SUIT & _SUIT],
        flushes[cards >> _FOURTH_SUIT & _SUIT],
    )


@compiled
def value_of_sum(total: uint64, cards: uint64, lookup: Tables) -> uint16:
    """The value of a hand by the sum of its words, for compiled code; `cards` is the hand as 52 bits."""
    total += _NO_SUITS
    if total & _FLUSH:
        flush: uint16 = _best_flush(cards, lookup.flushes)
        return flush
    value: uint16 = lookup.places[total >> _KEY_SHIFT & _SLOT_MASK ^ lookup.displacements[total >> _BUCKET_SHIFT]]
    return value


@compiled
def _flush_value(hand: Hands, flushes: Values) -> uint16:
    """The value of a hand that holds a flush: with five cards of a suit there is no full house in up to seven."""
    cards = uint64(0)
    for i in range(hand.size):
        cards |= uint64(1) << uint64(hand[i])
    value: uint16 = _best_flush(cards, flushes)
    return value


@compiled
def _evaluate_seven(hands: Hands, lookup: Tables, values: Values) -> None:
    words, flushes, displacements, places = lookup
    for i in range(hands.shape[0]):
        total = (
            words[hands[i, 0]]
            + words[hands[i, 1]]
            + words[hands[i, 2]]
            + words[hands[i, 3]]
            + words[hands[i, 4]]
            + words[hands[i, 5]]
            + words[hands[i, 6]]
            + _NO_SUITS
        )
        if total & _FLUSH:
            values[i] = _flush_value(hands[i], flushes)
        else:
            values[i] = places[total >> _KEY_SHIFT & _SLOT_MASK ^ displacements[total >> _BUCKET_SHIFT]]


@compiled
def _evaluate_fewer(hands: Hands, lookup: Tables, values: Values) -> None:
    words, flushes, displacements, places = lookup
    for i in range(hands.shape[0]):
        total = _NO_SUITS
        for j in range(hands.shape[1]):
            total += words[hands[i, j]]
        if total & _FLUSH:
            values[i] = _flush_value(hands[i], flushes)
        else:
            values[i] = places[total >> _KEY_SHIFT & _SLOT_MASK ^ displacements[total >> _BUCKET_SHIFT]]


def evaluate(hands: Hands) -> Values:
    """The values of many hands, one in a row: five, six or seven different cards of one deck by their index."""
    values = np.empty(len(hands), uint16)
    kernel = _evaluate_seven if hands.shape[1] == 7 else _evaluate_fewer
    kernel(np.ascontiguousarray(hands, np.uint8), tables(hands.shape[1]), values)
    return values


def categories(values: Values) -> NDArray[np.uint8]:
    """The `HandRank` of each value, as a number."""
    return (values >> CATEGORY_SHIFT).astype(np.uint8)


def value_of(hand: Hand) -> int:
    """The value of a hand that `feltworks.kit.poker.best_hand` has read."""
    strength = int(hand.category)
    for place in range(5):
        strength = strength << 4 | (hand.tiebreak[place] - 1 if place < len(hand.tiebreak) else 0)
    order = _order()
    return int(order.values[np.searchsorted(order.strengths, strength)])


@compiled
def _count_sevens(lookup: Tables, counts: NDArray[np.int64]) -> None:
    """Count every set of seven cards by category; the cards themselves go along as bits of a second word."""
    words, flushes, displacements, places = lookup
    bits = np.array([uint64(1) << uint64(card) for card in range(52)])
    for a in range(6, 52):
        for b in range(5, a):
            for c in range(4, b):
                for d in range(3, c):
                    wd = words[a] + words[b] + words[c] + words[d] + _NO_SUITS
                    bd = bits[a] | bits[b] | bits[c] | bits[d]
                    for e in range(2, d):
                        for f in range(1, e):
                            wf = wd + words[e] + words[f]
                            bf = bd | bits[e] | bits[f]
                            for g in range(f):
                                total = wf + words[g]
                                if total & _FLUSH:
                                    value = _best_flush(bf | bits[g], flushes)
                                else:
                                    shift = displacements[total >> _BUCKET_SHIFT]
                                    value = places[total >> _KEY_SHIFT & _SLOT_MASK ^ shift]
                                counts[value >> CATEGORY_SHIFT] += 1


def count_sevens() -> dict[HandRank, int]:
    """How many of the 133,784,560 sets of seven cards are of each category, by reading every one."""
    counts = np.zeros(len(HandRank), np.int64)
    _count_sevens(tables(7), counts)
    return {category: int(counts[category]) for category in HandRank}


@cache
def seven_card_counts() -> dict[HandRank, int]:
    """The same by kinds of hands: those with five cards or more of a suit, and the others by their ranks.

    A multiset of ranks stands for as many sets of cards as there are suits for it. Of these, the ones with so many
    cards of one suit are a coefficient of a product over its ranks.
    """
    ranks, flushes = rank_multisets(7), _flush_strengths() >> _STRENGTH_BITS
    without_suit, any_suit = (np.array([comb(suits, number) for number in range(5)]) for suits in (3, 4))
    every, of_suit = np.ones(len(ranks), np.int64), np.zeros((len(ranks), 8), np.int64)
    of_suit[:, 0] = 1
    for rank in range(RANKS):
        times = (ranks == rank).sum(1)
        with_suit = np.where(times > 0, without_suit[times - 1], 0)
        every *= any_suit[times]
        of_suit[:, 1:] = without_suit[times, None] * of_suit[:, 1:] + with_suit[:, None] * of_suit[:, :-1]
        of_suit[:, 0] *= without_suit[times]
    plain, categories = every - 4 * of_suit[:, 5:].sum(1), _strengths(ranks) >> _STRENGTH_BITS
    suited = np.array([4 * comb(39, 7 - each.bit_count()) if each.bit_count() <= 7 else 0 for each in _SETS.tolist()])
    return {
        category: int(plain[categories == category].sum() + suited[(flushes == category) & (flushes > 0)].sum())
        for category in HandRank
    }
