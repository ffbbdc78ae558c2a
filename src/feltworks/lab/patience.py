"""Whether somebody waits for what takes long."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_PATIENT: ContextVar[bool] = ContextVar("patient", default=False)


@contextmanager
def however_long(patient: bool = True) -> Iterator[None]:
    """What is solved within is waited for, as long as it takes."""
    token = _PATIENT.set(patient)
    try:
        yield
    finally:
        _PATIENT.reset(token)


def is_patient() -> bool:
    return _PATIENT.get()
