"""Commands to a progressive jackpot. Wagers and awards are none of them: they come from the tables that play for it."""

from typing import Literal, get_args

from msgspec import UNSET, UnsetType

from feltworks.floor.accounts import Cents
from feltworks.floor.jackpot.terms import Terms
from feltworks.floor.tagged import Tagged
from feltworks.kit.questions import JackpotsCompared, JackpotSettings

Reason = Literal["display fault", "above the maximum", "non-displayed funds removed", "seed recovered"]
"""For nothing else is a meter or its reserve adjusted (F-24; WAC 230-15-695)."""
REASONS: tuple[Reason, ...] = get_args(Reason)


class OpenJackpot(Tagged, tag="open jackpot", frozen=True):
    """It takes no wager before it is seeded."""

    terms: Terms


class ChangeJackpot(Tagged, tag="change jackpot", frozen=True):
    """Other terms. A round that is being played at a linked table keeps those with which it began (F-40)."""

    terms: Terms
    between_rounds: bool = False
    """In older records it is not said: there the next wager is registered by the new terms, whatever is played."""


class SeedJackpot(Tagged, tag="seed jackpot", frozen=True):
    """The house puts money into the meter, into the reserve, or into both."""

    meter: Cents
    reserve: Cents
    reason: str


class LinkTable(Tagged, tag="link table", frozen=True):
    """A table plays for the jackpot by these settings. Where they are not those of the jackpot or of a table that is
    linked already, `compared` is what the exact analysis has answered about them (D-19)."""

    table: str
    played: JackpotSettings
    compared: JackpotsCompared | UnsetType = UNSET


class UnlinkTable(Tagged, tag="unlink table", frozen=True):
    """No more wagers from this table; those that are registered are played to their end."""

    table: str
    reason: str


class AdjustJackpot(Tagged, tag="adjust jackpot", frozen=True):
    """The amount is how much the meter or the reserve changes: above 0 only where a display has shown too little."""

    why: Reason
    cents: Cents
    note: str


class CloseJackpot(Tagged, tag="close jackpot", frozen=True):
    """It is over. What players have put in is theirs, and goes to another jackpot, `heir`."""

    reason: str
    heir: str = ""


Command = OpenJackpot | ChangeJackpot | SeedJackpot | LinkTable | UnlinkTable | AdjustJackpot | CloseJackpot
Signed = SeedJackpot | AdjustJackpot | CloseJackpot
"""Those that two persons give together."""
