"""The clocks of a table (F-30): until when it waits for whom."""

from msgspec import UNSET

from feltworks.floor.table import events as ev
from feltworks.floor.table.state import Occupant, Table
from feltworks.kit import steps


def same_choice(before: Table, after: Table) -> bool:
    """Whether seats are still asked what they were asked before, though some of them may have decided."""
    one, other = before.step, after.step
    same = isinstance(one, steps.Choose) and isinstance(other, steps.Choose) and one.options == other.options
    return same and bool(after.to_act) and after.to_act <= before.to_act


def usual_deadline(before: Table, after: Table, time: ev.Time) -> ev.Time | None:
    """F-30: until when those who are there may take their time, once somebody has bet or is asked. It begins anew with
    every betting and every decision, and no connection that comes and goes changes it. Seats that decide together have
    one clock. Who has the table to themselves has none, until somebody else sits down."""
    if after.service == "paused" or after.unhurried or not _waits(after):
        return None
    same = before.betting and before.windows == after.windows if after.betting else same_choice(before, after)
    if same and before.usual is not None:
        return before.usual
    clocks = after.settings.clocks
    return time + (clocks.betting if after.betting else clocks.decision)


def _waits(table: Table) -> bool:
    """Whether the table waits by a clock for people who have something in the round. Where a person
    closes the betting, none runs for it."""
    if table.betting and table.settings.duty("betting") == "person":
        return False
    return bool(table.round is not None and table.round.playing) if table.betting else bool(table.on_the_clock)


def next_deadline(before: Table, after: Table, usual: ev.Time | None, time: ev.Time) -> ev.Time | None:
    """F-30: when the clock of what the table waits for runs out. Whoever is away is waited for since the connection was
    lost: for the short clock of the absent where others are there, for the longer one where nobody is. Betting never
    waits past its usual deadline for that. Back again one has until the usual deadline, or if that has passed what is
    left; so a connection that comes and goes gains at most one wait, and none after the deadline."""
    if after.service == "paused" or not _waits(after):
        return None
    if after.gone:
        return time
    awaited = {seat: after.seats[seat] for seat in after.to_act} or _not_ready(after)
    away = [who.away_since for who in awaited.values() if who.away_since is not None]
    if not away or len(away) < len(awaited):
        return usual if usual is None or time < usual else before.deadline or time
    people = (who for who in after.seats.values() if who.is_person)
    clocks, others = after.settings.clocks, any(who.present and not who.leaving for who in people)
    until = max(away) + (clocks.absent if others and clocks.absent is not UNSET else clocks.away)
    if usual is not None and after.betting:
        until = min(until, usual) if any(who.ready for who in after.seats.values()) else usual
    elif usual is not None and usual <= time and before.deadline is not None:
        until = min(until, before.deadline)
    return max(until, time)


def _not_ready(table: Table) -> dict[int, Occupant]:
    """Those who have bet and may bet more."""
    playing = table.round.playing if table.round is not None else ()
    return {s: who for s, who in table.seats.items() if s in playing and not who.leaving and not who.ready}


def older_clock(before: Table, after: Table, time: ev.Time) -> tuple[ev.Time | None, bool]:
    """The same at a table that was opened without the clock of the absent: the longer clock of a connection that was
    lost is given once for a decision, and says so. Betting has none until somebody has bet."""
    clocks = after.settings.clocks
    if after.service == "paused":
        return None, False
    if after.betting:
        if not _waits(after):
            return None, False
        same = before.betting and before.windows == after.windows
        return before.deadline if same and before.deadline else time + clocks.betting, False
    if not after.on_the_clock:
        return None, False
    if after.gone:
        return time, False
    away = any(not after.seats[seat].present for seat in after.to_act)
    if same_choice(before, after) and before.deadline is not None and not before.gone:
        if away and not before.longer:
            return max(before.deadline, time + clocks.away), True
        return before.deadline, before.longer
    return time + (clocks.away if away else clocks.decision), away
