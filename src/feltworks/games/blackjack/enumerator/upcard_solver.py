"""The best play against one upcard, found in float64.

A worked example, with one deck: T 6 against a ten. Of the 51 other cards 15 are tens and 4 are sixes.

    chance of a T and then a 6                      15/51 * 4/50          = 0.0235     `reach`
    the same, and the dealer has no blackjack       * (1 - 4/49)          = 0.0216     `unbeaten`
    the same, times what standing returns: 2 where
    the dealer goes over 21, for 17 to 21 beat 16                         = 0.0099     `stand`
    the same for a hit, summed over the next card:
    A to 5 play on, 6 to T are over 21                                    = 0.0107     `best`

Standing nets 0.0099 - 0.0216 and a hit 0.0107 - 0.0216, for 0.0216 is the stake. A hit is better.

    >>> solver = UpcardSolver(np.array([4, 4, 4, 4, 4, 4, 4, 4, 4, 15]), upcard=9, options=Options(decks=1))
    >>> hand = solver.hands.of(9, 5)
    >>> [round(float(values[hand]), 4) for values in (solver.reach, solver.unbeaten, solver.stand, solver.best)]
    [0.0235, 0.0216, 0.0099, 0.0107]
    >>> {action.label: round(net / float(solver.unbeaten[hand]), 3) for action, net in solver.nets(hand).items()}
    {'stand': -0.543, 'hit': -0.507, 'double': -1.014}

So values are joint, as `dealer_totals` has it: with the hand's cards in one order, and with no blackjack of the dealer.
A hit is then the plain sum over the next card. What is counted is the return (0, 1 or 2 units by stake), which a hand
over 21 does not have; so every sum is of positive numbers, and the error stays at some units of the last place. A
decision that is nearer than that costs nothing that could be printed; `solution` values what was decided with integers.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from feltworks.games.blackjack.enumerator.dealer_totals import (
    LOWEST,
    TOTALS,
    Chances,
    DrawTree,
    Numbers,
    chances,
    draw_tree,
    natural_card,
)
from feltworks.games.blackjack.enumerator.hands import RANKS, all_hands
from feltworks.games.blackjack.enumerator.split_hands import most_removed, weights_of_one
from feltworks.games.blackjack.options import Options
from feltworks.kit.compiled import compiled

Flags = NDArray[np.bool_]
LARGEST = 21
"""No hand has more cards."""
MOST_REMOVED = 32
"""Fewer cards than this are removed from the shoe for any hand of a split pair."""


class Action(IntEnum):
    """What a seat may do with its first two cards."""

    STAND = 0
    HIT = 1
    DOUBLE = 2
    SPLIT = 3
    SURRENDER = 4

    @property
    def label(self) -> str:
        """Its name on the command line."""
        return self.name.lower()


@dataclass(frozen=True)
class SplitPlay:
    """How the hands of a split pair are played, by the number of the hand."""

    apart: Flags
    """Whether to hit, where the second card was of another rank."""
    alike: Flags
    """The same where it was of the same rank."""
    doubles: Flags
    """Whether to double, by the second card."""


@dataclass(frozen=True)
class Play:
    """How one upcard is played."""

    hits: Flags
    """Whether to hit rather than to stand, by the number of the hand."""
    first: NDArray[np.int8]
    """The action with two cards, by the number of the hand."""
    splits: tuple[SplitPlay, ...]
    """By rank of the pair."""


def worth_missed() -> Numbers:
    """What a hand misses of a return of 2, by hand and the dealer's total: 2 if that is higher, 1 if it is equal."""
    own = all_hands().total[:, None]
    dealer = np.arange(LOWEST, LOWEST + TOTALS)
    missed = 2 * (dealer > own) + (dealer == own)
    return np.hstack([missed, np.zeros((len(own), 1), np.int64)]).astype(np.int64)


MISSED = worth_missed()


@dataclass(frozen=True)
class Rows:
    """The removed cards that matter for the hands of a split pair, each once."""

    hands: Numbers
    """The hands that have a card of the rank."""
    removed: Numbers
    """Cards removed, by row: the hand's own, the other hand's first, and further ones of the rank."""
    row: Numbers
    """The row, by hand among these and number of further cards removed."""


@cache
def rows_of(rank: int, most: int, largest: int) -> Rows:
    """The rows of a rank, for up to so many further cards removed and for hands of at most so many cards."""
    hands = all_hands()
    with_rank = np.flatnonzero((hands.cards[:, rank] > 0) & (hands.size <= largest))
    further = np.arange(most + 1)
    removed = np.repeat(hands.cards[with_rank][:, None, :], most + 1, 1)
    removed[:, :, rank] += 1 + further
    flat = removed.reshape(-1, RANKS)
    _, first, row = np.unique(flat @ (MOST_REMOVED ** np.arange(RANKS)), return_index=True, return_inverse=True)
    return Rows(with_rank, flat[first], row.reshape(len(with_rank), most + 1))


@compiled
def hand_values(stand: Chances, after: Numbers, hits: Flags, forced: bool) -> Chances:
    """The value of every hand from the last to the first, and into `hits` where a hit is better than to stand.

    Where it is forced, `hits` is followed instead.
    """
    value = np.zeros(len(stand))
    for hand in range(len(stand) - 1, -1, -1):
        hit = 0.0
        for rank in range(RANKS):
            reached = after[hand, rank]
            if reached >= 0:
                hit += value[reached]
        if not forced:
            hits[hand] = hit > stand[hand]
        value[hand] = hit if hits[hand] else stand[hand]
    return value


def drawn_sum(values: Chances, hand: int) -> float:
    """The sum over the next card, where none leads over 21."""
    after = all_hands().after[hand]
    return float(values[after[after >= 0]].sum())


def falling(numbers: Numbers, most: int) -> Chances:
    """n (n - 1) ... with k factors, by n and k."""
    steps = np.maximum(numbers[:, None] - np.arange(most), 0).astype(np.float64)
    return np.hstack([np.ones((len(numbers), 1)), np.cumprod(steps, 1)])


@dataclass(frozen=True)
class Split:
    """The value of a split and how it is played: in units of the chance of the pair."""

    net: float
    play: SplitPlay


@dataclass(frozen=True)
class SplitSums:
    """What split hands come to if they stand, by hand, summed with the weights of `split_hands`."""

    stand: Chances
    stake: Chances


class UpcardSolver:
    """All that can be asked about one upcard. The shoe is without it."""

    def __init__(self, shoe: Numbers, upcard: int, options: Options) -> None:
        self.options, self.upcard, self.shoe = options, upcard, shoe
        self.tree: DrawTree = draw_tree(upcard, options.hits_soft_17)
        self.hands = all_hands()
        self.cards = int(shoe.sum())
        self._split_sums: dict[int, tuple[SplitSums, SplitSums]] = {}

    def chance_of_no_blackjack(self, removed: Numbers) -> Chances:
        """The chance that the dealer has no blackjack, by row of removed cards."""
        natural = natural_card(self.upcard)
        if natural is None:
            return np.ones(len(removed))
        left = self.cards - removed.sum(1)
        chance: Chances = 1 - (self.shoe[natural] - removed[:, natural]) / np.maximum(left, 1)
        return chance

    @cached_property
    def _chances(self) -> Chances:
        return chances(self.tree, self.shoe, self.hands.cards)

    @cached_property
    def reach(self) -> Chances:
        """The chance to draw the cards of each hand in one given order."""
        fall = falling(self.shoe, LARGEST + 1)
        ways = fall[np.arange(RANKS), self.hands.cards].prod(1)
        every = falling(np.array([self.cards]), LARGEST + 1)[0, self.hands.size]
        reach: Chances = ways / np.maximum(every, 1)
        return reach

    @cached_property
    def unbeaten(self) -> Chances:
        """`reach` joint with no blackjack of the dealer."""
        return self.reach * self.chance_of_no_blackjack(self.hands.cards)

    @cached_property
    def stakes(self) -> Chances:
        """`reach` joint with what a stake can be lost to: where a peek has ended the round it cannot."""
        return self.reach if self.options.takes_all else self.unbeaten

    @cached_property
    def stand(self) -> Chances:
        """The return of standing, joint."""
        returned: Chances = 2 * self.unbeaten - self.reach * (self._chances * MISSED[:, :TOTALS]).sum(1)
        return returned

    @cached_property
    def hits(self) -> Flags:
        """Where a hit is better than to stand."""
        hits = np.zeros(len(self.hands), np.bool_)
        hand_values(self.stand, self.hands.after, hits, False)
        return hits

    @cached_property
    def best(self) -> Chances:
        """The return of the better of hit and stand, joint."""
        return hand_values(self.stand, self.hands.after, self.hits, True)  # type: ignore[no-any-return]

    def nets(self, hand: int, values: Chances | None = None) -> dict[Action, float]:
        """The net of each action with two cards, joint; after a hit play goes on to these values."""
        values = self.best if values is None else values
        stake, options, hands = self.stakes[hand], self.options, self.hands
        nets = {
            Action.STAND: float(self.stand[hand] - stake),
            Action.HIT: drawn_sum(values, hand) - float(stake),
        }
        if hands.size[hand] != 2:
            return nets
        if options.may_double(int(hands.hard[hand]), bool(hands.soft[hand])):
            nets[Action.DOUBLE] = 2 * drawn_sum(self.stand, hand) - 2 * float(stake)
        if options.surrenders:
            nets[Action.SURRENDER] = float(self.unbeaten[hand] / 2 - stake)
        return nets

    def rows(self, rank: int) -> Rows:
        """The rows for splitting a pair of this rank."""
        most = self.options.hands_from(rank)
        return rows_of(rank, most_removed(most), 2 if self.options.one_card(rank) else LARGEST)

    def _sums(self, rank: int) -> tuple[SplitSums, SplitSums]:
        """What the hands of a split pair stand for together, apart and alike (see `split_hands`)."""
        if rank not in self._split_sums:
            self._split_sums[rank] = self._add_up(rank)
        return self._split_sums[rank]

    def _add_up(self, rank: int) -> tuple[SplitSums, SplitSums]:
        options, hands, rows = self.options, self.hands, self.rows(rank)
        most = options.hands_from(rank)
        shoe = self.shoe.copy()
        shoe[rank] -= 2
        # The hand's first card is of the pair: what is drawn is one less, and the further ones.
        drawn = hands.cards[rows.hands].copy()
        drawn[:, rank] -= 1
        further = np.arange(most_removed(most) + 1)
        fall = falling(shoe, MOST_REMOVED)
        ways = np.delete(fall[np.arange(RANKS), drawn], rank, 1).prod(1)
        every = falling(np.array([self.cards - 2]), MOST_REMOVED)[0, drawn.sum(1)[:, None] + further]
        reach = ways[:, None] * fall[rank, drawn[:, rank, None] + further] / np.maximum(every, 1)

        by_row = chances(self.tree, self.shoe, rows.removed)[rows.row]
        no_blackjack = self.chance_of_no_blackjack(rows.removed)[rows.row]
        own = MISSED[rows.hands][:, None, :TOTALS]
        stand = reach * (2 * no_blackjack - (by_row * own).sum(2))
        stake = reach if options.takes_all else reach * no_blackjack

        def weighted(values: Chances, weights: tuple[int, ...]) -> Chances:
            sums = np.zeros(len(hands))
            sums[rows.hands] = values[:, : len(weights)] @ np.array(weights, np.float64)
            return sums

        weights = weights_of_one(most)
        apart, alike = (
            SplitSums(weighted(stand, each), weighted(stake, each)) for each in (weights.apart, weights.alike)
        )
        return apart, alike

    def split(self, rank: int, follow: SplitPlay | None = None) -> Split:
        """The net of splitting a pair, and the best way to play it by each hand's own cards.

        With `follow` it is played that way instead.
        """
        hands = self.hands
        doubles = np.zeros(RANKS, np.bool_) if follow is None else follow.doubles
        if self.shoe[rank] < 2:
            none = np.zeros(len(hands), np.bool_)
            return Split(0.0, follow or SplitPlay(none, none, doubles))
        net = 0.0
        played = []
        for alike, sums in enumerate(self._sums(rank)):
            if follow is None:
                hits = np.zeros(len(hands), np.bool_)
                if not self.options.one_card(rank):
                    hand_values(sums.stand, hands.after, hits, False)
            else:
                hits = follow.alike if alike else follow.apart
            played.append(hits)
            values = hand_values(sums.stand, hands.after, hits, True)
            for second in [rank] if alike else [second for second in range(RANKS) if second != rank]:
                hand = hands.of(rank, second)
                stake = float(sums.stake[hand])
                once, twice = float(values[hand]) - stake, 2 * drawn_sum(sums.stand, hand) - 2 * stake
                if follow is None and self.doubles_split(rank, hand):
                    doubles[second] = twice > once
                net += twice if doubles[second] else once
        return Split(net, SplitPlay(played[0], played[1], doubles))

    def doubles_split(self, rank: int, hand: int) -> bool:
        """Whether a split hand may be doubled; one of 21 is played."""
        options, hands = self.options, self.hands
        return (
            options.doubles_after_split
            and not options.one_card(rank)
            and int(hands.total[hand]) < 21
            and options.may_double(int(hands.hard[hand]), bool(hands.soft[hand]))
        )
