"""How the seats of a simulation decide: by the best strategy, always by the first option, or by a function in a file.

Where nothing is asked for, the best strategy is taken if it is found within seconds, and otherwise the first option;
the simulation says which.
"""

import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from feltworks.kit.cards import Seat
from feltworks.kit.errors import BadValue, TooLarge
from feltworks.kit.game import Game
from feltworks.kit.round import Info, Round
from feltworks.kit.showdown import ENGINE
from feltworks.kit.steps import Bet, Choose, Collect, Decide, Place, TakeUp
from feltworks.kit.walk import Habit, Player, bets_for
from feltworks.lab.analysis import analyzer_for, not_counted
from feltworks.lab.enumerating_analyzer import EnumeratedStrategy
from feltworks.lab.stakes import ONE, checked_stakes, has_required
from feltworks.lab.strategy import Strategy

BEST, FIRST = "best", "first"
FUNCTION = "option"
"""The function of a file that is asked, unless another is named behind a colon."""
SOON = 10
"""A strategy that is expected to take more seconds is found only where it is asked for."""
STATES_A_SECOND = 5_000
"""So many states are walked and solved, roughly."""


@dataclass(frozen=True)
class FileStrategy:
    """A player that decides by a function in a file: from what its seat knows, the name of an option."""

    stakes: Mapping[str, Fraction]
    path: Path
    function: str = FUNCTION

    def option(self, info: Info) -> str:
        function = _function(self.path, self.function)
        try:
            chosen = function(info)
        except Exception as error:
            raise BadValue(f"{_where(error, self.path)}: {type(error).__name__}: {str(error).rstrip('.')}.") from error
        if chosen not in info.options:
            options = ", ".join(info.options)
            raise BadValue(f"{self.path}: {self.function} gave {chosen!r}; give one of the options there: {options}.")
        return str(chosen)

    def bets(self, round: Round, bet: Bet, seat: Seat) -> Iterator[Place | TakeUp | Collect]:
        return bets_for(self.stakes, round, bet, seat)

    def decide(self, round: Round, choose: Choose, seat: Seat) -> Decide:
        return Decide(seat, choose.clock_choice.name if choose.neutral else self.option(round.info(seat)))


@lru_cache(maxsize=16)
def _function(path: Path, name: str) -> Any:
    """A function of a file. It is loaded in every process that plays."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadValue(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is no text'}.") from None
    module = sys.modules[f"feltworks_strategy_{path.stem}"] = ModuleType(f"feltworks_strategy_{path.stem}")
    try:
        exec(compile(text, str(path), "exec"), module.__dict__)
    except Exception as error:
        raise BadValue(f"{_where(error, path)}: {type(error).__name__}: {str(error).rstrip('.')}.") from error
    function = getattr(module, name, None)
    if not callable(function):
        raise BadValue(f"{path} has no function {name}; write `def {name}(info):` and give back an option of it.")
    return function


def _where(error: Exception, path: Path) -> str:
    """The line of the file that failed."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f"{path}:{error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f"{path}:{lines[-1]}" if lines else str(path)


def units_of(game: Game, stakes: Mapping[str, Fraction] | None) -> dict[str, Fraction]:
    """What the stakes say; and where wagers are required, one unit on every other one."""
    units = {game.bet(name).name: Fraction(stake) for name, stake in (stakes or {}).items()}
    for wager in game.wagers.values() if has_required(game) else ():
        if units.keys().isdisjoint(wager.spots if wager.any_spot else [wager.name]):
            units[game.bet(wager.name).name] = ONE
    return {name: units[name] for name in game.bets if units.get(name)}


def best(game: Game, stakes: Mapping[str, Fraction] | None, most: int | None = None) -> Strategy | EnumeratedStrategy:
    """The best strategy for the stakes, with one unit on every wager that they do not name; found in so many states at
    most."""
    analyzer = analyzer_for(game, checked_stakes(game, stakes), most=most)
    return replace(analyzer.strategy, stakes=units_of(game, stakes))


def policy_by_name(game: Game, name: str, stakes: Mapping[str, Fraction] | None) -> Player:
    """The policy that somebody asks for: best, first, or a file with a function."""
    checked_stakes(game, stakes)
    if name == BEST:
        return best(game, stakes)
    if name == FIRST:
        return Habit(units_of(game, stakes))
    file, _, function = name.partition(".py:")
    path = Path(f"{file}.py" if function else name)
    if path.suffix != ".py":
        raise BadValue(
            f"There is no strategy {name!r}; choose one of: {BEST}, {FIRST}, FILE.py with a function, and for blackjack"
            " basic."
        )
    policy = FileStrategy(units_of(game, stakes), path.resolve(), function or FUNCTION)
    _function(policy.path, policy.function)
    return policy


def policy_at_hand(game: Game, stakes: Mapping[str, Fraction] | None) -> tuple[Player, str]:
    """The best strategy if it is found soon; otherwise the first option, and a sentence that says so."""
    with suppress(TooLarge):
        if not _takes_long(game):
            return best(game, stakes, SOON * STATES_A_SECOND), ""
    return Habit(units_of(game, stakes)), (
        f"The best strategy of {game.title} is not found in {SOON} seconds, so every seat takes the first option at"
        " each decision; let it be found first with --strategy best, or write one of your own: --strategy FILE.py."
    )


def _takes_long(game: Game) -> bool:
    """Whether a game that declares its hands takes long to be solved by them."""
    if game.enumerator != ENGINE or not_counted(game):
        return False
    from feltworks.lab.showdown.engine import solved  # with Numba, which the walk does without

    return solved(game).seconds > SOON
