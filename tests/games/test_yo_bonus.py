"""The bonus of Yo!: when it is made, when it is on, what it is paid and what becomes of it."""

from fractions import Fraction

import pytest

from feltworks.kit.errors import NotAllowed
from feltworks.kit.game import Game
from feltworks.kit.steps import Place, TakeUp
from tests.games.dicing import (
    BOTH_VERSIONS,
    PLAY,
    POINTS,
    RACK_CARD,
    RETURNED,
    S1,
    S2,
    STAYS,
    WASHINGTON,
    bet,
    closed,
    fate,
    lost,
    nets,
    next_game,
    out,
    reading,
    roll,
    settlements,
    start,
    with_point,
    won,
)
from tests.kit.support import refused


@pytest.mark.rule("Y-14")
@pytest.mark.parametrize(
    ("game", "later"),
    [(WASHINGTON, False), (RACK_CARD, True), (reading(yo_window="any"), True)],
    ids=["washington", "rack-card", "any"],
)
def test_yo_is_made_before_a_point_or_right_after_it_is_set_or_by_the_other_reading_while_it_is_on(
    game: Game, later: bool
) -> None:
    again = roll(bet(start(game), PLAY), 7)
    assert bet(again, {S1: {"play": 10, "yo": 5}}).stake(S1, "yo") == 5
    on = with_point(game, 6, PLAY)
    assert bet(on, {S1: {"yo": 5}}).stake(S1, "yo") == 5
    round = roll(on, 3)
    if later:
        assert nets(roll(bet(round, {S1: {"yo": 5}}), 9, yo=True)) == {"yo": 5}
    else:
        said = "Yo! is made before a point, or right after the roll that set it (Y-14)."
        assert refused(round, Place(S1, "yo", Fraction(5)), NotAllowed) == said


@pytest.mark.rule("Y-14", "Y-15")
@pytest.mark.parametrize("total", [2, 3, 7, 11, 12, *POINTS])
def test_a_yo_is_off_before_a_point_and_the_roll_that_sets_it_does_not_decide_it(total: int) -> None:
    round = roll(bet(start(WASHINGTON), {S1: {"play": 10, "yo": 5}}), total, yo=True)
    assert fate(round, "yo") is None
    assert round.stake(S1, "yo") == 5


@pytest.mark.rule("Y-15")
def test_a_yo_is_on_from_the_roll_after_the_point_was_set() -> None:
    on = with_point(WASHINGTON, 4, {S1: {"play": 10, "yo": 5}})
    assert fate(roll(on, 9, yo=True), "yo") == won(5, STAYS)
    assert fate(roll(roll(on, 9), 9, yo=True), "yo") == won(5, STAYS)


@pytest.mark.rule("Y-16")
@BOTH_VERSIONS
@pytest.mark.parametrize(
    ("game_dice", "net"),
    [
        ((5, 6), 100),
        ((6, 5), 100),
        *(((face, face), 20) for face in (1, 2, 3, 5, 6)),
        ((1, 2), 5),
        ((2, 4), 5),
        ((4, 5), 5),
        ((6, 4), 5),
    ],
)
def test_a_bonus_eleven_pays_yo_by_the_game_dice(game: Game, game_dice: tuple[int, int], net: int) -> None:
    on = with_point(game, 8, {S1: {"play": 10, "yo": 5}})
    for bonus in [(5, 6), (6, 5)]:
        round = out(on).after((*game_dice, *bonus))
        assert fate(round, "yo") == won(net, STAYS)
        assert [s.rule for s in settlements(round)] == ["Y-16"]


@pytest.mark.rule("Y-16")
def test_a_bonus_eleven_on_a_hard_point_pays_four_to_one() -> None:
    on = with_point(WASHINGTON, 8, {S1: {"play": 10, "yo": 5}})
    assert fate(roll(on, 8, yo=True, pair=True), "yo") == won(20)
    assert fate(roll(on, 8, yo=True), "yo") == won(5)


@pytest.mark.rule("Y-17")
def test_yo_loses_with_the_seven_pushes_with_seven_and_eleven_and_else_nothing_happens() -> None:
    on = with_point(WASHINGTON, 8, {S1: {"play": 10, "yo": 5}})
    assert fate(roll(on, 7), "yo") == lost(5)
    assert fate(roll(on, 7, yo=True), "yo") == won(0)
    for total in (2, 3, 4, 5, 6, 9, 10, 11, 12):
        assert fate(roll(on, total), "yo") is None
    for bonus in [(6, 6), (1, 1), (5, 5), (4, 6), (3, 4)]:
        assert fate(out(on).after((1, 2, *bonus)), "yo") is None


@pytest.mark.rule("Y-17", "Y-08")
def test_by_the_other_reading_a_yo_that_pushed_stays_off_for_the_next_point() -> None:
    game = reading(yo_seven_eleven="stays_off")
    ended = roll(with_point(game, 8, {S1: {"play": 10, "yo": 5}}), 7, yo=True)
    assert fate(ended, "yo") is None
    assert ended.over
    following = next_game(ended)
    assert following.wagers == {(S1, "yo"): 5}
    assert "(Y-08)" in refused(following, TakeUp(S1, "yo"), NotAllowed)
    on = roll(bet(following, PLAY), 4, yo=True)
    assert fate(on, "yo") is None
    assert fate(roll(on, 11, yo=True), "yo") == won(100, STAYS)
    assert fate(roll(roll(bet(following, PLAY), 4), 7), "yo") == lost(5)


@pytest.mark.rule("Y-18")
def test_a_yo_that_was_paid_rides_and_is_paid_on_every_bonus_eleven() -> None:
    round = with_point(WASHINGTON, 8, {S1: {"play": 10, "yo": 5}})
    for total, net in [(11, 100), (3, 5), (2, 20)]:
        round = roll(round, total, yo=True)
        assert fate(round, "yo") == won(net, STAYS)
        assert "(Y-08)" in refused(round, TakeUp(S1, "yo"), NotAllowed)
    assert fate(roll(round, 7), "yo") == lost(5)


@pytest.mark.rule("Y-18")
def test_by_the_other_reading_a_yo_that_was_paid_comes_down() -> None:
    round = roll(with_point(reading(yo_after_win="comes_down"), 8, {S1: {"play": 10, "yo": 5}}), 11, yo=True)
    assert fate(round, "yo") == won(100)
    assert round.wagers == {(S1, "play"): 10}


@pytest.mark.rule("Y-18")
@pytest.mark.parametrize("after_win", ["rides", "comes_down"])
@pytest.mark.parametrize("on_point_made", ["returned", "rides"])
@pytest.mark.parametrize("eleven", [False, True])
def test_what_a_made_point_does_to_a_yo(after_win: str, on_point_made: str, eleven: bool) -> None:
    game = reading(yo_after_win=after_win, yo_on_point_made=on_point_made)
    made = roll(with_point(game, 8, {S1: {"play": 10, "yo": 5}}), 8, yo=eleven)
    assert made.over
    down = on_point_made == "returned" or (eleven and after_win == "comes_down")
    if eleven:
        assert fate(made, "yo") == won(5, RETURNED if down else STAYS)
    else:
        assert fate(made, "yo") == (won(0) if down else None)
    following = next_game(made)
    assert following.wagers == ({} if down else {(S1, "yo"): 5})
    if not down:
        assert fate(roll(roll(bet(following, PLAY), 6), 2, yo=True), "yo") is not None


@pytest.mark.rule("Y-18", "Y-04")
def test_a_yo_that_rides_into_the_next_game_goes_back_if_play_is_not_renewed() -> None:
    game = reading(yo_on_point_made="rides")
    made = roll(with_point(game, 8, {S1: {"play": 10, "yo": 5}, S2: {"play": 10}}), 8)
    round = closed(next_game(made), {S2: {"play": 10}})
    assert [(s.seat, s.spot, s.net(), s.rule) for s in settlements(round)] == [(S1, "yo", Fraction(0), "Y-04")]
