"""The examples at the top of the counting modules come out as they are printed."""

import doctest
from types import ModuleType

import pytest

from feltworks.games.blackjack.enumerator import (
    dealer_totals,
    integer_values,
    solution,
    split_hands,
    upcard_solver,
)


@pytest.mark.parametrize("module", [dealer_totals, integer_values, solution, split_hands, upcard_solver])
def test_a_worked_example_comes_out_as_it_is_printed(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried and not failed
