"""The chart of the strategy before the flop, and how it looks on a terminal."""

from dataclasses import fields
from fractions import Fraction
from io import BytesIO, StringIO, TextIOWrapper
from itertools import combinations
from math import comb

import numpy as np
import pytest
from rich.console import Console

from feltworks.cli.show_chart import show_chart
from feltworks.games.down_under_holdem.enumerator.bands import BANDS, UNSEEN
from feltworks.games.down_under_holdem.enumerator.flop_states import class_of
from feltworks.games.down_under_holdem.enumerator.solution import Solution
from feltworks.games.down_under_holdem.enumerator.strategy_chart import strategy_chart
from feltworks.games.down_under_holdem.enumerator.sweep import Integers
from feltworks.kit.chart import Chart, Grid
from tests.games.down_under.support import indices, solution


def class_named(hand: str) -> int:
    """The class of a hand such as AKs, by dealing one of its kind."""
    return class_of(*indices(f"{hand[0]}c{hand[1]}{'c' if hand.endswith('s') else 'd'}"))


@pytest.mark.rule("D-05", "D-21")
def test_every_cell_says_what_the_solution_says_of_its_hand() -> None:
    chart = strategy_chart(solution())
    assert [grid.title for grid in chart.grids] == [
        "small and small",
        "small and medium",
        "small and large",
        "medium and medium",
        "medium and large",
        "large and large",
    ]
    for pair, grid in enumerate(chart.grids):
        assert grid.rows == grid.columns == tuple("AKQJT98765432")
        hands = [hand for row in grid.labels for hand in row]
        assert sorted(map(class_named, hands)) == list(range(169))
        for hand, code in zip(hands, (code for row in grid.cells for code in row), strict=True):
            assert (code == "3x") == solution().raises[class_named(hand), pair], (grid.title, hand)


@pytest.mark.rule("D-21")
def test_pairs_lie_on_the_diagonal_and_suited_hands_above_it() -> None:
    labels = strategy_chart(solution()).grids[0].labels
    assert labels[0][:3] == ("AA", "AKs", "AQs")
    assert [row[0] for row in labels[:3]] == ["AA", "AKo", "AQo"]
    assert labels[11][12] == "32s" and labels[12][11] == "32o" and labels[12][12] == "22"


@pytest.mark.rule("D-21")
def test_a_cell_weighs_what_its_choice_is_worth_over_the_other() -> None:
    for pair, grid in enumerate(strategy_chart(solution()).grids):
        for hands, weights in zip(grid.labels, grid.weights, strict=True):
            for hand, weight in zip(hands, weights, strict=True):
                options = solution().options(class_named(hand), pair)
                assert weight == abs(options["3x"] - options["check"]) > 0


@pytest.mark.rule("D-04", "D-21")
def test_each_grid_tells_how_often_its_bands_come_and_how_often_3x_is_right_then() -> None:
    ranks = {band.name: 4 * len(band.ranks) for band in BANDS.sets}
    for pair, grid in enumerate(strategy_chart(solution()).grids):
        first, second = grid.title.split(" and ")
        hands = comb(ranks[first], 2) if first == second else ranks[first] * ranks[second]
        lit = Fraction(hands, comb(52, 2))
        raised = Fraction(raised_deals(pair, first, second), hands * comb(50, 2))
        assert grid.notes == (
            f"{lit.numerator} of {lit.denominator} rounds ({float(100 * lit):.2f} %)",
            f"3x in {float(100 * raised):.2f} % of them",
        )


def raised_deals(pair: int, first: str, second: str) -> int:
    """Pairs of hole cards and dealer's hands of these bands in which 3x is right, by going through the hole cards."""
    total = 0
    for hole in combinations(range(52), 2):
        if solution().raises[class_of(*hole), pair]:
            held = [BANDS.band_of(card) for card in hole]
            left = {band.name: 4 * len(band.ranks) - held.count(band.name) for band in BANDS.sets}
            total += comb(left[first], 2) if first == second else left[first] * left[second]
    return total


@pytest.mark.rule("D-04")
def test_the_lights_stand_before_the_titles() -> None:
    assert [grid.lights for grid in strategy_chart(solution()).grids] == [
        ("blue", "blue"),
        ("blue", "red"),
        ("blue", "gold"),
        ("red", "red"),
        ("red", "gold"),
        ("gold", "gold"),
    ]
    [grid] = strategy_chart(solution(UNSEEN)).grids
    assert grid.lights == () and grid.title == "any and any"


@pytest.mark.rule("D-21")
def test_the_notes_say_what_came_out_for_2x_and_what_the_house_wins() -> None:
    about_2x, after, edge = strategy_chart(solution()).notes
    assert about_2x == "2x was priced in all 1,014 cells too and is worse in every one than the better of 3x and check."
    assert "1x and fold" in after and "felt advise" in after
    assert edge == (
        "Played so, the house wins 2.9724 % of the Ante. The Bet pays to 1: royal flush 500, straight flush 50, "
        "four of a kind 10, full house 3, flush 3/2, straight 1."
    )


class OtherTotals(Solution):
    """A solution in which 2x is worth as much as asked for in three cells."""

    more = 0

    @property
    def totals(self) -> dict[str, Integers]:
        totals = dict(solution().totals)
        best = np.maximum(totals["check"], totals["3x"])
        totals["2x"] = totals["2x"].copy()
        totals["2x"][5, :3] = best[5, :3] + self.more
        return totals


def test_were_2x_as_good_or_better_somewhere_the_notes_would_say_so() -> None:
    found = OtherTotals(*(getattr(solution(), field.name) for field in fields(Solution)))
    assert strategy_chart(found).notes[0] == (
        "2x was priced in all 1,014 cells too and is never better: "
        "it ties with the better of 3x and check in 3 and is worse in the others."
    )
    OtherTotals.more = 1
    assert strategy_chart(found).notes[0] == (
        "2x was priced in all 1,014 cells too and is better than both in 3 of them, which this chart does not show."
    )


# On the terminal


def shown(chart: Chart, width: int) -> list[str]:
    screen = Console(file=StringIO(), width=width, highlight=False, color_system=None)
    show_chart(screen, chart)
    assert isinstance(screen.file, StringIO)
    return [line.rstrip() for line in screen.file.getvalue().splitlines()]


@pytest.mark.parametrize(("width", "beside"), [(80, 2), (100, 3), (200, 6)])
def test_the_terminal_shows_as_many_grids_beside_each_other_as_fit(width: int, beside: int) -> None:
    lines = shown(strategy_chart(solution()), width)
    assert max(map(len, lines)) <= width
    assert [line.count("A K Q J T") for line in lines if "A K Q J T" in line] == [beside] * (6 // beside)


def test_the_terminal_needs_no_colour() -> None:
    chart = strategy_chart(solution())
    lines = shown(chart, 80)
    assert "  ■  3x: make Play of three times the Ante" in lines
    assert "  ·  check: see the flop first" in lines
    # Above the grids stands what the signs say; the notes have none.
    signs = [sign for line in lines[6:] for sign in line if sign in "■·"]
    codes = [code for grid in chart.grids for row in grid.cells for code in row]
    assert len(signs) == len(codes) and signs.count("■") == codes.count("3x") == int(solution().raises.sum())
    [row] = [line for line in lines if line.startswith("Q ■ · ■") or "    Q ■ · ■" in line]
    assert row.endswith("Q ■ · ■ · · · · · · · · · ·")  # large and large


def test_a_terminal_without_these_signs_shows_how_the_codes_begin() -> None:
    raw = TextIOWrapper(written := BytesIO(), encoding="ascii", errors="replace")
    show_chart(Console(file=raw, width=80, highlight=False, color_system=None), strategy_chart(solution()))
    raw.flush()
    text = written.getvalue().decode("ascii")
    assert "?" not in text and "Q 3 c 3 c c" in text


def test_codes_that_are_signs_themselves_are_shown_as_they_are() -> None:
    rows = (("H", "S", "P"), ("D", "H", "S"))
    grid = Grid("pairs", ("8,8", "T,T"), ("2", "3", "10"), rows, ("by the dealer's upcard",))
    meanings = {"H": "hit", "S": "stand", "D": "double", "P": "split"}
    lines = shown(Chart("Blackjack", "Six decks.", (grid,), meanings), 80)
    assert lines[-6:] == ["pairs", "by the dealer's", "upcard", "     2  3 10", "8,8  H  S  P", "T,T  D  H  S"]
    assert "  H  hit" in lines
