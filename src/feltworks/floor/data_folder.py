"""The folder of a house: where it is, and the names of the files in it."""

from pathlib import Path

from platformdirs.unix import Unix

RECORDS, KEYS, PUBLIC = "records.db", "house.key", "house.public"


def data_folder(given: Path | None) -> Path:
    """Where the records lie: the folder that is given, or the user's own, which is the same on every system."""
    return given if given is not None else Unix("feltworks").user_data_path
