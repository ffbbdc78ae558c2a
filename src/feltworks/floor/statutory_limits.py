"""The most that a single wager may be by law, as dated data with its source (F-06)."""

import tomllib
from dataclasses import dataclass
from datetime import UTC, date, datetime
from fractions import Fraction
from functools import cache
from pathlib import Path

import msgspec

from feltworks.floor.accounts import Cents
from feltworks.kit.definition import Venue
from feltworks.kit.game import Game

DATA = Path(__file__).with_suffix(".toml")


class StatutoryLimit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"since": "from"}):
    """The limit of a kind of venue from a day on; no amount where the venue sets its own limits. `open` says what
    nobody has verified yet."""

    venue: Venue
    since: date
    source: str
    verified: bool
    cents: Cents | None = None
    open: str = ""

    @property
    def words(self) -> str:
        """The limit in a sentence without its full stop, with its source and what is not verified of it."""
        doubt = "" if self.verified else f"; not verified: {self.open}"
        if self.cents is None:
            return f"a {self.venue} sets its own wager limits ({self.source}{doubt})"
        return f"by law a single wager is at most {dollars(self.cents)} at a {self.venue} ({self.source}{doubt})"


class HeldWinLimit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"since": "from"}):
    """The payout above which a win is held until it is verified, from a day on (F-19)."""

    since: date
    cents: Cents
    source: str
    verified: bool
    open: str = ""

    @property
    def words(self) -> str:
        """The limit in a sentence without its full stop, with its source and what is not verified of it."""
        doubt = "" if self.verified else f"; not verified: {self.open}"
        return (
            f"a payout over {dollars(self.cents)} for one wager is held until surveillance has verified it"
            f" ({self.source}{doubt})"
        )


@dataclass(frozen=True)
class Allowed:
    """The most that may lie on a spot by law, and why."""

    most: Cents
    reason: str


@cache
def statutory_limits() -> tuple[StatutoryLimit, ...]:
    """Every row of the data."""
    rows = tomllib.loads(DATA.read_text("utf-8"))["limit"]
    return tuple(msgspec.convert(row, StatutoryLimit) for row in rows)


@cache
def held_win_limits() -> tuple[HeldWinLimit, ...]:
    """Every payout limit of the data, the newest last."""
    rows = tomllib.loads(DATA.read_text("utf-8"))["held_win"]
    return tuple(sorted((msgspec.convert(row, HeldWinLimit) for row in rows), key=lambda limit: limit.since))


def held_win_limit(day: date) -> HeldWinLimit | None:
    """The payout above which a win is held on a day."""
    return next((limit for limit in reversed(held_win_limits()) if limit.since <= day), None)


def limit_on(venue: Venue, day: date) -> StatutoryLimit | None:
    """The limit that holds in a kind of venue on a day; nothing where no law is known, as for training."""
    rows = [limit for limit in statutory_limits() if limit.venue == venue and limit.since <= day]
    return max(rows, key=lambda limit: limit.since, default=None)


def most_by_law(game: Game, spot: str, venue: Venue, chip: Cents, day: date) -> Allowed | None:
    """The most whole chips on a spot with which it stays within the limit, and so does every spot that a decision may
    put a multiple of it on; nothing where no law says so."""
    limit = limit_on(venue, day)
    if limit is None or limit.cents is None:
        return None
    wager = game.wager_of(spot)
    most, reason = Fraction(limit.cents), limit.words
    if spot == next(iter(wager.opens), None):
        for other, times in wager.multiples.items():
            if limit.cents / times < most:
                most = limit.cents / times
                reason = f"{wager.spots[other]} may be {times} times {wager.spots[spot]}, and {limit.words}"
    return Allowed(int(most // chip) * chip, reason)


def dollars(cents: Cents) -> str:
    """An amount as a person writes it."""
    return f"${cents // 100:,}" if cents % 100 == 0 else f"${cents / 100:,.2f}"


def day_of(time: int) -> date:
    """The day of a time of the house, which is milliseconds of UTC since 1970."""
    return datetime.fromtimestamp(time / 1_000, UTC).date()
