"""What an amount is in chips, as a dealer cuts it: the fewest of the largest first (F-03)."""

from dataclasses import dataclass
from typing import Final

from feltworks.floor.accounts import Cents

STANDARD: Final = (100_000, 50_000, 10_000, 2_500, 500, 100, 50, 25, 10, 5, 1)
"""The values of chips that a house has where nothing else is said, the largest first; below a dollar they are coins."""


@dataclass(frozen=True)
class Chips:
    """Piles of chips by their value, the largest first, and what is too small for any chip of the table."""

    piles: tuple[tuple[Cents, int], ...]
    loose: Cents = 0


def in_chips(amount: Cents, smallest: Cents = 1) -> Chips:
    """The chips for an amount at a table whose smallest chip this is. Values that are no multiple of it are not in its
    tray, for they could not be changed there."""
    if amount < 0 or smallest < 1:
        raise ValueError(f"{amount} cents cannot be cut into chips of {smallest}.")
    piles = []
    left = amount
    for value in sorted({*(v for v in STANDARD if v % smallest == 0), smallest}, reverse=True):
        count, left = divmod(left, value)
        if count:
            piles.append((value, count))
    return Chips(tuple(piles), left)
