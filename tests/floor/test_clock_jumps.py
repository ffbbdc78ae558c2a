"""A house whose wall clock is set, while it runs or while it is away: nothing stops, nothing is lost, it is told."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltworks.floor.actors import person as by_person
from feltworks.floor.administration import ClockJumped, NoteJump
from feltworks.floor.house import House
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.store.sqlite import Store, StoreError
from feltworks.floor.streams import HOUSE_STREAM
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.dealer import Next
from feltworks.floor.verification.verify import verify
from feltworks.web import hub as hub_module
from feltworks.web.hub import Hub
from feltworks.web.serving import state_of
from tests.floor.employing import employed
from tests.floor.sitting import one_for_the_money
from tests.floor.wall_clock import HOUR, MONTH, WallClock
from tests.floor.world import KEYS

SETTINGS = one_for_the_money()
CLOCKS = SETTINGS.clocks
set_by = pytest.mark.parametrize("by", [HOUR, MONTH, -HOUR, -MONTH])


class Evening:
    """A house with a table, a player, and clocks that the test sets."""

    def __init__(self, path: Path) -> None:
        self.path, self.clock = path, WallClock()
        self.house = House(Store(path), KEYS, self.clock.steady())
        self.house.check_clock()
        self.house.open_table(SETTINGS)
        self.player, self.token = self.house.people.guest()
        self.do(cmd.Sit(2))
        self.deal()

    def do(self, command: cmd.PlayerCommand) -> None:
        self.house.command("money", self.player, command)

    def wait_for(self, due: Next) -> None:
        self.clock.goes_on(max(0, due.at - self.house.clock()))

    def deal(self) -> None:
        """Let the dealer deal until people must act."""
        while (due := self.house.due("money")) is not None and due.doing != "clock":
            self.wait_for(due)
            self.house.deal_on("money", due.doing)

    def bet(self) -> None:
        self.do(cmd.Place("ante", 500))

    def is_asked(self) -> None:
        """The player has bet, has two cards and must decide."""
        self.bet()
        self.do(cmd.Ready())
        self.deal()
        assert self.house.live("money").table.to_act == {2}

    @property
    def left(self) -> int:
        """How long the clock of the table still runs."""
        due = self.house.due("money")
        assert due is not None and due.doing == "clock"
        return due.at - self.house.clock()

    def restart(self, away: int = 0) -> None:
        """The house ends, and starts again when the wall clock shows so much more, or less."""
        self.house.store.close()
        self.clock.monotonic = 0
        self.clock.is_set(away)
        self.house = House(Store(self.path), KEYS, self.clock.steady())

    def runs_out(self) -> list[ev.Event]:
        """The clock of the table runs out when it should, to a few thousandths."""
        before, left = self.house.live("money").table.version, self.left
        self.clock.goes_on(left * 998 // 1_000)
        self.house.deal_on("money", "clock")
        assert self.house.live("money").table.version == before
        self.clock.goes_on(left * 4 // 1_000)
        self.house.deal_on("money", "clock")
        return self.events[before:]

    @property
    def events(self) -> list[ev.Event]:
        events = [decode_event("money", record.event) for record in self.house.store.read("money")]
        return [event for event in events if isinstance(event, ev.Event)]

    @property
    def jumps(self) -> list[tuple[ClockJumped, int]]:
        """What the house's own stream says of jumps, and when."""
        records = [(decode_event(HOUSE_STREAM, r.event), r.time) for r in self.house.store.read(HOUSE_STREAM)]
        return [(event, time) for event, time in records if isinstance(event, ClockJumped)]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    evening = Evening(tmp_path / "records.db")
    yield evening
    evening.house.close()
    report = verify(evening.path, KEYS.public)
    assert report.ok, report.problems


# While it runs.


@pytest.mark.rule("F-30")
@set_by
def test_a_wall_clock_set_in_mid_round_neither_stops_nor_shortens_it_and_the_record_says_so(
    evening: Evening, by: int
) -> None:
    evening.is_asked()
    evening.clock.goes_on(5_000)
    evening.clock.is_set(by)
    assert evening.left == CLOCKS.decision - 5_000
    evening.house.check_clock()
    assert evening.left == CLOCKS.decision - 5_000
    assert evening.jumps == [(ClockJumped(by, evening.clock.shows), evening.house.clock())]
    assert isinstance(evening.runs_out()[0], ev.Answered)
    evening.deal()
    assert evening.house.live("money").table.round_number == 2


@pytest.mark.rule("F-30")
@set_by
def test_a_session_does_not_end_because_the_wall_clock_was_set(evening: Evening, by: int) -> None:
    evening.clock.is_set(by)
    evening.house.check_clock()
    assert evening.house.people.player_of(evening.token) == evening.player


def test_a_look_at_a_clock_that_goes_right_writes_nothing(evening: Evening) -> None:
    evening.is_asked()
    before = evening.house.store.last_commit()
    for _ in range(20):
        evening.clock.goes_on(1_000, drift=300)
        evening.house.check_clock()
    assert evening.house.store.last_commit() == before


@pytest.mark.rule("F-30")
def test_a_jump_that_cannot_be_written_is_written_later(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(evening.house.journal, "write", fail)
        for by in (HOUR, -MONTH):
            evening.clock.is_set(by)
            with pytest.raises(StoreError):
                evening.house.check_clock()
    assert evening.jumps == []
    evening.house.check_clock()
    assert [jump.by for jump, _ in evening.jumps] == [HOUR, -MONTH]


def test_nobody_but_the_program_says_that_a_clock_jumped_or_begins_anew(evening: Evening) -> None:
    for stream, command in ((HOUSE_STREAM, NoteJump(HOUR, 0)), ("money", cmd.RestartClocks())):
        for who in (by_person(evening.player), employed(evening.house, Role.MANAGER, Role.SUPERVISOR)):
            with pytest.raises(Refused, match=r"is not for a .* to do"):
                evening.house.carry_out(stream, command, who)


@pytest.mark.rule("F-30")
def test_the_server_looks_at_the_wall_clock_before_the_dealers_deal_and_then_again_and_again(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_module, "LOOK_AT_CLOCK", 0.001)
    evening.is_asked()
    evening.restart(-HOUR)

    async def serve() -> None:
        hub = Hub(evening.house)
        hub.start()
        assert [jump.by for jump, _ in evening.jumps] == [-HOUR]
        assert evening.left == CLOCKS.away
        evening.clock.is_set(HOUR)
        while len(evening.jumps) < 2:
            await asyncio.sleep(0.001)
        await hub.stop()

    asyncio.run(asyncio.wait_for(serve(), 60))
    assert [jump.by for jump, _ in evening.jumps] == [-HOUR, HOUR]


# Over a restart.

away_for = pytest.mark.parametrize("away", [0, 10_000, HOUR, MONTH, -10_000, -HOUR, -MONTH])


@pytest.mark.rule("F-30", "F-17")
@away_for
def test_a_decision_that_a_restart_interrupts_has_all_its_time_again_whatever_the_wall_clock_shows(
    evening: Evening, away: int
) -> None:
    evening.is_asked()
    evening.clock.goes_on(24_000)
    evening.restart(away)
    evening.house.check_clock()
    assert evening.events[-1] == ev.ClocksRestarted()
    assert evening.left == CLOCKS.decision
    assert isinstance(evening.runs_out()[0], ev.Answered)
    evening.deal()
    assert evening.house.live("money").table.round_number == 2


@pytest.mark.rule("F-30", "F-17")
@away_for
def test_betting_that_a_restart_interrupts_has_all_its_time_again_whatever_the_wall_clock_shows(
    evening: Evening, away: int
) -> None:
    evening.bet()
    evening.clock.goes_on(19_000)
    evening.restart(away)
    evening.house.check_clock()
    assert evening.left == CLOCKS.betting
    assert isinstance(evening.runs_out()[0], ev.Answered)


@pytest.mark.rule("F-30", "F-17")
@away_for
def test_a_seat_is_kept_over_a_restart_whatever_the_wall_clock_shows(evening: Evening, away: int) -> None:
    evening.house.connection("money", evening.player, present=False)
    evening.clock.goes_on(CLOCKS.seat - 1_000)
    evening.restart(away)
    evening.house.check_clock()
    due = evening.house.due("money")
    assert due == Next("free seats", evening.house.clock() + CLOCKS.seat)
    evening.wait_for(due)
    evening.house.deal_on("money", "free seats")
    assert evening.events[-1] == ev.Left(2, "away for too long")


@pytest.mark.rule("F-30", "F-17")
@away_for
@pytest.mark.parametrize("sits", [True, False])
def test_the_next_round_after_a_restart_starts_after_the_usual_pause_at_most(
    evening: Evening, away: int, sits: bool
) -> None:
    if not sits:
        evening.do(cmd.Leave())
    evening.house.void("money", "the lights went out")
    evening.restart(away)
    evening.house.check_clock()
    if not sits:
        evening.do(cmd.Sit(1))
    due = evening.house.due("money")
    assert due is not None and due.doing == "start round"
    assert due.at - evening.house.clock() <= SETTINGS.pace.between_rounds


@pytest.mark.rule("F-30")
@away_for
def test_a_wall_clock_set_back_while_the_house_was_away_is_recorded_at_the_start(evening: Evening, away: int) -> None:
    evening.bet()
    newest = evening.house.clock()
    evening.restart(away)
    evening.house.check_clock()
    evening.house.check_clock()
    now = newest + away
    assert evening.jumps == ([(ClockJumped(away, now), now)] if away < 0 else [])
    said = "after what the clock shows now: it was set back" if away < 0 else "ago"
    assert state_of(evening.house)[0].endswith(f"{said}.")


@pytest.mark.rule("F-30")
@set_by
def test_a_restart_takes_up_the_time_that_the_wall_clock_was_set_to(evening: Evening, by: int) -> None:
    evening.is_asked()
    evening.clock.is_set(by)
    evening.house.check_clock()
    evening.restart()
    evening.house.check_clock()
    assert evening.house.clock() == evening.clock.shows
    assert evening.left == CLOCKS.decision
    assert [jump.by for jump, _ in evening.jumps] == [by] * (1 if by > 0 else 2)


@pytest.mark.rule("F-30")
@away_for
def test_a_closed_table_needs_no_clock_at_a_start_and_is_played_at_when_it_opens_again(
    evening: Evening, away: int
) -> None:
    evening.do(cmd.Leave())
    evening.house.close_table("money", "Good night.")
    evening.restart(away)
    evening.house.check_clock()
    evening.house.reopen_table("money")
    evening.do(cmd.Sit(1))
    due = evening.house.due("money")
    assert due is not None and due.at - evening.house.clock() <= SETTINGS.pace.between_rounds


def test_a_start_writes_nothing_where_nothing_waits(evening: Evening) -> None:
    before = evening.house.store.last_commit()
    evening.restart(HOUR)
    evening.house.check_clock()
    assert evening.house.store.last_commit() == before


@pytest.mark.rule("F-17", "F-30")
def test_a_house_that_is_read_only_does_not_write_about_clocks(evening: Evening) -> None:
    evening.bet()
    evening.restart(-HOUR)
    evening.house.fault = "The house is read-only."
    evening.house.check_clock()
    evening.house.fault = ""
    assert evening.jumps == [] and ev.ClocksRestarted() not in evening.events
