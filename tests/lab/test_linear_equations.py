"""Linear equations over fractions come out exactly."""

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from feltworks.lab.linear_equations import solve


@given(st.lists(st.lists(st.integers(-5, 5), min_size=4, max_size=4), min_size=4, max_size=4), st.data())
def test_the_solution_put_back_gives_the_right_hand_side(matrix: list[list[int]], data: st.DataObject) -> None:
    right = [Fraction(data.draw(st.integers(-9, 9))) for _ in matrix]
    rows = [{k: Fraction(v) for k, v in enumerate(row) if v} for row in matrix]
    found: list[Fraction] = []
    with suppress(ValueError):
        found = solve(rows, right)
    assume(found)
    for row, wanted in zip(matrix, right, strict=True):
        assert sum(Fraction(v) * x for v, x in zip(row, found, strict=True)) == wanted


def test_equations_that_depend_on_each_other_are_refused() -> None:
    row = {0: Fraction(1), 1: Fraction(2)}
    with pytest.raises(ValueError, match="not independent"):
        solve([row, row], [Fraction(1), Fraction(1)])


def test_the_rows_that_are_given_are_left_alone() -> None:
    rows = [{0: Fraction(2), 1: Fraction(1)}, {0: Fraction(1), 1: Fraction(3)}]
    assert solve(rows, [Fraction(3), Fraction(4)]) == [1, 1]
    assert rows == [{0: 2, 1: 1}, {0: 1, 1: 3}]
