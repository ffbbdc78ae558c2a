"""Where what was computed once is kept for the next time."""

import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_path

DAYS_UNUSED = 30
"""So long a folder of another version is kept that nobody uses."""


def cache_folder() -> Path:
    """The user's own folder for it; whoever cannot write there computes again."""
    with suppress(RuntimeError):  # nobody's home
        return user_cache_path("feltworks")
    return Path(tempfile.gettempdir()) / "feltworks"


def version_folder(kind: str, version: str) -> Path:
    """The folder for what is kept for one version; those of the same kind that have not been used for long are removed.

    A version in use marks its folder with the time, so that versions used side by side leave each other alone.
    """
    folder = cache_folder() / f"{kind}-{version}"
    with suppress(OSError):
        os.utime(folder)
    for other in folder.parent.glob(f"{kind}-*"):
        with suppress(OSError):
            if other != folder and time.time() - other.stat().st_mtime > 24 * 60 * 60 * DAYS_UNUSED:
                shutil.rmtree(other)
    return folder
