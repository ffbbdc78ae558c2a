"""Who may not play (F-15): people who are barred, who have excluded themselves, who take a break, or who have reached a
limit of their own. What is in action plays on; no new wager is taken."""

from collections.abc import Iterable

from feltworks.floor.accounts import Account, Cents, Entry, Kind
from feltworks.floor.person import DETAILS, Person
from feltworks.floor.player_limits import DayBegan, check_wager, duration
from feltworks.floor.refusal import Refused
from feltworks.floor.table.settings import TableSettings

Time = int
ASK = "Ask a manager of the house about it."


class Listed(Refused):
    """Somebody on the self-exclusion list has tried to take a seat, or without a table to buy in: that is recorded."""

    def __init__(self, said: str, person: str, table: str = "") -> None:
        super().__init__(said)
        self.person, self.table = person, table


def why_not(person: Person, table: str, now: Time) -> str:
    """Why a person may not take a seat or wager at a table, said to them; nothing if they may."""
    if "" in person.barred:
        return f"You may not play in this house. {ASK}"
    if table in person.barred:
        return f"You may not play at this table. {ASK} Other tables are open to you."
    if person.exclusions.are_in_force(now):
        return f"You are on the list of those who have excluded themselves from play. {ASK}"
    if (until := person.limits.break_until(now)) is not None:
        return f"You are taking a break for another {duration(until - now)}; you can play after that."
    return ""


def check_seat(person: Person, settings: TableSettings, now: Time) -> None:
    """Refuse a seat to who may not play, or is not known where the house has to know its players."""
    if said := why_not(person, settings.id, now):
        raise _refusal(said, person, settings.id, now)
    if settings.venue != "training" and not person.robot and DETAILS not in person.kept:
        raise Refused(
            f"At a {settings.venue} the house has to know you: give your full name, date of birth and document on your"
            " own page, or at the cage, and then take a seat."
        )


def check_buy_in(person: Person, now: Time) -> None:
    """Refuse money to play with to who may not play anywhere in the house."""
    if why_not(person, "", now):
        raise _refusal("That person may not play in this house now, and buys nothing in.", person, "", now)


def _refusal(said: str, person: Person, table: str, now: Time) -> Refused:
    return Listed(said, person.id, table) if person.exclusions.are_in_force(now) else Refused(said)


def check_wagers(person: Person, table: str, wager: Cents, balance: Cents, lying: Cents, now: Time) -> list[DayBegan]:
    """Refuse a new wager of who may not play, or only less; otherwise the beginning of their day, if it begins one."""
    if said := why_not(person, table, now):
        raise Refused(f"{said} What is in action plays on.")
    return check_wager(person.limits, wager, balance, lying, now)


def wagers_of(entries: Iterable[Entry]) -> dict[Account, Cents]:
    """What is newly wagered by these entries, by whose account it comes from."""
    found: dict[Account, Cents] = {}
    for entry in entries:
        if entry.kind is Kind.WAGER_TAKEN:
            found[entry.payer] = found.get(entry.payer, 0) + entry.cents
    return found
