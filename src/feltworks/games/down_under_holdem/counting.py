"""Quantities that are counted over every deal, packed into words and swept (see `sweep`)."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import numpy as np

from feltworks.games.down_under_holdem.bands import Bands
from feltworks.games.down_under_holdem.kinds import PAIRS, rank_boards
from feltworks.games.down_under_holdem.states import RUNOUTS, states
from feltworks.games.down_under_holdem.sweep import Words, Worth, prepare
from feltworks.kit.errors import BadOdds
from feltworks.kit.poker import HandRank

Result = TypeVar("Result")

WORD_BITS = 64


@dataclass(frozen=True)
class Quantity:
    """What is summed over deals, by the category of the seat's hand.

    `less` counts each dealer's hand that is weaker, `equal` each that is not stronger, `every` each there is.
    """

    less: tuple[int, ...] = (0,) * len(HandRank)
    equal: tuple[int, ...] = (0,) * len(HandRank)
    every: tuple[int, ...] = (0,) * len(HandRank)

    @property
    def most(self) -> int:
        """What one of the dealer's hands adds at most."""
        return max(
            max(equal + every, less + equal + every)
            for less, equal, every in zip(self.less, self.equal, self.every, strict=True)
        )


WIN = Quantity(less=(1,) * len(HandRank))
TIE = Quantity(less=(-1,) * len(HandRank), equal=(1,) * len(HandRank))


def win_in(category: HandRank) -> Quantity:
    """Deals won by a hand of that category."""
    return Quantity(less=tuple(int(other == category) for other in HandRank))


def reach(category: HandRank) -> Quantity:
    """Deals in which the seat's hand is of that category, whoever wins."""
    return Quantity(every=tuple(int(other == category) for other in HandRank))


@dataclass(frozen=True)
class Word:
    """Fields of equal width: several pairs of bands for one quantity, or several quantities for one pair of bands."""

    bands: Bands
    pairs: tuple[int, ...]
    quantities: tuple[Quantity, ...]
    bits: int

    @property
    def fields(self) -> int:
        return len(self.pairs) * len(self.quantities)

    def worth(self) -> Worth:
        """What the sweep is to count."""
        of_pair = np.zeros(len(self.bands.pairs), np.int64)
        for place, pair in enumerate(self.pairs):
            of_pair[pair] = 1 << self.bits * place
        return Worth(
            of_pair[self.bands.pair_of_ranks],
            self._together([quantity.less for quantity in self.quantities]),
            self._together([quantity.equal for quantity in self.quantities]),
            self._together([quantity.every for quantity in self.quantities]),
            self.bands.hands_on_boards @ of_pair if any(any(q.every) for q in self.quantities) else _nobody(),
        )

    def _together(self, coefficients: list[tuple[int, ...]]) -> Words:
        columns = zip(*coefficients, strict=True)
        return np.array([sum(c << self.bits * place for place, c in enumerate(column)) for column in columns], np.int64)

    def fields_of(self, words: Words) -> list[Words]:
        """The fields of words, none of which is negative."""
        mask = (1 << self.bits) - 1
        return [words >> self.bits * place & mask for place in range(self.fields)]

    def signed_fields(self, words: Words) -> list[Words]:
        """The fields of words, which may be negative."""
        found = []
        for _ in range(self.fields):
            spare = WORD_BITS - self.bits
            found.append((words << spare) >> spare)
            words = (words - found[-1]) >> self.bits
        return found


@cache
def _nobody() -> Words:
    return np.zeros((len(rank_boards()), len(PAIRS)), np.int64)


def words_for(bands: Bands, quantity: Quantity) -> list[Word]:
    """As few words as hold one quantity for every pair of bands."""
    bits = _bits(bands, [quantity])
    some = _batches(range(len(bands.pairs)), WORD_BITS // bits)
    return [Word(bands, pairs, (quantity,), bits) for pairs in some]


def words_by_pair(bands: Bands, quantities: Sequence[Quantity]) -> list[Word]:
    """As few words as hold these quantities, the pairs of bands kept apart."""
    bits = _bits(bands, quantities)
    some = list(_batches(quantities, WORD_BITS // bits))
    return [Word(bands, (pair,), together, bits) for pair in range(len(bands.pairs)) for together in some]


def _bits(bands: Bands, quantities: Sequence[Quantity]) -> int:
    """How wide a field must be for the largest sum of a state."""
    largest = RUNOUTS * bands.most_hands * max(quantity.most for quantity in quantities)
    # One bit for the sign, and one because what is halved is first counted twice.
    bits = largest.bit_length() + 2
    if bits > WORD_BITS:
        raise BadOdds("These pays are too large or too finely divided to be counted exactly.")
    return bits


Item = TypeVar("Item")


def _batches(items: Sequence[Item], size: int) -> Iterator[tuple[Item, ...]]:
    for first in range(0, len(items), size):
        yield tuple(items[first : first + size])


def side_by_side(work: Callable[[Word], Result], words: Iterable[Word]) -> Iterable[Result]:
    """Do the work for every word, on all processors; the compiled part holds no lock."""
    prepare()
    states()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(work, words))
