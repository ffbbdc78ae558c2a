"""A betting plan on dice: what it wins in the mean and how far that spreads, by roll, by game and by hour; and how
long a game and a shooter's turn last."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from feltworks.kit.errors import BadValue
from feltworks.kit.game import Game
from feltworks.lab.graph import END, Event, Graph
from feltworks.lab.solver import Gain, mean, second_moment
from feltworks.lab.stakes import checked_stakes, company
from feltworks.lab.wager_analysis import net_of, value_json
from feltworks.lab.walking_analyzer import WalkingAnalyzer, rules_for

ZERO = Fraction(0)
Best = Mapping[int, str]


@dataclass(frozen=True)
class Moments:
    """A mean and a variance."""

    mean: Fraction
    variance: Fraction

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    def times(self, number: Fraction) -> "Moments":
        return Moments(self.mean * number, self.variance * number)

    def to_json(self) -> dict[str, Any]:
        return {
            "mean": value_json(self.mean),
            "variance": value_json(self.variance),
            "standard_deviation": self.standard_deviation,
        }


@dataclass(frozen=True)
class Length:
    """How many rolls something takes: the probability of 1, 2, 3, ... rolls, and of more than were told."""

    moments: Moments
    probabilities: tuple[Fraction, ...]

    @property
    def longer(self) -> Fraction:
        return 1 - sum(self.probabilities, ZERO)

    def to_json(self) -> dict[str, Any]:
        return {
            "rolls": self.moments.to_json(),
            "probabilities": [value_json(p) for p in self.probabilities],
            "longer": value_json(self.longer),
        }


@dataclass(frozen=True)
class Plan:
    """What a seat with these stakes wins. What a roll and an hour bring is told for the long run: the games follow
    each other, so that a sum over many rolls has this mean and this variance for each of them."""

    stakes: Mapping[str, Fraction]
    pace: Fraction
    staked: Fraction
    per_roll: Moments
    per_game: Moments
    game: Length
    turn: Length

    @property
    def per_hour(self) -> Moments:
        return self.per_roll.times(self.pace)

    def to_json(self) -> dict[str, Any]:
        return {
            "stakes": {name: str(units) for name, units in self.stakes.items()},
            "rolls_per_hour": str(self.pace),
            "staked_per_roll": value_json(self.staked),
            "per_roll": self.per_roll.to_json(),
            "per_game": self.per_game.to_json(),
            "per_hour": self.per_hour.to_json(),
            "game_length": self.game.to_json(),
            "turn_length": self.turn.to_json(),
        }


PACE = Fraction(60)
"""Rolls in an hour, unless somebody says otherwise."""


def plan(game: Game, stakes: Mapping[str, Fraction] | None = None, pace: Fraction = PACE) -> Plan:
    """What these stakes together win, by the best strategy for them."""
    if not game.has_dice:
        raise BadValue(f"{game.title} is played without dice, so it has no rolls to count by.")
    if pace <= 0:
        raise BadValue(f"{pace} rolls an hour are not possible; give a number above 0.")
    analyzer = WalkingAnalyzer(game, checked_stakes(game, stakes))
    if not analyzer.stakes:
        raise BadValue(f"No wager is required in {game.title}; say what is staked.")
    graph, best = analyzer.solved.graph, analyzer.solved.best
    net = net_of([game.wager(name) for name in analyzer.stakes])
    rolls, rounds = (mean(graph, best, gain) for gain in (_rolls, _rounds))
    staked = mean(graph, best, lambda event: sum((amount for _, amount in event.stakes), ZERO))
    return Plan(
        analyzer.stakes,
        pace,
        staked / rolls,
        _for_each(graph, best, net, _rolls, rolls),
        _for_each(graph, best, net, _rounds, rounds),
        length(game, whole_turn=False),
        length(game, whole_turn=True),
    )


def _for_each(graph: Graph, best: Best, net: Gain, unit: Gain, units: Fraction) -> Moments:
    """The mean result for each unit, and the variance of a long sum for each unit of it."""
    each = mean(graph, best, net) / units
    return Moments(each, second_moment(graph, best, lambda event: net(event) - each * unit(event)) / units)


def _rolls(event: Event) -> Fraction:
    return Fraction(event.rolls)


def _rounds(event: Event) -> Fraction:
    return Fraction(event.rounds)


def length(game: Game, *, whole_turn: bool, most: int = 24) -> Length:
    """How many rolls a game takes, or a whole turn of one shooter."""
    graph = Graph(rules_for(game, company(game), whole_turn=whole_turn), None)
    rolls = mean(graph, {}, _rolls)
    moments = Moments(rolls, second_moment(graph, {}, _rolls) - rolls**2)
    return Length(moments, tuple(p for _, p in zip(range(most), _ends(graph), strict=False)))


def _ends(graph: Graph) -> Iterator[Fraction]:
    """The probability that the end comes with the first roll, the second, and so on."""
    now = {graph.start: Fraction(1)}
    while now:
        ended, then = ZERO, dict[int, Fraction]()
        for number, share in now.items():
            edges = graph.state(number).edges
            whole = sum(edge.weight for edge in edges)
            for edge in edges:
                part = share * Fraction(edge.weight, whole)
                if edge.state == END:
                    ended += part
                else:
                    then[edge.state] = then.get(edge.state, ZERO) + part
        yield ended
        now = then
