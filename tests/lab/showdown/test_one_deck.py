"""Poker games on the whole deck: the figures that are printed of them, and two ways to each."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

import feltworks
from feltworks.kit.cards import SUITED_CARDS
from feltworks.lab.showdown.engine import Solved, solved
from feltworks.lab.showdown.skeleton import Choice
from feltworks.lab.showdown.solution import Layers
from feltworks.lab.showdown.strategy_tables import chart_of

EDGES = {
    "three-card-poker": "3.3730",
    "let-it-ride": "3.5057",
    "casino-holdem": "2.16",
}
LONGER = {"caribbean-stud": "5.2243", "mississippi-stud": "4.9149", "ultimate-texas-holdem": "2.1850"}


def game(name: str) -> Solved:
    return solved(feltworks.load(name))


def printed(edge: Fraction, like: str) -> str:
    return f"{float(100 * edge):.{len(like.partition('.')[2])}f}"


@pytest.mark.parametrize("name", EDGES)
def test_the_edge_is_the_printed_one(name: str) -> None:
    assert printed(game(name).edge(), EDGES[name]) == EDGES[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", LONGER)
def test_the_edge_of_a_longer_one_is_the_printed_one(name: str) -> None:
    assert printed(game(name).edge(), LONGER[name]) == LONGER[name]


@pytest.mark.parametrize(("name", "risk"), [("let-it-ride", "2.85"), ("mississippi-stud", "1.37")])
def test_where_options_are_equal_the_printed_element_of_risk_takes_the_larger_stake(name: str, risk: str) -> None:
    certificate = next(c for c in feltworks.certify(name) if c.figure == "element of risk")
    analysis = feltworks.analyze(name, wager="base")["base"]
    assert analysis.most_staked is not None and analysis.most_staked > analysis.average_stake
    assert certificate.exact is not None
    assert certificate.printed == risk != printed(certificate.exact, risk)
    assert printed(analysis.edge / analysis.most_staked, risk) == risk
    assert "taking the last of options that are worth the same " in certificate.note
    assert f"{float(analysis.most_staked):.6f} on average" in analysis.notes[-1]


def test_the_larger_stake_where_options_are_equal_in_mississippi_stud_is_the_printed_average_wager() -> None:
    most = game("mississippi-stud").most_staked("base")
    assert most is not None and f"{float(most):.2f}" == "3.59"


def test_where_no_options_are_equal_there_is_no_larger_stake() -> None:
    assert game("three-card-poker").most_staked("base") is None


@pytest.mark.parametrize("name", ["three-card-poker", "casino-holdem"])
def test_what_ends_sums_to_the_edge(name: str) -> None:
    endings = game(name).endings("base")
    assert sum(endings.values()) == 1
    assert -sum(ending.net * chance for ending, chance in endings.items()) == game(name).edge()


def test_card_types_and_sweeps_give_a_hand_on_the_flop_the_same_worth() -> None:
    """The fast form beside the slow one: the sums over turn and river of all boards that follow."""
    found = game("casino-holdem")
    choice = found.plan.root
    assert isinstance(choice, Choice)
    chance = Random(19)
    for _ in range(2):
        cards = chance.sample(range(52), 5)
        own, flop = tuple(sorted(cards[:2])), tuple(sorted(cards[2:]))
        _, values = Layers(found.plan, found.pays, own).worth((flop,))
        named = dict(zip([t.name for t in (*found.plan.own, *found.plan.draws[0].tokens)], cards, strict=True))
        every = 1081 * 990 * found.pays.unit
        slow = {name: Fraction(int(values[id(node)][0]), every) for name, node in choice.options}
        assert found.worth(choice, named) == slow, [SUITED_CARDS[card] for card in cards]


def test_a_hand_of_three_card_poker_is_worth_what_all_hands_of_the_dealer_make_it() -> None:
    found = game("three-card-poker")
    choice = found.plan.root
    assert isinstance(choice, Choice)
    own = [10, 4 + 13, 2 + 26]  # Q-6-4 of three suits, the lowest hand that plays
    named = dict(zip([token.name for token in found.plan.own], own, strict=True))
    worth = found.worth(choice, named)
    _, values = Layers(found.plan, found.pays, tuple(sorted(own))).worth(())
    assert worth["play"] == Fraction(int(values[id(choice.after("play"))][0]), 18_424 * found.pays.unit)
    assert worth["play"] > worth["fold"] == -1
    lower = dict(named, **{found.plan.own[2].name: 1 + 26})
    assert found.worth(choice, lower)["play"] < -1
    assert np.isclose(float(worth["play"]), -0.99, atol=0.02)


def test_the_chart_of_three_card_poker_says_from_which_hand_on_to_play() -> None:
    chart = chart_of(game("three-card-poker"))
    [grid] = chart.grids
    assert dict(zip(grid.rows, grid.cells, strict=True)) == {
        "king high or better": ("play",),
        "queen high": ("~",),
        "jack high or lower": ("fold",),
    }
    assert grid.notes == ("play from Q-6-4 on, fold up to Q-6-3",)


def test_the_chart_of_a_game_with_a_flop_tells_two_cards_by_their_ranks() -> None:
    [grid] = chart_of(game("casino-holdem")).grids
    assert grid.rows[0] == grid.columns[0] == "A"
    assert grid.cells[0][0] == "call"
    assert grid.labels[12][12].endswith("%")
