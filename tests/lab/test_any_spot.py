"""Wagers of which any brings a seat in are analysed alone, and a wager on any of its spots is told by spot."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from feltworks import api, games
from feltworks.kit.errors import BadValue, FaultyRules
from feltworks.kit.odds import Odds
from feltworks.kit.questions import Edges
from feltworks.kit.round import Round
from feltworks.kit.steps import Choose, Extra, Items, Option, Roll, task
from feltworks.kit.walk import Habit
from feltworks.lab.analysis import Analysis, analyze
from feltworks.lab.certify import certify
from feltworks.lab.live_answers import edges
from feltworks.lab.reading_effects import effects
from feltworks.lab.simulation import simulate
from feltworks.lab.stakes import checked_stakes
from tests.kit.support import little_game

CRAPS, SIC_BO, PUNTO_BANCO = map(games.load, ("craps", "sic-bo", "punto-banco"))
ONE = Fraction(1)


# What is staked.


def test_nothing_is_staked_where_nothing_is_required_unless_somebody_says_so() -> None:
    assert checked_stakes(CRAPS, None) == {}
    assert checked_stakes(CRAPS, {"pass": Fraction(2), "place": ONE}) == {"pass": 2, "place_4": 1}
    assert checked_stakes(CRAPS, {"place_6": ONE, "place_8": Fraction(0)}) == {"place_6": 1}


@pytest.mark.parametrize(
    ("stakes", "said"),
    [
        ({"place": ONE, "place_4": ONE}, "place_4 means place_4, which has a stake already; give it one."),
        ({"place_6": -ONE}, "A stake of -1 on place_6 is not allowed; give 0 or more units."),
    ],
)
def test_a_stake_that_cannot_be_is_told_why(stakes: Mapping[str, Fraction], said: str) -> None:
    with pytest.raises(BadValue) as refusal:
        checked_stakes(CRAPS, stakes)
    assert str(refusal.value) == said


def required_on_any_spot() -> Any:
    spots = {"one": "One", "two": "Two"}
    return little_game(push_all, {"number": {"title": "Number", "required": True, "opens": "any", "spots": spots}})


def push_all(round: Round) -> Items:
    yield round.game.betting("open")
    for seat in round.seats:
        yield task(_push, seat)


def _push(round: Round, seat: Any) -> Items:
    for owner, spot in round.wagers:
        if owner == seat:
            yield round.push(seat, spot, "Over", "T-01")


def test_a_required_wager_on_any_spot_is_staked_on_the_first_or_on_those_that_are_named() -> None:
    game = required_on_any_spot()
    assert checked_stakes(game, None) == {"one": 1}
    assert checked_stakes(game, {"two": ONE}) == {"two": 1}
    with pytest.raises(BadValue, match="number is required to play, so its stake must be above 0"):
        checked_stakes(game, {"two": Fraction(0)})


# Each alone.


def test_each_wager_is_analysed_alone_with_what_it_needs() -> None:
    found = analyze(CRAPS)
    assert found.stakes == {}
    assert found.strategy is None
    assert [*found.wagers] == [*CRAPS.wagers]
    assert analyze(CRAPS, wager="odds")["odds"].edge == found["odds"].edge


def test_stakes_that_are_given_are_staked_together_and_the_others_alone_as_before() -> None:
    found = analyze(CRAPS, stakes={"pass": ONE, "odds": Fraction(2)})
    assert found.stakes == {"pass": 1, "odds": 2}
    assert {name: wager.edge for name, wager in found.wagers.items()} == {
        name: wager.edge for name, wager in analyze(CRAPS).wagers.items()
    }


def risky(round: Round) -> Items:
    """Both win even money on a four and more; whoever has Double sees the die, and may stake as much again."""
    yield round.game.betting("open")
    yield Roll(1)
    yield task(_decide)


def _decide(round: Round) -> Items:
    (die, *_) = round.dice  # type: ignore[misc]
    for seat in round.playing:
        if round.stake(seat, "double"):
            yield Choose(frozenset({seat}), (Option("stay"), Option("raise", Extra("more", of="double"))))
    yield task(_settle, die)


def _settle(round: Round, die: int) -> Items:
    for seat, spot in round.wagers:
        if die >= 4:
            yield round.win(seat, spot, "High", Odds("to", 1, 1), "T-02")
        else:
            yield round.lose(seat, spot, "Low", "T-02")


RISKY: dict[str, dict[str, Any]] = {
    "even": {"title": "Even money", "required": "any"},
    "double": {"title": "Double", "required": "any", "spots": {"double": "Double", "more": "More"}},
}


def test_each_wager_has_the_best_strategy_for_itself() -> None:
    found = analyze(little_game(risky, RISKY))
    assert found["even"].edge == 0
    assert found["even"].strategy is None
    assert found["double"].strategy is not None
    assert found["double"].edge == -Fraction(1, 2)


# By spot.


@pytest.fixture(scope="module")
def place() -> Analysis:
    return analyze(CRAPS, wager="place")


EDGES = {
    "place_4": "1/15",
    "place_5": "1/25",
    "place_6": "1/66",
    "place_8": "1/66",
    "place_9": "1/25",
    "place_10": "1/15",
}


def test_a_wager_is_told_by_spot_where_they_differ(place: Analysis) -> None:
    told = place.to_json()["wagers"]["place"]
    assert {spot: each["edge"]["exact"] for spot, each in told["by_spot"].items()} == EDGES
    assert told["edge"]["exact"] == "1/15"


def test_a_spot_is_analysed_by_its_name(place: Analysis) -> None:
    for spot, edge in EDGES.items():
        alone = analyze(CRAPS, wager=spot)[spot]
        assert str(alone.edge) == edge
        assert alone.by_spot == {}
        assert alone.wager.title == CRAPS.spot_title(spot)


def test_a_wager_whose_spots_are_alike_is_told_once() -> None:
    told = analyze(SIC_BO, wager="triple").to_json()["wagers"]["triple"]
    assert told["edge"]["exact"] == "35/216"
    assert "by_spot" not in told


def test_a_bet_that_leaves_its_spot_is_told_as_what_it_is() -> None:
    def wandering(round: Round) -> Items:
        yield round.game.betting("open")
        yield task(_wander)

    def _wander(round: Round) -> Items:
        for seat, spot in round.wagers:
            yield round.move_wager(seat, spot, "two", "T-03")
        yield task(push_rest)

    def push_rest(round: Round) -> Items:
        for seat, spot in round.wagers:
            yield round.push(seat, spot, "Over", "T-03")

    spots = {"one": "One", "two": "Two"}
    game = little_game(wandering, {"number": {"title": "Number", "required": "any", "opens": "any", "spots": spots}})
    with pytest.raises(FaultyRules, match="The outcomes of One in Little sum to 0"):
        analyze(game, wager="one")


def test_printed_figures_may_name_a_spot() -> None:
    found = {c.case: (str(c.exact), c.verdict) for c in certify([CRAPS]) if c.wager == "place"}
    assert found == {CRAPS.spot_title(spot): (edge, "rounded") for spot, edge in EDGES.items()}


def test_readings_are_told_for_each_spot() -> None:
    on = next(effect for effect in effects(CRAPS, "place") if effect.reading == "place_on_come_out")
    assert on.changes == ()


def test_the_live_edges_tell_the_spots_apart_where_they_differ() -> None:
    told = edges(Edges("craps"))
    assert [edge.wager for edge in told.wagers] == [
        *("pass", "dont_pass", "come", "dont_come", "odds", "lay"),
        *EDGES,
        "field",
    ]
    assert {edge.wager: edge.exact for edge in told.wagers if edge.wager in EDGES} == EDGES
    assert [edge.wager for edge in edges(Edges("sic-bo", wager="single")).wagers] == ["single"]


# Simulated.


def test_each_wager_is_simulated_alone_and_stakes_together() -> None:
    alone = simulate(CRAPS, rounds=20_000, seed=1)
    assert [*alone.wagers] == [CRAPS.bet(name).name for name in CRAPS.wagers]
    both = simulate(CRAPS, rounds=20_000, seed=1, stakes={"place_6": ONE, "place_9": ONE, "pass": ONE})
    assert [*both.wagers] == ["pass", "place_6", "place_9"]


def test_cards_are_dealt_for_wagers_on_any_of_which_one_comes_in() -> None:
    dealt = simulate(PUNTO_BANCO.configured(decks=1), rounds=3_000, seed=2)
    assert [*dealt.wagers] == ["player", "banker", "tie"]
    for wager in dealt.wagers.values():
        assert wager.z is not None
        assert abs(wager.z) < 4


def test_a_wager_that_is_made_later_is_simulated_at_several_seats_beside_one_that_keeps_the_round_going() -> None:
    dealt = simulate(CRAPS, rounds=1_500, seats=2, seed=2, stakes={"come": ONE})
    come = dealt["come"]
    assert [*dealt.wagers] == ["come"]
    assert [*come.seats] == [1, 2]
    assert all(o.expected and abs(o.count - o.expected) < 5 * float(o.expected) ** 0.5 for o in come.outcomes)
    assert come.z is not None
    assert abs(come.z) < 4


def test_a_habit_may_name_spots() -> None:
    habit = Habit({"single_1": ONE, "single_2": ONE, "triple": ONE})
    found = simulate(SIC_BO, rounds=10_000, seed=5, policy=habit)
    assert [*found.wagers] == ["single_1", "single_2", "triple_1"]


def test_a_plan_of_dice_needs_stakes_where_nothing_is_required() -> None:
    with pytest.raises(BadValue, match=r"^No wager is required in Craps; say what is staked\.$"):
        api.plan("craps")
