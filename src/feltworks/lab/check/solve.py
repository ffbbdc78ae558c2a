"""What the laboratory says of a game, where it can say it quickly: which lines come up, and what does not add up."""

from feltworks.kit.errors import BadDefinition, FaultyRules, FeltworksError, TooLarge
from feltworks.kit.game import Game
from feltworks.kit.time_limit import OutOfTime, TimeLimit
from feltworks.lab.check.findings import Finding, Findings
from feltworks.lab.check.scenarios import alone
from feltworks.lab.check.seen import watching_lines
from feltworks.lab.graph import TELL
from feltworks.lab.stakes import checked_stakes
from feltworks.lab.walking_analyzer import WalkingAnalyzer

MOST_STATES = 12_000
"""So many states of a game are walked for a check, of all its wagers together."""


def solved(game: Game, seconds: float, asked: set[tuple[str, str]], findings: Findings) -> set[str]:
    """Solve each wager of each version, as far as that is done in so much time, and note which pay lines are asked for.
    Gives what the pay tables are of that could have been asked for no other line. What the laboratory finds wrong is
    told: chances that do not sum to one, ranks that are not alike."""
    exact: set[str] = set()
    left: set[str] = set()
    budget = _Budget()
    try:
        with TimeLimit(seconds):
            for version in game.definition.versions:
                played = watching_lines(game.configured(version=version), asked)
                for name, wager in played.wagers.items():
                    left |= {name, *wager.spots}
                    if _solved(played, name, budget, findings):
                        exact |= {name, *wager.spots}
                        left -= {name, *wager.spots}
    except OutOfTime:
        pass
    return exact - left


class _Budget:
    """How many states may still be walked: it is told as the progress of each walk."""

    def __init__(self) -> None:
        self._left = MOST_STATES

    def __call__(self, done: int, about: int) -> None:
        self._left -= TELL
        if about - done > self._left:
            raise TooLarge(f"{about} states")


def _solved(game: Game, name: str, progress: _Budget, findings: Findings) -> bool:
    """Solve a wager, and say whether that was along every course of choices."""
    try:
        every = checked_stakes(game, alone(game, name))
        try:
            WalkingAnalyzer(game, every, progress=progress).wager(name)
            return True
        except TooLarge:  # then along the best choices of the required wagers alone
            WalkingAnalyzer(game, checked_stakes(game, None), progress=progress).wager(name)
    except (FaultyRules, BadDefinition) as fault:
        _tell(game, name, fault, findings)
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
