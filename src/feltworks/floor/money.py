"""From exact pays to whole cents, in one place (F-08), and the entries that an event makes in the books (F-10)."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import ceil, floor

import msgspec

from feltworks.floor.settings import Cents, TableSettings
from feltworks.kit.odds import Amount, Larger, MeterShare, Odds
from feltworks.kit.steps import Settlement, Stake


class Kind(Enum):
    """What an entry in the books is for: a closed list."""

    BUY_IN = "buy-in"
    CASH_OUT = "cash-out"
    GRANT = "play-money grant"
    WAGER_TAKEN = "wager taken"
    WAGER_RETURNED = "wager returned"
    PAYOUT = "payout"
    COLOUR_CHANGE = "colour change"
    FILL = "fill"
    CREDIT = "credit"
    COUNT_DIFFERENCE = "count difference"
    JACKPOT_SEED = "jackpot seed"
    JACKPOT_CONTRIBUTION = "jackpot contribution"
    JACKPOT_AWARD = "jackpot award"
    JACKPOT_ADJUSTMENT = "jackpot adjustment"
    FORFEITURE = "forfeiture"
    CORRECTION = "correction"


@dataclass(frozen=True)
class Entry:
    """Money moves from one account to another: the two sides of a double entry."""

    kind: Kind
    payer: str
    payee: str
    cents: Cents


def player_account(player: str) -> str:
    return f"player:{player}"


def table_account(table: str) -> str:
    return f"table:{table}"


HOUSE = "house"


class Settled(msgspec.Struct, frozen=True, tag_field="kind", tag="settled"):
    """A settlement in whole cents, as it is booked and shown."""

    seat: int
    spot: str
    line: str
    pays: str
    stake: str
    amount: Cents
    paid: Cents
    returned: Cents
    rule: str

    @property
    def net(self) -> Cents:
        lost = self.amount if self.stake == Stake.TAKEN.value else 0
        return self.paid - lost


def settled(settlement: Settlement, settings: TableSettings) -> Settled:
    """What a settlement comes to in cents. A lost wager lies with the table already."""
    amount = int(settlement.amount)
    match settlement.pay:
        case None:
            paid, pays = 0, "loses"
        case Odds() as odds:
            paid, pays = _by_odds(settlement.amount, odds, settings), str(odds)
        case Amount(cents):
            paid, pays = cents, str(settlement.pay)
        case MeterShare() as share:
            paid, pays = _of_prize(share, settings), str(share)
        case Larger(odds, share):
            by_odds = _by_odds(settlement.amount, odds, settings)
            paid, pays = max(by_odds, _of_prize(share, settings)), str(settlement.pay)
    returned = amount if settlement.stake is Stake.RETURNED else 0
    return Settled(
        settlement.seat,
        settlement.spot,
        settlement.line,
        pays,
        settlement.stake.value,
        amount,
        paid,
        returned,
        settlement.rule,
    )


def _by_odds(amount: Fraction, odds: Odds, settings: TableSettings) -> Cents:
    return in_chips(amount * Fraction(odds.win, odds.per), settings)


def _of_prize(share: MeterShare, settings: TableSettings) -> Cents:
    """D-19: what a share of a house jackpot's prize comes to; the prize stays as it is."""
    if settings.prize is None:
        raise ValueError("a share of the meter is paid by the jackpot, not by the table")
    return floor(share.of(settings.prize))


def uncollected(seat: int, spot: str, cents: Cents) -> Settled:
    """What a spot has won and nobody collected, handed out when the round is void. It was settled before."""
    return Settled(seat, spot, "Void", "won before", Stake.RETURNED.value, 0, 0, cents, "F-17")


def in_chips(cents: Fraction, settings: TableSettings) -> Cents:
    """Exact to the cent, half up; or to whole chips as the house rounds."""
    if settings.rounding == "cent":
        return floor(cents + Fraction(1, 2))
    chips = cents / settings.chip
    return settings.chip * (ceil(chips) if settings.rounding == "chip up" else floor(chips))
