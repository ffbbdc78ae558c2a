"""What the laboratory says of a game, where it can say it quickly: which lines come up, and what does not add up."""

from feltworks.kit.errors import BadDefinition, FaultyRules, FeltworksError, TooLarge
from feltworks.kit.game import Game
from feltworks.kit.time_limit import OutOfTime, TimeLimit
from feltworks.lab.analysis import checked_stakes
from feltworks.lab.check.findings import Finding, Findings
from feltworks.lab.check.scenarios import alone
from feltworks.lab.walking_analyzer import WalkingAnalyzer

MOST_STATES = 20_000
"""A game with more states is not solved for a check."""


def solved_lines(game: Game, seconds: float, findings: Findings) -> dict[str, set[str]]:
    """By wager, the lines that come up, as far as the game is walked in so much time; what the laboratory finds wrong
    on the way is told: chances that do not sum to one, and ranks that are not alike."""
    lines: dict[str, set[str]] = {}
    try:
        with TimeLimit(seconds):
            for name in game.wagers:
                try:
                    lines[name] = _lines_of(game, name)
                except TooLarge:
                    continue
                except (FaultyRules, BadDefinition) as fault:
                    _tell(game, name, fault, findings)
                except FeltworksError:
                    continue  # what a wager needs, or that it is not analysed alone, is told elsewhere
    except OutOfTime:
        pass
    return lines


def _lines_of(game: Game, name: str) -> set[str]:
    def progress(done: int, about: int) -> None:
        if about > MOST_STATES:
            raise TooLarge(f"{about} states")

    stakes = checked_stakes(game, alone(game, name)) if game.wager(name).required else checked_stakes(game, {})
    found = WalkingAnalyzer(game, stakes, progress=progress).wager(name)
    return {outcome.line for outcome in found.outcomes if outcome.probability}


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
