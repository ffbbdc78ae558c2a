"""How what must be fast is compiled. Importing this module brings Numba with it, so only what computes imports it."""

from collections.abc import Callable
from typing import Any

from numba import njit


def compiled(function: Callable[..., Any]) -> Any:
    """Compiled when first called, without the interpreter's lock, and kept on disk where that can be written to."""
    try:
        return njit(nogil=True, cache=True)(function)
    except RuntimeError:
        return njit(nogil=True)(function)
