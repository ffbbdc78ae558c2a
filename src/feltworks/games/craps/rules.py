"""Craps: two dice, a point to make, and wagers with the dice, against them, on numbers and on one roll."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from feltworks.kit import (
    EVEN,
    Answer,
    Call,
    Items,
    Move,
    NoRoll,
    NotAllowed,
    Odds,
    Place,
    Roll,
    Round,
    Seat,
    Settlement,
    note,
    task,
)

POINTS = {4: "4, 10", 5: "5, 9", 6: "6, 8", 8: "6, 8", 9: "5, 9", 10: "4, 10"}
"""The sums that become a point, and the line of a pay table that each is on."""
FIELD = {2: "2", 12: "12", **dict.fromkeys((3, 4, 9, 10, 11), "3, 4, 9, 10, 11")}
TIMES = {"4, 10": 3, "5, 9": 4, "6, 8": 5}
"""How many times the line bet the odds may be, where they are three, four or five times."""


@dataclass(frozen=True)
class Craps(Round):
    """One round: from the come-out roll to the roll that decides the line bets."""

    point: int | None = None
    seven_out: bool = False

    @property
    def carry(self) -> dict[str, Any]:
        """CR-07, CR-08: come bets that travelled and place bets lie on for the next round."""
        return self.left_up

    @property
    def turn_over(self) -> bool:
        """CR-03: the shooter keeps the dice until the seven-out."""
        return self.seven_out

    @staticmethod
    def alike(dice: tuple[int, ...]) -> tuple[int, ...]:
        """CR-01: nothing but the sum counts."""
        return max(1, sum(dice) - 6), min(6, sum(dice) - 1)

    def check(self, answer: Answer) -> None:
        """CR-05: odds are at most so many times the line bet, and a lay is at most what wins as much."""
        match answer:
            case Place(seat, "odds" | "lay" as spot, amount) if self.point is not None:
                line, behind = POINTS[self.point], "pass" if spot == "odds" else "dont_pass"
                reading, pay = self.game.reading("odds"), self.game.pay_table(spot).pay(line)
                times = Fraction(TIMES[line] if reading == "345" else reading)
                if spot == "lay" and isinstance(pay, Odds):
                    times /= pay.net
                if 0 < times * self.stake(seat, behind) < self.stake(seat, spot) + amount:
                    title, base = self.game.spot_title(spot), self.game.spot_title(behind)
                    raise NotAllowed(
                        f"{title} may be at most {times} times {base} on a point of {self.point}; place less (CR-05)."
                    )

    def play(self) -> Items:
        """CR-01, CR-02: wagers are made, and the dice roll; so on until the round is over."""
        yield self.game.betting("come-out" if self.point is None else "point")
        yield task(self.roll)

    def roll(self) -> Items:
        """CR-01: two dice together."""
        yield Roll(2)
        yield task(self.rolled)

    def rolled(self) -> Items:
        """CR-02, CR-03: a roll settles what it decides, and sets the point or ends the round."""
        if isinstance(self.dice, NoRoll):
            yield Call("No roll.")
            yield task(self.roll)
            return
        total = sum(self.dice)
        yield Call(f"{total}.")
        for seat in self.playing:
            yield from self.settle(seat, total)
        if self.point is None and total in POINTS:
            yield note(point=total)
            yield Move("puck", f"on {total}")
            yield task(self.play)
        elif self.point is None or total in (7, self.point):
            yield note(point=None, seven_out=self.point is not None and total == 7)
            yield Move("puck", "off")
        else:
            yield task(self.play)

    def settle(self, seat: Seat, total: int) -> Items:
        """CR-04 to CR-09: what a roll decides for a seat; what lies on numbers before a come bet goes to one."""
        for spot in ("pass", "dont_pass"):
            yield from self.decided(seat, spot, self.point, total, "CR-04")
        if self.point is not None:
            for spot in ("odds", "lay"):
                yield from self.on_number(seat, spot, self.point, total, "CR-05")
        for number in POINTS:
            for spot in ("come", "dont_come"):
                yield from self.decided(seat, f"{spot}_{number}", number, total, "CR-07")
            if self.point or self.game.reading("place_on_come_out") == "on":
                yield from self.on_number(seat, f"place_{number}", number, total, "CR-08")
        for spot in ("come", "dont_come"):
            yield from self.decided(seat, spot, None, total, "CR-06")
            if self.stake(seat, spot) and total in POINTS:
                yield self.move_wager(seat, spot, f"{spot}_{total}", "CR-07")
        if self.stake(seat, "field"):
            yield self.by_table(seat, "field", FIELD.get(total), "CR-09", losing="Another number")

    def decided(self, seat: Seat, spot: str, point: int | None, total: int, rule: str) -> Iterator[Settlement]:
        """CR-04, CR-06, CR-07: with the dice or against them, before there is a point and after."""
        line = None
        if point is None and total not in POINTS:
            line = "Natural" if total in (7, 11) else "Craps"
        elif point is not None and total in (7, point):
            line = "Seven" if total == 7 else "Point made"
        if not self.stake(seat, spot) or line is None:
            return
        against, wins = spot.startswith("dont"), line in ("Natural", "Point made")
        if against and line == "Craps" and total == 12:
            yield self.push(seat, spot, "Twelve", rule)
        elif wins is not against:
            yield self.win(seat, spot, line, EVEN, rule)
        else:
            yield self.lose(seat, spot, line, rule)

    def on_number(self, seat: Seat, spot: str, number: int, total: int, rule: str) -> Iterator[Settlement]:
        """CR-05, CR-08: what wins by a number before a seven, or the lay by a seven before it."""
        if self.stake(seat, spot) and total in (7, number):
            wins = (total == 7) is (spot == "lay")
            losing = "Seven" if total == 7 else "Point made"
            yield self.by_table(seat, spot, POINTS[number] if wins else None, rule, losing=losing)

    def why(self, settled: Settlement, before: "Craps") -> str:
        """CR-01: the sum, and the point."""
        rolled = "no roll" if isinstance(self.dice, NoRoll) else f"{sum(self.dice)} came"
        return rolled if before.point is None else f"{rolled}, and the point was {before.point}"


ROUND = Craps
