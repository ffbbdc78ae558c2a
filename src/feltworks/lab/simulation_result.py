"""What a simulation has counted, beside the exact figures: of each wager, and of the rolls of dice."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from feltworks.kit.cards import Seat
from feltworks.kit.definition import Wager
from feltworks.kit.game import Game
from feltworks.kit.html_table import lines, percent, table
from feltworks.kit.standing import about
from feltworks.lab.analysis import options_json
from feltworks.lab.sample_mean import Pair, Sample, Totals
from feltworks.lab.wager_analysis import WagerAnalysis, percent_json


@dataclass(frozen=True)
class SimulatedOutcome:
    """One way a wager ended: how often it came up, by itself and for each wager made, and how often it is expected
    to for so many made."""

    line: str
    pays: str
    net: Fraction
    count: int
    share: Fraction
    expected: Fraction | None


@dataclass(frozen=True)
class WagerSimulation:
    """What was counted of one wager, per unit of its opening stake, and its exact figure where it is known.

    The seats of one round share the dealer's cards and are not independent. So the interval and z rest on
    `rounds`, the results of all seats of a round together; `seats` has those of each seat by itself. Where a wager
    stays up for the next round, rounds that hang together count as one.
    """

    wager: Wager
    rounds: Sample | Totals
    seats: Mapping[Seat, Sample | Totals]
    outcomes: tuple[SimulatedOutcome, ...]
    exact: WagerAnalysis | None

    @property
    def edge(self) -> Fraction:
        return self.rounds.edge

    @property
    def interval(self) -> tuple[float, float]:
        return self.rounds.interval

    @property
    def standard_deviation(self) -> float:
        """Of the net result of one seat in one round; the exact one where only totals were kept."""
        if isinstance(self.rounds, Totals):
            return self.rounds.deviation()
        return Sample(together(self.seats.values())).deviation()

    @property
    def z(self) -> float | None:
        """How many standard errors the seats did better than the exact figure; none if nothing can be told.

        The error is the exact one where only totals were kept and where one seat makes one stake a round, and
        otherwise the sample's.
        """
        if self.exact is None:
            return None
        spread = self.rounds.deviation(self.exact.edge)
        if len(self.seats) == 1 and isinstance(self.rounds, Sample) and self.rounds.one_stake_each:
            spread = self.exact.standard_deviation
        better = self.rounds.net + self.exact.edge * self.rounds.made
        return float(better) / (spread * sqrt(self.rounds.size)) if spread else None

    def _repr_html_(self) -> str:
        low, high = self.interval
        exact = "" if self.exact is None else f", exact {percent(self.exact.edge)}"
        title = f"{self.wager.title}: edge {100 * low:.4f} % to {100 * high:.4f} %{exact}"
        rows = [(o.line, o.pays, f"{o.count:,}", _number(o.expected)) for o in self.outcomes]
        return table(title, ("line", "pays", "count", "expected"), rows)

    def to_json(self) -> dict[str, Any]:
        low, high = self.interval
        return {
            "edge": {"percent": float(100 * self.edge), "low": 100 * low, "high": 100 * high},
            "exact": None if self.exact is None else percent_json(self.exact.edge),
            "z": self.z,
            "standard_deviation": self.standard_deviation,
            "outcomes": [
                {
                    "line": o.line,
                    "pays": o.pays,
                    "count": o.count,
                    "share": float(o.share),
                    "expected": None if o.expected is None else float(o.expected),
                }
                for o in self.outcomes
            ],
        }


@dataclass(frozen=True)
class Length:
    """How many rolls the rounds took in all, how many one takes in the mean, and by how many standard errors these took
    more."""

    rolls: int
    rounds: int
    exact: Fraction
    z: float | None

    def to_json(self) -> dict[str, Any]:
        return {"value": self.rolls / self.rounds, "exact": str(self.exact), "z": self.z}


@dataclass(frozen=True)
class Simulation:
    """A game as it was configured, and what was counted of its wagers."""

    game: Game
    stakes: Mapping[str, Fraction]
    rounds: int
    seats: int
    seed: int
    wagers: Mapping[str, WagerSimulation]
    length: Length | None = None
    """Of a game of dice."""
    strategy: str = "best"
    """How every seat decided."""
    note: str = ""
    """Why not by the best strategy, where nothing else was asked for."""

    def __getitem__(self, wager: str) -> WagerSimulation:
        return self.wagers[wager]

    def _repr_html_(self) -> str:
        return lines([*about(self.game), *filter(None, [self.note])]) + "".join(
            wager._repr_html_() for wager in self.wagers.values()
        )

    def to_json(self) -> dict[str, Any]:
        dice = {} if self.length is None else {"rolls": self.length.rolls, "rolls_per_round": self.length.to_json()}
        return {
            "game": self.game.name,
            "fingerprint": self.game.fingerprint,
            "options": {**options_json(self.game), "stakes": {w: str(s) for w, s in self.stakes.items()}},
            "rounds": self.rounds,
            **dice,
            "seats": self.seats,
            "strategy": self.strategy,
            **({"note": self.note} if self.note else {}),
            "seed": self.seed,
            "wagers": {name: wager.to_json() for name, wager in self.wagers.items()},
        }


def together(samples: Iterable[Sample | Totals]) -> Counter[Pair]:
    counts: Counter[Pair] = Counter()
    for sample in samples:
        if isinstance(sample, Sample):
            counts.update(sample.counts)
    return counts


def _number(expected: Fraction | None) -> str:
    return "" if expected is None else f"{float(expected):,.1f}"
