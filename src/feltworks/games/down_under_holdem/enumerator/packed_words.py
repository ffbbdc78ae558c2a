"""Several counters side by side in one 64-bit integer, a word, so that one sweep counts several pairs of bands at once.

A worked example, with two pairs of bands in fields of 8 bits. Of the dealer's hands that have been passed, 5 show the
first pair and 3 show the second. The word is 5 + 3 * 256 = 773. Now 2 hands of the first pair are passed, 1 of the
second, and all is multiplied by 10:

    (773 + 2 + 1 * 256) * 10 = 10,310 = 70 + 40 * 256        (5 + 2) * 10 = 70, (3 + 1) * 10 = 40

    >>> from feltworks.games.down_under_holdem.enumerator.bands import BANDS
    >>> layout = WordLayout(BANDS, first=0, fields=2, bits=8)
    >>> [int(field) for field in layout.fields_of(np.array(10310))]
    [70, 40]

So additions and multiplications of a word are those of every field, as long as no field grows over its bits. How many
bits a field needs follows from the largest sum that it can have (`layouts_for`), and so does the number of fields in a
word. Words may also be subtracted. A field that is negative borrows from the one above it, which is made good when the
fields are told apart from the lowest on (`WordLayout.column_sums`).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.enumerator.backward_sweep import DealerHands
from feltworks.games.down_under_holdem.enumerator.bands import Bands
from feltworks.games.down_under_holdem.enumerator.flop_states import RUNOUTS
from feltworks.games.down_under_holdem.enumerator.sweep import Integers, Payoff, Words
from feltworks.kit.compiled import compiled
from feltworks.kit.errors import BadOdds
from feltworks.kit.workers import processors

WORD_BITS = 64


@dataclass(frozen=True)
class Rates:
    """What each of the dealer's hands adds to the sum over deals, by the category of the seat's hand."""

    per_weaker: tuple[int, ...]
    """If it is weaker."""
    per_not_stronger: tuple[int, ...]
    """If it is weaker or equal."""

    @property
    def most(self) -> int:
        """What one of the dealer's hands adds at most."""
        both = zip(self.per_weaker, self.per_not_stronger, strict=True)
        return max(max(equal, weaker + equal) for weaker, equal in both)


@dataclass(frozen=True)
class WordLayout:
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
        weights = np.zeros(len(self.bands.pairs) + 1, np.int64)
        weights[self.pairs] = 1 << self.bits * np.arange(self.fields)
        return weights

    def payoff(self, rates: Rates) -> Payoff:
        """What the sweep is to count."""
        weights = self._of_pair()[self.bands.pair_of_ranks]
        return Payoff(weights, np.array(rates.per_weaker, np.int64), np.array(rates.per_not_stronger, np.int64))

    def dealer_hands(self) -> DealerHands:
        """What the backward sweep is to count."""
        of_pair = self._of_pair()
        return DealerHands(of_pair[self.bands.pair_of_ranks], self.bands.hands_on_boards(of_pair[:-1]), self.bits)

    def fields_of(self, words: Words) -> list[Integers]:
        """The fields of words, none of which is negative."""
        mask = (1 << self.bits) - 1
        return [words >> self.bits * place & mask for place in range(self.fields)]

    def column_sums(self, words: Words, ways: NDArray[np.int16]) -> Integers:
        """Words, whose fields may be negative, summed over the rows as often as there are ways: by column and field."""
        totals = np.zeros((words.shape[1], self.fields), np.int64)
        _add_fields(words, ways, self.bits, totals)
        return totals


@compiled
def _add_fields(words: Words, ways: NDArray[np.int16], bits: int, totals: Integers) -> None:
    spare = WORD_BITS - bits
    for row in range(words.shape[0]):
        for column in range(words.shape[1]):
            word = words[row, column]
            for field in range(totals.shape[1]):
                amount = word << spare >> spare
                totals[column, field] += ways[row, column] * amount
                word = word - amount >> bits


def layouts_for(bands: Bands, rates: Rates) -> list[WordLayout]:
    """As few words as hold the largest sum of a state for every pair of bands."""
    largest = RUNOUTS * bands.most_hands * rates.most
    # One bit for the sign, and one because what is halved is first counted twice.
    bits = largest.bit_length() + 2
    if bits > WORD_BITS:
        raise BadOdds("These pays are too large or too finely divided to be counted exactly.")
    return _layouts(bands, bits, WORD_BITS // bits)


def layouts_of_hands(bands: Bands) -> list[WordLayout]:
    """Words that hold how many hands the dealer has: a word for every processor, or as many as are needed."""
    # One bit for the sign of the word.
    bits = bands.most_hands.bit_length()
    together = min((WORD_BITS - 1) // bits, -(-len(bands.pairs) // processors()))
    return _layouts(bands, bits, together)


def _layouts(bands: Bands, bits: int, together: int) -> list[WordLayout]:
    every = len(bands.pairs)
    return [WordLayout(bands, first, min(together, every - first), bits) for first in range(0, every, together)]
