"""Yo! at a table: who is waited for, what goes back to somebody who leaves, and what a void hands out."""

import pytest
from msgspec.structs import replace

from feltworks.floor.accounts import Kind, player_account
from feltworks.floor.journal.records import Commit, Record
from feltworks.floor.journal.upcasting import encode
from feltworks.floor.refusal import Refused
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Decided
from feltworks.floor.table.entries import entries
from feltworks.floor.verification.replay import StreamReplay
from feltworks.floor.verification.report import Report
from feltworks.kit import steps
from feltworks.kit.cards import Seat
from tests.floor.sitting import Sitting, at_dice, yo

FIRST_VERSION = 0
"""The place in the file of what the first version recorded, without its commands."""


def at_the_cup(*rolls: str, players: str = "ann bob") -> Sitting:
    """People at a table of Yo!, with these rolls to come."""
    return at_dice(yo(idle=2), *rolls, players=players)


def roll(sitting: Sitting, *players: str) -> None:
    """These players are ready, and the shooter rolls."""
    for player in players:
        sitting.do(player, cmd.Ready())
    (shooter,) = sitting.table.to_act
    sitting.do(sitting.table.seats[shooter].player, cmd.Choose("roll"))
    sitting.deal()


@pytest.mark.rule("Y-24")
def test_betting_before_a_point_waits_for_everybody_again_after_a_decision() -> None:
    table = at_the_cup("3412", "2211")
    for player in ("ann", "bob"):
        table.do(player, cmd.Place("play", 1_000))
    roll(table, "ann", "bob")
    table.do("ann", cmd.Place("play", 1_000))
    table.do("ann", cmd.Ready())
    assert table.table.betting
    table.do("bob", cmd.Place("play", 2_000))
    roll(table, "bob")
    assert table.table.things["marker"] == "4"
    table.do("ann", cmd.Ready())
    assert table.table.betting, "bob has Play, and may still make More"
    table.do("bob", cmd.Ready())
    assert not table.table.betting


@pytest.mark.rule("F-30")
def test_who_leaves_in_open_betting_takes_up_all_that_is_not_contract() -> None:
    """Also a Play that was made after the arc wager which hangs on it, and when leaving closes the betting."""
    table = at_the_cup("6512")
    for player in ("ann", "bob"):
        table.do(player, cmd.Place("play", 1_000))
    table.do("ann", cmd.Place("eleven", 500))
    roll(table, "ann", "bob")
    assert table.balance("ann") == 100_000 + 4_000 - 500
    for player in ("bob", "ann"):
        table.do(player, cmd.Place("play", 1_000))
    table.do("bob", cmd.Ready())
    table.do("ann", cmd.Leave())
    assert not table.table.betting
    assert table.table.round is not None
    assert table.table.round.contract == {(Seat(2), "play")}
    assert table.table.seat_of("ann") is None
    assert table.balance("ann") == 100_000 + 4_000 + 15 * 500
    assert sum(table.books.values()) == 0


@pytest.mark.rule("F-17")
def test_a_void_pays_out_what_lies_to_be_collected_and_returns_the_wagers() -> None:
    table = at_the_cup("6512")
    for player in ("ann", "bob"):
        table.do(player, cmd.Place("play", 1_000))
    table.do("ann", cmd.Place("eleven", 500))
    roll(table, "ann", "bob")
    before = table.table
    (voided,) = table.house(cmd.VoidRound("The cup broke."))
    booked = [(entry.kind, entry.cents) for entry in entries(before, voided)]
    assert sorted(booked, key=str) == [(Kind.PAYOUT, 7_500), (Kind.WAGER_RETURNED, 500)]
    assert table.books[str(player_account("ann"))] == 100_000 + 4_000 + 7_500
    assert table.table.winnings == {}
    assert sum(table.books.values()) == 0


@pytest.mark.rule("F-30")
def test_winnings_that_nobody_collects_do_not_keep_a_seat() -> None:
    table = at_the_cup("6512", "2212", "2212", "2212", "2212", "2212", "2212")
    for player in ("ann", "bob"):
        table.do(player, cmd.Place("play", 1_000))
    table.do("ann", cmd.Place("eleven", 500))
    roll(table, "ann", "bob")
    table.do("ann", cmd.TakeUp("eleven"))
    while table.table.seat_of("ann") is not None and table.table.round_number < 6:
        table.do("bob", cmd.Place("play", 1_000))
        table.house(cmd.FreeSeats())
        while table.table.betting or table.table.to_act:
            if table.table.betting:
                table.now += 60_000
                table.house(cmd.ClockRanOut())
            else:
                roll(table)
        if isinstance(table.table.step, steps.Choose):
            table.house(cmd.Enter(Decided("supervisor", table.table.step.options[0].name)))
            table.deal()
        if table.table.step is None:
            table.end()
            table.start()
            table.house(cmd.FreeSeats())
    assert table.table.seat_of("ann") is None
    assert table.balance("ann") == 100_000 + 4_000 + 7_500
    assert sum(table.books.values()) == 0


@pytest.mark.rule("Y-24")
def test_a_late_play_is_not_taken_for_a_seat_that_lacks_play() -> None:
    table = at_the_cup("2212", "3312")
    table.do("ann", cmd.Place("play", 1_000))
    table.now += 60_000
    table.house(cmd.ClockRanOut())
    roll(table)
    with pytest.raises(Refused, match=r"\(Y-04\)"):
        table.do("bob", cmd.Place("play", 1_000))
    table.do("bob", cmd.Place("late_play", 1_000))
    roll(table, "ann", "bob")
    assert table.table.wagers[Seat(2), "late_play"] == 1_000


@pytest.mark.rule("Y-33", "Y-36")
def test_the_record_shows_the_waves_and_that_the_dice_are_sent_out_after_the_close() -> None:
    table = at_the_cup("3412")
    (begun,) = [event for event, _ in table.events if isinstance(event, ev.RoundStarted)]
    assert begun.effects == (
        ev.Moved("marker", "NO"),
        ev.Moved("hand", "a wave across the arc, palm up"),
        ev.Called("Betting is open."),
    )
    table.do("ann", cmd.Place("play", 500))
    (closed,) = table.house(cmd.CloseBetting())
    assert isinstance(closed, ev.Answered)
    assert closed.effects == (ev.Moved("hand", "a wave across the arc, palm down"), ev.Called("No more bets."))
    (sent,) = table.do("ann", cmd.Choose("roll"))
    assert isinstance(sent, ev.Answered)
    assert [effect.what for effect in sent.effects if isinstance(effect, ev.Moved)] == [
        *("hands", "dice", "dice", "hands", "cup"),
    ]


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    ("kept", "wrong"), [(True, 0), (False, 0), (None, 1)], ids=["as it is", "of before", "something else"]
)
def test_a_record_of_before_the_first_signals_were_kept_is_still_right(kept: bool | None, wrong: int) -> None:
    table = at_the_cup("3412")
    report = Report()
    replay = StreamReplay(report)
    for number, (event, time) in enumerate(table.events, 1):
        if isinstance(event, ev.RoundStarted) and not kept:
            event = replace(event, effects=() if kept is False else (ev.Called("Something else."),))
        at = table.table.round_number if isinstance(event, ev.RoundStarted) else 0
        actor = str(table.actors[number - 1])
        record = Record("yo", number, time, actor, "", at, encode(event), "", "")
        replay.follow(Commit("", 0, time, actor, "", "", b"", (record,), ((),)), FIRST_VERSION)
    assert len(report.problems) == wrong


@pytest.mark.rule("Y-29")
def test_what_lies_on_the_line_is_in_whole_chips() -> None:
    table = at_dice(yo(chip=100), "3412", players="ann")
    table.do("ann", cmd.Place("play", 1_000))
    table.do("ann", cmd.Place("high", 1_000))
    table.do("ann", cmd.Ready())
    report = cmd.Report("wager on the line", "", 1, ("high", "low"), 333)
    with pytest.raises(Refused, match=r"^Wagers are in whole chips of 1\.00\.$"):
        table.do("supervisor", report)
    table.do("supervisor", replace(report, amount=500))
    assert table.table.incident


@pytest.mark.rule("Y-36")
def test_a_wave_belongs_to_the_round_in_which_it_was_seen_and_the_marker_stays() -> None:
    table = at_the_cup("2211", "2211", players="ann")
    table.do("ann", cmd.Place("play", 1_000))
    roll(table, "ann")
    roll(table, "ann")
    assert (table.table.things["marker"], table.table.things["hands"]) == ("NO", "cleared")
    table.end()
    table.start()
    assert table.table.things["marker"] == "NO"
    assert table.table.things["hand"] == "a wave across the arc, palm up"
    assert "hands" not in table.table.things
