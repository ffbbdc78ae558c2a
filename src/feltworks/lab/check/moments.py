"""Moments on which bonus wagers hang: each of them is named by some rule."""

import ast

from feltworks.kit.game import Game
from feltworks.kit.rule_faults import place_of
from feltworks.lab.check.findings import Finding, Findings


def check_moments(game: Game, findings: Findings) -> None:
    named = _named(game)
    if named is None:
        return
    for name, bonus in game.bonuses.items():
        if bonus.moment not in named:
            findings.add(
                Finding(
                    "moment",
                    f"The bonus wager {name!r} hangs on the moment {bonus.moment!r}, which no rule names; yield"
                    f" Moment({bonus.moment!r}, seat), or name one of: {', '.join(sorted(named)) or 'none'}.",
                    place_of(bonus.rule),
                )
            )


def _named(game: Game) -> set[str] | None:
    """The moments that rules name; nothing where that is not plain from their text."""
    named: set[str] = set()
    for file in {file for folder in game.folders for file in folder.rglob("*.py")}:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Moment":
                match node.args:
                    case [ast.Constant(str() as name), *_]:
                        named.add(name)
                    case _:
                        return None
    return named
