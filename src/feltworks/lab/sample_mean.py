"""What was counted, kept exact: the mean, its error and the interval around it come from whole counts."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Protocol

ZERO = Fraction(0)
WITHIN_95_PERCENT = 1.959964
"""95 % of a normal distribution lie within so many standard deviations."""

Pair = tuple[Fraction, Fraction]


class Results(Protocol):
    """The net result and the stakes made of many rounds, both in units of the opening stake."""

    @property
    def size(self) -> int: ...

    @property
    def net(self) -> Fraction: ...

    @property
    def made(self) -> Fraction: ...

    def deviation(self, edge: Fraction = ZERO) -> float:
        """The standard deviation of the net result, beyond what an edge takes of the stakes made."""


class _Edged:
    """What follows from results of either kind."""

    @property
    def edge(self: Results) -> Fraction:
        """What the house won per unit of opening stake made: the edge of an analysis, as it came out."""
        return -self.net / self.made

    @property
    def interval(self: Results) -> tuple[float, float]:
        """Where the edge lies with 95 % confidence."""
        edge = -self.net / self.made
        reach = WITHIN_95_PERCENT * self.deviation(edge) * sqrt(self.size) / float(self.made)
        return float(edge) - reach, float(edge) + reach


@dataclass(frozen=True)
class Sample(_Edged):
    """How often each pair of net result and stakes made came up; the spread is the sample's own."""

    counts: Mapping[Pair, int]

    @cached_property
    def size(self) -> int:
        return sum(self.counts.values())

    @cached_property
    def net(self) -> Fraction:
        return sum((count * net for (net, _), count in self.counts.items()), ZERO)

    @cached_property
    def made(self) -> Fraction:
        return sum((count * made for (_, made), count in self.counts.items()), ZERO)

    @property
    def one_stake_each(self) -> bool:
        """Whether each round had one opening stake."""
        return all(made == 1 for _, made in self.counts)

    def deviation(self, edge: Fraction = ZERO) -> float:
        if self.size < 2:
            return 0.0
        mean = (self.net + edge * self.made) / self.size
        squares = (count * (net + edge * made - mean) ** 2 for (net, made), count in self.counts.items())
        return sqrt(sum(squares, ZERO) / (self.size - 1))


@dataclass(frozen=True)
class Totals(_Edged):
    """Sums over so many rounds that only they were kept; the spread of one round is the exact one."""

    size: int
    net: Fraction
    made: Fraction
    net_variance: Fraction
    made_variance: Fraction
    covariance: Fraction

    def deviation(self, edge: Fraction = ZERO) -> float:
        return sqrt(self.net_variance + 2 * edge * self.covariance + edge**2 * self.made_variance)
