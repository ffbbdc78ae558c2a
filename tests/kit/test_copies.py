"""Copies of values that change often are those of the standard library."""

import dataclasses
from dataclasses import dataclass, field
from functools import cached_property

import pytest

from feltworks.floor.table.state import Occupant
from feltworks.kit.copies import replace


@dataclass(frozen=True)
class Sum:
    """A value that remembers what follows from it."""

    numbers: tuple[int, ...]
    name: str = "sum"
    seen: list[int] = field(default_factory=list, compare=False)

    @cached_property
    def total(self) -> int:
        self.seen.append(1)
        return sum(self.numbers)


def test_a_copy_has_the_fields_that_were_given_and_the_others_as_they_were() -> None:
    for value, changes in (
        (Occupant("ann"), {"ready": True, "missed": 2}),
        (Occupant("ann", away_since=5), {}),
        (Sum((1, 2)), {"name": "another"}),
    ):
        assert replace(value, **changes) == dataclasses.replace(value, **changes)


def test_what_followed_from_the_old_fields_is_not_in_the_copy() -> None:
    value = Sum((1, 2))
    assert value.total == 3
    assert replace(value, numbers=(4,)).total == 4
    assert value.total == 3


def test_a_field_that_there_is_not_is_refused() -> None:
    with pytest.raises(TypeError, match="Occupant has no field reddy, seat"):
        replace(Occupant("ann"), reddy=True, seat=1)


def test_a_value_that_makes_something_of_its_fields_is_not_copied_like_this() -> None:
    @dataclass(frozen=True)
    class Checked:
        number: int

        def __post_init__(self) -> None:
            assert self.number

    with pytest.raises(AssertionError, match="Checked is more than its fields"):
        replace(Checked(1), number=0)
