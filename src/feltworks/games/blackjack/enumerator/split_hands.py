"""How a pair becomes two hands or more, and how each of them is valued alone without any approximation.

A worked example: a pair of eights that may become three hands at most. Write P for a second card that is an eight and
splits again, N for one that is not. The draws of second cards can go in three ways:

    N N    two hands, each with an N
    P      the third hand comes at once; now all 3 hands take any second card
    N P    one hand has its N, then the third one comes; now 2 hands take any second card

    >>> for pattern in patterns(3):
    ...     print(pattern)
    Pattern(splits=0, apart=2, free=0, times=1)
    Pattern(splits=1, apart=0, free=3, times=1)
    Pattern(splits=1, apart=1, free=2, times=1)

What do all hands win together, on average? An N elsewhere is "any card" less "an eight", and an eight elsewhere is one
that is removed from the shoe. So, of one hand whose own second card is no eight, by the further eights removed:

                          none removed   one removed   two removed
    N N: both hands            2             -2
    P: all three                              3
    N P: the one with N                       1
    N P: the two others                       2            -2
    together                   2              4            -2

    >>> weights_of_one(3).apart
    (2, 4, -2)

Three values of one single hand are enough.

In general. A pair of rank P is split. Each hand begins with a P and draws its second card. While there are fewer hands
than allowed, a second card that is a P begins a further hand, and the hand draws again. Once the most hands are there,
any second card stays: only then can a split hand be a P with a P. A hand is played by its own cards in their order,
which tells no more than whether its second card was a P, and by the upcard.

The cards of the shoe are in random order, and a hand does not look at the others. So the cards that a hand draws may be
taken from anywhere in the shoe: it does not matter whether a hand is finished before the next one gets its second card,
or which hand is asked about. What remains of the other hands are the draws of second cards that made them, a pattern
such as P N N N.

    Fewer hands than allowed: H hands came from H - 2 P and H N. Every hand is behind one of the N.
    The most hands, M: the last P came after j N. So j hands are behind an N, and M - j hands take any second card.

What a hand is worth on average, joint with such a pattern, is a sum over the hand's cards. The other P of the pattern
are drawn elsewhere: they are removed from the shoe, with their probability. The other N say "not a P" of a card
somewhere else, and "not a P" is "anything" less "a P". Multiplied out, j further N are

    sum over t of (-1)^t * C(j, t) * (t further P are removed from the shoe).

So the worth of all hands together is a sum over m, the number of further P removed, of whole-number weights times

    (chance to draw m P) * (worth of one hand from the shoe without them),

with one list of weights for hands behind an N (`apart`) and one for those with two P (`alike`). It is linear in the
hand, so the best way to play by the hand's own cards follows backwards from full hands as without a split.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from math import comb

Weights = tuple[int, ...]


@dataclass(frozen=True)
class OneHandWeights:
    """Weights of one hand by the number of further cards of the rank that are removed."""

    apart: Weights
    """For a hand whose second card is of another rank."""
    alike: Weights
    """For a hand whose second card is of the same rank."""


@dataclass(frozen=True)
class TwoHandWeights:
    """Weights of two hands in order, by further cards removed and by how many of the two are alike (first, second)."""

    weights: dict[tuple[bool, bool], Weights]


@dataclass(frozen=True)
class Pattern:
    """Draws of second cards that go in one way, up to their order."""

    splits: int
    """How many P."""
    apart: int
    """How many hands are behind an N."""
    free: int
    """How many take any second card."""
    times: int
    """In how many orders that comes."""


@cache
def patterns(most: int) -> tuple[Pattern, ...]:
    """All the ways in which a pair becomes up to this many hands."""
    times: Counter[tuple[int, int, int]] = Counter()

    def draw(hands: int, waiting: int) -> None:
        done = hands - waiting
        if hands == most or not waiting:
            times[hands - 2, done, waiting] += 1
            return
        draw(hands + 1, waiting + 1)
        draw(hands, waiting - 1)

    draw(2, 2)
    return tuple(Pattern(*kind, number) for kind, number in sorted(times.items()))


def most_removed(most: int) -> int:
    """The most further cards of the rank that are ever removed."""
    return max(len(weights) for weights in (weights_of_one(most).apart, weights_of_one(most).alike)) - 1


@cache
def weights_of_one(most: int) -> OneHandWeights:
    """The weights for the worth of all hands together, where a pair becomes up to this many."""
    apart, alike = Counter[int](), Counter[int]()
    for pattern in patterns(most):
        for removed in range(pattern.apart):
            sign = (-1) ** removed * comb(pattern.apart - 1, removed)
            apart[pattern.splits + removed] += pattern.times * pattern.apart * sign
        for removed in range(pattern.apart + 1):
            weight = pattern.times * pattern.free * (-1) ** removed * comb(pattern.apart, removed)
            apart[pattern.splits + removed] += weight
            alike[pattern.splits + removed] += weight
    return OneHandWeights(_by_removed(apart), _by_removed(alike))


@cache
def weights_of_two(most: int) -> TwoHandWeights:
    """The weights for the sum over all ordered pairs of different hands, for a product of two hands' results."""
    sums = {(first, second): Counter[int]() for first in (False, True) for second in (False, True)}

    def add(kinds: tuple[bool, bool], pattern: Pattern, hands: int, others: int) -> None:
        for removed in range(others + 1):
            sums[kinds][pattern.splits + removed] += pattern.times * hands * (-1) ** removed * comb(others, removed)

    for pattern in patterns(most):
        if pattern.apart >= 2:
            add((False, False), pattern, pattern.apart * (pattern.apart - 1), pattern.apart - 2)
        if pattern.apart and pattern.free:
            for free in (False, True):
                add((False, free), pattern, pattern.apart * pattern.free, pattern.apart - 1)
                add((free, False), pattern, pattern.apart * pattern.free, pattern.apart - 1)
        if pattern.free >= 2:
            for kinds in sums:
                add(kinds, pattern, pattern.free * (pattern.free - 1), pattern.apart)
    return TwoHandWeights({kinds: _by_removed(weights) for kinds, weights in sums.items()})


def _by_removed(weights: Counter[int]) -> Weights:
    return tuple(weights[removed] for removed in range(max(weights, default=-1) + 1))
