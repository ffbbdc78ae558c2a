"""What a winning line pays, exactly, and the words it is printed in.

"3 to 2" wins 3 for every 2 staked and the stake comes back besides; "3 for 2" is all that comes back.
"""

import re
import reprlib
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from feltworks.kit.errors import BadOdds

LARGEST = 999_999_999
"""The largest number in odds, and the most whole dollars in an amount."""

SHARE_DECIMALS = 4
"""A meter share has no more decimals than this, so that it can always be printed."""


@dataclass(frozen=True, slots=True)
class Odds:
    """A pay in proportion to the stake, kept as printed: 6 to 4 stays 6 to 4. `PUSH` is the only push."""

    kind: Literal["to", "for", "push"]
    win: int
    per: int

    def __post_init__(self) -> None:
        if self.kind == "push":
            sound = (self.win, self.per) == (0, 1)
        else:
            sound = self.kind in ("to", "for") and 1 <= self.win <= LARGEST and 1 <= self.per <= LARGEST
        if not sound:
            raise BadOdds(f'Odds are two numbers from 1 to {LARGEST:,} joined by "to" or "for", or a push.')

    @property
    def net(self) -> Fraction:
        """The net win per unit staked."""
        return self.returned - 1

    @property
    def returned(self) -> Fraction:
        """What comes back in all per unit staked, the stake included."""
        ratio = Fraction(self.win, self.per)
        return ratio if self.kind == "for" else 1 + ratio

    def __str__(self) -> str:
        return "push" if self.kind == "push" else f"{self.win:,} {self.kind} {self.per:,}"


PUSH = Odds("push", 0, 1)
"""The stake comes back and nothing is won."""
EVEN = Odds("to", 1, 1)
"""As much as was staked is won."""
HALF = Odds("for", 1, 2)
"""Half of the stake comes back and the other half is lost."""


@dataclass(frozen=True, slots=True)
class MeterShare:
    """A part of what the jackpot meter shows, whatever the stake."""

    percent: Fraction

    def __post_init__(self) -> None:
        if not 0 < self.percent <= 100 or self.percent * 10**SHARE_DECIMALS % 1:
            raise BadOdds(
                f"A share of the meter is over 0 % and at most 100 %, with at most {SHARE_DECIMALS} decimals."
            )

    def of(self, meter: Fraction | int) -> Fraction:
        """The award when the meter stands at `meter`, not yet rounded to cents."""
        return self.percent * meter / 100

    def __str__(self) -> str:
        percent = Decimal(self.percent.numerator) / self.percent.denominator
        return f"{percent:f} % of meter"


@dataclass(frozen=True, slots=True)
class Amount:
    """A fixed sum of money, whatever the stake."""

    cents: int

    def __post_init__(self) -> None:
        if not 1 <= self.cents <= 100 * LARGEST + 99:
            raise BadOdds(f"An amount is from $0.01 to ${LARGEST:,}.99.")

    def __str__(self) -> str:
        dollars, cents = divmod(self.cents, 100)
        return f"${dollars:,}.{cents:02}" if cents else f"${dollars:,}"


@dataclass(frozen=True, slots=True)
class Larger:
    """Odds or a share of the meter, whichever is more when it is paid."""

    odds: Odds
    share: MeterShare

    def __str__(self) -> str:
        return f"{self.odds} or {self.share}, whichever is more"


Pay = Odds | MeterShare | Amount | Larger
"""Whatever can be paid. A line of a pay table pays one of the first three."""


# Commas only where thousands are: "1,50 to 1" is more likely a slip than 150 to 1.
_NUMBER = r"([1-9][0-9]{0,2}(?:,[0-9]{3}){1,2}|[1-9][0-9]{0,8})"
_ODDS = re.compile(rf"{_NUMBER} ?(to|for) ?{_NUMBER}")
_SHARE = re.compile(rf"((?:0|[1-9][0-9]{{0,2}})(?:\.[0-9]{{1,{SHARE_DECIMALS}}})?) ?% ?of ?meter")
_AMOUNT = re.compile(rf"\$ ?(?:0|{_NUMBER})(?:\.([0-9]{{2}}))?")
_SHORT = re.compile(rf"{_NUMBER}(?: ?/ ?{_NUMBER})?")
_COLON = re.compile(rf"{_NUMBER} ?: ?{_NUMBER}")
_ZERO = re.compile(rf"0 ?to ?{_NUMBER}")

_FULL_FORMS = f'"3 to 2", "3 for 2", "push", "5 % of meter" or "$1,000", with numbers from 1 to {LARGEST:,}'
_SHORT_FORMS = f'"30" (30 to 1), "3/2" (3 to 2), "0" (push), {_FULL_FORMS}'


def parse_pay(text: str) -> Pay:
    """Read a pay as pay tables print it. Case, spaces and thousands commas are free; the meaning is not."""
    return _full(text, _FULL_FORMS)


def parse_typed_odds(text: str) -> Pay:
    """Read a pay as typed on the command line: `30` is 30 to 1, `3/2` is 3 to 2, `0` a push."""
    tidy = _tidy(text)
    if tidy == "0":
        return PUSH
    if found := _SHORT.fullmatch(tidy):
        return Odds("to", _number(found[1]), _number(found[2] or "1"))
    return _full(text, _SHORT_FORMS)


def _full(text: str, forms: str) -> Pay:
    tidy = _tidy(text)
    if tidy == "push":
        return PUSH
    if found := _ODDS.fullmatch(tidy):
        return Odds("for" if found[2] == "for" else "to", _number(found[1]), _number(found[3]))
    if found := _SHARE.fullmatch(tidy):
        return MeterShare(Fraction(found[1]))
    if found := _AMOUNT.fullmatch(tidy):
        return Amount(100 * _number(found[1] or "0") + int(found[2] or "0"))
    # A text from outside may be of any length; reprlib keeps the sentence short.
    given = reprlib.repr(text)
    if found := _COLON.fullmatch(tidy):
        raise BadOdds(f'Write "{found[1]} to {found[2]}" instead of {given}.')
    if _ZERO.fullmatch(tidy):
        raise BadOdds(f'Write "push" instead of {given}.')
    raise BadOdds(f"A pay cannot be {given}; write it like {forms}.")


def _tidy(text: str) -> str:
    return " ".join(text.split()).lower()


def _number(digits: str) -> int:
    return int(digits.replace(",", ""))
