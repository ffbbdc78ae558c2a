"""The six poker games on small decks: what the engine solves from their declarations, and what the generic walk of
their rounds finds state by state, are the same fractions."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest

import feltworks
from feltworks.kit.cards import Token
from feltworks.kit.game import Game
from feltworks.lab.wager_analysis import WagerAnalysis

DECKS = {
    "three-card-poker": ("9TJQ", "cdh"),
    "caribbean-stud": ("79QKA", "cd"),
    "let-it-ride": ("79TJ", "cdh"),
    "mississippi-stud": ("29TJK", "cd"),
    "casino-holdem": ("2359K", "cd"),
    "ultimate-texas-holdem": ("2359K", "cd"),
}
"""So small that every state can be walked, with ranks on both sides of what qualifies or is paid."""
LONG = {"mississippi-stud", "ultimate-texas-holdem"}


def on_a_small_deck(name: str) -> Game:
    game, (ranks, suits) = feltworks.load(name), DECKS[name]
    definition = game.definition
    assert definition.pack is not None
    pack = definition.pack.model_copy(update={"ranks": ranks, "suits": suits})
    return replace(game, definition=definition.model_copy(update={"pack": pack}))


def walked(game: Game) -> Game:
    """The game without its engine. Cards that stand in the same hands may change places, which saves most states."""
    base: Any = game.round_class
    shown = base.showdown
    hands = [hand for hand in (shown.seat, shown.dealer, *shown.sides.values()) if hand is not None]

    @dataclass(frozen=True)
    class InAnyOrder(base):  # type: ignore[misc]
        def alike_cards(self) -> Iterable[tuple[Token, ...]]:
            alike: dict[object, list[Token]] = {}
            for token in dict.fromkeys(token for hand in hands for token in hand.cards_of(self.seats[0])):
                stands_in = tuple(token in hand.cards_of(self.seats[0]) for hand in hands)
                alike.setdefault((token.owner, stands_in), []).append(token)
            return [tuple(tokens) for tokens in alike.values()]

    return replace(game, round_class=InAnyOrder, enumerator="")


def ends(wager: WagerAnalysis) -> dict[tuple[str, str, Fraction], Fraction]:
    return {(o.line, o.pays, o.net): o.probability for o in wager.outcomes if o.probability}


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] if n in LONG else []) for n in DECKS])
def test_every_figure_is_the_fraction_that_a_walk_of_all_states_finds(name: str) -> None:
    game = on_a_small_deck(name)
    engine, walk = feltworks.analyze(game), feltworks.analyze(walked(game))
    for wager in game.wagers:
        one, other = engine[wager], walk[wager]
        assert one.edge == other.edge
        assert ends(one) == ends(other)
        assert (one.variance, one.hit_frequency) == (other.variance, other.hit_frequency)
        assert (one.average_stake, one.element_of_risk) == (other.average_stake, other.element_of_risk)
