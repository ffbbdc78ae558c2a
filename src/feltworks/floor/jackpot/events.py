"""What happens to a progressive jackpot. Each event has all amounts in whole cents, so that what it books follows from
it alone; a table's own events are in the same commit."""

import msgspec
from msgspec import UNSET, UnsetType

from feltworks.floor.accounts import Cents
from feltworks.floor.jackpot.commands import Reason
from feltworks.floor.jackpot.terms import Terms
from feltworks.floor.tagged import Tagged
from feltworks.kit.questions import JackpotsCompared, JackpotSettings

Time = int


class Contribution(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wager that is registered, and what of it goes where; the rest is the house's and stays in the table's tray."""

    seat: int
    spot: str
    wager: Cents
    meter: Cents
    reserve: Cents
    over: Cents = 0
    """What was due to the meter, and is above its maximum: it goes to the reserve."""

    @property
    def house(self) -> Cents:
        return self.wager - self.meter - self.reserve - self.over


class Missing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What meter and reserve fall by, and their accounts do not hold: the house pays it (F-37)."""

    meter: Cents
    reserve: Cents


class GivenBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A registered wager that goes back, and from where the tray gets what went out of it."""

    seat: int
    spot: str
    wager: Cents
    meter: Cents
    reserve: Cents
    house: Cents = 0
    missing: Missing | UnsetType = UNSET

    @property
    def meter_falls(self) -> Cents:
        return self.meter + (0 if self.missing is UNSET else self.missing.meter)

    @property
    def reserve_falls(self) -> Cents:
        return self.reserve + (0 if self.missing is UNSET else self.missing.reserve)


class JackpotOpened(Tagged, tag="jackpot opened", frozen=True):
    terms: Terms


class InPlay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round that was being played at a table."""

    table: str
    round: int


class JackpotChanged(Tagged, tag="jackpot changed", frozen=True):
    """Other terms. Rounds that were being played keep those with which they began (F-40)."""

    terms: Terms
    keep: tuple[InPlay, ...] = ()


class JackpotSeeded(Tagged, tag="jackpot seeded", frozen=True):
    """The house has put so much into the meter and the reserve."""

    meter: Cents
    reserve: Cents
    reason: str


class TableLinked(Tagged, tag="table linked", frozen=True):
    """A table plays for the jackpot by these settings, and what the exact analysis has answered where it was asked."""

    table: str
    played: JackpotSettings
    compared: JackpotsCompared | UnsetType = UNSET


class TableUnlinked(Tagged, tag="table unlinked", frozen=True):
    table: str
    reason: str


class Registered(Tagged, tag="wagers registered", frozen=True):
    """The spots were sensed, and the chips are taken (D-13): each wager is in the meter from here on."""

    table: str
    round: int
    wagers: tuple[Contribution, ...]


class RegistrationsReturned(Tagged, tag="registrations returned", frozen=True):
    """Wagers that were registered go back, with a void or by a correction (F-17, F-24)."""

    table: str
    round: int
    wagers: tuple[GivenBack, ...]


class AwardEntered(Tagged, tag="award entered", frozen=True):
    """An award was entered at a table, by whom, and waits to be confirmed (D-18)."""

    table: str
    round: int
    by: str


class Awarded(Tagged, tag="jackpot awarded", frozen=True):
    """A share of the meter was won, and who has entered and confirmed it. All of it is paid: from the meter, then from
    the reserve, then by the house (F-26). After 100 % the meter begins again from its seed."""

    table: str
    round: int
    seat: int
    spot: str
    line: str
    percent: str
    base: Cents
    """Of what it is a share: the meter as it stood, or as it was sensed (D-16)."""
    cents: Cents
    falls: Cents
    """By so much the meter falls. Its account may hold less, and then pays less."""
    meter: Cents
    reserve: Cents
    house: Cents
    seed_reserve: Cents = 0
    seed_house: Cents = 0
    """With what the meter begins again, from the reserve and from the house."""
    entered: str = ""
    confirmed: str = ""

    @property
    def key(self) -> tuple[int, str, str]:
        return self.seat, self.spot, self.line

    @property
    def is_whole(self) -> bool:
        return self.percent == "100"


class AwardTakenBack(Tagged, tag="jackpot award taken back", frozen=True):
    """By a correction there was no such award (F-20): what it was paid from gets it back, and the meter rises by as
    much as it had fallen, up to its maximum; what is above that goes to the reserve. The seed that followed goes back
    too, unless somebody has won it meanwhile."""

    table: str
    round: int
    seat: int
    spot: str
    line: str
    cents: Cents
    rises: Cents
    meter: Cents
    reserve: Cents
    house: Cents
    seed_reserve: Cents = 0
    seed_house: Cents = 0
    unseeded: bool = False
    """Whether the seed goes back."""

    @property
    def key(self) -> tuple[int, str, str]:
        return self.seat, self.spot, self.line


class JackpotAdjusted(Tagged, tag="jackpot adjusted", frozen=True):
    """Money has moved between the meter, the reserve and the house for one of the listed reasons: what each got, or
    gave if it is below 0."""

    why: Reason
    note: str
    meter: Cents
    reserve: Cents
    house: Cents


class JackpotClosed(Tagged, tag="jackpot closed", frozen=True):
    """What was left has gone to another jackpot, or to the house that had put it there."""

    reason: str
    heir: str
    meter: Cents
    reserve: Cents
    over: Cents = 0
    """So much of what the meter held is above the maximum of the other one, and goes to its reserve."""


class JackpotInherited(Tagged, tag="jackpot inherited", frozen=True):
    """What was left of another jackpot has come to this meter and this reserve; the other one has booked it."""

    source: str
    meter: Cents
    reserve: Cents
    lent: Cents = 0
    """So much of it is seed that a house may recover."""


Event = (
    JackpotOpened
    | JackpotChanged
    | JackpotSeeded
    | TableLinked
    | TableUnlinked
    | Registered
    | RegistrationsReturned
    | AwardEntered
    | Awarded
    | AwardTakenBack
    | JackpotAdjusted
    | JackpotClosed
    | JackpotInherited
)
