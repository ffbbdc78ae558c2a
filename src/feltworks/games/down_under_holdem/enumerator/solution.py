"""The exact solution of Down Under Hold'em's base game, over every deal.

A worked example: a seat that ends with a pair, for which the Bet pays nothing and pushes. Of 10 dealer's hands 6 are
weaker, 1 is equal and 3 are stronger. In Antes, summed over the 10:

    fold       Ante and Bet are lost each time                 10 * -2             = -20
    1x         6 win 1 on the Ante and 1 on the Play,
               3 lose Ante, Bet and Play                       6 * 2 + 3 * -3      =   3
    3x         the same with a Play of 3                       6 * 4 + 3 * -5      =   9

    >>> from collections import Counter
    >>> from feltworks.games.down_under_holdem.enumerator.plain_count import Tally
    >>> tally = Tally(deals=10, ties=1, wins=Counter({HandRank.PAIR: 6}))
    >>> [int(tally.worth({}, play)) for play in (1, 2, 3)]
    [3, 6, 9]

So 3x is best here if it is chosen before the flop, and 1x is better than to fold after a check.

In general. Everything is an integer until the last division. In units of the Ante a deal that is played with a Play of
k is worth

    1 + pay + k if it wins, 0 if it ties, -(2 + k) if it loses,

and -2 if it is folded. Of n dealer's hands let some be weaker and some not stronger (weaker or equal). A Play of 1 is
then worth

    (pay + 2) * weaker + 3 * not stronger - 3 * n                          here 2 * 6 + 3 * 7 - 3 * 10 = 3

and it is right to fold where the first two terms, here called the worth, are less than n. A Play of k adds k - 1 times

    weaker + not stronger - n.                                             here 6 + 7 - 10 = 3

So 2x is worth exactly the mean of 3x and of checking and then always playing 1x. Therefore it is never better than the
better one of 3x and check, whatever the pay table and the bands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb, lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.games.down_under_holdem.enumerator.backward_sweep import weigh_deals
from feltworks.games.down_under_holdem.enumerator.bands import BANDS, Bands
from feltworks.games.down_under_holdem.enumerator.boards import RANKS, TYPE_NUMBER, multisets
from feltworks.games.down_under_holdem.enumerator.flop_states import (
    CLASSES,
    RUNOUTS,
    ClassSums,
    FoldRule,
    by_class,
    class_of,
    decide_folds,
    prepare_states,
    states,
    weights_of_states,
    words_of_states,
)
from feltworks.games.down_under_holdem.enumerator.packed_words import Rates, WordLayout, layouts_for, layouts_of_hands
from feltworks.games.down_under_holdem.enumerator.plain_count import count_state
from feltworks.games.down_under_holdem.enumerator.sweep import (
    SUIT_SIZES,
    Compared,
    Integers,
    Sums,
    sweep,
    ways_of_ranks,
    ways_out_of_suit,
)
from feltworks.kit.cards import Card
from feltworks.kit.errors import BadCard, BadOdds
from feltworks.kit.poker import HandRank
from feltworks.kit.workers import on_all_processors

PAID = (
    HandRank.ROYAL_FLUSH,
    HandRank.STRAIGHT_FLUSH,
    HandRank.FOUR_OF_A_KIND,
    HandRank.FULL_HOUSE,
    HandRank.FLUSH,
    HandRank.STRAIGHT,
)
"""The lines of the Bet's pay table from the top; any other winning hand pushes."""

Pays = tuple[Fraction, ...]
BET: Pays = (Fraction(500), Fraction(50), Fraction(10), Fraction(3), Fraction(3, 2), Fraction(1))
"""What the Bet wins per unit, by line, as document 002 has it."""

LARGEST_TOTAL = 2**63
MOST_DEALS = 12 * comb(50, 3) * RUNOUTS
"""Hands of a class, flops, turns and rivers: no class has more deals than this for one of the dealer's hands."""


class ScaledRates(NamedTuple):
    """The worth of a hand as whole numbers: `scale` is one Ante."""

    scale: int
    rates: Rates


def scaled_rates(pays: Sequence[Fraction], bands: Bands) -> ScaledRates:
    """The Bet's pay table over a common denominator, refused where a total would not fit."""
    if len(pays) != len(PAID):
        raise BadOdds(f"The Bet has {len(PAID)} lines that pay, not {len(pays)}.")
    if min(pays) < -1:
        raise BadOdds("A winning Bet cannot lose more than its stake.")
    scale = lcm(*(pay.denominator for pay in pays))
    by_category = dict(zip(PAID, pays, strict=True))
    per_weaker = tuple(int(scale * (by_category.get(category, Fraction(0)) + 2)) for category in HandRank)
    rates = Rates(per_weaker, per_not_stronger=(3 * scale,) * len(HandRank))
    if MOST_DEALS * bands.most_hands * rates.most >= LARGEST_TOTAL:
        raise BadOdds(
            "These pays of the Bet are too large or too finely divided to be counted exactly: the largest pay plus 5, "
            f"times the common denominator of all ({scale:,}), may be at most {_largest_worth(bands):,}."
        )
    return ScaledRates(scale, rates)


def _largest_worth(bands: Bands) -> int:
    return LARGEST_TOTAL // (MOST_DEALS * bands.most_hands)


@dataclass(frozen=True)
class Solution:
    """The base game played as well as possible. Arrays are by class of hole cards and pair of bands."""

    bands: Bands
    pays: Pays
    scale: int
    deals: Integers
    checked: Integers
    """The sum of the worth of checking, in units of 1 / scale of an Ante, with 3 Antes a deal added."""
    always: Integers
    """The same for checking and then always playing 1x."""
    compared: Integers
    """Dealer's hands weaker plus dealer's hands not stronger, over all deals."""
    folded: Integers
    """Deals that are folded after a check."""

    @cached_property
    def totals(self) -> dict[str, Integers]:
        """The net result of each option before the flop, summed over deals in units of 1 / scale of an Ante."""
        antes = self.scale * self.deals
        return {
            "check": self.checked - 3 * antes,
            "2x": self.always + self.scale * self.compared - 4 * antes,
            "3x": self.always + 2 * self.scale * self.compared - 5 * antes,
        }

    @cached_property
    def raises(self) -> NDArray[np.bool_]:
        """Where 3x is better than to check."""
        return self.totals["3x"] > self.totals["check"]

    def options(self, hole: int, pair: int) -> dict[str, Fraction]:
        """What each option before the flop is worth in Antes, by class of hole cards and pair of bands."""
        unit = self.scale * int(self.deals[hole, pair])
        return {name: Fraction(int(total[hole, pair]), unit) for name, total in self.totals.items()}

    @cached_property
    def value(self) -> Fraction:
        """The expected net result of a round in Antes."""
        return self.worth(np.maximum(self.totals["check"], self.totals["3x"]))

    def worth(self, totals: Integers) -> Fraction:
        """The net result of a round in Antes that has these totals."""
        return Fraction(_sum(totals), self.scale * _sum(self.deals))

    @property
    def edge(self) -> Fraction:
        """What the house wins on average per Ante."""
        return -self.value

    @property
    def edge_of_initial_stake(self) -> Fraction:
        """What the house wins on average per unit of Ante and Bet together."""
        return self.edge / 2

    @cached_property
    def frequencies(self) -> dict[str, Fraction]:
        """How often each decision is made: 3x, 2x or check before the flop, 1x or fold after a check."""
        deals = _sum(self.deals)
        raised, folded = _sum(self.deals[self.raises]), _sum(self.folded[~self.raises])
        counts = {"3x": raised, "2x": 0, "check": deals - raised, "1x": deals - raised - folded, "fold": folded}
        return {name: Fraction(count, deals) for name, count in counts.items()}

    @property
    def average_stake(self) -> Fraction:
        """Antes staked in a round in all."""
        return 2 + 3 * self.frequencies["3x"] + self.frequencies["1x"]

    @property
    def element_of_risk(self) -> Fraction:
        """What the house wins on average per unit staked in all."""
        return self.edge / self.average_stake


def options_before_flop(solution: Solution, hole: Sequence[Card], lit: Sequence[str]) -> dict[str, Fraction]:
    """What check, 2x and 3x are worth in Antes with these hole cards, when these two bands are lit."""
    _refuse_twice(hole, 2, "hole cards")
    return solution.options(class_of(*(card.index for card in hole)), solution.bands.pair(lit))


def options_after_flop(
    hole: Sequence[Card],
    flop: Sequence[Card],
    lit: Sequence[str],
    pays: Sequence[Fraction] = BET,
    bands: Bands = BANDS,
) -> dict[str, Fraction]:
    """What fold and 1x are worth in Antes after a check, by counting every turn, river and dealer's hand."""
    _refuse_twice(hole, 2, "hole cards")
    _refuse_twice([*hole, *flop], 5, "hole cards and flop")
    shown = bands.pairs[bands.pair(lit)]
    tallies = count_state(range(52), [card.index for card in hole], [card.index for card in flop], bands.band_of)
    tally = tallies[min(shown), max(shown)]
    return {
        "fold": Fraction(-2),
        "1x": tally.worth(dict(zip(PAID, pays, strict=True)), 1) / tally.deals,
    }


def _refuse_twice(cards: Sequence[Card], number: int, what: str) -> None:
    if len(cards) != number:
        raise BadCard(f"The {what} are {number} cards, not {len(cards)}.")
    if len(set(cards)) != number:
        raise BadCard(f"The {what} are different cards of one deck: {' '.join(card.text for card in cards)}.")


def _sum(array: Integers) -> int:
    """The sum as an integer without bounds."""
    return sum(map(int, array.ravel().tolist()))


class SweptWord(NamedTuple):
    """What one word counts, in every state and over all boards."""

    layout: WordLayout
    sums: Sums
    class_sums: ClassSums
    compared: Integers


Folds = NDArray[np.bool_]
"""Where a checked hand is folded: by state and pair of bands."""


@lru_cache(maxsize=8)
def _sweep_all(pays: Pays, bands: Bands) -> tuple[list[SweptWord], Folds]:
    """The worth of every state and where it is better to fold, kept for whoever asks about the same game next."""
    scale, rates = scaled_rates(pays, bands)
    hands = bands.hands_on_flops
    prepare_states()
    folds = np.empty((len(states().flop), len(bands.pairs)), np.bool_)

    def sweep_word(layout: WordLayout) -> SweptWord:
        sums, compared = sweep(layout.payoff(rates))
        rule = FoldRule(layout.bits, scale, hands[:, :, layout.pairs])
        class_sums = decide_folds(sums, rule, folds[:, layout.pairs])
        return SweptWord(layout, sums, class_sums, _compared_by_class(layout, compared))

    return on_all_processors(sweep_word, layouts_for(bands, rates)), folds


def solve(pays: Sequence[Fraction] = BET, bands: Bands = BANDS) -> Solution:
    """The best strategy for a pay table of the Bet and for bands, over every deal."""
    words, _ = _sweep_all(tuple(pays), bands)
    best, played, folded, deals, compared = (
        np.concatenate(columns, 1)
        for columns in zip(*((*word.class_sums, word.compared) for word in words), strict=True)
    )
    return Solution(bands, tuple(pays), scaled_rates(pays, bands).scale, deals, best, played, compared, folded)


class DealCounts(NamedTuple):
    """Deals by pair of bands and the category of the seat's hand."""

    weaker: Integers
    """The dealer's hand is weaker: the seat wins."""
    not_stronger: Integers
    """The dealer's hand is weaker or equal."""
    every: Integers


class PlayedDeals(NamedTuple):
    """The deals that are not folded."""

    checked: DealCounts
    raised: DealCounts


def count_played_deals(bands: Bands, raises: NDArray[np.bool_], folds: Folds) -> PlayedDeals:
    """The deals that are raised, and those that are not raised and not folded.

    Raises are by class of hole cards and pair of bands, folds by state and pair of bands.
    """

    def weigh_word(layout: WordLayout) -> Integers:
        weights = weights_of_states(raises[:, layout.pairs], folds[:, layout.pairs])
        return weigh_deals(layout.dealer_hands(), weights)

    prepare_states()
    totals = np.concatenate(on_all_processors(weigh_word, layouts_of_hands(bands)), 1)
    return PlayedDeals(*(DealCounts(*np.moveaxis(some, 1, 0)) for some in totals))


@dataclass(frozen=True)
class FlopStrategy:
    """The decision after a check, in every state: arrays are by state and pair of bands."""

    solution: Solution
    words: Sequence[SweptWord]
    folds: Folds
    """Where it is better to fold than to play 1x."""

    @cached_property
    def worth(self) -> Integers:
        """Summed over turn, river and the dealer's hands, in 1 / scale of an Ante, with 3 Antes a deal added."""
        fields = (field for word in self.words for field in word.layout.fields_of(words_of_states(word.sums)))
        return np.stack(list(fields), 1)

    @cached_property
    def deals(self) -> NDArray[np.int32]:
        every = states()
        return (RUNOUTS * self.solution.bands.hands_on_flops).astype(np.int32)[every.ranks, every.pair]

    @cached_property
    def played_deals(self) -> PlayedDeals:
        """The deals that are not folded when all is played as well as possible."""
        return count_played_deals(self.solution.bands, self.solution.raises, self.folds)

    def checked(self, folds: Folds) -> Integers:
        """The net result of checking and folding there: by class and pair of bands, in 1 / scale of an Ante."""
        times, antes = states().times, self.solution.scale
        columns = []
        for worth, deals, fold in zip(self.worth.T, self.deals.T, folds.T, strict=True):
            staked = antes * deals.astype(np.int64)
            columns.append(by_class(times * np.where(fold, -2 * staked, worth - 3 * staked)))
        return np.stack(columns, 1)

    def total(self, raises: NDArray[np.bool_], folds: Folds) -> int:
        """The net result in 1 / scale of an Ante if it is raised and folded there, summed over deals; raises are by
        class and pair of bands."""
        return _sum(np.where(raises, self.solution.totals["3x"], self.checked(folds)))

    def value(self, raises: NDArray[np.bool_], folds: Folds) -> Fraction:
        """The same for a round, in Antes."""
        return Fraction(self.total(raises, folds), self.solution.scale * _sum(self.solution.deals))


def solve_flop(solution: Solution) -> FlopStrategy:
    """The worth of every state after the flop, for the pay table and the bands of the solution."""
    return FlopStrategy(solution, *_sweep_all(solution.pays, solution.bands))


FLOPS_OF_BOARD = comb(5, 3)
"""Any three cards of a board can have been its flop."""


def _compared_by_class(layout: WordLayout, compared: Compared) -> Integers:
    """Dealer's hands weaker plus dealer's hands not stronger over all deals, by class and field."""
    ways = np.array([ways_out_of_suit()[ranks] for size in SUIT_SIZES for ranks in multisets(5 - size)], np.int16)
    by_pair = layout.column_sums(compared.ranks, ways_of_ranks())
    by_type = layout.column_sums(compared.changes, ways)
    totals = np.zeros((CLASSES, layout.fields), np.int64)
    for high in range(RANKS):
        for low in range(high + 1):
            neither = TYPE_NUMBER[high, low]
            pair = by_pair[neither]
            one = by_type[TYPE_NUMBER[RANKS + high, low]] + by_type[TYPE_NUMBER[high, RANKS + low]]
            # Two cards of different suits.
            apart = FLOPS_OF_BOARD * (pair + one + 2 * by_type[neither])
            if high == low:
                totals[class_of(high, RANKS + low)] = 6 * apart
            else:
                totals[class_of(high, RANKS + low)] = 12 * apart
                both = by_type[TYPE_NUMBER[RANKS + high, RANKS + low]]
                totals[class_of(high, low)] = 4 * FLOPS_OF_BOARD * (pair + both + 3 * by_type[neither])
    return totals
