"""`felt analyze`: outcomes, figures with their definitions, and the strategy behind them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from feltworks import api
from feltworks.cli import show_plan
from feltworks.cli.options import units
from feltworks.cli.output import console, decimal, facts, fit_in_column, heading, headline, percent, table
from feltworks.cli.show_chart import show_chart
from feltworks.cli.show_strategy import Section, sections
from feltworks.kit.definition import DECIDED
from feltworks.kit.enumerator import ON_AVERAGE, Progress
from feltworks.kit.game import Game
from feltworks.lab.analysis import Analysis
from feltworks.lab.betting_plan import PACE, Plan
from feltworks.lab.count_files import COUNTED_NOW
from feltworks.lab.reading_effects import Effect
from feltworks.lab.stakes import has_required
from feltworks.lab.strategy import Strategy
from feltworks.lab.together import Together
from feltworks.lab.wager_analysis import WagerAnalysis

MOST_STRATEGY_LINES = 40
"""A strategy with more lines than this is told in part, and says so."""


class Figure(NamedTuple):
    """A figure with its definition in words."""

    name: str
    value: str
    exact: Fraction | None
    meaning: str


@dataclass(frozen=True)
class FullAnalysis:
    """All that `felt analyze` tells of one version of a game."""

    analysis: Analysis
    plan: Plan | None
    effects: list[Effect] | None

    def to_json(self) -> dict[str, Any]:
        data = self.analysis.to_json()
        if self.plan is not None:
            data["plan"] = self.plan.to_json()
        if self.effects is not None:
            data["readings"] = [effect.to_json() for effect in self.effects]
        return data


def analyze_fully(
    game: Game,
    wager: str | None,
    stakes: Mapping[str, Fraction],
    pace: str | None,
    readings: bool,
    details: bool,
    progress: Progress | None = None,
    however_long: bool = False,
) -> FullAnalysis:
    """The analysis; for a game of dice the stakes as a plan too; and the effects of the readings if asked for."""
    analysis = api.analyze(
        game, wager=wager, stakes=stakes, details=details, progress=progress, however_long=however_long
    )
    dice = game.has_dice and wager is None and (stakes or has_required(game))
    plan = api.plan(game, stakes=stakes, pace=units(pace or str(PACE))) if dice or pace is not None else None
    return FullAnalysis(analysis, plan, api.effects(game, wager=wager) if readings else None)


def draw(game: Game, chart: Path | None, plot: Path | None) -> None:
    """Draw what was asked for into files."""
    if chart is None and plot is None:
        return
    from feltworks.lab.chart_drawing import draw_chart, draw_lines  # with matplotlib, which nothing else needs

    if chart is not None:
        draw_chart(api.chart(game), chart)
    if plot is not None:
        draw_lines(api.plot(game), plot)


def show(analyses: Iterable[FullAnalysis]) -> None:
    screen = console()
    for number, full in enumerate(analyses):
        analysis = full.analysis
        if number:
            screen.print()
            screen.rule()
        screen.print(headline(analysis.game))
        for wager in analysis.wagers.values():
            _wager(screen, wager, analysis)
        for name, why in analysis.too_large.items():
            screen.print()
            screen.print(heading(f"{analysis.game.wager(name).title} ({name})"))
            screen.print(Text(why))
        if any(wager.strategy for wager in analysis.wagers.values()) and analysis.strategy is not None:
            if isinstance(analysis.strategy, Strategy):
                _strategy(screen, analysis.strategy)
            else:
                show_chart(screen, api.chart(analysis.game))
        if analysis.together is not None:
            _together(screen, analysis.together)
        if full.plan is not None:
            show_plan.show(screen, full.plan)
        if full.effects is not None:
            show_plan.show_effects(screen, analysis.game, full.effects)


def _wager(screen: Console, result: WagerAnalysis, analysis: Analysis) -> None:
    screen.print()
    read = "" if result.origin == COUNTED_NOW else f" · {result.origin}"
    screen.print(Text.assemble(heading(f"{result.wager.title} ({result.wager.name})"), read))
    beside = has_required(analysis.game) or result.wager.name in analysis.stakes
    if analysis.strategy and beside and (result.wager.name not in analysis.stakes or len(analysis.stakes) > 1):
        stakes = ", ".join(f"{units} on {name}" for name, units in analysis.stakes.items())
        screen.print(f"Under the strategy that is best for a stake of {stakes}.")
    if result.by_spot:
        first, *_ = result.by_spot
        screen.print(f"Told for {result.wager.spots[first]}; --wager tells another one by the name of its spot.")
    screen.print(_outcomes(result, screen.width))
    if result.hit_frequency is None and not any(o.pays == ON_AVERAGE for o in result.outcomes):
        screen.print("It can be paid more than once in a round: a probability is the expected number of times.")
    if not fit_in_column(o.probability for o in result.outcomes):
        screen.print(facts((f"{o.line}, {o.pays}", str(o.probability)) for o in result.outcomes))
    screen.print()
    figures = list(_figures(result, "the wager" if analysis.game.decks is None else "a round"))
    for more in result.figures:
        exact = more.value if isinstance(more.value, Fraction) else None
        value = percent(more.value) if more.percent else decimal(more.value, 2, sign=False)
        meaning = more.meaning if exact is not None else f"approximately; {more.meaning}"
        figures.append(Figure(more.name, value, exact, meaning))
    screen.print(_figures_table(figures, screen.width))
    if not fit_in_column(f.exact for f in figures if f.exact is not None):
        screen.print(facts((f.name, str(f.exact)) for f in figures if f.exact is not None))
    for note in result.notes:
        screen.print(Text(note))
    if analysis.strategy is None and isinstance(result.strategy, Strategy):
        _strategy(screen, result.strategy)


def _outcomes(result: WagerAnalysis, width: int) -> Table:
    short = fit_in_column(o.probability for o in result.outcomes)
    exact = ["probability"] if short else []
    columns = ("line", "pays", *exact, "in percent", "contributes")
    rows = [
        (
            o.line,
            o.pays,
            *([str(o.probability)] if short else []),
            percent(o.probability),
            decimal(o.probability * o.net),
        )
        for o in result.outcomes
    ]
    total = sum((o.probability * o.net for o in result.outcomes), Fraction(0))
    rows.append(("in all", *[""] * len(columns[1:-1]), decimal(total)))
    return table(columns, rows, right=columns[1:], width=width)


def _together(screen: Console, together: Together) -> None:
    """What all stakes win in a round."""
    stakes = ", ".join(f"{units} on {name}" for name, units in together.stakes.items())
    screen.print()
    screen.print(heading("What the stakes win together"))
    screen.print(f"{stakes}, in every round.")
    net, initial, staked = together.net, together.initial, together.staked
    figures = [
        Figure("wins", decimal(net), net, "units a round on average"),
        Figure(
            "edge", percent(together.edge), together.edge, f"what the house wins per unit of the {initial} put down"
        ),
    ]
    if staked != initial:
        risk = together.element_of_risk
        figures.append(Figure("average stake", decimal(staked, sign=False), staked, "units staked in a round in all"))
        figures.append(Figure("element of risk", percent(risk), risk, "what the house wins per unit staked in all"))
    if together.standard_deviation is not None:
        deviation = decimal(together.standard_deviation, sign=False)
        figures.append(Figure("standard deviation", deviation, None, "of what all stakes win in a round"))
    screen.print(_figures_table(figures, screen.width))
    if not fit_in_column(f.exact for f in figures if f.exact is not None):
        screen.print(facts((f.name, str(f.exact)) for f in figures if f.exact is not None))
    if together.standard_deviation is None:
        screen.print("The deals are counted for each wager alone, so that no standard deviation of all is known.")


def _figures_table(figures: list[Figure], width: int) -> Table:
    short = fit_in_column(f.exact for f in figures if f.exact is not None)
    exact = ["exactly"] if short else []
    rows = [
        (f.name, f.value, *([str("" if f.exact is None else f.exact)] if short else []), f.meaning) for f in figures
    ]
    return table(("figure", "value", *exact, "what it is"), rows, right=("value", *exact), width=width)


def _figures(result: WagerAnalysis, of: str) -> Iterator[Figure]:
    wager = result.wager
    opening = wager.spots[next(iter(wager.opens))]
    unit = f"unit of {opening}" if len(wager.spots) > 1 and not wager.any_spot else "unit wagered"
    edge, initial = result.edge, result.edge_of_initial_stake
    mean, risk, hits = result.average_stake, result.element_of_risk, result.hit_frequency
    yield Figure("edge", percent(edge), edge, f"what the house wins on average per {unit}")
    for name, other in result.edges.items():
        meaning = f"the same by the printed convention: the seat always chooses {wager.conventions.get(name)}"
        if name == DECIDED:
            meaning = "the same per unit decided, pushes left out"
        yield Figure(f"edge_{name}", percent(other), other, meaning)
    for value, other in result.by_fact.items():
        yield Figure(f"edge, {wager.by} {value}", percent(other), other, f"the same when the {wager.by} is {value}")
    for spot, other in result.by_spot.items():
        yield Figure(f"edge, {spot}", percent(other), other, f"the same on {wager.spots[spot]}")
    if result.strategy is not None:
        if initial != edge:
            yield Figure("edge of initial stake", percent(initial), initial, "per unit of all opening wagers")
        yield Figure("average stake", decimal(mean, sign=False), mean, f"staked in a round per {unit}")
        yield Figure("element of risk", percent(risk), risk, "what the house wins per unit staked in all")
    if hits is not None:
        yield Figure("hit frequency", percent(hits), hits, "how often it ends with a net win")
    deviation = decimal(result.standard_deviation, sign=False)
    yield Figure("standard deviation", deviation, None, f"of the result of {of} per {unit}")


def _strategy(screen: Console, strategy: Strategy) -> None:
    screen.print()
    screen.print(heading("Strategy"))
    for section in sections(strategy):
        screen.print(Text(section.title, style="bold"))
        lines = list(section.summary())
        screen.print(Padding(facts(lines[:MOST_STRATEGY_LINES]), (0, 0, 0, 2)))
        if len(lines) > MOST_STRATEGY_LINES:
            screen.print(f"  and {len(lines) - MOST_STRATEGY_LINES} more cases; --json tells them all")
        if len(section.differs) == 1 and len(section.advice) <= MOST_STRATEGY_LINES:
            screen.print(Padding(_worth(section, screen.width), (1, 0, 1, 2)))


def _worth(section: Section, width: int) -> Table:
    rows = [
        (value, *(decimal(advice.options[name]) for name in section.options), advice.best)
        for (value,), advice in section.advice.items()
    ]
    return table((*section.differs, *section.options, "best"), rows, right=section.options, width=width)
