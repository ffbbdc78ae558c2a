"""Roulette: a wheel with one zero or two, and wagers on the number in whose pocket the ball comes to lie."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from feltworks.kit import Call, Items, Round, Seat, Settlement, Spin, note, task

NUMBERS = range(1, 37)
RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
EVEN_CHANCES = {
    "red": RED,
    "black": {*NUMBERS} - RED,
    "odd": NUMBERS[::2],
    "even": NUMBERS[1::2],
    "low": NUMBERS[:18],
    "high": NUMBERS[18:],
}
LARGE = {f"dozen-{n}": NUMBERS[12 * n - 12 : 12 * n] for n in (1, 2, 3)} | {
    f"column-{n}": NUMBERS[n - 1 :: 3] for n in (1, 2, 3)
}
ZEROS = ("0", "00")


def covered(spot: str) -> set[str]:
    """RT-03, RT-04: the pockets of a spot; one inside the layout is called by its numbers, such as 17-18-20-21."""
    outside = {**EVEN_CHANCES, **LARGE}
    return {*map(str, outside[spot])} if spot in outside else {*spot.split("-")}


@dataclass(frozen=True)
class Roulette(Round):
    """One spin, in the order of the rules."""

    prison: frozenset[tuple[Seat, str]] = frozenset()
    """The even chances that lie there from the spin before, which came to a zero."""

    @property
    def carry(self) -> Mapping[str, Any]:
        """RT-05: what goes to prison stays as it is until a spin decides it."""
        return self.left_up

    @property
    def told(self) -> dict[str, str]:
        """RT-05: what is in prison."""
        held = [f"{self.game.spot_title(spot)} of seat {seat}" for seat, spot in sorted(self.prison)]
        return {"in prison": ", ".join(held)} if held else {}

    def play(self) -> Items:
        """RT-01, RT-02: wagers are made; then the wheel is spun."""
        yield note(prison=frozenset(self.wagers))
        yield self.game.betting("open")
        yield Call("No more bets.")
        (wheel,) = self.game.wheels
        yield Spin(wheel)
        yield task(self.settle)

    def settle(self) -> Items:
        """RT-02, RT-03, RT-04: the pocket decides every wager."""
        pocket = str(self.pocket)
        yield Call(pocket if pocket in ZEROS else f"{pocket}, {'red' if int(pocket) in RED else 'black'}")
        held = set()
        for seat, spot in sorted(self.wagers):
            if spot in EVEN_CHANCES and pocket in ZEROS and self.game.reading("zero") == "prison":
                held.add((seat, spot))
            else:
                yield self.decided(seat, spot, pocket)
        yield note(contract=frozenset(held))

    def decided(self, seat: Seat, spot: str, pocket: str) -> Settlement:
        """RT-03, RT-04, RT-05: one wager."""
        wins = pocket in covered(spot)
        if (seat, spot) in self.prison:
            return self.push(seat, spot, "Released", "RT-05") if wins else self.lose(seat, spot, "Kept", "RT-05")
        if spot in EVEN_CHANCES and pocket in ZEROS and self.game.reading("zero") == "half":
            return self.lose_half(seat, spot, "La partage", "RT-05")
        rule = "RT-04" if spot in EVEN_CHANCES or spot in LARGE else "RT-03"
        return self.by_table(seat, spot, self.game.wager_of(spot).title if wins else None, rule, "Another number")

    def why(self, settled: Settlement, before: Round) -> str:
        """RT-02: where the ball lies."""
        return f"the ball lies in {self.pocket}"


ROUND = Roulette
