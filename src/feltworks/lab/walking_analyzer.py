"""The analysis of a game by walking its rules: solved once for the stakes, then followed for each wager."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

from feltworks.kit.definition import DECIDED
from feltworks.kit.enumerator import Progress
from feltworks.kit.errors import FaultyRules, TooLarge
from feltworks.kit.game import Game
from feltworks.kit.round import Info
from feltworks.kit.unseen import Unseen
from feltworks.lab.alike_ranks import checked_classes, told_apart
from feltworks.lab.card_classes import classes_for, naming
from feltworks.lab.graph import COMPANY, LARGEST, ME, Graph, Policy, RoundWalker
from feltworks.lab.solver import Solved, optimise
from feltworks.lab.stakes import alone, company, has_required
from feltworks.lab.strategy import Strategy, strategy_of
from feltworks.lab.wager_analysis import WagerAnalysis, measure, net_of, on_any_spot

RulesByStakes = dict[tuple[tuple[str, Fraction], ...], RoundWalker]


class WalkingAnalyzer:
    """Solves for the stakes once, and follows that strategy for each wager that is asked for.

    `rules` may be shared by solvers of games that differ in their decks alone. `because` says why a game is walked that
    could be solved in another way; whoever walks one that is too large is told.
    """

    def __init__(
        self,
        game: Game,
        stakes: Mapping[str, Fraction],
        rules: RulesByStakes | None = None,
        *,
        progress: Progress | None = None,
        most: int | None = None,
        because: str = "",
    ) -> None:
        self.game = game
        self.stakes = stakes
        self._progress = progress
        self._most = most or LARGEST
        self._because = because
        self._rules = {} if rules is None else rules

    def wager(self, name: str) -> WagerAnalysis:
        """The wager under the best strategy for the stakes."""
        wager = self.game.wager(name)
        if wager.any_spot:
            return on_any_spot(wager, {spot: self.wager(spot) for spot in wager.spots})
        if self._stands_alone(name):
            return self._alone(name).wager(name)
        edges = {convention: self.by_convention(name, convention).edge for convention in wager.conventions}
        if name in self.stakes:
            graph, best = self.solved.graph, self.solved.best
        else:
            graph, best = self.graph_under(name, self._anything if self._is_early(name) else self.strategy.option)
        decided = wager.required or not has_required(self.game)
        strategy = self.strategy if decided and self.strategy.advice else None
        return measure(graph, best, wager, edges, strategy)

    def edges(self, name: str) -> dict[str, Fraction]:
        """The edges of a wager: its own, by each convention, and for each value of the fact it depends on."""
        analysis = self.wager(name)
        by_fact = {f"{analysis.wager.by} {value}": edge for value, edge in analysis.by_fact.items()}
        return {"": analysis.edge, **analysis.edges, **by_fact, **analysis.by_spot}

    def by_convention(self, name: str, convention: str) -> WagerAnalysis:
        """The wager by a printed convention, which fixes what the seat chooses."""
        if convention == DECIDED:
            analysis = self.wager(name)
            return replace(analysis, edge=analysis.edges.get(DECIDED, analysis.edge))
        option = self.game.bet(name).conventions[convention]
        return self.under(name, lambda info: option if option in info.options else info.options[0])

    def under(self, name: str, policy: Policy) -> WagerAnalysis:
        """The wager, beside the required ones, under a policy of any kind."""
        bet = self.game.bet(name)
        return measure(*self.graph_under(bet.name, policy), bet)

    def _stands_alone(self, name: str) -> bool:
        """Whether a wager is analysed alone: it is not staked, and there is no other beside which it is always made."""
        return name not in self.stakes and not has_required(self.game)

    def _alone(self, name: str) -> "WalkingAnalyzer":
        return WalkingAnalyzer(self.game, alone(self.game, name), self._rules, progress=self._progress)

    @cached_property
    def whole(self) -> Graph:
        """Every state that the stakes lead to."""
        return self._graph(self.stakes)

    @cached_property
    def solved(self) -> Solved:
        return optimise(self.whole, net_of([self.game.wager(name) for name in self.stakes]))

    @cached_property
    def strategy(self) -> Strategy:
        return strategy_of(self.solved, told_apart(self.game, self.stakes))

    def strategy_behind(self, wagers: Iterable[str]) -> Strategy | None:
        """The strategy behind the figures of these wagers, if anything is to be decided."""
        if not self.stakes or all(name not in self.stakes and self._is_early(name) for name in wagers):
            return None
        return self.strategy if self.strategy.advice else None

    def _is_early(self, name: str) -> bool:
        """Whether a wager is settled before anybody decides anything, so that no strategy bears on it."""
        return name in self.game.bonuses and self.game.bonuses[name].early

    def _anything(self, info: Info) -> str:
        """A policy for what is settled before the first decision."""
        return info.options[0]

    def graph_under(self, name: str, policy: Policy) -> tuple[Graph, dict[int, str]]:
        """The graph of the required wagers, or where none is of those that this one needs, and this one, under a
        policy."""
        wager = self.game.wager(name)
        if has_required(self.game):
            stakes = {n: s for n, s in self.stakes.items() if self.game.wager(n).required and n not in wager.instead}
            stakes[name] = self.stakes.get(name, Fraction(1))
        else:
            stakes = {n: self.stakes.get(n, units) for n, units in alone(self.game, name).items()}
        until = frozenset(wager.spots) if self._is_early(name) else frozenset[str]()
        graph = self._graph(stakes, until, policy)
        states = enumerate(graph.states)
        return graph, {number: next(iter(s.options)) for number, s in states if s is not None and s.options}

    def _rules_for(self, stakes: Mapping[str, Fraction], until: frozenset[str] = frozenset()) -> RoundWalker:
        name = tuple(stakes.items())
        if name not in self._rules:
            self._rules[name] = rules_for(self.game, stakes, until=until)
        return self._rules[name]

    def _graph(
        self, stakes: Mapping[str, Fraction], until: frozenset[str] = frozenset(), policy: Policy | None = None
    ) -> Graph:
        try:
            classes = checked_classes(self.game, stakes)
            rules, unseen = self._rules_for(stakes, until), self._unseen(stakes)
            return Graph(rules, unseen, policy, self._most, classes=classes, progress=self._progress)
        except FaultyRules as fault:
            if fault.kind != "suits":
                raise
            raise naming(fault, self.game, stakes) from fault.__cause__
        except TooLarge as error:
            raise (TooLarge(f"{self._because} State by state, {error}") if self._because else error) from None

    def _unseen(self, stakes: Mapping[str, Fraction]) -> Unseen | None:
        fresh = self.game.fresh()
        return fresh and told_apart(self.game, stakes).pack(fresh)


def rules_for(
    game: Game, stakes: Mapping[str, Fraction], *, whole_turn: bool = False, until: frozenset[str] = frozenset()
) -> RoundWalker:
    """The rules for one seat; with company where it does not keep the round going itself, or hands the dice on."""
    by_itself = not whole_turn and company(game, stakes).keys() <= stakes.keys()
    start = game.start((ME,) if by_itself else (ME, COMPANY), tracked=False)
    return RoundWalker(start, stakes, whole_turn=whole_turn, until=until)


def suits_matter(game: Game, wagers: Iterable[str]) -> bool:
    return classes_for(game, wagers).suited
