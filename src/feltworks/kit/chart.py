"""Charts and plots as plain data: what to do in each case, and what depends on what. Others draw them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from feltworks.kit.errors import BadValue

Real = float | Fraction
Light = Literal["blue", "red", "gold"]


@dataclass(frozen=True)
class Grid:
    """What to do, by row and column. A cell is a short code that the chart explains."""

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    labels: tuple[tuple[str, ...], ...] = ()
    """What a picture prints in the cells where that says more than the code, such as the hand."""
    weights: tuple[tuple[Fraction, ...], ...] = ()
    """How much a cell matters: what its code is worth over the next best."""
    lights: tuple[Light, ...] = ()
    """Lights that stand before the title."""

    def __post_init__(self) -> None:
        for cells in (self.cells, self.labels, self.weights):
            shape = {len(row) for row in cells}
            if cells and (len(cells) != len(self.rows) or shape != {len(self.columns)}):
                rows, columns = len(self.rows), len(self.columns)
                raise BadValue(f"The grid {self.title!r} has {rows} rows of {columns} cells; give one for each.")


@dataclass(frozen=True)
class Chart:
    """Grids that share their codes, worth a page to print."""

    title: str
    subtitle: str
    grids: tuple[Grid, ...]
    meanings: Mapping[str, str]
    """What each code says, the one to be seen first on top."""
    notes: tuple[str, ...] = ()
    signs: Mapping[str, str] = field(default_factory=dict)
    """One character for a code where there is no room for it; without one the code stands for itself."""
    weighing: str = ""
    """What a stronger colour says, where grids have weights."""
    standing: str = ""
    """How the game stands to its approval, which a picture says wherever it goes (F-01)."""

    def __post_init__(self) -> None:
        if not self.grids:
            raise BadValue(f"The chart {self.title!r} needs a grid.")
        used = {cell for grid in self.grids for row in grid.cells for cell in row}
        if unknown := sorted(used - set(self.meanings)):
            raise BadValue(f"The chart {self.title!r} must say what {', '.join(unknown)} means.")


@dataclass(frozen=True)
class Mark:
    """A point of a plot that has a name."""

    x: Real
    y: Real
    label: str


@dataclass(frozen=True)
class Plot:
    """Lines over one axis, each through its points."""

    title: str
    subtitle: str
    x_label: str
    y_label: str
    lines: Mapping[str, tuple[tuple[Real, Real], ...]]
    marks: tuple[Mark, ...] = ()
    level: tuple[Real, str] | None = None
    """A height that matters, with its name."""
    notes: tuple[str, ...] = ()
    standing: str = ""
    """How the game stands to its approval."""

    def __post_init__(self) -> None:
        if not self.lines or not all(self.lines.values()):
            raise BadValue(f"The plot {self.title!r} needs a line, and each line its points.")
