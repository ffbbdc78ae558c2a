"""A seat comes into the round with any of several wagers, and a wager is made on any of its spots."""

from fractions import Fraction
from typing import Any

import pytest

from feltworks.kit.definition import Definition
from feltworks.kit.errors import BadValue, NotAllowed, UnknownName
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.steps import Bet, Close, Items, Place, Roll, TakeUp, task
from feltworks.kit.walk import bets_for
from tests.kit.support import ONE, TWO, after_all, little_game, place, refused

NUMBERS = {"one": "One", "two": "Two", "three": "Three"}
WAGERS: dict[str, dict[str, Any]] = {
    "number": {"title": "Number", "required": "any", "opens": "any", "spots": NUMBERS},
    "even": {"title": "Even", "required": "any"},
    "lucky": {"title": "Lucky", "needs": ["number"]},
}


def play(round: Round) -> Items:
    yield round.game.betting("open")
    yield Roll(1)
    yield task(settle)


def settle(round: Round) -> Items:
    for seat, spot in round.wagers:
        yield round.push(seat, spot, "Over", "T-01")


def game(**changes: Any) -> Game:
    return little_game(play, {name: {**wager, **changes.get(name, {})} for name, wager in WAGERS.items()})


GAME = game()


def start(*seats: int) -> Round:
    return GAME.start(seats or (1,))


# In the round.


@pytest.mark.parametrize("spot", ["one", "two", "three", "even"])
def test_a_seat_is_in_the_round_with_any_of_the_wagers_that_bring_it_in(spot: str) -> None:
    assert after_all(start(), [place(ONE, spot), Close()]).next == Roll(1)


def test_a_seat_with_none_of_them_is_told_which_there_are() -> None:
    free = little_game(play, {**WAGERS, "lucky": {"title": "Lucky"}}).start((1, 2))
    lying = after_all(free, [place(ONE, "even"), place(TWO, "lucky")])
    said = "Seat 2 needs a wager on Number or Even to be in the round."
    assert refused(lying, Close(), NotAllowed) == said


def test_only_those_that_can_be_made_now_are_named() -> None:
    later = little_game(play, {**WAGERS, "even": {**WAGERS["even"], "windows": ["later"]}, "lucky": {"title": "Lucky"}})
    lying = later.start((1,)).after(place(ONE, "lucky"))
    assert refused(lying, Close(), NotAllowed) == "Seat 1 needs a wager on Number to be in the round."


def test_a_wager_that_is_required_on_any_spot_is_made_by_one_of_them() -> None:
    strict = little_game(play, {"number": {**WAGERS["number"], "required": True}, "even": {"title": "Even"}}).start()
    assert after_all(strict, [place(ONE, "two"), Close()]).next == Roll(1)
    lying = strict.after(place(ONE, "even"))
    assert refused(lying, Close(), NotAllowed) == "Seat 1 needs a wager on Number to be in the round."


def test_what_brings_a_seat_in_is_told_apart_from_what_every_seat_makes() -> None:
    number, lucky, base = GAME.wager("number"), GAME.wager("lucky"), little_game(play).wager("bet")
    assert (number.required, number.comes_in) == (False, True)
    assert (lucky.required, lucky.comes_in) == (False, False)
    assert not base.comes_in


def test_a_house_leaves_out_some_of_them_and_not_all() -> None:
    assert list(GAME.configured(without=["even"]).wagers) == ["number", "lucky"]
    with pytest.raises(BadValue, match=r"^Number and Even cannot be left out: a seat comes in.*\.$"):
        GAME.configured(without=["number", "even", "lucky"])


def test_no_version_mixes_what_is_required_with_any_of_several() -> None:
    with pytest.raises(ValueError, match='`required = "any"` is for where no wager is required; here is lucky'):
        game(lucky={"required": True})


# On any spot.


def test_chips_lie_on_whichever_spots_one_likes_each_a_bet_of_its_own() -> None:
    bet = start().next
    assert isinstance(bet, Bet)
    assert bet.spots == ("one", "two", "three", "even", "lucky")
    rolled = after_all(start(), [place(ONE, "three"), place(ONE, "one", 5), Close(), (4,)])
    assert [(s.spot, s.amount) for s in rolled.effects] == [("three", 1), ("one", 5)]  # type: ignore[union-attr]


def test_what_needs_such_a_wager_needs_one_of_its_spots() -> None:
    assert refused(start(), place(ONE, "lucky"), NotAllowed) == "Lucky needs Number; place that first."
    lying = after_all(start(), [place(ONE, spot) for spot in ("one", "two", "lucky")])
    fewer = lying.after(TakeUp(ONE, "one"))
    assert refused(fewer, TakeUp(ONE, "two"), NotAllowed) == "Lucky needs Number; take that up first."


@pytest.mark.parametrize(
    ("stakes", "lies"),
    [
        ({"number": 1}, {"one": 1}),
        ({"three": 2}, {"three": 2}),
        ({"two": 1, "three": 2, "even": 4}, {"two": 1, "three": 2, "even": 4}),
    ],
    ids=["by the wager", "by a spot", "by several"],
)
def test_a_stake_names_a_spot_or_by_the_wager_the_first(stakes: dict[str, int], lies: dict[str, int]) -> None:
    bet = start().next
    assert isinstance(bet, Bet)
    units = {name: Fraction(amount) for name, amount in stakes.items()}
    assert list(bets_for(units, start(), bet, ONE)) == [Place(ONE, spot, Fraction(n)) for spot, n in lies.items()]


def test_a_spot_is_a_bet_that_can_be_asked_for_by_its_name() -> None:
    two, number = GAME.wager("two"), GAME.wager("number")
    assert (two.name, two.title, two.spots, two.opens) == ("two", "Two", {"two": "Two"}, {"two": Fraction(1)})
    assert GAME.bet("number") == GAME.wager("one")
    assert GAME.bet("even") == GAME.wager("even")
    assert number.any_spot
    assert not two.any_spot
    with pytest.raises(UnknownName):
        GAME.wager("four")


def test_the_pay_table_of_a_wager_is_that_of_its_spots_unless_one_has_its_own() -> None:
    tables = {"number": {"1": {"Hit": "4 to 1"}}, "two": {"1": {"Hit": "5 to 1"}}}
    data = {**GAME.definition.model_dump(), "wagers": WAGERS, "pay_tables": tables}
    priced = Game.standard(Definition.model_validate(data), GAME.folder, GAME.round_class, {}, None)
    assert [str(priced.pay_table(spot).pay("Hit")) for spot in ("one", "two", "three")] == [
        "4 to 1",
        "5 to 1",
        "4 to 1",
    ]


def test_a_spot_is_not_called_like_a_wager() -> None:
    with pytest.raises(ValueError, match="'even' is the name of a wager; name the spot otherwise"):
        game(number={"spots": {"even": "Even number", "odd": "Odd number"}})


# The fingerprint.


def test_either_word_is_another_definition_and_a_game_without_them_is_as_it_was() -> None:
    plain = {"number": {"title": "Number", "spots": NUMBERS, "opens": dict.fromkeys(NUMBERS, 1)}}
    marks = [
        little_game(play, {"number": {**plain["number"], **said}}).fingerprint["definition"]
        for said in ({}, {"opens": "any"}, {"required": "any"}, {"required": "any", "opens": "any"})
    ]
    assert len({*marks}) == len(marks)
    assert marks[0] == "7025c21c1dec6ef375d3bbe8028540d3d04b6bab1e305cb704523fd3f7a40a74"
