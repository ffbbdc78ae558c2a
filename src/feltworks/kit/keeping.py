"""Where what was computed once is kept for the next time."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def cache_folder() -> Path:
    """The user's own folder for it; whoever cannot write there computes again."""
    base = os.environ.get("XDG_CACHE_HOME")
    with suppress(RuntimeError):  # nobody's home
        return (Path(base) if base else Path.home() / ".cache") / "feltworks"
    return Path(tempfile.gettempdir()) / "feltworks"
