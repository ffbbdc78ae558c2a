"""The prizes by odds that a table may have to pay to one player, at the highest wager that it takes."""

from dataclasses import dataclass
from math import ceil

from feltworks.floor.accounts import Cents
from feltworks.floor.table.payout_limits import spots_of
from feltworks.floor.table.settings import TableSettings
from feltworks.kit.game import Game
from feltworks.kit.odds import Odds

HELD_ABOVE: Cents = 2_500_000
"""Where the two highest prizes exceed this, the second is money to be held; WAC 230-15-455 (2)(b) has the amount."""


@dataclass(frozen=True)
class Prize:
    """What a line of a pay table comes to."""

    title: str
    line: str
    cents: Cents


@dataclass(frozen=True)
class HighestPrizes:
    """The highest prize and the second highest, where there are so many."""

    first: Prize | None = None
    second: Prize | None = None

    @property
    def to_hold(self) -> Cents:
        """What must be held for the second prize; 0 unless both exceed the amount from which it is."""
        return self.second.cents if self.second is not None and self.second.cents > HELD_ABOVE else 0


def highest_prizes(settings: TableSettings, game: Game) -> HighestPrizes:
    """The two highest prizes of all lines that pay odds; a payout limit caps those of its pay table."""
    limits, caps = settings.limits, settings.payout_limits or {}
    found = []
    for name in filter(game.offers, game.pay):
        spot = spots_of(game, name)[0]
        for line in game.pay[name] if spot in limits else ():
            if isinstance(line.pay, Odds) and line.pay.net > 0:
                cents = ceil(limits[spot].most * line.pay.net)
                found.append(Prize(game.title_of(name), line.name, min(cents, caps.get(name, cents))))
    return HighestPrizes(*sorted(found, key=lambda prize: -prize.cents)[:2])
