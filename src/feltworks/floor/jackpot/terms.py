"""What a progressive jackpot is made of (F-24): its seed, what each wager puts where, its maximum, and by which game's
hands, pays and wager it is won."""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import msgspec

from feltworks.floor.accounts import Cents, money
from feltworks.floor.refusal import Refused
from feltworks.kit.questions import JackpotSettings

LONGEST_NAME, LONGEST_NOTICE, MOST_NOTICES, LONGEST_SHARE = 80, 400, 20, 24
LEAST, MOST = 100, 10_000_000_000
"""A seed and a maximum, in cents."""
FINEST = 1_000_000
"""The largest denominator of a share."""


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of it is posted at the tables."""

    name: str
    played: JackpotSettings
    """By which hands and pays it is won, with the fixed wager: all tables that are linked to it have the same."""
    seed: Cents
    """With which it begins, and begins again when it was won whole."""
    to_meter: str
    """The share of each wager that goes to the meter, such as `3/5` or `0.6`."""
    to_reserve: str
    """The share that goes to the reserve, from which the next seed comes; what is left is the house's."""
    maximum: Cents
    """No wager lifts the meter above it: what would goes to the reserve."""
    notices: tuple[str, ...] = ()
    """Posted besides what follows from all this."""

    @property
    def shares(self) -> "Shares":
        return shares_of(self.to_meter, self.to_reserve)


@dataclass(frozen=True)
class Shares:
    """Of each wager: what goes to the meter, and what to the reserve."""

    meter: Fraction
    reserve: Fraction

    @property
    def house(self) -> Fraction:
        return 1 - self.meter - self.reserve


@lru_cache(1_000)
def shares_of(to_meter: str, to_reserve: str) -> Shares:
    return Shares(_share(to_meter), _share(to_reserve))


def _share(text: str) -> Fraction:
    if not text.isascii() or len(text) > LONGEST_SHARE or not set(text) <= set("0123456789./"):
        raise Refused(f"{text[:40]!r} is no share of a wager; write one such as 3/5 or 0.6.")
    try:
        share = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise Refused(f"{text[:40]!r} is no share of a wager; write one such as 3/5 or 0.6.") from None
    if not 0 <= share <= 1 or share.denominator > FINEST:
        raise Refused(
            f"{text[:40]!r} cannot be the share of a wager; it is from 0 to 1, in parts of at most a millionth."
        )
    return share


def check_terms(terms: Terms, standing: Cents = 0) -> None:
    """Refuse terms that cannot be, for a meter that stands at so much."""
    if not terms.name.strip() or len(terms.name) > LONGEST_NAME:
        raise Refused(f"A jackpot needs a name of at most {LONGEST_NAME} characters.")
    shares = terms.shares
    if shares.house < 0:
        raise Refused(
            f"{terms.to_meter} of a wager to the meter and {terms.to_reserve} to the reserve are more than the wager."
        )
    if not shares.meter:
        raise Refused("A progressive rises with every wager; give the meter a share of it.")
    if not LEAST <= terms.seed <= MOST:
        raise Refused(f"A seed is from {money(LEAST)} to {money(MOST)}.")
    if not terms.seed <= terms.maximum <= MOST:
        raise Refused(f"The maximum is from the seed, {money(terms.seed)}, to {money(MOST)}.")
    if terms.maximum < standing:
        raise Refused(
            f"The meter stands at {money(standing)}; the maximum cannot be below it (F-24). Set a higher one, or adjust"
            " the meter first, with two signatures."
        )
    if len(terms.notices) > MOST_NOTICES:
        raise Refused(f"{len(terms.notices)} notices are too many to be read; post at most {MOST_NOTICES}.")
    if any(not notice.strip() or len(notice) > LONGEST_NOTICE for notice in terms.notices):
        raise Refused(f"A notice is a text of at most {LONGEST_NOTICE} characters.")
    if terms.played.wager <= 0:
        raise Refused("The fixed wager is more than nothing.")
