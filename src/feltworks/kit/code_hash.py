"""The files that something is made of, and their hash: what was computed by other code is known by it.

Two hashes are made here. `folders_hash` is of all code in some folders: a game's `build` fingerprint is that of the kit
and of the game's own folders (`kit.game`). `code_hash` is of the modules that take part in something, such as a count
that is kept in a file (`lab.count_files`): those that are named, and what they import, and so on, as far as they belong
to the same packages. They are found by reading the files, and nothing is run for it. An import that only type checkers
see takes no part; nor does what stands in a package's `__init__` where nothing is imported from it but a module. A
module that is imported by a name which the program makes up is not found: what must be hashed imports plainly.
"""

import ast
import hashlib
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

KIT, _, _ = __name__.rpartition(".")
PACKAGE = __name__.partition(".")[0]


def folders_hash(folders: Iterable[Path], endings: Iterable[str] = (".py", ".toml")) -> str:
    """A hash of the code in these folders and the folders in them, with the place of every file."""
    digest, endings = hashlib.sha256(), tuple(endings)
    for number, folder in enumerate(folders):
        for path in sorted(path for ending in endings for path in folder.rglob(f"*{ending}")):
            place = path.relative_to(folder)
            if path.is_file() and "__pycache__" not in place.parts:
                _add(digest, f"{number}/{place.as_posix()}", path)
    return digest.hexdigest()


@cache
def code_hash(*modules: str) -> str:
    """A hash of all modules that take part in what these do, as their files are now."""
    digest = hashlib.sha256()
    for name, path in sorted(modules_of(*modules).items()):
        _add(digest, name, path)
    return digest.hexdigest()


def _add(digest: "hashlib._Hash", name: str, path: Path) -> None:
    code = path.read_bytes()
    digest.update(f"{name}\0{len(code)}\0".encode() + code)


def modules_of(*modules: str) -> dict[str, Path]:
    """The modules that take part in what these do, with their files."""
    packages = {PACKAGE, *(name.partition(".")[0] for name in modules)}
    files: dict[str, Path] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        path = _file_of(name) if name.partition(".")[0] in packages else None
        if path is not None and name not in files:
            files[name] = path
            waiting += _imports(name, path)
    return files


@cache
def _imports(module: str, path: Path) -> tuple[str, ...]:
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    tree = ast.parse(path.read_bytes())
    return tuple(dict.fromkeys(_imported(tree, package, loads_late=module == KIT)))


def _imported(tree: ast.AST, package: str, *, loads_late: bool = False) -> Iterator[str]:
    """The names of all modules that a module of this package imports, wherever in it. A module that loads its names
    only when they are asked for says for type checkers where they are from."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.If(test=ast.Name("TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")) if not loads_late:
                for other in node.orelse:
                    yield from _imported(ast.Module([other], []), package)
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom():
                above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
                origin = ".".join([*above, *([node.module] if node.module else [])])
                for alias in node.names:
                    module = f"{origin}.{alias.name}"
                    yield module if _file_of(module) else origin
            case _:
                yield from _imported(node, package)


@cache
def _file_of(module: str) -> Path | None:
    """The file of a module whose package is loaded; none if it is not a module, or not written in Python."""
    top, *parts = module.split(".")
    loaded = sys.modules.get(top)
    if not parts and loaded is not None and not hasattr(loaded, "__path__"):
        file = getattr(loaded, "__file__", None)
        return Path(file) if file else None
    for folder in getattr(loaded, "__path__", ()):
        place = Path(folder, *parts)
        for path in (place / "__init__.py", place.with_suffix(".py")) if parts else (place / "__init__.py",):
            if path.is_file():
                return path
    return None
