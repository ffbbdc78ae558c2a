"""Linear equations over fractions, exactly."""

from fractions import Fraction

from flint import fmpq, fmpq_mat

Row = dict[int, Fraction]


def solve(rows: list[Row], right: list[Fraction]) -> list[Fraction]:
    """x with rows[i] . x = right[i]. The rows must be independent."""
    size = range(len(rows))
    left = fmpq_mat(len(rows), len(rows), [_exact(row.get(column, Fraction(0))) for row in rows for column in size])
    try:
        solution = left.solve(fmpq_mat(len(rows), 1, [_exact(value) for value in right]))
    except ZeroDivisionError:
        raise ValueError("the equations are not independent") from None
    return [Fraction(int(solution[row, 0].p), int(solution[row, 0].q)) for row in size]


def _exact(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)
