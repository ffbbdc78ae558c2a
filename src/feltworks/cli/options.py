"""The options that commands share, and what their text means."""

import re
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from feltworks import api, games
from feltworks.kit.cards import MOST_DECKS
from feltworks.kit.errors import BadValue

if TYPE_CHECKING:
    from feltworks.kit.game import Game

ALL = "all"
ASK_FIRST = "Others than the approved are a modification: ask whoever approved the game first."
"""F-31, where a modification is offered."""

GameName = Annotated[
    str,
    typer.Argument(metavar="GAME", help="The name of a game; `felt games` lists them.", show_default=False),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Decks = Annotated[int | None, typer.Option(metavar="N", help=f"How many decks, 1 to {MOST_DECKS}. {ASK_FIRST}")]
Version = Annotated[str | None, typer.Option(metavar="V", help="Which version of the game.")]
AnyVersion = Annotated[
    str | None,
    typer.Option("--version", metavar="V", help="Which version of the game; `all` for each of them."),
]
Readings = Annotated[
    list[str] | None,
    typer.Option("--reading", metavar="NAME=VALUE", help="Answer an open question of the rules otherwise."),
]
WagerName = Annotated[str | None, typer.Option("--wager", metavar="NAME", help="Only this wager.")]
Stakes = Annotated[
    list[str] | None,
    typer.Option("--stake", metavar="WAGER=UNITS", help="What a seat stakes: 1, 0.5 or 1/2 units."),
]
Pays = Annotated[
    list[str] | None,
    typer.Option(
        "--pay",
        metavar="WAGER=TABLE",
        help=f"A listed pay table, or odds from the top: 30,12,3/2,0 (0 is a push). {ASK_FIRST}",
    ),
]


def _say_what_is_replaced(folders: list[Path] | None) -> list[Path] | None:
    """A game of a folder wins over an installed one of its name, and that is said."""
    if replaced := games.replaced(folders or ()):
        those = ", ".join(f"{name} is the game in {folder}" for name, folder in sorted(replaced.items()))
        typer.echo(f"note: {those}, not the one that is installed.", err=True)
    return folders


Folders = Annotated[
    list[Path] | None,
    typer.Option("--games", metavar="DIR", help="A folder with further games.", callback=_say_what_is_replaced),
]
Seed = Annotated[int | None, typer.Option(metavar="S", help="A number that gives the same cards again.")]


def load(
    name: str,
    version: str | None,
    decks: int | None,
    readings: list[str] | None,
    pays: list[str] | None,
    folders: list[Path] | None,
) -> "Game":
    """The game that the options describe."""
    return api.load(
        name,
        version=version,
        decks=decks,
        readings=pairs("--reading", "NAME=VALUE", readings),
        pay=pairs("--pay", "WAGER=TABLE", pays),
        folders=folders or (),
    )


def load_each(
    wager: str | None,
    name: str,
    version: str | None,
    decks: int | None,
    readings: list[str] | None,
    pays: list[str] | None,
    folders: list[Path] | None,
) -> "list[Game]":
    """The same for each version of the game that offers the wager, if the version is `all`."""
    if version != ALL:
        return [load(name, version, decks, readings, pays, folders)]
    versions = api.load(name, folders=folders or ()).definition.versions
    games = [load(name, v, decks, readings, pays, folders) for v in versions]
    # Where no version offers it, the first one will refuse it.
    return [game for game in games if wager is None or wager in game.wagers] or games[:1]


class HasJson(Protocol):
    """Whatever can be printed as JSON."""

    def to_json(self) -> dict[str, Any]: ...


def json_of_versions(results: Iterable[HasJson], version: str | None) -> Any:
    """The results as JSON: a list where each version was asked for."""
    printed = [each.to_json() for each in results]
    return printed if version == ALL else printed[0]


def pairs(option: str, form: str, texts: Iterable[str] | None) -> dict[str, str]:
    """What a repeated option with values of the form NAME=VALUE says."""
    values = {}
    for text in texts or ():
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise BadValue(f"{option} is written {form}; {text!r} is not.")
        values[name] = value
    return values


def stakes(texts: Iterable[str] | None) -> dict[str, Fraction]:
    return {name: units(text) for name, text in pairs("--stake", "WAGER=UNITS", texts).items()}


_UNITS = re.compile(r"-?[0-9]{1,9}(\.[0-9]{1,6}|/0*[1-9][0-9]{0,8})?")


def units(text: str) -> Fraction:
    """A number of units, exactly: 1, 0.5 or 1/2."""
    if not _UNITS.fullmatch(text):
        raise BadValue(f"A stake is a number of units such as 1, 0.5 or 1/2; {text!r} is not.")
    return Fraction(text)
