"""The charts and plots that a game can give."""

from dataclasses import replace

from feltworks.kit.chart import Chart, Plot
from feltworks.kit.errors import BadValue
from feltworks.kit.game import Game
from feltworks.kit.standing import about
from feltworks.lab.count_files import enumerator_of, results_of


def chart(game: Game) -> Chart:
    """The strategy as a chart."""
    if not game.enumerator:
        raise BadValue(f"There is no chart of {game.title}; felt analyze tells its strategy in words.")
    return replace(enumerator_of(game).chart(game, results_of(game)), standing=" · ".join(about(game)))


def plot(game: Game) -> Plot:
    """What the jackpot wager gives back, against the meter."""
    drawn = enumerator_of(game).plot(game, results_of(game)) if game.enumerator else None
    if drawn is None:
        raise BadValue(f"{game.title} has no jackpot meter to draw anything against.")
    return replace(drawn, standing=" · ".join(about(game)))
