"""How what must be fast is compiled. Importing this module brings Numba with it, so only what computes imports it.

Compiled code is kept on disk for the next time. Numba looks at the file of a function alone to see whether what it kept
is still right. But what is compiled is also made of the functions that it calls and of the constants that it reads,
from any file. So each module has a folder for the code as it is now: its own, and that of all modules which it imports.
A folder for other code is removed once it has not been used for a month. Where nothing can be written, or where there
is no file to look at, it is compiled each time.
"""

import hashlib
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import config, njit
from numba.core.event import Event, Listener, register

from feltworks.kit.cache_folder import version_folder
from feltworks.kit.code_hash import code_hash, modules_of

CHOSEN: str = config.CACHE_DIR  # type: ignore[attr-defined]
"""Where the user has Numba keep what it compiles (NUMBA_CACHE_DIR); nowhere in particular, if that is empty."""


@cache
def folder_of(module: str) -> Path | None:
    """The folder for what is compiled of a module, as the code is now; none if it has no file."""
    if module not in modules_of(module):
        return None
    version = hashlib.sha256(f"{numba.__version__} {np.__version__} {code_hash(module)}".encode()).hexdigest()[:16]
    return Path(CHOSEN, f"compiled-{version}") if CHOSEN else version_folder("compiled", version)


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
    folder = folder_of(function.__module__)
    if folder is None:
        return njit(nogil=True)(function)
    config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    try:
        return njit(nogil=True, cache=True)(function)
    except RuntimeError:
        return njit(nogil=True)(function)
    finally:
        config.CACHE_DIR = CHOSEN  # type: ignore[attr-defined]
