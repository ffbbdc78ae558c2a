"""The arc of Yo!: five one-roll wagers that their owners run, and what goes into the next game.

What every roll pays on it is in test_yo_every_roll.py.
"""

from fractions import Fraction

import pytest

from feltworks.games.yo.rules import Yo
from feltworks.kit.errors import NotAllowed
from feltworks.kit.steps import Close, Collect, Move, Place, TakeUp
from tests.games.dicing import (
    ARC,
    PLAY,
    S1,
    S2,
    S5,
    STAYS,
    WASHINGTON,
    asked,
    bet,
    fate,
    lost,
    lying,
    next_game,
    out,
    over_with,
    reading,
    roll,
    settlements,
    start,
    with_point,
    won,
)
from tests.kit.support import refused


@pytest.mark.rule("Y-19")
@pytest.mark.parametrize("point", [None, 6])
def test_the_whole_arc_loses_on_seven(point: int | None) -> None:
    round = bet(start(WASHINGTON), PLAY) if point is None else with_point(WASHINGTON, point, PLAY)
    seven = roll(bet(round, {S1: dict.fromkeys(ARC, 2)}), 7)
    assert [fate(seven, spot) for spot in ARC] == [lost(2)] * 5
    assert {(s.line, s.rule) for s in settlements(seven) if s.spot in ARC} == {("Seven", "Y-19")}
    eleven = roll(bet(round, {S1: {"high": 2}}), 11)
    assert [s.line for s in settlements(eleven) if s.spot == "high"] == ["Another number"]


@pytest.mark.rule("Y-20")
@pytest.mark.parametrize("seats", [(1,), (1, 4)])
def test_while_betting_is_open_the_owner_places_moves_takes_up_and_collects(seats: tuple[int, ...]) -> None:
    round = roll(bet(start(WASHINGTON, *seats), {S1: {"play": 10, "high": 4}}), 8)
    assert lying(round, "high") == (4, 6)
    moved = bet(round.after(TakeUp(S1, "high")), {S1: {"low": 4}})
    assert moved.wagers == {(S1, "play"): 10, (S1, "low"): 4}
    collected = moved.after(Collect(S1, "high"))
    assert collected.winnings == {}
    assert "nothing to collect" in refused(collected, Collect(S1, "high"), NotAllowed)
    assert bet(round, {S1: {"high": 1}}).stake(S1, "high") == 5
    closed_again = roll(collected, 6)
    assert fate(closed_again, "low") == won(6, STAYS)


@pytest.mark.rule("Y-20")
def test_while_betting_is_closed_nobody_touches_the_arc() -> None:
    round = roll(bet(start(WASHINGTON), {S1: {"play": 10, "high": 4}}), 8)
    shooter_asked, dice_out = round.after(Close()), out(round)
    for closed_now in (shooter_asked, dice_out):
        for answer in (Place(S1, "low", Fraction(1)), TakeUp(S1, "high"), Collect(S1, "high")):
            assert refused(closed_now, answer, NotAllowed) == "Betting is closed: nobody touches the arc (Y-20)."


@pytest.mark.rule("Y-20")
def test_a_winner_left_in_place_is_in_action_on_the_next_roll() -> None:
    round = roll(bet(start(WASHINGTON), {S1: {"play": 10, "high": 4}}), 8)
    again = roll(round, 9)
    assert fate(again, "high") == won(6, STAYS)
    assert lying(again, "high") == (4, 12)
    gone = roll(again, 5)
    assert fate(gone, "high") == lost(4)
    assert gone.winnings == {(S1, "high"): 12}
    assert gone.after(Collect(S1, "high")).winnings == {}


@pytest.mark.rule("Y-20")
def test_by_the_other_reading_all_that_lies_on_the_spot_is_in_action() -> None:
    game = reading(arc_win_left="all")
    round = roll(bet(start(game), {S1: {"play": 10, "high": 4}}), 8)
    assert lying(round, "high") == (4, 6)
    again = roll(round, 9)
    assert fate(again, "high") == won(15, STAYS)
    assert lying(again, "high") == (10, 15)
    assert fate(roll(again, 5), "high") == lost(25)
    assert roll(again, 5).winnings == {}
    assert fate(roll(again.after(Collect(S1, "high")), 5), "high") == lost(10)


@pytest.mark.rule("Y-20")
def test_what_the_arc_has_won_plays_on_by_the_other_reading_even_if_the_stake_was_taken_up() -> None:
    round = roll(bet(start(reading(arc_win_left="all")), {S1: {"play": 10, "high": 4}}), 8)
    assert fate(roll(round.after(TakeUp(S1, "high")), 9), "high") == won(9, STAYS)
    apart = roll(bet(start(WASHINGTON), {S1: {"play": 10, "high": 4}}), 8)
    assert fate(roll(apart.after(TakeUp(S1, "high")), 9), "high") is None


@pytest.mark.rule("Y-20")
def test_a_wager_printed_on_both_sides_of_the_arc_is_one_wager() -> None:
    for spot in ARC:
        assert [*WASHINGTON.wager(spot).spots] == [spot]
    twice = bet(start(WASHINGTON), {S1: {"play": 10, "high": 4}}).after(Place(S1, "high", Fraction(3)))
    [high] = [s for s in settlements(roll(twice, 8)) if s.spot == "high"]
    assert high.amount == 7


# What goes into the next game.


@pytest.mark.rule("Y-20", "Y-22")
def test_the_shooter_arc_wagers_and_winnings_go_into_the_next_game() -> None:
    round = bet(with_point(WASHINGTON, 8, {S1: {"play": 10, "high": 4}, S2: {"play": 5}}), {S1: {"low": 2}})
    made = over_with(round, 8)
    assert made.wagers == {(S1, "high"): 4}
    assert made.winnings == {(S1, "high"): 12}
    assert made.carry == {
        "shooter": S1,
        "moves_on": True,
        "wagers": {(S1, "high"): 4},
        "winnings": {(S1, "high"): 12},
    }
    following = next_game(made)
    assert isinstance(following, Yo)
    assert (following.wagers, following.winnings) == (made.wagers, made.winnings)
    assert (following.point, following.roller, following.contract) == (None, None, frozenset())
    collected = bet(following.after(Collect(S1, "high")), {S1: {"play": 10}, S2: {"play": 5}})
    assert asked(collected.after(Close()))[0] == S2
    assert fate(roll(collected, 9), "high") == won(6, STAYS)


@pytest.mark.rule("Y-08", "Y-18")
def test_a_riding_yo_goes_into_the_next_game_as_the_contract_bet_that_it_is() -> None:
    made = roll(with_point(reading(yo_on_point_made="rides"), 8, {S1: {"play": 10, "yo": 5}}), 8)
    assert made.carry["contract"] == {(S1, "yo")}
    assert "(Y-08)" in refused(next_game(made), TakeUp(S1, "yo"), NotAllowed)


@pytest.mark.rule("Y-31")
def test_a_game_that_is_over_leaves_nothing_of_its_point_behind() -> None:
    for last in (6, 7):
        ended = over_with(with_point(WASHINGTON, 6, PLAY), last)
        assert ended.carry == {"shooter": S1, "moves_on": True}
        following = next_game(ended, 1, 5)
        assert following.effects[0] == Move("marker", "NO")
        assert bet(following, {S5: {"play": 1}}).stake(S5, "play") == 1
