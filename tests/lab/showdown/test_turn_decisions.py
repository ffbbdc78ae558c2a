"""A board game that decides after the fourth common card too, counted by card types: beside the slow way of the engine,
which goes through every deal that can follow, and beside simulated rounds."""

from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

import feltworks
from feltworks.kit.cards import SUITED_CARDS
from feltworks.kit.errors import TooLarge
from feltworks.kit.game import Game
from feltworks.lab.certify import rounded
from feltworks.lab.showdown import simulate
from feltworks.lab.showdown.card_turns import ByCardTypesAndTurns
from feltworks.lab.showdown.engine import Solved, solved
from feltworks.lab.showdown.skeleton import Choice
from feltworks.lab.showdown.solution import Layers

FOLDER = Path(__file__).parent / "games"


def holdem_bonus(version: str = "straight") -> Game:
    return feltworks.load("holdem-bonus", version=version, folders=[FOLDER])


def indexes(cards: str) -> tuple[int, ...]:
    names = [card.text for card in SUITED_CARDS]
    return tuple(sorted(names.index(cards[i : i + 2]) for i in range(0, len(cards), 2)))


def after_a_bet(found: Solved) -> Choice:
    assert isinstance(found.plan.root, Choice)
    after = found.plan.root.after("bet")
    assert isinstance(after, Choice)
    return after


@pytest.mark.slow
def test_the_edge_is_what_is_printed_for_the_usual_rules() -> None:
    """2.04 % is printed for Texas Hold'em Bonus by the rules of Las Vegas."""
    base = feltworks.analyze(holdem_bonus(), wager="base")["base"]
    assert rounded(base.edge, 2) == "2.04"
    assert base.edge == -sum((o.probability * o.net for o in base.outcomes), Fraction(0))
    assert any("every turn" in note for note in base.notes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("version", "own", "flop"),
    [
        ("straight", "AsKh", "2c7dJh"),
        ("flush", "AsKh", "2s7sJs"),
        ("flush", "9d8d", "7d6c6s"),
        ("straight", "QcQd", "QhTc3c"),
    ],
)
def test_an_option_on_the_flop_is_worth_what_going_through_every_turn_and_river_finds(
    version: str, own: str, flop: str
) -> None:
    found = solved(holdem_bonus(version))
    choice, cards, known = after_a_bet(found), indexes(own), (indexes(flop),)
    assert isinstance(found.method, ByCardTypesAndTurns)
    _, slow = Layers(found.plan, found.pays, cards).worth(known)
    fast = found.method.on_flop(choice, cards, known[0])
    assert fast == {name: int(slow[id(node)][0]) for name, node in choice.options}


@pytest.mark.slow
def test_what_is_chosen_on_the_turn_is_what_every_river_says() -> None:
    found, chance = solved(holdem_bonus()), Random(4)
    assert isinstance(found.method, ByCardTypesAndTurns)
    after = after_a_bet(found).after("bet")
    assert isinstance(after, Choice)
    deals = [chance.sample(range(52), 6) for _ in range(40)]
    chosen = found.method.chosen_on_turn(after, np.array(deals, np.uint8))
    for deal, number in zip(deals, chosen.tolist(), strict=True):
        own, known = tuple(sorted(deal[:2])), (tuple(sorted(deal[2:5])), (deal[5],))
        _, slow = Layers(found.plan, found.pays, own).worth(known)
        worth = [int(slow[id(node)][0]) for _, node in after.options]
        assert number == worth.index(max(worth))
    assert {*chosen.tolist()} == {0, 1}


@pytest.mark.slow
def test_simulated_rounds_give_the_edge_back() -> None:
    game, rounds = holdem_bonus(), 400_000
    base = feltworks.analyze(game, wager="base")["base"]
    ends = simulate(game, rounds, 7, 1, None)["base"]
    mean = sum(net * times for (_, _, net), times in ends.items()) / rounds
    assert abs(float(mean + base.edge)) < 4 * base.standard_deviation / rounds**0.5


@pytest.mark.slow
def test_a_later_decision_is_told_where_the_whole_game_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a flop known 45,540 deals of turn, river and the dealer are few; before it they are not."""
    monkeypatch.setattr("feltworks.lab.showdown.engine.fits", lambda plan: False)
    game = holdem_bonus()
    found = Solved(game)
    choice = after_a_bet(found)
    cards = dict(zip((token.name for token in choice.seen), indexes("AsKh") + indexes("2c7dJh"), strict=True))
    assert found.worth(choice, cards) == {"check": Fraction(-55478, 535095), "bet": Fraction(-7747, 1070190)}
    with pytest.raises(TooLarge, match=r"would take about [\d.]+ hours to go through; ask about a later"):
        found.worth(found.plan.root, {"card 1": 12, "card 2": 24})  # type: ignore[arg-type]
