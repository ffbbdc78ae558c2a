"""An entry of the self-exclusion list as it binds a person (F-15). By digest alone: whom the list names lies outside
the journal."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import NamedTuple

from feltworks.floor.refusal import Refused
from feltworks.floor.tagged import Tagged

Time = int
HOUR: Time = 3_600_000
FIRST_MIDNIGHT, LAST_MIDNIGHT = 14 * HOUR, 12 * HOUR
"""A day begins so long before it does in UTC where it begins first, and ends so long after it where it ends last. The
list names days and no time zone: an entry is in force as long as it is anywhere."""


class Exclude(Tagged, tag="exclude", frozen=True):
    """The person is the one whom an entry of the list names: that by its digest. Dates are written as 2026-01-31;
    without an end it is for life."""

    list: str
    entry: str
    since: str
    until: str = ""


class LiftExclusion(Tagged, tag="lift exclusion", frozen=True):
    entry: str
    reason: str


class DecideMatch(Tagged, tag="decide match", frozen=True):
    """Whether an entry that is like the person's details, or the same, names this person."""

    list: str
    entry: str
    same: bool
    since: str
    until: str = ""


ExclusionCommand = Exclude | LiftExclusion | DecideMatch


class Excluded(Tagged, tag="excluded", frozen=True):
    list: str
    entry: str
    since: str
    until: str = ""


class ExclusionLifted(Tagged, tag="exclusion lifted", frozen=True):
    entry: str
    reason: str


class MatchDecided(Tagged, tag="match decided", frozen=True):
    """Whoever the record names has decided it."""

    entry: str
    same: bool


ExclusionEvent = Excluded | ExclusionLifted | MatchDecided


class Term(NamedTuple):
    """From which day to which an entry is in force; without an end for life."""

    since: str
    until: str = ""

    def is_in_force(self, now: Time) -> bool:
        first, last = day_of(now + FIRST_MIDNIGHT), day_of(now - LAST_MIDNIGHT)
        return self.since <= first and (not self.until or last < self.until)


@dataclass(frozen=True)
class Exclusions:
    """What the list says about one person."""

    terms: Mapping[str, Term] = field(default_factory=dict)
    """By the digest of the entry."""
    decided: Mapping[str, bool] = field(default_factory=dict)
    """The entries about which somebody has decided whether they name this person."""

    def are_in_force(self, now: Time) -> bool:
        return any(term.is_in_force(now) for term in self.terms.values())


def decide_exclusion(known: Exclusions, command: ExclusionCommand) -> list[ExclusionEvent]:
    match command:
        case Exclude(list, entry, since, until):
            _check_term(since, until)
            if known.terms.get(entry) == Term(since, until) or known.decided.get(entry) is False:
                return []
            return [Excluded(list, entry, since, until)]
        case LiftExclusion(entry, reason):
            return [ExclusionLifted(entry, reason)] if entry in known.terms else []
        case DecideMatch(list, entry, same, since, until):
            _check_term(since, until)
            if known.decided.get(entry) is same:
                return []
            if same:
                return [MatchDecided(entry, same), *decide_exclusion(known, Exclude(list, entry, since, until))]
            lifted = decide_exclusion(known, LiftExclusion(entry, "decided: another person"))
            return [MatchDecided(entry, same), *lifted]


def _check_term(since: str, until: str) -> None:
    try:
        dates = [date.fromisoformat(text) for text in (since, until) if text]
    except ValueError:
        dates = []
    if not since or len(dates) != 1 + bool(until) or (until and until <= since):
        raise Refused("An exclusion begins on a day such as 2026-01-31, and ends on a later one or never.")


def evolve_exclusions(known: Exclusions, event: ExclusionEvent) -> Exclusions:
    match event:
        case Excluded(_, entry, since, until):
            return replace(known, terms={**known.terms, entry: Term(since, until)})
        case ExclusionLifted(entry):
            return replace(known, terms={one: term for one, term in known.terms.items() if one != entry})
        case MatchDecided(entry, same):
            return replace(known, decided={**known.decided, entry: same})


def day_of(time: Time) -> str:
    """The day of a time in UTC, as 2026-01-31."""
    return datetime.fromtimestamp(time / 1000, UTC).date().isoformat()
