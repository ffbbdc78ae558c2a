"""The engine on small decks, beside the generic walk of the round: every figure is the same fraction."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import feltworks
from feltworks.kit.game import Game
from feltworks.lab.advice import advise
from feltworks.lab.analysis import Analysis
from feltworks.lab.showdown.engine import solved
from feltworks.lab.showdown.strategy_tables import DEPENDS, chart_of


@pytest.fixture(scope="module")
def stud() -> Game:
    return feltworks.load("stud", folders=["tests/toys"])


@pytest.fixture(scope="module")
def both(stud: Game) -> tuple[Analysis, Analysis]:
    return feltworks.analyze(stud), feltworks.analyze(replace(stud, enumerator=""))


def test_the_engine_and_the_walk_find_the_same_edge(both: tuple[Analysis, Analysis]) -> None:
    engine, walk = both
    assert engine["base"].edge == walk["base"].edge


def test_they_agree_on_the_variance_and_on_what_is_staked(both: tuple[Analysis, Analysis]) -> None:
    engine, walk = (each["base"] for each in both)
    assert (engine.variance, engine.average_stake, engine.hit_frequency, engine.element_of_risk) == (
        walk.variance,
        walk.average_stake,
        walk.hit_frequency,
        walk.element_of_risk,
    )


def test_they_agree_on_every_outcome(both: tuple[Analysis, Analysis]) -> None:
    engine, walk = (
        {(o.line, o.pays, o.net): o.probability for o in each["base"].outcomes if o.probability} for each in both
    )
    assert engine == walk


def test_they_agree_on_a_side_wager_that_a_fold_forfeits(both: tuple[Analysis, Analysis]) -> None:
    engine, walk = (each["pair"] for each in both)
    assert engine.edge == walk.edge
    assert engine.outcomes == walk.outcomes


@pytest.mark.parametrize(
    ("cards", "given"),
    [
        ("JcTc", {"shown": "9d"}),
        ("9c9d", {"shown": "Jh"}),
        ("Tc9d", {"shown": "Jh", "common": "Jc"}),
        ("9c9d", {"shown": "Th", "common": "9h"}),
    ],
)
def test_they_give_the_same_advice(stud: Game, cards: str, given: dict[str, Any]) -> None:
    engine, walk = advise(stud, cards, **given), advise(replace(stud, enumerator=""), cards, **given)
    assert engine.options == walk.options
    assert engine.best == walk.best
    assert all(isinstance(value, Fraction) for value in engine.options.values())


def test_the_chart_tells_what_to_do_beside_every_card_that_the_dealer_shows(stud: Game) -> None:
    [grid] = chart_of(solved(stud)).grids
    assert grid.columns == ("9", "T", "J")
    assert {cell for row in grid.cells for cell in row} <= {"fold", "raise", DEPENDS}
