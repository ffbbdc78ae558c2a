"""The house edges that the lobby shows are those that the laboratory computes."""

from fractions import Fraction

import pytest

from feltworks import games
from feltworks.games import shipped_edges
from feltworks.kit.game import Game
from feltworks.web.demo import TABLES
from feltworks.web.edges import edges, percent
from tests.quick import cases
from tools.edges import computed, shown

GAMES = {f"{game.name} {game.version_name} {game.fingerprint['definition'][:6]}": game for game in shown()}
QUICK = {
    *(name for name, game in GAMES.items() if game.name == "yo"),
    next(name for name, game in GAMES.items() if game.name == "one-for-the-money"),
}


@pytest.mark.parametrize("name", cases(GAMES, quick=QUICK))
def test_the_edges_that_ship_are_those_that_are_computed(name: str) -> None:
    game = GAMES[name]
    assert shipped_edges()[game.fingerprint["definition"]] == computed(game)


def test_every_demo_table_shows_the_edge_of_each_wager_but_a_jackpots() -> None:
    for settings in TABLES:
        game = settings.load_game()
        assert [edge.wager for edge in edges(game)] == [name for name in game.wagers if name not in game.jackpots]
        assert all(edge.percent == percent(Fraction(edge.exact)) for edge in edges(game))


def test_no_edge_ships_for_rules_that_are_not_here() -> None:
    assert set(shipped_edges()) == {game.fingerprint["definition"] for game in GAMES.values()}


@pytest.mark.parametrize("changed", [games.load("one-for-the-money").configured(decks=5)], ids=["five decks"])
def test_a_game_that_a_house_has_changed_shows_no_edge(changed: Game) -> None:
    assert edges(changed) == []


@pytest.mark.parametrize(("share", "said"), [("7/495", "1.41 %"), ("0", "0.00 %"), ("1/6", "16.67 %")])
def test_an_edge_is_told_in_hundredths_of_a_percent(share: str, said: str) -> None:
    assert percent(Fraction(share)) == said
