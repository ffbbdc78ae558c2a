"""The games: those of the package, those that other packages bring, and those in folders of your own."""

from collections.abc import Iterable
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from feltworks.kit.errors import BadDefinition, UnknownName
from feltworks.kit.game import Game
from feltworks.kit.loading import load_folder

HOME = Path(__file__).parent


@cache
def _places() -> dict[str, tuple[Path, str | None]]:
    """Folder and module of every installed game, by name."""
    places: dict[str, tuple[Path, str | None]] = {}
    for toml in sorted(HOME.glob("*/game.toml")):
        folder = toml.parent
        places[folder.name.replace("_", "-")] = (folder, f"{__name__}.{folder.name}.rules")
    for entry in entry_points(group="feltworks.games"):
        package = entry.load()
        places.setdefault(entry.name, (Path(package.__file__).parent, f"{package.__name__}.rules"))
    return places


def _outside(folders: Iterable[Path | str]) -> dict[str, tuple[Path, str | None]]:
    """Games in folders outside the package: each folder is a game, or holds games."""
    places: dict[str, tuple[Path, str | None]] = {}
    for folder in map(Path, folders):
        found = [folder] if (folder / "game.toml").is_file() else [t.parent for t in sorted(folder.glob("*/game.toml"))]
        if not found:
            raise BadDefinition(f"{folder} holds no game: there is no game.toml in it or one folder below.")
        places |= {game.resolve().name.replace("_", "-"): (game, None) for game in found}
    return places


def names(folders: Iterable[Path | str] = ()) -> list[str]:
    """The names of all games that can be loaded."""
    return list({**_places(), **_outside(folders)})


def load(name: str, folders: Iterable[Path | str] = ()) -> Game:
    """Load a game by name; games in `folders` come before those of the package."""
    places = {**_places(), **_outside(folders)}
    if name not in places:
        raise UnknownName("game", name, places)
    return load_folder(*places[name])
