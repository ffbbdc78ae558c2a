"""The rules of a game in a folder outside any package: the folder is loaded as a package of its own.

So its files import each other as `from .hands import value`, and go on doing so when the folder becomes part of an
installed package. The name of the package tells its folder and the code in it: files that have changed are loaded anew,
beside those that are in use.
"""

import sys
from collections.abc import Sequence
from hashlib import sha256
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from feltworks.kit.code_hash import folders_hash

PREFIX = "feltworks_game_"


def load_rules(folder: Path) -> ModuleType:
    """The module rules.py of a folder."""
    place = folder.resolve()
    known_by = f"{place}\0{folders_hash([place], ('.py',))}"
    name = f"{PREFIX}{sha256(known_by.encode()).hexdigest()[:16]}"
    if f"{name}.rules" in sys.modules:
        return sys.modules[f"{name}.rules"]
    try:
        _load_package(name, place)
        return import_module(f"{name}.rules")
    except BaseException:
        for module in [module for module in sys.modules if module.partition(".")[0] == name]:
            del sys.modules[module]
        raise


def is_outside(module: str) -> bool:
    """Whether a module is of a folder outside any package, so that another process cannot import it by its name."""
    return module.startswith(PREFIX)


def outside_folders() -> list[Path]:
    """The folders from which rules were loaded."""
    packages = [module for name, module in sys.modules.items() if is_outside(name) and "." not in name]
    return [Path(folder) for package in packages for folder in package.__path__]


def _load_package(name: str, folder: Path) -> None:
    init = folder / "__init__.py"
    if not init.is_file():
        package = sys.modules[name] = ModuleType(name)
        package.__path__ = [str(folder)]
        return
    spec = spec_from_file_location(
        name, init, loader=_Uncached(name, str(init)), submodule_search_locations=[str(folder)]
    )
    assert spec is not None and spec.loader is not None
    package = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(package)


class _Uncached(SourceFileLoader):
    """Compiles a file as it is now: a file that is changed twice within a second would be found in Python's cache as it
    was, and nothing is written into the folder."""

    def path_stats(self, path: str) -> dict[str, float]:
        raise OSError


class _Finder(MetaPathFinder):
    """Finds the modules of these packages."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not is_outside(fullname) or path is None:
            return None
        spec = PathFinder.find_spec(fullname, path)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Uncached(spec.loader.name, spec.loader.path)
        return spec


sys.meta_path.insert(0, _Finder())
