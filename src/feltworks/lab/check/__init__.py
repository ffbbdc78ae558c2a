"""The check of a game: what is wrong with its rules, found by playing them in every way before anybody else does.

- `scenarios` says what is played, `walk` plays it, and `course` is one course of it: as a table plays the round, as who
  knows every card does, and as the laboratory does.
- `watch` looks at each step, `seen` at what came up and what never did, `cards_needed` at how many cards it took.
- `solve` and `kinds` tell exactly which pay lines come up, and `statements` what is cited.
- `findings` has what was found.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from feltworks.kit.game import Game
from feltworks.lab.check.cards_needed import check_seats
from feltworks.lab.check.findings import Finding, Findings
from feltworks.lab.check.kinds import settled_by_kinds
from feltworks.lab.check.scenarios import scenarios
from feltworks.lab.check.seen import Seen, lines_not_seen, what_never_came
from feltworks.lab.check.solve import solved_lines
from feltworks.lab.check.statements import check_statements
from feltworks.lab.check.walk import Walk

ANSWERS = 40_000
"""So many answers are given to the rounds of a game."""
SOLVING = 2.0
"""Seconds in which a version is solved, or not."""


@dataclass(frozen=True)
class Report:
    """What a check has found, and how far it went."""

    game: Game
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    rounds: int
    courses: int
    every_course: bool
    """Whether every course of choices was walked for each of the deals."""

    @property
    def is_clean(self) -> bool:
        return not self.findings

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "fingerprint": self.game.fingerprint,
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
    check_seats(game, findings)
    Walk(game, [*scenarios(game)], findings, seen).go(answers)
    notes: list[str] = []
    if findings:
        notes.append("Pay lines and what never comes up are looked at when this is mended.")
    else:
        what_never_came(game, seen, findings)
        notes += _lines(game, seen, findings)
    if not check_statements(game, seen.cited, findings):
        notes.append("There is no statements.toml, so that nothing is said of what the rules cite.")
    return Report(game, tuple(findings), tuple(notes), seen.rounds, seen.courses, not seen.sampled)


def _lines(game: Game, seen: Seen, findings: Findings) -> Iterator[str]:
    """Pay lines that no hand reaches, told exactly where that can be; otherwise those that were not seen."""
    exact: dict[str, set[str]] = {}
    if not game.enumerator:
        for version in game.definition.versions:
            for name, lines in solved_lines(game.configured(version=version), SOLVING, findings).items():
                exact[name] = exact.get(name, set()) | lines
    missing = [*lines_not_seen(game, seen)]
    kinds = settled_by_kinds(game, SOLVING, {(spot, line) for spot, _, line in missing}) if missing else None
    not_seen: dict[str, list[str]] = {}
    for spot, table, line in missing:
        if line in exact.get(spot, ()) or (kinds and (spot, line) in kinds):
            continue
        if spot in exact or kinds:
            findings.entry(
                "pay line",
                game,
                ["pay_tables", spot, table, line],
                f"No hand reaches the line {line!r} of {spot}; let a rule settle on it, or leave it out.",
            )
        else:
            not_seen.setdefault(spot, []).append(line)
    for spot, lines_of in not_seen.items():
        named = ", ".join(dict.fromkeys(lines_of))
        yield f"Not seen in {seen.rounds:,} rounds, which does not say that they never come: {named} of {spot}."
