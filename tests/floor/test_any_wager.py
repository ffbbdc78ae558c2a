"""Tables where any of several wagers brings a seat in, and where a wager lies on any of its spots."""

import pytest

from feltworks.floor.refusal import Refused
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.settings import Limits, TableSettings
from feltworks.games import load
from tests.floor.sitting import LIMITS, Sitting, at_dice


def dice_table(name: str, **limits: Limits) -> TableSettings:
    """A table of a game of dice; every spot has the same limits but for those that are named."""
    spots = [spot for wager in load(name).wagers.values() for spot in wager.opens]
    return TableSettings(name, "The table of dice", name, {**dict.fromkeys(spots, LIMITS), **limits}, seats=3)


def test_a_seat_is_ready_with_any_of_the_wagers_and_the_roll_comes_when_all_are() -> None:
    table = at_dice(dice_table("craps"), "34", players="ann bob")
    table.do("ann", cmd.Place("field", 500))
    table.do("bob", cmd.Place("place_6", 600))
    table.do("ann", cmd.Ready())
    assert table.table.betting
    table.do("bob", cmd.Ready())
    table.deal()
    assert table.balance("ann") == 100_000 - 500
    assert table.balance("bob") == 100_000 - 600, "the place bet is off, and lies on"
    assert table.table.has_wagers(2)


def test_who_has_nothing_is_waited_for_as_long_as_one_may_come_in() -> None:
    """With a point on, Come, Place and Field bring a seat in."""
    table = at_dice(dice_table("craps"), "22", "33", players="ann bob")
    table.do("ann", cmd.Place("pass", 1_000))
    table.do("bob", cmd.Place("field", 500))
    for player in ("ann", "bob"):
        table.do(player, cmd.Ready())
    table.deal()
    assert table.table.betting
    table.do("ann", cmd.Ready())
    assert table.table.betting, "bob may still make Come"
    table.do("bob", cmd.Place("come", 500))
    table.do("bob", cmd.Ready())
    assert not table.table.betting


def test_spots_of_one_wager_have_limits_and_wagers_of_their_own() -> None:
    table = at_dice(dice_table("sic-bo", total_9=Limits(200, 700)), "234", players="ann")
    with pytest.raises(Refused, match=r"at most 7\.00"):
        table.do("ann", cmd.Place("total_9", 800))
    table.do("ann", cmd.Place("total_9", 700))
    table.do("ann", cmd.Place("total_10", 800))
    table.do("ann", cmd.Ready())
    table.deal()
    assert table.balance("ann") == 100_000 + 6 * 700 - 800


def test_the_least_to_play_is_that_of_the_cheapest_way_in() -> None:
    table = Sitting(dice_table("sic-bo", any_triple=Limits(50, 100), pair_1_2=Limits(25, 100)))
    assert table.table.least_to_play == 25


def test_odds_beyond_their_limit_are_refused_in_the_words_of_the_rules() -> None:
    table = at_dice(dice_table("craps"), "22", players="ann")
    table.do("ann", cmd.Place("pass", 1_000))
    table.do("ann", cmd.Ready())
    table.deal()
    with pytest.raises(Refused, match=r"^Odds may be at most 3 times Pass Line on a point of 4; place less"):
        table.do("ann", cmd.Place("odds", 3_001))
    table.do("ann", cmd.Place("odds", 3_000))
