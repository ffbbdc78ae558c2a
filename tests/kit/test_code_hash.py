"""The files that something is made of: found through imports, without running anything, and through folders."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from feltworks import kit
from feltworks.games.blackjack.enumerator import counted_parts as blackjack
from feltworks.games.down_under_holdem.enumerator import counted_parts as down_under
from feltworks.kit import code_hash as hashing
from feltworks.kit.code_hash import code_hash, folders_hash, modules_of
from feltworks.kit.compiled import folder_of
from feltworks.kit.loader import load_folder
from tests.kit.test_loader import write

FILES = {
    "__init__.py": "",
    "start.py": """
from typing import TYPE_CHECKING

import felt_toy.plain as plain
from . import sibling
from .deep.below import something

if TYPE_CHECKING:
    from felt_toy import never_run
else:
    from felt_toy import instead

def later():
    import felt_toy.lazily
""",
    "plain.py": "from feltworks.kit.odds import Odds",
    "sibling.py": "raise SystemExit('nobody may run this')",
    "deep/__init__.py": "from felt_toy.deep import beside",
    "deep/below.py": "from ..above import name\nfrom . import beside\nsomething = 1",
    "deep/beside.py": "from felt_toy.deep import nothing_that_is_a_module",
    "above.py": "name = 1",
    "never_run.py": "",
    "instead.py": "",
    "lazily.py": "",
    "stranger.py": "",
}


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package that is importable, with nothing of it read yet."""
    folder = tmp_path / "felt_toy"
    for name, code in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    __import__("felt_toy")
    forget()
    yield folder
    forget()
    del sys.modules["felt_toy"]


def forget() -> None:
    """As a new process finds the files."""
    for known in (code_hash, hashing._imports, hashing._file_of, folder_of):
        known.cache_clear()


def test_all_that_is_imported_takes_part_wherever_the_import_stands_and_nothing_is_run(toy: Path) -> None:
    own = {name.removeprefix("felt_toy.") for name in modules_of("felt_toy.start") if name.startswith("felt_toy")}
    assert own == {"start", "plain", "sibling", "deep", "deep.below", "deep.beside", "above", "instead", "lazily"}
    assert {"feltworks.kit.odds", "feltworks.kit.errors"} <= set(modules_of("felt_toy.start"))
    assert not [name for name in sys.modules if name.startswith("felt_toy.")]


@pytest.mark.parametrize(
    ("changed", "takes_part"),
    [
        ("start.py", True),
        ("sibling.py", True),
        ("deep/__init__.py", True),
        ("deep/beside.py", True),
        ("above.py", True),
        ("lazily.py", True),
        ("never_run.py", False),
        ("stranger.py", False),
    ],
)
def test_the_hash_changes_with_each_module_that_takes_part(toy: Path, changed: str, takes_part: bool) -> None:
    before = code_hash("felt_toy.start")
    (toy / changed).write_text(FILES[changed] + "\n# Changed.\n")
    forget()
    assert (code_hash("felt_toy.start") != before) == takes_part


def test_what_is_compiled_has_a_folder_for_the_code_that_it_imports_too(toy: Path) -> None:
    """Numba looks at the file of a function alone, although it puts constants and helpers of others into it."""
    before = folder_of("felt_toy.start")
    (toy / "above.py").write_text("name = 2")
    forget()
    after = folder_of("felt_toy.start")
    assert before is not None and after is not None and before != after
    assert before.parent == after.parent and before.name.startswith("compiled-")
    assert folder_of("felt_toy.that_has_no_file") is None


def test_what_counts_is_all_that_takes_part_in_a_count_and_no_rules_or_screens() -> None:
    games = "feltworks.games."
    for module, needed in (
        (
            down_under,
            "backward_sweep bands boards bonuses counted_parts flop_states jackpot packed_words plain_count policies"
            " solution sweep",
        ),
        (
            blackjack,
            "basic_strategy dealer_totals hands counted_parts integer_values solution split_hands split_memory"
            " split_squares upcard_solver options",
        ),
    ):
        found = set(modules_of(module.__name__))
        own = {name.rpartition(".")[2] for name in found if name.startswith(games)}
        assert own == set(needed.split())
        kit = {name.rpartition(".")[2] for name in found if name.startswith("feltworks.kit.")}
        assert kit <= set(
            "cache_folder cards code_hash compiled counted_parts errors fast_poker odds paytable poker workers".split()
        )
        assert len(own) + len(kit) == len(found)


def test_no_module_that_counts_imports_by_a_name_that_it_makes_up() -> None:
    for path in {**modules_of(down_under.__name__), **modules_of(blackjack.__name__)}.values():
        code = path.read_text()
        assert "importlib" not in code and "__import__" not in code


# Folders.


def test_the_hash_of_folders_is_of_every_file_in_them_and_of_its_place(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "one.py").write_text("1")
    seen = [folders_hash([tmp_path])]
    for path, text in (("deep/two.py", "2"), ("deep/two.py", "3"), ("deep/what.toml", ""), ("one.py", "4")):
        (tmp_path / path).write_text(text)
        seen.append(folders_hash([tmp_path]))
    (tmp_path / "deep/two.py").rename(tmp_path / "two.py")
    seen.append(folders_hash([tmp_path]))
    assert len(set(seen)) == len(seen)
    (tmp_path / "deep/__pycache__").mkdir()
    (tmp_path / "deep/__pycache__/two.py").write_text("")
    (tmp_path / "notes.txt").write_text("nothing that is run")
    assert folders_hash([tmp_path]) == seen[-1]


def test_the_build_of_a_game_covers_the_folders_in_its_folder(tmp_path: Path) -> None:
    coin = write(tmp_path / "coin")
    (coin / "deep").mkdir()
    before = load_folder(coin).fingerprint["build"]
    (coin / "deep" / "helper.py").write_text("HEADS = 1")
    assert load_folder(coin).fingerprint["build"] != before


def test_names_of_the_kit_bring_all_the_modules_that_they_are_from(toy: Path) -> None:
    (toy / "start.py").write_text("from feltworks.kit import Round")
    forget()
    assert {f"feltworks.kit.{module}" for module in kit.MODULES} < set(modules_of("felt_toy.start"))


def test_every_name_of_the_kit_is_there_and_no_other() -> None:
    for name in kit.__all__:
        assert getattr(kit, name) in [getattr(import_module(f"feltworks.kit.{m}"), name, None) for m in kit.MODULES]
    with pytest.raises(AttributeError, match="has no attribute 'Dominoes'"):
        kit.__getattr__("Dominoes")
