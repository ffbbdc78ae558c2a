"""What came up while a game was played: windows, spots, lines, options. What never came up may be a mistake."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from feltworks.kit.game import Game
from feltworks.kit.odds import Pay
from feltworks.kit.paytable import PayTable
from feltworks.lab.check.findings import Findings


@dataclass
class Seen:
    """Of all versions together, but for what each of them offers itself."""

    rounds: int = 0
    courses: int = 0
    sampled: bool = False
    """Whether some course of choices was left out."""
    windows: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """By version."""
    made: set[str] = field(default_factory=set)
    """The spots that had chips."""
    settled: set[str] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
    lines: set[tuple[str, str]] = field(default_factory=set)
    """The lines that rules asked pay tables for, each with the name of its table."""
    cited: set[str] = field(default_factory=set)
    """The statements by which wagers were settled."""
    refused: dict[str, str] = field(default_factory=dict)
    """By wager, why it was not taken the last time that somebody tried."""
    played: set[str] = field(default_factory=set)
    """The versions of which a round was over."""
    not_closed: dict[str, str] = field(default_factory=dict)
    """By version, why betting was not closed the last time."""


def what_never_came(game: Game, seen: Seen, findings: Findings) -> None:
    """Windows that never open, wagers that nobody can make, spots that are never used."""
    for version in game.definition.versions:
        if version not in seen.played:
            why = seen.not_closed.get(version, "no rule opens the betting")
            said = f"No round of the version {version!r} can be played: {why.rstrip('.')}; change what a seat needs."
            findings.entry("needs", game, ["versions", version], said)
    for name, wager in game.definition.wagers.items():
        offered = [v for v, version in game.definition.versions.items() if name in version.wagers]
        if not offered:
            findings.entry("wager", game, ["wagers", name], f"No version offers {wager.title}; add {name!r} to one.")
            continue
        shut = [w for w in wager.windows if not any(w in seen.windows[v] for v in offered)]
        for window in shut:
            findings.entry(
                "window",
                game,
                ["wagers", name, "windows"],
                f"{wager.title} is made in the window {window!r}, which no rule opens; yield"
                f" self.game.betting({window!r}), or name one that is opened:"
                f" {', '.join(sorted(set().union(*(seen.windows[v] for v in offered)))) or 'none is'}.",
            )
        if not shut and not any(spot in seen.made for spot in wager.spots):
            why = seen.refused.get(name) or next(iter(seen.not_closed.values()), "no rule takes it")
            findings.entry(
                "needs",
                game,
                ["wagers", name, "needs"],
                f"Nobody can make {wager.title}: {why.rstrip('.')}; change what it needs, or when it may be made.",
            )
            continue
        if not shut:
            _spots(game, name, seen, findings)
        for convention, option in wager.conventions.items():
            if option not in seen.options:
                findings.entry(
                    "convention",
                    game,
                    ["wagers", name, "conventions"],
                    f"The convention {convention!r} of {wager.title} chooses {option!r}, which no rule offers; offered"
                    f" are: {', '.join(sorted(seen.options)) or 'none'}.",
                )


def _spots(game: Game, name: str, seen: Seen, findings: Findings) -> None:
    wager = game.definition.wagers[name]
    for spot, title in wager.spots.items():
        if spot not in seen.made:
            findings.entry(
                "spot",
                game,
                ["wagers", name, "spots"],
                f"No chips ever come to {title} of {wager.title}; let an option wager on {spot!r}, put it among"
                " `opens`, or leave it out.",
            )
        elif spot not in seen.settled:
            findings.entry(
                "spot",
                game,
                ["wagers", name, "spots"],
                f"No rule ever settles {title} of {wager.title}; yield self.win, self.push or self.lose of {spot!r}.",
            )


class WatchedTable(PayTable):
    """A pay table that notes which of its lines are asked for."""

    asked: set[tuple[str, str]]
    of: str

    @classmethod
    def around(cls, table: PayTable, of: str, asked: set[tuple[str, str]]) -> "WatchedTable":
        watched = cls(table.name, table.lines)
        object.__setattr__(watched, "asked", asked)
        object.__setattr__(watched, "of", of)
        return watched

    def pay(self, line: str) -> Pay:
        self.asked.add((self.of, line))
        return super().pay(line)


def watching_lines(game: Game, asked: set[tuple[str, str]]) -> Game:
    """The same game, of whose pay tables it is noted which lines are asked for."""
    return replace(game, pay={of: WatchedTable.around(table, of, asked) for of, table in game.pay.items()})


def lines_not_seen(game: Game, seen: Seen) -> Iterator[tuple[str, str]]:
    """The pay lines, each with what its table is of, that no rule asked for."""
    for of, tables in game.definition.pay_tables.items():
        for line in dict.fromkeys(line for table in tables.values() for line in table):
            if (of, line) not in seen.lines:
                yield of, line
