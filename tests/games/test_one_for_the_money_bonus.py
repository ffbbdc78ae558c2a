"""The bonus wagers of One For The Money: which three cards make which line, and what it pays."""

import pytest

from feltworks.games import load
from feltworks.kit.game import Game
from feltworks.kit.steps import Stake
from tests.games.sitting import S1, Guest, settled, settlements, walked

GAME = load("one-for-the-money")
PERFECT_MATCH = GAME.configured(version="perfect-match")

# 3 Card Bonus.

THREE_CARD_HANDS = [
    ("Qs", "Ks As", "Straight flush"),
    ("As", "2s 3s", "Straight flush"),
    ("3h", "5h 4h", "Straight flush"),
    ("7h", "7h 7h", "Three of a kind"),  # of one suit, from several decks: still three of a kind
    ("7h", "7h 7s", "Three of a kind"),
    ("Ac", "Ad Ah", "Three of a kind"),
    ("2s", "2d 2c", "Three of a kind"),
    ("Qs", "Kd As", "Straight"),
    ("2c", "As 3c", "Straight"),
    ("9h", "Td 8h", "Straight"),
    ("4h", "2d 3h", "Straight"),
    ("Ks", "As 2s", "Flush"),  # no straight around the ace
    ("As", "As 2s", "Flush"),  # a suited pair is a flush too
    ("2h", "9h Qh", "Flush"),
    ("Ks", "Ad 2s", None),
    ("As", "Kd 2h", None),
    ("2s", "Kd Ah", None),
    ("7h", "7d 8h", None),
    ("7h", "8d 8h", None),
    ("7h", "8h 9d", "Straight"),
    ("7h", "8h Td", None),
    ("7h", "9h Jd", None),
    ("2h", "4c Ah", None),
]
THREE_CARD_PAYS = {
    "1": {"Straight flush": 40, "Three of a kind": 30, "Straight": 10, "Flush": 5},
    "2": {"Straight flush": 9, "Three of a kind": 9, "Straight": 9, "Flush": 9},
}


@pytest.mark.rule("O-07")
@pytest.mark.parametrize("table", ["1", "2"])
@pytest.mark.parametrize(("card", "dealer", "line"), THREE_CARD_HANDS)
def test_3_card_bonus_pays_the_hand_by_the_table(card: str, dealer: str, line: str | None, table: str) -> None:
    game = GAME.configured(pay={"three_card_bonus": table})
    won = settled(game, f"{card} {dealer}", Guest({"ante": 10, "three_card_bonus": 3}, ["check"]))
    bonus = won["three_card_bonus"]
    assert bonus.line == (line or "No hand")
    assert bonus.net() == (3 * THREE_CARD_PAYS[table][line] if line else -3)
    assert bonus.amount == 3 and bonus.rule == "O-07"
    assert bonus.stake is (Stake.RETURNED if line else Stake.TAKEN)


@pytest.mark.rule("O-07")
def test_the_pay_tables_of_3_card_bonus_are_as_printed() -> None:
    printed = {name: {line: f"{pay} to 1" for line, pay in lines.items()} for name, lines in THREE_CARD_PAYS.items()}
    assert GAME.definition.pay_tables["three_card_bonus"] == printed
    assert [list(lines) for lines in GAME.definition.pay_tables["three_card_bonus"].values()] == [
        list(lines) for lines in printed.values()
    ]
    assert GAME.pay_table("three_card_bonus").name == "1"


@pytest.mark.rule("O-07")
@pytest.mark.parametrize(
    ("cards", "yes", "no"),
    [
        ("As 2s 3s", "Straight flush", "Flush"),
        ("3s 2s As", "Straight flush", "Flush"),
        ("As 2d 3s", "Straight", "No hand"),
        ("Qs Kd As", "Straight", "Straight"),
        ("Qs Ks As", "Straight flush", "Straight flush"),
        ("2s 3d 4s", "Straight", "Straight"),
        ("Ks Ad 2s", "No hand", "No hand"),
    ],
)
def test_a_reading_says_whether_an_ace_may_be_low_in_a_straight(cards: str, yes: str, no: str) -> None:
    for value, line in (("yes", yes), ("no", no)):
        game = GAME.configured(readings={"ace_low_straight": value})
        won = settled(game, cards, Guest({"ante": 1, "three_card_bonus": 1}, ["check"]))
        assert won["three_card_bonus"].line == line


@pytest.mark.rule("O-07")
@pytest.mark.parametrize("card", ["2c", "8c", "9d", "9s", "Tc", "Ah"])
def test_3_card_bonus_is_paid_whoever_has_the_higher_card(card: str) -> None:
    for choices in (["check"], ["raise"]):
        won = settled(GAME, f"{card} {card} {card}", Guest({"ante": 1, "three_card_bonus": 1}, choices))
        assert (won["ante"].line, won["three_card_bonus"].line) == ("Tie", "Three of a kind")
    lost = settled(GAME, "8c 9d Ts", Guest({"ante": 1, "three_card_bonus": 1}, ["check"]))
    assert lost["ante"].net() == -1 and lost["three_card_bonus"].net() == 10
    won = settled(GAME, "Tc 9d 8s", Guest({"ante": 1, "three_card_bonus": 1}, ["check"]))
    assert won["ante"].net() == 1 and won["three_card_bonus"].net() == 10


@pytest.mark.rule("O-07", "O-08", "O-04")
@pytest.mark.parametrize("reading", ["out", "back"])
@pytest.mark.parametrize("choice", ["stand", "raise"])
@pytest.mark.parametrize(
    ("game", "bonus", "traded", "last", "line"),
    [
        (GAME, "three_card_bonus", "9s", "Qd", "No hand"),
        (GAME, "three_card_bonus", "Qd", "9d", "Straight"),
        (PERFECT_MATCH, "perfect_match", "7s", "Qd", "No match"),
        (PERFECT_MATCH, "perfect_match", "Qd", "7s", "Matches a dealer card, suited"),
    ],
)
def test_a_bonus_looks_at_the_card_at_the_end_of_the_game(
    game: Game, bonus: str, traded: str, last: str, line: str, choice: str, reading: str
) -> None:
    game = game.configured(readings={"traded_card": reading})
    won = settled(game, f"{traded} 7s 8h {last}", Guest({"ante": 1, bonus: 1}, ["trade", choice]))
    assert won[bonus].line == line


# Perfect Match.

MATCHES = [
    ("7h", "7h 7h", "Suited three of a kind"),
    ("As", "As As", "Suited three of a kind"),
    ("7h", "7h 7s", "Three of a kind"),  # one suited, the other not: one line, the better
    ("7h", "7s 7h", "Three of a kind"),
    ("7h", "7s 7s", "Three of a kind"),
    ("7h", "7s 7d", "Three of a kind"),
    ("7h", "7h 8h", "Matches a dealer card, suited"),
    ("7h", "8s 7h", "Matches a dealer card, suited"),
    ("2c", "2c As", "Matches a dealer card, suited"),
    ("7h", "7s 8h", "Matches a dealer card, unsuited"),
    ("7h", "8h 7s", "Matches a dealer card, unsuited"),
    ("Ac", "2c Ad", "Matches a dealer card, unsuited"),
    ("7h", "8s 8s", None),  # a pair of the dealer's own is no match
    ("7h", "8h 8h", None),
    ("7h", "8h 9h", None),
    ("7h", "6c 8d", None),
    ("2c", "As Ks", None),
]
MATCH_PAYS = {
    "Suited three of a kind": 100,
    "Three of a kind": 30,
    "Matches a dealer card, suited": 10,
    "Matches a dealer card, unsuited": 3,
}


@pytest.mark.rule("O-08")
@pytest.mark.parametrize(("card", "dealer", "line"), MATCHES)
def test_perfect_match_pays_the_best_line_and_only_that(card: str, dealer: str, line: str | None) -> None:
    steps = walked(PERFECT_MATCH, f"{card} {dealer}", {S1: Guest({"ante": 10, "perfect_match": 3}, ["check"])})
    bonuses = [s for s in settlements(round.effects for _, _, round in steps) if s.spot == "perfect_match"]
    assert len(bonuses) == 1
    bonus = bonuses[0]
    assert bonus.line == (line or "No match")
    assert bonus.net() == (3 * MATCH_PAYS[line] if line else -3)
    assert bonus.amount == 3 and bonus.rule == "O-08"
    assert bonus.stake is (Stake.RETURNED if line else Stake.TAKEN)


@pytest.mark.rule("O-08")
def test_the_pay_table_of_perfect_match_is_as_printed() -> None:
    tables = GAME.definition.pay_tables["perfect_match"]
    assert tables == {"1": {line: f"{pay} to 1" for line, pay in MATCH_PAYS.items()}}
    assert list(tables["1"]) == list(MATCH_PAYS)
