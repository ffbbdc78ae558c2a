"""Who shoots at Yo!: the line of turns, declining, passing, withdrawing and the roller that is named."""

import pytest

from feltworks.games.yo.rules import Yo
from feltworks.kit.cards import Seat
from feltworks.kit.errors import NotAllowed
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.steps import (
    Choose,
    Close,
    Decide,
    Role,
    Roll,
)
from tests.games.dicing import (
    PLAY,
    RACK_CARD,
    S1,
    S2,
    S3,
    S4,
    S5,
    S6,
    WASHINGTON,
    asked,
    bet,
    closed,
    dice,
    everybody,
    moves,
    next_game,
    over_with,
    reading,
    roll,
    start,
    with_point,
)
from tests.kit.support import refused

SUPERVISOR, DEALER = Role.SUPERVISOR, Role.DEALER


def shooter(round: Round) -> Seat | None:
    assert isinstance(round, Yo)
    return round.shooter


def rolls_now(round: Round) -> Seat | Role | None:
    assert isinstance(round, Yo)
    return round.roller


@pytest.mark.rule("Y-21")
@pytest.mark.parametrize(("with_play", "first"), [((S1, S2, S6), S1), ((S3, S5), S3), ((S6,), S6)])
def test_the_first_shooter_is_the_first_seat_from_the_dealers_left_with_play(
    with_play: tuple[Seat, ...], first: Seat
) -> None:
    round = closed(start(WASHINGTON, 1, 2, 3, 4, 5, 6), everybody(*with_play))
    assert asked(round)[0] == first
    assert shooter(round) == first


@pytest.mark.rule("Y-21")
def test_nobody_rolls_before_a_seat_has_play() -> None:
    said = "No seat has Play, so there is nobody to roll for (Y-21); place Play first."
    assert refused(start(WASHINGTON, 1, 2), Close(), NotAllowed) == said


@pytest.mark.rule("Y-21")
@pytest.mark.parametrize("total", [2, 3, 7, 11, 12])
def test_results_before_a_point_do_not_move_the_dice(total: int) -> None:
    round = roll(bet(start(WASHINGTON, 1, 2, 3), everybody(S2, S3)), total)
    again = closed(round, everybody(S1, S2, S3))
    assert asked(again) == (S2, ["withdraw", "roll"])
    assert rolls_now(again) == S2


@pytest.mark.rule("Y-21")
@pytest.mark.parametrize("total", [2, 7, 11])
def test_a_shooter_who_did_not_renew_play_has_declined(total: int) -> None:
    round = roll(bet(start(WASHINGTON, 1, 2, 3), everybody(S2, S3)), total)
    assert asked(closed(round, everybody(S1, S3))) == (S3, ["dealer rolls", "roll", "pass"])
    assert asked(closed(round, everybody(S1))) == (S1, ["dealer rolls", "roll"])


@pytest.mark.rule("Y-21", "Y-22")
def test_after_a_declined_turn_the_line_goes_on_from_the_seat_that_shot() -> None:
    round = roll(bet(start(WASHINGTON, 1, 2, 3), everybody(S1, S2, S3)), 12)
    made = over_with(bet(round, everybody(S2, S3)), 6, 6)
    assert shooter(made) == S2
    assert asked(closed(next_game(made), everybody(S1, S2, S3)))[0] == S3


@pytest.mark.rule("Y-21")
def test_a_game_that_nobody_goes_on_with_ends_and_the_shooter_has_the_next_one() -> None:
    round = roll(bet(start(WASHINGTON, 1, 2), everybody(S2)), 12).after(Close())
    assert round.over
    assert asked(closed(next_game(round), everybody(S1, S2)))[0] == S2
    assert asked(closed(next_game(round), everybody(S1)))[0] == S1


@pytest.mark.rule("Y-22")
@pytest.mark.parametrize(
    ("game", "last", "following"),
    [
        (WASHINGTON, 6, S2),
        (WASHINGTON, 7, S2),
        (RACK_CARD, 6, S1),
        (RACK_CARD, 7, S2),
        (reading(dice_pass_on="seven_out"), 6, S1),
        (reading(dice_pass_on="seven_out"), 7, S2),
    ],
    ids=["washington made", "washington out", "rack-card made", "rack-card out", "seven_out made", "seven_out out"],
)
def test_when_the_cup_goes_to_the_next_seat_is_a_reading(game: Game, last: int, following: Seat) -> None:
    over = over_with(with_point(game, 6, everybody(S1, S2, S3)), last)
    round = closed(next_game(over), everybody(S1, S2, S3))
    assert asked(round)[0] == shooter(round) == following


@pytest.mark.rule("Y-22")
@pytest.mark.parametrize(
    ("renewed", "following"),
    [((S1, S2, S3), S3), ((S1, S2), S1), ((S2,), S2), ((S1, S2, S6), S6), ((S1,), S1)],
)
def test_the_next_shooter_is_the_next_seat_that_has_play_when_betting_closes(
    renewed: tuple[Seat, ...], following: Seat
) -> None:
    over = over_with(with_point(WASHINGTON, 6, everybody(S2, S3), S1, S6), 7)
    assert asked(closed(next_game(over), everybody(*renewed)))[0] == following


@pytest.mark.rule("Y-22")
def test_a_shooter_who_has_left_is_still_the_one_after_whom_the_line_goes_on() -> None:
    over = over_with(with_point(WASHINGTON, 6, everybody(S1, S2, S4)), 7)
    following = over_with(roll(bet(next_game(over), everybody(S1, S2, S4)), 5), 7)
    assert shooter(following) == S2
    assert asked(closed(next_game(following, 1, 4), everybody(S1, S4)))[0] == S4


@pytest.mark.rule("Y-23")
def test_a_seat_that_declines_has_the_dealer_roll_for_it_for_the_whole_game() -> None:
    round = closed(start(WASHINGTON, 1, 2), everybody(S1, S2)).after(Decide(S1, "dealer rolls"))
    assert (rolls_now(round), shooter(round)) == (DEALER, S1)
    assert ("cup", "dealer") in moves(round)
    on = round.after(dice(6)).after(Close())
    assert isinstance(on.next, Roll)
    over = on.after(dice(7))
    assert asked(closed(next_game(over), everybody(S1, S2))) == (S2, ["dealer rolls", "roll", "pass"])


@pytest.mark.rule("Y-23")
def test_a_seat_that_passes_gives_its_turn_to_the_next_in_line() -> None:
    round = closed(start(WASHINGTON, 1, 2, 3), everybody(S1, S3)).after(Decide(S1, "pass"))
    assert asked(round) == (S3, ["dealer rolls", "roll", "pass"])
    assert asked(round.after(Decide(S3, "pass")))[0] == S1
    over = over_with(round, 6, 7)
    assert shooter(over) == S3
    assert asked(closed(next_game(over), everybody(S1, S2, S3)))[0] == S1


@pytest.mark.rule("Y-23")
def test_a_seat_alone_cannot_pass() -> None:
    round = closed(start(WASHINGTON), PLAY)
    assert asked(round) == (S1, ["dealer rolls", "roll"])
    assert "'pass' is not possible now" in refused(round, Decide(S1, "pass"), NotAllowed)


@pytest.mark.rule("Y-23")
def test_only_the_shooter_is_asked() -> None:
    round = closed(start(WASHINGTON, 1, 2), everybody(S1, S2))
    for who in (S2, SUPERVISOR, DEALER):
        assert refused(round, Decide(who, "roll"), NotAllowed) == "It is the turn of seat 1."


@pytest.mark.rule("Y-23")
def test_when_a_shooter_withdraws_the_supervisor_names_who_rolls() -> None:
    on = with_point(WASHINGTON, 6, everybody(S1, S2, S3), S4)
    round = closed(on, {S4: {"late_play": 5}}).after(Decide(S1, "withdraw"))
    assert asked(round) == (SUPERVISOR, ["dealer rolls", "seat 2 rolls", "seat 3 rolls"])
    assert isinstance(round.next, Choose) and round.next.neutral
    named = round.after(Decide(SUPERVISOR, "seat 3 rolls"))
    assert (rolls_now(named), shooter(named)) == (S3, S1)
    assert ("cup", "seat 3") in moves(named)
    going_on = named.after(dice(3)).after(Close())
    assert asked(going_on) == (S3, ["withdraw", "roll"])
    over = over_with(going_on, 7)
    assert asked(closed(next_game(over), everybody(S1, S2, S3)))[0] == S2


@pytest.mark.rule("Y-23")
def test_the_supervisor_may_name_the_dealer() -> None:
    round = with_point(WASHINGTON, 6, PLAY).after(Close()).after(Decide(S1, "withdraw"))
    assert asked(round) == (SUPERVISOR, ["dealer rolls"])
    named = round.after(Decide(SUPERVISOR, "dealer rolls"))
    assert rolls_now(named) is DEALER
    assert isinstance(named.next, Roll)


@pytest.mark.rule("Y-23", "Y-22")
@pytest.mark.parametrize("last", [6, 7])
def test_after_the_game_of_a_named_roller_the_next_in_line_shoots_by_either_reading(last: int) -> None:
    on = with_point(RACK_CARD, 6, everybody(S1, S2, S3)).after(Close()).after(Decide(S1, "withdraw"))
    over = on.after(Decide(SUPERVISOR, "seat 3 rolls")).after(dice(last))
    assert over.over
    assert asked(closed(next_game(over), everybody(S1, S2, S3)))[0] == S2


@pytest.mark.rule("Y-23")
@pytest.mark.parametrize("roller", ["dealer rolls", "seat 3 rolls"])
def test_a_named_roller_stays_for_the_game_though_the_seat_that_withdrew_has_no_play_left(roller: str) -> None:
    come_out = roll(bet(start(WASHINGTON, 1, 2, 3), everybody(S1, S2, S3)), 12)
    named = closed(come_out, everybody(S1, S2, S3)).after(Decide(S1, "withdraw")).after(Decide(SUPERVISOR, roller))
    again = closed(named.after(dice(3)), everybody(S2, S3))
    who = DEALER if roller == "dealer rolls" else S3
    assert rolls_now(again) == who
    assert isinstance(again.next, Roll) if who is DEALER else asked(again) == (S3, ["withdraw", "roll"])
    over = over_with(again, 8, 8)
    assert asked(closed(next_game(over), everybody(S2, S3)))[0] == S2


@pytest.mark.rule("Y-21", "Y-23")
def test_for_a_named_roller_who_did_not_renew_play_the_supervisor_names_another() -> None:
    come_out = roll(bet(start(WASHINGTON, 1, 2, 3), everybody(S1, S2, S3)), 12)
    round = closed(come_out, everybody(S1, S2, S3)).after(Decide(S1, "withdraw"))
    lost = round.after(Decide(SUPERVISOR, "seat 3 rolls")).after(dice(3))
    assert asked(closed(lost, everybody(S1, S2))) == (SUPERVISOR, ["dealer rolls", "seat 1 rolls", "seat 2 rolls"])
    assert asked(closed(lost, everybody(S1, S3))) == (S3, ["withdraw", "roll"])


@pytest.mark.rule("Y-23")
def test_a_named_roller_may_withdraw_in_turn() -> None:
    round = with_point(WASHINGTON, 6, everybody(S1, S2, S3)).after(Close()).after(Decide(S1, "withdraw"))
    round = round.after(Decide(SUPERVISOR, "seat 2 rolls")).after(dice(3)).after(Close())
    again = round.after(Decide(S2, "withdraw"))
    assert asked(again) == (SUPERVISOR, ["dealer rolls", "seat 1 rolls", "seat 3 rolls"])
    over = over_with(again.after(Decide(SUPERVISOR, "dealer rolls")), 7)
    assert asked(closed(next_game(over), everybody(S1, S2, S3)))[0] == S2


@pytest.mark.rule("Y-23")
def test_a_clock_that_runs_out_has_the_dealer_roll_or_the_supervisor_name_somebody() -> None:
    round = closed(start(WASHINGTON, 1, 2), everybody(S1, S2))
    assert asked(round)[1][0] == "dealer rolls"
    later = roll(round, 6).after(Close())
    assert asked(later)[1][0] == "withdraw"
    for step in (round.next, later.next):
        assert isinstance(step, Choose)
        assert step.neutral
        assert step.options[0].extra is None


@pytest.mark.rule("Y-21", "Y-22", "Y-23", "Y-31")
def test_a_person_at_the_table_is_told_the_point_the_shooter_and_who_rolls_instead() -> None:
    begun = start(WASHINGTON, 1, 2)
    assert begun.told == {"point": "none"}
    on = roll(bet(begun, everybody(S1, S2)), 6)
    assert on.told == {"point": "6", "shooter": "seat 1"}
    asks = on.after(Close()).after(Decide(S1, "withdraw"))
    assert asks.after(Decide(SUPERVISOR, "dealer rolls")).told == {
        "point": "6",
        "shooter": "seat 1",
        "roller": "dealer",
    }
    named = asks.after(Decide(SUPERVISOR, "seat 2 rolls"))
    assert named.told == {"point": "6", "shooter": "seat 1", "roller": "seat 2"}
    over = named.after(dice(7))
    assert next_game(over).told == {"point": "none"}
    assert closed(next_game(over), everybody(S1, S2)).told == {"point": "none", "shooter": "seat 2"}


@pytest.mark.rule("Y-22", "Y-23")
def test_a_turn_is_over_when_the_cup_goes_on() -> None:
    on = with_point(RACK_CARD, 6, everybody(S1, S2))
    assert [roll(on, last).turn_over for last in (6, 7)] == [False, True]
    on = with_point(WASHINGTON, 6, everybody(S1, S2))
    assert [roll(on, last).turn_over for last in (6, 7)] == [True, True]
    assert not on.turn_over
