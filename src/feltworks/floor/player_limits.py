"""Limits that players set for themselves (F-15): what they may lose in a day, for how long they may play in a day, and
a break. A tighter one is in force at once, a looser one 24 hours later.

A day is the 24 hours that begin with its first wager, so that no midnight gives a second day's limit to one evening.
What was lost in it is counted to be on the safe side: whatever has left the account since the day began and has not
come back counts as lost, chips on the layout too. Money that came or went outside the play does not.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from feltworks.floor.accounts import Cents, money
from feltworks.floor.refusal import Refused
from feltworks.floor.tagged import Tagged

Time = int
MINUTE: Time = 60_000
HOUR: Time = 60 * MINUTE
DAY: Time = 24 * HOUR
LOOSER_AFTER: Time = 24 * HOUR
"""A looser limit, or none, takes effect after so long."""
LOSS, PLAYING_TIME, BREAK = "loss", "time", "break"
LIMITS = (LOSS, PLAYING_TIME, BREAK)
MOST_LOSS: Cents = 100_000_000
LONGEST_BREAK: Time = 5 * 366 * DAY


class SetLimit(Tagged, tag="set limit", frozen=True):
    """A player's own limit: cents for `loss`, milliseconds for `time`, and for `break` the time at which it ends.
    Without a value there is none from then on; the value in force withdraws a change that waits."""

    what: str
    value: int | None = None


class LimitSet(Tagged, tag="limit set", frozen=True):
    """The limit from a time on, which is now for a tighter one."""

    what: str
    value: int | None
    at: Time


class DayBegan(Tagged, tag="day began", frozen=True):
    """The first wager of somebody's day, and what they have then: in the account, and on every table."""

    cents: Cents


class MovedOutside(Tagged, tag="moved outside", frozen=True):
    """Money came into the account outside the play, or went out of it where the amount is below zero."""

    cents: Cents


LimitEvent = LimitSet | DayBegan | MovedOutside


class Change(NamedTuple):
    """A limit that is not in force yet."""

    value: int | None
    at: Time


class Day(NamedTuple):
    began: Time
    cents: Cents
    """What the player has had of which anything could be lost: at the beginning, and what came from outside since."""

    def lost(self, balance: Cents) -> Cents:
        """What has left the account and has not come back; below zero, what was won."""
        return self.cents - balance


@dataclass(frozen=True)
class PlayerLimits:
    """The limits of one player, and the day that is running."""

    set: Mapping[str, int] = field(default_factory=dict)
    changes: Mapping[str, Change] = field(default_factory=dict)
    """What waits until its time, or was in force since then."""
    last_day: Day | None = None

    @property
    def are_set(self) -> bool:
        """Whether there is, was or will be any."""
        return bool(self.set or self.changes)

    def value(self, what: str, now: Time) -> int | None:
        """The limit in force."""
        change = self.changes.get(what)
        found = change.value if change is not None and change.at <= now else self.set.get(what)
        return None if what == BREAK and found is not None and found <= now else found

    def waiting(self, what: str, now: Time) -> Change | None:
        """The change that has been asked for and is not in force yet."""
        change = self.changes.get(what)
        return change if change is not None and change.at > now else None

    def day(self, now: Time) -> Day | None:
        day = self.last_day
        return day if day is not None and now < day.began + DAY else None

    def break_until(self, now: Time) -> Time | None:
        return self.value(BREAK, now)

    def left_to_lose(self, balance: Cents, now: Time) -> Cents | None:
        """What may still be wagered today; None without a limit."""
        most, day = self.value(LOSS, now), self.day(now)
        return None if most is None else max(0, most - (day.lost(balance) if day is not None else 0))


def decide_limit(limits: PlayerLimits, command: SetLimit, now: Time) -> list[LimitEvent]:
    what, value = command.what, command.value
    _check(what, value, now)
    current, waiting = limits.value(what, now), limits.waiting(what, now)
    if value == current:
        return [LimitSet(what, value, now)] if waiting is not None else []
    if waiting is not None and waiting.value == value:
        return []
    if _is_tighter(what, value, current):
        return [LimitSet(what, value, now)]
    if what == BREAK and current is not None and current <= now + LOOSER_AFTER:
        raise Refused(f"Your break is over in {duration(current - now)}; an earlier end would take effect in 24 h.")
    return [LimitSet(what, value, now + LOOSER_AFTER)]


def _is_tighter(what: str, value: int | None, current: int | None) -> bool:
    if value is None or current is None:
        return value is not None
    return value > current if what == BREAK else value < current


def _check(what: str, value: int | None, now: Time) -> None:
    if what not in LIMITS:
        raise Refused(f"{what!r} is no limit; choose one of {', '.join(LIMITS)}.")
    if value is None:
        return
    if what == LOSS and not 0 <= value <= MOST_LOSS:
        raise Refused(f"A loss limit is from {money(0)} to {money(MOST_LOSS)} for a day.")
    if what == PLAYING_TIME and not MINUTE <= value <= DAY:
        raise Refused("A time limit is from 1 min to 24 h for a day.")
    if what == BREAK and not now < value <= now + LONGEST_BREAK:
        raise Refused("A break ends later than now, and within five years.")


def evolve_limits(limits: PlayerLimits, event: LimitEvent, time: Time) -> PlayerLimits:
    match event:
        case LimitSet(what, value, at):
            now = value if at <= time else limits.value(what, time)
            in_force = {name: kept for name, kept in limits.set.items() if name != what}
            changes = {name: kept for name, kept in limits.changes.items() if name != what}
            if now is not None:
                in_force[what] = now
            if at > time:
                changes[what] = Change(value, at)
            return replace(limits, set=in_force, changes=changes)
        case DayBegan(cents):
            return replace(limits, last_day=Day(time, cents))
        case MovedOutside(cents):
            return moved_outside(limits, cents)


def moved_outside(limits: PlayerLimits, cents: Cents) -> PlayerLimits:
    """What comes from outside is neither won nor lost."""
    day = limits.last_day
    return limits if day is None else replace(limits, last_day=Day(day.began, day.cents + cents))


def check_wager(limits: PlayerLimits, wager: Cents, balance: Cents, lying: Cents, now: Time) -> list[DayBegan]:
    """Refuse a wager that could take the player beyond a limit of their own; otherwise the beginning of a day, if it
    begins one. `lying` is what the player has on the tables already."""
    longest, most = limits.value(PLAYING_TIME, now), limits.value(LOSS, now)
    if longest is None and most is None:
        return []
    day = limits.day(now)
    began = [DayBegan(balance + lying)] if day is None else []
    day = day or Day(now, balance + lying)
    rest = duration(day.began + DAY - now)
    if longest is not None and now >= day.began + longest:
        raise Refused(
            f"You have reached the {duration(longest)} a day that you set yourself: no new wager is taken for another"
            f" {rest}. What is in action plays on."
        )
    left = wager if most is None else max(0, most - day.lost(balance))
    if most is not None and wager > left:
        limit = f"the {money(most)} a day that you set yourself as the most to lose"
        if left:
            raise Refused(f"You have {money(left)} left of {limit}; this wager would be {money(wager)}.")
        raise Refused(
            f"You have reached {limit}: no new wager is taken for another {rest}. What is in action plays on."
        )
    return began


def duration(milliseconds: Time) -> str:
    """How long something takes as people read it, never shorter than it is."""
    minutes = -(-milliseconds // MINUTE)
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days >= 2:
        return f"{days} days" if not hours else f"{days} days {hours} h"
    hours += 24 * days
    said = [f"{hours} h"] if hours else []
    return " ".join([*said, f"{rest} min"] if rest or not said else said)
