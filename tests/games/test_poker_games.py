"""Six poker games as houses post them: how each is dealt, decided, turned, settled and paid."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import pytest

import feltworks
from feltworks.games import load
from feltworks.kit.cards import SUITED_CARDS, parse_cards
from feltworks.kit.errors import BadCard, BadValue, NotAllowed
from feltworks.kit.game import Game
from feltworks.kit.steps import DEALT, Deal, Settlement, Turn
from tests.games.sitting import S1, S2, Guest, betting_closed, settled, walked

TCP, STUD, RIDE, MISS, CASINO, UTH = map(
    load,
    (
        "three-card-poker",
        "caribbean-stud",
        "let-it-ride",
        "mississippi-stud",
        "casino-holdem",
        "ultimate-texas-holdem",
    ),
)
GAMES = (TCP, STUD, RIDE, MISS, CASINO, UTH)


def in_turn(seat: str, dealer: str = "", rest: str = "") -> str:
    """The cards as they come from the deck: one to the seat, one to the dealer, and the common ones after that."""
    pairs = zip_longest(parse_cards(seat), parse_cards(dealer))
    return "".join(str(card) for pair in pairs for card in pair if card is not None) + rest


def net(name: str, cards: str, bets: Mapping[str, int], *choices: str) -> dict[str, str]:
    """What became of each wager of the only guest: its line, and what it won or lost."""
    decided = settled(load(name), cards, Guest(bets, list(choices)))
    return {spot: words(settlement) for spot, settlement in decided.items()}


def words(settlement: Settlement) -> str:
    """The line, and what it brought."""
    net = settlement.net()
    return f"{settlement.line} {'+' if net >= 0 else ''}{net}"


# Three Card Poker.

PAIR_OF_KINGS, QUEEN_HIGH, JACK_HIGH = "KsKd2c", "Qs7d4c", "Js7d4c"


def three_cards(seat: str, dealer: str, *choices: str, pair_plus: int = 0) -> dict[str, str]:
    bets = {"ante": 10, **({"pair_plus": pair_plus} if pair_plus else {})}
    return net("three-card-poker", in_turn(seat, dealer), bets, *choices)


@pytest.mark.rule("TC-03")
def test_a_seat_that_folds_three_cards_loses_ante_and_pair_plus() -> None:
    assert three_cards("7s4d2c", QUEEN_HIGH, "fold", pair_plus=5) == {"ante": "Fold -10", "pair_plus": "Fold -5"}


@pytest.mark.rule("TC-04")
@pytest.mark.parametrize(
    ("seat", "dealer", "ante", "play"),
    [
        (PAIR_OF_KINGS, QUEEN_HIGH, "Better hand +10", "Better hand +10"),
        (PAIR_OF_KINGS, JACK_HIGH, "Dealer does not qualify +10", "Dealer does not qualify +0"),
        ("8s5d3c", JACK_HIGH, "Dealer does not qualify +10", "Dealer does not qualify +0"),
        ("8s5d3c", QUEEN_HIGH, "Dealer's hand is better -10", "Dealer's hand is better -10"),
        ("Qh7c4d", QUEEN_HIGH, "Tie +0", "Tie +0"),
        ("As2d3c", "KhQhTh", "Better hand +10", "Better hand +10"),
        ("4s2d3c", "Ah2s3h", "Better hand +10", "Better hand +10"),
    ],
    ids=["better", "no queen", "no queen, and worse", "worse", "equal", "straight beats flush", "ace low is lowest"],
)
def test_the_dealer_of_three_cards_plays_with_a_queen(seat: str, dealer: str, ante: str, play: str) -> None:
    decided = settled(TCP, in_turn(seat, dealer), Guest({"ante": 10}, ["play"]))
    assert [words(decided[spot]) for spot in ("ante", "play")] == [ante, play]


@pytest.mark.rule("TC-05")
@pytest.mark.parametrize(
    ("seat", "bonus"), [("4s5s6s", 50), ("8s8d8c", 40), ("7s8d9c", 10), ("2s7sTs", 0), ("AsAdKc", 0)]
)
def test_a_straight_or_better_pays_a_bonus_on_the_ante_even_against_a_better_hand(seat: str, bonus: int) -> None:
    course = walked(TCP, in_turn(seat, "AhKhQh"), {S1: Guest({"ante": 10}, ["play"])})
    effects = [effect for *_, round in course for effect in round.effects if isinstance(effect, Settlement)]
    assert sum(settlement.net() for settlement in effects if settlement.rule == "TC-05") == bonus
    assert settled(TCP, in_turn(seat, "AhKhQh"), Guest({"ante": 10}, ["play"]))["ante"].net() == -10


@pytest.mark.rule("TC-06")
@pytest.mark.parametrize(
    ("seat", "won"), [("4s5s6s", 200), ("8s8d8c", 150), ("7s8d9c", 30), ("2s7sTs", 15), ("3s3dKc", 5), ("AsKdJc", -5)]
)
def test_pair_plus_pays_by_the_seats_own_cards_whatever_the_dealer_has(seat: str, won: int) -> None:
    assert settled(TCP, in_turn(seat, "QhKhAh"), Guest({"ante": 1, "pair_plus": 5}, ["play"]))["pair_plus"].net() == won


# Caribbean Stud.

NO_ACE_KING = "AhQs9d5c3h"
ACE_KING = "AhKs4d3c2h"


@pytest.mark.rule("CS-03")
def test_a_raise_is_twice_the_ante_and_a_fold_loses_it() -> None:
    assert net("caribbean-stud", in_turn("2s4d6h8cTs", ACE_KING), {"ante": 5}, "fold") == {"ante": "Fold -5"}
    raised = settled(STUD, in_turn("AsAd6h8cTs", ACE_KING), Guest({"ante": 5}, ["raise"]))
    assert raised["raise"].amount == 10


@pytest.mark.rule("CS-04")
@pytest.mark.parametrize(
    ("seat", "dealer", "ante", "raised"),
    [
        ("2s4d6h8cTs", NO_ACE_KING, "Dealer does not qualify +5", "Dealer does not qualify +0"),
        ("2s2d6h8cTs", ACE_KING, "Better hand +5", "Better hand +10"),
        ("2s5d6h8cTs", ACE_KING, "Dealer's hand is better -5", "Dealer's hand is better -10"),
        ("AdKc4h3s2c", ACE_KING, "Tie +0", "Tie +0"),
    ],
    ids=["no ace and king", "better", "worse", "equal"],
)
def test_the_dealer_of_five_cards_plays_with_ace_and_king(seat: str, dealer: str, ante: str, raised: str) -> None:
    assert net("caribbean-stud", in_turn(seat, dealer), {"ante": 5}, "raise") == {"ante": ante, "raise": raised}


@pytest.mark.rule("CS-05")
@pytest.mark.parametrize(
    ("seat", "odds"),
    [
        ("TcJcQcKcAc", 100),
        ("5s6s7s8s9s", 50),
        ("7s7d7h7cTs", 20),
        ("7s7d7hTcTs", 7),
        ("2s4s6s8sTs", 5),
        ("5s6d7h8c9s", 4),
        ("7s7d7h8cTs", 3),
        ("7s7d8h8cTs", 2),
        ("7s7d5h8cTs", 1),
        ("AdKcJh3s2c", 1),
    ],
)
def test_a_raise_that_wins_is_paid_by_the_seats_hand(seat: str, odds: int) -> None:
    won = settled(STUD, in_turn(seat, ACE_KING), Guest({"ante": 1}, ["raise"]))
    assert [won["ante"].net(), won["raise"].net()] == [1, 2 * odds]


# Let It Ride.

BETS = {"bet_1": 5, "bet_2": 5, "bet_3": 5}


@pytest.mark.rule("LR-01")
def test_three_bets_of_different_amounts_are_refused() -> None:
    with pytest.raises(NotAllowed, match="three equal bets"):
        betting_closed(RIDE, {S1: {"bet_1": 5, "bet_2": 5, "bet_3": 10}})


@pytest.mark.rule("LR-03", "LR-04")
@pytest.mark.parametrize(
    ("choices", "rides"),
    [
        (("pull", "pull"), ["bet_3"]),
        (("pull", "ride"), ["bet_2", "bet_3"]),
        (("ride", "pull"), ["bet_1", "bet_3"]),
        (("ride", "ride"), ["bet_1", "bet_2", "bet_3"]),
    ],
)
def test_a_bet_is_pulled_back_or_rides_before_each_common_card(choices: tuple[str, str], rides: list[str]) -> None:
    done = net("let-it-ride", "KsKd2c7h4s", BETS, *choices)
    assert sorted(spot for spot, said in done.items() if said == "Pair of tens or better +5") == rides
    assert all(said == "Withdrawn +0" for spot, said in done.items() if spot not in rides)


@pytest.mark.rule("LR-05")
@pytest.mark.parametrize(
    ("cards", "won"),
    [
        ("TsJsQsKsAs", 1000),
        ("5s6s7s8s9s", 200),
        ("7s7d7h7cTs", 50),
        ("7s7d7hTcTs", 11),
        ("2s4s6s8sTs", 8),
        ("5s6d7h8c9s", 5),
        ("7s7d7h8cTs", 3),
        ("7s7d8h8cTs", 2),
        ("TsTd2h8c4s", 1),
        ("9s9d2h8c4s", -1),
    ],
)
def test_every_bet_that_rides_is_paid_by_one_table(cards: str, won: int) -> None:
    done = settled(RIDE, cards, Guest(dict.fromkeys(BETS, 1), ["ride", "ride"]))
    assert [done[bet].net() for bet in BETS] == [won] * 3


# Mississippi Stud.


@pytest.mark.rule("MS-03")
def test_a_fold_on_any_street_loses_all_that_was_bet() -> None:
    assert net("mississippi-stud", "7s2d9c4h3s", {"ante": 5}, "fold") == {"ante": "Fold -5"}
    done = net("mississippi-stud", "7s2d9c4h3s", {"ante": 5}, "3x", "1x", "fold")
    assert done == {"ante": "Fold -5", "third": "Fold -15", "fourth": "Fold -5"}


@pytest.mark.rule("MS-04")
def test_no_common_card_is_turned_when_every_seat_has_folded() -> None:
    steps = [step for step, *_ in walked(MISS, "7s2d9c4h3s", {S1: Guest({"ante": 5}, ["1x", "fold"])})]
    assert [step.token.name for step in steps if isinstance(step, Turn)] == ["card 1", "card 2", "common 1"]


@pytest.mark.rule("MS-05")
@pytest.mark.parametrize(
    ("cards", "won"),
    [
        ("TsJsQsKsAs", 500),
        ("5s6s7s8s9s", 100),
        ("7s7d7h7cTs", 40),
        ("7s7d7hTcTs", 10),
        ("2s4s6s8sTs", 6),
        ("5s6d7h8c9s", 4),
        ("7s7d7h8cTs", 3),
        ("7s7d8h8cTs", 2),
        ("JsJd2h8c4s", 1),
        ("TsTd2h8c4s", 0),
        ("6s6d2h8c4s", 0),
        ("5s5d2h8c4s", -1),
    ],
)
def test_the_ante_and_every_bet_are_paid_by_one_table(cards: str, won: int) -> None:
    done = settled(MISS, cards, Guest({"ante": 1}, ["1x", "2x", "3x"]))
    assert [done[spot].net() for spot in ("ante", "third", "fourth", "fifth")] == [won, won, 2 * won, 3 * won]


# Casino Hold'em.


def casino(seat: str, dealer: str, board: str, *choices: str) -> dict[str, str]:
    return net("casino-holdem", in_turn(seat, dealer, board), {"ante": 5}, *choices)


@pytest.mark.rule("CH-03")
def test_a_seat_folds_on_the_flop_or_calls_twice_its_ante() -> None:
    assert casino("2s3d", "KhQh", "8c9cJd", "fold") == {"ante": "Fold -5"}
    assert settled(CASINO, in_turn("2s3d", "KhQh", "8c9cJd4s4h"), Guest({"ante": 5}, ["call"]))["call"].amount == 10


@pytest.mark.rule("CH-04", "CH-05")
@pytest.mark.parametrize(
    ("seat", "dealer", "board", "ante", "call"),
    [
        ("AsKd", "3h3s", "8c9cJd2s7h", "Dealer does not qualify +5", "Dealer does not qualify +0"),
        ("AsAd", "4h4s", "8c9cJd2s7h", "Better hand +5", "Better hand +10"),
        ("AsKd", "4h4s", "8c9cJd2s7h", "Dealer's hand is better -5", "Dealer's hand is better -10"),
        ("AsKd", "AhKh", "8c8dJd2s7h", "Tie +0", "Tie +0"),
        ("AcKc", "4h4s", "8c9cJc2s7h", "Better hand +10", "Better hand +10"),
        ("8s8h", "4h4s", "8c9cJc2s9h", "Better hand +15", "Better hand +10"),
        ("8s8h", "4h4s", "8c9cJc8d9h", "Better hand +50", "Better hand +10"),
        ("TcQc", "4h4s", "8c9cJc2s9h", "Better hand +100", "Better hand +10"),
        ("TcQc", "4h4s", "AcKcJc2s9h", "Better hand +500", "Better hand +10"),
        ("KcQc", "3h3s", "8c9cJc2s7h", "Dealer does not qualify +10", "Dealer does not qualify +0"),
    ],
)
def test_the_dealer_of_casino_holdem_plays_with_a_pair_of_fours(
    seat: str, dealer: str, board: str, ante: str, call: str
) -> None:
    assert casino(seat, dealer, board, "call") == {"ante": ante, "call": call}


# Ultimate Texas Hold'em.


@dataclass(frozen=True)
class Ultimate:
    seat: str
    dealer: str
    board: str
    ante: str
    blind: str
    play: str


ULTIMATE = [
    Ultimate("AsKd", "QhJs", "8c9c3d2s6h", "Dealer does not qualify +0", "Better hand +0", "Better hand +20"),
    Ultimate("5s4d", "QhJs", "8c9c3d2s7h", "Dealer does not qualify +0", "Dealer's hand is better -5",
             "Dealer's hand is better -20"),
    Ultimate("AsKd", "QhQs", "8c9c3d2s6h", "Dealer's hand is better -5", "Dealer's hand is better -5",
             "Dealer's hand is better -20"),
    Ultimate("AsKd", "AhKh", "8c8d3d2s6h", "Tie +0", "Tie +0", "Tie +0"),
    Ultimate("AsAd", "QhQs", "8c9c3d2s6h", "Better hand +5", "Better hand +0", "Better hand +20"),
    Ultimate("TsJd", "QhQs", "8c9c3d7s2h", "Better hand +5", "Better hand +5", "Better hand +20"),
    Ultimate("AcKc", "QhQs", "8c9c3c7s2h", "Better hand +5", "Better hand +15/2", "Better hand +20"),
    Ultimate("8sKd", "QhQs", "8c8dKc7s2h", "Better hand +5", "Better hand +15", "Better hand +20"),
    Ultimate("8s8h", "QhQs", "8c8dKc7s2h", "Better hand +5", "Better hand +50", "Better hand +20"),
    Ultimate("6c7c", "QhQs", "8c9cTc7s2h", "Better hand +5", "Better hand +250", "Better hand +20"),
    Ultimate("AcKc", "QhQs", "QcJcTc7s2h", "Better hand +5", "Better hand +2500", "Better hand +20"),
]  # fmt: skip


@pytest.mark.rule("UT-06", "UT-07")
@pytest.mark.parametrize("case", ULTIMATE, ids=lambda case: f"{case.seat} {case.dealer} {case.board}")
def test_ante_blind_and_play_of_ultimate_are_settled_each_in_its_way(case: Ultimate) -> None:
    done = net("ultimate-texas-holdem", in_turn(case.seat, case.dealer, case.board), {"ante": 5, "blind": 5}, "4x")
    assert done == {"ante": case.ante, "blind": case.blind, "play": case.play}


@pytest.mark.rule("UT-01")
def test_unequal_ante_and_blind_are_refused() -> None:
    with pytest.raises(NotAllowed, match="equal wagers on Ante and Blind"):
        betting_closed(UTH, {S1: {"ante": 5, "blind": 10}})


@pytest.mark.rule("UT-03", "UT-04", "UT-05")
@pytest.mark.parametrize(
    ("choices", "play"),
    [(("3x",), 15), (("4x",), 20), (("check", "2x"), 10), (("check", "check", "1x"), 5)],
)
def test_play_is_made_once_and_the_earlier_the_larger(choices: tuple[str, ...], play: int) -> None:
    cards = in_turn("AsAd", "QhQs", "8c9c3d2s6h")
    assert settled(UTH, cards, Guest({"ante": 5, "blind": 5}, list(choices)))["play"].amount == play


@pytest.mark.rule("UT-05", "UT-08")
def test_a_fold_loses_ante_and_blind_while_trips_plays_on() -> None:
    bets = {"ante": 5, "blind": 5, "trips": 5}
    done = net("ultimate-texas-holdem", in_turn("2s4d", "QhQs", "8c8d8hKsAh"), bets, "check", "check", "fold")
    assert done == {"ante": "Fold -5", "blind": "Fold -5", "trips": "Three of a kind +15"}


@pytest.mark.rule("UT-08")
@pytest.mark.parametrize(
    ("seat", "board", "won"),
    [
        ("AcKc", "QcJcTc7s2h", 50),
        ("6c7c", "8c9cTc7s2h", 40),
        ("8s8h", "8c8dKc7s2h", 30),
        ("8sKd", "8c8dKc7s2h", 8),
        ("AcKc", "8c9c3c7s2h", 7),
        ("TsJd", "8c9c3d7s2h", 4),
        ("8sKd", "8c8d4c7s2h", 3),
        ("AsAd", "8c9c3d2s6h", -1),
    ],
)
def test_trips_is_paid_by_the_seats_best_five_even_against_a_better_hand(seat: str, board: str, won: int) -> None:
    done = settled(UTH, in_turn(seat, "QhQs", board), Guest({"ante": 1, "blind": 1, "trips": 1}, ["4x"]))
    assert done["trips"].net() == won


# All of them.

ORDER = [
    (TCP, ["seat 1", "seat 2", "dealer"] * 3, "TC-02"),
    (STUD, ["seat 1", "seat 2", "dealer"] * 5, "CS-02"),
    (RIDE, ["seat 1", "seat 2"] * 3 + ["common"] * 2, "LR-02"),
    (MISS, ["seat 1", "seat 2"] * 2 + ["common"] * 3, "MS-02"),
    (CASINO, ["seat 1", "seat 2", "dealer"] * 2 + ["board"] * 3, "CH-02"),
    (UTH, ["seat 1", "seat 2", "dealer"] * 2, "UT-02"),
]


@pytest.mark.parametrize(
    ("game", "places"),
    [pytest.param(game, places, marks=pytest.mark.rule(rule), id=game.name) for game, places, rule in ORDER],
)
def test_the_deal_goes_clockwise_one_card_at_a_time(game: Game, places: list[str]) -> None:
    opens = dict.fromkeys(game.wager("base").opens, 1)
    round = betting_closed(game, {S1: opens, S2: opens})
    dealt = []
    deck = iter(SUITED_CARDS)
    while isinstance(step := round.next, Deal | Turn):
        if isinstance(step, Deal):
            dealt.append(step.place)
        round = round.after(DEALT if isinstance(step, Deal) else next(deck))
    assert dealt == places


@pytest.mark.rule("TC-01", "CS-01", "LR-01", "MS-01", "CH-01", "UT-01")
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_poker_game_is_played_with_one_fresh_deck_and_carries_no_approval(game: Game) -> None:
    assert (game.decks, game.standing) == (1, "carries no approval")
    assert game.definition.pack is not None and game.definition.pack.fresh_each_round


@pytest.mark.parametrize(
    ("game", "cards", "given", "told"),
    [
        (TCP, "Qs6d", {}, "Give 3 cards, such as AsKd9c; 'Qs6d' has 2"),
        (TCP, "Qs6d6d", {}, "6d is named twice"),
        (TCP, "Q64", {}, "Q needs a suit"),
        (STUD, "AsKd9c5h2s", {"up": "As"}, "As is named twice"),
        (RIDE, "AsKd9c", {"common": "7s2h"}, "Give 1 card, such as As; '7s2h' has 2"),
        (MISS, "AsKd", {"common": "7s", "bets": "4x"}, "1x, 2x or 3x"),
        (CASINO, "AsKd", {"flop": "7s2h"}, "Give 3 cards"),
        (UTH, "AsKd", {"board": "7s2h4c"}, "Give 5 cards"),
    ],
)
def test_a_situation_that_cannot_be_is_refused_with_what_is_meant(
    game: Game, cards: str, given: dict[str, Any], told: str
) -> None:
    with pytest.raises((BadCard, BadValue), match=told):
        feltworks.advise(game, cards, **given)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_rules_of_a_poker_game_are_fewer_than_a_hundred_lines(game: Game) -> None:
    """Without the list of what is imported, the sentences that explain, and empty lines."""
    text = (game.folder / "rules.py").read_text("utf-8")
    tree = ast.parse(text)
    left_out: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            left_out.update(range(node.lineno, (node.end_lineno or 0) + 1))
    lines = [number for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    assert 50 < len(set(lines) - left_out) < 100
