"""Casino War as houses post it: who wins, what a tie costs, and what a war brings."""

from fractions import Fraction

import pytest

import feltworks
from feltworks.games import load
from feltworks.kit.game import Game
from feltworks.kit.steps import Deal, Move, Settlement, Turn
from tests.games.sitting import S1, S2, Guest, settled, verdict, walked

GAME = load("casino-war")
BURNT = "2c2d2h"
BONUS = GAME.configured(version="second-tie")


def net(cards: str, *choices: str, tie: int = 0, game: Game = GAME) -> dict[str, str]:
    """What became of each wager of the only guest: its line, and what it won or lost."""
    bets = {"ante": 10, **({"tie": tie} if tie else {})}
    decided = settled(game, cards, Guest(bets, list(choices)))
    return {spot: f"{one.line} {float(one.net()):+g}" for spot, one in decided.items()}


@pytest.mark.rule("CW-01", "CW-03")
@pytest.mark.parametrize(
    ("cards", "ante"),
    [("KcQd", "Higher card +10"), ("QcKd", "Lower card -10"), ("AcKd", "Higher card +10"), ("2cAd", "Lower card -10")],
)
def test_the_higher_card_wins_and_an_ace_is_the_highest(cards: str, ante: str) -> None:
    assert net(cards) == {"ante": ante}


@pytest.mark.rule("CW-04")
def test_a_surrender_on_a_tie_loses_half_of_the_ante() -> None:
    assert net("7c7d", "surrender") == {"ante": "Surrender -5"}


@pytest.mark.rule("CW-04")
def test_a_seat_whose_clock_runs_out_on_a_tie_surrenders() -> None:
    decided = settled(GAME, "7c7d", Guest({"ante": 10}, idle=True))
    assert decided["ante"].line == "Surrender"


@pytest.mark.rule("CW-05")
@pytest.mark.parametrize(
    ("war", "ante", "raised"),
    [
        ("KhQs", "War won +0", "War won +10"),
        ("QhQs", "War won +0", "War won +10"),
        ("JhQs", "War lost -10", "War lost -10"),
    ],
)
def test_a_war_is_lost_by_the_lower_card_alone(war: str, ante: str, raised: str) -> None:
    assert net(f"7c7d{BURNT}{war}", "war") == {"ante": ante, "war": raised}


@pytest.mark.rule("CW-06")
def test_some_houses_pay_the_ante_when_the_war_ties_as_well() -> None:
    assert net(f"7c7d{BURNT}QhQs", "war", game=BONUS) == {"ante": "Second tie +10", "war": "War won +10"}
    assert net(f"7c7d{BURNT}KhQs", "war", game=BONUS) == {"ante": "War won +0", "war": "War won +10"}


@pytest.mark.rule("CW-07")
@pytest.mark.parametrize(("cards", "choices", "tie"), [("7c7d", ["surrender"], "Tie +50"), ("8c7d", [], "No tie -5")])
def test_tie_goes_by_the_first_two_cards(cards: str, choices: list[str], tie: str) -> None:
    assert net(cards, *choices, tie=5)["tie"] == tie


@pytest.mark.rule("CW-02", "CW-05")
def test_three_cards_are_burnt_face_down_before_a_war_and_only_seats_at_war_get_another() -> None:
    guests = {S1: Guest({"ante": 10}, ["war"]), S2: Guest({"ante": 10})}
    steps = [step for step, *_ in walked(GAME, f"7c9d7h{BURNT}KsTc", guests)]
    assert [step.place for step in steps if isinstance(step, Deal)] == [
        *("seat 1", "seat 2", "dealer"),
        *("burnt", "burnt", "burnt"),
        *("seat 1", "dealer"),
    ]
    assert not any(isinstance(step, Turn) and step.token.name.startswith("burn") for step in steps)
    assert not any(isinstance(step, Move) for step in steps)


@pytest.mark.rule("CW-03", "CW-05")
def test_a_table_is_told_which_card_beat_which() -> None:
    last = walked(GAME, f"7c7d{BURNT}JhQs", {S1: Guest({"ante": 10}, ["war"])})[-1][2]
    why = [last.why(effect, last) for effect in last.effects if isinstance(effect, Settlement)]
    assert why == ["jack loses to queen"] * 2


# The figures, by a count of their own.


def by_hand(decks: int) -> dict[str, Fraction]:
    """What the house keeps of a unit, from pairs of ranks: a war is dealt from a shoe that lacks the two cards that
    tied, and the burnt ones do not matter, since nobody sees them."""
    shoe = 52 * decks
    pair = Fraction(4 * decks - 1, shoe - 1)
    left = [4 * decks] * 12 + [4 * decks - 2]
    total = sum(left)
    again = Fraction(sum(n * (n - 1) for n in left), total * (total - 1))
    lost = (1 - again) / 2
    war = (1 - lost) - 2 * lost
    return {
        "war": -pair * war,
        "element of risk": -pair * war / (1 + pair),
        "second tie": -pair * (war + again),
        "surrender": pair / 2,
        "tie": 1 - 11 * pair,
    }


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_the_edges_are_those_of_a_count_by_hand(decks: int) -> None:
    found = feltworks.analyze(GAME.configured(decks=decks))
    mine = by_hand(decks)
    assert (found["base"].edge, found["tie"].edge) == (mine["war"], mine["tie"])
    assert found["base"].edges == {"surrender": mine["surrender"]}
    assert feltworks.analyze(BONUS.configured(decks=decks))["base"].edge == mine["second tie"]


def test_six_decks_give_the_figures_that_are_printed() -> None:
    mine = by_hand(6)
    printed = {"war": "2.88", "element of risk": "2.68", "surrender": "3.70", "second tie": "2.33", "tie": "18.65"}
    assert {name: verdict(mine[name], text) for name, text in printed.items()} == dict.fromkeys(printed, "rounded")
    assert [figure.verdict for figure in feltworks.certify(GAME)] == ["rounded"] * 5


def test_a_war_is_always_better_than_a_surrender() -> None:
    for card in "23456789TJQKA":
        advice = feltworks.advise(GAME, f"{card}c")
        assert (advice.best, advice.options["surrender"]) == ("war", Fraction(-1, 2))


@pytest.mark.slow
def test_simulated_rounds_agree_with_the_exact_figures() -> None:
    for wager in feltworks.simulate(GAME, rounds=20_000, seats=3, seed=11).wagers.values():
        assert wager.z is not None
        assert abs(wager.z) < 4
