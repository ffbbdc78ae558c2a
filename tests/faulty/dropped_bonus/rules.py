"""Faulty on purpose: the moment of the bonus wager comes only for a seat that has won."""

from dataclasses import dataclass

from feltworks.kit.cards import Seat
from feltworks.kit.game import Bonus
from feltworks.kit.odds import Odds
from feltworks.kit.round import Round
from feltworks.kit.steps import Items, Moment, Roll, note, task


@dataclass(frozen=True)
class DroppedBonus(Round):
    rolled: int = 0

    def play(self) -> Items:
        """T-51."""
        yield self.game.betting("open")
        yield Roll(1)
        yield task(self.look)

    def look(self) -> Items:
        assert isinstance(self.dice, tuple)
        yield note(rolled=self.dice[0])
        yield task(self.settle)

    def settle(self) -> Items:
        """T-52 and T-53: four and more wins the Bet."""
        for seat in self.playing:
            if self.rolled >= 4:
                yield self.win(seat, "base", "High", Odds("to", 1, 1), "T-52")
                yield Moment("end", seat)
            else:
                yield self.lose(seat, "base", "Low", "T-52")


def six(round: DroppedBonus, seat: Seat) -> Items:
    """T-54."""
    yield round.by_table(seat, "six", "Six" if round.rolled == 6 else None, "T-54", losing="Another number")


ROUND = DroppedBonus
BONUSES = {"six": Bonus("end", six)}
