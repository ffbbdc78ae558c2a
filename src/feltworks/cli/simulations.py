"""`felt simulate`: what came up, beside what is expected exactly."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from feltworks.cli.output import console, decimal, heading, headline, percent, table
from feltworks.kit.errors import UnknownName
from feltworks.kit.game import Game
from feltworks.lab.simulate import Progress as Tell
from feltworks.lab.simulate import Simulation, WagerSimulation
from feltworks.terminal.words import counted


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


def check(game: Game, wager: str) -> None:
    """Refuse a wager that is not simulated before any time is spent."""
    counted = [name for name, each in game.wagers.items() if each.analysed]
    if wager not in counted:
        raise UnknownName("simulated wager", wager, counted)


def show(found: Iterable[Simulation]) -> None:
    screen = console()
    for number, simulation in enumerate(found):
        if number:
            screen.print()
            screen.rule()
        screen.print(headline(simulation.game))
        played = f"{counted(simulation.rounds, 'round')} with {counted(simulation.seats, 'seat')}"
        screen.print(f"{played}, seed {simulation.seed}")
        for wager in simulation.wagers.values():
            _wager(screen, wager)
    screen.print()
    screen.print("A simulation checks the exact figures; it does not certify them.", style="dim")


def _wager(screen: Console, found: WagerSimulation) -> None:
    screen.print()
    screen.print(heading(f"{found.wager.title} ({found.wager.name})"))
    columns = ("line", "pays", "count", "in percent", "expected")
    rows = [
        (
            o.line,
            o.pays,
            f"{o.count:,}",
            percent(o.share),
            "" if o.expected is None else f"{float(o.expected):,.1f}",
        )
        for o in found.outcomes
    ]
    screen.print(table(columns, rows, right=columns[1:], width=screen.width))
    screen.print()
    low, high = found.interval
    figures = [
        ("edge", percent(found.edge), f"{100 * low:.4f} % to {100 * high:.4f} % with 95 % confidence"),
        ("standard deviation", decimal(found.standard_deviation, sign=False), "of one seat in one round"),
    ]
    if found.exact is not None:
        figures.insert(1, ("exact edge", percent(found.exact.edge), str(found.exact.edge)))
    if found.z is not None:
        meaning = "standard errors that the seats did better than the exact edge"
        figures.insert(2, ("z", f"{found.z:+.2f}", meaning))
    screen.print(table(("figure", "value", ""), figures, right=("value",), width=screen.width))
