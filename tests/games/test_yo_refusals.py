"""Bad input at a table of Yo!: refused in one sentence that names the statement, and the round is what it was."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from feltworks.games.yo.incidents import NOT_TOGETHER
from feltworks.kit.errors import FeltworksError, NotAllowed, NotPossible, UnknownName
from feltworks.kit.round import Round
from feltworks.kit.steps import Close, Collect, Incident, NoRoll, Place, TakeUp
from tests.games.dicing import PLAY, RACK_CARD, S1, S2, WASHINGTON, bet, out, reading, roll, start, with_point
from tests.kit.support import refused

SEVEN = (3, 4, 1, 1)


def come_out() -> Round:
    return bet(start(WASHINGTON, 1, 2), PLAY)


def point_set() -> Round:
    """The betting right after the point 6 was set; seat 1 has Play and Yo!, seat 2 nothing."""
    return with_point(WASHINGTON, 6, {S1: {"play": 10, "yo": 5}}, S2)


def point_on() -> Round:
    """A betting later; seat 2 has Late Play, and seat 1 has won on High."""
    return roll(bet(point_set(), {S1: {"more": 10, "high": 2}, S2: {"late_play": 10}}), 9)


def rack_card_late_play() -> Round:
    return bet(with_point(RACK_CARD, 6, {S1: {"play": 10}}, S2), {S2: {"late_play": 5}})


def dice_out() -> Round:
    return out(point_on())


def cup_offered() -> Round:
    return point_on().after(Close())


def stopped() -> Round:
    return dice_out().report(Incident("dice left the table"))


def stopped_betting() -> Round:
    return point_on().report(Incident("spill on the table"))


def one(seat: Any, spot: str, amount: int = 1) -> Place:
    return Place(seat, spot, Fraction(amount))


BAD: dict[str, tuple[Callable[[], Round], Any, type[FeltworksError], str]] = {
    "a die of 0": (dice_out, (0, 4, 1, 1), NotPossible, "Y-01"),
    "a die of 7": (dice_out, (3, 7, 1, 1), NotPossible, "Y-01"),
    "a bonus die of 7": (dice_out, (3, 4, 1, 7), NotPossible, "Y-01"),
    "a negative die": (dice_out, (3, 4, -1, 1), NotPossible, "Y-01"),
    "a die between its faces": (dice_out, (3, 4, 1.5, 1), NotPossible, "Y-01"),
    "a word for a die": (dice_out, (3, 4, "six", 1), NotPossible, "Y-01"),
    "two dice": (dice_out, (3, 4), NotPossible, "Y-01"),
    "five dice": (dice_out, (3, 4, 1, 1, 1), NotPossible, "Y-01"),
    "no dice": (dice_out, (), NotPossible, "Y-01"),
    "a roll while betting is open": (come_out, SEVEN, NotAllowed, "Y-24"),
    "a roll while betting with a point is open": (point_on, SEVEN, NotAllowed, "Y-24"),
    "a no roll while betting is open": (point_on, NoRoll(NOT_TOGETHER), NotAllowed, "Y-24"),
    "a roll while an incident is unresolved": (stopped, SEVEN, NotAllowed, "Y-26"),
    "a no roll while an incident is unresolved": (stopped, NoRoll(NOT_TOGETHER), NotAllowed, "Y-26"),
    "a wager while an incident is unresolved": (stopped_betting, one(S1, "high"), NotAllowed, "Y-26"),
    "a close while an incident is unresolved": (stopped_betting, Close(), NotAllowed, "Y-26"),
    "collecting while an incident is unresolved": (stopped_betting, Collect(S1, "high"), NotAllowed, "Y-26"),
    "play with a point on": (point_set, one(S2, "play"), NotAllowed, "Y-04"),
    "play with a point on for a while": (point_on, one(S2, "play"), NotAllowed, "Y-04"),
    "play added to with a point on": (point_set, one(S1, "play"), NotAllowed, "Y-08"),
    "late play without a point": (come_out, one(S2, "late_play"), NotAllowed, "Y-09"),
    "late play beside play": (point_set, one(S1, "late_play"), NotAllowed, "Y-09"),
    "more with late play by the rack card": (rack_card_late_play, one(S2, "more"), NotAllowed, "Y-11"),
    "yo with late play by the rack card": (rack_card_late_play, one(S2, "yo"), NotAllowed, "Y-11"),
    "more with late play later": (point_on, one(S2, "more"), NotAllowed, "Y-12"),
    "yo with late play later": (point_on, one(S2, "yo"), NotAllowed, "Y-14"),
    "yo without play": (come_out, one(S2, "yo"), NotAllowed, "Y-04"),
    "yo without play with a point on": (point_set, one(S2, "yo"), NotAllowed, "Y-04"),
    "more without play": (point_set, one(S2, "more"), NotAllowed, "Y-04"),
    "an arc wager without play": (come_out, one(S2, "craps"), NotAllowed, "Y-04"),
    "more before a point": (come_out, one(S1, "more"), NotAllowed, "Y-12"),
    "more too late": (lambda: roll(point_set(), 9), one(S1, "more"), NotAllowed, "Y-12"),
    "yo too late": (lambda: roll(with_point(WASHINGTON, 6, PLAY), 9), one(S1, "yo"), NotAllowed, "Y-14"),
    "more above the house multiple": (point_set, one(S1, "more", 41), NotAllowed, "Y-12"),
    "more above the house multiple in two parts": (
        lambda: bet(point_set(), {S1: {"more": 40}}),
        one(S1, "more"),
        NotAllowed,
        "Y-12",
    ),
    "taking up play": (point_set, TakeUp(S1, "play"), NotAllowed, "Y-08"),
    "taking up more": (point_on, TakeUp(S1, "more"), NotAllowed, "Y-08"),
    "taking up yo": (point_set, TakeUp(S1, "yo"), NotAllowed, "Y-08"),
    "taking up late play": (point_on, TakeUp(S2, "late_play"), NotAllowed, "Y-08"),
    "adding to more": (point_on, one(S1, "more"), NotAllowed, "Y-08"),
    "adding to yo": (point_set, one(S1, "yo"), NotAllowed, "Y-08"),
    "adding to late play": (point_on, one(S2, "late_play"), NotAllowed, "Y-08"),
    "placing on the arc while the dice are out": (dice_out, one(S1, "low"), NotAllowed, "Y-20"),
    "taking up from the arc while the dice are out": (dice_out, TakeUp(S1, "high"), NotAllowed, "Y-20"),
    "collecting from the arc while the dice are out": (dice_out, Collect(S1, "high"), NotAllowed, "Y-20"),
    "placing on the arc while the cup is offered": (cup_offered, one(S1, "low"), NotAllowed, "Y-20"),
    "taking up from the arc while the cup is offered": (cup_offered, TakeUp(S1, "high"), NotAllowed, "Y-20"),
    "collecting from the arc while the cup is offered": (cup_offered, Collect(S1, "high"), NotAllowed, "Y-20"),
    "late play while the dice are out": (dice_out, one(S2, "late_play"), NotAllowed, "Y-24"),
    "a second close": (dice_out, Close(), NotAllowed, "Y-24"),
    "a close without play": (lambda: start(WASHINGTON, 1, 2), Close(), NotAllowed, "Y-21"),
}


@pytest.mark.rule("Y-01", "Y-04", "Y-08", "Y-09", "Y-11", "Y-12", "Y-14", "Y-20", "Y-21", "Y-24", "Y-26")
@pytest.mark.parametrize(("situation", "answer", "kind", "statement"), BAD.values(), ids=BAD)
def test_bad_input_is_refused_by_its_statement_and_changes_nothing(
    situation: Callable[[], Round], answer: Any, kind: type[FeltworksError], statement: str
) -> None:
    assert f"({statement})" in refused(situation(), answer, kind)


def test_an_unknown_reading_or_version_is_told_what_there_is() -> None:
    with pytest.raises(UnknownName, match=r"^There is no reading 'seven'; choose one of: come_out_seven, "):
        reading(seven="lose")
    with pytest.raises(UnknownName, match=r"^There is no version 'nevada'; choose one of: washington, rack-card\.$"):
        WASHINGTON.configured(version="nevada")


@pytest.mark.parametrize("name", WASHINGTON.definition.readings)
def test_an_unknown_value_of_a_reading_is_refused_by_its_statement(name: str) -> None:
    question = WASHINGTON.definition.readings[name]
    with pytest.raises(UnknownName) as refusal:
        reading(**{name: "perhaps"})
    values, (statement,) = ", ".join(question.values), question.rules
    assert str(refusal.value) == (f"There is no value of {name} 'perhaps'; choose one of: {values} ({statement}).")
