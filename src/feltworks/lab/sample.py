"""What was counted, kept exact: the mean, its error and the interval around it come from whole counts."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt

ZERO = Fraction(0)
WITHIN_95_PERCENT = 1.959964
"""95 % of a normal distribution lie within so many standard deviations."""

Pair = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Sample:
    """How often each pair of net result and stakes made came up, both in units of the opening stake."""

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
    def edge(self) -> Fraction:
        """What the house won per unit of opening stake made: the edge of an analysis, as it came out."""
        return -self.net / self.made

    @cached_property
    def interval(self) -> tuple[float, float]:
        """Where the edge lies with 95 % confidence."""
        reach = WITHIN_95_PERCENT * self.deviation(self.edge) * sqrt(self.size) / float(self.made)
        return float(self.edge) - reach, float(self.edge) + reach

    def deviation(self, edge: Fraction = ZERO) -> float:
        """The standard deviation of the net result, beyond what an edge takes of the stakes made."""
        if self.size < 2:
            return 0.0
        mean = (self.net + edge * self.made) / self.size
        squares = (count * (net + edge * made - mean) ** 2 for (net, made), count in self.counts.items())
        return sqrt(sum(squares, ZERO) / (self.size - 1))
