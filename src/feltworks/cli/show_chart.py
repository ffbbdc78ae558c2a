"""A chart on the terminal: its grids side by side as far as the screen is wide, and readable without colour."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from feltworks.cli.output import heading
from feltworks.kit.chart import Chart, Grid

STYLES = ("bold green", "dim", "bold blue", "yellow", "bold red")
"""By the order of the codes; what they say is in the signs. In a picture they are `TONES` of `lab/chart_drawing.py`."""
APART, LEAST = 4, 20
"""Columns between two grids, and the fewest for a grid with its title and notes."""


def show_chart(screen: Console, chart: Chart) -> None:
    """Print the grids, two or three beside each other if there is room, with what the signs say above them."""
    signs = _signs(chart, screen.encoding)
    styles = {code: STYLES[number % len(STYLES)] for number, code in enumerate(chart.meanings)}
    screen.print(heading(chart.title))
    screen.print(Text(chart.subtitle))
    screen.print()
    for code, meaning in chart.meanings.items():
        named = "" if signs[code] == code else f"{code}: "
        screen.print(Text.assemble("  ", (signs[code], styles[code]), f"  {named}{meaning}"))
    for shelf in _shelves(chart.grids, screen.width, signs):
        screen.print()
        side_by_side = Table.grid(padding=(0, APART, 0, 0))
        side_by_side.add_row(*(_grid(grid, signs, styles) for grid in shelf))
        screen.print(side_by_side)
    for note in chart.notes:
        screen.print()
        screen.print(Text(note))


def _signs(chart: Chart, encoding: str) -> dict[str, str]:
    """What stands in a cell for each code: its sign if the screen has it, or else how the code begins."""
    signs = {}
    for code in chart.meanings:
        sign = chart.signs.get(code, code)
        signs[code] = sign if sign.encode(encoding, "replace").decode(encoding) == sign else code[:1]
    return signs


def _shelves(grids: Sequence[Grid], width: int, signs: Mapping[str, str]) -> Iterator[Sequence[Grid]]:
    """The grids in rows as even as can be."""
    widest = max(_width(grid, signs) for grid in grids)
    fit = max(1, (width + APART) // (widest + APART))
    rows = -(-len(grids) // fit)
    each = -(-len(grids) // rows)
    return (grids[start : start + each] for start in range(0, len(grids), each))


def _width(grid: Grid, signs: Mapping[str, str]) -> int:
    return max(LEAST, _names(grid) + (1 + _cell(grid, signs)) * len(grid.columns))


def _names(grid: Grid) -> int:
    return max(map(cell_len, grid.rows))


def _cell(grid: Grid, signs: Mapping[str, str]) -> int:
    return max(map(cell_len, (*grid.columns, *signs.values())))


def _grid(grid: Grid, signs: Mapping[str, str], styles: Mapping[str, str]) -> Text:
    names, cell, width = _names(grid), _cell(grid, signs), _width(grid, signs)
    lines = [Text(grid.title, style="bold")]
    lines += [Text(line, style="dim") for note in grid.notes for line in wrap(note, width)]
    lines.append(Text(" " * names + "".join(f" {name:>{cell}}" for name in grid.columns), style="dim"))
    for name, codes in zip(grid.rows, grid.cells, strict=True):
        line = Text(f"{name:>{names}}", style="dim")
        for code in codes:
            line.append(f" {signs[code]:>{cell}}", style=f"not dim {styles[code]}")
        lines.append(line)
    return Text("\n").join(lines)
