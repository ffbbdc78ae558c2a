"""Linear equations over fractions, exactly."""

from fractions import Fraction

Row = dict[int, Fraction]


def solve(rows: list[Row], right: list[Fraction]) -> list[Fraction]:
    """x with rows[i] . x = right[i], by elimination on sparse rows. The rows must be independent."""
    rows = [dict(row) for row in rows]
    right = list(right)
    order: list[int] = []
    waiting = set(range(len(rows)))
    for column in range(len(rows)):
        candidates = [i for i in waiting if rows[i].get(column)]
        if not candidates:
            raise ValueError("the equations are not independent")
        pivot = min(candidates, key=lambda i: len(rows[i]))
        waiting.discard(pivot)
        order.append(pivot)
        for i in waiting:
            if factor := rows[i].pop(column, None):
                factor /= rows[pivot][column]
                for k, value in rows[pivot].items():
                    if k != column:
                        left = rows[i].get(k, Fraction(0)) - factor * value
                        if left:
                            rows[i][k] = left
                        else:
                            rows[i].pop(k, None)
                right[i] -= factor * right[pivot]
    found = [Fraction(0)] * len(rows)
    for column in reversed(range(len(rows))):
        row = rows[order[column]]
        rest = sum((value * found[k] for k, value in row.items() if k != column), Fraction(0))
        found[column] = (right[order[column]] - rest) / row[column]
    return found
