"""Games that count their own deals: what their enumerator tells, in the words of every other analysis."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Protocol

from feltworks.kit.advice import Advice
from feltworks.kit.cards import Seat
from feltworks.kit.counted_parts import Pieces
from feltworks.kit.definition import DECIDED
from feltworks.kit.enumerator import EnumeratedWager, Enumerator
from feltworks.kit.errors import BadValue, FaultyRules
from feltworks.kit.game import Game
from feltworks.kit.round import Info, Round
from feltworks.kit.showdown import ENGINE
from feltworks.kit.steps import Bet, Choose, Collect, Decide, Place, TakeUp
from feltworks.kit.walk import bets_for
from feltworks.lab.count_files import Results, enumerator_of, results_of
from feltworks.lab.graph import Policy
from feltworks.lab.wager_analysis import WagerAnalysis, check_sum

ZERO = Fraction(0)


@dataclass(frozen=True)
class EnumeratedStrategy:
    """The best decisions of an enumerated game: those before any chance of a seat's own in words, the others asked."""

    game: Game
    stakes: Mapping[str, Fraction]
    advice: Mapping[str, Advice]

    def option(self, info: Info) -> str:
        return enumerator_of(self.game).option(self.game, info)

    # As a player at a seat.

    def bets(self, round: Round, bet: Bet, seat: Seat) -> Iterator[Place | TakeUp | Collect]:
        return bets_for(self.stakes, round, bet, seat)

    def decide(self, round: Round, choose: Choose, seat: Seat) -> Decide:
        return Decide(seat, choose.clock_choice.name if choose.neutral else self.option(round.info(seat)))


class Walker(Protocol):
    """Analyses a wager under a policy by walking the rules."""

    def under(self, name: str, policy: Policy) -> WagerAnalysis: ...


class EnumeratingAnalyzer:
    """Analyses the wagers of a game by its enumerator, as `WalkingAnalyzer` does by walking its rules."""

    def __init__(
        self,
        game: Game,
        stakes: Mapping[str, Fraction],
        walker: Walker,
        *,
        details: bool = False,
        recount: bool = False,
    ) -> None:
        self.game = game
        self.stakes = stakes
        self.details = details
        self.recount = recount
        self._walker = walker
        self._counted_wagers: dict[str, tuple[EnumeratedWager, str]] = {}
        self._refuse_other_strategies()

    def _refuse_other_strategies(self) -> None:
        """What is staked beside the base changes the strategy only where a folded hand loses it."""
        for name in self.stakes:
            bears = not (self.game.wager(name).required or self._is_early(name))
            if bears and self.enumerator.bears_on_strategy(self.game, name):
                raise BadValue(
                    f"Where a folded hand forfeits {self.game.wager(name).title}, the best strategy for both together "
                    "is not counted; leave its stake out to see it under the best strategy for the base game."
                )

    def _is_early(self, name: str) -> bool:
        return name in self.game.bonuses and self.game.bonuses[name].early

    @cached_property
    def enumerator(self) -> Enumerator:
        return enumerator_of(self.game)

    @property
    def results(self) -> Results:
        return results_of(self.game, recount=self.recount)

    def wager(self, name: str) -> WagerAnalysis:
        """The wager under the best strategy for the base game; walked where it is settled before any decision."""
        if self._is_early(name):
            return self._walker.under(name, lambda info: self.strategy.option(info))
        counted, origin = self._counted(name)
        strategy = self.strategy if self.game.wager(name).required else None
        return replace(analysed(self.game, name, counted, strategy), origin=origin)

    def by_convention(self, name: str, convention: str) -> WagerAnalysis:
        analysis = self.wager(name)
        return replace(analysis, edge=analysis.edges.get(DECIDED, analysis.edge)) if convention == DECIDED else analysis

    def edges(self, name: str) -> dict[str, Fraction]:
        """The edge of a wager alone, which takes less time than all that is told of it."""
        return {"": self.wager(name).edge if self._is_early(name) else self._edge(name)}

    def _edge(self, name: str) -> Fraction:
        return self.enumerator.edge(self.game, name, self.results)

    def strategy_behind(self, wagers: Iterable[str]) -> "EnumeratedStrategy | None":
        """The strategy behind the figures of these wagers, if anything that is decided bears on them."""
        return None if all(map(self._needs_none, wagers)) else self.strategy

    def _needs_none(self, name: str) -> bool:
        """Whether no strategy bears on a wager: it is settled before any decision, or goes by the kind of its own hand
        alone, whatever is chosen."""
        if self._is_early(name):
            return True
        own = self.game.enumerator == ENGINE and not self.game.wager(name).required
        return own and not self.enumerator.bears_on_strategy(self.game, name)

    def tried(self, name: str) -> Mapping[str, Fraction]:
        """Edges by other definitions."""
        return {} if self._is_early(name) else self._counted(name)[0].tried or {}

    def _counted(self, name: str) -> tuple[EnumeratedWager, str]:
        """What is told of a wager, and where it comes from."""
        if name not in self._counted_wagers:
            used: dict[str, None] = {}

            def noted(part: str) -> Pieces:
                used[part] = None
                return self.results(part)

            counted = self.enumerator.wager(self.game, name, noted, details=self.details)
            self._counted_wagers[name] = counted, self.results.origin(used)
        return self._counted_wagers[name]

    @cached_property
    def strategy(self) -> EnumeratedStrategy:
        [base] = [name for name, wager in self.game.wagers.items() if wager.required]
        advice = {each.situation: each for each in self._counted(base)[0].strategy}
        return EnumeratedStrategy(self.game, self.stakes, advice)


def analysed(game: Game, name: str, counted: EnumeratedWager, strategy: EnumeratedStrategy | None) -> WagerAnalysis:
    """The figures that follow from the outcomes of a wager."""
    wager = game.wager(name)
    for outcome in counted.outcomes:
        if not 0 <= outcome.probability <= 1:
            raise FaultyRules(
                f"{outcome.line} of {wager.title} in {game.title} has a probability of {outcome.probability}."
            )
    check_sum(game, wager, sum((o.probability for o in counted.outcomes), ZERO))
    mean = sum((o.probability * o.net for o in counted.outcomes), ZERO)
    square = sum((o.probability * o.net**2 for o in counted.outcomes), ZERO)
    pushed = sum((o.probability for o in counted.outcomes if o.pays == "push"), ZERO)
    hits = sum((o.probability for o in counted.outcomes if o.net > 0), ZERO) if counted.variance is None else None
    return WagerAnalysis(
        wager=wager,
        edge=-mean,
        outcomes=counted.outcomes,
        variance=square - mean**2 if counted.variance is None else counted.variance,
        hit_frequency=hits,
        average_stake=counted.average_stake,
        edge_of_initial_stake=-mean / sum(wager.opens.values()),
        element_of_risk=-mean / counted.average_stake,
        edges={DECIDED: -mean / (1 - pushed)} if pushed else {},
        strategy=strategy,
        figures=counted.figures,
        notes=counted.notes,
        most_staked=counted.most_staked,
    )
