"""What a round asks of the game that it belongs to. `Game` is that game; a round knows no more of it than this."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from feltworks.kit.definition import Wager
from feltworks.kit.paytable import PayTable
from feltworks.kit.steps import Answer, Bet, Rule, Settlement
from feltworks.kit.unseen import Unseen


class BonusRule(Protocol):
    """What a round asks of a bonus wager."""

    @property
    def check(self) -> Callable[[Any, Answer], None] | None:
        """Refuses an answer in words of its own."""

    @property
    def why(self) -> Callable[[Any, Settlement], str] | None:
        """Says why it was settled as it was."""


class PlayedGame(Protocol):
    """A game as a round sees it: its words, its wagers, its pay tables and the readings it is played by."""

    @property
    def title(self) -> str: ...
    @property
    def folders(self) -> tuple[Path, ...]: ...
    @property
    def decks(self) -> int | None: ...
    @property
    def readings(self) -> Mapping[str, str]: ...
    @property
    def wagers(self) -> Mapping[str, Wager]: ...
    @property
    def bonus_checks(self) -> Iterable[Callable[[Any, Answer], None]]: ...
    @property
    def bonuses(self) -> Mapping[str, BonusRule]: ...

    def fresh(self) -> Unseen | None: ...
    def reading(self, name: str) -> str: ...
    def wager(self, name: str) -> Wager: ...
    def wager_of(self, spot: str) -> Wager: ...
    def spot_title(self, spot: str) -> str: ...
    def pay_table(self, spot: str) -> PayTable: ...
    def betting(self, window: str) -> Bet: ...
    def bonuses_at(self, moment: str) -> Iterable[tuple[str, Rule]]: ...
