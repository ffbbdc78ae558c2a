"""How a pair becomes two hands or more, and how each of them is valued alone without any approximation.

A pair of rank P is split. Each hand begins with a P and draws its second card. While there are fewer hands than
allowed, a second card that is a P begins a further hand, and the hand draws again. Once the most hands are there, any
second card stays: only then can a split hand be a P with a P. A hand is played by its own cards in their order, which
tells no more than whether its second card was a P, and by the upcard.

The cards of the shoe are in random order, and a hand does not look at the others. So the cards that a hand draws may be
taken from anywhere in the shoe: it does not matter whether a hand is finished before the next one gets its second card,
or which hand is asked about. What remains of the other hands are the draws of second cards that made them: some were P,
and some were not. Write P for a second card that splits, N for one that does not; the draws are words such as PNNN.

    Fewer hands than allowed: H hands came from H - 2 P and H N. Every hand is behind one of the N.
    The most hands, M: the last P came after j N. So j hands are behind an N, and M - j hands take any second card.

What a hand is worth on average, joint with such a word, is a sum over the hand's cards. The other P of the word are
drawn elsewhere: they are removed from the shoe, with their probability. The other N say "not a P" of a card somewhere
else, and "not a P" is "anything" less "a P". Multiplied out, j further N are

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
class Single:
    """Weights of one hand by the number of further cards of the rank that are removed."""

    apart: Weights
    """For a hand whose second card is of another rank."""
    alike: Weights
    """For a hand whose second card is of the same rank."""


@dataclass(frozen=True)
class Both:
    """Weights of two hands in order, by further cards removed and by how many of the two are alike (first, second)."""

    weights: dict[tuple[bool, bool], Weights]


@dataclass(frozen=True)
class Word:
    """A kind of word: P drawn, hands behind an N, hands with any second card; and how many words there are of it."""

    splits: int
    apart: int
    free: int
    times: int


@cache
def words(most: int) -> tuple[Word, ...]:
    """All the ways in which a pair becomes up to this many hands."""
    found: Counter[tuple[int, int, int]] = Counter()

    def draw(hands: int, waiting: int) -> None:
        done = hands - waiting
        if hands == most or not waiting:
            found[hands - 2, done, waiting] += 1
            return
        draw(hands + 1, waiting + 1)
        draw(hands, waiting - 1)

    draw(2, 2)
    return tuple(Word(*kind, times) for kind, times in sorted(found.items()))


def furthest(most: int) -> int:
    """The most further cards of the rank that are ever removed."""
    return max(len(weights) for weights in (single(most).apart, single(most).alike)) - 1


@cache
def single(most: int) -> Single:
    """The weights for the worth of all hands together, where a pair becomes up to this many."""
    apart, alike = Counter[int](), Counter[int]()
    for word in words(most):
        for removed in range(word.apart):
            sign = (-1) ** removed * comb(word.apart - 1, removed)
            apart[word.splits + removed] += word.times * word.apart * sign
        for removed in range(word.apart + 1):
            weight = word.times * word.free * (-1) ** removed * comb(word.apart, removed)
            apart[word.splits + removed] += weight
            alike[word.splits + removed] += weight
    return Single(_listed(apart), _listed(alike))


@cache
def both(most: int) -> Both:
    """The weights for the sum over all ordered pairs of different hands, for a product of two hands' results."""
    sums = {(first, second): Counter[int]() for first in (False, True) for second in (False, True)}

    def add(kinds: tuple[bool, bool], word: Word, hands: int, others: int) -> None:
        for removed in range(others + 1):
            sums[kinds][word.splits + removed] += word.times * hands * (-1) ** removed * comb(others, removed)

    for word in words(most):
        if word.apart >= 2:
            add((False, False), word, word.apart * (word.apart - 1), word.apart - 2)
        if word.apart and word.free:
            for free in (False, True):
                add((False, free), word, word.apart * word.free, word.apart - 1)
                add((free, False), word, word.apart * word.free, word.apart - 1)
        if word.free >= 2:
            for kinds in sums:
                add(kinds, word, word.free * (word.free - 1), word.apart)
    return Both({kinds: _listed(counted) for kinds, counted in sums.items()})


def _listed(counted: Counter[int]) -> Weights:
    return tuple(counted[removed] for removed in range(max(counted, default=-1) + 1))
