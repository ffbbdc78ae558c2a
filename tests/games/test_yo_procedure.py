"""Yo! at the table: betting opened and closed, take and pay, marker, calls, and where dice and cup lie."""

from fractions import Fraction

import pytest

from feltworks.games.yo.incidents import DIE_STUCK, NOT_TOGETHER
from feltworks.games.yo.rules import Yo
from feltworks.kit.cards import Seat
from feltworks.kit.errors import NotAllowed
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.steps import (
    Answer,
    Bet,
    Call,
    Close,
    Decide,
    Move,
    NoRoll,
    Place,
    Role,
    Roll,
    Settlement,
    Stake,
)
from tests.games.dicing import (
    ARC,
    PLAY,
    POINTS,
    RACK_CARD,
    S1,
    S2,
    S3,
    S4,
    S6,
    WASHINGTON,
    asked,
    bet,
    calls,
    closed,
    dice,
    everybody,
    moves,
    out,
    reading,
    roll,
    sent_out,
    settlements,
    start,
    with_point,
)
from tests.kit.support import refused

SUPERVISOR, DEALER = Role.SUPERVISOR, Role.DEALER

WORDS = {
    **dict(enumerate("Four Five Six Seven Eight Nine Ten Eleven".split(), 4)),
    2: "Two, craps",
    3: "Three, craps",
    12: "Twelve, craps",
}
"""The game dice as the dealer calls them, where they are no pair."""


# Betting.


@pytest.mark.rule("Y-24")
def test_the_dealer_opens_and_closes_the_betting() -> None:
    round = start(WASHINGTON)
    assert calls(round) == ["Betting is open."]
    assert round.next == Bet("come-out", ("play", "yo", *ARC))
    shut = closed(round, PLAY)
    assert calls(shut) == ["No more bets."]
    assert calls(roll(shut, 6))[-1] == "Betting is open."
    assert isinstance(roll(shut, 6).next, Bet)


@pytest.mark.rule("Y-24")
@pytest.mark.parametrize("spot", ["play", "late_play", "more", "yo"])
def test_a_wager_after_the_close_is_no_bet_and_goes_back(spot: str) -> None:
    for round in (closed(start(WASHINGTON), PLAY), out(bet(start(WASHINGTON), PLAY))):
        said = refused(round, Place(S1, spot, Fraction(5)), NotAllowed)
        assert said == "Betting is closed: it is no bet and goes back (Y-24)."


@pytest.mark.rule("Y-24")
@pytest.mark.parametrize("answer", [(3, 4, 1, 1), NoRoll(NOT_TOGETHER), NoRoll(DIE_STUCK)])
def test_nothing_is_rolled_while_betting_is_open(answer: Answer) -> None:
    for round in (bet(start(WASHINGTON), PLAY), with_point(WASHINGTON, 6, PLAY)):
        said = "Betting is open; close it before the dice are rolled (Y-24)."
        assert refused(round, answer, NotAllowed) == said


@pytest.mark.rule("Y-24")
def test_betting_is_closed_once() -> None:
    round = out(bet(start(WASHINGTON), PLAY))
    assert "(Y-24)" in refused(round, Close(), NotAllowed)


# Take and pay.


def taken_and_paid(round: Round) -> list[tuple[str, Seat, str]]:
    return [("take" if s.stake is Stake.TAKEN else "pay", s.seat, s.spot) for s in settlements(round)]


def several_seats(game: Game) -> Round:
    on = with_point(game, 6, everybody(S1, S3, S6, yo=5), S4)
    bets = {"high": 1, "low": 1}
    return bet(on, {S1: {"more": 10, **bets}, S3: bets, S4: {"late_play": 6, **bets}, S6: {"more": 10, **bets}})


@pytest.mark.rule("Y-30")
def test_on_a_seven_circles_are_taken_before_the_arc_from_the_dealers_right() -> None:
    assert taken_and_paid(roll(several_seats(WASHINGTON), 7)) == [
        *(("take", S6, spot) for spot in ("play", "more", "yo")),
        ("take", S4, "late_play"),
        *(("take", S3, spot) for spot in ("play", "yo")),
        *(("take", S1, spot) for spot in ("play", "more", "yo")),
        *(("take", seat, spot) for seat in (S6, S4, S3, S1) for spot in ("high", "low")),
    ]


@pytest.mark.rule("Y-30")
@pytest.mark.parametrize(
    ("game", "paid"),
    [
        (
            WASHINGTON,
            [
                *((S6, spot) for spot in ("play", "more", "yo")),
                (S4, "late_play"),
                *((S3, spot) for spot in ("play", "yo")),
                *((S1, spot) for spot in ("play", "more", "yo")),
                *((seat, "low") for seat in (S6, S4, S3, S1)),
            ],
        ),
        (
            reading(pay_order="seats"),
            [
                *((S6, spot) for spot in ("play", "more", "yo", "low")),
                *((S4, spot) for spot in ("late_play", "low")),
                *((S3, spot) for spot in ("play", "yo", "low")),
                *((S1, spot) for spot in ("play", "more", "yo", "low")),
            ],
        ),
    ],
    ids=["circles", "seats"],
)
def test_every_loser_is_taken_before_any_winner_is_paid(game: Game, paid: list[tuple[Seat, str]]) -> None:
    made = roll(several_seats(game), 6, yo=True)
    losers = [("take", seat, "high") for seat in (S6, S4, S3, S1)]
    assert taken_and_paid(made) == losers + [("pay", *place) for place in paid]


@pytest.mark.rule("Y-30")
def test_a_push_is_no_loss_and_waits_until_the_losers_are_taken() -> None:
    seven = roll(several_seats(RACK_CARD), 7, yo=True)
    order = taken_and_paid(seven)
    assert order == sorted(order, key=lambda entry: entry[0] == "pay")
    assert order[-6:] == [("pay", seat, spot) for seat in (S6, S3, S1) for spot in ("play", "yo")]


@pytest.mark.rule("Y-30", "Y-33")
def test_the_dice_are_secured_before_money_moves() -> None:
    for total in (6, 7, 8):
        effects = roll(several_seats(WASHINGTON), total).effects
        first = next(i for i, effect in enumerate(effects) if isinstance(effect, Settlement))
        before = [effect.what for effect in effects[:first] if isinstance(effect, Move)]
        assert before == ["cup", "game dice", "game dice", "bonus dice", "bonus dice"]
        assert not any(isinstance(e, Move) and e.what in before for e in effects[first:])


# Marker, calls and display.


@pytest.mark.rule("Y-31")
@pytest.mark.parametrize("point", POINTS)
def test_the_marker_goes_to_the_new_point_and_the_dealer_says_so(point: int) -> None:
    begun = start(WASHINGTON)
    assert moves(begun)[0] == ("marker", "NO")
    round = roll(bet(begun, PLAY), point)
    assert ("marker", str(point)) in moves(round)
    assert calls(round) == [f"{WORDS[point]}.", f"New Point of {point} has been marked.", "Betting is open."]
    assert isinstance(round, Yo)
    assert round.point == point


@pytest.mark.rule("Y-31")
def test_the_marker_goes_back_to_no_when_the_point_is_made_or_lost() -> None:
    on = with_point(WASHINGTON, 9, PLAY)
    made, seven = roll(on, 9), roll(on, 7)
    assert moves(made)[-1] == moves(seven)[-1] == ("marker", "NO")
    assert calls(made)[-1] == "The point 9 is made."
    assert calls(seven)[-1] == "Game resets with a 7; please place your bets."


@pytest.mark.rule("Y-31")
def test_rolls_that_neither_set_nor_end_a_point_leave_the_marker() -> None:
    on, before = with_point(WASHINGTON, 9, PLAY), bet(start(WASHINGTON), PLAY)
    rounds = [roll(on, total) for total in (2, 3, 4, 5, 6, 8, 10, 11, 12)]
    rounds += [roll(before, total) for total in (2, 3, 7, 11, 12)]
    for round in rounds:
        assert "marker" not in [what for what, _ in moves(round)]
        assert len(calls(round)) == 2  # the number, and that betting is open


@pytest.mark.rule("Y-32")
@pytest.mark.parametrize("point", [None, 9])
@pytest.mark.parametrize("total", [3, 7, 9, 12])
def test_the_game_dice_lie_in_front_unless_the_bonus_dice_show_eleven(point: int | None, total: int) -> None:
    round = bet(start(WASHINGTON), PLAY) if point is None else with_point(WASHINGTON, point, PLAY)
    usual, eleven = roll(round, total), roll(round, total, yo=True)
    assert moves(usual)[2:5:2] == [("game dice", "front"), ("bonus dice", "behind")]
    assert moves(eleven)[2:5:2] == [("bonus dice", "front"), ("game dice", "behind")]
    assert calls(usual)[0] == f"{WORDS[total]}."
    assert calls(eleven)[0] == f"{WORDS[total]}, and a bonus eleven."


@pytest.mark.rule("Y-33", "Y-34")
def test_the_dealer_drops_the_dice_into_the_cup_and_passes_it_to_the_shooter() -> None:
    round = out(bet(start(WASHINGTON, 1, 4), {S4: {"play": 10}}))
    assert moves(round) == [
        ("hands", "cleared"),
        ("dice", "stacked, all four"),
        ("dice", "cup"),
        ("hands", "cleared"),
        ("cup", "seat 4"),
    ]
    assert isinstance(round.next, Roll)
    dealer = closed(start(WASHINGTON), PLAY).after(Decide(S1, "dealer rolls"))
    assert moves(dealer) == sent_out("dealer")


@pytest.mark.rule("Y-33")
def test_a_roll_is_called_and_then_collected_set_by_set_with_the_called_faces_up() -> None:
    effects = roll(bet(start(WASHINGTON), PLAY), 9, yo=True).effects
    assert effects[:6] == (
        Call("Nine, and a bonus eleven."),
        Move("cup", "bankroll"),
        Move("bonus dice", "collected, 5 and 6 up"),
        Move("bonus dice", "front"),
        Move("game dice", "collected, 4 and 5 up"),
        Move("game dice", "behind"),
    )


@pytest.mark.rule("Y-24", "Y-36")
def test_betting_is_opened_palm_up_and_closed_palm_down_before_the_dice_are_sent_out() -> None:
    opened = start(WASHINGTON)
    up, down = Move("hand", "a wave across the arc, palm up"), Move("hand", "a wave across the arc, palm down")
    assert opened.effects[-2:] == (up, Call("Betting is open."))
    shut = closed(opened, PLAY)
    assert shut.effects == (down, Call("No more bets."))
    assert ("dice", "stacked, all four") in moves(out(shut))
    assert roll(shut, 6).effects[-2:] == (up, Call("Betting is open."))
    over = roll(with_point(WASHINGTON, 6, PLAY), 7)
    assert over.over
    assert up not in over.effects


@pytest.mark.rule("Y-33")
def test_nobody_but_the_dealer_moves_the_dice() -> None:
    """A seat takes the roll or leaves it; no option lets it touch a die."""
    round = closed(start(WASHINGTON, 1, 2), everybody(S1, S2))
    assert asked(round)[1] == ["dealer rolls", "roll", "pass"]
    assert asked(roll(round, 6).after(Close()))[1] == ["withdraw", "roll"]


@pytest.mark.rule("Y-34")
def test_the_cup_is_with_the_roller_during_a_roll_and_by_the_bankroll_otherwise() -> None:
    places = []
    round: Round = bet(start(WASHINGTON, 1, 2), everybody(S1, S2))
    for total in (6, 3, 7):
        round = out(round)
        places += [to for what, to in moves(round) if what == "cup"]
        round = round.after(dice(total))
        assert moves(round)[0] == ("cup", "bankroll")
    assert places == ["seat 1"] * 3
    handed_over = {
        to
        for kind in (DIE_STUCK, NOT_TOGETHER)
        for what, to in moves(out(bet(start(WASHINGTON), PLAY)).after(NoRoll(kind)))
        if what == "cup"
    }
    assert handed_over == {"supervisor", "seat 1"}
