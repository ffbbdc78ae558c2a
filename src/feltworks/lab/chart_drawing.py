"""Charts and plots as pictures to print: one page of A4 on its long side, as SVG or PNG.

The same chart gives the same file to the last byte: fonts of our own, no date, no settings of whoever draws it. Nothing
is told by colour alone, so that a page from a black and white printer says as much.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from math import sqrt
from pathlib import Path
from textwrap import wrap

import matplotlib
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Circle, Rectangle
from matplotlib.textpath import TextPath
from matplotlib.ticker import FuncFormatter

from feltworks.kit.chart import Chart, Grid, Plot
from feltworks.kit.errors import FeltworksError

WIDTH, HEIGHT, MARGIN = 297.0, 210.0, 14.0
"""A4 on its long side, in millimetres, as everything here."""
INCH, POINT = 25.4, 25.4 / 72
DOTS_PER_INCH = 200

SANS, BOLD, SERIF = "DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "STIXGeneralBol.ttf"
INK, QUIET, FAINT = "#22302b", "#5c6763", "#c9cfcc"


class CannotDraw(FeltworksError):
    """A picture in a format that is not offered, or in a place that cannot be written."""


@dataclass(frozen=True)
class Tone:
    """The colour of a code, from where it hardly matters to where it matters most, and of what is printed on it."""

    light: str
    strong: str
    ink: str
    font: str = SANS

    def at(self, strength: float) -> str:
        ends = zip(to_rgb(self.light), to_rgb(self.strong), strict=True)
        red, green, blue = (a + (b - a) * strength for a, b in ends)
        return to_hex((red, green, blue))


TONES = (
    Tone("#3f7d69", "#123f34", "#ffffff", BOLD),
    Tone("#fbf8f1", "#e0cfa6", "#3d372b"),
    Tone("#b5d3ec", "#7fb0dc", "#12263a", BOLD),
    Tone("#f7dc8e", "#edb92e", "#3a2c05"),
    Tone("#a8564a", "#8f3b2e", "#ffffff", BOLD),
)
"""By the order of the codes: dark beside light, so that two codes can be told apart without their colours.
On a screen they are `STYLES` of `cli/show_chart.py`."""

LIGHTS = {"blue": "#2f6fb5", "red": "#c0392b", "gold": "#d9a520"}
LINES = (
    ("#0b5d4a", "-"),
    ("#c2571a", (0, (6, 2))),
    ("#2f6fb5", (0, (2, 1.5))),
    ("#8a4f9e", (0, (7, 2, 1.5, 2))),
    ("#22302b", (0, (1, 1))),
)
"""Colours that differ for the colour-blind too, each with dashes of its own."""


def draw_chart(chart: Chart, path: str | Path) -> None:
    """Draw a chart on one page."""
    _draw(chart, lambda page: _chart(page, chart), path)


def draw_lines(plot: Plot, path: str | Path) -> None:
    """Draw a plot on one page."""
    _draw(plot, lambda page: _plot(page, plot), path)


# The file

FORMATS: Mapping[str, Mapping[str, str | None]] = {
    ".svg": {"Creator": "Feltworks", "Date": None},
    ".png": {"Software": "Feltworks"},
}
"""The endings that are offered, and what the file says of itself beside its title and its standing."""


def _draw(what: Chart | Plot, paint: "Callable[[Page], None]", path: str | Path) -> None:
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise CannotDraw(f"{path} is no picture; give a name that ends in .svg or .png.")
    buffer = BytesIO()
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({"svg.fonttype": "path", "svg.hashsalt": "feltworks"})
        figure = Figure(figsize=(WIDTH / INCH, HEIGHT / INCH), dpi=DOTS_PER_INCH)
        paint(Page(figure))
        said = {"Title": what.title, **({"Description": what.standing} if what.standing else {})}
        figure.savefig(buffer, format=suffix[1:], metadata={**said, **FORMATS[suffix]})
    _write(buffer.getvalue(), path)


def _write(picture: bytes, path: Path) -> None:
    """All of the picture or nothing of it: an older one stays until the new one is complete."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        try:
            beside.write_bytes(picture)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise CannotDraw(f"{path} cannot be written ({error.strerror}); choose another folder or name.") from None


class Page:
    """A sheet of paper, measured in millimetres from its upper left corner."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self.sheet = figure.add_axes((0, 0, 1, 1))
        self.sheet.set_xlim(0, WIDTH)
        self.sheet.set_ylim(HEIGHT, 0)
        self.sheet.set_axis_off()

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        bottom = HEIGHT - top - height
        return self.figure.add_axes((left / WIDTH, bottom / HEIGHT, width / WIDTH, height / HEIGHT))

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        self.sheet.add_artist(Rectangle((x, y), width, height, facecolor=colour, edgecolor="none"))

    def light(self, x: float, y: float, colour: str) -> None:
        self.sheet.add_artist(Circle((x, y), 1.5, facecolor=colour, edgecolor=INK, linewidth=0.4))

    def text(
        self, x: float, y: float, text: str, size: float, *, font: str = SANS, colour: str = INK, align: str = "left"
    ) -> None:
        """Write on the baseline `y`."""
        self.sheet.text(x, y, text, fontproperties=_font(font, size), color=colour, ha=align, va="baseline")

    def lines(self, x: float, y: float, text: str, size: float, width: float, colour: str = INK) -> float:
        """Write as many lines as it takes from the baseline `y` down, and say where the next one would be."""
        for line in wrap(text, int(width / (0.5 * size * POINT))):
            self.text(x, y, line, size, colour=colour)
            y += 1.45 * size * POINT
        return y

    def heading(self, what: Chart | Plot) -> float:
        self.text(MARGIN, 19, what.title, 23, font=SERIF)
        below = self.lines(MARGIN, 26, what.standing, 9, WIDTH - 2 * MARGIN)
        return self.lines(MARGIN, below, what.subtitle, 9, WIDTH - 2 * MARGIN, QUIET)

    def footing(self, notes: Sequence[str]) -> float:
        """Write the notes at the bottom, and say where they begin."""
        lines = [line for note in notes for line in wrap(note, int((WIDTH - 2 * MARGIN) / (0.5 * 7.5 * POINT)))]
        top = HEIGHT - 10 - 4.2 * len(lines)
        for number, line in enumerate(lines):
            self.text(MARGIN, top + 4.2 * (number + 1), line, 7.5, colour=QUIET)
        return top


@cache
def _font(font: str, size: float) -> FontProperties:
    return FontProperties(fname=Path(matplotlib.get_data_path(), "fonts", "ttf", font), size=size)


def _width(text: str, size: float, font: str) -> float:
    path = TextPath((0, 0), text, size=size, prop=_font(font, size))
    return float(path.get_extents().width) * POINT if len(path.vertices) else 0.0


def _centred(y: float, size: float) -> float:
    """The baseline on which capitals and figures stand in the middle around `y`."""
    return y + 0.365 * size * POINT


# Charts

HEAD = 17.0
"""Above the cells of a grid: its title, its notes and the names of the columns."""
GAP = 8.0
BETWEEN = 0.35
"""White between two cells."""


def _chart(page: Page, chart: Chart) -> None:
    tones = {code: TONES[number % len(TONES)] for number, code in enumerate(chart.meanings)}
    most = max((float(w) for grid in chart.grids for row in grid.weights for w in row), default=0.0)
    top = _key(page, chart, tones, page.heading(chart) + 1.5)
    bottom = page.footing(chart.notes) - 1
    shelves = _shelves(chart.grids)
    names = max(_width(name, 6.5, SANS) for grid in chart.grids for name in grid.rows) + 1.5
    slot = (WIDTH - 2 * MARGIN + GAP) / len(shelves[0])
    tall = [max(len(grid.rows) for grid in shelf) for shelf in shelves]
    height = min(9.0, (bottom - top - HEAD * len(shelves)) / sum(tall))
    width = min(14.0, (slot - GAP - names) / max(len(grid.columns) for grid in chart.grids))
    for shelf, rows in zip(shelves, tall, strict=True):
        for number, grid in enumerate(shelf):
            _grid(page, grid, tones, most, MARGIN + slot * number + names, top + HEAD, width, height)
        top += HEAD + rows * height


def _shelves(grids: Sequence[Grid]) -> list[Sequence[Grid]]:
    """The grids in rows of at most three, as even as can be."""
    shelves = -(-len(grids) // 3)
    each = -(-len(grids) // shelves)
    return [grids[start : start + each] for start in range(0, len(grids), each)]


def _key(page: Page, chart: Chart, tones: Mapping[str, Tone], y: float) -> float:
    """What the codes say, in one line if they fit; and where to go on below."""
    x, steps = MARGIN, 5 if chart.weighing else 1
    for code, meaning in chart.meanings.items():
        if x > MARGIN and x + 14 + _width(meaning, 8, SANS) > WIDTH - MARGIN:
            x, y = MARGIN, y + 6.5
        tone, wide = tones[code], 12.0 / steps
        for step in range(steps):
            strength = step / (steps - 1) if steps > 1 else 1.0
            page.box(x + wide * step, y - 3.4, wide, 4.6, tone.at(strength))
        page.text(x + 6, _centred(y - 1.1, 7), code, 7, font=tone.font, colour=tone.ink, align="center")
        page.text(x + 14, y, meaning, 8)
        x += 14 + _width(meaning, 8, SANS) + 8
    if chart.weighing:
        page.text(x, y, chart.weighing, 8, colour=QUIET)
    return y + 1


def _grid(
    page: Page, grid: Grid, tones: Mapping[str, Tone], most: float, x: float, y: float, width: float, height: float
) -> None:
    """Draw a grid whose first cell has its upper left corner there."""
    start = x
    for light in grid.lights:
        page.light(start + 1.5, y - 9.7, LIGHTS[light])
        start += 4
    page.text(start + (1 if grid.lights else 0), y - 8.6, grid.title, 10.5, font=BOLD)
    page.text(x, y - 4.4, " · ".join(grid.notes), 7, colour=QUIET)
    size = _cell_size(grid, width, height)
    for number, name in enumerate(grid.columns):
        page.text(x + (number + 0.5) * width, y - 0.9, name, 6.5, colour=QUIET, align="center")
    for i, name in enumerate(grid.rows):
        middle = y + (i + 0.5) * height
        page.text(x - 1.2, _centred(middle, 6.5), name, 6.5, colour=QUIET, align="right")
        for j, code in enumerate(grid.cells[i]):
            tone = tones[code]
            strength = sqrt(float(grid.weights[i][j]) / most) if grid.weights and most else 1.0
            left, label = x + j * width, grid.labels[i][j] if grid.labels else code
            page.box(left, y + i * height, width - BETWEEN, height - BETWEEN, tone.at(strength))
            where = left + (width - BETWEEN) / 2, _centred(middle - BETWEEN / 2, size)
            page.text(*where, label, size, font=tone.font, colour=tone.ink, align="center")


def _cell_size(grid: Grid, width: float, height: float) -> float:
    """The size of letters for which every cell has room."""
    longest = max(len(text) for row in grid.labels or grid.cells for text in row)
    return min(9.0, 0.59 * height / POINT, width / (longest * POINT))


# Plots

LEADER = 8.0
"""Between the right end of a line and its name."""


def _plot(page: Page, plot: Plot) -> None:
    top = page.heading(plot) + 3
    bottom = page.footing(plot.notes) - 16
    beside = max(_width(name, 8, BOLD) for name in plot.lines) + LEADER
    axes = page.axes(MARGIN + 12, top, WIDTH - 2 * MARGIN - 12 - beside, bottom - top)
    lines = {name: [(float(x), float(y)) for x, y in points] for name, points in plot.lines.items()}
    for number, points in enumerate(lines.values()):
        colour, dashes = LINES[number % len(LINES)]
        axes.plot(*zip(*points, strict=True), color=colour, linestyle=dashes, linewidth=1.8, zorder=3)
    axes.set_xlim(min(x for p in lines.values() for x, _ in p), max(x for p in lines.values() for x, _ in p))
    axes.margins(y=0.04)
    axes.autoscale_view(scalex=False)
    _frame(axes, plot)
    millimetre = (axes.get_ylim()[1] - axes.get_ylim()[0]) / (bottom - top)
    _names(axes, lines, 5 * millimetre)
    _marks(axes, plot, 6.2 * millimetre)


def _frame(axes: Axes, plot: Plot) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(FAINT)
    axes.grid(color=FAINT, linewidth=0.5, alpha=0.6)
    axes.tick_params(length=0, pad=5, labelcolor=QUIET)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
    axes.set_xlabel(plot.x_label, fontproperties=_font(SANS, 9), color=INK, labelpad=6)
    axes.set_ylabel(plot.y_label, fontproperties=_font(SANS, 9), color=INK, labelpad=6)
    for label in (*axes.get_xticklabels(), *axes.get_yticklabels()):
        label.set_fontproperties(_font(SANS, 8))
    if plot.level is not None:
        height, name = plot.level
        axes.axhline(float(height), color=INK, linewidth=0.9)
        left = axes.get_xlim()[0]
        axes.annotate(
            name, (left, float(height)), (6, 4), textcoords="offset points", fontproperties=_font(SANS, 8), color=INK
        )


def _names(axes: Axes, lines: Mapping[str, Sequence[tuple[float, float]]], apart: float) -> None:
    """The name of each line beside its right end, with a leader where two names would touch."""
    colours = {name: LINES[number % len(LINES)][0] for number, name in enumerate(lines)}
    ends = sorted(((points[-1], name) for name, points in lines.items()), key=lambda end: end[0][1])
    for ((x, y), name), at in zip(ends, _spread([y for (_, y), _ in ends], apart), strict=True):
        axes.annotate(
            name,
            (x, y),
            (LEADER / POINT, at),
            xycoords=axes.transData,
            textcoords=("offset points", axes.transData),
            va="center",
            color=colours[name],
            fontproperties=_font(BOLD, 8),
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": colours[name], "relpos": (0, 0.5), "shrinkA": 2, "shrinkB": 1},
        )


def _spread(heights: Sequence[float], apart: float) -> list[float]:
    """Ascending heights moved up and down as little as it takes for them to be that far apart."""
    groups: list[list[float]] = []
    for height in heights:
        groups.append([height])
        while len(groups) > 1 and _top(groups[-2], apart) + apart > _bottom(groups[-1], apart):
            last = groups.pop()
            groups[-1] += last
    return [_bottom(group, apart) + apart * number for group in groups for number in range(len(group))]


def _bottom(group: Sequence[float], apart: float) -> float:
    """The lowest place of a group of names that stand around their middle."""
    return sum(group) / len(group) - apart * (len(group) - 1) / 2


def _top(group: Sequence[float], apart: float) -> float:
    return _bottom(group, apart) + apart * (len(group) - 1)


def _marks(axes: Axes, plot: Plot, apart: float) -> None:
    """The marked points, their names on a stair below them: the leftmost one lowest, so that nothing is crossed."""
    lowest = min((float(mark.y) for mark in plot.marks), default=0.0)
    for step, mark in enumerate(sorted(plot.marks, key=lambda mark: -mark.x)):
        x, y, foot = float(mark.x), float(mark.y), lowest - apart * (step + 2)
        axes.plot([x, x], [foot, y], color=QUIET, linewidth=0.7, zorder=2)
        axes.plot([x], [y], marker="o", markersize=5, markerfacecolor="white", markeredgecolor=INK, zorder=4)
        axes.annotate(
            mark.label,
            (x, foot),
            (4, 0),
            textcoords="offset points",
            va="baseline",
            color=INK,
            fontproperties=_font(SANS, 8),
            annotation_clip=False,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5},
        )
