"""How long something took, counted by length."""

from bisect import bisect_left
from itertools import accumulate

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""In seconds."""


class Durations:
    """How many were at most so long."""

    def __init__(self) -> None:
        self.total = self.last = 0.0
        self._counts = [0] * (len(BOUNDS) + 1)

    def add(self, seconds: float) -> None:
        self._counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds
        self.last = seconds

    @property
    def counts(self) -> dict[str, int]:
        """By each bound, how many were not longer."""
        return dict(zip([*map(str, BOUNDS), "+Inf"], accumulate(self._counts), strict=True))
