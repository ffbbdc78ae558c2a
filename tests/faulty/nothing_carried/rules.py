"""Faulty on purpose: a wager and winnings are left on the layout and not in `carry`."""

from dataclasses import dataclass, replace

from feltworks.kit.cards import Seat
from feltworks.kit.odds import Odds
from feltworks.kit.round import Round
from feltworks.kit.steps import Items, Roll, Stake, task


@dataclass(frozen=True)
class NothingCarried(Round):
    def play(self) -> Items:
        """T-61."""
        yield self.game.betting("open")
        yield Roll(2)
        yield task(self.settle)

    def settle(self) -> Items:
        """T-62 to T-64: the Bet by every roll; the Ride by a seven or a two, and otherwise it stays."""
        assert isinstance(self.dice, tuple)
        total = sum(self.dice)
        for seat in self.playing:
            yield from self.settle_seat(seat, total)

    def settle_seat(self, seat: Seat, total: int) -> Items:
        high = total > 7
        yield (
            self.win(seat, "base", "High", Odds("to", 1, 1), "T-62") if high else self.lose(seat, "base", "Low", "T-62")
        )
        if self.stake(seat, "ride") and total in (2, 7):
            yield self.by_table(seat, "ride", "Seven" if total == 7 else None, "T-63", losing="Two")
        if self.stake(seat, "field"):
            field = self.by_table(seat, "field", "High" if high else None, "T-64", losing="Low")
            yield replace(field, stake=Stake.STAYS) if high else field


ROUND = NothingCarried
