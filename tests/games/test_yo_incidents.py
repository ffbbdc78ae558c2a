"""What stops a table of Yo!: rolls that do not count, dice and cups that are looked at, a wager on the line."""

from fractions import Fraction

import pytest

from feltworks.games.yo.incidents import AFTER_THE_CLOSE, BY_KIND, DIE_STUCK, NO_ROLLS, NOT_TOGETHER, ON_THE_LINE
from feltworks.kit.cards import Seat
from feltworks.kit.errors import NotAllowed
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.steps import (
    Answer,
    Call,
    Close,
    Collect,
    Decide,
    Incident,
    Move,
    NoRoll,
    Place,
    Role,
    Roll,
    TakeUp,
)
from tests.games.dicing import (
    ARC,
    PLAY,
    S1,
    S2,
    WASHINGTON,
    asked,
    bet,
    calls,
    closed,
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
COLLECTED = ("dice", "collected, all four")
TAKEN_BACK = [("cup", "bankroll"), COLLECTED]
"""What is done before the dice are stacked again, wherever they lie."""


# No roll.


@pytest.mark.rule("Y-25")
def test_a_die_stuck_in_the_cup_is_no_roll_and_for_the_supervisor() -> None:
    round = out(bet(start(WASHINGTON), {S1: {"play": 10, "high": 1}}))
    stuck = round.after(NoRoll(DIE_STUCK))
    assert stuck.effects == (Call("No roll."), Move("cup", "supervisor"))
    assert asked(stuck) == (SUPERVISOR, ["die freed"])
    assert "(Y-26)" in refused(stuck, (1, 1, 1, 1), NotAllowed)
    again = stuck.after(Decide(SUPERVISOR, "die freed"))
    assert moves(again) == [*TAKEN_BACK, *sent_out("seat 1")]
    assert (again.next, again.wagers, again.facts) == (round.next, round.wagers, round.facts)
    assert again.key == round.key


@pytest.mark.rule("Y-25")
def test_dice_not_dropped_together_are_no_roll_and_dropped_again() -> None:
    round = out(bet(start(WASHINGTON), {S1: {"play": 10, "high": 1}}))
    again = round.after(NoRoll(NOT_TOGETHER))
    assert calls(again) == ["No roll."]
    assert moves(again) == [("dice", "out of the cup"), COLLECTED, *sent_out("seat 1")]
    assert again.key == round.key
    assert roll(again, 8) == roll(round, 8)


@pytest.mark.rule("Y-25")
def test_there_are_two_kinds_of_no_roll_and_no_third() -> None:
    round = out(bet(start(WASHINGTON), PLAY))
    assert round.next == Roll(4, NO_ROLLS)
    assert len(NO_ROLLS) == 2
    said = refused(round, NoRoll("the shooter wants another"), NotAllowed)
    assert said == f"'the shooter wants another' is no reason for a no roll; say one of: {', '.join(NO_ROLLS)}."


# Incidents.

VERIFIED = [name for name, kind in BY_KIND.items() if kind.rule == "Y-26"]
ANSWERS: list[Answer] = [
    (3, 4, 1, 1),
    NoRoll(NOT_TOGETHER),
    Place(S1, "high", Fraction(1)),
    TakeUp(S1, "high"),
    Collect(S1, "high"),
    Close(),
    Decide(S1, "roll"),
    Decide(DEALER, "no such thing"),
    Decide(SUPERVISOR, "no such thing"),
]


def moments() -> list[tuple[str, Round]]:
    opened = bet(with_point(WASHINGTON, 6, {S1: {"play": 10, "yo": 5}}), {S1: {"high": 2}})
    return [("betting", opened), ("the cup is offered", opened.after(Close())), ("the dice are out", out(opened))]


@pytest.mark.rule("Y-26", "Y-27", "Y-28")
@pytest.mark.parametrize("kind", BY_KIND)
@pytest.mark.parametrize(("moment", "round"), moments(), ids=[name for name, _ in moments()])
def test_while_an_incident_is_open_nothing_but_its_resolution_is_accepted(kind: str, moment: str, round: Round) -> None:
    incident = Incident(kind, "as seen by the dealer")
    stopped = round.report(incident)
    who, options = asked(stopped)
    assert stopped.effects == (incident,)
    assert who is BY_KIND[kind].role
    for answer in ANSWERS:
        said = refused(stopped, answer, NotAllowed)
        assert isinstance(answer, Decide) or "(Y-26)" in said
    for option in options:
        on = stopped.after(Decide(who, option))
        assert (on.wagers, on.winnings, on.facts, on.next) == (round.wagers, round.winnings, round.facts, round.next)
        assert on.key == round.key


@pytest.mark.rule("Y-26")
def test_everything_that_calls_for_a_verification_is_known() -> None:
    assert VERIFIED == [
        "a player touched the dice",
        "dice hit a player",
        "dice left the table",
        "dice out of sight",
        "a die was retrieved",
        "dice in the bankroll",
        "a hand covered the cup",
        "the cup's top touched something",
    ]


@pytest.mark.rule("Y-26")
@pytest.mark.parametrize("kind", VERIFIED)
def test_the_supervisor_says_whether_the_roll_stands(kind: str) -> None:
    round = out(bet(start(WASHINGTON), PLAY))
    stopped = round.report(Incident(kind, "3 4 1 1 as seen"))
    assert asked(stopped) == (SUPERVISOR, ["no roll", "roll stands"])
    stands = stopped.after(Decide(SUPERVISOR, "roll stands"))
    assert stands.effects == ()
    assert stands.after((6, 5, 1, 1)) == round.after((6, 5, 1, 1))
    again = stopped.after(Decide(SUPERVISOR, "no roll"))
    assert (calls(again), moves(again)) == (["No roll."], [*TAKEN_BACK, *sent_out("seat 1")])
    assert again.next == round.next


@pytest.mark.rule("Y-26")
@pytest.mark.parametrize("kind", VERIFIED)
def test_by_the_other_reading_a_roll_with_an_incident_never_counts(kind: str) -> None:
    round = out(bet(start(reading(roll_after_incident="no_roll")), PLAY))
    stopped = round.report(Incident(kind))
    assert asked(stopped) == (SUPERVISOR, ["no roll"])
    assert calls(stopped.after(Decide(SUPERVISOR, "no roll"))) == ["No roll."]


@pytest.mark.rule("Y-26")
@pytest.mark.parametrize("kind", VERIFIED)
def test_dice_that_are_not_out_are_verified(kind: str) -> None:
    assert asked(with_point(WASHINGTON, 6, PLAY).report(Incident(kind))) == (SUPERVISOR, ["dice verified"])


@pytest.mark.rule("Y-27")
@pytest.mark.parametrize(
    ("kind", "who"), [("cocked die", DEALER), ("dice cocked together", SUPERVISOR), ("stacked dice", SUPERVISOR)]
)
@pytest.mark.parametrize("game", [WASHINGTON, reading(roll_after_incident="no_roll")])
def test_a_cocked_die_is_called_by_the_dealer_and_several_by_the_supervisor(game: Game, kind: str, who: Role) -> None:
    round = out(bet(start(game), PLAY))
    incident = Incident(kind, "the second game die shows 5")
    stopped = round.report(incident)
    assert stopped.effects == (incident,)
    assert asked(stopped) == (who, ["called"])
    other = SUPERVISOR if who is DEALER else DEALER
    assert refused(stopped, Decide(other, "called"), NotAllowed) == f"It is the turn of the {who.value}."
    called = stopped.after(Decide(who, "called"))
    assert called.after((6, 5, 1, 1)) == round.after((6, 5, 1, 1))


@pytest.mark.rule("Y-28")
@pytest.mark.parametrize(
    ("kind", "out_now", "otherwise"),
    [
        ("the cup left the table", ["cup inspected", "no roll"], ["cup inspected"]),
        ("foreign object in the cup", ["cup inspected", "no roll"], ["cup inspected"]),
        ("damaged cup", ["by house policy", "no roll"], ["by house policy"]),
        ("liquid in the cup", ["by house policy", "no roll"], ["by house policy"]),
        ("spill on the table", ["dice and cup secured"], ["dice and cup secured"]),
    ],
)
def test_the_cup_and_spills_are_the_supervisors(kind: str, out_now: list[str], otherwise: list[str]) -> None:
    open_betting = bet(start(WASHINGTON), PLAY)
    assert asked(out(open_betting).report(Incident(kind))) == (SUPERVISOR, out_now)
    assert asked(open_betting.report(Incident(kind))) == (SUPERVISOR, otherwise)
    if "no roll" in out_now:
        again = out(open_betting).report(Incident(kind)).after(Decide(SUPERVISOR, "no roll"))
        assert (calls(again), moves(again)) == (["No roll."], [*TAKEN_BACK, *sent_out("seat 1")])


def test_any_other_incident_can_void_the_game_and_leaves_what_was_won() -> None:
    round = roll(bet(start(WASHINGTON), {S1: {"play": 10, "high": 2, "yo": 1}}), 8)
    stopped = round.report(Incident("dispute"))
    assert asked(stopped) == (SUPERVISOR, ["continue", "void"])
    void = stopped.after(Decide(SUPERVISOR, "void"))
    assert void.over
    assert [(s.spot, s.net(), s.rule) for s in settlements(void)] == [
        ("play", Fraction(0), "F-17"),
        ("high", Fraction(0), "F-17"),
        ("yo", Fraction(0), "F-17"),
    ]
    assert void.carry == {"shooter": S1, "moves_on": False, "winnings": {(S1, "high"): 3}}


# A wager on the line.


def on_the_line(amount: int | None, seat: Seat | None, *spots: str) -> Incident:
    return Incident(ON_THE_LINE, "", seat, spots, None if amount is None else Fraction(amount))


@pytest.mark.rule("Y-29")
@pytest.mark.parametrize("dice_out", [True, False], ids=["dice out", "cup offered"])
def test_the_supervisor_says_on_which_spot_a_wager_on_the_line_lies(dice_out: bool) -> None:
    round = closed(start(WASHINGTON, 1, 2), {S1: {"play": 10, "high": 2}, S2: {"play": 10, "high": 7}})
    round = out(round) if dice_out else round
    stopped = round.report(on_the_line(2, S1, "high", "eleven"))
    assert asked(stopped) == (SUPERVISOR, ["high", "eleven"])
    assert "(Y-26)" in refused(stopped, (1, 1, 1, 1), NotAllowed)
    stays = stopped.after(Decide(SUPERVISOR, "high"))
    assert (stays.wagers, stays.next) == (round.wagers, round.next)
    assert stays.effects == (Move("seat 1's wager on the line", "High"),)
    moved = stopped.after(Decide(SUPERVISOR, "eleven"))
    assert moved.effects == (Move("seat 1's wager on the line", "Eleven"),)
    assert moved.wagers == {(S1, "play"): 10, (S2, "play"): 10, (S2, "high"): 7, (S1, "eleven"): 2}
    assert {(s.seat, s.spot): s.net() for s in settlements(roll(moved, 11)) if s.spot in ARC} == {
        (S2, "high"): -7,
        (S1, "eleven"): 30,
    }


@pytest.mark.rule("Y-29")
@pytest.mark.parametrize(
    ("spots", "says", "lies"),
    [
        (("high", "low"), "low", {"high": 4, "low": 5}),
        (("high", "low"), "high", {"high": 6, "low": 3}),
        (("low", "high"), "high", {"high": 8, "low": 1}),
        (("low", "high"), "low", {"high": 6, "low": 3}),
    ],
)
def test_only_what_lies_on_the_line_moves(spots: tuple[str, str], says: str, lies: dict[str, int]) -> None:
    """High 6 and Low 3, of which 2 lie on the line: placed on the first of the two spots, meant for either."""
    round = out(bet(start(WASHINGTON), {S1: {"play": 10, "high": 6, "low": 3}}))
    said = round.report(on_the_line(2, S1, *spots)).after(Decide(SUPERVISOR, says))
    assert said.wagers == {(S1, "play"): 10, **{(S1, spot): amount for spot, amount in lies.items()}}


@pytest.mark.rule("Y-29")
def test_a_wager_that_lies_on_the_line_whole_leaves_its_spot_empty() -> None:
    round = out(bet(start(WASHINGTON), {S1: {"play": 10, "high": 2, "low": 3}}))
    moved = round.report(on_the_line(2, S1, "high", "low")).after(Decide(SUPERVISOR, "low"))
    assert moved.wagers == {(S1, "play"): 10, (S1, "low"): 5}


@pytest.mark.rule("Y-29")
@pytest.mark.parametrize(
    ("incident", "said"),
    [
        (on_the_line(2, S1, "high"), "Name the seat and the two arc spots"),
        (on_the_line(2, S1, "high", "high"), "Name the seat and the two arc spots"),
        (on_the_line(2, S1, "high", "play"), "Name the seat and the two arc spots"),
        (on_the_line(2, S1, "high", "low", "craps"), "Name the seat and the two arc spots"),
        (on_the_line(2, None, "high", "low"), "Name the seat and the two arc spots"),
        (on_the_line(None, S1, "high", "low"), "Name the amount that lies on the line"),
        (on_the_line(0, S1, "high", "low"), "Name the amount that lies on the line"),
        (on_the_line(3, S1, "high", "low"), "Seat 1 has less than that on high; name first the spot"),
        (on_the_line(2, S1, "low", "high"), "Seat 1 has less than that on low; name first the spot"),
        (on_the_line(2, S2, "high", "low"), "Seat 2 has less than that on high"),
    ],
)
def test_a_line_has_two_spots_and_a_wager_on_it(incident: Incident, said: str) -> None:
    round = out(bet(start(WASHINGTON, 1, 2), {S1: {"play": 10, "high": 2}, S2: {"play": 10}}))
    with pytest.raises(NotAllowed, match=rf"{said}.*\(Y-29\)"):
        round.report(incident)


@pytest.mark.rule("Y-29", "Y-20")
def test_while_betting_is_open_the_owner_moves_the_wager() -> None:
    round = bet(start(WASHINGTON), {S1: {"play": 10, "high": 2}})
    with pytest.raises(NotAllowed, match=r"^While betting is open the owner moves the wager.*\(Y-29\)\.$"):
        round.report(on_the_line(2, S1, "high", "low"))


# A wager after the close.


@pytest.mark.rule("Y-24", "Y-36")
@pytest.mark.parametrize("dice_out", [True, False], ids=["dice out", "cup offered"])
@pytest.mark.parametrize(
    ("option", "signal"),
    [
        ("wave over it", Move("hand", "a wave over seat 1's chips on High")),
        ("push it back", Move("seat 1's chips on High", "pushed back")),
    ],
)
def test_no_bet_is_a_wave_over_the_wager_or_pushing_it_back(dice_out: bool, option: str, signal: Move) -> None:
    round = closed(start(WASHINGTON), PLAY)
    round = out(round) if dice_out else round
    stopped = round.report(Incident(AFTER_THE_CLOSE, "", S1, ("high",)))
    assert asked(stopped) == (DEALER, ["wave over it", "push it back"])
    on = stopped.after(Decide(DEALER, option))
    assert on.effects == (Call("No bet."), signal)
    assert (on.wagers, on.key) == (round.wagers, round.key)


@pytest.mark.rule("Y-36")
def test_no_bet_is_of_one_seat_on_one_spot_and_after_the_close() -> None:
    open_betting = bet(start(WASHINGTON), PLAY)
    with pytest.raises(NotAllowed, match=r"^Betting is open; .* \(Y-24\)\.$"):
        open_betting.report(Incident(AFTER_THE_CLOSE, "", S1, ("high",)))
    for incident in (Incident(AFTER_THE_CLOSE, "", None, ("high",)), Incident(AFTER_THE_CLOSE, "", S1)):
        with pytest.raises(NotAllowed, match=r"^Name the seat and the spot .* \(Y-36\)\.$"):
            out(open_betting).report(incident)
