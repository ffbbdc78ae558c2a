"""The examples in the documentation are run, and print what they are said to print.

A block marked `pycon` is a Python session; those of one page are one session. In a block marked `console`
each line `$ felt ...` is run in an empty folder. `...` stands for anything, and white space counts once.
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
            printed = subprocess.run(
                [felt, *shlex.split(command)],
                cwd=tmp_path,
                env=plain,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            ).stdout
            assert doctest.OutputChecker().check_output(shown, printed, LIKE), f"$ felt{command}\n{printed}"


@pytest.mark.parametrize(("language", "name"), [("toml", "game.toml"), ("python", "rules.py")])
def test_the_game_that_the_contract_page_writes_is_the_toy(language: str, name: str) -> None:
    shown = blocks("docs/contract.md", language)
    assert shown == [(ROOT / "tests/toys/bands" / name).read_text("utf-8")]
