"""The automatic dealer: what it does next at a table, and after how long. Pure, like the table itself."""

from dataclasses import dataclass
from typing import Literal

from feltworks.floor.table.duties import asked, waits_for_ticks
from feltworks.floor.table.events import Time
from feltworks.floor.table.state import Table
from feltworks.kit import steps

ALONE, CALM = 12, 3
"""How much of every pause is left, in percent, where at most one person is there and nobody else has to follow: enough
for what moves on the screen, which shows it at its own pace, and less where nothing moves."""
MOST_SHOWN = 8
"""After so many settlements the pause for them grows no longer."""

Wish = Literal["motion", "calm", "go on"]
"""How those at the table want it: with the pauses that what moves takes, with shorter ones because nothing moves on
their screens, or without the pauses."""

Doing = Literal["start round", "answer", "clock", "end round", "free seats"]


@dataclass(frozen=True)
class Next:
    """Something the dealer will do, at a time if nothing else happens before."""

    doing: Doing
    at: Time


def next_for(table: Table, since: Time, wish: Wish = "motion") -> Next | None:
    """What comes next at a table that has been as it is since then; nothing while only people can act. A wish changes
    when the dealer does something, never what, and no clock. What is a person's duty is left to that person (F-03), and
    the program waits until they have carried out what the round has caused."""
    if table.service in ("paused", "closed"):
        return None
    found = [_next_in_play(table, since, wish), *(Next("free seats", until) for until, _ in table.kept_until.values())]
    return min((doing for doing in found if doing is not None), key=lambda doing: doing.at, default=None)


def _next_in_play(table: Table, since: Time, wish: Wish) -> Next | None:
    pace, share = table.settings.pace, _share(table, wish)
    if table.incident or (table.round is None and (table.out_of_service or table.service != "open")):
        return None
    if table.to_act or table.betting:
        return None if table.deadline is None else Next("clock", table.deadline)
    if asked(table) != "program" or waits_for_ticks(table):
        return None
    if table.round is None:
        waiting = table.wagers or table.winnings or any(who.present for who in table.seats.values())
        return (
            Next("start round", since + _part(share, pace.between_rounds if table.round_number else 0))
            if waiting
            else None
        )
    if table.round.over:
        shown = min(max(1, len(table.results)), MOST_SHOWN)
        return Next("end round", since + _part(share, pace.settlement * shown))
    return Next(
        "answer", since + _part(share, pace.roll if isinstance(table.step, steps.Roll | steps.Spin) else pace.card)
    )


def _share(table: Table, wish: Wish) -> int:
    """How much of a pause is left, in percent."""
    if wish == "go on":
        return 0
    if sum(who.present and who.is_person for who in table.seats.values()) > 1:
        return 100
    return CALM if wish == "calm" else ALONE


def _part(share: int, pause: int) -> int:
    return pause * share // 100
