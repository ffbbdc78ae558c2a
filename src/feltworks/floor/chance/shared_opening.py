"""What a record holds of the positions that a round opens; `openings.py` makes and checks it."""

from typing import Literal

import msgspec

What = Literal["card", "dice", "spin"]
"""What is opened: a card, a roll of dice, or where the wheels of a game stop."""


class SharedOpening(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The opened positions under one root: whose cards, rolls or spins they were, what they show, their salts, one
    proof."""

    root: str
    size: int
    tokens: list[tuple[int | None, str]]
    positions: list[int]
    faces: list[str]
    salts: bytes
    proof: bytes
    dice: bool = False
    spin: bool = False

    @property
    def what(self) -> What:
        return "spin" if self.spin else "dice" if self.dice else "card"
