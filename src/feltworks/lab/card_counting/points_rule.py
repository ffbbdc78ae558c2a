"""Group counts as a person can use them: points for the cards above and below an even share, and how many are enough.

What the counts of groups say of a wager is a polynomial that nobody works out at a table. Here it is made into a rule
of small whole numbers. A group's even share of the cards that are left is what it would have if it had lost as many as
the others. Every card above that share brings points, and so does every card below it; the wager is made when the
points are above a level that grows with the decks left. A first card is discarded when a sum of the same excesses is
below a level of its own.

The rule is fitted to the estimate by groups in shoes of its own, where that is close to nothing. It is no more than
near to it, so that what it wins is measured in the same shoes as all other counters.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import gcd
from typing import Any

import numpy as np

from feltworks.lab.card_counting.compositions import Flags, Numbers
from feltworks.lab.card_counting.group_estimate import GROUPS, TWO, GroupEstimate, Grouping, Kind

POINTS = {name: f"points_{number}" for name, number in GROUPS.items()}
"""Who counts groups in points, by who counts them in full."""
LARGEST = (1, 2, 3, 4, 5, 7, 10)
"""How many points a card may bring at most: as few as will do."""
ENOUGH = 0.995
"""The smallest points are taken that win this share of what any others do."""
NEAR = (0.0025, 0.005, 0.01, 0.02, 0.04, 0.08)
"""How near to nothing the estimate counts for the fit; what wins most is taken."""
NEAR_TRADES = (0.25, 0.5, 1.0)
"""The same for what a first card is worth more if it is kept, as a share of its usual size."""
FAR = 1e-6
"""What counts for next to nothing, and yet lets every fit be found."""


@dataclass(frozen=True)
class Level:
    """So many points, and so many more for each deck that is left; in tenths."""

    base: int
    per_deck: int

    @property
    def text(self) -> str:
        sign = "-" if self.per_deck < 0 else "+"
        return f"{self.base / 10:g}" + (f" {sign} {abs(self.per_deck) / 10:g} a deck" if self.per_deck else "")

    def to_json(self) -> dict[str, float]:
        return {"points": self.base / 10, "for_each_deck_left": self.per_deck / 10}


ALWAYS, NEVER = Level(10, 0), Level(-10, 0)
"""Without points: what is always discarded, and what never is. For wagers it is the other way round."""


@dataclass(frozen=True)
class TradePoints:
    """First cards that are discarded when a sum over the groups is below a level."""

    kinds: tuple[Kind, ...]
    weights: tuple[int, ...]
    """By group: for each card above its even share, and as much less for each card below it."""
    level: Level

    @property
    def always(self) -> bool | None:
        """Whether they are discarded whatever is left, or never; nothing if it depends."""
        return None if any(self.weights) else self.level == ALWAYS


@dataclass(frozen=True)
class PointsRule:
    """When to wager and what to discard by points."""

    grouping: Grouping
    sizes: tuple[int, ...]
    """How many cards there are in the full shoe, of each group and then of each sum of groups."""
    deck: int
    above: tuple[int, ...]
    """Points for each card of a group above its even share."""
    below: tuple[int, ...]
    """Points for each card below it."""
    level: Level
    """Above so many points the wager is made."""
    trades: tuple[TradePoints, ...] = ()

    @cached_property
    def _total(self) -> int:
        return sum(self.sizes[: len(self.grouping.groups)])

    def _excess(self, left: Numbers) -> Numbers:
        """How many cards of each group there are above its even share, times the cards of the full shoe: so it is a
        whole number, and nothing is rounded where a count is compared with a level."""
        counts = np.einsum("sg,gc->sc", members_of_sums(self.grouping), left)
        found: Numbers = self._total * counts - np.outer(self.sizes, left.sum(axis=0))
        return found

    def _reached(self, level: Level, left: Numbers) -> Numbers:
        """A level in the same measure, times ten and times the cards of a deck."""
        found: Numbers = self._total * (level.base * self.deck + level.per_deck * left.sum(axis=0))
        return found

    def wagers(self, left: Numbers) -> Flags:
        """Whether the wager is made, where columns tell how many cards of each group are left."""
        points = np.einsum("f,fc->c", np.array([*self.above, *self.below]), _sides(self._excess(left)))
        made: Flags = 10 * self.deck * points > self._reached(self.level, left)
        return made

    def discards(self, left: Numbers) -> Flags:
        """Whether each kind of first card is discarded then."""
        does = np.zeros((len(self.grouping.kinds), left.shape[1]), bool)
        excess = self._excess(left)[: len(left)]
        for rule in self.trades:
            points = np.einsum("g,gc->c", np.array(rule.weights), excess)
            chosen = [self.grouping.kinds.index(kind) for kind in rule.kinds]
            does[chosen] = 10 * self.deck * points < self._reached(rule.level, left)
        return does

    def needed(self, left: int) -> float:
        """Above how many points the wager is made with so many cards left."""
        return (self.level.base + self.level.per_deck * left / self.deck) / 10

    def words(self, weights: Sequence[int]) -> str:
        """A sum over the groups: "(2-5)", "(2-5) - 2 (J-A)"."""
        said = ""
        for weight, group in zip(weights, self.grouping.groups, strict=True):
            if weight:
                sign = ("- " if weight < 0 else "") if not said else (" - " if weight < 0 else " + ")
                said += sign + (f"{abs(weight)} " if abs(weight) > 1 else "") + f"({self.grouping.name(*group)})"
        return said

    def to_json(self) -> dict[str, Any]:
        return {
            "points": [
                {"ranks": ranks, "suits": suits, "above_the_even_share": above, "below_the_even_share": below}
                for (ranks, suits), above, below in zip(self.grouping.sums, self.above, self.below, strict=True)
            ],
            "wagers_above": self.level.to_json(),
            "cards_in_a_deck": self.deck,
            "trades": [
                {
                    "first_cards": [self.grouping.card_text(kind) for kind in rule.kinds],
                    "weights": list(rule.weights),
                    "trades_below": rule.level.to_json(),
                }
                for rule in self.trades
            ],
        }


def points_rule(grouping: Grouping, estimate: GroupEstimate, left: Numbers, deck: int) -> PointsRule:
    """A rule in points for an estimate, fitted where shoes have so much left of each card, by card and shoe."""
    return _Fit(grouping, estimate, left, deck).rule()


class _Fit:
    """States of the count, and what the estimate says in each."""

    def __init__(self, grouping: Grouping, estimate: GroupEstimate, left: Numbers, deck: int) -> None:
        self.grouping, self.estimate, self.deck = grouping, estimate, deck
        columns = estimate.counts(left).T
        _, places, times = np.unique(columns, axis=0, return_index=True, return_counts=True)
        counts = self.counts = columns[places].T
        self.times = times / times.sum()
        """How often each state comes."""
        self.total = counts.sum(axis=0)
        self.sums = members_of_sums(grouping)
        self.sizes = np.einsum("sg,g->s", self.sums, estimate.fresh)
        excess = np.einsum("sg,gc->sc", self.sums, counts) - np.outer(self.sizes / estimate.fresh.sum(), self.total)
        self.sides, self.excess = _sides(excess), excess[: len(counts)]
        kept, traded = estimate.choices(counts)
        every = estimate.every(counts)
        best = kept[0] if traded is None else np.maximum(kept[0], traded[0])
        self.worth: Numbers = estimate.common[0] + best.sum(axis=0) / every
        self.more: Numbers | None = None if traded is None else (kept[0] - traded[0]) / every
        """What keeping each kind of first card is worth more than discarding it."""

    def rule(self) -> PointsRule:
        sums = len(self.sizes)
        sizes = tuple(int(size) for size in self.sizes)
        found = PointsRule(self.grouping, sizes, self.deck, (0,) * sums, (0,) * sums, self._without_points())
        slopes = max((self._wager_fit(self.sides, near) for near in NEAR), key=self._wins)
        tried = [self._in_points(found, weights) for weights in _whole(list(slopes[:-2]), self._shifts(slopes))]
        most = max(map(self._won, [found, *tried]))
        found = next(rule for rule in [found, *tried] if self._won(rule) >= ENOUGH * most)
        return replace(found, trades=tuple(self._trades(found)))

    # The wager.

    def _without_points(self) -> Level:
        return NEVER if float(self.worth @ self.times) > 0 else ALWAYS

    def _wager_fit(self, features: Numbers, near: float) -> Numbers:
        """The slopes of the estimate along some features where it is near to nothing, then along the decks left and
        the constant. It is told for a shoe of so many cards, in which a card more or less then weighs the same."""
        weights = self.times * (np.exp(-0.5 * (self.worth / near) ** 2) + FAR)
        return _fitted(self._with_depth(features), self.worth * self.total, weights)

    def _with_depth(self, features: Numbers) -> Numbers:
        return np.vstack([features, self.total / self.deck, np.ones_like(self.total)])

    def _wins(self, slopes: Numbers) -> float:
        made = np.einsum("f,fc->c", slopes, self._with_depth(self.sides)) > 0
        return float(np.where(made, self.worth, 0.0) @ self.times)

    def _won(self, rule: PointsRule) -> float:
        """What the wager wins by a rule, with the best discards."""
        return float(np.where(rule.wagers(self.counts), self.worth, 0.0) @ self.times)

    def _in_points(self, rule: PointsRule, weights: Sequence[int]) -> PointsRule:
        """The best level for these points."""
        above, below = tuple(weights[: len(rule.above)]), tuple(weights[len(rule.above) :])
        points = np.einsum("f,fc->c", np.array(weights, np.float64), self.sides)
        tried = [rule]
        for near in NEAR:
            level = _level(self._wager_fit(points[None], near))
            if level is not None:
                tried.append(replace(rule, above=above, below=below, level=level))
        return max(tried, key=self._won)

    def _shifts(self, slopes: Numbers) -> list[list[float]]:
        """As many cards are above the even shares as are below them, so that points for all of the first can be
        exchanged for points for all of the others: as each makes one side of one group nothing."""
        groups, sums = len(self.counts), len(self.sizes)
        if groups == TWO:  # what one has too many the other has too few
            _, _, first, second, *_ = slopes.tolist()
            return [[-second, -first, first, second]]
        one = np.r_[np.ones(groups), np.zeros(sums - groups)]
        sides = [0.0, *slopes[:groups], *(-slopes[sums : sums + groups])]
        return [[*(side * one), *(-side * one)] for side in sides]

    # What is discarded.

    def _trades(self, rule: PointsRule) -> Iterator[TradePoints]:
        """For the first cards of each group the same points where that is good enough, and for each a level."""
        if self.more is None:
            return
        made = rule.wagers(self.counts)
        chosen = dict[tuple[tuple[int, ...], Level], list[Kind]]()
        for group in range(len(self.counts)):
            kinds = np.flatnonzero(self.estimate.group == group).tolist()
            slopes = [self._trade_fit(kind, self.excess, made, 1.0)[:-2] for kind in kinds]
            together = _whole_around(np.sum(slopes, axis=0), group)
            for kind, own in zip(kinds, slopes, strict=True):
                points = dict.fromkeys([*together, *_whole_around(own, group)])
                tried = [self._trade_in_points(kind, weights, made) for weights in points]
                enough = _share(max(gain for gain, _, _ in tried))
                _, weights, level = next(each for each in tried if each[0] >= enough)
                chosen.setdefault((weights, level), []).append(self.grouping.kinds[kind])
        for (weights, level), which in chosen.items():
            yield TradePoints(tuple(which), weights, level)

    def _trade_fit(self, kind: int, features: Numbers, made: Flags, near: float) -> Numbers:
        """The slopes of what keeping a card is worth more, each time that it comes, where the wager is made."""
        assert self.more is not None
        come = np.maximum(self.counts[self.estimate.group[kind]], 1.0)
        more = self.more[kind] / come * self.total**2
        weights = self.times * (made + FAR)
        usual = np.sqrt((more**2 @ weights) / weights.sum()) or 1.0
        weights = weights * (np.exp(-0.5 * (more / (near * usual)) ** 2) + FAR)
        return _fitted(self._with_depth(features), more, weights)

    def _trade_in_points(
        self, kind: int, weights: tuple[int, ...], made: Flags
    ) -> tuple[float, tuple[int, ...], Level]:
        """What is gained by discarding a card, the points and the best level for it. What is always right, or never,
        needs no points."""
        assert self.more is not None
        points = np.einsum("g,gc->c", np.array(weights, np.float64), self.excess)
        gained = np.where(made, -self.more[kind], 0.0) * self.times
        none = (0,) * len(weights)
        best = max([(0.0, none, NEVER), (float(gained.sum()), none, ALWAYS)], key=lambda each: each[0])
        for near in NEAR_TRADES:
            level = _level(self._trade_fit(kind, points[None], made, near))
            if level is None:
                continue
            does = points < (level.base + level.per_deck * self.total / self.deck) / 10
            gain = float(gained[does].sum())
            if _share(gain) > best[0]:
                best = gain, weights, level
        return best


def members_of_sums(grouping: Grouping) -> Numbers:
    """By sum and group: whether it belongs to it."""
    return np.array(
        [
            [float(set(ranks) <= set(more) and set(suits) <= set(blocks)) for ranks, suits in grouping.groups]
            for more, blocks in grouping.sums
        ]
    )


def _sides(excess: Numbers) -> Numbers:
    """How far each group is above its even share, and below that how far each is below it."""
    return np.vstack([np.maximum(excess, 0.0), np.maximum(-excess, 0.0)])


def _fitted(features: Numbers, values: Numbers, weights: Numbers) -> Numbers:
    """By least squares."""
    weighted = features * weights
    products = np.einsum("fc,gc->fg", weighted, features)
    found: Numbers = np.linalg.lstsq(products, np.einsum("fc,c->f", weighted, values), rcond=1e-11)[0]
    return found


def _level(slopes: Numbers) -> Level | None:
    """Where points with a slope, the decks left and a constant come to nothing; nothing if more points are worse."""
    slope, per_deck, constant = slopes.tolist()
    if slope <= 0 or max(abs(per_deck), abs(constant)) > 1e4 * slope:
        return None
    return Level(round(-10 * constant / slope), round(-10 * per_deck / slope))


def _whole(slopes: Sequence[float], shifts: Sequence[Sequence[float]]) -> Iterator[tuple[int, ...]]:
    """The slopes as whole numbers, first with the smallest ones. Of the shifts that change nothing, the one is taken
    that leaves most of them out."""
    for largest in LARGEST:
        tried = []
        for shift in shifts:
            shifted = [slope - by for slope, by in zip(slopes, shift, strict=True)]
            scale = max(map(abs, shifted))
            whole = [round(largest * slope / scale) if scale else 0 for slope in shifted]
            common = gcd(*whole) or 1
            tried.append(tuple(number // common for number in whole))
        yield min(
            tried, key=lambda whole: (-whole.count(0), sum(map(abs, whole)), sum(map(abs, whole[len(whole) // 2 :])))
        )


def _whole_around(slopes: Numbers, group: int) -> list[tuple[int, ...]]:
    """The same where all excesses sum to nothing, so that most of the other groups can be left out."""
    others = float(np.median(np.delete(slopes, group)))
    return list(_whole(list(slopes), [[others] * len(slopes)]))


def _share(gain: float) -> float:
    """What is enough of a gain, which may be a loss."""
    return gain - (1 - ENOUGH) * abs(gain)
