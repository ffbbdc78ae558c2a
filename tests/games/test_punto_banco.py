"""Punto Banco as houses post it: what hands come to, who draws, and what is paid."""

from collections import defaultdict
from fractions import Fraction
from itertools import product
from time import process_time

import pytest

import feltworks
from feltworks.games import load
from feltworks.kit.cards import Card, Token
from feltworks.kit.round import Round
from feltworks.kit.steps import Deal, Settlement
from tests.games.sitting import S1, Guest, settled, verdict, walked

GAME = load("punto-banco")
BETS = {"player": 20, "banker": 20, "tie": 20}


def hands(cards: str) -> tuple[int, int, int]:
    """How many cards are dealt, and what the two hands come to."""
    course = walked(GAME, cards, {S1: Guest({"player": 1})})
    last = course[-1][2]
    told = {hand.words.split()[0]: int(hand.words.split()[1]) for hand in last.told_hands(_open(last))}
    return sum(isinstance(step, Deal) for step, *_ in course), told["player"], told["banker"]


def _open(round: Round) -> dict[Token, Card]:
    return {token: face.card for token, face in round.cards.items() if face.card}


@pytest.mark.rule("PB-02")
@pytest.mark.parametrize(
    ("cards", "totals"), [("4cTd5h7s", (9, 7)), ("As6dKh2s", (1, 8)), ("9c8d9hJs", (8, 8)), ("TcJdAhQs", None)]
)
def test_only_the_last_digit_of_a_sum_counts(cards: str, totals: tuple[int, int] | None) -> None:
    if totals:
        assert hands(cards)[1:] == totals
    else:
        assert hands(cards + "2c3d")[1:] == (3, 3)


@pytest.mark.rule("PB-03")
@pytest.mark.parametrize(
    ("cards", "dealt"),
    [
        ("4cTd5h7s", 4),  # nine against seven: nobody draws
        ("2cTd3h8s", 4),  # the banker's eight stops a five from drawing
        ("2cTd4h6s", 4),  # six against six
        ("2cTd5h6s", 4),  # seven against six
        ("2cTd5h5s9d", 5),  # seven stands; five draws
        ("2cTd3h7s9d", 5),  # five draws; seven stands
    ],
)
def test_naturals_end_the_round_and_a_hand_that_stands_leaves_the_other_to_draw_to_five(cards: str, dealt: int) -> None:
    assert hands(cards)[0] == dealt


# What the banker's hand draws to, row by row as it is printed on cards at the table: third cards 0 to 9.
TABLEAU = {
    0: "DDDDDDDDDD",
    1: "DDDDDDDDDD",
    2: "DDDDDDDDDD",
    3: "DDDDDDDDSD",
    4: "SSDDDDDDSS",
    5: "SSSSDDDDSS",
    6: "SSSSSSDDSS",
    7: "SSSSSSSSSS",
}
NAMES = "TA23456789"


@pytest.mark.rule("PB-04")
@pytest.mark.parametrize("banker", TABLEAU)
def test_the_bankers_hand_draws_by_its_table(banker: int) -> None:
    for third, says in enumerate(TABLEAU[banker]):
        cards = f"Tc{NAMES[banker]}dJhQs{NAMES[third]}h"
        dealt, *_ = hands(cards + ("Ks" if says == "D" else ""))
        assert dealt == (6 if says == "D" else 5), (banker, third)


@pytest.mark.rule("PB-01", "PB-05")
@pytest.mark.parametrize(
    ("cards", "won"),
    [("4cTd5h7s", (20, -20, -20)), ("4c9d4hTs", (-20, 19, -20)), ("2cTd4h6s", (0, 0, 160))],
    ids=["player", "banker", "tie"],
)
def test_the_higher_total_wins_and_a_tie_gives_both_back(cards: str, won: tuple[int, int, int]) -> None:
    done = settled(GAME, cards, Guest(BETS))
    assert [done[spot].net() for spot in ("player", "banker", "tie")] == list(won)


@pytest.mark.rule("PB-05")
def test_a_table_is_told_both_totals() -> None:
    last = walked(GAME, "4cTd5h7s", {S1: Guest({"player": 1})})[-1][2]
    [effect] = last.effects
    assert isinstance(effect, Settlement)
    assert last.why(effect, last) == "player 9, banker 7"


# The figures, by a count of their own.


def chances(decks: int) -> dict[str, Fraction]:
    """How often each hand wins, from counts of points, hand by hand: first the four cards, then the draws by the
    printed table."""
    shoe = [16 * decks] + [4 * decks] * 9
    size = 52 * decks
    ways: dict[str, int] = defaultdict(int)

    def without(counts: list[int], *points: int) -> list[int]:
        left = list(counts)
        for point in points:
            left[point] -= 1
        return left

    for a, b, c, d in product(range(10), repeat=4):
        left, weight = list(shoe), 1
        for point in (a, b, c, d):
            weight *= left[point]
            left = without(left, point)
        player, banker, rest = (a + b) % 10, (c + d) % 10, size - 4
        pairs = rest * (rest - 1)
        if player >= 8 or banker >= 8 or (player >= 6 and banker >= 6):
            ways[_winner(player, banker)] += weight * pairs
        elif player >= 6:
            for fifth in range(10):
                ways[_winner(player, (banker + fifth) % 10)] += weight * left[fifth] * (rest - 1)
        else:
            for third in range(10):
                after, now = without(left, third), (player + third) % 10
                if TABLEAU[banker][third] == "S":
                    ways[_winner(now, banker)] += weight * left[third] * (rest - 1)
                    continue
                for sixth in range(10):
                    ways[_winner(now, (banker + sixth) % 10)] += weight * left[third] * after[sixth]
    total = 1
    for drawn in range(6):
        total *= size - drawn
    return {name: Fraction(n, total) for name, n in ways.items()}


def _winner(player: int, banker: int) -> str:
    return "player" if player > banker else "banker" if banker > player else "tie"


@pytest.mark.slow
@pytest.mark.parametrize("decks", [1, 6, 8])
def test_the_edges_are_those_of_a_count_by_points(decks: int) -> None:
    found, often = feltworks.analyze(GAME.configured(decks=decks)), chances(decks)
    assert sum(often.values()) == 1
    assert found["player"].edge == often["banker"] - often["player"]
    assert found["banker"].edge == often["player"] - often["banker"] * Fraction(19, 20)
    assert found["tie"].edge == 1 - 9 * often["tie"]


@pytest.mark.slow
def test_eight_decks_give_the_figures_that_everybody_prints_in_a_few_seconds() -> None:
    began = process_time()
    found = feltworks.analyze(GAME)
    assert process_time() - began < 10  # its own processor time, whatever else runs; about 3 s
    for wager, printed in {"player": "1.2351", "banker": "1.0579", "tie": "14.3596"}.items():
        assert verdict(found[wager].edge, printed) == "rounded"


@pytest.mark.slow
def test_simulated_rounds_agree_with_the_exact_figures() -> None:
    for wager in feltworks.simulate(GAME.configured(decks=1), rounds=20_000, seed=5).wagers.values():
        assert wager.z is not None
        assert abs(wager.z) < 4
