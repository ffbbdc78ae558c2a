"""Whether the code and the definitions that decide outcomes are still those that were loaded (F-39).

Hashing reads some hundreds of files, so while the tables are served it is done in a thread of its own. What follows
from it is an ordinary command to the house.
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from pathlib import Path

from feltworks import games
from feltworks.floor import deadlines
from feltworks.floor.actors import PROGRAM
from feltworks.floor.administration import CodeChecked, NoteCode
from feltworks.floor.house_interface import HouseInterface
from feltworks.floor.streams import HOUSE_STREAM
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

Time = int
_log = logging.getLogger("feltworks.house")


class CodeCheck:
    """What a house does about its code."""

    def __init__(self, house: HouseInterface) -> None:
        self.house = house
        self.loaded = loaded_code()
        self.at: Time | None = None
        """When the code was last compared with what was loaded."""
        self.found: CodeChecked | None = None
        """What was found then."""

    @property
    def is_due(self) -> bool:
        """Whether it is time to look at the code again."""
        return self.at is None or self.house.clock() - self.at >= CHECK_EVERY

    def look(self) -> Callable[[], NoteCode]:
        """What looks at the code as it is on the disk, for any thread to do: then `note` says what follows."""
        return partial(look, self.loaded, {name: live.table for name, live in self.house.tables.items()})

    def note(self, found: NoteCode) -> None:
        """F-39: whoever serves the tables calls this at the start and every half day. Where the code is not what was
        loaded, or a definition not what its table was opened with, the round is played to its end and no other starts;
        and that is due to be reported."""
        if self.house.fault:
            return
        with self.house.as_one():
            before = self.house.administration
            self.house.carry_out(HOUSE_STREAM, found, PROGRAM)
            now_known = self.house.administration
            for name in self.house.tables:
                if (why := now_known.stops(name)) and self.house.table(name).service in ("open", "paused"):
                    try:
                        self.house.close_table(name, why)
                    except FeltworksError as problem:
                        _log.error("The table %s could not be closed: %s", name, problem, extra={"table": name})
            if now_known.is_other_code and not before.is_other_code:
                differing = (f"the definition of table {name}" for name in now_known.differing)
                about = ", ".join((*now_known.changed, *differing))
                _log.error("These are not what was loaded: %s.", about)
                now = self.house.clock()
                self.house.note_due(deadlines.note_due("code_difference", f"code/{now}", about, now), now)


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
