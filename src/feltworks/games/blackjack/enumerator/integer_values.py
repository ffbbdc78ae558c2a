"""What a given way of playing one upcard is worth, in integers.

Ordered draws of a fixed number of cards are counted: those in which a hand comes about, times what it gets back from
the dealer's draws after it. All counts are over the same number of draws, so they add up, and one division at the end
makes the exact fraction.

A worked example: 51 cards are left of one deck, among them 15 tens, 4 fives and 4 sixes. How often is the hand T 6
drawn, and how often T 6 5? Count both in ordered draws of three cards, of which there are 51 * 50 * 49 = 124,950.

    T 6, and any third card     15 * 4 * 49 = 2,940
    T 6 5                       15 * 4 * 4  =   240

    >>> ways(51, drawn=3)
    124950
    >>> 15 * 4 * ways(49, drawn=1), Fraction(2940 + 240, ways(51, drawn=3))
    (2940, Fraction(106, 4165))

Both counts are over the same 124,950 and are simply added. Real draws are longer, because the dealer's cards come
behind the hand; so the integers have no bounds.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import prod

import numpy as np

from feltworks.games.blackjack.enumerator.dealer_totals import Numbers, Whole, natural_card, weighted_counts
from feltworks.games.blackjack.enumerator.hands import RANKS, all_hands
from feltworks.games.blackjack.enumerator.split_hands import most_removed, weights_of_one
from feltworks.games.blackjack.enumerator.upcard_solver import MISSED, Action, Flags, SplitPlay, UpcardSolver
from feltworks.kit.compiled import compiled

MOST_OF_A_RANK = 33
"""No more cards of a rank are drawn than 32, and none is a number too."""


@cache
def following() -> list[list[int]]:
    """The hands after one more card that is not too many, by hand."""
    return [[reached for reached in row if reached >= 0] for row in all_hands().after.tolist()]


@compiled
def _mark_reached(hits: Flags, after: Numbers, reached: Flags) -> None:
    """Mark all hands that are come to from those that are marked."""
    for hand in range(len(hits)):
        if reached[hand] and hits[hand]:
            for rank in range(RANKS):
                if after[hand, rank] >= 0:
                    reached[after[hand, rank]] = True


@cache
def ways(cards: int, drawn: int) -> int:
    """In how many orders so many cards can be drawn from so many."""
    return prod(range(cards - drawn + 1, cards + 1))


@dataclass(frozen=True)
class SplitValue:
    """What the hands of a split pair are worth together, given the pair and the upcard.

    All but `staked_always` is joint with no blackjack of the dealer, unless that takes all.
    """

    net: Fraction
    staked: Fraction
    """Units staked."""
    staked_always: Fraction
    """The same whatever the dealer has."""


class Valuer:
    """Exact values against one upcard, for any way of playing."""

    def __init__(self, solver: UpcardSolver) -> None:
        self.solver, self.options, self.hands = solver, solver.options, solver.hands
        self.natural = natural_card(solver.upcard)
        self.shoe: list[int] = solver.shoe.tolist()
        self.fall = np.array(
            [
                [ways(number, drawn) if drawn <= number else 0 for drawn in range(MOST_OF_A_RANK)]
                for number in self.shoe
            ],
            dtype=object,
        )

    def ways_of(self, removed: Numbers) -> Whole:
        """In how many ways cards come in one given order, by row."""
        by_row: Whole = self.fall[np.arange(RANKS), removed].prod(1)
        return by_row

    def unbeaten_ways(self, cards: int, removed_naturals: int, drawn: int) -> int:
        """Ordered draws from so many cards in which the first, the hole card, does not make a blackjack."""
        if self.natural is None:
            return ways(cards, drawn)
        return (cards - (self.shoe[self.natural] - removed_naturals)) * ways(cards - 1, drawn - 1)

    def _reached(self, hits: Flags, roots: Iterable[int]) -> tuple[Flags, list[int]]:
        """Which hands stand, and all that are come to, from these on."""
        come_to = np.zeros(len(self.hands), np.bool_)
        come_to[list(roots)] = True
        _mark_reached(hits, self.hands.after, come_to)
        return come_to & ~hits, np.flatnonzero(come_to).tolist()

    def _next(self, hand: int) -> list[int]:
        return following()[hand]

    def nets(self, hits: Flags, asked: Iterable[tuple[int, Action]], worth: Numbers = MISSED) -> list[Fraction]:
        """The net of an action with a hand, joint as in `upcard_solver`, after which play goes on by `hits`. No splits.

        `worth` is what a standing hand misses of a return of 2, by hand and the dealer's total.
        """
        asked = list(asked)
        hands, most, cards = self.hands, self.solver.tree.most, self.solver.cards
        roots = {hand for hand, action in asked if action == Action.STAND}
        going = {reached for hand, action in asked if action == Action.HIT for reached in self._next(hand)}
        doubled = {reached for hand, action in asked if action == Action.DOUBLE for reached in self._next(hand)}
        stands, listed = self._reached(hits, going)
        stands[list(roots | doubled)] = True
        standing = np.flatnonzero(stands & (hands.cards <= self.solver.shoe).all(1))
        longest = max([2, *hands.size[standing].tolist(), *(int(hands.size[hand]) for hand, _ in asked)]) + most
        missed = weighted_counts(self.solver.tree, self.solver.shoe, hands.cards[standing], worth[standing])

        stand = dict.fromkeys(np.flatnonzero(stands).tolist(), 0)
        tails = [ways(cards - size - most, longest - size - most) for size in range(longest - most + 1)]
        for hand, naturals, size, reach, miss in zip(
            standing.tolist(),
            hands.cards[standing, self.natural or 0].tolist(),
            hands.size[standing].tolist(),
            self.ways_of(hands.cards[standing]),
            missed,
            strict=True,
        ):
            stand[hand] = reach * (2 * self.unbeaten_ways(cards - size, naturals, most) - miss) * tails[size]
        value: dict[int, int] = {}
        for hand in reversed(listed):
            value[hand] = sum(value[reached] for reached in self._next(hand)) if hits[hand] else stand[hand]

        draws = ways(cards, longest)
        nets = []
        for hand, action in asked:
            size, naturals = int(hands.size[hand]), int(hands.cards[hand, self.natural or 0])
            [reach] = self.ways_of(hands.cards[[hand]])
            unbeaten = reach * self.unbeaten_ways(cards - size, naturals, longest - size)
            stake = reach * ways(cards - size, longest - size) if self.options.takes_all else unbeaten
            if action == Action.STAND:
                net = Fraction(stand[hand] - stake, draws)
            elif action == Action.HIT:
                net = Fraction(sum(value[reached] for reached in self._next(hand)) - stake, draws)
            elif action == Action.DOUBLE:
                net = Fraction(2 * sum(stand[reached] for reached in self._next(hand)) - 2 * stake, draws)
            else:
                net = Fraction(unbeaten - 2 * stake, 2 * draws)
            nets.append(net)
        return nets

    def reach(self, hand: int) -> Fraction:
        """The chance of the cards of a hand in one given order."""
        [in_order] = self.ways_of(self.hands.cards[[hand]])
        return Fraction(in_order, ways(self.solver.cards, int(self.hands.size[hand])))

    def unbeaten(self, hand: int) -> Fraction:
        """The same, joint with no blackjack of the dealer."""
        return self.reach(hand) * (1 - self.blackjack(hand))

    def blackjack(self, hand: int) -> Fraction:
        """The chance that the dealer has blackjack behind a hand."""
        if self.natural is None:
            return Fraction(0)
        left = self.shoe[self.natural] - int(self.hands.cards[hand, self.natural])
        return Fraction(max(left, 0), self.solver.cards - int(self.hands.size[hand]))

    def split(self, rank: int, play: SplitPlay) -> SplitValue:
        """What splitting a pair is worth where its hands are played so (see `split_hands`)."""
        options, hands, tree = self.options, self.hands, self.solver.tree
        most = options.hands_from(rank)
        weights, rows = weights_of_one(most), self.solver.rows(rank)
        place = {hand: number for number, hand in enumerate(rows.hands.tolist())}
        own = hands.of(rank, rank)
        [pair_ways] = self.ways_of(hands.cards[[own]])
        cards = self.solver.cards - 2

        parts = []
        for weight, hits, seconds in (
            (weights.apart, play.apart, [second for second in range(RANKS) if second != rank]),
            (weights.alike, play.alike, [rank]),
        ):
            starts = {hands.of(rank, second): bool(play.doubles[second]) for second in seconds}
            stands, listed = self._reached(hits, [hand for hand, doubled in starts.items() if not doubled])
            stands[[reached for hand, doubled in starts.items() if doubled for reached in self._next(hand)]] = True
            parts.append((weight, hits, starts, listed, np.flatnonzero(stands).tolist()))

        in_shoe: Flags = np.all(rows.removed <= self.solver.shoe, axis=1)
        possible = in_shoe[rows.row].tolist()
        needed = sorted({
            (hand, further)
            for weight, _, _, _, standing in parts
            for hand in standing
            for further, times in enumerate(weight)
            if times and possible[place[hand]][further]
        })  # fmt: skip
        asked = [place[hand] for hand, _ in needed], [further for _, further in needed]
        removed = rows.removed[rows.row[asked]]
        missed = weighted_counts(tree, self.solver.shoe, removed, MISSED[rows.hands[asked[0]]])
        sizes = removed.sum(1) - 2
        longest = int(max(sizes.max(), 1 + most_removed(most))) + tree.most
        tails = [ways(cards - size - tree.most, longest - size - tree.most) for size in range(longest - tree.most + 1)]
        returned = {
            key: reach * (2 * self.unbeaten_ways(cards - size, naturals, tree.most) - miss) * tails[size]
            for key, naturals, size, reach, miss in zip(
                needed,
                removed[:, self.natural or 0].tolist(),
                sizes.tolist(),
                self.ways_of(removed),
                missed,
                strict=True,
            )
        }

        net = staked = staked_always = 0
        for weight, hits, starts, listed, standing in parts:
            stand = {
                hand: sum(times * returned.get((hand, further), 0) for further, times in enumerate(weight))
                for hand in standing
            }
            value: dict[int, int] = {}
            for hand in reversed(listed):
                value[hand] = sum(value[reached] for reached in self._next(hand)) if hits[hand] else stand[hand]
            for hand, doubled in starts.items():
                gone = rows.removed[rows.row[place[hand]]]
                naturals = gone[:, self.natural or 0].tolist()
                unbeaten, always = 0, 0
                for further, (times, reach) in enumerate(zip(weight, self.ways_of(gone), strict=False)):
                    left, drawn = cards - 1 - further, longest - 1 - further
                    if times and reach:
                        unbeaten += times * reach * self.unbeaten_ways(left, naturals[further], drawn)
                        always += times * reach * ways(left, drawn)
                units = 2 if doubled else 1
                back = 2 * sum(stand[reached] for reached in self._next(hand)) if doubled else value[hand]
                stake = units * (always if options.takes_all else unbeaten)
                net += back - stake
                staked += stake
                staked_always += units * always
        draws = pair_ways * ways(cards, longest)
        return SplitValue(Fraction(net, draws), Fraction(staked, draws), Fraction(staked_always, draws))
