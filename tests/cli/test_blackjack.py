"""Blackjack on the command line: its figures, its chart, advice, and what each option is worth."""

import json
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from tests.cli.support import felt, read, told

EDGE = "7115852129127671911784187187953698865906137/1156317501243328627458650844297656633304228750"
"""Of six decks by default: 0.615389 %."""


@pytest.mark.rule("B-01", "B-02", "B-04", "B-05")
def test_the_analysis_as_json_has_the_exact_edge_every_start_and_the_cost_of_basic_strategy() -> None:
    wager = read("analyze", "blackjack")["wagers"]["base"]
    assert wager["edge"]["exact"] == EDGE
    assert sum(Fraction(o["probability"]["exact"]) for o in wager["outcomes"]) == 1
    net = sum(Fraction(o["probability"]["exact"]) * Fraction(o["net"]) for o in wager["outcomes"])
    assert -net == Fraction(EDGE)
    assert len(wager["strategy"]) == 550  # 55 pairs of cards against ten upcards
    assert wager["figures"]["edge of insurance"]["exact"] == "23/311"
    assert 0 < wager["figures"]["cost, basic strategy"]["value"] < 0.0001
    variance = Fraction(wager["variance"]["exact"])
    assert 10**30 % variance.denominator  # no decimal that was rounded
    assert wager["standard_deviation"] == sqrt(variance) == pytest.approx(1.160443, abs=1e-6)


@pytest.mark.slow
def test_a_figure_that_is_found_in_floating_point_is_told_as_approximate_and_without_a_fraction() -> None:
    figures = read("analyze", "blackjack", "--details")["wagers"]["base"]["figures"]
    approximate = {name: told for name, told in figures.items() if "exact" not in told}
    assert list(approximate) == ["gain, memory of a split hand"]
    assert list(*approximate.values()) == ["value", "approximately"]
    assert approximate["gain, memory of a split hand"]["value"] == pytest.approx(1.2e-7, rel=0.1)
    assert "0.0000 %  approximately; less per unit" in told("analyze", "blackjack", "--details")


def test_the_blackjack_under_in_between_is_told_by_the_same_words_when_it_is_asked_for() -> None:
    below = read("analyze", "in-between", "--wager", "base")["wagers"]
    assert list(below) == ["base"] and below["base"]["edge"]["exact"] == EDGE


@pytest.mark.slow
def test_the_chart_is_printed_and_drawn(tmp_path: Path) -> None:
    shown = told("analyze", "blackjack", "--chart", str(tmp_path / "chart.svg"))
    assert "15-16  H  H  D  D  D  H  H  H  H  H" in shown
    assert "Played by these totals the house wins 0.6181 %" in shown
    assert "Hard totals" in (tmp_path / "chart.svg").read_text()


@pytest.mark.rule("B-03", "B-04")
@pytest.mark.parametrize(
    ("asked", "best", "options"),
    [
        (("T6", "--dealer", "T"), "hit", {"stand", "hit", "double"}),
        (("T6", "--dealer", "T", "--reading", "surrender=late"), "surrender", {"stand", "hit", "double", "surrender"}),
        (("88", "--dealer", "T"), "split", {"stand", "hit", "double", "split"}),
        (("A7", "--dealer", "A", "--decks", "1"), "hit", {"stand", "hit", "double", "insurance"}),
        (("A7", "--dealer", "2"), "double", {"stand", "hit", "double"}),
        (("TsJh", "--dealer", "6c"), "stand", {"stand", "hit", "double", "split"}),
        (("T24", "--dealer", "T"), "stand", {"stand", "hit"}),  # sixteen by three cards
    ],
)
def test_advice_prices_every_option_that_the_table_has(asked: tuple[str, ...], best: str, options: set[str]) -> None:
    found: dict[str, Any] = json.loads(felt("advise", "blackjack", *asked, "--json").stdout)
    assert (found["best"], set(found["options"])) == (best, options)


@pytest.mark.slow
def test_the_effect_of_every_option_is_told() -> None:
    found = {
        (effect["reading"], effect["value"]): [change["after"]["percent"] for change in effect["changes"]]
        for effect in read("analyze", "blackjack", "--readings")["readings"]
    }
    assert found["soft_17", "stand"] == pytest.approx([0.402864], abs=1e-6)
    assert found["blackjack_pays", "6/5"] == pytest.approx([1.975079], abs=1e-6)
    assert found["hole_card", "no_peek"] == found["hole_card", "none_takes_all"]
    assert found["hole_card", "none_takes_original"] == []
    assert len(found) == 14
