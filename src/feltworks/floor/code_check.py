"""Whether the code and the definitions that decide outcomes are still those that were loaded (F-39).

Hashing reads some hundreds of files, so while the tables are served it is done in a thread of its own. What follows
from it is an ordinary command to the house.
"""

from collections.abc import Mapping
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
CHECK_EVERY = 12 * 3_600_000
"""At least every 24 hours: one look may fail and be late without that being missed."""


@cache
def loaded_code() -> dict[str, str]:
    """The hashes of the code as it was when they were first asked for: a house asks for them when it starts."""
    return hash_code()


def hash_code() -> dict[str, str]:
    return {part: _hash(folder) for part, folder in PARTS.items()}


def look(loaded: Mapping[str, str], tables: Mapping[str, Table]) -> NoteCode:
    """What is on the disk now, beside what was loaded. A game that another package brings is a part of its own."""
    before, code = dict(loaded), hash_code()
    for table in tables.values():
        if not table.game.folder.is_relative_to(games.HOME):
            part = f"game {table.game.name}"
            before.setdefault(part, table.game.build)
            code.setdefault(part, _hash(PARTS["kit"], *table.game.folders))
    opened = {name: table.game.fingerprint["definition"] for name, table in tables.items()}
    return NoteCode(before, code, opened, {name: definition_on_disk(table) for name, table in tables.items()})


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


def _hash(*folders: Path) -> str:
    """Empty where a file cannot be read."""
    try:
        return folders_hash(folders)
    except OSError:
        return ""
