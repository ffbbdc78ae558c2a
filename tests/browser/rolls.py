"""Dice that the test lays. All else of them is as ever: root, salts, openings."""

from collections import deque

import pytest

from feltworks.floor.chance import shoe
from feltworks.floor.chance.generator import Generator


def lay(patch: pytest.MonkeyPatch, *games: str) -> None:
    """The next rounds begin with these rolls, a text of them for each: "3351 6112" is first a 6 with bonus dice 6."""
    left = deque(game.split() for game in games)

    class Laid(Generator):
        def __init__(self, seed: bytes) -> None:
            super().__init__(seed)
            self.rolls = deque(left.popleft() if left else [])

        def roll(self, dice: int) -> tuple[int, ...]:
            found = super().roll(dice)
            wanted = tuple(map(int, self.rolls.popleft())) if self.rolls else ()
            return wanted + found[len(wanted) :]

    patch.setattr(shoe, "Generator", Laid)
