"""Loading a game from its folder: game.toml, rules.py, and errors that name file, line, path and what is allowed."""

import importlib
import importlib.util
import re
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import ValidationError

from feltworks.kit.definition import Definition, PathError
from feltworks.kit.errors import BadDefinition
from feltworks.kit.game import Bonus, Game
from feltworks.kit.round import Round


def load_folder(folder: Path, module: str | None = None) -> Game:
    """The game in a folder. `module` names its rules when they are part of an installed package."""
    definition = read_definition(folder / "game.toml")
    rules = _rules(folder, module)
    round_class = getattr(rules, "ROUND", None)
    if not (isinstance(round_class, type) and issubclass(round_class, Round)):
        raise BadDefinition(f"{folder / 'rules.py'} must set ROUND to the game's subclass of Round.")
    bonuses = getattr(rules, "BONUSES", {})
    for spot, bonus in bonuses.items():
        if spot not in definition.wagers or not isinstance(bonus, Bonus):
            names = ", ".join(definition.wagers)
            raise BadDefinition(
                f"{folder / 'rules.py'}: BONUSES[{spot!r}] must be a Bonus of a wager in game.toml: {names}."
            )
    return Game.standard(definition, folder, round_class, bonuses, getattr(rules, "situation", None))


def read_definition(path: Path) -> Definition:
    """A game.toml, checked; every error in it is told at once."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadDefinition(f"{path} cannot be read: {error}.") from None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadDefinition(f"{path} is not TOML: {error}.") from None
    try:
        return Definition.model_validate(data)
    except ValidationError as error:
        raise BadDefinition("\n".join(_sentences(path, text, error))) from None


def _sentences(path: Path, text: str, error: ValidationError) -> Iterable[str]:
    for found in error.errors(include_url=False):
        cause = found.get("ctx", {}).get("error")
        where: tuple[Any, ...] = found["loc"]
        if isinstance(cause, PathError):
            where = tuple(cause.path.split("."))
        said = str(cause) if cause is not None else found["msg"]
        entry = ".".join(str(part) for part in where) or "the file"
        yield f"{path}:{line_of(text, where)}: {entry}: {said.rstrip('.')}."


_HEADER = re.compile(r"^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"""^\s*("[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*[^=]+)?\s*=""")


def line_of(text: str, path: Iterable[Any]) -> int:
    """The line of an entry in TOML text, or of the nearest entry above it that stands in the text."""
    wanted = [str(part) for part in path]
    best, best_length = 1, 0
    table: list[str] = []
    arrays: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        here = table
        if header := _HEADER.match(line):
            table = [part.strip().strip("\"'") for part in header[1].split(".")]
            if line.lstrip().startswith("[["):
                arrays[header[1]] = arrays.get(header[1], -1) + 1
                table = [*table, str(arrays[header[1]])]
            here = table
        elif key := _KEY.match(line):
            here = [*table, key[1].strip("\"'")]
        if len(here) > best_length and here == wanted[: len(here)]:
            best, best_length = number, len(here)
    return best


def _rules(folder: Path, module: str | None) -> ModuleType:
    if module is not None:
        return importlib.import_module(module)
    path = folder / "rules.py"
    if not path.is_file():
        raise BadDefinition(f"{folder} has no rules.py; a game's folder holds game.toml and rules.py.")
    name = "feltworks_game_" + re.sub(r"\W", "_", str(folder.resolve()))
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded
    try:
        spec.loader.exec_module(loaded)
    except Exception as error:
        del sys.modules[name]
        raise BadDefinition(f"{path} cannot be run: {type(error).__name__}: {error}.") from error
    return loaded
