"""The folder of a house: where it is, and the names of the files in it."""

import os
from pathlib import Path

RECORDS, KEYS, PUBLIC = "records.db", "house.key", "house.public"


def data_folder(given: Path | None) -> Path:
    """Where the records lie: the folder that is given, or the user's own."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return given if given is not None else Path(home) / "feltworks"
