"""What was counted of a game, kept in files: counting is done once, and the first answer comes at once.

A file is named by the fingerprint of the definition it was counted for, and holds a hash of what is in it. The package
ships some; what else is asked for is counted and kept in the user's cache. A file that is of another game, damaged or
from another version is passed over and counted anew; a cache that cannot be written to is done without.
"""

import hashlib
import json
import logging
import os
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from feltworks.kit.exact import Enumerator
from feltworks.kit.game import Game
from feltworks.kit.keeping import cache_folder

FORMAT = 1
SHIPPED = "results"
"""The folder beside a game's rules with the files that ship with it."""

log = logging.getLogger(__name__)


def enumerator_of(game: Game) -> Enumerator:
    """The module that counts a game's deals."""
    return cast(Enumerator, import_module(game.enumerator))


class Results:
    """The parts of what is counted of one game, from its files or counted when they are first asked for."""

    def __init__(self, game: Game, *, cache: Path | None = None, shipped: bool = True) -> None:
        self.enumerator = enumerator_of(game)
        self.game = self.enumerator.essential(game)
        self.definition = self.game.fingerprint["definition"]
        self.parts: dict[str, Any] = {}
        self._cache = cache_folder() if cache is None else cache
        if shipped:
            self.parts |= self._read(self.game.folder / SHIPPED / self._name)
        self.parts |= self._read(self._cache / self._name)

    @property
    def _name(self) -> str:
        return f"{self.game.name}-{self.definition[:16]}.json"

    def __call__(self, part: str) -> Any:
        if part not in self.parts:
            self.parts[part] = self.enumerator.PARTS[part](self.game)
            self._keep()
        return self.parts[part]

    def _read(self, path: Path) -> dict[str, Any]:
        """The parts in a file; none if there is no such file, or not for this game and whole."""
        try:
            text = path.read_bytes()
        except OSError:
            return {}
        try:
            told = json.loads(text)
            parts = told["parts"]
            sound = (
                told["format"] == FORMAT
                and told["definition"] == self.definition
                and told["sha256"] == _hash(parts)
                and set(parts) <= set(self.enumerator.PARTS)
            )
        except (ValueError, KeyError, TypeError, RecursionError):
            sound = False
        if not sound:
            log.warning("%s is damaged or of another game; it is passed over and counted anew.", path)
            return {}
        return dict(parts)

    def _keep(self) -> None:
        """Write what is known now; whoever reads meanwhile sees the old file or the new one."""
        with suppress(OSError):
            self.write(self._cache)

    def write(self, folder: Path) -> Path:
        """Write the parts that are known into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        told = {
            "format": FORMAT,
            "game": self.game.name,
            "definition": self.definition,
            "sha256": _hash(self.parts),
            "parts": self.parts,
        }
        descriptor, name = tempfile.mkstemp(dir=folder, prefix=".", suffix=".part")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(json.dumps(told, separators=(",", ":")) + "\n")
            os.replace(name, folder / self._name)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise
        return folder / self._name


def _hash(parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


_KNOWN: dict[str, Results] = {}


def results_of(game: Game) -> Results:
    """The results of a game, read once in a process."""
    definition = enumerator_of(game).essential(game).fingerprint["definition"]
    if definition not in _KNOWN:
        _KNOWN[definition] = Results(game)
    return _KNOWN[definition]
