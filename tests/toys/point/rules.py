"""A toy: the line of craps, a wager that rides on pairs until the seven, and a one-roll wager."""

from dataclasses import dataclass, replace

from feltworks.kit.cards import Seat
from feltworks.kit.odds import Odds
from feltworks.kit.round import Round
from feltworks.kit.steps import Call, Items, Move, NoRoll, Roll, Stake, note, task

EVEN = Odds("to", 1, 1)


@dataclass(frozen=True)
class Point(Round):
    point: int | None = None

    def play(self) -> Items:
        """T-01: betting is open, the dice roll, until the line is decided."""
        yield task(self.open_betting)

    def open_betting(self) -> Items:
        yield self.game.betting("come-out" if self.point is None else "point")
        yield Call("Dice are out.")
        yield Roll(2)
        yield task(self.rolled)

    def rolled(self) -> Items:
        """T-02: every wager of every seat is decided by the sum; a roll that does not count is rolled again."""
        if isinstance(self.dice, NoRoll):
            yield Call(f"No roll: {self.dice.reason}.")
            yield Roll(2)
            yield task(self.rolled)
            return
        total = sum(self.dice)
        yield Call(f"{total}.")
        for seat in reversed(self.playing):
            yield from self.settle(seat, total, pair=self.dice[0] == self.dice[1])
        if total in (7, 11, 2, 3, 12) if self.point is None else total in (7, self.point):
            yield note(point=None)
            yield Move("marker", "off")
        else:
            if self.point is None:
                yield note(point=total)
                yield Move("marker", str(total))
            yield task(self.open_betting)

    def settle(self, seat: Seat, total: int, pair: bool) -> Items:
        wins = total in (7, 11) if self.point is None else total == self.point
        loses = total in (2, 3, 12) if self.point is None else total == 7
        if wins:
            yield self.win(seat, "line", "Natural" if self.point is None else "Point made", EVEN, "T-02")
        elif loses:
            yield self.lose(seat, "line", "Craps" if self.point is None else "Seven out", "T-02")
        if self.stake(seat, "pairs"):
            if pair:
                stake = Stake.RETURNED if wins or loses else Stake.STAYS
                yield replace(self.by_table(seat, "pairs", "Pair", "T-03"), stake=stake)
            elif total == 7:
                yield self.lose(seat, "pairs", "Seven", "T-03")
            elif wins or loses:
                yield self.push(seat, "pairs", "Line decided", "T-03")
        if self.stake(seat, "seven"):
            yield self.by_table(seat, "seven", "Seven" if total == 7 else None, "T-04", losing="No seven")


ROUND = Point
