"""A bonus beside the wager that it requires: what both win together, and from which ratio on a counter breaks even."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any

from feltworks.lab.card_counting.winnings import Estimate

SHOWN = tuple(Fraction(ratio) for ratio in (1, 2, 5, 10, 20, 50))
"""Ratios of the bonus to the required wager that are shown unasked."""


@dataclass(frozen=True)
class Together:
    """What a counter wins with the bonus and the required wager of every hand, where the bonus is so many times the
    required wager when it is made."""

    per_100: Mapping[Fraction, Estimate]
    """By ratio: in a hundred hands, in units of the required wager."""
    breaks_even_from: tuple[float | None, float | None, float | None]
    """The ratio at which nothing is lost, and where it lies with 95 % confidence; nothing if it is above all."""

    @classmethod
    def by_ratio(cls, ratios: Sequence[Fraction], won: Sequence[Estimate]) -> "Together":
        """From estimates for ratios that rise from nothing. What is won never falls with the ratio, since the bonus
        may be left alone."""

        def crossing(end: Callable[[Estimate], float]) -> float | None:
            before, below = 0.0, 0.0
            for ratio, estimate in zip(ratios, won, strict=True):
                here = end(estimate)
                if here >= 0:
                    return float(ratio) if not ratio else before + (float(ratio) - before) * below / (below - here)
                before, below = float(ratio), here
            return None

        ends = (lambda e: e.value, lambda e: e.high, lambda e: e.low)
        return cls(dict(zip(ratios, won, strict=True)), (crossing(ends[0]), crossing(ends[1]), crossing(ends[2])))

    @classmethod
    def beside(cls, ratios: Sequence[Fraction], edge: Fraction, won: Estimate) -> "Together":
        """Of who plays the required wager by the book, whatever the count: its edge is the cost of every hand."""
        cost = float(100 * edge)

        def needed(per_100: float) -> float | None:
            ratio = 0.0 if cost <= 0 else cost / per_100 if per_100 > 0 else inf
            return ratio if ratio <= max(ratios) else None

        both = {
            ratio: Estimate(*(float(ratio) * end - cost for end in (won.value, won.low, won.high))) for ratio in ratios
        }
        return cls(both, (needed(won.value), needed(won.high), needed(won.low)))

    @property
    def words(self) -> str:
        """The ratio to break even in words."""
        value, low, high = self.breaks_even_from
        if low is None:
            return f"above {float(max(self.per_100)):g}"
        reach = f"{low:.1f} or more" if high is None else f"{low:.1f} to {high:.1f}"
        return f"({reach})" if value is None else f"{value:.1f} ({reach})"

    def to_json(self) -> dict[str, Any]:
        value, low, high = self.breaks_even_from
        return {
            "units_per_100_hands": [
                {"ratio": float(ratio), **estimate.to_json()} for ratio, estimate in self.per_100.items()
            ],
            "breaks_even_from": None if value is None else {"value": value, "low": low, "high": high},
        }
