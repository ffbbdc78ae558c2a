"""The pages of docs/rules/, which `make rules` writes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools import rules

ROOT = Path(__file__).parent.parent
GROUPS = rules.read_groups()


@pytest.mark.slow
def test_every_statement_has_a_test_and_the_pages_of_rules_are_current() -> None:
    check = subprocess.run(
        [sys.executable, "tools/rules.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert check.returncode == 0, check.stdout + check.stderr


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_a_page_has_a_line_for_each_statement_and_folds_what_is_below_it(group: rules.Group) -> None:
    text = (rules.PAGES / group.page).read_text("utf-8")
    shown = re.findall(r"^<summary><code>(.+?)</code> <span>.+</span> <small>\d+ tests?</small></summary>$", text, re.M)
    assert shown == [statement.id for statement in group.statements]
    unfolded = re.sub(r"<details.*?</details>", "", text, flags=re.DOTALL)
    assert len(unfolded.split()) < 40
    assert max(map(len, text.splitlines())) < 500


def test_the_first_page_of_rules_counts_every_statement() -> None:
    text = (rules.PAGES / "index.md").read_text("utf-8")
    number = sum(len(group.statements) for group in GROUPS)
    assert f"**Statements: {number}. Proven by a test: {number}.**" in text


STATED = [rules.Group("toy", "Toy", (rules.Statement("T-01", "The higher card wins. Suits are equal.", "1"),))]


def told(tests: dict[str, set[rules.Test]], code: dict[str, list[str]] | None = None) -> list[str]:
    return list(rules.faults(STATED, rules.Evidence(tests, code or {})))


def test_a_statement_is_shown_by_its_first_sentence() -> None:
    [line] = [line for line in rules.entry(STATED[0].statements[0], rules.Evidence({}, {})) if "<summary>" in line]
    assert "<span>The higher card wins.</span> <small><strong>no test</strong></small>" in line


def test_a_statement_without_a_test_is_a_fault_and_so_is_a_test_without_a_statement() -> None:
    assert told({}) == ["No test names T-01."]
    good = rules.Test("tests/test_toy.py", "the higher card wins")
    assert told({"T-01": {good}}) == []
    assert told({"T-01": {good}, "T-02": {good}}) == ["A test names T-02, which is not stated: the higher card wins."]
    assert told({"T-01": {good}}, {"T-03": ["toy.py"]}) == ["A docstring names T-03, which is not stated: toy.py."]


@pytest.mark.parametrize("name", ["runTest", "so are many thousands more", "nor is one of hearts", "it holds too"])
def test_a_name_that_does_not_say_alone_what_is_proven_is_a_fault(name: str) -> None:
    [fault] = told({"T-01": {rules.Test("tests/test_toy.py", name)}})
    assert fault == f"tests/test_toy.py: the name '{name}' does not say alone what the test proves."
