"""Writes docs/rules/: every statement of the rules, the tests that prove it and the code that keeps it, a page a game.

The statements are in `statements.toml` of each game and of the floor. A test names those that it proves with
`@pytest.mark.rule("Y-07")`; a module, class or function names those that it keeps in its docstring.
With --check nothing is written, and whatever does not hold is told in a sentence.
"""

import argparse
import ast
import contextlib
import html
import io
import re
import sys
import textwrap
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "feltworks"
PAGES = ROOT / "docs" / "rules"
STATEMENT_ID = re.compile(r"\b[A-Z][A-Z0-9]{0,2}-\d{2,3}\b")
LEANS_ON_ANOTHER = re.compile(r"(so|nor|it|they|such|likewise)\b|.*\b(says? it|many more)$")
"""How the name of a test begins or ends that says what it proves only below another test."""


@dataclass(frozen=True)
class Statement:
    """One statement of the rules, where it was found, and the readings that it leaves open."""

    id: str
    text: str
    source: str
    readings: tuple[str, ...] = ()

    @property
    def first_sentence(self) -> str:
        return re.split(r"(?<=\.)\s+(?=[A-Z])", self.text, maxsplit=1)[0]


@dataclass(frozen=True)
class Group:
    """The statements of a game, or of the floor, and the page that they are on."""

    name: str
    title: str
    statements: tuple[Statement, ...]

    @property
    def page(self) -> str:
        return f"{self.name}.md"


class Test(NamedTuple):
    """A test: where it is, and its name read as a sentence."""

    file: str
    sentence: str


class Evidence(NamedTuple):
    """What there is for each statement, by its id: the tests that prove it and the code that keeps it."""

    tests: Mapping[str, set[Test]]
    code: Mapping[str, list[str]]


class Collector:
    """A pytest plugin that keeps, for each statement, the tests that name it."""

    def __init__(self) -> None:
        self.tests: defaultdict[str, set[Test]] = defaultdict(set)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            name = getattr(item, "originalname", None) or item.name
            test = Test(item.path.relative_to(ROOT).as_posix(), name.removeprefix("test_").replace("_", " "))
            for mark in item.iter_markers("rule"):
                for statement_id in mark.args:
                    self.tests[statement_id].add(test)


# What there is.


def read_groups() -> list[Group]:
    """Each game by its name, and last the floor."""
    games = sorted(PACKAGE.glob("games/*/statements.toml"))
    groups = [Group(file.parent.name.replace("_", "-"), title_of(file.parent), statements_of(file)) for file in games]
    return [*groups, Group("floor", "The floor", statements_of(PACKAGE / "floor" / "statements.toml"))]


def title_of(game: Path) -> str:
    return str(tomllib.loads((game / "game.toml").read_text("utf-8"))["title"])


def statements_of(file: Path) -> tuple[Statement, ...]:
    return tuple(
        Statement(id, " ".join(entry["text"].split()), entry["source"], tuple(entry.get("reading", ())))
        for id, entry in tomllib.loads(file.read_text("utf-8")).items()
    )


def collect_tests() -> dict[str, set[Test]]:
    collector, output = Collector(), io.StringIO()
    with contextlib.chdir(ROOT), contextlib.redirect_stdout(output):
        code = pytest.main(["--collect-only", "-q", "-p", "no:cacheprovider"], plugins=[collector])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        sys.exit(f"{output.getvalue()}\nrules: pytest could not collect the tests.")
    return collector.tests


def collect_code() -> dict[str, list[str]]:
    code: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE).as_posix()
        for name, docstring in docstrings(ast.parse(path.read_text("utf-8"))):
            for statement_id in sorted(set(STATEMENT_ID.findall(docstring))):
                code[statement_id].append(f"{file}: {name}" if name else file)
    return code


def docstrings(node: ast.AST, name: str = "") -> Iterator[tuple[str, str]]:
    """Every docstring in the tree, with the dotted name of what it describes (empty for the module)."""
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        if not isinstance(node, ast.Module):
            name = f"{name}.{node.name}".lstrip(".")
        yield name, ast.get_docstring(node) or ""
    for child in ast.iter_child_nodes(node):
        yield from docstrings(child, name)


# The pages.


def pages(groups: list[Group], evidence: Evidence) -> dict[str, str]:
    """The text of each page by the name of its file."""
    return {
        "index.md": overview(groups, evidence),
        **{group.page: page(group, evidence) for group in groups},
    }


def overview(groups: list[Group], evidence: Evidence) -> str:
    every = [statement for group in groups for statement in group.statements]
    rows = [
        f"| [{group.title}]({group.page}) | {ids(group)} | {len(group.statements)} |"
        f" {proven(group.statements, evidence)} | {proofs(group.statements, evidence)} |"
        for group in groups
    ]
    return lines_of(
        "# The rules and their tests",
        "",
        f"**Statements: {len(every)}. Proven by a test: {proven(every, evidence)}.**",
        "",
        *wrapped(
            "The rules of each game are written down as numbered statements, in our own words and each with its source."
            " A statement is *proven* when at least one test names it. `make test` runs all these tests, and fails if a"
            " statement has none. Open a statement to read all of it, its source, its tests, and the code that keeps"
            " it."
        ),
        "",
        "| | numbers | statements | proven | tests |",
        "|---|---|---:|---:|---:|",
        *rows,
        "",
        "A test that proves several statements is counted once in each row.",
        "",
        *wrapped(
            "These pages are written by `make rules`, from `statements.toml` beside each game's rules, from the"
            ' `@pytest.mark.rule("Y-07")` above a test, and from the numbers in the docstrings of the code.'
        ),
    )


def ids(group: Group) -> str:
    return f"{group.statements[0].id} to {group.statements[-1].id}"


def proven(statements: Iterable[Statement], evidence: Evidence) -> int:
    return sum(statement.id in evidence.tests for statement in statements)


def proofs(statements: Iterable[Statement], evidence: Evidence) -> int:
    return len(set().union(*(evidence.tests.get(statement.id, ()) for statement in statements)))


def page(group: Group, evidence: Evidence) -> str:
    every = len(group.statements)
    return lines_of(
        *("---", "hide:", "  - toc", "---", ""),
        f"# {group.title}: the rules and their tests",
        "",
        f"**Statements: {every}. Proven by a test: {proven(group.statements, evidence)}.**",
        "Open one for its source, its tests and its code. [What this is](index.md).",
        *(line for statement in group.statements for line in entry(statement, evidence)),
    )


def entry(statement: Statement, evidence: Evidence) -> Iterator[str]:
    """A line with the first sentence; what is folded below it is the whole statement and what there is for it."""
    tests, code = evidence.tests.get(statement.id, set()), evidence.code.get(statement.id, ())
    number = f"{len(tests)} test{'s' * (len(tests) != 1)}" if tests else "<strong>no test</strong>"
    yield from (
        "",
        f'<details class="statement" id="{statement.id}" markdown>',
        f"<summary><code>{statement.id}</code> <span>{html.escape(statement.first_sentence, quote=False)}</span>"
        f" <small>{number}</small></summary>",
        "",
    )
    if statement.first_sentence != statement.text:
        yield from (*wrapped(statement.text), "")
    readings = "".join(f"; reading `{reading}`" for reading in statement.readings)
    yield from wrapped(f"*Source:* {statement.source}{readings}")
    for file in sorted({test.file for test in tests}):
        yield from ("", f"`{file}`", "")
        yield from (f"- {test.sentence}" for test in sorted(tests) if test.file == file)
    if code:
        yield from ("", "*Code:*", "", *(f"- `{place}`" for place in code))
    yield from ("", "</details>")


def lines_of(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 120, break_long_words=False, break_on_hyphens=False)


# What does not hold.


def faults(groups: list[Group], evidence: Evidence) -> Iterator[str]:
    stated = [statement.id for group in groups for statement in group.statements]
    prefixes = {id.split("-")[0] for id in stated}
    for id in sorted(set(stated)):
        if stated.count(id) > 1:
            yield f"{id} is stated twice."
        if id not in evidence.tests:
            yield f"No test names {id}."
    for id in sorted(evidence.tests.keys() - set(stated)):
        yield f"A test names {id}, which is not stated: {', '.join(t.sentence for t in sorted(evidence.tests[id]))}."
    for id in sorted(evidence.code.keys() - set(stated)):
        if id.split("-")[0] in prefixes:
            yield f"A docstring names {id}, which is not stated: {', '.join(evidence.code[id])}."
    for test in sorted(set().union(*evidence.tests.values())):
        if " " not in test.sentence or LEANS_ON_ANOTHER.match(test.sentence):
            yield f"{test.file}: the name '{test.sentence}' does not say alone what the test proves."


def stale(texts: Mapping[str, str]) -> bool:
    return {path.name: path.read_text("utf-8") for path in PAGES.glob("*.md")} != texts


def write(texts: Mapping[str, str]) -> None:
    PAGES.mkdir(exist_ok=True)
    for path in PAGES.glob("*.md"):
        path.unlink()
    for name, text in texts.items():
        (PAGES / name).write_text(text, "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description="Write docs/rules/.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if anything does not hold")
    check = parser.parse_args().check

    groups, evidence = read_groups(), Evidence(collect_tests(), collect_code())
    texts, messages = pages(groups, evidence), list(faults(groups, evidence))
    if not check:
        write(texts)
    elif stale(texts):
        messages.append("docs/rules/ is stale: run `make rules`.")
    for message in messages:
        print(f"rules: {message}", file=sys.stderr)
    return 1 if check and messages else 0


if __name__ == "__main__":
    sys.exit(main())
