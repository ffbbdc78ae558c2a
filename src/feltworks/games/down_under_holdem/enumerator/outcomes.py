"""The exact distribution of what a round wins or loses, once the decisions are fixed."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from feltworks.games.down_under_holdem.enumerator.solution import PAID, DealCounts, PlayedDeals, Solution


@dataclass(frozen=True)
class Outcome:
    """One way a round can end."""

    decision: str
    """"3x", "1x" or "fold"."""
    result: str
    """"win" with a line of the Bet's pay table or without, "tie", "lose" or "fold"."""
    line: str | None
    net: Fraction
    """Net result in Antes."""
    deals: int


@dataclass(frozen=True)
class Outcomes:
    """All the ways in which a round can end, with the number of deals of each."""

    every: tuple[Outcome, ...]

    @property
    def deals(self) -> int:
        return sum(outcome.deals for outcome in self.every)

    @property
    def distribution(self) -> dict[Fraction, Fraction]:
        """The probability of each net result, from the greatest loss to the greatest win."""
        counts: Counter[Fraction] = Counter()
        for outcome in self.every:
            counts[outcome.net] += outcome.deals
        return {net: Fraction(counts[net], self.deals) for net in sorted(counts) if counts[net]}

    @property
    def mean(self) -> Fraction:
        return sum((net * chance for net, chance in self.distribution.items()), Fraction(0))

    @property
    def variance(self) -> Fraction:
        return sum((net * net * chance for net, chance in self.distribution.items()), Fraction(0)) - self.mean**2

    @property
    def standard_deviation(self) -> float:
        """Of the result of a round, in Antes."""
        return sqrt(self.variance)

    @property
    def hit_frequency(self) -> Fraction:
        """How often a round ends with a net win."""
        return sum((chance for net, chance in self.distribution.items() if net > 0), Fraction(0))


def outcomes(solution: Solution, played: PlayedDeals) -> Outcomes:
    """How rounds end that are played as well as possible, by the deals that are then not folded."""
    folded = int(solution.folded[~solution.raises].sum())
    return Outcomes(
        (
            *_ends(solution, "3x", 3, played.raised),
            *_ends(solution, "1x", 1, played.checked),
            Outcome("fold", "fold", None, Fraction(-2), folded),
        )
    )


def _ends(solution: Solution, decision: str, play: int, deals: DealCounts) -> Iterator[Outcome]:
    wins = [int(count) for count in deals.weaker.sum(0)]
    win, win_or_tie, every = (int(counts.sum()) for counts in deals)
    for category, pay in zip(PAID, solution.pays, strict=True):
        yield Outcome(decision, "win", category.label, 1 + pay + play, wins[category])
    yield Outcome(decision, "win", None, Fraction(1 + play), win - sum(wins[category] for category in PAID))
    yield Outcome(decision, "tie", None, Fraction(0), win_or_tie - win)
    yield Outcome(decision, "lose", None, Fraction(-2 - play), every - win_or_tie)
