"""Every golden playthrough goes as it was recorded; a transcript tells neither too much nor too little."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from feltworks import games
from feltworks.kit.cards import Seat
from feltworks.kit.round import Round
from feltworks.kit.steps import ALL, HIDDEN, Incident, Settlement, Turn
from feltworks.kit.transcript import Happening, transcript
from tests.playthroughs import COMMAND, GOLDEN, Report, Scenario, difference, played, scenarios, strays, told

EVERY = {(game, name): scenario for game, name, scenario in scenarios()}
PRIVATE = EVERY["bands", "everybody-folds"]


@pytest.mark.parametrize(("game", "name"), EVERY)
def test_a_round_goes_as_it_was_recorded(game: str, name: str) -> None:
    text = told(game, EVERY[game, name])
    path = GOLDEN / game / f"{name}.txt"
    shown = difference(path, text)
    assert not shown, f"{path}\n{shown}\nIf that is meant, run {COMMAND} and read what has changed."
    assert text.count("they sum to 0") == EVERY[game, name].rounds
    assert "THEY DO NOT" not in text


def test_every_recorded_text_has_a_scenario() -> None:
    assert strays({GOLDEN / game / f"{name}.txt" for game, name in EVERY}) == []


@pytest.mark.parametrize("game", games.names())
def test_every_game_has_playthroughs(game: str) -> None:
    assert game in {of for of, _ in EVERY}, f"Write tests/golden/{game}/scenarios.toml and run {COMMAND}."


def test_a_scenario_with_cards_that_are_never_dealt_is_refused() -> None:
    scenario = PRIVATE.model_copy(update={"cards": PRIVATE.cards + "3d"})
    with pytest.raises(AssertionError, match="3d"):
        told("bands", scenario)


@pytest.mark.parametrize(
    "more",
    [
        {"supervisor": ("die freed",)},
        {"dealer": ("called",)},
        {"reports": (Report(after=99, kind="dispute", decision="continue"),)},
        {"rolls": (*EVERY["yo", "more"].rolls, "1 1 1 1")},
    ],
    ids=lambda more: next(iter(more)),
)
def test_a_scenario_that_says_more_than_is_rolled_decided_or_reported_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(AssertionError, match="the scenario says more"):
        told("yo", EVERY["yo", "more"].model_copy(update=more))


def test_a_transcript_tells_what_is_collected_what_still_lies_and_what_is_carried() -> None:
    text = told("yo", EVERY["yo", "arc-left"])
    first, second = text.split("Round 2\n")
    assert " 18. Seat 1 collects 12 from High.\n" in first
    assert "Seat 1: put down 18, got back 36, 6 won lies; wins 24.\n" in first
    assert first.rstrip().endswith("Left lying: seat 1 has 6 won on Low.\nCarried: shooter = 1, moves_on = True.")
    assert second.startswith("  lies there: seat 1 has 6 won on Low.\n")
    assert "Seat 1: 6 lay there, put down 10, got back 6; loses 10.\n" in second


def test_a_round_that_is_not_over_carries_nothing_yet() -> None:
    scenario = EVERY["yo", "arc-left"]
    start = scenario.game("yo").start(scenario.seats)
    some = list(islice(played(start, scenario), 5))
    text = transcript(start, some)
    assert "Seat 1: put down 14, got back 0, 14 still lies, 6 won lies; wins 6.\n" in text
    assert "they sum to 0" in text
    assert "Carried" not in text


def in_public(start: Round, scenario: Scenario) -> Iterator[Happening]:
    """The same round as somebody sees it who stands beside the table."""
    round = start
    for step, answer, _ in played(start, scenario):
        assert not isinstance(answer, Incident)
        seen = HIDDEN if isinstance(step, Turn) and step.to is not ALL else answer
        round = round.after(seen)
        yield step, seen, round


def test_a_card_turned_to_one_seat_is_not_in_the_public_transcript() -> None:
    start = PRIVATE.game("bands").start(PRIVATE.seats)
    private, public = (transcript(start, told_by(start, PRIVATE)) for told_by in (played, in_public))
    assert "Turn seat 1's card, to seat 1 alone: two of clubs. (11 unseen)" in private
    assert "Turn seat 1's card, to seat 1 alone.\n" in public
    assert "two of clubs" not in public


def test_books_that_do_not_sum_to_zero_are_cried_out() -> None:
    scenario = EVERY["one-for-the-money", "check"]
    start = scenario.game("one-for-the-money").start([Seat(1)])
    *before, (step, answer, last) = played(start, scenario)
    effects = [replace(e, amount=e.amount + 1) if isinstance(e, Settlement) else e for e in last.effects]
    text = transcript(start, [*before, (step, answer, replace(last, effects=tuple(effects)))])
    assert "THEY DO NOT SUM TO 0" in text
