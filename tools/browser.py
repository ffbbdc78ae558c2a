"""Which Chromium the browser tests use: CHROMIUM, one on PATH, or the one that npm brought. Prints its path."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome-headless-shell")
FROM_NPM = Path(__file__).resolve().parent.parent / ".venv" / "chromium" / "start"


def find() -> str | None:
    """The first browser that starts."""
    named = os.environ.get("CHROMIUM")
    candidates = [named] if named else [shutil.which(name) for name in NAMES] + [str(FROM_NPM)]
    return next((path for path in candidates if path and _starts(path)), None)


def _starts(path: str) -> bool:
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


if __name__ == "__main__":
    found = find()
    if found is None:
        sys.exit("No Chromium was found: install chromium-headless-shell or chromium, or name it with CHROMIUM=...")
    print(found)
