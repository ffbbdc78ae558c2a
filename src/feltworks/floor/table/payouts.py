"""From exact pays to whole cents: the one place where anything is rounded (F-08)."""

from fractions import Fraction
from math import ceil, floor
from typing import Protocol

from feltworks.floor.accounts import Cents
from feltworks.floor.table.events import Settled
from feltworks.floor.table.settings import TableSettings
from feltworks.kit.odds import Amount, Larger, MeterShare, Odds
from feltworks.kit.steps import Settlement, Stake


class Prize(Protocol):
    """Of what a share of a jackpot is paid."""

    def worth(self, won: Settlement, share: MeterShare) -> Cents:
        """What it comes to now."""
        ...

    def pay(self, won: Settlement, share: MeterShare) -> Cents:
        """What is paid: from now on it is won."""
        ...


class HousePrize:
    """D-19: a fixed prize, of which each winner is paid; it stays as it is."""

    def __init__(self, prize: Cents | None) -> None:
        self.prize = prize

    def worth(self, won: Settlement, share: MeterShare) -> Cents:
        if self.prize is None:
            raise ValueError("a share of the meter is paid by the jackpot, not by the table")
        return floor(share.of(self.prize))

    def pay(self, won: Settlement, share: MeterShare) -> Cents:
        return self.worth(won, share)


def settled(settlement: Settlement, settings: TableSettings, prize: Prize | None = None) -> Settled:
    """What a settlement comes to in cents. A lost wager lies with the table already."""
    prize = prize or HousePrize(settings.prize)
    amount = int(settlement.amount)
    match settlement.pay:
        case None:
            paid, pays = 0, "loses"
        case Odds() as odds:
            paid, pays = _by_odds(settlement.amount, odds, settings), str(odds)
        case Amount(cents):
            paid, pays = cents, str(settlement.pay)
        case MeterShare() as share:
            paid, pays = prize.pay(settlement, share), str(share)
        case Larger(odds, share):
            paid, pays = _by_odds(settlement.amount, odds, settings), str(settlement.pay)
            if prize.worth(settlement, share) > paid:
                paid = prize.pay(settlement, share)
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
    return rounded(amount * Fraction(odds.win, odds.per), settings)


def uncollected(seat: int, spot: str, cents: Cents) -> Settled:
    """What a spot has won and nobody collected, handed out when the round is void. It was settled before."""
    return Settled(seat, spot, "Void", "won before", Stake.RETURNED.value, 0, 0, cents, "F-17")


def rounded(cents: Fraction, settings: TableSettings) -> Cents:
    """Exact to the cent, half up; or to whole chips as the house rounds."""
    if settings.rounding == "cent":
        return floor(cents + Fraction(1, 2))
    chips = cents / settings.chip
    return settings.chip * (ceil(chips) if settings.rounding == "chip up" else floor(chips))
