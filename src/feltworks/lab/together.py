"""What several stakes win together: cards settle them at once, so that their results hang together."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from feltworks.kit.game import Game
from feltworks.lab.graph import Event
from feltworks.lab.solver import Solved, mean, second_moment
from feltworks.lab.wager_analysis import WagerAnalysis, made_of, net_of, percent_json, staked_on, value_json

ZERO = Fraction(0)


@dataclass(frozen=True)
class Together:
    """What a seat wins in a round with all of its stakes, in units, and what it puts down for that: at first, and in
    all. The variance is nothing where the deals were counted for each wager alone."""

    stakes: Mapping[str, Fraction]
    net: Fraction
    initial: Fraction
    staked: Fraction
    variance: Fraction | None

    @property
    def edge(self) -> Fraction:
        return -self.net / self.initial

    @property
    def element_of_risk(self) -> Fraction:
        return -self.net / self.staked

    @property
    def standard_deviation(self) -> float | None:
        return None if self.variance is None else sqrt(self.variance)

    def to_json(self) -> dict[str, Any]:
        return {
            "stakes": {name: str(units) for name, units in self.stakes.items()},
            "net": value_json(self.net),
            "initial_stake": value_json(self.initial),
            "average_stake": value_json(self.staked),
            "edge": percent_json(self.edge),
            "element_of_risk": value_json(self.element_of_risk),
            "standard_deviation": self.standard_deviation,
            "variance": None if self.variance is None else value_json(self.variance),
        }


def solved_together(game: Game, stakes: Mapping[str, Fraction], solved: Solved) -> Together:
    """By the strategy that is best for all of the stakes."""
    wagers = [game.wager(name) for name in stakes]
    gain = net_of(wagers)
    opened = [(made_of(wager), sum(wager.opens.values())) for wager in wagers]

    def initial(event: Event) -> Fraction:
        return sum((of_made(event) * unit for of_made, unit in opened), ZERO)

    graph, best = solved.graph, solved.best
    net = mean(graph, best, gain)
    return Together(
        stakes,
        net,
        mean(graph, best, initial),
        mean(graph, best, lambda event: sum((staked_on(wager, event) for wager in wagers), ZERO)),
        second_moment(graph, best, gain) - net**2,
    )


def added_together(stakes: Mapping[str, Fraction], wagers: Mapping[str, WagerAnalysis]) -> Together:
    """By what is known of each wager: means add up, whatever hangs together; variances do not."""
    made = [(units, wagers[name]) for name, units in stakes.items()]
    return Together(
        stakes,
        -sum((units * each.edge for units, each in made), ZERO),
        sum((units * sum(each.wager.opens.values()) for units, each in made), ZERO),
        sum((units * each.average_stake for units, each in made), ZERO),
        None,
    )
