"""The reference pages for inventors leave nothing out, and name nothing that is not there."""

import ast
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from pydantic import BaseModel

from feltworks import analyze, games, kit
from feltworks.cli.new_game import write_game
from feltworks.kit import ShowdownRound
from feltworks.kit.definition import (
    DERIVED,
    Approval,
    Definition,
    Pack,
    Piece,
    Published,
    Reading,
    Version,
    Wager,
    WagerLimits,
    Wheel,
)
from feltworks.kit.layout import Layout
from feltworks.kit.loader import load_folder
from tests.test_docs_examples import FILE, every_block
from tools import gallery

DOCS = Path(__file__).parent.parent / "docs"
SECTIONS: dict[str, type[BaseModel]] = {
    "The head of the file": Definition,
    "The pack": Pack,
    "A wheel": Wheel,
    "A wager": Wager,
    "A version": Version,
    "A reading": Reading,
    "Limits": WagerLimits,
    "A published figure": Published,
    "The approval": Approval,
    "A piece of equipment": Piece,
}


def section(page: str, heading: str) -> str:
    return (DOCS / page).read_text("utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]


def entries(text: str) -> set[str]:
    """What the first column of the tables names."""
    cells = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


@pytest.mark.parametrize("heading", SECTIONS)
def test_the_reference_has_every_entry_of_a_definition_and_no_other(heading: str) -> None:
    part = SECTIONS[heading]
    written = {name for name in part.model_fields if part is not Wager or name not in DERIVED}
    assert entries(section("game-toml.md", heading)) == written


def test_every_part_of_a_definition_has_its_section() -> None:
    parts: Sequence[type[BaseModel]] = Definition.__mro__[1].__subclasses__()
    assert {*parts} == {*SECTIONS.values()}


def test_the_reference_has_every_entry_of_a_layout_and_no_other() -> None:
    assert entries(section("game-toml.md", "The layout")) == {*Layout.model_fields}


def named_on(page: str) -> set[str]:
    """Every name that stands in code in the sentences and tables of a page."""
    text = re.sub(r"^```.*?^```$", "", (DOCS / page).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    return {name for code in re.findall(r"`([^`\n]+)`", text) for name in re.findall(r"\w+", code)}


def test_the_page_of_the_kit_has_every_name_of_the_kit() -> None:
    assert {*kit.__all__} - named_on("kit.md") == set()


def test_every_name_of_the_vocabulary_is_imported_from_the_kit() -> None:
    """Every step, answer, effect and item that its tables name."""
    rows = re.findall(r"^\| (.*) \|$", section("contract.md", "The whole vocabulary"), re.MULTILINE)
    codes = [code for row in rows for code in re.findall(r"`([^`]+)`", row)]
    named = {found[0] for code in codes if (found := re.match(r"[A-Za-z]+(?=$|\()", code))} - {"carry"}
    assert {"Bet", "DEALT", "HIDDEN", "Close", "NoRoll", "Pocket", "task"} <= named
    assert {name for name in named if not hasattr(kit, name)} == set()


@pytest.mark.parametrize("game", sorted(path.parent.name for path in games.HOME.glob("*/rules.py")))
def test_the_page_of_the_kit_has_every_call_that_a_game_makes(game: str) -> None:
    members = {name for name in dir(ShowdownRound) if not name.startswith("_")}
    used = set()
    for node in ast.walk(ast.parse((games.HOME / game / "rules.py").read_text("utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("self", "round"):
            used |= {node.attr} & members
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute) and node.value.attr == "game":
            used.add(node.attr)
        elif isinstance(node, ast.FunctionDef):
            used |= {node.name} & members
    assert used - named_on("kit.md") == set()


def test_the_enumerator_of_the_documentation_counts_what_the_solver_walks(tmp_path: Path) -> None:
    folder = write_game("my-count", None, tmp_path)
    walked = analyze(load_folder(folder))
    for _, heading, text in every_block("docs/enumerator.md"):
        if file := FILE.search(heading):
            with (tmp_path / file["path"]).open("a" if file["end"] else "w", encoding="utf-8") as opened:
                opened.write(text)
    counted = analyze(load_folder(folder))
    assert counted.game.enumerator and not walked.game.enumerator
    assert counted.to_json()["wagers"] == walked.to_json()["wagers"]


def test_what_a_game_of_the_gallery_is_said_to_show_stands_in_its_files() -> None:
    for name, said in gallery.SHOWS.items():
        folder = games.HOME / name.replace("-", "_")
        text = "\n".join(path.read_text("utf-8") for path in (folder / "rules.py", folder / "game.toml"))
        missing = [code for code in re.findall(r"`([^`]+)`", said) if code not in text]
        assert (name, missing) == (name, [])


def test_every_game_without_an_approval_is_in_the_gallery() -> None:
    shipped = [path.parent.name.replace("_", "-") for path in games.HOME.glob("*/game.toml")]
    without = {name for name in shipped if games.load(name).standing == "carries no approval"}
    assert without - gallery.SHOWS.keys() == {"blackjack"}, "which has a page of its own, as the base of IN BETween"


@pytest.mark.slow
def test_the_gallery_is_as_it_is_made() -> None:
    assert gallery.FILE.read_text("utf-8") == gallery.written()
