"""What a check finds: each mistake once, with its file, line and rule, and what to do about it."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from feltworks.kit.errors import FaultyRules
from feltworks.kit.game import Game
from feltworks.kit.game_toml import read_text
from feltworks.kit.loader import line_of
from feltworks.kit.round import Round
from feltworks.kit.rule_faults import mistake_within, place_of, rule_name

_NUMBERS = re.compile(r"\d+(/\d+)?")
_RULE = re.compile(r"^The rule (?P<name>\S+)(?: \((?P<statements>[^)]+)\))?")


@dataclass(frozen=True)
class Finding:
    """One mistake: what kind it is, where it is, and in a sentence what is wrong and what to do."""

    kind: str
    said: str
    place: str = ""
    """File and line."""
    played: str = ""
    """How it was come upon."""

    @property
    def told(self) -> str:
        return f"{self.place}: {self.said}" if self.place else self.said

    def named_by(self, folders: Iterable[Path]) -> Self:
        """The same with its file as the game's folder was named, from here or from the root."""
        file, _, line = self.place.rpartition(":")
        for folder in folders:
            if file and Path(file).is_relative_to(folder.resolve()):
                return replace(self, place=f"{folder / Path(file).relative_to(folder.resolve())}:{line}")
        return self

    def to_json(self) -> dict[str, Any]:
        file, _, line = self.place.rpartition(":")
        rule = _RULE.match(self.said)
        return {
            "kind": self.kind,
            "file": file or None,
            "line": int(line) if line else None,
            "rule": rule["name"] if rule else None,
            "statements": rule["statements"] if rule else None,
            "said": self.said,
            "played": self.played or None,
        }


@dataclass
class Findings:
    """All that was found, in the order in which it was; the same mistake at another seat is the same."""

    found: dict[tuple[str, str, str], Finding] = field(default_factory=dict)

    def add(self, finding: Finding) -> None:
        self.found.setdefault((finding.kind, finding.place, _NUMBERS.sub("#", finding.said)), finding)

    def fault(self, fault: FaultyRules, played: str = "") -> None:
        """A rule that fails is told once for each line in which it does."""
        finding = Finding(fault.kind, str(fault), fault.place, played)
        self.found.setdefault((fault.kind, fault.place, ""), finding)

    def mistake(self, error: BaseException, game: Game, played: str = "") -> None:
        """Whatever came up in the rules; anything else goes on its way."""
        fault = error if isinstance(error, FaultyRules) else mistake_within(error, game.folders)
        if fault is None:
            raise error
        self.fault(fault, played)

    def rule(self, kind: str, round: Round, said: str, played: str = "") -> None:
        """Something that the rule does which was worked off last."""
        fault = fault_at(round, kind, said)
        self.add(Finding(kind, str(fault), fault.place, played))

    def entry(self, kind: str, game: Game, path: Iterable[str], said: str) -> None:
        """Something that is wrong with an entry of game.toml."""
        self.add(Finding(kind, said, place_in_toml(game, [*path])))

    def __iter__(self) -> Any:
        return iter(self.found.values())

    def __len__(self) -> int:
        return len(self.found)

    @property
    def kinds(self) -> set[str]:
        return {finding.kind for finding in self.found.values()}


def fault_at(round: Round, kind: str, said: str) -> FaultyRules:
    """A fault of the rule that was worked off last."""
    rule = round.last_rule
    return FaultyRules(f"{rule_name(rule)} of {round.game.title} {said}.", kind=kind, place=place_of(rule))


def retold(fault: FaultyRules, kind: str, how: str, remedy: str) -> FaultyRules:
    """A rule that fails, told with how it comes that it does, and what to do."""
    head, _, what = str(fault).partition(" fails with ")
    if not what:
        return FaultyRules(str(fault), kind=kind, place=fault.place)
    return FaultyRules(f"{head} fails {how}: {what.rstrip('.')}; {remedy}.", kind=kind, place=fault.place)


def place_in_toml(game: Game, path: list[str]) -> str:
    """The file and line of an entry: in the game's own game.toml, or in that of the game that it extends."""
    for folder in reversed(game.folders):
        file = folder / "game.toml"
        text = read_text(file)
        if _has(text, path):
            return f"{file}:{line_of(text, path)}"
    return f"{game.folder / 'game.toml'}:1"


def _has(text: str, path: list[str]) -> bool:
    entry: Any = tomllib.loads(text)
    for name in path[:2]:
        if not isinstance(entry, dict) or name not in entry:
            return False
        entry = entry[name]
    return True
