"""Trips or Better and Match the Dealer at the table: every line, whatever becomes of the hand."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from feltworks.games.down_under_holdem.rules import (
    DEALER,
    FLOP,
    TURN_AND_RIVER,
    DownUnder,
    match_the_dealer,
    own,
    trips_or_better,
)
from feltworks.kit.cards import RANKS, Card, Token
from feltworks.kit.game import Game
from feltworks.kit.round import Face
from feltworks.kit.steps import Settlement, Stake
from tests.games.down_under.test_round import GAME, LABELS, WINNING, bets, label, play, staged
from tests.games.sitting import S1, S2, S3

TRIPS = {
    "1": (50, 40, 30, 9, 7, 4, 3),
    "2": (50, 40, 30, 8, 6, 5, 3),
    "3": (50, 40, 30, 8, 7, 4, 3),
    "4": (100, 40, 30, 7, 6, 5, 3),
    "5": (50, 40, 20, 7, 6, 5, 3),
}
MATCH = {"1": (250, 25, 10, 2), "2": (500, 25, 10, 2), "3": (25, 10, 7, 3), "4": (50, 10, 7, 3)}
TRIPS_LINES = LABELS[:2:-1]
MATCH_LINES = ("Four of a kind", "Three of a kind", "2 card matches", "1 card match")
WAYS = ("3x", "2x", "check, 1x", "check, fold")


def paying(wager: str, table: str) -> Game:
    return GAME.configured(pay={wager: table})


# Trips or Better.


@pytest.mark.rule("D-11")
@pytest.mark.parametrize("table", TRIPS)
@pytest.mark.parametrize("kind", LABELS)
def test_trips_or_better_pays_every_line_of_every_table_folded_or_not(kind: str, table: str) -> None:
    pays = dict(zip(TRIPS_LINES, TRIPS[table], strict=True))
    for choice in ("3x", "check, fold"):
        played = play(staged(*WINNING[kind]), choice, bets(trips_or_better=5), paying("trips_or_better", table))
        settled = played.of()["trips_or_better"]
        assert settled.rule == "D-11"
        assert settled.net() == 5 * pays.get(kind, -1)
        assert settled.line == (kind if kind in pays else "No three of a kind")
        assert settled.stake is (Stake.RETURNED if kind in pays else Stake.TAKEN)


BEATEN = {
    "Straight flush": ("5s6s", "TsJs", "7s8s9s2d2h"),
    "Four of a kind": ("9d9h", "TsJs", "7s8s9s9c2h"),
    "Full house": ("2c2d", "9d9h", "9c9s2hKd4c"),
    "Flush": ("2h3h", "AhTh", "7h9hKh4s8c"),
    "Straight": ("4c9d", "9cTd", "5s6d7h8cKd"),
    "Three of a kind": ("6s6h", "KdKc", "6cJdKh9c2s"),
    "Two pair": ("Js2h", "AdKd", "AcJdKh2c7s"),
}
TIED = {
    "Royal flush": ("2c3d", "4c5d", "AsKsQsJsTs"),
    "Straight": ("2c2d", "3c3d", "5s6d7h8c9d"),
    "Flush": ("2d3d", "4c5c", "AsKs9s8s7s"),
    "Full house": ("2d3d", "4c5c", "AsAcAhKsKc"),
}


@pytest.mark.rule("D-08", "D-11")
@pytest.mark.parametrize(
    ("kind", "cards", "base"),
    [
        *((kind, cards, "loses") for kind, cards in BEATEN.items()),
        *((kind, cards, "ties") for kind, cards in TIED.items()),
    ],
)
@pytest.mark.parametrize("choice", WAYS)
def test_trips_or_better_is_paid_though_the_hand_is_beaten_or_tied(
    kind: str, cards: tuple[str, str, str], base: str, choice: str
) -> None:
    played = play(staged(*cards), choice, bets(trips_or_better=5))
    expected = 5 * dict(zip(TRIPS_LINES, TRIPS["1"], strict=True)).get(kind, -1)
    assert played.net()["trips_or_better"] == expected
    assert played.net()["ante"] == (0 if base == "ties" and "fold" not in choice else -10)


POOLS = ("23456789TJQKA cdhs", "9TJQKA cs", "3456789 dh", "A259T cdhs")
"""Ranks and suits from which sevens are drawn: the whole deck, and parts of it in which rare hands are frequent."""


@pytest.mark.rule("D-11")
def test_trips_or_better_reads_the_best_five_of_seven_for_every_kind_of_hand() -> None:
    showdown, random, seen = shown_to_the_end(), Random(11), Counter[str]()
    for pool in map(str.split, POOLS):
        deck = [Card(rank + suit) for rank, suit in product(*pool)]
        for _ in range(250):
            cards = random.sample(deck, 7)
            round = with_cards(showdown, (*own(S1), *FLOP, *TURN_AND_RIVER), cards)
            [settled] = trips_or_better(round, S1)
            assert isinstance(settled, Settlement)
            kind = label(*cards)
            assert settled.line == (kind if kind in TRIPS_LINES else "No three of a kind")
            seen[kind] += 1
    assert set(seen) == set(LABELS)


# Match the Dealer.

SHOWN = {
    "Four of a kind": ("7c7d", "7h7s"),
    "Three of a kind": ("7c7d", "7hKs"),
    "2 card matches": ("7cKd", "7hKs"),
    "1 card match": ("7cKd", "7hQs"),
    "No match": ("7cKd", "8hQs"),
}


@pytest.mark.rule("D-12")
@pytest.mark.parametrize("table", MATCH)
@pytest.mark.parametrize("choice", WAYS)
@pytest.mark.parametrize("kind", SHOWN)
def test_match_the_dealer_pays_every_line_of_every_table_folded_or_not(kind: str, choice: str, table: str) -> None:
    pays = dict(zip(MATCH_LINES, MATCH[table], strict=True))
    cards = staged(*SHOWN[kind], "2s3d4cTdJh")
    settled = play(cards, choice, bets(match_the_dealer=5), paying("match_the_dealer", table)).of()["match_the_dealer"]
    assert (settled.line, settled.rule) == (kind, "D-12")
    assert settled.net() == 5 * pays.get(kind, -1)
    assert settled.stake is (Stake.RETURNED if kind in pays else Stake.TAKEN)


@pytest.mark.rule("D-12")
def test_three_of_a_kind_counts_from_the_pair_of_either_side() -> None:
    for hand, dealer in (("7c7d", "7hKs"), ("7c7d", "Ks7h"), ("7hKs", "7c7d"), ("Ks7h", "7d7c")):
        played = play(staged(hand, dealer, "2s3d4cTdJh"), "3x", bets(match_the_dealer=5))
        assert played.of()["match_the_dealer"].line == "Three of a kind"


@pytest.mark.rule("D-12")
def test_two_pairs_of_different_ranks_do_not_match() -> None:
    played = play(staged("7c7d", "KhKs", "2s3d4cTdJh"), "3x", bets(match_the_dealer=5))
    assert played.of()["match_the_dealer"].line == "No match"


@pytest.mark.rule("D-12")
def test_cards_of_the_board_do_not_match_the_dealers_cards() -> None:
    played = play(staged("7c8d", "KhQs", "7s8h7hKdQc"), "3x", bets(match_the_dealer=5))
    assert played.of()["match_the_dealer"].line == "No match"


def shown_to_the_end() -> DownUnder:
    """A round in which all cards lie open, with Trips or Better and Match the Dealer still to be settled."""
    played = play(staged("7c8d", "KhQs", "7s8h7hKdQc"), "3x", bets(trips_or_better=5, match_the_dealer=5))
    before = next(round for _, _, round in reversed(played.steps) if not round.over)
    return replace(played.last, wagers=before.wagers)


def with_cards(round: DownUnder, tokens: Sequence[Token], cards: Sequence[Card]) -> DownUnder:
    """The same round with other cards lying there."""
    faces = {token: Face("table", card) for token, card in zip(tokens, cards, strict=True)}
    return replace(round, cards={**round.cards, **faces})


def matched(mine: str, dealer: str) -> str:
    """A second opinion, by counting: how often the ranks of four cards are there, in all and on each side."""
    both, sides = Counter(mine + dealer), (Counter(mine), Counter(dealer))
    crossing = [rank for rank in both if all(side[rank] for side in sides)]
    if not crossing:
        return "No match"
    often = sorted(both.values(), reverse=True)
    return {(4,): "Four of a kind", (3, 1): "Three of a kind", (2, 2): "2 card matches"}.get(
        tuple(often), "1 card match"
    )


@pytest.mark.slow
@pytest.mark.rule("D-12")
def test_match_the_dealer_over_all_ranks_of_the_four_cards() -> None:
    showdown, seen = shown_to_the_end(), Counter[str]()
    places = (*own(S1), *DEALER)
    for ranks in product(RANKS, repeat=4):
        cards = [Card(rank + suit) for rank, suit in zip(ranks, "cdhs", strict=True)]
        [settled] = match_the_dealer(with_cards(showdown, places, cards), S1)
        assert isinstance(settled, Settlement)
        assert settled.line == matched("".join(ranks[:2]), "".join(ranks[2:]))
        seen[settled.line] += 1
    assert seen == {
        "Four of a kind": 13,
        "Three of a kind": 4 * 13 * 12,
        "2 card matches": 2 * 13 * 12,
        "1 card match": 4 * 13 * 12 * 11,
        "No match": 13**4 - 13 - 6 * 13 * 12 - 4 * 13 * 12 * 11,
    }


# Both, beside the hand.


@pytest.mark.rule("D-11", "D-12")
@pytest.mark.parametrize("choice", WAYS)
@pytest.mark.parametrize(
    ("hand", "dealer", "board", "ante", "trips", "match"),
    [
        ("4c4d", "4hTs", "4s9d2hTc8d", 10, 3, 25),
        ("4c4d", "4hTs", "4sTd2hTc8d", -10, 9, 25),
        ("4c4d", "JhTs", "4s9d2hTc8d", 10, 3, -1),
        ("KcTd", "Kh9s", "4s5d2hTc8d", 10, -1, 2),
        ("KcTd", "9h8s", "4s5d2hTcJd", 10, -1, -1),
        ("4c4d", "4h8s", "2d2c4s8h8d", -10, 9, 25),
        ("4c5d", "4hTs", "TdTc9s2h8d", -10, -1, 2),
        ("4c4d", "9hTs", "TdTc4s2h9d", -10, 9, -1),
        ("4c5d", "9hTs", "TdTc3s2h9d", -10, -1, -1),
        ("KcTd", "KhTs", "4s5d2h9c8d", 0, -1, 10),
        ("KcTd", "KhTs", "9s9d9h4c8d", 0, 3, 10),
        ("2c3d", "4h5s", "9s9d9hAcKd", 0, 3, -1),
        ("2c3d", "4h5s", "9s9d8hAcAd", 0, -1, -1),
    ],
)
def test_bonus_wagers_win_and_lose_whatever_the_hand_does(
    hand: str, dealer: str, board: str, ante: int, trips: int, match: int, choice: str
) -> None:
    played = play(staged(hand, dealer, board), choice, bets(trips_or_better=1, match_the_dealer=1))
    net = played.net()
    assert net["ante"] == (-10 if choice.endswith("fold") else ante)
    assert net["trips_or_better"] == trips
    assert net["match_the_dealer"] == match


@pytest.mark.rule("D-11", "D-12")
def test_bonus_wagers_are_paid_by_their_own_size_and_not_by_the_ante() -> None:
    cards = staged({S1: "4c4d", S2: "5c5d", S3: "6c6d"}, "4hTs", "4sTd2hTc8d")
    wagers = {
        S1: bets(10, trips_or_better=1, match_the_dealer=100),
        S2: bets(500, trips_or_better=40),
        S3: bets(5, match_the_dealer=3),
    }
    played = play(cards, dict.fromkeys((S1, S2, S3), "3x"), wagers)
    assert {spot: played.net(S1)[spot] for spot in ("trips_or_better", "match_the_dealer")} == {
        "trips_or_better": 9,
        "match_the_dealer": 2_500,
    }
    assert played.net(S2)["trips_or_better"] == -40
    assert played.net(S3)["match_the_dealer"] == -3
    assert "trips_or_better" not in played.of(S3) and "match_the_dealer" not in played.of(S2)
