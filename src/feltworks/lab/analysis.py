"""The exact analysis of a game: the edge of every wager, its outcomes, and the strategy behind them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from feltworks.kit.enumerator import Progress
from feltworks.kit.errors import TooLarge
from feltworks.kit.game import Game
from feltworks.kit.html_table import lines
from feltworks.kit.showdown import ENGINE
from feltworks.kit.standing import about, of_definition
from feltworks.lab.count_files import results_of
from feltworks.lab.enumerating_analyzer import EnumeratedStrategy, EnumeratingAnalyzer
from feltworks.lab.showdown.parts import does_not_fit
from feltworks.lab.stakes import checked_stakes
from feltworks.lab.strategy import Strategy
from feltworks.lab.together import Together, added_together, solved_together
from feltworks.lab.wager_analysis import WagerAnalysis
from feltworks.lab.walking_analyzer import RulesByStakes, WalkingAnalyzer


@dataclass(frozen=True)
class Analysis:
    """A game as it was configured, and the analysis of its wagers."""

    game: Game
    stakes: Mapping[str, Fraction]
    wagers: Mapping[str, WagerAnalysis]
    strategy: Strategy | EnumeratedStrategy | None = None
    """The strategy behind the figures, if anything is to be decided."""
    together: Together | None = None
    """What the stakes win together, where there are several."""
    too_large: Mapping[str, str] = field(default_factory=dict)
    """Wagers that are too large to be solved, and what can be done."""

    def __getitem__(self, wager: str) -> WagerAnalysis:
        return self.wagers[wager]

    def _repr_html_(self) -> str:
        return lines(about(self.game)) + "".join(wager._repr_html_() for wager in self.wagers.values())

    def to_json(self) -> dict[str, Any]:
        together = {} if self.together is None else {"together": self.together.to_json()}
        return {
            "game": self.game.name,
            "fingerprint": self.game.fingerprint,
            "options": {**options_json(self.game), "stakes": {w: str(s) for w, s in self.stakes.items()}},
            "wagers": {name: wager.to_json() for name, wager in self.wagers.items()},
            **together,
            **({"too_large": dict(self.too_large)} if self.too_large else {}),
        }


def analyze(
    game: Game,
    *,
    wager: str | None = None,
    stakes: Mapping[str, Fraction] | None = None,
    details: bool = False,
    progress: Progress | None = None,
) -> Analysis:
    """Analyse every wager of a game, or one. The strategy is the best for the base wager alone, or for the given
    stakes together; wagers that are not staked are reported under that strategy. Where no wager is required, each that
    is not staked is analysed alone, under the best strategy for it. Where some are too large to be solved, the others
    are analysed all the same. What several stakes win together is told besides, but for dice, whose stakes are a
    `plan`. Details are what some games can tell besides, and take longer for. While rules are walked, progress is told
    how many states are done, of about how many."""
    analyzer = analyzer_for(game, checked_stakes(game, stakes), details=details, progress=progress)
    wagers: dict[str, WagerAnalysis] = {}
    refused: dict[str, TooLarge] = {}
    for name in analysed_wagers(game, wager):
        try:
            wagers[name] = analyzer.wager(name)
        except TooLarge as error:
            refused[name] = error
    if not wagers and refused:
        raise next(iter(refused.values()))
    if walked := not_counted(game):
        said = f"Walked state by state, not solved by its declared hands: {walked}"
        wagers = {name: replace(each, notes=(*each.notes, said)) for name, each in wagers.items()}
    together = None
    if wager is None and not refused and len(analyzer.stakes) > 1 and not game.has_dice:
        if isinstance(analyzer, WalkingAnalyzer):
            together = solved_together(game, analyzer.stakes, analyzer.solved)
        else:
            staked = {name: wagers.get(name) or analyzer.wager(name) for name in analyzer.stakes}
            together = added_together(analyzer.stakes, staked)
    too_large = {name: str(error) for name, error in refused.items()}
    return Analysis(game, analyzer.stakes, wagers, analyzer.strategy_behind(wagers), together, too_large)


def analysed_wagers(game: Game, wager: str | None = None) -> list[str]:
    """The wager that is asked for; or all but those that are analysed on request."""
    if wager is not None:
        return [game.wager(wager).name]
    return [name for name, offered in game.wagers.items() if not offered.on_request]


def analyzer_for(
    game: Game,
    stakes: Mapping[str, Fraction],
    rules: RulesByStakes | None = None,
    *,
    details: bool = False,
    recount: bool = False,
    progress: Progress | None = None,
    most: int | None = None,
) -> WalkingAnalyzer | EnumeratingAnalyzer:
    """Who analyses a game: its own enumerator if it has one, otherwise the analyzer that walks its rules, through so
    many states at most."""
    because = not_counted(game)
    analyzer = WalkingAnalyzer(game, stakes, rules, progress=progress, most=most, because=because)
    if not game.enumerator or because:
        return analyzer
    return EnumeratingAnalyzer(game, stakes, analyzer, details=details, recount=recount)


def not_counted(game: Game) -> str:
    """Why a game that declares its hands is walked all the same; nothing where it is solved by them."""
    if game.enumerator != ENGINE:
        return ""
    return does_not_fit(results_of(game))


def options_json(game: Game) -> dict[str, Any]:
    """How a game was configured, and how that stands to its approval."""
    return {
        "version": game.version_name,
        "decks": game.decks,
        "readings": dict(game.readings),
        "pay": {spot: table.name for spot, table in game.pay.items() if spot in game.wagers},
        **standing_json(game),
    }


def standing_json(game: Game) -> dict[str, Any]:
    """How a game's definition stands to its approval, what is unlike it, and whom to ask before that (F-01, F-31)."""
    standing = of_definition(game)
    return {
        "standing": standing.words,
        "differences": list(standing.differences),
        "ask_first": list(standing.ask_first),
    }
