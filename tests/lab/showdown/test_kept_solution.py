"""What is kept of a showdown game that was solved: told without solving it again, and only while it is what the rules
of today come to."""

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

import feltworks
from feltworks.kit.cards import SUITED_CARDS, Seat, Token
from feltworks.kit.errors import BadValue
from feltworks.kit.game import Game, Situation
from feltworks.kit.showdown import Showdown
from feltworks.lab import count_files, showdown
from feltworks.lab.count_files import COUNTED_NOW, KEPT, Results
from feltworks.lab.showdown import engine
from feltworks.lab.showdown.parts import PARTS, does_not_fit, first_advice
from feltworks.lab.showdown.skeleton import Choice
from tests.cli.support import read

STUD = feltworks.load("stud", folders=["tests/toys"])
GAME = feltworks.load("three-card-poker")


def solved_nowhere(game: Game) -> Any:
    raise AssertionError(f"{game.title} was solved again")


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A folder in which all of a game is kept."""
    results = Results(GAME, cache=tmp_path)
    for part in PARTS:
        results(part)
    return tmp_path


@pytest.fixture
def unsolved(kept: Path, monkeypatch: pytest.MonkeyPatch) -> Results:
    """What was kept, where nothing can be solved."""
    monkeypatch.setattr(engine, "solved", solved_nowhere)
    monkeypatch.setattr(engine, "does_not_fit", solved_nowhere)
    return Results(GAME, cache=kept)


def altered(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Changes what is kept as somebody would who makes the hash in the file right again."""
    [path] = folder.glob("*.json")
    said = json.loads(path.read_text())
    change(said["parts"])
    said["sha256"] = count_files._hash(said["parts"])
    path.write_text(json.dumps(said))


def test_all_that_is_told_of_a_game_is_told_from_what_was_kept(unsolved: Results) -> None:
    assert does_not_fit(unsolved) == ""
    for name in GAME.wagers:
        showdown.edge(GAME, name, unsolved)
        showdown.wager(GAME, name, unsolved, details=True)
    showdown.chart(GAME, unsolved)
    assert {source.name for source in unsolved.sources.values()} == {KEPT}


def test_what_was_kept_is_what_is_solved(kept: Path) -> None:
    read_again, fresh = Results(GAME, cache=kept), Results(GAME, cache=kept, recount=True)
    for name in GAME.wagers:
        told, counted = (showdown.wager(GAME, name, each, details=True) for each in (read_again, fresh))
        assert told == counted
        assert showdown.edge(GAME, name, read_again) == showdown.edge(GAME, name, fresh)
    assert showdown.chart(GAME, read_again) == showdown.chart(GAME, fresh)
    assert {source.name for source in read_again.sources.values()} == {KEPT}
    assert {source.name for source in fresh.sources.values()} == {COUNTED_NOW}


def test_the_first_decision_is_told_by_what_was_kept_in_any_suits(tmp_path: Path) -> None:
    results, random = Results(GAME, cache=tmp_path), Random(5)
    found = engine.solved(GAME)
    assert isinstance(found.plan.root, Choice)
    for _ in range(50):
        cards = random.sample(SUITED_CARDS, 3)
        asked = Situation({Token(Seat(1), f"card {n}"): card for n, card in enumerate(cards, start=1)})
        worth = found.worth(found.plan.root, {token.name: card.index for token, card in asked.cards.items()})
        assert first_advice(results, asked) == worth


CARDS = Situation({Token(Seat(1), f"card {n}"): SUITED_CARDS[n] for n in (1, 2, 3)})
ASKED: dict[str, Callable[[Results], object]] = {
    "base": lambda results: showdown.wager(GAME, "base", results, details=False),
    "pair_plus": lambda results: showdown.wager(GAME, "pair_plus", results, details=False),
    "advice": lambda results: showdown.advise(GAME, results, CARDS),
    "chart": lambda results: showdown.chart(GAME, results),
    "edge": lambda results: showdown.edge(GAME, "base", results),
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_what_was_asked_once_is_told_again_without_being_solved(
    asked: Callable[[Results], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = asked(Results(GAME, cache=tmp_path))
    monkeypatch.setattr(engine, "solved", solved_nowhere)
    assert asked(Results(GAME, cache=tmp_path)) == told


def test_another_decision_than_the_first_is_not_told_by_what_was_kept(kept: Path) -> None:
    results, card = Results(GAME, cache=kept), SUITED_CARDS[0]
    assert first_advice(results, Situation({Token(Seat(1), "another card"): card})) is None


def test_that_a_game_does_not_fit_is_kept_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    decks = STUD.configured(decks=2)
    assert "set decks = 1" in does_not_fit(Results(decks, cache=tmp_path))
    monkeypatch.setattr(engine, "does_not_fit", solved_nowhere)
    assert "set decks = 1" in does_not_fit(Results(decks, cache=tmp_path))


def test_what_is_refused_of_a_side_wager_is_kept_with_its_reason(tmp_path: Path) -> None:
    shown = STUD.round_class.showdown  # type: ignore[attr-defined]
    other = type("Other", (STUD.round_class,), {"showdown": Showdown(shown.seat, shown.dealer)})
    game = replace(STUD, round_class=other, build="0" * 64)
    for _ in range(2):
        with pytest.raises(BadValue, match="does not declare the hand that Pair"):
            showdown.edge(game, "pair", Results(game, cache=tmp_path))


ALTERED: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "another value": (lambda parts: parts["value"].update(value="1/7"), "has ends that come to another value"),
    "no value": (lambda parts: parts["value"].update(value="a lot"), "is damaged"),
    "an end too few": (lambda parts: parts["base"]["endings"]["base"].pop(), "has ends that do not sum to one"),
    "no ends": (lambda parts: parts["base"].update(endings={}), "has the ends of other wagers"),
    "an end of the side too few": (lambda parts: parts["sides"]["wagers"]["pair_plus"].pop(), "that do not sum to one"),
    "no weights": (lambda parts: parts["first"]["weights"].clear(), "has weights of other hands"),
    "another hand": (lambda parts: parts["first"]["hands"].popitem(), "has weights of other hands"),
    "no cells": (lambda parts: parts["chart"].update(grids=[]), "has no chart that can be drawn"),
}


@pytest.mark.parametrize(("change", "why"), ALTERED.values(), ids=ALTERED)
def test_what_was_altered_is_not_used_and_solved_anew(
    change: Callable[[dict[str, Any]], object], why: str, kept: Path, caplog: pytest.LogCaptureFixture
) -> None:
    right = {part: Results(GAME, cache=kept)(part) for part in PARTS}
    altered(kept, change)
    with caplog.at_level(logging.WARNING):
        results = Results(GAME, cache=kept)
        assert json.loads(json.dumps({part: results(part) for part in PARTS})) == right
    assert why in caplog.text
    assert {source.name for source in results.sources.values()} == {COUNTED_NOW}


def test_what_other_rules_came_to_is_not_used(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "solved", solved_nowhere)
    with pytest.raises(AssertionError, match="Three Card Poker was solved again"):
        Results(replace(GAME, build="0" * 64), cache=kept)("value")


def test_of_a_game_that_nobody_has_loaded_nothing_is_kept(tmp_path: Path) -> None:
    Results(replace(STUD, build="made by hand"), cache=tmp_path)("value")
    assert not list(tmp_path.iterdir())


def test_an_analysis_says_the_same_the_second_time() -> None:
    first, second = (read("analyze", "stud", "--games", "tests/toys") for _ in range(2))
    assert first == second
