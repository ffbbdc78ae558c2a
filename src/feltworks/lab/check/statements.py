"""Statements and the rules that cite them: which statement no rule keeps, and which cited one is not there."""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from feltworks.games import HOME
from feltworks.kit.game import Game
from feltworks.kit.loader import line_of
from feltworks.kit.rule_faults import STATEMENTS
from feltworks.lab.check.findings import Finding, Findings

_ID = re.compile(r"\b([A-Z][A-Z0-9]{0,2})-(\d{1,3})\b")
_RANGE = re.compile(r"\b([A-Z][A-Z0-9]{0,2})-(\d{1,3}) to \1-(\d{1,3})\b")
OF_THE_HOUSE = "F"
"""The statements of the floor, which hold for every game."""


@cache
def _of_other_games() -> frozenset[str]:
    """What the games of the package state: rules may name what is built upon them."""
    return frozenset(n for file in HOME.glob("*/statements.toml") for n in tomllib.loads(file.read_text("utf-8")))


def check_statements(game: Game, cited: Iterable[str], findings: Findings) -> bool:
    """Compare what is cited in the rules with statements.toml; whether there is one."""
    known = game.statements
    if not known:
        return False
    prefixes = {number.partition("-")[0] for number in known}
    kept: set[str] = set()
    for file in _files(game):
        for numbers, line, name, leads in _citations(file):
            kept |= numbers
            for number in sorted(numbers - known.keys()):
                prefix = number.partition("-")[0]
                if prefix in prefixes or (leads and prefix != OF_THE_HOUSE and number not in _of_other_games()):
                    findings.add(
                        Finding(
                            "statement",
                            f"{name} of {game.title} cites {number}, which statements.toml does not have; write it"
                            " there, or cite another.",
                            f"{file}:{line}",
                        )
                    )
    for number in sorted({n for rule in cited for n in _numbers(rule)} - known.keys() - kept):
        if not number.startswith(f"{OF_THE_HOUSE}-"):
            findings.add(
                Finding(
                    "statement",
                    f"A wager of {game.title} is settled by {number}, which statements.toml does not have; write it"
                    " there, or cite another.",
                    f"{game.folder / 'rules.py'}:1",
                )
            )
    for number in known:
        if number not in kept:
            file, line = _place(game, number)
            findings.add(
                Finding(
                    "statement",
                    f"No rule of {game.title} cites {number}; name it in the docstring of the rule that keeps it, or"
                    " leave it out.",
                    f"{file}:{line}",
                )
            )
    return True


def _files(game: Game) -> Iterator[Path]:
    """Every module of the game and of the one that it extends, and the definition, whose readings name statements."""
    for folder in game.folders:
        yield from sorted(folder.rglob("*.py"))
        yield folder / "game.toml"


def _citations(file: Path) -> Iterator[tuple[set[str], int, str, bool]]:
    """Numbers, line, whose they are, and whether a docstring begins with them."""
    text = file.read_text("utf-8")
    if file.suffix == ".toml":
        for number, line in enumerate(text.splitlines(), start=1):
            if numbers := _numbers(line):
                yield numbers, number, "game.toml", False
        return
    tree = ast.parse(text)
    for name, node in _with_names(tree, ""):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and (numbers := _numbers(node.value)):
            leads = STATEMENTS.match(node.value)
            what = "test" if file.name.startswith("test_") else "rule"
            yield numbers, node.lineno, f"The {what} {name}" if name else file.name, leads is not None


def _with_names(node: ast.AST, name: str) -> Iterator[tuple[str, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        own = name
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            own = f"{name}.{child.name}" if name else child.name
        yield own, child
        yield from _with_names(child, own)


def _numbers(text: str) -> set[str]:
    """Every statement that a text names, those between the ends of a range among them."""
    found = {f"{prefix}-{number}" for prefix, number in _ID.findall(text)}
    for prefix, first, last in _RANGE.findall(text):
        found |= {f"{prefix}-{n:0{len(first)}}" for n in range(int(first), int(last) + 1)}
    return found


def _place(game: Game, number: str) -> tuple[Path, int]:
    for folder in reversed(game.folders):
        file = folder / "statements.toml"
        if file.is_file() and f"[{number}]" in (text := file.read_text("utf-8")):
            return file, line_of(text, [number])
    return game.folder / "statements.toml", 1
