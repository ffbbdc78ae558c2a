"""How what must be fast is compiled. Importing this module brings Numba with it, so only what computes imports it.

Compiled code is kept on disk for the next time, in a folder for the code as it is now: what is compiled may be made of
functions of several files, and a change in any of them makes all of it anew. A folder for other code is removed once it
has not been used for a month. Where nothing can be written, it is compiled each time.
"""

import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba import config, njit
from numba.core.event import Event, Listener, register

from feltworks.kit.keeping import version_folder

PACKAGE = Path(__file__).parent.parent


def code_now() -> str:
    """A hash of every file that has something compiled in it."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(path for room in ("kit", "games", "lab") for path in (PACKAGE / room).rglob("*.py")):
        code = path.read_bytes()
        if b"@compiled" in code:
            digest.update(code)
    return digest.hexdigest()[:16]


if not config.CACHE_DIR:  # type: ignore[attr-defined]
    config.CACHE_DIR = str(version_folder("compiled", code_now()))  # type: ignore[attr-defined]


class Watch(Listener):
    """How long this process has compiled, which it need not do where the code was kept from an earlier time."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._depth = 0
        self._since = 0.0

    def on_start(self, event: Event) -> None:
        if not self._depth:
            self._since = time.perf_counter()
        self._depth += 1

    def on_end(self, event: Event) -> None:
        self._depth -= 1
        if not self._depth:
            self.seconds += time.perf_counter() - self._since


WATCH = Watch()
register("numba:compile", WATCH)  # type: ignore[no-untyped-call]


def compiled(function: Callable[..., Any]) -> Any:
    """Compiled when first called, without the interpreter's lock, and kept on disk where that can be written to."""
    try:
        return njit(nogil=True, cache=True)(function)
    except RuntimeError:
        return njit(nogil=True)(function)
