"""What was counted of a game, kept in files: counting is done once, and the first answer comes at once.

The package ships some, and these come first; what else is asked for is counted and kept in the user's cache, in a
folder for the code that counted it, which is removed once it has not been used for a month. A file is used only if it
is of the definition that is asked about and was counted by the code as it is now, which the hash of all modules that
take part in the count tells; where the rules themselves are walked for it, with the hash of the game's build. What it
holds is still checked before it is used: there is nothing in it but whole numbers and text, and all of it must fit
together. Of each part that is counted piece by piece, some pieces are counted again, and nobody can foretell which. A
file that fails is not used, which is said in a sentence, and what was in it is counted anew. A cache that cannot be
written to is done without.

This finds what is old, damaged or was altered. It is no seal: whoever can write these files can write the program too.
Only a recount is a proof.
"""

import hashlib
import json
import logging
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from random import SystemRandom
from typing import Any, NamedTuple, NoReturn, TypeVar, cast

from feltworks.kit.cache_folder import version_folder
from feltworks.kit.code_hash import code_hash
from feltworks.kit.counted_parts import Pieces, WrongCount, require
from feltworks.kit.enumerator import Enumerator
from feltworks.kit.game import Game
from feltworks.kit.showdown import ENGINE

FORMAT = 2
LARGEST = 32 * 2**20
"""No file with results has more bytes than this."""
SHIPPED = "results"
"""The folder beside a game's rules with the files that ship with it."""
COUNTED_AGAIN = 3
"""How many pieces of each part that was kept are counted again when it is read."""
COUNTED_NOW, KEPT = "counted now", "kept"

T = TypeVar("T")
log = logging.getLogger(__name__)


def enumerator_of(game: Game) -> Enumerator:
    """The module that counts a game's deals."""
    return cast(Enumerator, import_module(game.enumerator))


def counted_by(enumerator: Enumerator) -> str:
    """A hash of all code that takes part in what an enumerator counts."""
    return code_hash(*sorted({part.count.__module__ for part in enumerator.PARTS.values()}))


def _code_of(game: Game, enumerator: Enumerator) -> str:
    """The same for a game; the engine of declared hands walks its rules, which take part then."""
    code = counted_by(enumerator)
    return code if game.enumerator != ENGINE else hashlib.sha256(f"{code} {game.build}".encode()).hexdigest()


def some_of(names: Sequence[str]) -> Sequence[str]:
    """The pieces to be counted again: by the system's chance, so that whoever altered a file cannot know them."""
    return SystemRandom().sample(names, min(COUNTED_AGAIN, len(names)))


class Source(NamedTuple):
    """Where a part is from: the file, if it is from one, and what to call it."""

    file: Path | None
    name: str


class Results:
    """The parts of what is counted of one game, from its files or counted when they are first asked for."""

    def __init__(
        self,
        game: Game,
        *,
        cache: Path | None = None,
        shipped: Path | None = None,
        recount: bool = False,
        pick: Callable[[Sequence[str]], Sequence[str]] | None = None,
    ) -> None:
        self.enumerator = enumerator_of(game)
        self.game = self.enumerator.essential(game)
        self.definition = self.game.fingerprint["definition"]
        self.code = _code_of(game, self.enumerator)
        self.sources: dict[str, Source] = {}
        self._parts: dict[str, Pieces] = {}
        self._checked: set[str] = set()
        self._pick = pick or some_of
        self._cache = version_folder("results", self.code[:16]) if cache is None else cache
        self._unread = not recount
        if not recount:
            self._read((shipped or self.game.folder / SHIPPED) / self._name, is_shipped=True)

    @property
    def _name(self) -> str:
        return f"{self.game.name}-{self.definition[:16]}.json"

    def __call__(self, part: str) -> Pieces:
        pieces = self._known_part(part)
        if pieces is not None and part not in self._checked:
            path = self.sources[part].file
            assert path is not None
            self._check(path)
            return self(part)
        return self._count(part) if pieces is None else pieces

    def _known_part(self, part: str) -> Pieces | None:
        """A part that is known, or is in a file. What was kept is looked at only where what ships does not do."""
        if part not in self._parts and self._unread:
            self._unread = False
            self._read(self._cache / self._name)
        return self._parts.get(part)

    def origin(self, parts: Iterable[str]) -> str:
        """Where these parts are from, in words."""
        return " and ".join(dict.fromkeys(self.sources[part].name for part in parts)) or COUNTED_NOW

    def _count(self, name: str) -> Pieces:
        part = self.enumerator.PARTS[name]
        self._parts[name] = dict(zip(part.names, part.count(self.game, part.names), strict=True))
        self._checked.add(name)
        self.sources[name] = Source(None, COUNTED_NOW)
        self._keep()
        return self._parts[name]

    # Files.

    def _read(self, path: Path, *, is_shipped: bool = False) -> None:
        """Take from a file the parts that are not known yet, to be checked when they are asked for."""
        try:
            if path.stat().st_size > LARGEST:
                raise WrongCount(DAMAGED)
            text = path.read_bytes()
        except OSError:
            return
        except WrongCount as wrong:
            self._refuse(path, wrong)
            return
        try:
            content = _parse(text)
            require(content["format"] == FORMAT, "is of another version")
            require(content["definition"] == self.definition, "is of another game")
            require(content["code"] == self.code, "was counted by other code")
            require(content["sha256"] == _hash(content["parts"]) and _is_hash(content["build"]), DAMAGED)
            require(set(content["parts"]) <= set(self.enumerator.PARTS), DAMAGED)
        except BROKEN:
            self._refuse(path, WrongCount(DAMAGED))
        except WrongCount as wrong:
            self._refuse(path, wrong)
        else:
            source = Source(path, f"shipped with build {content['build'][:12]}" if is_shipped else KEPT)
            for name, pieces in content["parts"].items():
                if name not in self._parts:
                    self._parts[name], self.sources[name] = pieces, source

    def _check(self, path: Path) -> None:
        """See whether all that a file tells fits together, and count some pieces of each part again that was kept:
        before anything of it is used."""
        names = [name for name, source in self.sources.items() if source.file == path]
        again: dict[Sequence[str], Sequence[str]] = {}  # the same pieces of several parts take hardly longer
        try:
            for name in names:
                part, pieces = self.enumerator.PARTS[name], self._parts[name]
                require(list(pieces) == list(part.names), DAMAGED)
                part.check(self.game, pieces, self._raw)
            for name in names:
                part, pieces = self.enumerator.PARTS[name], self._parts[name]
                if self.sources[name].name == KEPT and part.by_piece:
                    chosen = again.setdefault(tuple(part.names), self._pick(part.names))
                    for piece, counted in zip(chosen, part.count(self.game, chosen), strict=True):
                        same = _text(counted) == _text(pieces[piece])
                        require(same, f"has another {name} for {piece} than is counted now")
            self._checked.update(names)
        except BROKEN:
            self._refuse(path, WrongCount(DAMAGED))
        except WrongCount as wrong:
            self._refuse(path, wrong)

    def _raw(self, name: str) -> Pieces:
        """A part as it was read, to see whether another one fits it."""
        pieces = self._known_part(name)
        return self._count(name) if pieces is None else pieces

    def _refuse(self, path: Path, wrong: WrongCount) -> None:
        """Use nothing from a file, and say why."""
        log.warning("%s %s; it is not used.", path, wrong)
        for name in [name for name, source in self.sources.items() if source.file == path]:
            del self._parts[name], self.sources[name]
            self._checked.discard(name)

    def _keep(self) -> None:
        """Write what does not ship, of games as they are loaded. Who reads meanwhile sees the old file or the new."""
        if not (_WRITES[0] and _is_hash(self.game.build)):
            return
        with suppress(OSError):
            self.write(
                self._cache, [name for name, source in self.sources.items() if source.name in (COUNTED_NOW, KEPT)]
            )

    def write(self, folder: Path, names: Iterable[str]) -> Path:
        """Write parts that are known into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        parts = {name: self._parts[name] for name in names}
        content = {
            "format": FORMAT,
            "game": self.game.name,
            "definition": self.definition,
            "code": self.code,
            "build": self.game.fingerprint["build"],
            "sha256": _hash(parts),
            "parts": parts,
        }
        descriptor, name = tempfile.mkstemp(dir=folder, prefix=".", suffix=".part")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(_text(content) + "\n")
            os.replace(name, folder / self._name)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise
        return folder / self._name


DAMAGED = "is damaged"
BROKEN = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What reading something comes to that is not what it should be."""


def _parse(text: bytes) -> Any:
    """JSON with whole numbers, text, lists and mappings, and nothing else."""
    content = json.loads(text, parse_float=_no_number, parse_constant=_no_number)
    waiting = [content]
    while waiting:
        value = waiting.pop()
        match value:
            case bool() | None:
                raise ValueError(value)
            case dict():
                waiting += value.values()
            case list():
                waiting += value
    return content


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)


def _is_hash(text: str) -> bool:
    return re.fullmatch("[0-9a-f]{64}", text) is not None


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _hash(parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


_KNOWN: dict[tuple[str, str, bool], Results] = {}
_WRITES = [True]


def write_no_files() -> None:
    """From now on, this process keeps what it counts to itself: whoever counts for others would let them fill the
    disk."""
    _WRITES[0] = False


def results_of(game: Game, *, recount: bool = False) -> Results:
    """The results of a game, read once in a process; or counted in this process, whatever there is in files."""
    key = enumerator_of(game).essential(game).fingerprint["definition"], game.build, recount
    if key not in _KNOWN:
        _KNOWN[key] = Results(game, recount=recount)
    return _KNOWN[key]
