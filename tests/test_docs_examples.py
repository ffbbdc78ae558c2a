"""The examples in the documentation are run, and print what they are said to print.

A block marked `pycon` is a Python session; those of one page are one session. In a block marked `console`
each line `$ felt ...` is run in a folder that is empty at the top of the page, and what it prints is compared letter by
letter, columns and empty lines included. A line `...` stands for any lines, and `...` within a line for any text. A
block with a title such as `my_war/rules.py` is written there first; `the end of my_war/rules.py` is added to it.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
import tomllib
from fractions import Fraction
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from PIL import Image

import feltworks
from tests.quick import cases

ROOT = Path(__file__).parent.parent
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LIKE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text("utf-8")
    return re.findall(rf"^```{language}\b[^\n]*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def every_block(page: str) -> list[tuple[str, str, str]]:
    text = (ROOT / page).read_text("utf-8")
    return re.findall(r"^```(\w+)\b([^\n]*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


FILE = re.compile(r'title="(?P<end>the end of )?(?P<path>my_\w+/[\w./]+)"')
"""A file of a game that a page writes."""


@pytest.mark.slow
@pytest.mark.parametrize("page", cases(PAGES, quick={*PAGES} - {"docs/python.md"}))
def test_python_sessions_go_as_shown(page: str) -> None:
    session = "\n".join(blocks(page, "pycon"))
    test = doctest.DocTestParser().get_doctest(session, {}, page, page, 0)
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=LIKE).run(test, out=report.append)
    assert not result.failed, "".join(report)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_commands_print_what_is_shown(page: str, tmp_path: Path) -> None:
    felt = Path(sys.executable).with_name("felt")
    plain = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    (tmp_path / "tests").symlink_to(Path(__file__).parent)
    for language, heading, block in every_block(page):
        if file := FILE.search(heading):
            with (tmp_path / file["path"]).open("a" if file["end"] else "w", encoding="utf-8") as opened:
                opened.write(block)
        if language != "console":
            continue
        for command, shown in re.findall(r"^\$ felt\b(.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            done = subprocess.run(
                [felt, *shlex.split(command)],
                cwd=tmp_path,
                env=plain,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
            printed = done.stdout or done.stderr  # a refusal; what is said beside an answer depends on the user's cache
            assert is_shown(shown, printed), f"$ felt{command}\n{printed}"


def is_shown(shown: str, printed: str) -> bool:
    """Whether what is printed is what is shown; spaces at the end of a line nobody sees."""
    lines = [line.rstrip() for line in printed.splitlines()]
    pieces: list[list[str]] = [[]]
    for line in shown.splitlines():
        if line.strip() == "...":
            pieces.append([])
        else:
            pieces[-1].append(".*".join(map(re.escape, line.rstrip().split("..."))))
    first, *others = pieces
    if not others:
        return len(first) == len(lines) and _begins(lines, first)
    *middle, last = others
    if len(first) + len(last) > len(lines) or not _begins(lines, first):
        return False
    left, end = lines[len(first) : len(lines) - len(last)], lines[len(lines) - len(last) :]
    for piece in middle:  # each where it is found first
        found = next((i for i in range(len(left) + 1) if _begins(left[i:], piece)), None)
        if found is None:
            return False
        left = left[found + len(piece) :]
    return _begins(end, last)


def _begins(lines: list[str], patterns: list[str]) -> bool:
    return len(lines) >= len(patterns) and all(map(re.fullmatch, patterns, lines))


SAMPLE = """\
game   wagers
─────────────
yo     play
       more

craps  pass
"""


@pytest.mark.parametrize(
    ("shown", "right"),
    [
        (SAMPLE, True),
        (SAMPLE.replace("more\n\n", "more  \n\n"), True),
        (SAMPLE.replace("yo     play", "yo    play"), False),
        (SAMPLE.replace("       more", "     more"), False),
        (SAMPLE.replace("more\n\n", "more\n"), False),
        (SAMPLE.replace("craps  pass\n", ""), False),
        (SAMPLE.replace("craps  pass\n", "...\n"), True),
        ("...\nyo     play\n...\n", True),
        ("...\nyo    play\n...\n", False),
        ("game   wagers\n...\ncraps  pass\n", True),
        ("...\ncraps  pass\n...\nyo     play\n...\n", False),
        ("game   w...s\n...\n  ...\ncraps...\n", True),
        ("game   w...s\ncraps...\n", False),
    ],
)
def test_a_sample_is_compared_with_its_columns_and_lines(shown: str, right: bool) -> None:
    assert is_shown(shown, SAMPLE) is right


@pytest.mark.parametrize(("language", "name"), [("toml", "game.toml"), ("python", "rules.py")])
def test_the_game_that_the_page_of_sealed_cards_writes_is_the_toy(language: str, name: str) -> None:
    shown = blocks("docs/sealed-cards.md", language)
    assert shown == [(ROOT / "tests/toys/bands" / name).read_text("utf-8")]


WAR = {file["path"]: text for _, heading, text in every_block("docs/contract.md") if (file := FILE.search(heading))}
"""The files of the game that the first page writes, as they are in the end."""


def test_the_game_of_the_first_page_is_casino_war_in_at_most_a_hundred_lines(tmp_path: Path) -> None:
    (tmp_path / "my_war").mkdir()
    for path, text in WAR.items():
        (tmp_path / path).write_text(text, "utf-8")
    written = feltworks.load("my-war", folders=[tmp_path])
    shipped = feltworks.load("casino-war")
    for name in ("base", "tie"):
        assert feltworks.analyze(written)[name].edge == feltworks.analyze(shipped)[name].edge
    rules = WAR["my_war/rules.py"]
    assert sum(bool(line.strip()) for line in rules.splitlines()) <= 100
    assert {*re.findall(r"W-\d\d", rules)} == written.statements.keys()
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "my_war"]
    done = subprocess.run(tests, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0 and "3 passed" in done.stdout, done.stdout


def test_every_piece_of_code_on_the_first_page_stands_in_the_rules_that_it_writes() -> None:
    pieces = [
        text for language, heading, text in every_block("docs/contract.md") if (language, heading) == ("python", "")
    ]
    rules, *pieces = (re.sub(r"\n\n+", "\n\n", text) for text in (WAR["my_war/rules.py"], *pieces))
    assert pieces and [piece for piece in pieces if piece not in rules and indent(piece, "    ") not in rules] == []


def test_the_readme_tells_how_to_play_and_shows_a_round_on_its_first_screen() -> None:
    first_screen = "\n".join((ROOT / "README.md").read_text("utf-8").splitlines()[:25])
    assert "make play" in first_screen and "docs/pictures/round.webp" in first_screen
    with Image.open(ROOT / "docs/pictures/round.webp") as picture:
        assert getattr(picture, "is_animated", False)


def prose(page: str) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", (ROOT / page).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_a_page_points_at_is_there(page: str) -> None:
    text = prose(page)
    links = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in link]
    assert [link for link in links if not (ROOT / page).parent.joinpath(link).exists()] == []


NAMED = re.compile(r"`([\w.-]+/[\w./-]*\w\.(?:css|js|md|py|svg|toml|txt|webp))(?:(?:: |::)([\w.]+))?`")
"""A file, and perhaps a function, class or constant in it: `floor/accounts.py: Kind`, `tests/test_toy.py::test_it`."""


@pytest.mark.parametrize("page", PAGES)
def test_every_file_test_and_name_that_a_page_names_is_there(page: str) -> None:
    assert [f"{file}: {name}" for file, name in NAMED.findall(prose(page)) if not is_there(file, name)] == []


def is_there(file: str, name: str) -> bool:
    if re.search(r"\bmy[-_]", file):
        return True
    path = next((folder / file for folder in (ROOT, ROOT / "src" / "feltworks") if (folder / file).is_file()), None)
    last = re.escape(name.split(".")[-1])
    defined = rf"^\s*(async )?(def|class) {last}\b|^(\w+, )*{last}(, \w+)*(:.*)? = "
    return path is not None and (not name or re.search(defined, path.read_text("utf-8"), re.MULTILINE) is not None)


@pytest.mark.parametrize(
    ("file", "name", "right"),
    [
        ("floor/table/payouts.py", "rounded", True),
        ("floor/accounts.py", "Kind", True),
        ("web/demo.py", "TABLES", True),
        ("web/demo.py", "BONUS", True),
        ("floor/house.py", "House.command", True),
        ("floor/people.py", "GRANT", True),
        ("floor/accounts.py", "in_coins", False),
        ("floor/nothing.py", "", False),
    ],
)
def test_a_name_is_there_where_its_file_defines_it(file: str, name: str, right: bool) -> None:
    assert is_there(file, name) is right


def colours(file: str) -> dict[str, str]:
    root = (ROOT / file).read_text("utf-8").partition(":root {")[2].partition("}")[0]
    return dict(re.findall(r"(--[\w-]+): (.+);", root))


def test_the_documentation_has_the_colours_and_typefaces_of_the_tables() -> None:
    sheet, product = "docs/stylesheets/felt.css", "src/feltworks/web/static/core/base.css"
    assert colours(sheet).items() <= colours(product).items()
    text = (ROOT / sheet).read_text("utf-8")
    fonts = re.findall(r'url\("([^"]+)"\)', text)
    assert fonts and "://" not in text
    for font in fonts:
        link = ROOT / "docs" / "stylesheets" / font
        assert link.resolve() == ROOT / "src" / "feltworks" / "web" / "vendor" / link.name
    games = map(definition, (ROOT / "src/feltworks/games").glob("*/game.toml"))
    felts = {game["layout"]["felt"] for game in games if "layout" in game}
    assert set(re.findall(r"--felt: (#\w+);", text)) == felts


def definition(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text("utf-8"))


def test_the_poker_game_of_the_documentation_is_written_in_an_empty_folder_and_solved(tmp_path: Path) -> None:
    folder = tmp_path / "my-three-cards"
    folder.mkdir()
    [toml], [rules] = blocks("docs/poker.md", "toml"), blocks("docs/poker.md", "python")
    (folder / "game.toml").write_text(toml)
    (folder / "rules.py").write_text(rules)
    game = feltworks.load("my-three-cards", folders=[tmp_path])
    assert feltworks.check(game).is_clean
    found = feltworks.analyze(game)["base"]
    assert found.edge == feltworks.analyze("three-card-poker", wager="base")["base"].edge == Fraction(686689, 20358520)
    assert found.notes[0].startswith("Proved")
    assert feltworks.advise(game, "Qs6d4c").best == "play"
    assert feltworks.advise(game, "Qs6d3c").best == "fold"
    played = feltworks.simulate(game, rounds=200_000)["base"]
    assert played.z is not None and abs(played.z) < 4
