"""The blackjack under IN BETween, counted for the lab. The bonus wager is settled before it, and is walked."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from feltworks.games.blackjack import enumerator, rules
from feltworks.games.blackjack.enumerator import (
    PARTS,
    STRATEGIES,
    advise,
    bears_on_strategy,
    chart,
    edge,
    option,
    play_shoes,
    plot,
    wager,
)
from feltworks.games.blackjack.options import ALLOWED
from feltworks.games.blackjack.rules import UPCARD, card_of
from feltworks.kit.cards import SUITLESS_CARDS, Card, Seat
from feltworks.kit.enumerator import Ends, Progress
from feltworks.kit.game import Game
from feltworks.kit.loader import load_folder
from feltworks.kit.round import Round
from feltworks.kit.steps import DEALT, Close, Deal, Place, Settlement

ME = Seat(1)


def essential(game: Game) -> Game:
    """I-01: blackjack is the same with the bonus wager and without it."""
    blackjack = load_folder(game.folders[0], rules.__name__)
    return blackjack.configured(decks=game.decks, readings={name: game.readings[name] for name in ALLOWED})


def simulate(game: Game, rounds: int, seed: int, workers: int, progress: Progress | None) -> Mapping[str, Ends]:
    """Rounds of one seat with both wagers. Neither has a bearing on the other (I-06), so each is dealt by itself."""
    from feltworks.games.in_between.enumerator import kernel  # with Numba, which nothing else needs

    blackjack = enumerator.simulate(game, rounds, seed, workers, progress)
    counts = kernel.simulate(game.decks or 0, rounds, seed, workers, progress)
    ends: Counter[tuple[str, str, Fraction]] = Counter()
    for ranks, number in zip(product(range(kernel.RANKS), repeat=3), counts.reshape(-1).tolist(), strict=True):
        if number:
            settled = _settlement(game, *(SUITLESS_CARDS[rank] for rank in ranks))
            pays = "loses" if settled.pay is None else str(settled.pay)
            ends[settled.line, pays, settled.net()] += number
    return {**blackjack, "in_between": ends}


def _settlement(game: Game, first: Card, upcard: Card, second: Card) -> Settlement:
    """How the round settles the bonus wager with these cards."""
    known = {card_of(ME, 1): first, UPCARD: upcard, card_of(ME, 2): second}
    round = _open_round(game)
    while True:
        round = round.after(DEALT if isinstance(round.next, Deal) else known[round.next.token])  # type: ignore[union-attr]
        for effect in round.effects:
            if isinstance(effect, Settlement):
                return effect


def _open_round(game: Game) -> Round:
    round = game.start((ME,), tracked=False)
    for spot in ("base", "in_between"):
        round = round.after(Place(ME, spot, Fraction(1)))
    return round.after(Close())


__all__ = [
    "PARTS",
    "STRATEGIES",
    "advise",
    "bears_on_strategy",
    "chart",
    "edge",
    "essential",
    "option",
    "play_shoes",
    "plot",
    "simulate",
    "wager",
]
