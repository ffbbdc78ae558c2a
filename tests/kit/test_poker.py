"""Poker hands: every category counted, every order checked, every call in words."""

from collections import Counter
from itertools import combinations, permutations
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltworks.kit.errors import BadValue
from feltworks.kit.poker import Hand, HandRank, ThreeCard, best_hand, describe, three_card_hand
from tests.quick import share


class Card(NamedTuple):
    rank: int
    suit: str


DECK = tuple(Card(rank, suit) for rank in range(2, 15) for suit in "cdhs")

five_cards = st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True)
six_or_seven = st.lists(st.sampled_from(DECK), min_size=6, max_size=7, unique=True)
# Few ranks and suits, so that flushes, runs, quads and equal cards are common.
crowded = st.lists(
    st.builds(Card, st.sampled_from([2, 3, 4, 5, 14]) | st.integers(10, 14), st.sampled_from("hs")),
    min_size=5,
    max_size=7,
)
hands = st.builds(best_hand, five_cards | six_or_seven | crowded)


def cards(text: str) -> list[Card]:
    return [Card("23456789TJQKA".index(word[0]) + 2, word[1]) for word in text.split()]


FROM_THE_TOP = [
    ("As Ks Qs Js Ts", HandRank.ROYAL_FLUSH, "royal flush"),
    ("Kh Qh Jh Th 9h", HandRank.STRAIGHT_FLUSH, "straight flush, king high"),
    ("Ac 2c 3c 4c 5c", HandRank.STRAIGHT_FLUSH, "straight flush, five high"),
    ("Ac Ad Ah As Kc", HandRank.FOUR_OF_A_KIND, "four of a kind, aces"),
    ("6c 6d 6h 6s Ac", HandRank.FOUR_OF_A_KIND, "four of a kind, sixes"),
    ("6c 6d 6h 6s 2c", HandRank.FOUR_OF_A_KIND, "four of a kind, sixes"),
    ("Kc Kd Kh 4s 4c", HandRank.FULL_HOUSE, "full house, kings over fours"),
    ("4c 4d 4h As Ac", HandRank.FULL_HOUSE, "full house, fours over aces"),
    ("Ad Jd 9d 3d 2d", HandRank.FLUSH, "flush, ace high"),
    ("Kd Qd Jd Td 8d", HandRank.FLUSH, "flush, king high"),
    ("Kd Qd Jd Td 7d", HandRank.FLUSH, "flush, king high"),
    ("Ac Kd Qh Js Tc", HandRank.STRAIGHT, "straight, ace high"),
    ("6c 5d 4h 3s 2c", HandRank.STRAIGHT, "straight, six high"),
    ("5c 4d 3h 2s Ac", HandRank.STRAIGHT, "straight, five high"),
    ("Tc Td Th As 2c", HandRank.THREE_OF_A_KIND, "three of a kind, tens"),
    ("Tc Td Th Ks Qc", HandRank.THREE_OF_A_KIND, "three of a kind, tens"),
    ("Ac Ad 2h 2s 3c", HandRank.TWO_PAIR, "two pair, aces and twos"),
    ("Kc Kd 4h 4s 3c", HandRank.TWO_PAIR, "two pair, kings and fours"),
    ("Kc Kd 4h 4s 2c", HandRank.TWO_PAIR, "two pair, kings and fours"),
    ("4c 4d Ah Ks Jc", HandRank.PAIR, "pair of fours"),
    ("4c 4d Ah Ks Tc", HandRank.PAIR, "pair of fours"),
    ("Kc Ad 2h 3s 4c", HandRank.HIGH_CARD, "ace high"),
    ("Kc Qd Jh Ts 8c", HandRank.HIGH_CARD, "king high"),
    ("7c 5d 4h 3s 2c", HandRank.HIGH_CARD, "seven high"),
]


@pytest.mark.parametrize(("text", "category", "call"), FROM_THE_TOP)
def test_a_hand_is_read_and_called(text: str, category: HandRank, call: str) -> None:
    hand = best_hand(cards(text))
    assert hand.category is category
    assert describe(hand) == call


def test_each_hand_beats_all_below_it() -> None:
    for (better, _, _), (worse, _, _) in combinations(FROM_THE_TOP, 2):
        assert best_hand(cards(better)) > best_hand(cards(worse)), f"{better} should beat {worse}"


@pytest.mark.parametrize(
    ("seven", "best"),
    [
        ("As Ks Qs Js Ts 9s 8s", "As Ks Qs Js Ts"),
        ("Ac 2c 3c 4c 5c 6d 7h", "Ac 2c 3c 4c 5c"),
        ("Ac 2c 3c 4c 5c 6c 7h", "2c 3c 4c 5c 6c"),
        ("Ah Kc Kd Kh Ks Ac Ad", "Kc Kd Kh Ks Ac"),
        ("9c 9d 9h 4c 4d 4h As", "9c 9d 9h 4c 4d"),
        ("9c 9d 9h 4c 4d Ah As", "9c 9d 9h Ah As"),
        ("9c 9d 4c 4d Ks Kh 2c", "9c 9d Ks Kh 4c"),
        ("9c 9d 4c 4d 2s 2h Ac", "9c 9d 4c 4d Ac"),
        ("2h 3h 4h 5h 6s 7s Kh", "2h 3h 4h 5h Kh"),
        ("2h 3h 4h 5h 9h Jh Kh", "4h 5h 9h Jh Kh"),
        ("2h 3d 4c 5h 6s 7s 7d", "3d 4c 5h 6s 7s"),
        ("2h 2d 2c 5h 6s 9s Kd", "2h 2d 2c 9s Kd"),
        ("Qh Kd Ac 2h 3s 4s 9d", "Ac Kd Qh 9d 4s"),
    ],
)
def test_the_best_five_of_seven(seven: str, best: str) -> None:
    assert best_hand(cards(seven)) == best_hand(cards(best))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("As Ks Qs Js Ts", "Ah Kh Qh Jh Th"),
        ("Kc Qd Jh Ts 8c", "Kd Qh Js Tc 8d"),
        ("Ac Kc Qd Jd Th 2s 2h", "Ad Kd Qh Js Tc 3s 4h"),
    ],
)
def test_suits_never_break_a_tie(one: str, other: str) -> None:
    assert best_hand(cards(one)) == best_hand(cards(other))


@settings(max_examples=share(500))
@given(six_or_seven | crowded)
def test_the_best_hand_is_the_best_of_all_its_fives(held: list[Card]) -> None:
    assert best_hand(held) == max(best_hand(five) for five in combinations(held, 5))


@given(five_cards | six_or_seven | crowded, st.permutations("cdhs"), st.randoms(use_true_random=False))
def test_neither_names_of_suits_nor_order_of_cards_matter(held: list[Card], suits: list[str], random: Random) -> None:
    renamed = [Card(card.rank, suits["cdhs".index(card.suit)]) for card in held]
    random.shuffle(renamed)
    assert best_hand(renamed) == best_hand(held)


@given(hands, hands, hands)
def test_hands_are_in_one_total_order(a: Hand, b: Hand, c: Hand) -> None:
    assert [a < b, a == b, a > b].count(True) == 1
    assert (a < b) == (b > a)
    low, middle, high = sorted([a, b, c])
    assert low <= middle <= high
    assert low <= high


@given(hands)
def test_every_hand_has_a_call_and_ranks_that_explain_it(hand: Hand) -> None:
    assert describe(hand)
    assert set(hand.tiebreak) <= set(range(2, 15))


@pytest.mark.parametrize(
    ("text", "hand"),
    [
        ("Ah Ah Ah Ah Ah", Hand(HandRank.FOUR_OF_A_KIND, (14, 14))),
        ("2h 2h 2h 2h 2s 9h 9h", Hand(HandRank.FOUR_OF_A_KIND, (2, 9))),
        ("Kh Kh 9h 8h 7h", Hand(HandRank.FLUSH, (13, 13, 9, 8, 7))),
        ("Kh Kh Kh 7h 7h", Hand(HandRank.FULL_HOUSE, (13, 7))),
    ],
)
def test_equal_cards_from_several_decks_are_cards_like_others(text: str, hand: Hand) -> None:
    assert best_hand(cards(text)) == hand


@pytest.mark.parametrize("number", [0, 4, 8])
def test_another_number_of_cards_is_refused(number: int) -> None:
    with pytest.raises(BadValue) as refusal:
        best_hand(DECK[:number])
    assert str(refusal.value) == f"A poker hand is read from 5, 6 or 7 cards, not from {number}."


def test_labels_are_as_pay_tables_print_them() -> None:
    assert [category.label for category in HandRank] == [
        "High card",
        "Pair",
        "Two pair",
        "Three of a kind",
        "Straight",
        "Flush",
        "Full house",
        "Four of a kind",
        "Straight flush",
        "Royal flush",
    ]
    assert [category.label for category in sorted(ThreeCard, reverse=True)] == [
        "Straight flush",
        "Three of a kind",
        "Straight",
        "Flush",
        "Pair",
        "High card",
    ]


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Ah Kh Qh", ThreeCard.STRAIGHT_FLUSH),
        ("Ah 2h 3h", ThreeCard.STRAIGHT_FLUSH),
        ("7h 7d 7s", ThreeCard.THREE_OF_A_KIND),
        ("7h 7h 7h", ThreeCard.THREE_OF_A_KIND),
        ("7h 7h 7d", ThreeCard.THREE_OF_A_KIND),
        ("4h 2d 3s", ThreeCard.STRAIGHT),
        ("Ah 2d 3s", ThreeCard.STRAIGHT),
        ("Kh 9h 2h", ThreeCard.FLUSH),
        ("7h 7h 9h", ThreeCard.FLUSH),
        ("7h 7h 8d", ThreeCard.PAIR),
        ("Kh Ad 2s", ThreeCard.HIGH_CARD),
        ("Kh Qd Ts", ThreeCard.HIGH_CARD),
    ],
)
def test_three_cards_make_the_highest_kind_that_fits(text: str, category: ThreeCard) -> None:
    assert {three_card_hand(order) for order in permutations(cards(text))} == {category}


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("Ah 2h 3h", ThreeCard.FLUSH),
        ("Ah 2d 3s", ThreeCard.HIGH_CARD),
        ("Ah Kd Qs", ThreeCard.STRAIGHT),
        ("2h 3d 4s", ThreeCard.STRAIGHT),
    ],
)
def test_an_ace_may_be_read_as_high_only(text: str, category: ThreeCard) -> None:
    assert three_card_hand(cards(text), ace_low_straight=False) is category


def test_all_three_card_hands_are_counted() -> None:
    assert Counter(map(three_card_hand, combinations(DECK, 3))) == {
        ThreeCard.STRAIGHT_FLUSH: 48,
        ThreeCard.THREE_OF_A_KIND: 52,
        ThreeCard.STRAIGHT: 720,
        ThreeCard.FLUSH: 1_096,
        ThreeCard.PAIR: 3_744,
        ThreeCard.HIGH_CARD: 16_440,
    }


def test_all_three_card_hands_are_counted_with_the_ace_high_only() -> None:
    counts = Counter(three_card_hand(held, ace_low_straight=False) for held in combinations(DECK, 3))
    assert counts == {
        ThreeCard.STRAIGHT_FLUSH: 44,
        ThreeCard.THREE_OF_A_KIND: 52,
        ThreeCard.STRAIGHT: 660,
        ThreeCard.FLUSH: 1_100,
        ThreeCard.PAIR: 3_744,
        ThreeCard.HIGH_CARD: 16_500,
    }


@pytest.mark.parametrize("number", [0, 2, 4])
def test_a_three_card_hand_has_three_cards(number: int) -> None:
    with pytest.raises(BadValue) as refusal:
        three_card_hand(DECK[:number])
    assert str(refusal.value) == f"A three-card hand is read from 3 cards, not from {number}."
