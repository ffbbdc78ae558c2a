"""The exact house edges that are shown beside a game. The server computes nothing: they ship with the package, as `felt
analyze` computes them (`make results`), for each game by the fingerprint of its definition. A game whose house has
changed anything has another fingerprint, and none is shown for it."""

from fractions import Fraction

from feltworks.games import HOME, shipped_edges
from feltworks.kit.game import Game
from feltworks.web.lobby_messages import Edge


def edges(game: Game) -> list[Edge]:
    """Of every wager whose edge is one number, and of every spot of one that has another edge on each; a jackpot's
    depends on its prize."""
    known = shipped_edges().get(game.fingerprint["definition"], {})
    bets = {**game.wagers, **game.bets}
    return [
        Edge(name, bets[name].title, known[name], percent(Fraction(known[name])))
        for wager in game.wagers.values()
        for name in (wager.name, *(wager.spots if wager.any_spot else ()))
        if name in known
    ]


def is_shipped(game: Game) -> bool:
    """Whether a game is one of the package's, for whose usual settings figures ship."""
    return game.folder.resolve().is_relative_to(HOME)


def percent(share: Fraction) -> str:
    return f"{round(share * 10_000) / 100:.2f} %"
