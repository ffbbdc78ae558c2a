"""Loading a game from its folder: game.toml, rules.py, and errors that name file, line and what is allowed."""

import importlib
import re
import traceback
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from feltworks.kit.definition import DERIVED, PATTERNS, Definition, PathErrors, Wager
from feltworks.kit.errors import BadDefinition
from feltworks.kit.game import Bonus, Game
from feltworks.kit.game_toml import read_text, read_toml
from feltworks.kit.layout import Layout
from feltworks.kit.outside_rules import load_rules
from feltworks.kit.round import Round
from feltworks.kit.showdown import ENGINE, ShowdownRound, check_declared
from feltworks.kit.time_limit import OutOfTime, TimeLimit

LONGEST = 10.0
"""Seconds after which rules that are loaded are taken to go on for ever."""


def load_folder(folder: Path, module: str | None = None) -> Game:
    """The game in a folder. `module` names its rules when they are part of an installed package."""
    definition = read_definition(folder / "game.toml")
    rules = _rules(folder, module)
    round_class = getattr(rules, "ROUND", None)
    if not (isinstance(round_class, type) and issubclass(round_class, Round)):
        raise BadDefinition(f"{folder / 'rules.py'} must set ROUND to the game's subclass of Round.")
    bonuses = getattr(rules, "BONUSES", {})
    if not isinstance(bonuses, Mapping):
        raise BadDefinition(f"{folder / 'rules.py'} must set BONUSES to a dictionary of Bonus by wager.")
    for name, bonus in bonuses.items():
        if name not in definition.wagers or not isinstance(bonus, Bonus) or not callable(bonus.rule):
            names = ", ".join(definition.wagers)
            raise BadDefinition(
                f"{folder / 'rules.py'}: BONUSES[{name!r}] must be a Bonus of a wager in game.toml: {names}."
            )
    situation = getattr(rules, "situation", None)
    if situation is not None and not callable(situation):
        raise BadDefinition(f"{folder / 'rules.py'} must set situation to a function of the seat and its cards.")
    enumerator = getattr(rules, "ENUMERATOR", "")
    if enumerator:
        enumerator = f"{rules.__name__.rpartition('.')[0]}.{enumerator}"
    elif issubclass(round_class, ShowdownRound):
        check_declared(round_class, definition.wagers)
        enumerator = ENGINE
    return Game.standard(definition, folder, round_class, bonuses, situation, enumerator)


def describe_folder(folder: Path) -> Game:
    """The game in a folder without its rules: all that its definition says, with nothing to play it by."""
    read_text(folder / "rules.py")
    return Game.standard(read_definition(folder / "game.toml"), folder, Round, {}, None)


def read_definition(path: Path) -> Definition:
    """A game.toml, checked; every error in it is told at once."""
    text, data = read_toml(path)
    try:
        return Definition.model_validate(data)
    except ValidationError as error:
        found = sorted((line_of(text, where), where, said) for where, said in _errors(error))
        entries = [f"{path}:{line}: {'.'.join(where) or 'the file'}: {said}." for line, where, said in found]
        raise BadDefinition("\n".join(entries)) from None


# What a person is told instead of pydantic's own words.
_WORDS = {
    "missing": "this entry is missing",
    "extra_forbidden": "this entry is not known; known are: {known}",
    "string_type": "write it as text in quotes",
    "int_type": "write a whole number",
    "int_parsing": "write a whole number",
    "int_from_float": "write a whole number",
    "float_type": "write a number",
    "float_parsing": "write a number",
    "bool_type": "write true or false",
    "bool_parsing": "write true or false",
    "date_type": "write a date such as 2014-02-18",
    "date_from_datetime_parsing": "write a date such as 2014-02-18",
    "dict_type": "write a table of entries",
    "model_type": "write a table of entries",
    "tuple_type": "write a list in brackets",
    "too_short": "it has too few entries; write at least {min_length}",
    "literal_error": "choose {expected}",
    "greater_than": "write a number above {gt:g}",
    "greater_than_equal": "write {ge:g} or more",
    "less_than_equal": "write {le:g} or less",
}


def _errors(error: ValidationError) -> Iterator[tuple[tuple[str, ...], str]]:
    """The entry and what is wrong with it, for every error in the file."""
    names = set()
    for found in error.errors(include_url=False):
        where = tuple(str(part) for part in found["loc"])
        cause = found.get("ctx", {}).get("error")
        if isinstance(cause, PathErrors):
            yield from ((tuple(path.split(".")), said) for path, said in cause.found)
        elif where[-1:] != ("[key]",):
            yield where, str(cause).rstrip(".") if cause is not None else _in_words(found, where)
        elif where[-2] not in names:  # a wager's name is also that of its spot
            names.add(where[-2])
            yield where[:-1], _in_words(found, where)


def _in_words(found: ErrorDetails, where: tuple[str, ...]) -> str:
    about = found.get("ctx", {})
    if found["type"] == "string_pattern_mismatch":
        return PATTERNS[about["pattern"]]
    said = _WORDS.get(found["type"], found["msg"])
    return said.format(**about, known=", ".join(_known_entries(where))) if "{" in said else said


def _known_entries(where: tuple[str, ...]) -> Iterable[str]:
    """The entries of the part of the definition that a path leads into."""
    part: type[BaseModel] = Definition
    for name in where[:-1]:
        if name in part.model_fields:
            part = Layout if part is Definition and name == "layout" else _part_in(part, name)
    return [name for name in part.model_fields if name not in DERIVED or part is not Wager]


def _part_in(part: type[BaseModel], name: str) -> type[BaseModel]:
    return next(_parts(part.model_fields[name].annotation), part)


def _parts(kind: Any) -> Iterator[type[BaseModel]]:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        yield kind
    for inner in get_args(kind):
        yield from _parts(inner)


# Just enough of TOML's grammar to find where a statement begins and which entry it is about.
_NAME = r"""(?:"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[A-Za-z0-9_-]+)"""
_DOTTED = rf"{_NAME}(?:[ \t]*\.[ \t]*{_NAME})*"
_HEADER = re.compile(rf"\s*(\[\[?)[ \t]*({_DOTTED})[ \t]*\]")
_KEY = re.compile(rf"\s*({_DOTTED})[ \t]*=")
_PIECE = re.compile(
    r'''"""(?:\\.|[^\\])*?"{3,5}|\'{3}.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*|[\[\]{}\n]''',
    re.DOTALL,
)


def line_of(text: str, path: Iterable[Any]) -> int:
    """The line of an entry in TOML text, or of the nearest entry around it that stands in the text."""
    wanted = [str(part) for part in path]
    best, best_length = 1, 0
    for number, entry in _entries(text):
        length = 0
        while length < min(len(entry), len(wanted)) and entry[length] == wanted[length]:
            length += 1
        if length > best_length:
            best, best_length = number, length
    return best


def _entries(text: str) -> Iterator[tuple[int, list[str]]]:
    """Every header and key of TOML text with its line; tables of an array are numbered from 0."""
    table: list[str] = []
    arrays: dict[tuple[str, ...], int] = {}
    for number, statement in _statements(text):
        if header := _HEADER.match(statement):
            names, table = _split(header[2]), []
            for i, name in enumerate(names, start=1):
                table.append(name)
                if header[1] == "[[" and i == len(names):
                    arrays[tuple(table)] = arrays.get(tuple(table), -1) + 1
                if tuple(table) in arrays:
                    table.append(str(arrays[tuple(table)]))
            yield number, table
        elif key := _KEY.match(statement):
            yield number, [*table, *_split(key[1])]


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Each statement with the line it begins in; one that goes on over several lines is one statement."""
    start = depth = 0
    for piece in _PIECE.finditer(text + "\n"):
        depth += (piece[0] in ("[", "{")) - (piece[0] in ("]", "}"))
        if piece[0] == "\n" and depth <= 0:
            yield text.count("\n", 0, start) + 1, text[start : piece.start()]
            start, depth = piece.end(), 0


def _split(dotted: str) -> list[str]:
    return [name.strip("\"'") for name in re.findall(_NAME, dotted)]


def _rules(folder: Path, module: str | None) -> ModuleType:
    path = folder / "rules.py"
    read_text(path)
    try:
        with TimeLimit(LONGEST):
            return importlib.import_module(module) if module else load_rules(folder)
    except OutOfTime as error:
        said = "the rules go on for ever while they are loaded; let them end"
        raise BadDefinition(f"{_where(folder, error)}: {said}.") from error
    except (Exception, SystemExit) as error:
        said = f"{type(error).__name__}: {error}".rstrip(": .") + _remedy(folder, error)
        raise BadDefinition(f"{_where(folder, error)}: the rules cannot be run: {said}.") from error


def _remedy(folder: Path, error: BaseException) -> str:
    """A file beside rules.py is imported by its place."""
    name = (error.name or "") if isinstance(error, ModuleNotFoundError) else ""
    beside = name and ((folder / name).is_dir() or (folder / f"{name}.py").is_file())
    return f"; it lies beside rules.py, so import it as .{name}" if beside else ""


def _where(folder: Path, error: BaseException) -> str:
    """The file and line of the game's code that an error comes from."""
    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).is_relative_to(folder.resolve()):
        return f"{folder / Path(error.filename).relative_to(folder.resolve())}:{error.lineno or 1}"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if Path(frame.filename).is_relative_to(folder.resolve()):
            return f"{folder / Path(frame.filename).relative_to(folder.resolve())}:{frame.lineno or 1}"
    return f"{folder / 'rules.py'}:1"
