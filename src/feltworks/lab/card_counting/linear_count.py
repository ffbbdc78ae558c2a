"""The linear count of a wager: the exact effect of removing each card, and whole numbers that a person can keep.

The expectation of a wager is the mean of a function of a few cards over all deals of the cards that are left. So by
Hoeffding's decomposition its best linear estimate, at any depth of the shoe, is

    expectation with the full shoe + (cards of the full shoe - 1) / (cards left) x sum of the effects of the cards gone,

and it needs no regression over a sample. With whole numbers in place of the effects it is the same, times the slope
that regresses the effects on those numbers.

That estimate is the best by least squares, which is not what a counter needs most: who wagers when it is positive takes
no account of how the expectation bends. With c for how much it bends where the cards are shifted along the effects, the
expectation to be expected at an estimate is nearer to

    estimate + c x (deviation of the estimate from the full shoe, squared, less the mean of that square at this depth),

and an index for the depth is where this is nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, inf, sqrt
from typing import Any

import numpy as np

from feltworks.kit.paytable import PayTable
from feltworks.lab.card_counting.compositions import ZERO, Hands, Numbers
from feltworks.lab.wager_analysis import value_json

LINEAR, WHOLE, INDEXED = "linear", "whole", "indexed"
"""Who counts by the effects themselves, who does by whole numbers, and who also has an index for every depth."""
SHIFT = Fraction(1, 10)
"""How far the cards are shifted to find out how the expectation bends: in the largest of the effects, as a share."""
LARGEST_TAG = 2
"""A count in whole numbers takes no card for more than this: a person has to keep it for hours."""
SCALES = 81
"""How many scales are tried to make whole numbers of the effects."""


@dataclass(frozen=True)
class Tags:
    """A balanced count in whole numbers: what each card adds to it when it is gone."""

    tags: Mapping[str, int]
    correlation: float
    """Of the tags with the effects."""
    slope: Fraction
    """What a point of a tag stands for, as an effect."""
    pivot: Fraction
    """The count for each deck that is left above which the wager is favourable."""

    def to_json(self) -> dict[str, Any]:
        return {
            "tags": dict(self.tags),
            "correlation": self.correlation,
            "pivot_per_deck": value_json(self.pivot),
        }


@dataclass(frozen=True)
class LinearCount:
    """A wager by one pay table: what it is worth with the full shoe, and what each card gone adds to that."""

    expectation: Fraction
    effects: Mapping[str, Fraction]
    """By rank; by card where suits differ in it."""
    tags: Tags | None
    """Nothing where no card has an effect."""
    labels: Sequence[str]
    """The rank or card of each count of a composition."""
    shoe: int
    bend: float = 0.0
    """How the expectation bends where the cards are shifted along the effects: half of its second derivative, in terms
    of the estimate."""
    spread: float = 0.0
    """The mean square of what a card gone adds to the estimate."""

    def index(self, gone: int) -> float:
        """The estimate above which the wager can be expected to be favourable when so many cards are gone."""
        start, left = float(self.expectation), self.shoe - gone
        if not self.bend:
            return 0.0
        constant = start - self.bend * self.spread * gone / ((self.shoe - 1) * left)
        under = 1 - 4 * self.bend * constant
        return start + (sqrt(under) - 1) / (2 * self.bend) if under >= 0 else inf

    def index_per_deck(self, gone: int) -> float | None:
        """The same by the tags: the count for each deck that is left."""
        index = self.index(gone)
        if self.tags is None or index == inf or not self.expectation:
            return None
        start = float(self.expectation)
        return float(self.tags.pivot) * (index - start) / -start

    @property
    def weights(self) -> dict[str, Numbers]:
        """What each card gone adds to the estimate, divided by the cards left: by its effect, and by its tag."""
        scale = self.shoe - 1
        weights = {LINEAR: np.array([float(self.effects[label] * scale) for label in self.labels])}
        if self.tags is not None:
            point = float(self.tags.slope * scale)
            weights[WHOLE] = np.array([self.tags.tags[label] * point for label in self.labels])
        return weights


def linear_count(hands: Hands, pay: PayTable, decks: int) -> LinearCount:
    """The exact effects of a wager with one pay table, and the best whole numbers for them."""
    full = hands.fresh[:, None]
    expectation, *without = hands.expectations(pay, np.hstack([full, full - np.eye(len(full), dtype=np.int64)]))
    changes = [worth - expectation for worth in without]
    labels = [card.suitless.text for card in hands.cards]
    if len(set(zip(labels, changes, strict=True))) > len(set(labels)):
        labels = [card.text for card in hands.cards]
    effects, shoe = dict(zip(labels, changes, strict=True)), int(hands.fresh.sum())
    tags = _best_tags(effects, -expectation * Fraction(shoe, decks * (shoe - 1)))
    count = LinearCount(expectation, effects, tags, labels, shoe)
    spread = float((count.weights[LINEAR] ** 2 * hands.fresh).sum() / shoe)
    return replace(count, bend=_bend(hands, pay, count), spread=spread)


def _bend(hands: Hands, pay: PayTable, count: LinearCount) -> float:
    """By the differences of the expectation with the cards shifted both ways along the effects."""
    weights = count.weights[LINEAR]
    largest = float(np.abs(weights).max())
    if not largest:
        return 0.0
    step = float(SHIFT) / largest
    full = hands.fresh.astype(np.float64)[:, None]
    nets = np.array([float(net) for net in hands.nets(pay)])
    ends, every = hands.deals(full * (1 + step * np.outer(weights, (-1, 0, 1))))
    low, middle, high = np.einsum("e,ec->c", nets, ends) / every
    return float((high - 2 * middle + low) / (2 * ((high - low) / 2) ** 2))


def _best_tags(effects: Mapping[str, Fraction], needed: Fraction) -> Tags | None:
    """Of all scales the one whose whole numbers go best with the effects."""
    largest = max(map(abs, effects.values()))
    if not largest:
        return None
    best = None
    for step in range(SCALES):
        scale = largest / (Fraction(1, 2) + LARGEST_TAG * Fraction(step, SCALES - 1))
        numbers = _apportioned([effect / scale for effect in effects.values()])
        squares = sum(number**2 for number in numbers)
        if not 0 < max(map(abs, numbers)) <= LARGEST_TAG:
            continue
        both = sum((effect * number for effect, number in zip(effects.values(), numbers, strict=True)), ZERO)
        correlation = float(both) / sqrt(squares * sum((effect**2 for effect in effects.values()), ZERO))
        if best is None or correlation > best.correlation + 1e-12:
            slope = both / squares
            best = Tags(dict(zip(effects, numbers, strict=True)), correlation, slope, needed / slope)
    return best


def _apportioned(shares: Sequence[Fraction]) -> list[int]:
    """Whole numbers for shares that sum to nothing, which do so too: those that were cut most are raised again."""
    numbers = [floor(share) for share in shares]
    cut_most = sorted(range(len(shares)), key=lambda i: numbers[i] - shares[i])
    for i in cut_most[: -sum(numbers)]:
        numbers[i] += 1
    return numbers
