"""Whole shoes of a game whose enumerator can play them: what seats win that play by one strategy, beside the exact
figure of a fresh shoe."""

from dataclasses import dataclass
from typing import Any

from feltworks.kit.enumerator import Dealing, Progress, ShoeEnumerator, ShoesPlayed
from feltworks.kit.errors import BadValue
from feltworks.kit.game import Game
from feltworks.kit.workers import processors
from feltworks.lab.analysis import options_json
from feltworks.lab.count_files import enumerator_of
from feltworks.lab.sample_mean import WITHIN_95_PERCENT
from feltworks.lab.wager_analysis import percent_json


@dataclass(frozen=True)
class ShoePlay:
    """A game as it was configured, and what was counted of its shoes."""

    game: Game
    seed: int
    played: ShoesPlayed

    @property
    def interval(self) -> tuple[float, float]:
        """Where the edge lies with 95 % confidence."""
        edge, reach = float(self.played.edge), WITHIN_95_PERCENT * self.played.standard_error
        return edge - reach, edge + reach

    def to_json(self) -> dict[str, Any]:
        played, dealing = self.played, self.played.dealing
        low, high = self.interval
        return {
            "game": self.game.name,
            "fingerprint": self.game.fingerprint,
            "options": options_json(self.game),
            "rounds": played.rounds,
            "shoes": played.shoes,
            "seats": dealing.seats,
            "strategy": dealing.strategy,
            "penetration": None if dealing.rounds_per_shoe else dealing.penetration / 100,
            "rounds_per_shoe": dealing.rounds_per_shoe,
            "seed": self.seed,
            "edge": {"percent": float(100 * played.edge), "low": 100 * low, "high": 100 * high},
            "exact": percent_json(played.exact),
            "z": played.z,
            "figures": {figure.name: float(figure.value) for figure in played.figures},
            "outcomes": [
                {"line": line, "net": str(net), "count": count} for (line, _, net), count in played.ends.items()
            ],
            "notes": list(played.notes),
        }


def play_shoes(
    game: Game,
    dealing: Dealing,
    rounds: int,
    *,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> ShoePlay:
    """Play at least so many rounds in whole shoes."""
    pack = game.definition.pack
    if pack is not None and pack.fresh_each_round:
        raise BadValue(
            f"{game.title} has a fresh deck for every round: its printed and exact edges do not hold for a second round"
            " from the same one (D-01); leave the penetration, the rounds per shoe and the strategy out."
        )
    enumerator = enumerator_of(game) if game.enumerator else None
    if not isinstance(enumerator, ShoeEnumerator):
        raise BadValue(
            f"{game.title} is not simulated shoe by shoe; leave the penetration and the rounds per shoe out, and let"
            " the strategy be best, first or a file."
        )
    played = enumerator.play_shoes(game, dealing, rounds, seed, workers or processors(), progress)
    return ShoePlay(game, seed, played)
