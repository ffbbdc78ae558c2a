"""Writes docs/rules.md: every statement of the rules, the tests that prove it and the code that keeps it.

The statements are in `statements.toml` of each game and of the floor. A test names those that it proves with
`@pytest.mark.rule("Y-07")`; a module, class or function names those that it keeps in its docstring.
With --check nothing is written, and whatever does not hold is told in a sentence.
"""

import argparse
import ast
import contextlib
import io
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "feltworks"
PAGE = ROOT / "docs" / "rules.md"
STATEMENT_ID = re.compile(r"\b[A-Z]{1,3}-\d{2,3}\b")


@dataclass
class Statement:
    """One sentence of the rules, where it was found, and the readings that it leaves open."""

    id: str
    text: str
    source: str
    readings: list[str] = field(default_factory=list)


class Collector:
    """A pytest plugin that keeps, for each statement, the tests that name it."""

    def __init__(self) -> None:
        self.tests: defaultdict[str, set[str]] = defaultdict(set)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            name = getattr(item, "originalname", None) or item.name
            sentence = name.removeprefix("test_").replace("_", " ")
            file = item.path.relative_to(ROOT).as_posix()
            for mark in item.iter_markers("rule"):
                for statement_id in mark.args:
                    self.tests[statement_id].add(f"{sentence} ({file})")


def read_statements() -> dict[str, list[Statement]]:
    """The statements by the heading under which they are shown: each game's, and last those of the rooms."""
    files = sorted(PACKAGE.glob("games/*/statements.toml")) + sorted(PACKAGE.glob("*/statements.toml"))
    return {
        file.parent.name.replace("_", " ").capitalize(): [
            Statement(id, entry["text"], entry["source"], entry.get("reading", []))
            for id, entry in tomllib.loads(file.read_text("utf-8")).items()
        ]
        for file in files
        if file.exists()
    }


def collect_tests() -> dict[str, set[str]]:
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


def page(statements: dict[str, list[Statement]], tests: dict[str, set[str]], code: dict[str, list[str]]) -> str:
    every = [statement for group in statements.values() for statement in group]
    proved = sum(statement.id in tests for statement in every)
    lines = [
        "# Which test proves which rule",
        "",
        f"**Statements: {len(every)}. Named by a test: {proved}.**",
        "",
        "Written by `make rules`; the statements are in `statements.toml` beside each game's rules.",
    ]
    for heading, group in statements.items():
        lines += ["", f"## {heading}", "", "| | Statement | Proved by | Kept in |", "|---|---|---|---|"]
        for statement in group:
            readings = "".join(f", reading `{reading}`" for reading in statement.readings)
            what = f"{cell(statement.text)}<br><small>{cell(statement.source)}{readings}</small>"
            proofs = "<br>".join(sorted(tests.get(statement.id, ()))) or "**no test**"
            keepers = "<br>".join(f"`{keeper}`" for keeper in code.get(statement.id, ()))
            lines.append(f"| {statement.id} | {what} | {proofs} | {keepers} |")
    return "\n".join(lines) + "\n"


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def faults(
    statements: dict[str, list[Statement]], tests: dict[str, set[str]], code: dict[str, list[str]]
) -> Iterator[str]:
    ids = [statement.id for group in statements.values() for statement in group]
    prefixes = {id.split("-")[0] for id in ids}
    for id in sorted(set(ids)):
        if ids.count(id) > 1:
            yield f"{id} is stated twice."
        if id not in tests:
            yield f"No test names {id}."
    for id in sorted(tests.keys() - set(ids)):
        yield f"A test names {id}, which is not stated: {', '.join(sorted(tests[id]))}."
    for id in sorted(code.keys() - set(ids)):
        if id.split("-")[0] in prefixes:
            yield f"A docstring names {id}, which is not stated: {', '.join(code[id])}."


def main() -> int:
    parser = argparse.ArgumentParser(description="Write docs/rules.md.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if anything does not hold")
    check = parser.parse_args().check

    found = read_statements(), collect_tests(), collect_code()
    text = page(*found)
    messages = list(faults(*found))
    if not check:
        PAGE.write_text(text, "utf-8")
    elif not PAGE.exists() or PAGE.read_text("utf-8") != text:
        messages.append("docs/rules.md is stale: run `make rules`.")
    for message in messages:
        print(f"rules: {message}", file=sys.stderr)
    return 1 if check and messages else 0


if __name__ == "__main__":
    sys.exit(main())
