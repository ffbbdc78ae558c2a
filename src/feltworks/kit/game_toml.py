"""A game.toml as it is written, and the few words of it that list a game: read without the rest of the kit."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from feltworks.kit.errors import BadDefinition
from feltworks.kit.standing import AS_APPROVED, MODIFIED, NO_APPROVAL

FOLDER = "a game's folder holds game.toml and rules.py"
EXTENDED_BY_NAME: list[Path] = []
"""Folders of games that any other one can extend by their name; whoever ships games adds them here."""


class Listed(NamedTuple):
    """A game in a few words."""

    name: str
    title: str
    versions: tuple[str, ...]
    wagers: tuple[str, ...]
    approval: str
    """Document and date; nothing where a game carries no approval."""
    venues: tuple[str, ...]
    standing: str
    """How it stands to its approval as it is loaded: `Game.standing`."""


def listed(data: Mapping[str, Any]) -> Listed:
    """The few words of a definition that is known to be right."""
    approval = data.get("approval")
    return Listed(
        data["name"],
        data["title"],
        tuple(data["versions"]),
        tuple(data["wagers"]),
        f"document {approval['document']}, {approval['approved']}" if approval else "",
        tuple(approval["venues"]) if approval else (),
        _standing(data),
    )


def _standing(data: Mapping[str, Any]) -> str:
    """That of its first version with its usual decks; the pay tables are the first that it lists."""
    first, pack = next(iter(data["versions"].values())), data.get("pack", {})
    if "approval" not in data or not first.get("approved", True):
        return NO_APPROVAL
    approved_decks = pack.get("approved_decks")
    return MODIFIED if approved_decks and pack["decks"] not in approved_decks else AS_APPROVED


def read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """Its text and its entries, with those of the game that it extends."""
    text, data = _toml(path)
    if isinstance(data.get("extends"), str):
        data = _extended(_toml(extended_folder(path.parent, data["extends"]) / path.name)[1], data)
    return text, data


def extended_folder(folder: Path, extends: str) -> Path:
    """The folder of the game that the one in a folder extends: as seen from there, or one that is known by its name."""
    places = [folder / extends, *(shared / extends.replace("-", "_") for shared in EXTENDED_BY_NAME)]
    return next((place.resolve() for place in places if (place / "game.toml").is_file()), places[0])


def _toml(path: Path) -> tuple[str, dict[str, Any]]:
    text = read_text(path)
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        said, line = re.sub(r" \(at .*\)$", "", str(error)), re.search(r"\(at line (\d+),", str(error))
        number = int(line[1]) if line else text.rstrip().count("\n") + 1
        raise BadDefinition(f"{path}:{number}: this is not TOML: {said}.") from None


def _extended(base: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    """A game with the wagers and readings of another, and what it says of them itself."""
    for part in ("wagers", "readings"):
        theirs, own = base.get(part, {}), data.get(part, {})
        if isinstance(theirs, dict) and isinstance(own, dict):
            both = {name: {**theirs[name], **own[name]} for name in theirs.keys() & own.keys()}
            data = {**data, part: {**theirs, **own, **both}}
    return data


def read_text(path: Path) -> str:
    if not path.is_file():
        raise BadDefinition(f"{path.parent} has no {path.name}; {FOLDER}.")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise BadDefinition(f"{path} cannot be read: it is not text in UTF-8.") from None
    except OSError as error:
        raise BadDefinition(f"{path} cannot be read: {error.strerror}.") from None
