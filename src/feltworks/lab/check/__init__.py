"""The check of a game: what is wrong with its rules, found by playing them in every way before anybody else does.

- `scenarios` says what is played, `walk` plays it, and `course` is one course of it: as a table plays the round, as who
  knows every card does, and as the laboratory does.
- `watch` looks at each step, `seen` at what came up and what never did, `cards_needed` at how many cards it took.
- `solve` and `kinds` tell exactly which pay lines come up; `statements` and `moments` read what rules name.
- `findings` has what was found.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from feltworks.kit.errors import BadDefinition
from feltworks.kit.game import Game
from feltworks.kit.loader import load_folder
from feltworks.lab.check.cards_needed import check_seats
from feltworks.lab.check.findings import Finding, Findings
from feltworks.lab.check.kinds import asked_by_kinds
from feltworks.lab.check.moments import check_moments
from feltworks.lab.check.scenarios import scenarios
from feltworks.lab.check.seen import Seen, lines_not_seen, watching_lines, what_never_came
from feltworks.lab.check.solve import refused_by_hands, solved
from feltworks.lab.check.statements import check_statements
from feltworks.lab.check.walk import Walk

_PLACED = re.compile(r"(?P<place>.*?\.(?:py|toml):\d+): (?P<said>.*)")
ANSWERS = 30_000
"""So many answers are given to the rounds of a game."""
SOLVING = 2.5
"""Seconds after which a game is not solved."""


@dataclass(frozen=True)
class Report:
    """What a check has found, and how far it went."""

    name: str
    title: str
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    rounds: int
    courses: int
    every_course: bool
    """Whether every course of choices was walked for each of the deals."""
    fingerprint: Mapping[str, str] | None = None
    """None where it cannot be loaded."""

    @property
    def is_clean(self) -> bool:
        return not self.findings

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.name,
            "fingerprint": self.fingerprint,
            "clean": self.is_clean,
            "rounds": self.rounds,
            "courses": self.courses,
            "every_course": self.every_course,
            "findings": [finding.to_json() for finding in self.findings],
            "notes": list(self.notes),
        }


def check(game: Game, *, answers: int = ANSWERS) -> Report:
    """Play a game in every way that there is time for, and tell what is wrong with it."""
    findings, seen = Findings(), Seen()
    watched = watching_lines(game, seen.lines)
    check_seats(game, findings)
    check_moments(game, findings)
    walk = Walk(watched, [*scenarios(watched, seen.lines)], findings, seen)
    walk.go(answers)
    notes: list[str] = []
    if walk.out_of_time and not walk.deal:
        notes.append("The rules are slow, so that not every wager and reading was played.")
    elif walk.stopped:
        notes.append("Some rounds could not be played on; what never comes up is told when that is mended.")
    else:
        what_never_came(game, seen, findings)
        notes += _lines(game, seen, findings)
    if not check_statements(game, seen.cited, findings):
        notes.append("There is no statements.toml, so that nothing is said of what the rules cite.")
    return Report(
        game.name,
        game.title,
        tuple(finding.named_by(game.folders) for finding in findings),
        tuple(notes),
        seen.rounds,
        seen.courses,
        not seen.sampled,
        game.fingerprint,
    )


def check_folder(folder: Path, module: str | None = None) -> Report:
    """The check of a game in a folder; if it cannot be loaded, what is wrong with it."""
    try:
        game = load_folder(folder, module)
    except BadDefinition as error:
        name = folder.resolve().name.replace("_", "-")
        return Report(name, name, tuple(map(_of_line, str(error).splitlines())), (), 0, 0, True)
    return check(game)


def _of_line(line: str) -> Finding:
    """A mistake for which a game is not loaded."""
    named = _PLACED.match(line)
    return Finding("definition", named["said"], named["place"]) if named else Finding("definition", line)


def _lines(game: Game, seen: Seen, findings: Findings) -> Iterator[str]:
    """Pay lines that no hand reaches, told exactly where that can be; otherwise those that were not seen."""
    refused: dict[str, None] = {}
    exact = set() if game.enumerator else solved(game, SOLVING, seen.lines, findings, refused)
    missing = {*lines_not_seen(game, seen)}
    by_kinds = asked_by_kinds(game, SOLVING, missing) if missing else None
    not_seen: dict[str, list[str]] = {}
    for of, line in lines_not_seen(game, seen):
        if by_kinds is not None and (of, line) in by_kinds:
            continue
        if by_kinds is not None or of in exact:
            table = next(name for name, lines in game.definition.pay_tables[of].items() if line in lines)
            findings.entry(
                "pay line",
                game,
                ["pay_tables", of, table, line],
                f"No hand reaches the line {line!r} of {of}; let a rule settle on it, or leave it out.",
            )
        else:
            not_seen.setdefault(of, []).append(line)
    yield from refused
    yield from refused_by_hands(game, SOLVING)
    for of, lines in not_seen.items():
        yield f"Not seen in {seen.rounds:,} rounds, though they may come: {', '.join(lines)} of {of}."
