"""A toy: two game dice decide Play and the Field, where wins lie until they are collected; two bonus dice decide the
Ride, which stays up until a seven."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from feltworks.kit.cards import Seat
from feltworks.kit.errors import NotAllowed
from feltworks.kit.odds import Odds
from feltworks.kit.round import Round
from feltworks.kit.steps import Call, Choose, Items, Option, Role, Roll, Stake, note, task

EVEN = Odds("to", 1, 1)
PAIR, DEALER_ROLLS, SHOOT = Option("go on"), Option("the dealer rolls"), Option("shoot")


@dataclass(frozen=True)
class Riding(Round):
    shooter: Seat | None = None
    rolled_before: bool = False

    @property
    def carry(self) -> Mapping[str, Any]:
        return {"shooter": self.shooter, **self.left_up}

    def may_close(self) -> None:
        for seat in self.playing:
            if self.stake(seat, "field") > 5 * self.stake(seat, "play") > 0:
                raise NotAllowed("The Field is at most five times Play.")

    def play(self) -> Items:
        yield task(self.open_betting)

    def open_betting(self) -> Items:
        yield self.game.betting("again" if self.rolled_before else "come-out")
        yield task(self.shoot)

    def shoot(self) -> Items:
        shooter = self.shooter if self.shooter in self.playing else self.playing[0]
        yield note(shooter=shooter, rolled_before=True)
        yield Choose(frozenset({shooter}), (DEALER_ROLLS, SHOOT))
        yield Roll(4)
        yield task(self.rolled)

    def rolled(self) -> Items:
        assert isinstance(self.dice, tuple)
        first, second, *bonus = self.dice
        total, pair = first + second, bonus[0] == bonus[1]
        yield Call(f"{total}.")
        for seat in self.playing:
            yield from self.settle(seat, total, pair)
        if pair:
            yield Choose(Role.DEALER, (PAIR,))
        if total not in (4, 7, 10):
            yield task(self.open_betting)

    def settle(self, seat: Seat, total: int, pair: bool) -> Items:
        if self.stake(seat, "field"):
            field = self.by_table(seat, "field", "High" if total > 7 else None, "T-31", losing="Low")
            yield replace(field, stake=Stake.STAYS) if field.pay else field
        if self.stake(seat, "play") and total in (4, 7, 10):
            yield (
                self.lose(seat, "play", "Seven", "T-32")
                if total == 7
                else self.win(seat, "play", "Point", EVEN, "T-32")
            )
        if self.stake(seat, "ride"):
            if total == 7:
                yield self.lose(seat, "ride", "Seven", "T-33")
            elif pair:
                yield replace(self.win(seat, "ride", "Pair", EVEN, "T-33"), stake=Stake.STAYS)


ROUND = Riding
