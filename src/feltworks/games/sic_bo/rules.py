"""Sic Bo: one roll of three dice, and wagers on their sum, on numbers, on pairs and on three alike."""

from dataclasses import dataclass

from feltworks.kit import Call, Items, NoRoll, Roll, Round, Settlement, task

TOTALS = ("4, 17", "5, 16", "6, 15", "7, 14", "8, 13", "9, 12", "10, 11")
"""The lines of the totals: 4 and 17 are as rare as each other, and so on."""
MATCHES = (None, "One die", "Two dice", "Three dice")
"""The line of a single number, by how many dice show it."""


@dataclass(frozen=True)
class SicBo(Round):
    """One round, in the order of the rules."""

    @staticmethod
    def alike(dice: tuple[int, ...]) -> tuple[int, ...]:
        """SB-01: it does not matter which die shows what."""
        return tuple(sorted(dice))

    def play(self) -> Items:
        """SB-01: wagers are made, and three dice are rolled."""
        yield self.game.betting("open")
        yield task(self.roll)

    def roll(self) -> Items:
        """SB-01: three dice together."""
        yield Roll(3)
        yield task(self.rolled)

    def rolled(self) -> Items:
        """SB-01: the roll decides every wager; one that does not count is made again."""
        if isinstance(self.dice, NoRoll):
            yield Call("No roll.")
            yield task(self.roll)
            return
        yield Call(f"{', '.join(map(str, sorted(self.dice)))}.")
        for seat, spot in self.wagers:
            rule, line = decided(self.game.wager_of(spot).name, spot, self.dice)
            yield self.by_table(seat, spot, line, rule, losing="Not rolled")

    def why(self, settled: Settlement, before: Round) -> str:
        """SB-01: what the dice show, and their sum."""
        if isinstance(self.dice, NoRoll):
            return "no roll"
        first, second, third = sorted(self.dice)
        return f"{first}, {second} and {third} make {first + second + third}"


def decided(wager: str, spot: str, dice: tuple[int, ...]) -> tuple[str, str | None]:
    """SB-02 to SB-07: the statement by which a wager is decided, and the line on which it wins, if it does."""
    total, triple = sum(dice), len({*dice}) == 1
    named = [int(part) for part in spot.split("_") if part.isdecimal()]
    shown = [dice.count(number) for number in named]
    match wager:
        case "small":
            return "SB-02", "Small" if total <= 10 and not triple else None
        case "big":
            return "SB-02", "Big" if total >= 11 and not triple else None
        case "total":
            return "SB-03", TOTALS[min(total - 4, 17 - total)] if total in named else None
        case "single":
            return "SB-04", MATCHES[shown[0]]
        case "pair":
            return "SB-05", "Both" if all(shown) else None
        case "double":
            return "SB-06", "Double" if shown[0] >= 2 else None
        case "triple":
            return "SB-07", "Triple" if shown[0] == 3 else None
        case _:
            return "SB-07", "Triple" if triple else None


ROUND = SicBo
