"""Yo! as documents 000 and 001 have it: what it is played with, and Play, Late Play and More."""

import datetime
from fractions import Fraction

import pytest

from feltworks.games.yo.incidents import NOT_TOGETHER
from feltworks.games.yo.rules import Yo
from feltworks.kit.cards import Seat
from feltworks.kit.errors import BadValue, NotAllowed, NotPossible
from feltworks.kit.game import Game
from feltworks.kit.odds import PUSH
from feltworks.kit.steps import Bet, Close, Decide, NoRoll, Place, Role, Roll, Stake, TakeUp
from tests.games.dicing import (
    ARC,
    BOTH_VERSIONS,
    PLAY,
    POINTS,
    RACK_CARD,
    RETURNED,
    S1,
    S2,
    S3,
    S6,
    TAKEN,
    WASHINGTON,
    asked,
    bet,
    closed,
    dice,
    fate,
    lost,
    nets,
    out,
    reading,
    roll,
    settlements,
    start,
    with_point,
    won,
)
from tests.kit.support import refused

# What it is played with, and by whose leave.


@pytest.mark.rule("Y-01")
def test_four_dice_are_rolled_together_on_every_roll() -> None:
    assert WASHINGTON.definition.pack is None
    come_out = out(bet(start(WASHINGTON), PLAY))
    again = out(come_out.after(dice(6)))
    assert [round.next.dice for round in (come_out, again) if isinstance(round.next, Roll)] == [4, 4]
    for faces in [(3, 4), (3, 4, 1), (3, 4, 1, 1, 1)]:
        assert "(Y-01)" in refused(come_out, faces, NotPossible)


@pytest.mark.rule("Y-01", "Y-03")
def test_the_first_two_dice_are_the_game_dice_and_the_last_two_the_bonus_dice() -> None:
    round = with_point(WASHINGTON, 6, {S1: {"play": 10, "yo": 5}})
    assert nets(out(round).after((1, 2, 5, 6))) == {"yo": 5}
    assert nets(out(round).after((5, 6, 1, 2))) == {}
    assert nets(out(round).after((1, 2, 3, 4))) == {}
    assert nets(out(round).after((3, 4, 1, 2))) == {"play": -10, "yo": -5}


@pytest.mark.rule("Y-02")
def test_six_seats_have_circles_for_play_more_and_yo() -> None:
    assert WASHINGTON.definition.seats == 6
    everybody = with_point(WASHINGTON, 8, {Seat(n): {"play": n, "yo": n} for n in range(1, 7)})
    full = bet(everybody, {Seat(n): {"more": n} for n in range(1, 7)})
    assert len(full.wagers) == 18
    for seats in [(0,), (7,), (1, 1)]:
        with pytest.raises(BadValue, match="Yo! has seats 1 to 6"):
            WASHINGTON.start(seats)


@pytest.mark.rule("Y-02", "Y-22")
def test_after_seat_six_comes_seat_one() -> None:
    round = bet(start(WASHINGTON, 1, 6, carry={"shooter": S6, "moves_on": True}), {S1: {"play": 1}, S6: {"play": 1}})
    assert asked(round.after(Close()))[0] == S1


@pytest.mark.rule("Y-03")
@BOTH_VERSIONS
def test_there_are_nine_wagers_and_no_other_is_taken(game: Game) -> None:
    titles = [wager.title for wager in game.wagers.values()]
    assert titles == ["Play", "Late Play", "More", "Yo!", "High", "Low", "Pairs", "Eleven", "Craps"]
    assert [name for name, w in game.wagers.items() if w.kind == "contract"] == ["play", "late_play", "more", "yo"]
    assert [name for name, wager in game.wagers.items() if wager.self_service] == [*ARC]
    round = bet(start(game, 1, 2), PLAY)
    for spot in ("seven", "seat 2", "point"):
        assert f"No wager on {spot!r} is taken now" in refused(round, Place(S1, spot, Fraction(1)), NotAllowed)


@pytest.mark.rule("Y-03")
def test_the_bonus_dice_decide_yo_and_nothing_else() -> None:
    bets = {"play": 10, "yo": 5, "high": 1, "low": 1, "pairs": 1, "eleven": 1, "craps": 1}
    late = {"late_play": 10, "high": 1}
    for total in range(2, 13):
        round = bet(with_point(WASHINGTON, 6, {S1: bets}, S2), {S1: {"more": 10}, S2: late})
        with_eleven, without = roll(round, total, yo=True), roll(round, total)
        others = [[s for s in settlements(r) if s.spot != "yo"] for r in (with_eleven, without)]
        assert others[0] == others[1]


def test_the_approval_is_that_of_the_letter_and_for_tribal_casinos_only() -> None:
    approval = WASHINGTON.definition.approval
    assert approval is not None
    assert approval.authority == "Washington State Gambling Commission"
    assert (approval.document, approval.approved) == ("000", datetime.date(2019, 7, 15))
    assert approval.venues == ("tribal casino",)
    assert set(approval.conditions) == {"tribal casino"}
    assert WASHINGTON.definition.rules == "2019-02-14"


@pytest.mark.rule("Y-35")
def test_the_approved_version_is_the_usual_one_and_the_rack_card_carries_no_approval() -> None:
    assert [*WASHINGTON.definition.versions] == ["washington", "rack-card"]
    assert WASHINGTON.standing == "as approved"
    assert RACK_CARD.standing == "carries no approval"


@pytest.mark.rule("Y-35")
def test_a_house_may_choose_a_procedure_but_no_other_odds() -> None:
    procedure = reading(pay_order="seats", roll_after_incident="no_roll", more_multiple="10")
    assert procedure.standing == "as approved, with other readings"
    assert procedure.differences == ()
    for spot, odds in [("play", "5,1"), ("yo", "30,4,1"), ("eleven", "16"), ("late_play", "2,7/5,7/6")]:
        game = WASHINGTON.configured(pay={spot: odds})
        assert game.standing == "modified: not as approved"
    assert game.differences == ("Late Play: 4, 10 pays 2 to 1 instead of 9 to 5",)
    notes = WASHINGTON.definition.approval.notes if WASHINGTON.definition.approval else ()
    assert "The house may rewrite the procedures (Y-24 to Y-34); odds and decisions it may not." in notes


def test_the_rack_card_differs_in_what_it_prints_otherwise() -> None:
    differ = {name: value for name, value in RACK_CARD.readings.items() if value != WASHINGTON.reading(name)}
    assert differ == {
        "seven_out_play": "push",
        "more_window": "any",
        "yo_window": "any",
        "dice_pass_on": "seven_out",
        "late_play_more_yo": "no",
    }


# Play.


@pytest.mark.rule("Y-04")
def test_play_is_made_in_any_betting_before_a_point_and_in_none_after_it() -> None:
    twice = roll(bet(start(WASHINGTON, 1, 2), PLAY), 12)
    assert bet(twice, {S1: {"play": 5}, S2: {"play": 5}}).wagers == {(S1, "play"): 5, (S2, "play"): 5}
    on = with_point(WASHINGTON, 9, PLAY, S2)
    assert on.next == Bet("new point", ("late_play", "more", "yo", *ARC))
    for round in (on, roll(on, 3)):
        assert "only while no point is on (Y-04)" in refused(round, Place(S2, "play", Fraction(5)), NotAllowed)
        assert "(Y-08)" in refused(round, Place(S1, "play", Fraction(5)), NotAllowed)


@pytest.mark.rule("Y-04")
@pytest.mark.parametrize("spot", ["yo", *ARC])
def test_before_a_point_no_other_wager_is_taken_without_play(spot: str) -> None:
    round = bet(start(WASHINGTON, 1, 2), {S2: {"play": 10}})
    assert "(Y-04)" in refused(round, Place(S1, spot, Fraction(1)), NotAllowed)
    assert bet(round, {S1: {"play": 10, spot: 1}}).stake(S1, spot) == 1


@pytest.mark.rule("Y-04", "Y-11")
@pytest.mark.parametrize("spot", ["more", "yo", *ARC])
def test_with_a_point_no_other_wager_is_taken_without_play_or_late_play(spot: str) -> None:
    round = with_point(WASHINGTON, 9, PLAY, S2)
    assert "(Y-04)" in refused(round, Place(S2, spot, Fraction(1)), NotAllowed)
    assert bet(round, {S1: {spot: 1}}).stake(S1, spot) == 1
    if spot in ARC:
        assert bet(round, {S2: {"late_play": 10, spot: 1}}).stake(S2, spot) == 1


@pytest.mark.rule("Y-04")
def test_what_hangs_on_play_or_late_play_is_taken_up_before_it() -> None:
    round = bet(start(WASHINGTON), {S1: {"play": 10, "high": 1}})
    assert refused(round, TakeUp(S1, "play"), NotAllowed) == "High needs Play; take that up first."
    late = bet(with_point(WASHINGTON, 9, PLAY, S2), {S2: {"late_play": 10, "high": 1}})
    assert refused(late, TakeUp(S2, "late_play"), NotAllowed) == "High needs Late Play; take that up first."
    for before, main in [(round, "play"), (late, "late_play")]:
        seat = S1 if main == "play" else S2
        assert before.after(TakeUp(seat, "high")).after(TakeUp(seat, main)).stake(seat, main) == 0


@pytest.mark.rule("Y-04")
@pytest.mark.parametrize(("value", "left"), [("returned", 0), ("stays", 1)])
def test_a_reading_says_what_becomes_of_wagers_whose_play_was_decided_and_not_renewed(value: str, left: int) -> None:
    game = reading(circle_without_play=value)
    bets = {S1: {"play": 10, "yo": 5, "eleven": 2}, S2: {"play": 10}}
    eleven = roll(bet(start(game, 1, 2), bets), 11)
    assert eleven.wagers == {(S1, "yo"): 5, (S1, "eleven"): 2}
    round = closed(eleven, {S2: {"play": 10}})
    assert round.wagers == {(S2, "play"): 10, **({(S1, "yo"): 5, (S1, "eleven"): 2} if left else {})}
    back = [(s.seat, s.spot, s.line, s.pay, s.stake, s.rule) for s in settlements(round)]
    expected = [(S1, spot, "No Play", PUSH, RETURNED, "Y-04") for spot in ("yo", "eleven")]
    assert back == ([] if left else expected)
    assert round.winnings == {(S1, "eleven"): 30}


@pytest.mark.rule("Y-04")
@pytest.mark.parametrize("value", ["returned", "stays"])
def test_wagers_stay_when_play_is_renewed(value: str) -> None:
    eleven = roll(bet(start(reading(circle_without_play=value)), {S1: {"play": 10, "yo": 5, "eleven": 2}}), 11)
    assert closed(eleven, PLAY).wagers == {(S1, "yo"): 5, (S1, "eleven"): 2, (S1, "play"): 10}


@pytest.mark.rule("Y-04", "Y-21")
@pytest.mark.parametrize("value", ["returned", "stays"])
def test_without_any_play_there_is_no_game_and_all_goes_back(value: str) -> None:
    eleven = roll(bet(start(reading(circle_without_play=value)), {S1: {"play": 10, "yo": 5}}), 11)
    ended = eleven.after(Close())
    assert ended.over
    assert ended.wagers == {}
    assert [(s.spot, s.net(), s.rule) for s in settlements(ended)] == [("yo", Fraction(0), "Y-04")]


@pytest.mark.rule("Y-05")
@BOTH_VERSIONS
@pytest.mark.parametrize(
    ("total", "expected"),
    [(2, lost(10)), (3, lost(10)), (12, lost(10)), (11, won(40)), (7, won(0))],
)
def test_before_a_point_play_loses_on_craps_wins_on_eleven_and_pushes_on_seven(
    game: Game, total: int, expected: tuple[Fraction, Stake]
) -> None:
    round = roll(bet(start(game), PLAY), total)
    assert fate(round, "play") == expected
    assert round.wagers == {}
    assert not round.over
    assert isinstance(round.next, Bet)
    assert round.next.window == "come-out"
    assert [s.rule for s in settlements(round)] == ["Y-05"]


@pytest.mark.rule("Y-05")
@BOTH_VERSIONS
@pytest.mark.parametrize("point", POINTS)
def test_four_five_six_eight_nine_and_ten_become_the_point(game: Game, point: int) -> None:
    round = roll(bet(start(game), PLAY), point)
    assert isinstance(round, Yo)
    assert round.point == point
    assert settlements(round) == []
    assert round.stake(S1, "play") == 10


@pytest.mark.rule("Y-05", "Y-08")
def test_a_reading_says_whose_play_is_after_a_seven_that_pushed() -> None:
    free = roll(bet(start(WASHINGTON), PLAY), 7)
    assert (free.wagers, free.contract) == ({}, frozenset())
    bound = roll(bet(start(reading(come_out_seven="stays")), PLAY), 7)
    assert settlements(bound) == []
    assert bound.wagers == {(S1, "play"): 10}
    assert "(Y-08)" in refused(bound, TakeUp(S1, "play"), NotAllowed)
    assert fate(roll(bound, 11), "play") == won(40)


@pytest.mark.rule("Y-06")
@BOTH_VERSIONS
@pytest.mark.parametrize("point", POINTS)
def test_the_point_made_pays_play_even_money_and_ends_the_game(game: Game, point: int) -> None:
    round = roll(with_point(game, point, PLAY), point)
    assert fate(round, "play") == won(10)
    assert [(s.line, s.rule) for s in settlements(round)] == [("Point made", "Y-06")]
    assert round.over


@pytest.mark.rule("Y-05", "Y-06")
@pytest.mark.parametrize("total", [2, 3, 11, 12, 5, 6, 8, 9, 10])
def test_with_a_point_on_only_the_point_and_the_seven_decide_play(total: int) -> None:
    round = roll(with_point(WASHINGTON, 4, PLAY), total)
    assert settlements(round) == []
    assert round.wagers == {(S1, "play"): 10}
    assert isinstance(round.next, Bet)
    assert round.next.window == "point"


@pytest.mark.rule("Y-07")
def test_a_seven_with_a_point_on_loses_every_wager_and_ends_the_game() -> None:
    round = with_point(WASHINGTON, 5, {S1: {"play": 10, "yo": 5}, S3: {"play": 20}}, S2)
    round = bet(round, {S1: {"more": 40, **dict.fromkeys(ARC, 1)}, S2: {"late_play": 5, "high": 1}, S3: {"yo": 2}})
    staked = dict(round.wagers)
    seven = roll(round, 7)
    assert {(s.seat, s.spot): -s.net() for s in settlements(seven)} == staked
    assert {s.stake for s in settlements(seven)} == {TAKEN}
    assert seven.wagers == {}
    assert seven.over


@pytest.mark.rule("Y-07", "Y-17")
def test_on_a_seven_out_with_a_bonus_eleven_only_yo_is_not_lost() -> None:
    seven = roll(bet(with_point(WASHINGTON, 5, {S1: {"play": 10, "yo": 5}}), {S1: {"more": 10}}), 7, yo=True)
    assert nets(seven) == {"play": -10, "more": -10, "yo": 0}
    assert seven.over


@pytest.mark.rule("Y-07")
@pytest.mark.parametrize("game", [RACK_CARD, reading(seven_out_play="push")])
def test_by_the_rack_card_play_pushes_on_a_seven_out_and_all_other_wagers_lose(game: Game) -> None:
    round = bet(with_point(game, 5, {S1: {"play": 10, "yo": 5}}), {S1: {"more": 10, "high": 1}})
    seven = roll(round, 7)
    assert fate(seven, "play") == won(0)
    assert nets(seven) == {"play": 0, "more": -10, "yo": -5, "high": -1}
    assert seven.over


@pytest.mark.rule("Y-08")
def test_contract_bets_stay_as_they_are_from_the_close_until_they_are_decided() -> None:
    opened = bet(start(WASHINGTON, 1, 2), {S1: {"play": 10, "yo": 5}})
    assert opened.after(TakeUp(S1, "yo")).after(TakeUp(S1, "play")).wagers == {}
    assert bet(opened, {S1: {"yo": 1}}).stake(S1, "yo") == 6
    on = with_point(WASHINGTON, 8, {S1: {"play": 10, "yo": 5}}, S2)
    on = bet(on, {S1: {"more": 20}, S2: {"late_play": 10}})
    assert bet(on, {S1: {"more": 5}}).stake(S1, "more") == 25
    later = roll(on, 3)
    every = [(S1, "play"), (S1, "more"), (S1, "yo"), (S2, "late_play")]
    for seat, spot in every:
        for answer in (TakeUp(seat, spot), Place(seat, spot, Fraction(1))):
            assert "contract bet" in (said := refused(later, answer, NotAllowed)) and "(Y-08)" in said
    assert later.contract == {*every}


@pytest.mark.rule("Y-08")
def test_by_the_letter_of_the_document_a_wager_in_a_circle_is_never_taken_up() -> None:
    game = reading(contract_from="placed")
    opened = bet(start(game, 1, 2), {S1: {"play": 10, "yo": 5, "high": 2}})
    on = bet(with_point(game, 8, PLAY, S2), {S1: {"more": 20}, S2: {"late_play": 10}})
    for round, seat, spot in ((opened, S1, "play"), (opened, S1, "yo"), (on, S1, "more"), (on, S2, "late_play")):
        for answer in (TakeUp(seat, spot), Place(seat, spot, Fraction(1))):
            assert "contract bet" in (said := refused(round, answer, NotAllowed)) and "(Y-08)" in said
    assert bet(opened, {S1: {"high": 1}}).after(TakeUp(S1, "high")).stake(S1, "high") == 0
    decided = roll(opened, 11)
    assert decided.contract == {(S1, "yo")}
    assert bet(decided, PLAY).stake(S1, "play") == 10


@pytest.mark.rule("Y-08", "Y-14")
def test_a_yo_that_is_off_is_a_contract_bet_too() -> None:
    round = roll(bet(start(WASHINGTON), {S1: {"play": 10, "yo": 5}}), 7)
    assert round.wagers == {(S1, "yo"): 5}
    for answer in (TakeUp(S1, "yo"), Place(S1, "yo", Fraction(5))):
        assert "(Y-08)" in refused(round, answer, NotAllowed)


@pytest.mark.rule("Y-08")
def test_a_play_made_beside_a_yo_from_before_can_be_taken_up_until_the_close() -> None:
    round = bet(roll(bet(start(WASHINGTON), {S1: {"play": 10, "yo": 5}}), 7), PLAY)
    assert round.after(TakeUp(S1, "play")).wagers == {(S1, "yo"): 5}


@pytest.mark.rule("Y-08")
def test_what_was_decided_can_be_made_anew() -> None:
    round = roll(bet(start(WASHINGTON), PLAY), 11)
    assert bet(round, {S1: {"play": 25}}).after(TakeUp(S1, "play")).wagers == {}


# Late Play.


@pytest.mark.rule("Y-09")
def test_late_play_is_made_while_a_point_is_on_and_only_then() -> None:
    assert "(Y-09)" in refused(start(WASHINGTON), Place(S1, "late_play", Fraction(5)), NotAllowed)
    on = with_point(WASHINGTON, 10, PLAY, S2)
    for round in (on, roll(on, 3), roll(roll(on, 3), 4)):
        assert bet(round, {S2: {"late_play": 5}}).stake(S2, "late_play") == 5


@pytest.mark.rule("Y-09")
def test_late_play_is_for_seats_without_play() -> None:
    on = with_point(WASHINGTON, 10, PLAY, S2)
    assert (
        refused(on, Place(S1, "late_play", Fraction(5)), NotAllowed) == "Late Play is for a seat without Play (Y-09)."
    )


LATE = {4: "9/5", 10: "9/5", 5: "7/5", 9: "7/5", 6: "7/6", 8: "7/6"}


@pytest.mark.rule("Y-10")
@BOTH_VERSIONS
@pytest.mark.parametrize("point", POINTS)
def test_late_play_is_paid_by_the_point_and_lost_with_the_seven(game: Game, point: int) -> None:
    round = bet(with_point(game, point, PLAY, S2), {S2: {"late_play": 30}})
    assert fate(roll(round, point), "late_play") == won(str(30 * Fraction(LATE[point])))
    assert fate(roll(round, 7), "late_play") == lost(30)
    assert {s.rule for r in (point, 7) for s in settlements(roll(round, r)) if s.spot == "late_play"} == {"Y-10"}
    for other in {2, 3, 4, 5, 6, 8, 9, 10, 11, 12} - {point}:
        assert fate(roll(round, other), "late_play") is None


@pytest.mark.rule("Y-11")
@pytest.mark.parametrize("game", [RACK_CARD, reading(late_play_more_yo="no")], ids=["rack-card", "no"])
@pytest.mark.parametrize("spot", ["more", "yo"])
def test_by_the_rack_card_a_seat_with_late_play_makes_neither_more_nor_yo(game: Game, spot: str) -> None:
    on = bet(with_point(game, 10, PLAY, S2), {S2: {"late_play": 5}})
    said = "A seat with Late Play makes neither More nor Yo! (Y-11)."
    assert refused(on, Place(S2, spot, Fraction(5)), NotAllowed) == said
    assert refused(roll(on, 3), Place(S2, spot, Fraction(5)), NotAllowed) == said


@pytest.mark.rule("Y-11", "Y-12")
def test_by_the_approved_rules_a_seat_with_late_play_makes_more_and_yo_in_the_betting_after_the_point_was_set() -> None:
    game = WASHINGTON
    on = bet(with_point(game, 10, PLAY, S2), {S2: {"late_play": 5}})
    both = bet(on, {S2: {"more": 20, "yo": 5}})
    assert "(Y-12)" in refused(both, Place(S2, "more", Fraction(1)), NotAllowed)
    made = roll(both, 10, yo=True)
    assert {s.spot: s.net() for s in settlements(made) if s.seat == S2} == {"late_play": 9, "more": 40, "yo": 5}
    later = roll(on, 3)
    assert "(Y-12)" in refused(later, Place(S2, "more", Fraction(5)), NotAllowed)
    assert "(Y-14)" in refused(later, Place(S2, "yo", Fraction(5)), NotAllowed)
    assert "(Y-04)" in refused(with_point(game, 10, PLAY, S2), Place(S2, "more", Fraction(1)), NotAllowed)


@pytest.mark.rule("Y-11")
def test_late_play_never_brings_the_cup() -> None:
    on = bet(with_point(WASHINGTON, 10, {S2: {"play": 10}}, S1, S3), {S1: {"late_play": 5}, S3: {"late_play": 5}})
    round = on.after(Close())
    assert asked(round) == (S2, ["withdraw", "roll"])
    assert asked(round.after(Decide(S2, "withdraw"))) == (Role.SUPERVISOR, ["dealer rolls"])


# More.


@pytest.mark.rule("Y-12")
@pytest.mark.parametrize(
    ("game", "later"),
    [(WASHINGTON, False), (RACK_CARD, True), (reading(more_window="any"), True)],
    ids=["washington", "rack-card", "any"],
)
def test_more_is_made_right_after_the_point_is_set_or_by_the_other_reading_while_it_is_on(
    game: Game, later: bool
) -> None:
    before = bet(start(game), PLAY)
    assert "(Y-12)" in refused(before, Place(S1, "more", Fraction(10)), NotAllowed)
    on = roll(before, 6)
    assert bet(on, {S1: {"more": 10}}).stake(S1, "more") == 10
    for round in (roll(on, 3), roll(roll(on, 3), 12)):
        if later:
            assert nets(roll(bet(round, {S1: {"more": 10}}), 6)) == {"play": 10, "more": 12}
        else:
            assert "(Y-12)" in refused(round, Place(S1, "more", Fraction(10)), NotAllowed)


@pytest.mark.rule("Y-12")
def test_the_window_of_more_is_the_same_after_a_roll_that_did_not_count() -> None:
    on = with_point(WASHINGTON, 6, PLAY)
    missed = out(on).after(NoRoll(NOT_TOGETHER)).after(dice(3))
    assert "(Y-12)" in refused(missed, Place(S1, "more", Fraction(10)), NotAllowed)


@pytest.mark.rule("Y-12")
@pytest.mark.parametrize("multiple", ["4", "1", "2", "3", "5", "10"])
def test_more_is_at_most_the_multiple_of_play_that_the_house_says(multiple: str) -> None:
    on = with_point(reading(more_multiple=multiple), 6, PLAY)
    most = 10 * int(multiple)
    assert bet(on, {S1: {"more": most}}).stake(S1, "more") == most
    said = f"More is at most {multiple} times Play at this house (Y-12)."
    assert refused(on, Place(S1, "more", most + Fraction(1, 100)), NotAllowed) == said
    assert refused(bet(on, {S1: {"more": most}}), Place(S1, "more", Fraction(1)), NotAllowed) == said


@pytest.mark.rule("Y-11", "Y-12")
def test_behind_late_play_more_is_at_most_the_multiple_of_that() -> None:
    on = bet(with_point(reading(late_play_more_yo="yes"), 6, PLAY, S2), {S2: {"late_play": 20}})
    assert bet(on, {S2: {"more": 80}}).stake(S2, "more") == 80
    said = "More is at most 4 times Late Play at this house (Y-12)."
    assert refused(on, Place(S2, "more", Fraction(81)), NotAllowed) == said


@pytest.mark.rule("Y-12")
def test_a_house_may_leave_more_to_its_limits() -> None:
    on = with_point(reading(more_multiple="any"), 6, PLAY)
    assert bet(on, {S1: {"more": 10_000}}).stake(S1, "more") == 10_000
    assert WASHINGTON.definition.readings["more_multiple"].house


MORE = {4: "2", 10: "2", 5: "3/2", 9: "3/2", 6: "6/5", 8: "6/5"}


@pytest.mark.rule("Y-13")
@BOTH_VERSIONS
@pytest.mark.parametrize("point", POINTS)
def test_more_is_paid_by_the_point_and_lost_with_the_seven(game: Game, point: int) -> None:
    round = bet(with_point(game, point, PLAY), {S1: {"more": 30}})
    assert fate(roll(round, point), "more") == won(str(30 * Fraction(MORE[point])))
    assert fate(roll(round, 7), "more") == lost(30)
    assert {s.rule for r in (point, 7) for s in settlements(roll(round, r)) if s.spot == "more"} == {"Y-13"}
    for other in {2, 3, 4, 5, 6, 8, 9, 10, 11, 12} - {point}:
        assert fate(roll(round, other), "more") is None
