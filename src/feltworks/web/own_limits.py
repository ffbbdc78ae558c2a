"""What protects a player, on their own page (F-15): limits that they set, a break, who they are, and the session so
far."""

import re
from dataclasses import dataclass
from typing import Any

from feltworks.floor.accounts import Cents, money
from feltworks.floor.house import House
from feltworks.floor.may_play import why_not
from feltworks.floor.player_limits import BREAK, DAY, HOUR, LOSS, MINUTE, PLAYING_TIME, Time, duration
from feltworks.floor.refusal import Refused
from feltworks.web.forms import Form
from feltworks.web.hub import Hub
from feltworks.web.staff.desk import Who

BREAKS = {
    "1": "24 hours",
    "3": "3 days",
    "7": "a week",
    "30": "30 days",
    "90": "90 days",
    "180": "180 days",
    "365": "a year",
}
"""How long a break can be that the page offers, by its days."""
DOES = ("loss", "time", "break", "details")
"""What a form of these sections asks for."""


@dataclass(frozen=True)
class OwnLimit:
    """A limit as the page shows it."""

    value: int | None
    said: str
    waiting: int | None
    """When a change takes effect that waits."""
    then: str
    """What is so from then on."""


def shown(hub: Hub, id: str) -> dict[str, Any]:
    """What the page shows of somebody who plays."""
    house, now = hub.house, hub.house.clock()
    known = house.people.person(id)
    assert known is not None
    limits, balance, clock = known.limits, house.balance(id), hub.statistics.clock(id)
    day = limits.day(now)
    left = limits.left_to_lose(balance, now)
    until = limits.break_until(now)
    return {
        "limits": {what: _limit(house, id, what, now) for what in (LOSS, PLAYING_TIME, BREAK)},
        "day": day,
        "day_ends": None if day is None else day.began + DAY,
        "left_to_lose": None if left is None else money(left),
        "lost": None if day is None else _signed(-day.lost(balance)),
        "break_until": until,
        "breaks": BREAKS,
        "may_not": why_not(known, "", now) if until is None else "",
        "details": house.exclusions.details(id),
        "clock": None if clock is None else (duration(clock.spent + (now - clock.since if clock.since else 0))),
        "net": None if clock is None else _signed(clock.net),
    }


def _signed(cents: Cents) -> str:
    return f"{'+' if cents > 0 else '−' if cents < 0 else ''}{money(abs(cents))}"


def _limit(house: House, id: str, what: str, now: Time) -> OwnLimit:
    known = house.people.person(id)
    assert known is not None
    change = known.limits.waiting(what, now)
    value = known.limits.value(what, now)
    then = "" if change is None else _said(what, change.value, "no limit" if what != BREAK else "no break any more")
    return OwnLimit(value, _said(what, value, "none"), None if change is None else change.at, then)


def _said(what: str, value: int | None, without: str) -> str:
    if value is None:
        return without
    return money(value) if what == LOSS else duration(value) if what == PLAYING_TIME else "a shorter break"


def change(house: House, who: Who, form: Form) -> str:
    """Do what one of the forms asks for, and say so."""
    if form["do"] == "details":
        house.exclusions.give_details(who.id, form["full_name"], form["born"], form["document"], who.actor)
        return "Your details are kept. They are in no record, and can be removed with your account."
    what, now = form["do"], house.clock()
    value = _kept(house, who.id, what) if form["keep"] else None if form["remove"] else _value(what, form["value"], now)
    if house.staff.set_limit(who.id, what, value) is not None:
        return "That takes effect in 24 hours. Until then you can withdraw it."
    return "That is in force now."


def _kept(house: House, id: str, what: str) -> int | None:
    known = house.people.person(id)
    return None if known is None else known.limits.value(what, house.clock())


def _value(what: str, text: str, now: Time) -> int:
    if what == LOSS:
        if not re.fullmatch(r"\d{1,9}([.]\d{1,2})?", text.replace(",", "")):
            raise Refused("Give the most that you may lose in a day as an amount such as 50 or 12.50.")
        whole, _, part = text.replace(",", "").partition(".")
        return int(whole) * 100 + int(part.ljust(2, "0") or 0)
    if not re.fullmatch(r"\d{1,6}", text):
        raise Refused("Give a whole number of minutes, or choose how long the break is.")
    return int(text) * MINUTE if what == PLAYING_TIME else now + int(text) * 24 * HOUR
