"""The games: those of the package, those that other packages bring, and those in folders of your own.

A game is loaded when it is asked for. To list the games, only what their game.toml says is read.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from feltworks.kit.errors import BadDefinition, UnknownName
from feltworks.kit.game_toml import EXTENDED_BY_NAME, Listed, listed, read_text, read_toml

if TYPE_CHECKING:
    from feltworks.kit.game import Game

HOME, GROUP = Path(__file__).parent, "feltworks.games"
FOLDERS = "FELTWORKS_GAMES"
"""The variable that names folders with further games, for a process and those that it starts."""
Place = tuple[Path, str | None]
"""The folder of a game, and the module of its rules where it is installed."""
EXTENDED_BY_NAME.append(HOME)
EDGES = HOME / "edges.json"
"""The exact edges that ship with the package, as `felt analyze` computes them (`make results`)."""


@cache
def _places() -> dict[str, Place]:
    """Every installed game, by name."""
    places: dict[str, Place] = {}
    for toml in sorted(HOME.glob("*/game.toml")):
        folder = toml.parent
        places[folder.name.replace("_", "-")] = (folder, f"{__name__}.{folder.name}.rules")
    if any(_mentions_group(path) for path in _entry_point_files()):
        from importlib.metadata import entry_points

        for entry in entry_points(group=GROUP):
            try:
                package = entry.load()
            except Exception as error:
                said = f"{type(error).__name__}: {error}".rstrip(": .")
                raise BadDefinition(f"The package of the game {entry.name!r} cannot be loaded: {said}.") from error
            places.setdefault(entry.name, (Path(package.__file__).parent, f"{package.__name__}.rules"))
    return places


def of_other_packages() -> dict[str, tuple[Path, ...]]:
    """The games that other packages bring, or folders in use, and where the code of each lies: the whole of its
    package, since rules may import what stands beside their folder."""
    found: dict[str, tuple[Path, ...]] = {}
    for name, (folder, module) in _known().items():
        if module is None:
            found[name] = (folder,)
        elif folder.parent != HOME:
            package = sys.modules[module.partition(".")[0]]
            found[name] = tuple(map(Path, package.__path__))
    return found


def _entry_point_files() -> Iterator[Path]:
    """Where installed packages announce themselves. importlib.metadata would look there too, but takes longer to load
    than all games take to list."""
    for place in map(Path, sys.path):
        yield from [place] if place.is_file() else place.glob("*-info/entry_points.txt")


def _mentions_group(path: Path) -> bool:
    """Whether games may be announced there; an archive may hold anything."""
    try:
        return path.name != "entry_points.txt" or GROUP.encode() in path.read_bytes()
    except OSError:
        return False


def use(folders: Iterable[Path | str]) -> None:
    """From now on the games in these folders are known wherever a game is loaded by its name, in the processes that
    this one starts too."""
    places = [str(Path(folder).resolve()) for folder in folders]
    _outside(places)
    if parted := next((place for place in places if os.pathsep in place), None):
        raise BadDefinition(f"{parted} has {os.pathsep!r} in its path; use games from a folder without it.")
    os.environ[FOLDERS] = os.pathsep.join(dict.fromkeys([*places, *_used()]))


def _used() -> list[str]:
    return list(filter(None, os.environ.get(FOLDERS, "").split(os.pathsep)))


def _outside(folders: Iterable[Path | str]) -> dict[str, Place]:
    """Games in folders outside the package: each folder is a game, or holds games."""
    places: dict[str, Place] = {}
    for folder in map(Path, folders):
        game_folders = (
            [folder] if (folder / "game.toml").is_file() else [t.parent for t in sorted(folder.glob("*/game.toml"))]
        )
        if not game_folders:
            raise BadDefinition(f"{folder} holds no game: there is no game.toml in it or one folder below.")
        for game in game_folders:
            name = game.resolve().name.replace("_", "-")
            other = places.setdefault(name, (game, None))[0]
            if other.resolve() != game.resolve():
                raise BadDefinition(f"Two games are called {name}: {other} and {game}; rename one of the folders.")
    return places


def names(folders: Iterable[Path | str] = ()) -> list[str]:
    """The names of all games that can be loaded."""
    return list(_all(folders))


def names_in(folders: Iterable[Path | str]) -> list[str]:
    """The names of the games in these folders."""
    return list(_outside(folders))


def load(name: str, folders: Iterable[Path | str] = ()) -> "Game":
    """Load a game by name; games in `folders` come before those that are in use, and these before those of packages."""
    from feltworks.kit.loader import load_folder

    return load_folder(*place(name, folders))


def place(name: str, folders: Iterable[Path | str] = ()) -> tuple[Path, str | None]:
    """The folder of a game, and the module of its rules if it is part of an installed package."""
    places = _all(folders)
    if name not in places:
        raise UnknownName("game", name, places)
    return places[name]


def replaced(folders: Iterable[Path | str] = ()) -> dict[str, Path]:
    """The games in folders that are loaded instead of an installed one of the same name."""
    return {name: folder for name, (folder, _) in _all(folders).items() if folder != _places().get(name, (folder,))[0]}


def _all(folders: Iterable[Path | str]) -> dict[str, Place]:
    return {**_known(), **_outside(folders)}


def _known() -> dict[str, Place]:
    """The games that are installed, and those in the folders in use."""
    return {**_places(), **_outside(_used())}


@cache
def shipped_edges() -> dict[str, dict[str, str]]:
    """The edges of the wagers of a game as it is listed, by the fingerprint of its definition; a jackpot has none."""
    found: dict[str, dict[str, str]] = json.loads(EDGES.read_text("utf-8"))
    return found


def list_all(folders: Iterable[Path | str] = ()) -> list[Listed]:
    """Every game in a few words. The definitions of the package are checked when it is built, all others here."""
    return [_listed(folder) for folder, _ in _all(folders).values()]


def _listed(folder: Path) -> Listed:
    path = folder / "game.toml"
    if folder.parent != HOME:
        from feltworks.kit.loader import read_definition

        read_definition(path)
        read_text(folder / "rules.py")
    return listed(read_toml(path)[1])


def describe_all(folders: Iterable[Path | str] = ()) -> "list[Game]":
    """Every game with all that its definition says, but without its rules: it cannot be played."""
    from feltworks.kit.loader import describe_folder

    return [describe_folder(folder) for folder, _ in _all(folders).values()]
