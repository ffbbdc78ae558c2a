"""What all commands print with: one console, tables that never cut a cell, JSON alone on standard output."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, Literal

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from feltworks.lab.certify import rounded

PIPE_WIDTH = 100
"""How wide tables are where nobody says how wide the screen is."""


def console(*, stderr: bool = False) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    unknown = not stream.isatty() and "COLUMNS" not in os.environ
    return Console(stderr=stderr, highlight=False, emoji=False, width=PIPE_WIDTH if unknown else None)


@contextmanager
def working(text: str) -> Iterator[None]:
    """Tell a person at a terminal that something takes its time."""
    screen = console(stderr=True)
    if screen.is_terminal:
        with screen.status(f"{text} …"):
            yield
    else:
        yield


def print_json(data: Any) -> None:
    print(json.dumps(data, indent=2))


def table(*columns: str, right: tuple[str, ...] = (), title: str = "") -> Table:
    """A quiet table. Columns named in `right` hold figures; long cells are folded, never cut."""
    made = Table(
        box=box.SIMPLE_HEAD, title=title or None, title_justify="left", title_style="bold", pad_edge=False
    )
    for name in columns:
        justify: Literal["left", "right"] = "right" if name in right else "left"
        made.add_column(name, justify=justify, overflow="fold", header_style="bold")
    return made


def facts(rows: list[tuple[str, RenderableType]]) -> Table:
    """Names and what they stand for, side by side."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(overflow="fold", style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, what in rows:
        grid.add_row(name, Text(what) if isinstance(what, str) else what)
    return grid


def percent(value: Fraction, digits: int = 4) -> str:
    return f"{rounded(value, digits)} %"


def decimal(value: Fraction | float, digits: int = 6, *, sign: bool = True) -> str:
    return f"{float(value):{'+' if sign else ''}.{digits}f}"
