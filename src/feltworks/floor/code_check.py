"""Whether the code and the definitions that decide outcomes are still those that were loaded (F-39).

Hashing reads some hundreds of files, so while the tables are served it is done in a thread of its own. What follows
from it is an ordinary command to the house.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from feltworks import games
from feltworks.floor.administration import NoteCode
from feltworks.floor.table.state import Table
from feltworks.kit import code_hash
from feltworks.kit.code_hash import folders_hash
from feltworks.kit.errors import FeltworksError
from feltworks.kit.loader import describe_folder

PARTS = {
    "kit": Path(code_hash.__file__).parent,
    "games": games.HOME,
    "floor": Path(__file__).parent,
}
"""What decides outcomes: the vocabulary of rounds, the rules of the games, the tables with their chance and pays."""
CODE, EVERY_FILE = (".py", ".toml"), ("",)
"""How the names of files end that are hashed."""
CHECK_EVERY = 12 * 3_600_000
"""At least every 24 hours: one look may fail and be late without that being missed."""


@cache
def loaded_code() -> dict[str, str]:
    """The hashes of the code as it was when they were first asked for: a house asks for them when it starts."""
    return hash_code()


def hash_code() -> dict[str, str]:
    """By part. A game that another package brings is a part of its own, whether a table plays it or not: one that is
    opened later runs what was loaded by then. Of such a package every file counts, as nobody knows what its rules
    read."""
    parts = {part: _hash([folder], CODE) for part, folder in PARTS.items()}
    return parts | {f"game {name}": _hash(folders, EVERY_FILE) for name, folders in games.of_other_packages().items()}


def look(loaded: Mapping[str, str], tables: Mapping[str, Table]) -> NoteCode:
    """What is on the disk now, beside what was loaded."""
    opened = {name: table.game.fingerprint["definition"] for name, table in tables.items()}
    on_disk = {name: definition_on_disk(table) for name, table in tables.items()}
    return NoteCode(dict(loaded), hash_code(), opened, on_disk)


def definition_on_disk(table: Table) -> str:
    """The fingerprint of what a table plays, by its game's files as they are now; nothing of them is run. Empty where
    they cannot be read, or the table could not be opened by them."""
    settings = table.settings
    try:
        found = describe_folder(table.game.folder).configured(
            version=settings.version,
            decks=settings.decks,
            readings=settings.readings,
            pay=settings.pay,
            without=settings.without,
        )
    except (FeltworksError, OSError):
        return ""
    return found.fingerprint["definition"]


def _hash(folders: Iterable[Path], endings: Iterable[str]) -> str:
    """Empty where a file cannot be read."""
    try:
        return folders_hash(folders, endings)
    except OSError:
        return ""
