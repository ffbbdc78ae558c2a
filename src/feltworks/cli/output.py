"""What all commands print with: one console, tables that never cut a cell, JSON alone on standard output."""

import json
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from io import TextIOWrapper
from typing import Any, Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from feltworks.kit.game import Game
from feltworks.kit.standing import about
from feltworks.lab.certify import rounded

PIPE_WIDTH, LEAST_WIDTH = 100, 80
"""How wide tables are where nobody says how wide the screen is, and on a screen too narrow for any."""

LONGEST_IN_COLUMN = 28
"""Fractions with more characters than this do not stand in a column but on lines of their own."""


def console(*, stderr: bool = False) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="replace")  # a screen without these characters is no reason to fail
    made = Console(file=stream, highlight=False, emoji=False, markup=False)
    known = made.is_terminal or "COLUMNS" in os.environ
    made.width = max(made.width, LEAST_WIDTH) if known else PIPE_WIDTH
    return made


@contextmanager
def working(text: str) -> Iterator[Callable[[int, int], None] | None]:
    """Tell a person at a terminal that something takes its time, and how far it is where that is told; nobody else gets
    anything to call."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield None
        return
    before = _compiling()
    with screen.status(f"{text} …") as status:
        yield lambda done, total: status.update(f"{text}: {done:,} of about {total:,} states …")
    if (seconds := _compiling() - before) > 0.1:
        screen.print(f"Compiled in {seconds:.1f} s; that is kept for the next time where it can be.")


@contextmanager
def progress_bar(text: str) -> Iterator[Callable[[int, int], None] | None]:
    """Show a person at a terminal how far something is; nobody else gets anything to call."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield None
        return
    from rich.progress import Progress

    with Progress(console=screen, transient=True) as bar:
        task = bar.add_task(text, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _compiling() -> float:
    """How long this process has compiled; nothing, if it has not loaded what does."""
    loaded = sys.modules.get("feltworks.kit.compiled")
    return 0.0 if loaded is None else float(loaded.WATCH.seconds)


def print_json(data: Any) -> None:
    print(json.dumps(data, indent=2))


def table(
    columns: Iterable[str],
    rows: Iterable[Iterable[str | Text]],
    *,
    right: Collection[str] = (),
    whole: Collection[str] = (),
    width: int = PIPE_WIDTH,
) -> Table:
    """A quiet table. Columns in `right` hold figures, those in `whole` names; both stay in one piece where
    there is room for it. Otherwise cells are folded, and never cut."""
    made = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), pad_edge=False)
    for name in columns:
        justify: Literal["left", "right"] = "right" if name in right else "left"
        keep = name in right or name in whole
        made.add_column(name, justify=justify, overflow="fold", no_wrap=keep, header_style="bold")
    for row in rows:
        made.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    words = 10  # what a column that may be folded should have at least
    needed = sum(2 + (_widest(column.cells) if column.no_wrap else words) for column in made.columns)
    for column in made.columns:
        column.no_wrap = column.no_wrap and needed <= width
    return made


def _widest(cells: Iterable[RenderableType]) -> int:
    return max((cell_len(line) for cell in cells for line in str(cell).split("\n")), default=0)


def facts(rows: Iterable[tuple[str, RenderableType]]) -> Table:
    """Names and what they stand for, side by side."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", overflow="fold")
    grid.add_column(overflow="fold")
    for name, what in rows:
        grid.add_row(name, Text(what) if isinstance(what, str) else what)
    return grid


def heading(text: str) -> Text:
    return Text(text, style="bold underline")


def fit_in_column(values: Iterable[Fraction]) -> bool:
    return all(len(str(value)) <= LONGEST_IN_COLUMN for value in values)


def percent(value: Fraction | float, digits: int = 4) -> str:
    return f"{rounded(Fraction(value), digits)} %"


def decimal(value: Fraction | float, digits: int = 6, *, sign: bool = True) -> str:
    return f"{float(value):{'+' if sign else ''}.{digits}f}"


def headline(game: Game) -> Text:
    """What is analysed, and how its definition stands to the approval."""
    first, *others = about(game)
    return Text.assemble((first, "bold"), *(f"\n  {line}" for line in others))
