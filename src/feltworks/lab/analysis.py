"""The exact analysis of a game: the edge of every wager, its outcomes, and the strategy behind them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from feltworks.kit.definition import DECIDED
from feltworks.kit.errors import BadValue
from feltworks.kit.game import Game
from feltworks.kit.standing import of_definition
from feltworks.kit.unseen import Unseen
from feltworks.lab.enumerated import CountedStrategy, Enumerated
from feltworks.lab.graph import COMPANY, ME, Graph, Policy, Rules
from feltworks.lab.measure import WagerAnalysis, measure, net_of
from feltworks.lab.solver import Solved, optimise
from feltworks.lab.strategy import Strategy, strategy_of

ZERO = Fraction(0)
RulesByStakes = dict[tuple[tuple[str, Fraction], ...], Rules]


@dataclass(frozen=True)
class Analysis:
    """A game as it was configured, and the analysis of its wagers."""

    game: Game
    stakes: Mapping[str, Fraction]
    wagers: Mapping[str, WagerAnalysis]
    strategy: Strategy | CountedStrategy | None = None
    """The strategy behind the figures, if anything is to be decided."""

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


def analyze(
    game: Game, *, wager: str | None = None, stakes: Mapping[str, Fraction] | None = None, details: bool = False
) -> Analysis:
    """Analyse every wager of a game, or one. The strategy is the best for the base wager alone, or for the given
    stakes together; wagers that are not staked are reported under that strategy. Details are what some games can tell
    besides, and take longer for."""
    solver = solver_for(game, checked_stakes(game, stakes), details=details)
    wagers = {name: solver.wager(name) for name in analysed_wagers(game, wager)}
    return Analysis(game, solver.stakes, wagers, solver.strategy_behind(wagers))


def analysed_wagers(game: Game, wager: str | None = None) -> list[str]:
    """The wager that is asked for; or all but those that are analysed on request."""
    if wager is not None:
        return [game.wager(wager).name]
    return [name for name, offered in game.wagers.items() if not offered.on_request]


def checked_stakes(game: Game, stakes: Mapping[str, Fraction] | None) -> dict[str, Fraction]:
    """One unit of every required wager, unless the stakes say otherwise."""
    given = {}
    for name, units in (stakes or {}).items():
        game.wager(name)
        if units < 0:
            raise BadValue(f"A stake of {units} on {name} cannot be; give 0 or more units.")
        given[name] = Fraction(units)
    required = [name for name, wager in game.wagers.items() if wager.required]
    instead = {name for other, units in given.items() if units for name in game.wager(other).instead}
    wanted = {**{name: Fraction(1) for name in required if name not in instead}, **given}
    for name in required:
        if name in instead and wanted.get(name):
            other = next(o for o in given if name in game.wager(o).instead)
            raise BadValue(f"{other} is made instead of {name}; give a stake to one of them.")
        if name not in instead and not wanted[name]:
            raise BadValue(f"{name} is required to play, so its stake must be above 0.")
    return {name: units for name, units in wanted.items() if units}


def solver_for(
    game: Game,
    stakes: Mapping[str, Fraction],
    rules: "RulesByStakes | None" = None,
    *,
    details: bool = False,
    recount: bool = False,
) -> "Solver | Enumerated":
    """Who analyses a game: its own enumerator if it has one, otherwise the solver that walks its rules."""
    solver = Solver(game, stakes, rules)
    return Enumerated(game, stakes, solver, details=details, recount=recount) if game.enumerator else solver


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
        return measure(graph, best, wager, edges, strategy)

    def edges(self, name: str) -> dict[str, Fraction]:
        """The edges of a wager: its own, by each convention, and for each value of the fact it depends on."""
        found = self.wager(name)
        by_fact = {f"{found.wager.by} {value}": edge for value, edge in found.by_fact.items()}
        return {"": found.edge, **found.edges, **by_fact}

    def by_convention(self, name: str, convention: str) -> WagerAnalysis:
        """The wager by a printed convention, which fixes what the seat chooses."""
        if convention == DECIDED:
            found = self.wager(name)
            return replace(found, edge=found.edges.get(DECIDED, found.edge))
        option = self.game.wager(name).conventions[convention]
        return self.under(name, lambda info: option if option in info.options else info.options[0])

    def under(self, name: str, policy: Policy) -> WagerAnalysis:
        """The wager, beside the required ones, under a policy of any kind."""
        return measure(*self._under(name, policy), self.game.wager(name))

    @cached_property
    def solved(self) -> Solved:
        graph = Graph(self._rules_for(self.stakes), self._unseen(self.stakes))
        return optimise(graph, net_of([self.game.wager(name) for name in self.stakes]))

    @cached_property
    def strategy(self) -> Strategy:
        return strategy_of(self.solved, suited=suits_matter(self.game, self.stakes))

    def strategy_behind(self, wagers: Iterable[str]) -> Strategy | None:
        """The strategy behind the figures of these wagers, if anything is to be decided."""
        return self.strategy if self.strategy.advice else None

    def _under(self, name: str, policy: Policy) -> tuple[Graph, dict[int, str]]:
        """The graph of the required wagers and this one, under a policy."""
        wager = self.game.wager(name)
        stakes = {n: s for n, s in self.stakes.items() if self.game.wager(n).required and n not in wager.instead}
        stakes[name] = self.stakes.get(name, Fraction(1))
        bonus = self.game.bonuses.get(name)
        until = frozenset(wager.spots) if bonus is not None and bonus.early else frozenset[str]()
        graph = Graph(self._rules_for(stakes, until), self._unseen(stakes), policy)
        states = enumerate(graph.states)
        return graph, {number: next(iter(s.options)) for number, s in states if s is not None and s.options}

    def _rules_for(self, stakes: Mapping[str, Fraction], until: frozenset[str] = frozenset()) -> Rules:
        name = tuple(stakes.items())
        if name not in self._rules:
            self._rules[name] = rules_for(self.game, stakes, until=until)
        return self._rules[name]

    def _unseen(self, stakes: Iterable[str]) -> Unseen | None:
        fresh = self.game.fresh()
        return fresh if fresh is None or suits_matter(self.game, stakes) else fresh.suitless


def rules_for(
    game: Game, stakes: Mapping[str, Fraction], *, whole_turn: bool = False, until: frozenset[str] = frozenset()
) -> Rules:
    """The rules for one seat; with company where it makes no required wager of its own, or hands the dice on."""
    alone = not whole_turn and all(name in stakes for name, wager in game.wagers.items() if wager.required)
    start = game.start((ME,) if alone else (ME, COMPANY), tracked=False)
    return Rules(start, stakes, whole_turn=whole_turn, until=until)


def suits_matter(game: Game, wagers: Iterable[str]) -> bool:
    return any(game.wager(name).matters == "rank and suit" for name in wagers)


def options_json(game: Game) -> dict[str, Any]:
    """How a game was configured, and how that stands to its approval."""
    return {
        "version": game.version_name,
        "decks": game.decks,
        "readings": dict(game.readings),
        "pay": {spot: table.name for spot, table in game.pay.items() if spot in game.wagers},
        **standing_json(game),
    }


def standing_json(game: Game) -> dict[str, Any]:
    """How a game's definition stands to its approval, what is unlike it, and whom to ask before that (F-01, F-31)."""
    standing = of_definition(game)
    return {
        "standing": standing.words,
        "differences": list(standing.differences),
        "ask_first": list(standing.ask_first),
    }
