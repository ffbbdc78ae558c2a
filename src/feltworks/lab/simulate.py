"""The reference simulator: rounds are played through the contract and counted beside the exact figures.

A simulation never certifies; it checks. What it counts depends on the seed alone: the rounds are cut into
chunks, each with a generator of its own, so that it does not matter how many workers play them.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from feltworks.kit.cards import Seat
from feltworks.kit.chance import Shuffled
from feltworks.kit.definition import Wager
from feltworks.kit.errors import BadValue, TooLarge
from feltworks.kit.game import Game
from feltworks.kit.loading import load_folder
from feltworks.kit.round import Info
from feltworks.kit.steps import Settlement
from feltworks.kit.walk import Habit, Player, walk
from feltworks.lab.analysis import (
    Solver,
    WagerAnalysis,
    checked_stakes,
    options_json,
    pays,
    percent_json,
)
from feltworks.lab.graph import Policy
from feltworks.lab.notebook import percent, table
from feltworks.lab.sample import Pair, Sample
from feltworks.lab.strategy import Strategy

CHUNK = 1_000
"""How many rounds one generator plays."""

ZERO = Fraction(0)
End = tuple[str, str, Fraction]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Counted:
    """One way a wager ended: how often it came up, and how often it is expected to."""

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
    `rounds`, the results of all seats of a round together; `seats` has those of each seat by itself.
    """

    wager: Wager
    rounds: Sample
    seats: Mapping[Seat, Sample]
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
        return Sample(_together(self.seats.values())).deviation()

    @property
    def z(self) -> float | None:
        """How many standard errors the seats did better than the exact figure; none if nothing can be told.

        The error is the exact one where one seat makes one stake a round, and otherwise the sample's.
        """
        if self.exact is None:
            return None
        single = len(self.seats) == 1 and all(made == 1 for _, made in self.rounds.counts)
        spread = self.exact.standard_deviation if single else self.rounds.deviation(self.exact.edge)
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
class Simulation:
    """A game as it was configured, and what was counted of its wagers."""

    game: Game
    stakes: Mapping[str, Fraction]
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
            "options": {**options_json(self.game), "stakes": {w: str(s) for w, s in self.stakes.items()}},
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

    Without a policy each seat stakes one unit on every wager, or what `stakes` say, and follows the best
    strategy for the stakes, so that all is measured as `analyze` reports it. A policy brings its own stakes:
    a habit, a strategy, or any player who goes by the round alone. `against` are the exact figures to compare
    with; if none are given, those of the same policy, where it is a habit or a strategy. Workers are
    processes: a script that asks for several keeps its start under `if __name__ == "__main__"`.
    """
    if rounds < 1 or workers < 1:
        raise BadValue("A simulation needs at least 1 round and 1 worker.")
    if policy is None:
        policy = _best(game, stakes)
    elif stakes is not None:
        raise BadValue("A policy brings its own stakes; give one of the two.")
    exact = figures(game, policy) if against is None else against
    plan = Plan(game, policy, seats, rounds, seed, frozenset(n for n, w in exact.items() if _is_endless(w)))
    tallies = plan.tallies()
    for number, counted in enumerate(_chunks(plan, workers), start=1):
        for name, tally in tallies.items():
            tally.add(counted[name])
        if progress is not None:
            progress(min(number * CHUNK, rounds), rounds)
    found = {name: tally.result(exact.get(name)) for name, tally in tallies.items() if tally.rounds}
    return Simulation(game, plan.stakes, rounds, seats, seed, found)


# What is exact.


def figures(game: Game, policy: Player) -> dict[str, WagerAnalysis]:
    """The exact figures of what a habit or a strategy wagers; none where the game is too large for them."""
    match policy:
        case Strategy():
            chosen: Policy = policy.option
        case Habit():
            chosen = partial(_preferred, policy.prefer)
        case _:
            return {}
    solver = Solver(game, policy.stakes)
    try:
        return {name: solver.under(name, chosen) for name in policy.stakes if game.wager(name).analysed}
    except TooLarge:
        return {}


def _preferred(prefer: Iterable[str], info: Info) -> str:
    return next((name for name in prefer if name in info.options), info.options[0])


def _best(game: Game, stakes: Mapping[str, Fraction] | None) -> Strategy:
    """The best strategy for the stakes, with one unit on every other wager."""
    solver = Solver(game, checked_stakes(game, stakes))
    try:
        strategy = solver.strategy
    except TooLarge as error:
        raise TooLarge(
            f"{game.title} is too large for the best strategy to be found; give a policy to play it by."
        ) from error
    return replace(strategy, stakes={**dict.fromkeys(game.wagers, Fraction(1)), **solver.stakes})


def _is_endless(exact: WagerAnalysis) -> bool:
    """Whether the wager is paid inside a loop, so that its outcomes are told settlement by settlement."""
    return exact.hit_frequency is None


# What is counted.


@dataclass(frozen=True)
class Plan:
    """All that a worker has to know to play any chunk of a simulation."""

    game: Game
    policy: Player
    seats: int
    rounds: int
    seed: int
    endless: frozenset[str]

    @property
    def stakes(self) -> Mapping[str, Fraction]:
        return self.policy.stakes if isinstance(self.policy, Strategy | Habit) else {}

    def tallies(self) -> dict[str, "Tally"]:
        wagers = [wager for wager in self.game.wagers.values() if wager.analysed]
        as_one = {w.name for w in wagers if len(w.spots) > 1} - self.endless
        return {w.name: Tally(w, frozenset(w.opens if w.name in as_one else ())) for w in wagers}


@dataclass
class Tally:
    """How often everything came up that can happen to one wager."""

    wager: Wager
    main_spots: frozenset[str]
    """If its spots end as one, those that say how; otherwise each settlement is an end of its own."""
    rounds: Counter[Pair] = field(default_factory=Counter)
    seats: dict[Seat, Counter[Pair]] = field(default_factory=lambda: defaultdict(Counter))
    ends: Counter[End] = field(default_factory=Counter)

    def count(self, seats: Mapping[Seat, tuple[tuple[Fraction, ...], tuple[Settlement, ...]]]) -> None:
        """One round: what each seat placed on the first opening spot, and what was settled."""
        share = next(iter(self.wager.opens.values()))
        all_net = all_made = ZERO
        for seat, (placed, settled) in seats.items():
            pair, ends = _result(share, placed, settled, self.main_spots)
            self.seats[seat][pair] += 1
            self.ends.update(ends)
            all_net, all_made = all_net + pair[0], all_made + pair[1]
        if seats:
            self.rounds[all_net, all_made] += 1

    def add(self, other: "Tally") -> None:
        self.rounds.update(other.rounds)
        self.ends.update(other.ends)
        for seat, counts in other.seats.items():
            self.seats[seat].update(counts)

    def result(self, exact: WagerAnalysis | None) -> WagerSimulation:
        samples = {seat: Sample(counts) for seat, counts in sorted(self.seats.items())}
        size = sum(sample.size for sample in samples.values())
        known = {(o.line, o.pays, o.net): o.probability for o in exact.outcomes} if exact else {}
        others = sorted(end for end in self.ends if end not in known)
        outcomes = tuple(
            Counted(
                *end,
                count=self.ends[end],
                share=Fraction(self.ends[end], size),
                expected=known.get(end, ZERO) * size if exact else None,
            )
            for end in (*known, *others)
        )
        return WagerSimulation(self.wager, Sample(self.rounds), samples, outcomes, exact)


@lru_cache(maxsize=10_000)
def _result(
    share: Fraction, placed: tuple[Fraction, ...], settled: tuple[Settlement, ...], main_spots: frozenset[str]
) -> tuple[Pair, tuple[End, ...]]:
    """What a seat won and staked on a wager in a round, and how that ended, in the words of an analysis."""
    unit = placed[0] / share
    net = sum((s.net() for s in settled), ZERO) / unit
    ends = [(s.line, pays(s), s.net() / unit) for s in settled]
    if main_spots and ends:
        main = next((s for s in settled if s.spot in main_spots), settled[0])
        ends = [(main.line, f"{'+' if net > 0 else ''}{net}", net)]
    return (net, sum(placed) / placed[0]), tuple(ends)


def _chunks(plan: Plan, workers: int) -> Iterator[Mapping[str, Tally]]:
    """Every chunk in turn, whoever plays it."""
    numbers = range(-(-plan.rounds // CHUNK))
    if workers == 1:
        yield from map(partial(_play, plan), numbers)
        return
    rules = (plan.game.folder, plan.game.round_class.__module__)
    with ProcessPoolExecutor(workers, get_context("spawn"), _learn, rules) as pool:
        yield from pool.map(partial(_play, plan), numbers)


def _learn(folder: Path, module: str) -> None:
    """A new process cannot import the rules of a game outside the package: it loads them from its folder."""
    load_folder(folder, None if module.startswith("feltworks_game_") else module)


def _play(plan: Plan, chunk: int) -> Mapping[str, Tally]:
    game = plan.game
    chance = Shuffled(Random(f"{plan.seed}/{chunk}"), game.fresh())
    start = game.start(range(1, plan.seats + 1), tracked=False)
    players = dict.fromkeys(start.seats, plan.policy)
    tallies = plan.tallies()
    first_spot = {name: next(iter(tally.wager.opens)) for name, tally in tallies.items()}
    wager_of = {spot: wager.name for wager in game.wagers.values() for spot in wager.spots}
    for _ in range(min(CHUNK, plan.rounds - chunk * CHUNK)):
        placed: dict[tuple[Seat, str], list[Fraction]] = defaultdict(list)
        settled: dict[tuple[Seat, str], list[Settlement]] = defaultdict(list)
        before = start
        for _, answer, round in walk(start, chance, players):
            if wagered := before.staked(answer):
                placed[wagered[:2]].append(wagered[2])
            for effect in round.effects:
                if isinstance(effect, Settlement):
                    settled[effect.seat, wager_of[effect.spot]].append(effect)
            before = round
        chance.gather()
        for name, tally in tallies.items():
            spot = first_spot[name]
            made = (seat for seat in start.seats if (seat, spot) in placed)
            tally.count({seat: (tuple(placed[seat, spot]), tuple(settled[seat, name])) for seat in made})
    return tallies


def _together(samples: Iterable[Sample]) -> Counter[Pair]:
    counts: Counter[Pair] = Counter()
    for sample in samples:
        counts.update(sample.counts)
    return counts


def _number(expected: Fraction | None) -> str:
    return "" if expected is None else f"{float(expected):,.1f}"
