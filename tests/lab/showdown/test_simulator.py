"""The compiled simulator of poker games beside the round itself: the same cards through both."""

from collections.abc import Iterable
from fractions import Fraction
from math import sqrt
from random import Random

import numpy as np
import pytest

import feltworks
from feltworks.kit.cards import SUITED_CARDS, Card, Seat, Token
from feltworks.kit.chance import Asked
from feltworks.kit.game import Game
from feltworks.kit.steps import DEALT, Answer, Deal, Decide, Effect, Settlement, Turn
from feltworks.kit.walk import walk
from feltworks.lab.analysis import analyzer_for
from feltworks.lab.enumerating_analyzer import EnumeratedStrategy
from feltworks.lab.showdown import simulate
from feltworks.lab.showdown.engine import solved
from feltworks.lab.showdown.simulator import BATCH, Simulator
from feltworks.lab.stakes import checked_stakes
from tests.quick import cases

GAMES = (
    "three-card-poker",
    "caribbean-stud",
    "let-it-ride",
    "mississippi-stud",
    "casino-holdem",
    "ultimate-texas-holdem",
)
QUICK = {"three-card-poker", "let-it-ride"}
ME = Seat(1)


class ByToken:
    """A chance source that lays the card which each token is said to be."""

    def __init__(self, cards: dict[Token, Card]) -> None:
        self.cards = cards

    def answer(self, step: Asked) -> Answer:
        assert isinstance(step, Deal | Turn)
        return DEALT if isinstance(step, Deal) else self.cards[step.token]

    def happened(self, effects: Iterable[Effect]) -> None:
        pass


def in_the_round(game: Game, cards: dict[Token, Card]) -> tuple[tuple[str, ...], dict[str, Fraction]]:
    """What the best strategy chooses at each decision of the real round, and what each wager brings."""
    analyzer = analyzer_for(game, checked_stakes(game, None))
    strategy = analyzer.strategy
    assert isinstance(strategy, EnumeratedStrategy)
    player = EnumeratedStrategy(game, dict.fromkeys(game.wagers, Fraction(1)), strategy.advice)
    chosen: list[str] = []
    nets = dict.fromkeys(game.wagers, Fraction(0))
    for _, answer, after in walk(game.start((ME,)), ByToken(cards), {ME: player}):
        if isinstance(answer, Decide):
            chosen.append(answer.option)
        for effect in after.effects:
            if isinstance(effect, Settlement):
                nets[game.wager_of(effect.spot).name] += effect.net()
    return tuple(chosen), nets


@pytest.mark.parametrize("name", cases(GAMES, quick=QUICK))
def test_a_deal_goes_through_the_simulator_as_through_the_round(name: str) -> None:
    game, chance = feltworks.load(name), Random(name)
    simulator = Simulator(solved(game))
    for _ in range(25):
        row = chance.sample(range(52), len(simulator.tokens))
        rows = np.array([row], np.uint8)
        [(course, _, _)] = simulator.courses(rows)
        nets = dict.fromkeys(game.wagers, Fraction(0))
        for (wager, ending), times in simulator.counted(rows):
            nets[wager] += times * ending.net
        cards = {token: SUITED_CARDS[card] for token, card in zip(simulator.tokens, row, strict=True)}
        assert (course, nets) == in_the_round(game, cards), cards


@pytest.mark.parametrize("name", cases(GAMES, quick=QUICK))
def test_a_simulation_agrees_with_the_exact_edge(name: str) -> None:
    game, rounds = feltworks.load(name), 200_000
    for wager, ends in simulate(game, rounds, 1, 2, None).items():
        assert sum(ends.values()) == rounds
        net = sum((count * net for (_, _, net), count in ends.items()), Fraction(0)) / rounds
        square = sum((count * net**2 for (_, _, net), count in ends.items()), Fraction(0)) / rounds
        exact = feltworks.analyze(game, wager=wager)[wager].edge
        assert abs(float(net + exact)) < 4 * sqrt((square - net**2) / rounds)


def test_the_rounds_depend_on_the_seed_and_not_on_the_number_of_workers() -> None:
    game, rounds = feltworks.load("three-card-poker"), (1 << 17) + BATCH + 7
    one, two, other = (
        simulate(game, rounds, 5, 1, None),
        simulate(game, rounds, 5, 2, None),
        simulate(game, rounds, 6, 1, None),
    )
    assert one == two != other


def test_cards_are_dealt_evenly_to_every_place() -> None:
    """Each card in each place as often as chance allows, by a chi-square far beyond any luck."""
    from feltworks.lab.showdown.deal_kernels import deal, words_of

    deck, rows = np.arange(52, dtype=np.uint8), np.empty((200_000, 9), np.uint8)
    deal(words_of(deck, 0, 1), rows)
    assert all(len(set(row)) == 9 for row in rows[:1000].tolist())
    for column in range(9):
        counts = np.bincount(rows[:, column], minlength=52)
        expected = len(rows) / 52
        assert ((counts - expected) ** 2 / expected).sum() < 51 + 6 * sqrt(2 * 51)
