"""What can be reported at a table, and which decisions about it void the round (F-28)."""

from feltworks.floor.refusal import Refused
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.disputes import LONGEST_CLAIM, said
from feltworks.floor.table.state import Table
from feltworks.kit import steps
from feltworks.kit.errors import FeltworksError
from feltworks.kit.incidents import DEVICE_FAULT

LONGEST_KIND = 100


def incident_kinds(table: Table) -> tuple[str, ...]:
    """The kinds that have a name at a table as it is now; anything else is reported in words of one's own. Between two
    rounds nothing but a device can fail."""
    round = table.round
    return round.incidents if round is not None and not round.over else (DEVICE_FAULT,)


def asked_of_staff(table: Table) -> steps.Choose | None:
    """What waits for somebody of the staff on the floor: a decision about what was reported there, or where people deal
    one that the game asks of the supervisor. What it asks of the dealer stands on the dealer's own screen."""
    step = table.step
    if not isinstance(step, steps.Choose) or not isinstance(step.who, steps.Role):
        return None
    asked = table.incident or (table.settings.has_dealer and step.who is steps.Role.SUPERVISOR)
    return step if asked else None


def deciders(table: Table) -> frozenset[str]:
    """The roles of whom the floor is asked now: the supervisor or the dealer, and a manager where the game's document
    names one (Y-23)."""
    step = asked_of_staff(table)
    if step is None or not isinstance(step.who, steps.Role):
        return frozenset()
    return frozenset((step.who.value, "manager") if step.manager else (step.who.value,))


def told_decision(table: Table) -> str:
    """What is to be decided, as a heading says it."""
    step = asked_of_staff(table)
    if table.incident or step is None:
        return f"Decide about {table.incident}" if table.incident else ""
    about = step.sentence or (f"Decide about {step.about}" if step.about else "The supervisor decides")
    return about.rstrip(".")


def check_words(command: object) -> None:
    """Refuse what a person writes about a table if it is too long to be read, or cannot be shown."""
    words: tuple[tuple[str, int], ...]
    match command:
        case cmd.Report(incident, text):
            words = (incident, LONGEST_KIND), (text, LONGEST_CLAIM)
        case cmd.Release(_, reason) | cmd.Pause(reason) | cmd.CloseTable(reason) | cmd.VoidRound(reason):
            words = ((reason, LONGEST_CLAIM),)
        case _:
            return
    for written, most in words:
        if written.strip():
            said(written, "", most)


def check_reported(table: Table, report: cmd.Report) -> None:
    """Refuse a report that names what the table does not have: nobody could tell later what was meant."""
    seats, spots = table.settings.seats, [spot for wager in table.game.wagers.values() for spot in wager.spots]
    if report.seat is not None and not 1 <= report.seat <= seats:
        raise Refused(f"This table has no seat {report.seat}; name one of 1 to {seats}.")
    for spot in report.spots:
        if spot not in spots:
            raise Refused(f"This table has no spot {spot[:LONGEST_KIND]!r}; name one of: {', '.join(spots)}.")
    if report.amount is not None and report.amount <= 0:
        raise Refused("An amount that is reported is more than nothing; leave it out where it does not matter.")


def voids(table: Table, role: str, option: str) -> bool:
    """Whether a decision about what was reported ends the round: then it is void, and two persons sign it (F-13). What
    cannot be decided voids nothing."""
    if not table.incident:
        return False
    try:
        return table.round is not None and table.round.after(steps.Decide(steps.Role(role), option)).over
    except (FeltworksError, ValueError):
        return False


def voiding(table: Table) -> frozenset[str]:
    """The options of what is asked that void the round."""
    step = asked_of_staff(table)
    if step is None or not isinstance(step.who, steps.Role):
        return frozenset()
    role = step.who.value
    return frozenset(option.name for option in step.options if voids(table, role, option.name))
