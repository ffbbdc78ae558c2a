"""What is counted over every deal, packed into words to be swept or weighed (see `sweep`)."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.bands import Bands
from feltworks.games.down_under_holdem.states import RUNOUTS, states
from feltworks.games.down_under_holdem.sweep import Hands, Words, Worth, prepare
from feltworks.kit.compiling import compiled
from feltworks.kit.errors import BadOdds

Item = TypeVar("Item")
Result = TypeVar("Result")

WORD_BITS = 64


@dataclass(frozen=True)
class Quantity:
    """What is summed over deals, by the category of the seat's hand.

    `less` counts each dealer's hand that is weaker, `equal` each that is not stronger.
    """

    less: tuple[int, ...]
    equal: tuple[int, ...]

    @property
    def most(self) -> int:
        """What one of the dealer's hands adds at most."""
        return max(max(equal, less + equal) for less, equal in zip(self.less, self.equal, strict=True))


@dataclass(frozen=True)
class Word:
    """Some pairs of bands that follow each other, in fields of equal width."""

    bands: Bands
    first: int
    fields: int
    bits: int

    @property
    def pairs(self) -> slice:
        """Where the pairs of bands are among all."""
        return slice(self.first, self.first + self.fields)

    def _of_pair(self) -> Words:
        """The weight of a hand by its pair of bands; the last is of hands that are not counted."""
        found = np.zeros(len(self.bands.pairs) + 1, np.int64)
        found[self.pairs] = 1 << self.bits * np.arange(self.fields)
        return found

    def worth(self, quantity: Quantity) -> Worth:
        """What the sweep is to count."""
        weights = self._of_pair()[self.bands.pair_of_ranks]
        return Worth(weights, np.array(quantity.less, np.int64), np.array(quantity.equal, np.int64))

    def hands(self) -> Hands:
        """The dealer's hands, to be weighed."""
        of_pair = self._of_pair()
        return Hands(of_pair[self.bands.pair_of_ranks], self.bands.hands_on_boards(of_pair[:-1]), self.bits)

    def fields_of(self, words: Words) -> list[Words]:
        """The fields of words, none of which is negative."""
        mask = (1 << self.bits) - 1
        return [words >> self.bits * place & mask for place in range(self.fields)]

    def column_sums(self, words: Words, ways: NDArray[np.int16]) -> Words:
        """Words, whose fields may be negative, summed over the rows as often as there are ways: by column and field."""
        totals = np.zeros((words.shape[1], self.fields), np.int64)
        _add_fields(words, ways, self.bits, totals)
        return totals


@compiled
def _add_fields(words: Any, ways: Any, bits: Any, totals: Any) -> None:
    spare = WORD_BITS - bits
    for row in range(words.shape[0]):
        for column in range(words.shape[1]):
            word = words[row, column]
            for field in range(totals.shape[1]):
                amount = word << spare >> spare
                totals[column, field] += ways[row, column] * amount
                word = word - amount >> bits


def words_for(bands: Bands, quantity: Quantity) -> list[Word]:
    """As few words as hold the largest sum of a state for every pair of bands."""
    largest = RUNOUTS * bands.most_hands * quantity.most
    # One bit for the sign, and one because what is halved is first counted twice.
    bits = largest.bit_length() + 2
    if bits > WORD_BITS:
        raise BadOdds("These pays are too large or too finely divided to be counted exactly.")
    return _words(bands, bits, WORD_BITS // bits)


def words_of_hands(bands: Bands) -> list[Word]:
    """Words that hold how many hands the dealer has: a word for every processor, or as many as are needed."""
    # One bit for the sign of the word.
    bits = bands.most_hands.bit_length()
    together = min((WORD_BITS - 1) // bits, -(-len(bands.pairs) // processors()))
    return _words(bands, bits, together)


def _words(bands: Bands, bits: int, together: int) -> list[Word]:
    every = len(bands.pairs)
    return [Word(bands, first, min(together, every - first), bits) for first in range(0, every, together)]


def processors() -> int:
    return os.cpu_count() or 1


def side_by_side(work: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """Do the work for every item, on all processors; the compiled part holds no lock."""
    prepare()
    states()
    # With a thread more than processors, these share a word that is left over.
    with ThreadPoolExecutor(processors() + 1) as pool:
        return list(pool.map(work, items))
