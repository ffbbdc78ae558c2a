"""The reference simulator: rounds are played through the contract, and what is counted is laid beside the exact figure.

A simulation never certifies; it checks. What it counts depends on the seed alone: rounds are cut into chunks, each
with a generator of its own, so that it does not matter how many workers play them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from math import sqrt
from typing import Any

from feltworks.kit.cards import Seat
from feltworks.kit.definition import Wager
from feltworks.kit.errors import BadValue, TooLarge
from feltworks.kit.game import Game
from feltworks.kit.round import Info
from feltworks.kit.walk import Habit, Player
from feltworks.lab.analysis import Solver, WagerAnalysis, checked_stakes, net_of, options_json, percent_json
from feltworks.lab.graph import Graph, Policy
from feltworks.lab.notebook import percent, table
from feltworks.lab.solver import Solved, optimise
from feltworks.lab.strategy import Strategy

ZERO = Fraction(0)
CHUNK = 1_000
"""How many rounds one generator plays."""

WITHIN_95_PERCENT = 1.959964
"""So many standard errors to either side hold 95 % of a normal distribution."""

Pair = tuple[Fraction, Fraction]
End = tuple[str, str, Fraction]
Progress = Callable[[int, int], None]


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

    def deviation(self, edge: Fraction) -> float:
        """The standard deviation of the net result beyond what an edge takes of the stakes made."""
        if self.size < 2:
            return 0.0
        mean = (self.net + edge * self.made) / self.size
        squares = (count * (net + edge * made - mean) ** 2 for (net, made), count in self.counts.items())
        return sqrt(sum(squares, ZERO) / (self.size - 1))

    @cached_property
    def interval(self) -> tuple[float, float]:
        """Where the edge lies with 95 % confidence."""
        reach = WITHIN_95_PERCENT * self.deviation(self.edge) * sqrt(self.size) / self.made
        return float(self.edge) - reach, float(self.edge) + reach


@dataclass(frozen=True)
class Counted:
    """One way a wager ended: how often it came up, and how often it should have."""

    line: str
    pays: str
    net: Fraction
    count: int
    share: Fraction
    expected: Fraction | None


@dataclass(frozen=True)
class WagerSimulation:
    """What was counted of one wager, per unit of its opening stake, and what is known exactly.

    `seats` has one entry for each seat and round. The seats of a round share the dealer's cards, so these are not
    independent; `rounds` has one for each round, all its seats together, and the interval and z rest on it.
    """

    wager: Wager
    seats: Mapping[Seat, Sample]
    rounds: Sample
    outcomes: tuple[Counted, ...]
    exact: WagerAnalysis | None

    @property
    def edge(self) -> Fraction:
        return self.rounds.edge

    @property
    def interval(self) -> tuple[float, float]:
        return self.rounds.interval

    @property
    def standard_deviation(self) -> float:
        """Of the net result of one seat in one round."""
        together: Counter[Pair] = Counter()
        for sample in self.seats.values():
            together.update(sample.counts)
        return Sample(together).deviation(ZERO)

    @property
    def z(self) -> float | None:
        """How many standard errors the seats did better than the exact figure; none if there is nothing to tell by.

        The error is the exact one where one seat makes one stake a round, and otherwise that of the sample.
        """
        if self.exact is None:
            return None
        once = len(self.seats) == 1 and all(made == 1 for _, made in self.rounds.counts)
        spread = self.exact.standard_deviation if once else self.rounds.deviation(self.exact.edge)
        better = self.rounds.net + self.exact.edge * self.rounds.made
        return float(better) / (spread * sqrt(self.rounds.size)) if spread else None

    def _repr_html_(self) -> str:
        low, high = self.interval
        exact = "" if self.exact is None else f", exact {percent(self.exact.edge)}, z = {self.z:.2f}"
        title = f"{self.wager.title}: edge {100 * low:.4f} to {100 * high:.4f} %{exact}"
        rows = [
            (o.line, o.pays, f"{o.count:,}", "" if o.expected is None else f"{float(o.expected):,.1f}")
            for o in self.outcomes
        ]
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
class Simulation:
    """A game as it was configured, and what was counted of its wagers."""

    game: Game
    rounds: int
    seats: int
    seed: int
    wagers: Mapping[str, WagerSimulation]

    def __getitem__(self, wager: str) -> WagerSimulation:
        return self.wagers[wager]

    def _repr_html_(self) -> str:
        return "".join(wager._repr_html_() for wager in self.wagers.values())

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "fingerprint": self.game.fingerprint,
            "options": options_json(self.game),
            "rounds": self.rounds,
            "seats": self.seats,
            "seed": self.seed,
            "wagers": {name: wager.to_json() for name, wager in self.wagers.items()},
        }


def simulate(
    game: Game,
    *,
    rounds: int,
    seats: int = 1,
    seed: int = 0,
    stakes: Mapping[str, Fraction] | None = None,
    policy: Player | None = None,
    against: Mapping[str, WagerAnalysis] | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Simulation:
    """Play so many rounds, each from a fresh pack, with the same policy at every seat.

    Without a policy every seat stakes one unit on each wager, or what `stakes` say, and follows the best strategy
    for the stakes, so that all is measured as `analyze` reports it. A policy brings its own stakes; it is a habit,
    a strategy or any player who goes by the round alone. `against` are the exact figures to compare with: by
    default those of the same policy, which the solver knows of habits and strategies. Workers are processes of
    their own, so that a script that asks for several keeps its start under `if __name__ == "__main__"`.
    """
    if rounds < 1 or workers < 1:
        raise BadValue("A simulation needs at least 1 round and 1 worker.")
    if policy is not None and stakes is not None:
        raise BadValue("A policy brings its own stakes; give one of the two.")
    solver: Solver | None
    if policy is None:
        solver = Solver(game, checked_stakes(game, stakes))
        policy = replace(
            _strategy(solver), stakes={**dict.fromkeys(game.wagers, Fraction(1)), **solver.stakes}
        )
    else:
        solver = _follower(game, policy)
    measured = [wager for wager in game.wagers.values() if wager.analysed]
    if against is None:
        against = {} if solver is None else dict(_figures(solver, policy, measured))
    plan = Plan(
        game, policy, seats, rounds, seed, tuple((w, _by_round(w, against.get(w.name))) for w in measured)
    )
    tally = Tally()
    for number, counted in enumerate(_played(plan, workers), start=1):
        tally.add(counted)
        if progress is not None:
            progress(min(number * CHUNK, rounds), rounds)
    found = {
        wager.name: tally.wager(wager, against.get(wager.name)) for wager in measured if tally.made(wager)
    }
    return Simulation(game, rounds, seats, seed, found)


# What is exact.


class Follower(Solver):
    """A solver that does not choose: it knows what a policy is worth."""

    def __init__(self, game: Game, stakes: Mapping[str, Fraction], policy: Policy) -> None:
        super().__init__(game, stakes)
        self.policy = policy

    @cached_property
    def solved(self) -> Solved:
        graph = Graph(self._rules_for(self.stakes), self._unseen(self.stakes), self.policy)
        return optimise(graph, net_of([self.game.wager(name) for name in self.stakes]))


def _strategy(solver: Solver) -> Strategy:
    try:
        return solver.strategy
    except TooLarge as error:
        title = solver.game.title
        raise TooLarge(
            f"{title} is too large for the best strategy to be found; give a policy to simulate."
        ) from error


def _follower(game: Game, policy: Player) -> Solver | None:
    match policy:
        case Strategy():
            return Follower(game, policy.stakes, policy.option)
        case Habit():
            return Follower(game, policy.stakes, partial(_preferred, policy.prefer))
    return None


def _preferred(prefer: Iterable[str], info: Info) -> str:
    return next((name for name in prefer if name in info.options), info.options[0])


def _figures(solver: Solver, wagers: Iterable[Wager]) -> Iterator[tuple[str, WagerAnalysis]]:
    """The exact figure of each wager, as far as the solver gets."""
