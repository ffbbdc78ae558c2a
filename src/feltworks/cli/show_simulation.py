"""`felt simulate`: what came up, beside what is expected exactly."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from feltworks.cli.output import console, decimal, heading, headline, percent, table, working
from feltworks.kit.enumerator import Progress as Tell
from feltworks.kit.errors import BadValue
from feltworks.kit.game import Game
from feltworks.lab.policies import BEST
from feltworks.lab.sample_mean import Totals
from feltworks.lab.simulation_result import Length, Simulation, WagerSimulation
from feltworks.terminal.words import counted

_WHOLE = re.compile(r"[0-9]{1,16}|[0-9]{1,3}(,[0-9]{3}){1,5}|[0-9]{1,16}(\.[0-9]{1,15})?[eE]\+?[0-9]{1,2}")


def whole(option: str, text: str | None) -> int | None:
    """A whole number as a person writes it: 1000000, 1,000,000 or 1e6."""
    if text is None:
        return None
    number = Fraction(text.replace(",", "")) if _WHOLE.fullmatch(text) else Fraction(1, 2)
    if number.denominator != 1:
        raise BadValue(f"{option} is a whole number such as 1000000, 1,000,000 or 1e6; {text!r} is not.")
    return int(number)


def make_ready(game: Game) -> None:
    """Have the kernel of a game of dice compiled, or loaded where that was kept from an earlier time."""
    if game.has_dice:
        with working("Making the kernel ready; the first time it is compiled, which takes some seconds"):
            from feltworks.lab import dice_kernel

            dice_kernel.make_ready()


@contextmanager
def progress(title: str) -> Iterator[Tell]:
    """A bar on standard error, for a person at a terminal."""
    screen = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task(title, total=None)

        def tell(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield tell


def only(simulation: Simulation, wager: str) -> Simulation:
    bet = simulation.game.bet(wager)
    if bet.name not in simulation.wagers:
        raise BadValue(f"{bet.title} is never made with these stakes.")
    return replace(simulation, wagers={bet.name: simulation[bet.name]})


def show(simulations: Iterable[Simulation]) -> None:
    screen = console()
    for number, simulation in enumerate(simulations):
        if number:
            screen.print()
            screen.rule()
        screen.print(headline(simulation.game))
        played = f"{counted(simulation.rounds, 'round')} with {counted(simulation.seats, 'seat')}"
        if simulation.length is not None:
            played = f"{counted(simulation.rounds, 'round')} in {counted(simulation.length.rolls, 'roll')}"
        by = "" if simulation.strategy == BEST else f", strategy {simulation.strategy}"
        screen.print(f"{played}, seed {simulation.seed}{by}")
        if simulation.note:
            screen.print(Text(simulation.note))
        for wager in simulation.wagers.values():
            instead = [simulation.game.wager(name).title for name in wager.wager.instead if name in simulation.stakes]
            if instead and simulation.length is not None:
                screen.print(f"{wager.wager.title} at a seat of its own, which makes it instead of {instead[0]}")
        if simulation.length is not None:
            _length(screen, simulation.length)
        for wager in simulation.wagers.values():
            _wager(screen, wager)
    screen.print()
    screen.print("A simulation checks the exact figures; it does not certify them.", style="dim")


def _length(screen: Console, length: Length) -> None:
    exact = f"{float(length.exact):.6f}"
    figures = [
        ("rolls per round", f"{length.rolls / length.rounds:.6f}", "from the first roll to the end of the round"),
        ("exactly", exact, str(length.exact)),
    ]
    if length.z is not None:
        figures.append(("z", f"{length.z:+.2f}", "standard errors that the rounds were longer"))
    screen.print()
    screen.print(table(("figure", "value", ""), figures, right=("value",), width=screen.width))


def _wager(screen: Console, result: WagerSimulation) -> None:
    screen.print()
    screen.print(heading(f"{result.wager.title} ({result.wager.name})"))
    columns = ("line", "pays", "count", "in percent", "expected")
    rows = [
        (
            o.line,
            o.pays,
            f"{o.count:,}",
            percent(o.share),
            "" if o.expected is None else f"{float(o.expected):,.1f}",
        )
        for o in result.outcomes
    ]
    screen.print(table(columns, rows, right=columns[1:], width=screen.width))
    screen.print()
    low, high = result.interval
    spread = "of one seat in one round" + (", from the exact variance" if isinstance(result.rounds, Totals) else "")
    figures = [
        ("edge", percent(result.edge), f"{100 * low:.4f} % to {100 * high:.4f} % with 95 % confidence"),
        ("standard deviation", decimal(result.standard_deviation, sign=False), spread),
    ]
    if result.exact is not None:
        figures.insert(1, ("exact edge", percent(result.exact.edge), str(result.exact.edge)))
    if result.z is not None:
        meaning = "standard errors that the seats did better than the exact edge"
        figures.insert(2, ("z", f"{result.z:+.2f}", meaning))
    screen.print(table(("figure", "value", ""), figures, right=("value",), width=screen.width))
