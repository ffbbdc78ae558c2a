"""The game counted in the plainest way, for any deck: every deal, one after the other, and nothing clever.

This is what the fast solution is checked against. A deck is any collection of cards by their index (`Card.index`), and
bands are told by a function of the card. Small decks are solved whole; with the full deck one state after the flop is
counted at a time.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from feltworks.kit.cards import SUITED_CARDS
from feltworks.kit.fast_poker import CATEGORY_SHIFT, evaluate, value_of
from feltworks.kit.poker import HandRank, best_hand

Band = Callable[[int], str]
"""The band of a card."""
Reader = Callable[[NDArray[np.uint8]], NDArray[np.uint16]]
"""Reads many hands of seven cards, as `feltworks.kit.fast_poker.evaluate` does."""


@dataclass
class Tally:
    """What the dealer's hands of one pair of bands do to a hand in one state, over every turn and river."""

    deals: int = 0
    ties: int = 0
    wins: Counter[HandRank] = field(default_factory=Counter)

    def worth(self, pays: Mapping[HandRank, Fraction], play: int) -> Fraction:
        """The sum of the net results in Antes with a Play of that many Antes."""
        lost = self.deals - self.ties - self.wins.total()
        won = sum(((1 + pays.get(line, Fraction(0)) + play) * count for line, count in self.wins.items()), Fraction(0))
        return won - (2 + play) * lost


def read_plainly(hands: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Values of hands as the rules read them, card by card."""
    return np.array([_value(tuple(sorted(hand))) for hand in hands.tolist()], np.uint16)


@cache
def _value(hand: tuple[int, ...]) -> int:
    return value_of(best_hand([SUITED_CARDS[card] for card in hand]))


def count_state(
    deck: Iterable[int], hole: Collection[int], flop: Collection[int], band: Band, read: Reader = evaluate
) -> dict[tuple[str, str], Tally]:
    """Every turn and river with every dealer's hand, by pair of bands (the names in alphabetical order)."""
    rest = [card for card in deck if card not in hole and card not in flop]
    pairs = np.array(list(combinations(rest, 2)), np.uint8)
    shown = [_bands(pair, band) for pair in pairs.tolist()]
    apart = ~(pairs[:, None, :, None] == pairs[None, :, None, :]).any((2, 3))
    runout, dealer = np.nonzero(apart)
    own = read(_hands(hole, flop, pairs))
    theirs = read(np.concatenate([pairs[dealer], _hands((), flop, pairs[runout])], 1))
    tallies: dict[tuple[str, str], Tally] = defaultdict(Tally)
    names = sorted(set(shown))
    bands = np.array([names.index(pair) for pair in shown])[dealer]
    mine = own[runout]
    for number, name in enumerate(names):
        here = bands == number
        won = Counter((mine[here & (mine > theirs)] >> CATEGORY_SHIFT).tolist())
        tallies[name] = Tally(
            int(here.sum()), int((mine == theirs)[here].sum()), Counter({HandRank(c): n for c, n in won.items()})
        )
    return dict(tallies)


def _bands(cards: Sequence[int], band: Band) -> tuple[str, str]:
    first, second = sorted(map(band, cards))
    return first, second


def _hands(hole: Collection[int], flop: Collection[int], pairs: NDArray[np.uint8]) -> NDArray[np.uint8]:
    fixed = np.array([*hole, *flop], np.uint8)
    return np.concatenate([np.broadcast_to(fixed, (len(pairs), len(fixed))), pairs], 1)


@dataclass(frozen=True)
class Optimum:
    """The best that can be done with a deck."""

    value: Fraction
    """The expected net result of a round in Antes."""
    before: dict[tuple[tuple[int, ...], tuple[str, str]], dict[str, Fraction]]
    """By hole cards and pair of bands, what each option before the flop is worth."""


def solve_deck(
    deck: Sequence[int], band: Band, pays: Mapping[HandRank, Fraction], read: Reader = read_plainly
) -> Optimum:
    """Every deal of a small deck, every decision made as well as possible."""
    total, deals = Fraction(0), 0
    before: dict[tuple[tuple[int, ...], tuple[str, str]], dict[str, Fraction]] = {}
    for hole in combinations(deck, 2):
        options: dict[tuple[str, str], dict[str, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
        weights: Counter[tuple[str, str]] = Counter()
        for flop in combinations([card for card in deck if card not in hole], 3):
            for pair, tally in count_state(deck, hole, flop, band, read).items():
                weights[pair] += tally.deals
                options[pair]["check"] += max(tally.worth(pays, 1), Fraction(-2 * tally.deals))
                options[pair]["2x"] += tally.worth(pays, 2)
                options[pair]["3x"] += tally.worth(pays, 3)
        for pair, sums in options.items():
            total += max(sums.values())
            deals += weights[pair]
            before[hole, pair] = {option: worth / weights[pair] for option, worth in sums.items()}
    return Optimum(total / deals, before)
