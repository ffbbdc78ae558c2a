"""How much a test does: a share of it in `make check`, all of it in `make test`, and far more in `make soak`."""

import os
from collections.abc import Collection, Iterable
from typing import Any

import pytest
from hypothesis import settings

QUICK, FULL, SOAK = 10, 100, 2_000
"""Examples of a test that does not say how many."""
SEED = int(os.environ.get("SEED", "0"))
"""Where tests that draw begin: `make soak` begins elsewhere each time and prints where, SEED=... begins there again."""


def soaking() -> bool:
    return settings().max_examples == SOAK


def share(number: int, soak: int | None = None) -> int:
    """So many examples or rounds, the quick run's share of them, or as many as are wanted in a soak."""
    if soak is not None and soaking():
        return soak
    return -(-number * settings().max_examples // FULL)


def sigmas(number: float) -> float:
    """How many standard deviations a figure may be off. A seed that nobody has tried may not fail by bad luck alone."""
    return number + 2 if soaking() else number


def cases(every: Iterable[Any], quick: Collection[Any], test: Collection[Any] | None = None) -> list[Any]:
    """The cases of a test: some in a quick run; all, or those of `test`, in a whole one; and all in a soak."""
    return [
        pytest.param(case, marks=[] if case in quick else [pytest.mark.slow])
        for case in every
        if test is None or case in test or soaking()
    ]
