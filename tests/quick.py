"""How much a test does: all of it in `make test`, a share of it in `make check`."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest
from hypothesis import settings

FULL, QUICK = 100, 10
"""Examples of a test that does not say how many."""


def share(number: int) -> int:
    """So many examples or rounds, or the quick run's share of them."""
    return -(-number * settings().max_examples // FULL)


def cases(every: Iterable[Any], quick: Collection[Any]) -> list[Any]:
    """Every case of a test; the quick run takes some of them."""
    return [pytest.param(case, marks=[] if case in quick else [pytest.mark.slow]) for case in every]
