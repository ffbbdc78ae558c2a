"""What the laboratory says of a game, where it can say it quickly: which lines come up, and what does not add up."""

from collections.abc import Iterator
from contextlib import suppress

from feltworks.kit.errors import BadDefinition, FaultyRules, FeltworksError, TooLarge
from feltworks.kit.game import Game
from feltworks.kit.showdown import ENGINE
from feltworks.kit.time_limit import OutOfTime, TimeLimit
from feltworks.lab.analysis import not_counted
from feltworks.lab.check.findings import Finding, Findings
from feltworks.lab.check.scenarios import alone
from feltworks.lab.check.seen import watching_lines
from feltworks.lab.graph import TELL
from feltworks.lab.stakes import checked_stakes
from feltworks.lab.walking_analyzer import WalkingAnalyzer

MOST_STATES = 12_000
"""So many states of a game are walked for a check, of all its wagers together."""


def solved(
    game: Game, seconds: float, asked: set[tuple[str, str]], findings: Findings, refused: dict[str, None]
) -> set[str]:
    """Solve each wager of each version, as far as that is done in so much time, and note which pay lines are asked for.
    Gives what the pay tables are of that could have been asked for no other line. What the laboratory finds wrong is
    told: chances that do not sum to one, ranks that are not alike; and what is `refused` as too large."""
    exact: set[str] = set()
    left: set[str] = set()
    budget = _Budget()
    try:
        with TimeLimit(seconds):
            for version in game.definition.versions:
                played = watching_lines(game.configured(version=version), asked)
                for name, wager in played.wagers.items():
                    left |= {name, *wager.spots}
                    if _solved(played, name, budget, findings, refused):
                        exact |= {name, *wager.spots}
                        left -= {name, *wager.spots}
    except OutOfTime:
        pass
    return exact - left


class _Budget:
    """How many states may still be walked: it is told as the progress of each walk."""

    def __init__(self) -> None:
        self._left = MOST_STATES
        self.stopped = False
        """Whether the last walk was given up for a check, and not refused by the laboratory."""

    def __call__(self, done: int, about: int) -> None:
        self._left -= TELL
        self.stopped = about - done > self._left
        if self.stopped:
            raise TooLarge(f"{about} states")


def refused_by_hands(game: Game, seconds: float) -> Iterator[str]:
    """Why wagers of a game that declares its hands cannot be solved by them."""
    if game.enumerator != ENGINE:
        return
    from feltworks.lab.showdown import bears_on_strategy, engine  # with Numba, which the walk does without

    said: dict[str, None] = {}
    with suppress(OutOfTime), TimeLimit(seconds):
        for version in game.definition.versions:
            played = game.configured(version=version)
            if reason := not_counted(played):
                said[f"{game.title} is not solved by its hands, but walked state by state: {reason}"] = None
                continue
            for name, wager in played.wagers.items():
                try:
                    if wager.required:
                        _ = engine.solved(played).seconds
                    elif not (name in played.bonuses and played.bonuses[name].early):
                        bears_on_strategy(played, name)
                except FeltworksError as error:
                    said[f"{game.title} cannot be solved: {error}"] = None
    yield from said


def _solved(game: Game, name: str, progress: _Budget, findings: Findings, refused: dict[str, None]) -> bool:
    """Solve a wager, and say whether that was along every course of choices."""
    try:
        every = checked_stakes(game, alone(game, name))
        try:
            WalkingAnalyzer(game, every, progress=progress).wager(name)
            return True
        except TooLarge:  # then along the best choices of the required wagers alone
            progress.stopped = False
            WalkingAnalyzer(game, checked_stakes(game, None), progress=progress).wager(name)
    except (FaultyRules, BadDefinition) as fault:
        _tell(game, name, fault, findings)
    except TooLarge as error:
        if not progress.stopped:
            refused[f"{game.title} cannot be solved: {error}"] = None
    except FeltworksError:
        pass  # too large for that too, or what it needs is told elsewhere
    except Exception as error:
        findings.mistake(error, game)
    return False


def _tell(game: Game, name: str, fault: FeltworksError, findings: Findings) -> None:
    said = str(fault)
    if isinstance(fault, FaultyRules) and fault.place:
        findings.fault(fault)
    elif "correct `alike`" in said:
        findings.entry("alike", game, ["wagers", name, "alike"], said)
    elif "sum to" in said or "probability of" in said:
        findings.entry("probabilities", game, ["wagers", name], said)
    else:
        kind = "endless" if "never" in said or "for ever" in said else "fails"
        findings.add(Finding(kind, said, f"{game.folder / 'rules.py'}:1"))
