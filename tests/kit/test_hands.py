"""Hands in words: the cards that count, and what they are called, held against the kit's own order of hands."""

from random import Random

import pytest

from feltworks.kit.cards import SUITED_CARDS, Card, Seat, Token, parse_cards
from feltworks.kit.hands import in_sentence, plural, poker_hand, poker_words, sign, with_article
from feltworks.kit.poker import best_hand, describe
from tests.kit.support import every_game, label


def lying(text: str) -> dict[Token, Card]:
    return {Token(None, f"card {n}"): card for n, card in enumerate(parse_cards(text), 1)}


@pytest.mark.parametrize(
    ("cards", "words", "brief", "counts"),
    [
        ("Ks Kh 7c 2d 9s 4h 3c", "a pair of kings", "Pair of kings", "Ks Kh 7c 9s 4h"),
        ("Ks Kh 7c 7d 9s 4h 3c", "two pair, kings and sevens", "Two pair", "Ks Kh 7c 7d 9s"),
        ("6s 6h 6c 2d 9s", "three of a kind, sixes", "Three of a kind", "6s 6h 6c 2d 9s"),
        ("As 2h 3c 4d 5s Kh Kd", "a straight, five high", "Straight", "As 2h 3c 4d 5s"),
        ("As Ks Qs Js Ts 9s 8s", "a royal flush", "Royal flush", "As Ks Qs Js Ts"),
        ("As Qh 9c 7d 5s 3h", "ace high", "Ace high", "As Qh 9c 7d 5s"),
    ],
)
def test_a_poker_hand_is_told_in_words_with_the_five_cards_that_count(
    cards: str, words: str, brief: str, counts: str
) -> None:
    known = lying(cards)
    told = poker_hand(Seat(2), known)
    assert (told.owner, told.words, told.brief) == (2, words, brief)
    assert [known[token] for token in told.counts] == list(parse_cards(counts))


def test_the_five_cards_that_are_told_are_worth_as_much_as_all_of_them() -> None:
    chance = Random(15)
    for _ in range(300):
        cards = chance.sample(SUITED_CARDS, chance.choice((5, 6, 7)))
        known = {Token(None, str(n)): card for n, card in enumerate(cards)}
        told, best = poker_hand(None, known), best_hand(cards)
        five = [known[token] for token in told.counts]
        assert len(set(five)) == 5
        assert best_hand(five) == best
        assert told.words.removeprefix("a ") == describe(best)
        assert told.words == poker_words(best)


def test_a_rank_is_said_as_people_say_it() -> None:
    assert [with_article(Card(text)) for text in ("8h", "A", "Td", "Q")] == ["an eight", "an ace", "a ten", "a queen"]
    assert [sign(Card(text)) for text in ("Th", "As", "4c")] == ["10", "A", "4"]
    assert [plural(rank) for rank in (6, 10, 14)] == ["sixes", "tens", "aces"]


@pytest.mark.parametrize(
    ("line", "said"),
    [("Three of a kind", "three of a kind"), ("A pair", "a pair"), ("2, 3 or 12", "2, 3 or 12"), ("IN it", "IN it")],
)
def test_a_line_begins_small_within_a_sentence(line: str, said: str) -> None:
    assert in_sentence(line) == said


def test_a_game_that_says_nothing_of_hands_and_reasons_tells_no_hand_and_its_line() -> None:
    toys = [game for game in every_game() if game.name in ("point", "bands", "peek")]
    assert toys
    for game in toys:
        round = game.start()
        spot = next(iter(next(iter(game.wagers.values())).spots))
        lost = round.lose(Seat(1), spot, "No match", "T-01")
        assert list(round.told_hands({})) == [], label(game)
        assert round.reason(lost, round) == "no match", label(game)
