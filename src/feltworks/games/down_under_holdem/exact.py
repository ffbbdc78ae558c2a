"""The exact solution of Down Under Hold'em's base game, over every deal.

Everything is an integer until the last division. In units of the Ante a deal that is played with a Play of k is worth

    1 + pay + k if it wins, 0 if it ties, -(2 + k) if it loses,

and -2 if it is folded. Of n dealer's hands let some be weaker and some not stronger. A Play of 1 is then worth

    (pay + 2) * weaker + 3 * not stronger - 3 * n

and it is right to fold where the first two terms, here called the worth, are less than n. A Play of k adds k - 1 times

    weaker + not stronger - n.

So 2x is worth exactly the mean of 3x and of checking and then always playing 1x. Therefore it is never better than the
better one of 3x and check, whatever the pay table and the bands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.games.down_under_holdem import sweep
from feltworks.games.down_under_holdem.bands import BANDS, Bands
from feltworks.games.down_under_holdem.counting import (
    Quantity,
    Word,
    side_by_side,
    words_for,
    words_of_hands,
)
from feltworks.games.down_under_holdem.kinds import RANKS, TYPE, multisets
from feltworks.games.down_under_holdem.plain import count_state
from feltworks.games.down_under_holdem.states import (
    CLASSES,
    RUNOUTS,
    Decided,
    by_class,
    class_of,
    decide,
    states,
    weights_of_states,
    words_of_states,
)
from feltworks.games.down_under_holdem.sweep import Compared, Sums, Words, ways_of_ranks, ways_out_of_suit
from feltworks.kit.cards import Card
from feltworks.kit.errors import BadCard, BadOdds
from feltworks.kit.poker import HandRank

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
MOST_DEALS = 12 * 19600 * RUNOUTS
"""Hands of a class, flops, turns and rivers: no class has more deals than this for one of the dealer's hands."""


class Scaled(NamedTuple):
    """The worth of a hand as whole numbers: `scale` is one Ante."""

    scale: int
    quantity: Quantity


def scaled(pays: Sequence[Fraction], bands: Bands) -> Scaled:
    """The Bet's pay table over a common denominator, refused where a total would not fit."""
    if len(pays) != len(PAID):
        raise BadOdds(f"The Bet has {len(PAID)} lines that pay, not {len(pays)}.")
    if min(pays) < -1:
        raise BadOdds("A winning Bet cannot lose more than its stake.")
    scale = lcm(*(pay.denominator for pay in pays))
    by_category = dict(zip(PAID, pays, strict=True))
    less = tuple(int(scale * (by_category.get(category, Fraction(0)) + 2)) for category in HandRank)
    quantity = Quantity(less=less, equal=(3 * scale,) * len(HandRank))
    if MOST_DEALS * bands.most_hands * quantity.most >= LARGEST_TOTAL:
        raise BadOdds(
            "These pays of the Bet are too large or too finely divided to be counted exactly: the largest pay plus 5, "
            f"times the common denominator of all ({scale:,}), may be at most {_largest_worth(bands):,}."
        )
    return Scaled(scale, quantity)


def _largest_worth(bands: Bands) -> int:
    return LARGEST_TOTAL // (MOST_DEALS * bands.most_hands)


@dataclass(frozen=True)
class Solution:
    """The base game played as well as possible. Arrays are by class of hole cards and pair of bands."""

    bands: Bands
    pays: Pays
    scale: int
    deals: Words
    checked: Words
    """The sum of the worth of checking, in units of 1 / scale of an Ante, with 3 Antes a deal added."""
    always: Words
    """The same for checking and then always playing 1x."""
    compared: Words
    """Dealer's hands weaker plus dealer's hands not stronger, over all deals."""
    folded: Words
    """Deals that are folded after a check."""

    @cached_property
    def totals(self) -> dict[str, Words]:
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

    def worth(self, totals: Words) -> Fraction:
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


def _sum(array: Words) -> int:
    """The sum as an integer without bounds."""
    return sum(map(int, array.ravel().tolist()))


class Swept(NamedTuple):
    """What one word counts, in every state and over all boards."""

    word: Word
    sums: Sums
    decided: Decided
    compared: Words


Folds = NDArray[np.bool_]
"""Where a checked hand is folded: by state and pair of bands."""


@lru_cache(maxsize=8)
def _swept(pays: Pays, bands: Bands) -> tuple[list[Swept], Folds]:
    """The worth of every state and where it is better to fold, kept for whoever asks about the same game next."""
    scale, quantity = scaled(pays, bands)
    hands = bands.hands_on_flops
    folds = np.empty((len(states().flop), len(bands.pairs)), np.bool_)

    def swept(word: Word) -> Swept:
        sums, compared = sweep.sweep(word.worth(quantity))
        decided = decide(sums, word.bits, hands[:, :, word.pairs], scale, folds[:, word.pairs])
        return Swept(word, sums, decided, _compared_by_class(word, compared))

    return side_by_side(swept, words_for(bands, quantity)), folds


def solve(pays: Sequence[Fraction] = BET, bands: Bands = BANDS) -> Solution:
    """The best strategy for a pay table of the Bet and for bands, over every deal."""
    swept, _ = _swept(tuple(pays), bands)
    best, played, folded, deals, compared = (
        np.concatenate(parts, 1) for parts in zip(*((*some.decided, some.compared) for some in swept), strict=True)
    )
    return Solution(bands, tuple(pays), scaled(pays, bands).scale, deals, best, played, compared, folded)


class Weighed(NamedTuple):
    """Deals by pair of bands and the category of the seat's hand."""

    weaker: Words
    """The dealer's hand is weaker: the seat wins."""
    not_stronger: Words
    """The dealer's hand is weaker or equal."""
    every: Words


class Kept(NamedTuple):
    """The deals that are not folded."""

    checked: Weighed
    raised: Weighed


def weigh(bands: Bands, raises: NDArray[np.bool_], folds: Folds) -> Kept:
    """The deals that are raised, and those that are not raised and not folded.

    Raises are by class of hole cards and pair of bands, folds by state and pair of bands.
    """

    def weighed(word: Word) -> Words:
        return sweep.weigh(word.hands(), weights_of_states(raises[:, word.pairs], folds[:, word.pairs]))

    totals = np.concatenate(side_by_side(weighed, words_of_hands(bands)), 1)
    return Kept(*(Weighed(*np.moveaxis(some, 1, 0)) for some in totals))


@dataclass(frozen=True)
class Flop:
    """The decision after a check, in every state: arrays are by state and pair of bands."""

    solution: Solution
    swept: Sequence[Swept]
    folds: Folds
    """Where it is better to fold than to play 1x."""

    @cached_property
    def worth(self) -> Words:
        """Summed over turn, river and the dealer's hands, in 1 / scale of an Ante, with 3 Antes a deal added."""
        fields = (field for some in self.swept for field in some.word.fields_of(words_of_states(some.sums)))
        return np.stack(list(fields), 1)

    @cached_property
    def deals(self) -> NDArray[np.int32]:
        found = states()
        return (RUNOUTS * self.solution.bands.hands_on_flops).astype(np.int32)[found.ranks, found.pair]

    @cached_property
    def kept(self) -> Kept:
        """The deals that are not folded when all is played as well as possible."""
        return weigh(self.solution.bands, self.solution.raises, self.folds)

    def checked(self, folds: Folds) -> Words:
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


def solve_flop(solution: Solution) -> Flop:
    """The worth of every state after the flop, for the pay table and the bands of the solution."""
    return Flop(solution, *_swept(solution.pays, solution.bands))


def _compared_by_class(word: Word, compared: Compared) -> Words:
    """Dealer's hands weaker plus dealer's hands not stronger over all deals, by class and field."""
    ways = np.array([ways_out_of_suit()[ranks] for size in (3, 4, 5) for ranks in multisets(5 - size)], np.int16)
    by_pair = word.column_sums(compared.ranks, ways_of_ranks())
    by_type = word.column_sums(compared.changes, ways)
    totals = np.zeros((CLASSES, word.fields), np.int64)
    for high in range(RANKS):
        for low in range(high + 1):
            neither, pair = TYPE[high, low], by_pair[TYPE[high, low]]
            one = by_type[TYPE[RANKS + high, low]] + by_type[TYPE[high, RANKS + low]]
            # Two cards of different suits; every board has ten flops.
            apart = 10 * (pair + one + 2 * by_type[neither])
            if high == low:
                totals[class_of(high, RANKS + low)] = 6 * apart
            else:
                totals[class_of(high, RANKS + low)] = 12 * apart
                both = by_type[TYPE[RANKS + high, RANKS + low]]
                totals[class_of(high, low)] = 4 * 10 * (pair + both + 3 * by_type[neither])
    return totals
