"""The exact analysis of a game: the edge of every wager, its outcomes, and the strategy behind them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any

from feltworks.kit.definition import Wager
from feltworks.kit.errors import BadValue
from feltworks.kit.game import Game
from feltworks.kit.steps import Settlement, Stake
from feltworks.kit.unseen import Unseen
from feltworks.lab.graph import Event, Graph, Policy, Rules
from feltworks.lab.notebook import percent, table
from feltworks.lab.solver import Gain, Solved, follow, optimise, second_moment
from feltworks.lab.strategy import Strategy, strategy_of

ZERO = Fraction(0)
RulesByStakes = dict[tuple[tuple[str, Fraction], ...], Rules]


@dataclass(frozen=True)
class Outcome:
    """One way a wager ends: on which line, what that pays, and how likely it is.

    Where a wager can be paid more than once in a round, the probability is the expected number of times.
    """

    line: str
    pays: str
    net: Fraction
    probability: Fraction


@dataclass(frozen=True)
class WagerAnalysis:
    """What is known exactly about one wager, per unit of its opening stake."""

    wager: Wager
    edge: Fraction
    outcomes: tuple[Outcome, ...]
    variance: Fraction
    hit_frequency: Fraction | None
    average_stake: Fraction
    edge_of_initial_stake: Fraction
    element_of_risk: Fraction
    edges: Mapping[str, Fraction] = field(default_factory=dict)
    strategy: Strategy | None = None

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    def _repr_html_(self) -> str:
        title = f"{self.wager.title}: edge {percent(self.edge)} ({self.edge})"
        rows = [(o.line, o.pays, str(o.probability), percent(o.probability)) for o in self.outcomes]
        return table(title, ("line", "pays", "probability", ""), rows)

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"edge": percent_json(self.edge)}
        for convention, edge in self.edges.items():
            data[f"edge_{convention}"] = percent_json(edge)
        data["outcomes"] = [
            {"line": o.line, "pays": o.pays, "net": str(o.net), "probability": value_json(o.probability)}
            for o in self.outcomes
        ]
        data["hit_frequency"] = None if self.hit_frequency is None else value_json(self.hit_frequency)
        data["standard_deviation"] = self.standard_deviation
        data["variance"] = value_json(self.variance)
        if self.strategy is not None:
            data["edge_of_initial_stake"] = value_json(self.edge_of_initial_stake)
            data["average_stake"] = value_json(self.average_stake)
            data["element_of_risk"] = value_json(self.element_of_risk)
            data["strategy"] = [
                {
                    "situation": advice.situation,
                    "best": advice.best,
                    "options": {name: value_json(value) for name, value in advice.options.items()},
                }
                for advice in self.strategy.advice.values()
            ]
        return data


@dataclass(frozen=True)
class Analysis:
    """A game as it was configured, and the analysis of its wagers."""

    game: Game
    stakes: Mapping[str, Fraction]
    wagers: Mapping[str, WagerAnalysis]

    def __getitem__(self, wager: str) -> WagerAnalysis:
        return self.wagers[wager]

    def _repr_html_(self) -> str:
        return "".join(wager._repr_html_() for wager in self.wagers.values())

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "fingerprint": self.game.fingerprint,
            "options": {**options_json(self.game), "stakes": {w: str(s) for w, s in self.stakes.items()}},
            "wagers": {name: wager.to_json() for name, wager in self.wagers.items()},
        }


def analyze(game: Game, *, wager: str | None = None, stakes: Mapping[str, Fraction] | None = None) -> Analysis:
    """Analyse every wager of a game, or one. The strategy is the best for the base wager alone, or for the given
    stakes together; wagers that are not staked are reported under that strategy."""
    solver = Solver(game, checked_stakes(game, stakes))
    if wager is not None and not game.wager(wager).analysed:
        raise BadValue(f"{game.wager(wager).title} is not analysed in {game.title}; its rules are not part of it.")
    names = [wager] if wager is not None else [n for n, w in game.wagers.items() if w.analysed]
    return Analysis(game, solver.stakes, {name: solver.wager(name) for name in names})


def checked_stakes(game: Game, stakes: Mapping[str, Fraction] | None) -> dict[str, Fraction]:
    """One unit of every required wager, unless the stakes say otherwise."""
    wanted = {name: Fraction(1) for name, wager in game.wagers.items() if wager.required}
    for name, units in (stakes or {}).items():
        game.wager(name)
        if units < 0:
            raise BadValue(f"A stake of {units} on {name} cannot be; give 0 or more units.")
        wanted[name] = Fraction(units)
    for name in [n for n, w in game.wagers.items() if w.required and not wanted[n]]:
        raise BadValue(f"{name} is required to play, so its stake must be above 0.")
    return {name: units for name, units in wanted.items() if units}


class Solver:
    """Solves for the stakes once, and follows that strategy for each wager that is asked for.

    `rules` may be shared by solvers of games that differ in their decks alone.
    """

    def __init__(self, game: Game, stakes: Mapping[str, Fraction], rules: RulesByStakes | None = None) -> None:
        self.game = game
        self.stakes = stakes
        self._rules = {} if rules is None else rules

    def wager(self, name: str) -> WagerAnalysis:
        """The wager under the best strategy for the stakes."""
        wager = self.game.wager(name)
        edges = {convention: self.by_convention(name, convention).edge for convention in wager.conventions}
        if name in self.stakes:
            graph, best = self.solved.graph, self.solved.best
        else:
            graph, best = self._under(name, self.strategy.option)
        strategy = self.strategy if wager.required and self.strategy.advice else None
        return _measure(graph, best, wager, edges, strategy)

    def by_convention(self, name: str, convention: str) -> WagerAnalysis:
        """The wager by a printed convention, which fixes what the seat chooses."""
        option = self.game.wager(name).conventions[convention]
        return self.under(name, lambda info: option if option in info.options else info.options[0])

    def under(self, name: str, policy: Policy) -> WagerAnalysis:
        """The wager, beside the required ones, under a policy of any kind."""
        return _measure(*self._under(name, policy), self.game.wager(name))

    @cached_property
    def solved(self) -> Solved:
        graph = Graph(self._rules_for(self.stakes), self._unseen(self.stakes))
        return optimise(graph, net_of([self.game.wager(name) for name in self.stakes]))

    @cached_property
    def strategy(self) -> Strategy:
        return strategy_of(self.solved, suited=suits_matter(self.game, self.stakes))

    def _under(self, name: str, policy: Policy) -> tuple[Graph, dict[int, str]]:
        """The graph of the required wagers and this one, under a policy."""
        stakes = {n: s for n, s in self.stakes.items() if self.game.wager(n).required or n == name}
        stakes.setdefault(name, Fraction(1))
        graph = Graph(self._rules_for(stakes), self._unseen(stakes), policy)
        states = enumerate(graph.states)
        return graph, {number: next(iter(s.options)) for number, s in states if s is not None and s.options}

    def _rules_for(self, stakes: Mapping[str, Fraction]) -> Rules:
        name = tuple(stakes.items())
        if name not in self._rules:
            self._rules[name] = Rules(self.game.start(tracked=False), stakes)
        return self._rules[name]

    def _unseen(self, stakes: Iterable[str]) -> Unseen | None:
        fresh = self.game.fresh()
        return fresh if fresh is None or suits_matter(self.game, stakes) else fresh.suitless


def suits_matter(game: Game, wagers: Iterable[str]) -> bool:
    return any(game.wager(name).matters == "rank and suit" for name in wagers)


def net_of(wagers: Iterable[Wager]) -> Gain:
    """What a seat wins or loses on these wagers by an event."""
    spots = {spot for wager in wagers for spot in wager.spots}
    return lambda event: sum((s.net() for s in event.settlements if s.spot in spots), ZERO)


def _measure(
    graph: Graph,
    best: Mapping[int, str],
    wager: Wager,
    edges: Mapping[str, Fraction] | None = None,
    strategy: Strategy | None = None,
) -> WagerAnalysis:
    """All figures of a wager under a policy."""
    course = follow(graph, best)
    stake = graph.rules.stakes[wager.name]
    gain = net_of([wager])
    first_spot, first_share = next(iter(wager.opens.items()))
    net = made = staked = ZERO
    for event, count in course.counts.items():
        net += count * gain(event)
        for spot, amount in event.stakes:
            if spot in wager.spots:
                staked += count * amount
            if spot == first_spot:
                made += count * amount / first_share
    if not made:
        raise BadValue(f"{wager.title} is never made with these stakes.")
    hits = None
    if course.histories is not None:
        totals = {history: sum(map(gain, history), ZERO) for history in course.histories}
        square = sum((p * totals[h] ** 2 for h, p in course.histories.items()), ZERO)
        hits = sum((p for h, p in course.histories.items() if totals[h] > 0), ZERO)
    else:
        square = second_moment(graph, best, gain)
    return WagerAnalysis(
        wager=wager,
        edge=-net / made,
        outcomes=tuple(_outcomes(wager, course.histories, course.counts, stake, graph.rules.start.game)),
        variance=(square - net**2) / stake**2,
        hit_frequency=hits,
        average_stake=staked / made,
        edge_of_initial_stake=-net / made / sum(wager.opens.values()),
        element_of_risk=-net / staked,
        edges=edges or {},
        strategy=strategy,
    )


def _outcomes(
    wager: Wager,
    histories: Mapping[tuple[Event, ...], Fraction] | None,
    counts: Mapping[Event, Fraction],
    stake: Fraction,
    game: Game,
) -> Iterator[Outcome]:
    """How a wager ends: by line where it lies on one spot, by line and net result where it lies on several."""
    found: dict[tuple[str, str, Fraction], Fraction] = defaultdict(lambda: ZERO)
    whole = histories is not None and len(wager.spots) > 1
    told: Iterable[tuple[tuple[Event, ...], Fraction]]
    told = histories.items() if whole and histories is not None else (((e,), n) for e, n in counts.items())
    for history, probability in told:
        settled = [s for event in history for s in event.settlements if s.spot in wager.spots]
        if not settled or not probability:
            continue
        if whole:
            net = sum((s.net() for s in settled), ZERO) / stake
            main = next((s for s in settled if s.spot in wager.opens), settled[0])
            found[main.line, f"{'+' if net > 0 else ''}{net}", net] += probability
        else:
            for settlement in settled:
                name = (settlement.line, pays(settlement), settlement.net() / stake)
                found[name] += probability
    lines = game.pay[wager.name].names if wager.name in game.pay else ()
    order = {line: i for i, line in enumerate(lines)}
    for (line, text, net), probability in sorted(
        found.items(), key=lambda item: (order.get(item[0][0], len(order)), -item[0][2], item[0][0])
    ):
        yield Outcome(line, text, net, probability)


def pays(settlement: Settlement) -> str:
    """What a settlement pays, in words."""
    if settlement.pay is None:
        return "loses" if settlement.stake is Stake.TAKEN else "stays"
    return str(settlement.pay)


def options_json(game: Game) -> dict[str, Any]:
    """How a game was configured."""
    return {
        "version": game.version_name,
        "decks": game.decks,
        "readings": dict(game.readings),
        "pay": {spot: table.name for spot, table in game.pay.items() if spot in game.wagers},
        "standing": game.standing,
        "differences": list(game.differences),
    }


def percent_json(value: Fraction) -> dict[str, Any]:
    return {"exact": str(value), "percent": float(value * 100)}


def value_json(value: Fraction) -> dict[str, Any]:
    return {"exact": str(value), "value": float(value)}
