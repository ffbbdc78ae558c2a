"""The exact house edges that are shown beside a game. The server computes nothing: they ship with the package, as `felt
analyze` computes them (`make results`), for each game by the fingerprint of its definition. A game whose house has
changed anything has another fingerprint, and none is shown for it."""

import json
from fractions import Fraction
from functools import cache

from feltworks.games import HOME
from feltworks.kit.game import Game
from feltworks.web.messages import Edge

FILE = HOME / "edges.json"


@cache
def _shipped() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(FILE.read_text("utf-8"))
    return found


def edges(game: Game) -> list[Edge]:
    """Of every wager whose edge is one number; a jackpot's depends on its prize."""
    known = _shipped().get(game.fingerprint["definition"], {})
    return [
        Edge(name, wager.title, known[name], percent(Fraction(known[name])))
        for name, wager in game.wagers.items()
        if name in known
    ]


def percent(share: Fraction) -> str:
    return f"{round(share * 10_000) / 100:.2f} %"
