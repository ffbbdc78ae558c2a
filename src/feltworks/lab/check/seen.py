"""What came up while a game was played: windows, spots, lines, options. What never came up may be a mistake."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from feltworks.kit.game import Game
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
    moments: set[str] = field(default_factory=set)
    lines: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often each line of a spot came up."""
    cited: set[str] = field(default_factory=set)
    """The statements by which wagers were settled."""
    refused: dict[str, str] = field(default_factory=dict)
    """By wager, why it was not taken the last time that somebody tried."""
    not_closed: dict[str, str] = field(default_factory=dict)
    """By version, why betting was not closed the last time."""


def what_never_came(game: Game, seen: Seen, findings: Findings) -> None:
    """Windows that never open, wagers that nobody can make, spots that are never used."""
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


def lines_not_seen(game: Game, seen: Seen) -> Iterator[tuple[str, str, str]]:
    """Spot, table and line of every pay line that never came up, of those whose spot was settled at all."""
    for spot, tables in game.definition.pay_tables.items():
        wager = game.definition.wagers.get(spot)
        spots = {spot, *(wager.spots if wager else ())}
        if not spots & seen.settled:
            continue
        for table, lines in tables.items():
            for line in lines:
                if not any(_is_line(line, other) for s, other in seen.lines if s in spots):
                    yield spot, table, line


def _is_line(line: str, seen: str) -> bool:
    """A line may be told with more, such as whose hand it was."""
    return seen == line or seen.startswith(f"{line} ")


