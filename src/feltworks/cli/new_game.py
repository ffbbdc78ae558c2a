"""`felt new`: a folder with a game that plays at once, to be changed into one's own."""

import re
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns

from feltworks import games
from feltworks.kit.errors import BadValue, UnknownName
from feltworks.kit.loader import load_folder

STARTER = Path(__file__).parent / "starter"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
NOT_COPIED = ignore_patterns("__pycache__", "results")
APPROVAL, PUBLISHED = re.compile(r"\[approval[.\]]"), re.compile(r"\[\[published\]\]")
HEADER = re.compile(r"\[")
OWN_IMPORT = r"from feltworks\.games\.{folder}(?:\.([a-z_.]+))? import"


def write_game(name: str, like: str | None, beside: Path) -> Path:
    """Write the folder of a new game, like a shipped one or like the starter, and see that it loads."""
    if not NAME.fullmatch(name):
        raise BadValue(f"{name!r} is no name for a game; write small letters, digits and -, such as my-game.")
    folder = beside / name.replace("-", "_")
    if folder.exists():
        raise BadValue(f"{folder} is there already; choose another name, or another place with --in.")
    original = _original(like)
    copytree(original, folder, ignore=NOT_COPIED)
    toml = folder / "game.toml"
    toml.write_text(_definition(toml.read_text("utf-8"), name), "utf-8")
    for path in sorted(folder.rglob("*.py")):
        depth = len(path.relative_to(folder).parts)
        path.write_text(_renamed(path.read_text("utf-8"), original.name, name, depth), "utf-8")
    load_folder(folder)
    return folder


def _original(like: str | None) -> Path:
    if like is None:
        return STARTER
    shipped = {path.parent.name.replace("_", "-"): path.parent for path in sorted(games.HOME.glob("*/game.toml"))}
    if like not in shipped:
        raise UnknownName("shipped game", like, shipped)
    return shipped[like]


def _definition(text: str, name: str) -> str:
    """The definition under the new name. An approval and printed figures are those of the other game alone."""
    title = name.replace("-", " ").title()
    text = "".join(_own_parts(text))
    text = re.sub(r'^name = ".*"$', f'name = "{name}"', text, count=1, flags=re.MULTILINE)
    text = re.sub(r'^title = ".*"$', f'title = "{title}"', text, count=1, flags=re.MULTILINE)
    return re.sub(r'^extends = "\.\./(.*)"$', r'extends = "\1"', text, count=1, flags=re.MULTILINE)


def _own_parts(text: str) -> Iterator[str]:
    theirs = False
    for line in text.splitlines(keepends=True):
        if HEADER.match(line):
            theirs = bool(APPROVAL.match(line) or PUBLISHED.match(line))
        if not theirs:
            yield line


def _renamed(text: str, folder: str, name: str, depth: int) -> str:
    """Code that imports from its own folder wherever that lies; the starter's tests name the new game."""
    dots = "." * depth

    def own_import(found: re.Match[str]) -> str:
        return f"from {dots}{found[1] or ''} import"

    text = re.sub(OWN_IMPORT.format(folder=folder), own_import, text)
    return text.replace(f'"{STARTER.name}"', f'"{name}"') if folder == STARTER.name else text
