"""Amounts in chips, as the dealer's screen shows them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltworks.floor.chips import STANDARD, in_chips


@pytest.mark.rule("F-03", "F-27")
@pytest.mark.parametrize(
    ("cents", "smallest", "piles", "loose"),
    [
        (0, 1, (), 0),
        (2_500, 100, ((2_500, 1),), 0),
        (113_600, 100, ((100_000, 1), (10_000, 1), (2_500, 1), (500, 2), (100, 1)), 0),
        (1_250, 1, ((500, 2), (100, 2), (50, 1)), 0),
        (1_250, 250, ((500, 2), (250, 1)), 0),
        (1_250, 500, ((500, 2),), 250),
        (37, 1, ((25, 1), (10, 1), (1, 2)), 0),
    ],
)
def test_an_amount_is_cut_into_the_largest_chips_of_the_table_first(
    cents: int, smallest: int, piles: tuple[tuple[int, int], ...], loose: int
) -> None:
    chips = in_chips(cents, smallest)
    assert (chips.piles, chips.loose) == (piles, loose)


@pytest.mark.rule("F-03")
@given(st.integers(0, 10_000_000), st.sampled_from((1, 5, 25, 50, 100, 250, 500, 700, 2_500)))
def test_chips_add_up_to_their_amount_and_what_is_loose_is_less_than_a_chip(cents: int, smallest: int) -> None:
    chips = in_chips(cents, smallest)
    assert sum(value * count for value, count in chips.piles) + chips.loose == cents
    assert chips.loose < smallest
    assert all(value in STANDARD or value == smallest for value, _ in chips.piles)
    assert [value for value, _ in chips.piles] == sorted({value for value, _ in chips.piles}, reverse=True)


def test_a_negative_amount_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="-1 cents cannot be cut into chips of 5"):
        in_chips(-1, 5)
