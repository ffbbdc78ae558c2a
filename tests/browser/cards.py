"""Shoes whose first cards the test lays. All else of them is as ever: root, salts, openings."""

from collections import deque
from collections.abc import Iterable
from typing import TypeVar

import pytest

from feltworks.floor.chance import shoe
from feltworks.floor.chance.generator import Generator

T = TypeVar("T")


def stack(patch: pytest.MonkeyPatch, *deals: str) -> None:
    """The next shoes made in this process begin with these cards, a text of them for each: "Kh 9c 4d"."""
    left = deque(deal.split() for deal in deals)
    laid: dict[bytes, list[str]] = {}
    """By the seed: a shoe that is opened again lies as it lay."""

    class Stacked(Generator):
        def __init__(self, seed: bytes) -> None:
            super().__init__(seed)
            self.seed = seed

        def shuffled(self, items: Iterable[T]) -> list[T]:
            order = super().shuffled(items)
            if self.seed not in laid:
                laid[self.seed] = left.popleft() if left else []
            for place, wanted in enumerate(laid[self.seed]):
                found = next(i for i in range(place, len(order)) if getattr(order[i], "text", None) == wanted)
                order[place], order[found] = order[found], order[place]
            return order

    patch.setattr(shoe, "Generator", Stacked)
