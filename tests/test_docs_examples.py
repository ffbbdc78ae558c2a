"""The examples in the documentation are run, and print what they are said to print.

A block marked `pycon` is a Python session; those of one page are one session. In a block marked `console`
each line `$ felt ...` is run in an empty folder, and what it prints is compared letter by letter, columns and empty
lines included. A line `...` stands for any lines, and `...` within a line for any text.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.quick import cases

ROOT = Path(__file__).parent.parent
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LIKE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text("utf-8")
    return re.findall(rf"^```{language}\b[^\n]*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


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
    for block in blocks(page, "console"):
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
def test_the_game_that_the_contract_page_writes_is_the_toy(language: str, name: str) -> None:
    shown = blocks("docs/contract.md", language)
    assert shown == [(ROOT / "tests/toys/bands" / name).read_text("utf-8")]


def test_the_readme_tells_how_to_play_and_shows_a_round_on_its_first_screen() -> None:
    first_screen = "\n".join((ROOT / "README.md").read_text("utf-8").splitlines()[:25])
    assert "make play" in first_screen and "docs/pictures/round.webp" in first_screen


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_a_page_points_at_is_there(page: str) -> None:
    text = re.sub(r"^```.*?^```$", "", (ROOT / page).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    links = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in link]
    assert [link for link in links if not (ROOT / page).parent.joinpath(link).exists()] == []
