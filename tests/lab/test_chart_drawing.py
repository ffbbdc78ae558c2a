"""Charts and plots as files: sound, the same every time, and written whole or not at all."""

import struct
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest
from PIL import Image

from feltworks.kit.chart import Chart, Grid, Mark, Plot
from feltworks.kit.errors import BadValue
from feltworks.lab.chart_drawing import CannotDraw, Tone, _spread, draw_chart, draw_lines
from tests.quick import cases

MEANINGS = {"H": "hit", "S": "stand", "D": "double, else hit", "P": "split", "R": "surrender, else hit"}
UPCARDS = tuple("23456789TA")
STANDING = "A game · modified: not as approved"


def grid(title: str, *rows: str) -> Grid:
    return Grid(title, tuple(rows), UPCARDS, tuple(tuple("HSDPRHSDPR") for _ in rows), ("by the dealer's upcard",))


CHART = Chart(
    "Blackjack",
    "Six decks.",
    (grid("hard", "17", "16", "15"), grid("soft", "A,7", "A,6"), grid("pairs", "8,8"), grid("more", "T,T")),
    MEANINGS,
    ("A note.", "Another note that is so long that it does not fit on one line of the page " * 4),
    standing=STANDING,
)
WEIGHED = Chart(
    "Weighed",
    "Two hands.",
    (
        Grid(
            "small and large",
            ("A", "K"),
            ("A", "K"),
            (("3x", "3x"), ("check", "3x")),
            labels=(("AA", "AKs"), ("AKo", "KK")),
            weights=((Fraction(3, 2), Fraction(1)), (Fraction(0), Fraction(1, 4))),
            lights=("blue", "gold"),
        ),
    ),
    {"3x": "raise", "check": "see the flop"},
    weighing="the stronger, the more it is worth",
)
PLOT = Plot(
    "Return",
    "By the meter.",
    "meter",
    "return",
    {"one": ((0, Fraction(1, 2)), (100, Fraction(5, 4))), "two": ((0, 0.5), (60, 0.9), (100, 1.26))},
    (Mark(Fraction(200, 3), 1, "67: one"), Mark(65, 1, "65: two")),
    (1, "the whole wager"),
    ("A note.",),
    STANDING,
)


def draw(what: Chart | Plot, path: Path) -> bytes:
    if isinstance(what, Chart):
        draw_chart(what, path)
    else:
        draw_lines(what, path)
    return path.read_bytes()


@pytest.mark.parametrize("what", [CHART, WEIGHED, PLOT], ids=lambda what: what.title)
def test_an_svg_is_sound_and_one_page_of_a4(what: Chart | Plot, tmp_path: Path) -> None:
    root = ElementTree.fromstring(draw(what, tmp_path / "picture.svg"))
    assert root.tag.endswith("}svg")
    width, height = (float(root.attrib[side].removesuffix("pt")) / 72 * 25.4 for side in ("width", "height"))
    assert round(width) == 297 and round(height) == 210
    assert what.title in "".join(root.itertext())
    assert not any(element.tag.endswith("}text") for element in root.iter())  # letters are shapes: no font is needed


@pytest.mark.parametrize("what", [CHART, PLOT], ids=lambda what: what.title)
def test_a_png_is_one_page_of_a4_at_200_dots_an_inch(what: Chart | Plot, tmp_path: Path) -> None:
    picture = draw(what, tmp_path / "picture.PNG")
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", picture[16:24]) == (2338, 1653)


@pytest.mark.rule("F-01")
@pytest.mark.parametrize("what", [CHART, PLOT], ids=lambda what: what.title)
def test_a_picture_says_how_the_game_stands_to_its_approval(what: Chart | Plot, tmp_path: Path) -> None:
    """In its heading, whose letters an SVG names beside their shapes, and in what the file says of itself."""
    svg = draw(what, tmp_path / "picture.svg").decode()
    assert f"<!-- {STANDING} -->" in svg and f"<dc:description>{STANDING}</dc:description>" in svg
    draw(what, tmp_path / "picture.png")
    with Image.open(tmp_path / "picture.png") as picture:
        assert picture.info["Description"] == STANDING


@pytest.mark.parametrize("what", cases([CHART, WEIGHED, PLOT], quick=[CHART, PLOT]), ids=lambda what: what.title)
@pytest.mark.parametrize("ending", ["svg", "png"])
def test_the_same_chart_is_the_same_file_whoever_draws_it(what: Chart | Plot, ending: str, tmp_path: Path) -> None:
    first = draw(what, tmp_path / f"first.{ending}")
    with matplotlib.rc_context(
        {"font.size": 30, "lines.linewidth": 9, "axes.facecolor": "red", "svg.fonttype": "none"}
    ):
        assert draw(what, tmp_path / f"second.{ending}") == first
        assert matplotlib.rcParams["font.size"] == 30


def test_every_cell_is_filled_in_its_tone(tmp_path: Path) -> None:
    text = draw(WEIGHED, tmp_path / "chart.svg").decode()
    for strength, light, strong in ((1, "#3f7d69", "#123f34"), (0, "#fbf8f1", "#e0cfa6")):
        assert f"fill: {Tone(light, strong, '').at(strength)}" in text
    assert "fill: #2f6fb5" in text and "fill: #d9a520" in text  # the two lights


def test_a_tone_goes_from_light_to_strong() -> None:
    tone = Tone("#ffffff", "#000000", "#000000")
    assert [tone.at(strength) for strength in (0, 0.5, 1)] == ["#ffffff", "#808080", "#000000"]


def test_names_are_moved_apart_around_where_they_belong() -> None:
    assert _spread([1, 5, 9], 2) == [1, 5, 9]
    assert _spread([5, 5], 2) == [4, 6]
    assert _spread([1, 5, 5, 6.5], 2) == [1, 3.5, 5.5, 7.5]
    assert _spread([1, 2, 3], 2) == [0, 2, 4]


# Files


@pytest.mark.parametrize("name", ["chart.pdf", "chart", "chart.svg.txt", ".svg"])
def test_another_ending_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(CannotDraw, match=r"is no picture; give a name that ends in \.svg or \.png\."):
        draw_chart(CHART, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(CannotDraw, match=r"cannot be written \(No such file or directory\); choose another folder"):
        draw_chart(WEIGHED, tmp_path / "none" / "chart.svg")


def test_a_place_that_cannot_be_written_is_told_and_nothing_is_left_behind(tmp_path: Path) -> None:
    (tmp_path / "chart.svg").mkdir()
    with pytest.raises(CannotDraw, match=r"chart\.svg cannot be written \(Is a directory\)"):
        draw_chart(WEIGHED, tmp_path / "chart.svg")
    assert [path.name for path in tmp_path.iterdir()] == ["chart.svg"]


def test_an_older_picture_stays_until_the_new_one_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    older = draw(WEIGHED, tmp_path / "chart.svg")

    def full(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(CannotDraw, match="No space left on device"):
        draw_chart(CHART, str(tmp_path / "chart.svg"))
    assert [path.name for path in tmp_path.iterdir()] == ["chart.svg"]
    assert (tmp_path / "chart.svg").read_bytes() == older


# What cannot be drawn


def test_a_grid_has_a_cell_for_each_row_and_column() -> None:
    with pytest.raises(BadValue, match="The grid 'hard' has 1 rows of 2 cells; give one for each"):
        Grid("hard", ("17",), ("2", "3"), (("S",),))
    with pytest.raises(BadValue, match="give one for each"):
        Grid("hard", ("17",), ("2", "3"), (("S", "S"),), labels=(("S", "S"), ("S", "S")))


def test_a_chart_says_what_its_codes_mean() -> None:
    with pytest.raises(BadValue, match="The chart 'Blackjack' must say what D, P, R means"):
        Chart("Blackjack", "", CHART.grids, {"H": "hit", "S": "stand"})
    with pytest.raises(BadValue, match="needs a grid"):
        Chart("Blackjack", "", (), MEANINGS)


@pytest.mark.parametrize("lines", [{}, {"one": ()}])
def test_a_plot_has_lines_and_these_have_points(lines: dict[str, tuple[()]]) -> None:
    with pytest.raises(BadValue, match="needs a line"):
        Plot("Return", "", "x", "y", lines)
