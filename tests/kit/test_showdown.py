"""What a showdown game declares, and cards that nobody can look at."""

from collections.abc import Callable
from itertools import combinations

import pytest

from feltworks.kit.cards import SUITED_CARDS, Card, parse_cards
from feltworks.kit.poker import ThreeCard, three_card_hand, three_cards
from feltworks.kit.showdown import CardLookedAt, OpaqueCard, Signature

HANDS = [
    "AsKsQs",
    "3s2sAs",
    "2c2d2h",
    "AsKdQc",
    "3s2dAs",
    "AhJh9h",
    "AhJh8h",
    "KsKd2c",
    "QsQdAc",
    "AsQd9c",
    "KsQd9c",
    "5s3d2c",
]
"""Each is better than the one that follows."""


def test_three_cards_beat_each_other_as_at_the_table() -> None:
    values = [three_cards(parse_cards(hand)) for hand in HANDS]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(HANDS)


def test_three_cards_tie_where_only_suits_differ() -> None:
    assert three_cards(parse_cards("QsQdAc")) == three_cards(parse_cards("QcQhAs"))


def test_three_cards_are_of_the_kind_that_pay_tables_name() -> None:
    for hand in list(combinations(SUITED_CARDS, 3))[::97]:
        assert three_cards(hand).category is three_card_hand(hand)
    assert three_cards(parse_cards("2s3s4s")).category is ThreeCard.STRAIGHT_FLUSH


def test_an_opaque_card_refuses_every_look_and_names_the_line() -> None:
    card = OpaqueCard(Signature("pair"))
    looks: list[Callable[[], object]] = [
        lambda: card.rank,
        lambda: card.suit,
        lambda: card.index,
        lambda: card.text,
        lambda: card.name,
        lambda: card.suitless,
        lambda: card == Card("As"),
        lambda: card in {Card("As")},
        lambda: str(card),
    ]
    for look in looks:
        with pytest.raises(CardLookedAt, match=r"test_showdown\.py:\d+: .*<lambda> looks at a card"):
            look()
    assert card.signature.seat == "pair"
