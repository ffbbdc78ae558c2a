"""What the readings of a game do to its figures: every edge under every other value, beside the edge as it is."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from feltworks.kit.game import Game
from feltworks.lab.analysis import analysed_wagers, analyzer_for
from feltworks.lab.stakes import checked_stakes
from feltworks.lab.wager_analysis import percent_json


@dataclass(frozen=True)
class Changed:
    """An edge that a reading changes: of which wager, at which value of the fact it depends on, from what to what."""

    wager: str
    at: str
    before: Fraction
    after: Fraction


@dataclass(frozen=True)
class Effect:
    """What one value of a reading does to the edges; nothing if it is a matter of procedure."""

    reading: str
    value: str
    settled_by: str
    changes: tuple[Changed, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "reading": self.reading,
            "value": self.value,
            "settled_by": self.settled_by,
            "changes": [
                {
                    "wager": change.wager,
                    "at": change.at,
                    "before": percent_json(change.before),
                    "after": percent_json(change.after),
                }
                for change in self.changes
            ],
        }


def effects(game: Game, wager: str | None = None) -> Iterator[Effect]:
    """Every other value of every reading, one at a time: on one wager, or on all that are analysed unasked."""
    before = _edges(game, wager)
    for name, reading in game.definition.readings.items():
        for value in reading.values:
            if value != game.readings[name]:
                after = _edges(game.configured(readings={name: value}), wager)
                both = [at for at in before if at in after and after[at] != before[at]]
                changes = tuple(Changed(*at, before[at], after[at]) for at in both)
                yield Effect(name, value, reading.settled_by, changes)


def _edges(game: Game, wager: str | None) -> dict[tuple[str, str], Fraction]:
    analyzer = analyzer_for(game, checked_stakes(game, None))
    return {(name, at): e for name in analysed_wagers(game, wager) for at, e in analyzer.edges(name).items()}
