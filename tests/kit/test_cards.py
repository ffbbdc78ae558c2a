"""There is one object for each card, and its text says the same thing in both directions."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltworks.kit.cards import (
    RANKS,
    SUITED_CARDS,
    SUITLESS_CARDS,
    SUITS,
    Card,
    CardSet,
    Seat,
    Token,
    height,
    name_cards,
    one_card,
    parse_cards,
)
from feltworks.kit.errors import BadCard
from tests.kit.support import one_sentence

EVERY_CARD = SUITED_CARDS + SUITLESS_CARDS

every_card = pytest.mark.parametrize("card", EVERY_CARD, ids=str)


def test_there_are_52_cards_with_a_suit_and_13_without() -> None:
    assert len(set(SUITED_CARDS)) == 52
    assert len(set(SUITLESS_CARDS)) == 13
    assert {(card.rank, card.suit) for card in SUITED_CARDS} == {(r, s) for r in range(2, 15) for s in SUITS}
    assert [card.rank for card in SUITLESS_CARDS] == list(range(2, 15))


@every_card
def test_a_card_is_read_back_from_its_own_text(card: Card) -> None:
    assert Card(str(card)) is card
    assert Card(str(card).lower()) is card
    assert Card(str(card).upper()) is card
    assert parse_cards(str(card)) == (card,)


@every_card
def test_a_copied_or_stored_card_is_the_same_object(card: Card) -> None:
    assert copy.copy(card) is card
    assert copy.deepcopy([card])[0] is card
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(card, protocol)) is card


@every_card
def test_a_card_stands_at_its_index(card: Card) -> None:
    assert (SUITED_CARDS if card.has_suit else SUITLESS_CARDS)[card.index] is card


@every_card
def test_without_its_suit_a_card_keeps_its_rank(card: Card) -> None:
    assert not card.suitless.has_suit
    with pytest.raises(BadCard, match="has no suit here; a wager that looks at suits says: matters"):
        _ = card.suitless.suit
    assert card.suitless.rank == card.rank
    assert card.suitless.suitless is card.suitless


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("As", "ace of spades"),
        ("2c", "two of clubs"),
        ("Td", "ten of diamonds"),
        ("Jh", "jack of hearts"),
        ("K", "king"),
    ],
)
def test_a_card_has_a_name_in_words(text: str, name: str) -> None:
    assert Card(text).name == name


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("AsKh", ["As", "Kh"]),
        ("2c 7d Jh", ["2c", "7d", "Jh"]),
        ("2c,7d, Jh", ["2c", "7d", "Jh"]),
        ("T6", ["T", "6"]),
        ("10h", ["Th"]),
        ("10", ["T"]),
        ("10c10d", ["Tc", "Td"]),
        ("A10", ["A", "T"]),
        ("asKHtD", ["As", "Kh", "Td"]),
        ("A Ks", ["A", "Ks"]),
        ("  7h\n", ["7h"]),
        ("", []),
    ],
)
def test_a_run_of_cards_is_read(text: str, cards: list[str]) -> None:
    assert parse_cards(text) == tuple(Card(card) for card in cards)


@given(st.lists(st.sampled_from(EVERY_CARD)), st.sampled_from([" ", ", ", ",", "\t"]))
def test_cards_written_with_a_gap_are_read_back(cards: list[Card], gap: str) -> None:
    assert parse_cards(gap.join(map(str, cards))) == tuple(cards)


@given(st.lists(st.sampled_from(SUITED_CARDS)))
def test_cards_with_suits_are_read_back_without_a_gap(cards: list[Card]) -> None:
    assert parse_cards("".join(map(str, cards))) == tuple(cards)


@pytest.mark.parametrize("text", ["", "1", "1h", "X", "Ax", "A s", "Ass", "10h", "sA", "♠A", "A♠", "\u212a", "A\u017f"])
def test_text_that_is_no_card_is_told_how_cards_are_written(text: str) -> None:
    with pytest.raises(BadCard) as refusal:
        Card(text)
    assert one_sentence(refusal.value) == (
        f"{text!r} is not a card; write the rank 2-9, T, J, Q, K or A and the suit c, d, h or s: As, Td, 7h."
    )


@pytest.mark.parametrize(
    ("text", "culprit"),
    [("AsXh", "X"), ("1h", "1"), ("AsKhz", "z"), ("As-Kh", "-"), ("cA", "c"), ("A♠", "♠")],
)
def test_a_run_names_the_part_that_is_no_card(text: str, culprit: str) -> None:
    with pytest.raises(BadCard, match=f"^'{culprit}' is not a card; "):
        parse_cards(text)


@pytest.mark.slow
@given(st.text(max_size=8))
def test_any_text_is_cards_or_a_bad_card(text: str) -> None:
    try:
        cards = parse_cards(text)
    except BadCard as refusal:
        one_sentence(refusal)
    else:
        assert parse_cards(" ".join(map(str, cards))) == cards


@pytest.mark.parametrize("text", ["7h", "10h", " J", "a"])
def test_one_card_is_read_where_one_is_wanted(text: str) -> None:
    assert (one_card(text),) == parse_cards(text)


@pytest.mark.parametrize(("text", "count"), [("", 0), ("7h8h", 2), ("TT", 2)])
def test_none_or_several_are_not_one_card(text: str, count: int) -> None:
    with pytest.raises(BadCard) as refusal:
        one_card(text)
    assert one_sentence(refusal.value) == f"{text!r} is {count} cards; give one, such as 7h."


@given(st.text(RANKS), st.text(SUITS, min_size=1), st.sampled_from(SUITED_CARDS))
def test_a_set_holds_its_ranks_in_its_suits(ranks: str, suits: str, card: Card) -> None:
    held = CardSet("some", ranks, suits)
    assert (card in held) == (str(card)[0] in ranks and str(card)[1] in suits)
    assert (card in list(held)) == (card in held)


@given(st.text(RANKS), st.text(SUITS), st.text(RANKS), st.text(SUITS))
def test_two_sets_meet_where_a_card_is_in_both(ranks: str, suits: str, ranks2: str, suits2: str) -> None:
    one, other = CardSet("one", ranks, suits), CardSet("other", ranks2, suits2)
    assert one.meets(other) == other.meets(one) == bool(set(one) & set(other))


def test_a_card_without_suit_is_in_a_set_of_whole_ranks_only() -> None:
    assert Card("A") in CardSet("high", "KA")
    assert Card("Q") not in CardSet("high", "KA")
    with pytest.raises(BadCard) as refusal:
        _ = Card("A") in CardSet("red aces", "A", "dh")
    assert one_sentence(refusal.value) == "The set 'red aces' looks at suits, and A has none."


def test_a_set_is_spoken_of_by_its_name() -> None:
    assert f"{CardSet('small', '234')}" == "small"


@pytest.mark.parametrize(
    ("token", "words"),
    [(Token(None, "upcard"), "upcard"), (Token(Seat(3), "first card"), "seat 3 first card")],
)
def test_a_token_says_whose_it_is_and_which(token: Token, words: str) -> None:
    assert str(token) == words


def test_an_ace_is_fourteen_and_as_high_as_a_game_says() -> None:
    assert [Card(text).rank for text in ("As", "Kh", "2c")] == [14, 13, 2]
    assert [height(Card(text)) for text in ("As", "Kh", "2c")] == [1, 13, 2]
    assert height(Card("As"), ace=14) == 14


def test_cards_are_named_by_their_places_in_the_order_in_which_they_are_written() -> None:
    first, second, third = (Token(None, name) for name in ("first", "second", "third"))
    assert name_cards(((first, second), "8h8h"), ((third,), "7")) == {
        first: Card("8h"),
        second: Card("8h"),
        third: Card("7"),
    }
    with pytest.raises(BadCard, match=r"^Give 2 cards, such as AsKd; '7' has 1\.$"):
        name_cards(((first, second), "7"))
