"""The weight of a sealed card is what counting every possible deal gives, card by card.

The proof counts: lay the cards of a small pack in every possible way on the sealed places, keep the ways that
agree with what was read, and see how often each card lies on the place in question.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from feltworks.kit.cards import SUITED_CARDS, SUITLESS_CARDS, SUITS, Card, CardSet, parse_cards
from feltworks.kit.errors import BadCard, BadValue, NotAllowed, NotPossible
from feltworks.kit.unseen import Unseen, check_sets
from tests.kit.support import LARGE, MIDDLE, SMALL, one_sentence, unseen_of

BANDS = (SMALL, MIDDLE, LARGE)
RED, BLACK = CardSet("red", "23456789TJQKA", "dh"), CardSet("black", "23456789TJQKA", "cs")
SET_OF = {None: None, "small": SMALL, "middle": MIDDLE, "large": LARGE, "red": RED, "black": BLACK}


# A pack.


@pytest.mark.parametrize("decks", range(1, 9))
def test_a_fresh_pack_holds_each_card_once_a_deck(decks: int) -> None:
    pack = Unseen.fresh(decks)
    assert pack.total == 52 * decks
    assert [pack.count(card) for card in SUITED_CARDS] == [decks] * 52
    assert [pack.suitless.count(card) for card in SUITLESS_CARDS] == [4 * decks] * 13


def test_a_pack_may_leave_out_ranks_and_suits() -> None:
    pack = Unseen.fresh(2, ranks="67A", suits="cd")
    assert {card for card in SUITED_CARDS if pack.count(card)} == set(parse_cards("6c6d7c7dAcAd"))
    assert pack.total == 12


@pytest.mark.parametrize("decks", [-1, 0, 9, 100])
def test_no_pack_has_fewer_than_1_or_more_than_8_decks(decks: int) -> None:
    with pytest.raises(BadValue) as refusal:
        Unseen.fresh(decks)
    assert one_sentence(refusal.value) == f"{decks} decks are not possible; choose 1 to 8."


def test_a_seen_card_is_gone_and_a_card_put_back_is_there_again() -> None:
    pack = Unseen.fresh(2)
    seen = pack.without(Card("7h"))
    assert (seen.count(Card("7h")), seen.count(Card("7d")), seen.total) == (1, 2, 103)
    assert seen.suitless.count(Card("7")) == 7
    assert seen.plus(Card("7h")) == pack
    assert pack.count(Card("7h")) == 2
    assert pack.without_all(parse_cards("7h Ac")).plus(Card("Ac")) == seen


def test_a_card_that_is_not_left_cannot_be_seen() -> None:
    pack = Unseen.fresh(1).without(Card("7h"))
    with pytest.raises(NotPossible) as refusal:
        pack.without(Card("7h"))
    assert one_sentence(refusal.value) == "7h is not possible: none is left in the shoe."
    with pytest.raises(NotPossible):
        Unseen.fresh(1).without_all(parse_cards("As As"))


def test_a_pack_counts_cards_with_suits_or_without_them_not_both() -> None:
    pack = Unseen.fresh(1)
    with pytest.raises(BadCard) as refusal:
        pack.without(Card("A"))
    assert one_sentence(refusal.value) == "A needs a suit here: Ac, Ad, Ah or As."
    for ask in (pack.suitless.without, pack.suitless.plus, pack.suitless.count):
        with pytest.raises(BadCard) as refusal:
            ask(Card("As"))
        assert one_sentence(refusal.value) == "As has a suit, but only ranks are counted here: write A."


def test_a_set_has_as_many_unseen_cards_as_are_left_in_it() -> None:
    pack = Unseen.fresh(1).without_all(parse_cards("2c 3c 9c"))
    assert [pack.size(among) for among in BANDS] == [10, 12, 27]
    assert [pack.suitless.size(among) for among in BANDS] == [10, 12, 27]
    assert (pack.size(RED), pack.size(BLACK)) == (26, 23)


# The proof.


def ways(pack: Sequence[Card], shown: Sequence[CardSet | None]) -> Counter[Card]:
    """In how many of all deals that agree with what is shown each card lies on the first of the places."""
    counted: Counter[Card] = Counter()
    for laid in permutations(pack, len(shown)):
        if all(band is None or card in band for card, band in zip(laid, shown, strict=True)):
            counted[laid[0]] += 1
    return counted


def in_proportion(weights: Mapping[Card, int], counted: Mapping[Card, int]) -> bool:
    """Whether the weights give each card exactly the share that it has of all deals."""
    all_weights, all_counts = sum(weights.values()), sum(counted.values())
    return weights.keys() == counted.keys() and all(
        weights[card] * all_counts == counted[card] * all_weights for card in counted
    )


def tokens_by_set(shown: Sequence[CardSet | None]) -> dict[CardSet, int]:
    """How many places lie in each set."""
    return dict(Counter(band for band in shown if band is not None))


ONE_DECK = "2c 3c 4c 5c 6c 8c 9c"
TWO_DECKS = "2c 2c 3c 5c 5c 8c 8c 8d"
ONE_SMALL = "2c 5c 6c 8c 9c Tc"
NO_MIDDLE = "2c 3c 3c 8c 9c 9c"

SEALED = [
    ("nothing", []),
    ("an unread place", [None]),
    ("unread places", [None, None]),
    ("one set", ["small"]),
    ("one set twice", ["large", "large"]),
    ("one set and an unread place", ["small", None]),
    ("two sets", ["small", "large"]),
    ("two sets, one of them twice", ["large", "middle", "large"]),
    ("every set", ["small", "middle", "large"]),
]


@pytest.mark.parametrize("pack", [ONE_DECK, TWO_DECKS, ONE_SMALL, NO_MIDDLE])
@pytest.mark.parametrize("own", [None, "small", "middle", "large"])
@pytest.mark.parametrize(("sealed", "others"), SEALED, ids=[words for words, _ in SEALED])
def test_the_weight_of_a_card_is_its_share_of_all_deals(
    pack: str, own: str | None, sealed: str, others: list[str | None]
) -> None:
    shown = [SET_OF[name] for name in (own, *others)]
    counted = ways(parse_cards(pack), shown)
    if not counted:
        # No deal agrees with these sets, so no round ever asks: what the reader showed last was refused.
        assert any(unseen_of(pack).size(among) < n for among, n in tokens_by_set(shown).items())
        return
    assert in_proportion(unseen_of(pack).chances(shown[0], tokens_by_set(shown[1:])), counted)


@pytest.mark.parametrize("pack", [ONE_DECK, TWO_DECKS, ONE_SMALL, NO_MIDDLE])
@pytest.mark.parametrize(("sealed", "others"), SEALED, ids=[words for words, _ in SEALED])
def test_the_weight_of_what_a_reader_shows_is_its_share_of_all_deals(
    pack: str, sealed: str, others: list[str | None]
) -> None:
    shown = [SET_OF[name] for name in others]
    counted = ways(parse_cards(pack), [None, *shown])
    if not counted:
        assert any(unseen_of(pack).size(among) < n for among, n in tokens_by_set(shown).items())
        return
    weights = unseen_of(pack).reads(BANDS, tokens_by_set(shown))
    by_set = {among: sum(n for card, n in counted.items() if card in among) for among in BANDS}
    by_set = {among: n for among, n in by_set.items() if n}
    assert weights.keys() == by_set.keys()
    for among, n in by_set.items():
        assert weights[among] * sum(by_set.values()) == n * sum(weights.values())


def test_a_set_whose_cards_all_lie_on_read_places_has_no_weight() -> None:
    pack = unseen_of("2c 3c 8c 9c")
    assert pack.chances(None, {SMALL: 2}) == {Card("8c"): 2, Card("9c"): 2}
    assert pack.reads(BANDS, {SMALL: 2}) == {LARGE: 4}


@st.composite
def sealed_places(draw: st.DrawFn) -> tuple[list[Card], list[CardSet | None]]:
    """A small pack, with or without suits, and what was read on the places that are still sealed."""
    suited = draw(st.booleans())
    drawn = st.sampled_from(parse_cards("2c 2d 3h 4c 5c 5s 6d 8c 8h 9s") if suited else parse_cards("234568"))
    pack = draw(st.lists(drawn, min_size=1, max_size=7))
    sets = (RED, BLACK) if suited and draw(st.booleans()) else BANDS
    shown = draw(st.lists(st.sampled_from([None, *sets]), min_size=1, max_size=min(4, len(pack))))
    return pack, shown


@given(sealed_places())
def test_any_small_pack_and_any_readings_weigh_as_they_are_counted(
    places: tuple[list[Card], list[CardSet | None]],
) -> None:
    pack, shown = places
    counted = ways(pack, shown)
    assume(counted)
    assert in_proportion(unseen_of(pack).chances(shown[0], tokens_by_set(shown[1:])), counted)


@given(sealed_places())
def test_a_reading_and_then_the_card_weigh_as_the_card_alone(
    places: tuple[list[Card], list[CardSet | None]],
) -> None:
    pack, shown = places
    unseen, others = unseen_of(pack), tokens_by_set(shown[1:])
    assume(ways(pack, [None, *shown[1:]]))
    sets = (RED, BLACK) if {RED, BLACK} & others.keys() else BANDS
    alone, read = unseen.chances(None, others), unseen.reads(sets, others)
    assert sum(read.values()) == sum(alone.values())
    for among, weight in read.items():
        then = unseen.chances(among, others)
        assert all(weight * n == alone[card] * sum(then.values()) for card, n in then.items())


# Readings that would not leave a closed form.


@pytest.mark.parametrize(
    ("among", "others", "said"),
    [
        (
            (CardSet("low", "2345"), CardSet("high", "56789TJQKA")),
            (),
            "A card reader needs disjoint sets that cover the pack; 5c is in none or several.",
        ),
        (
            (CardSet("low", "234"), CardSet("high", "6789TJQKA")),
            (),
            "A card reader needs disjoint sets that cover the pack; 5c is in none or several.",
        ),
        (
            (CardSet("red aces", "A", "dh"), CardSet("the rest", "23456789TJQK")),
            (),
            "A card reader needs disjoint sets that cover the pack; Ac is in none or several.",
        ),
        (
            BANDS,
            (CardSet("low", "2345"),),
            "The set 'small' cuts across 'low', which was read on a card that is still sealed.",
        ),
        (
            BANDS,
            (RED,),
            "The set 'small' cuts across 'red', which was read on a card that is still sealed.",
        ),
    ],
    ids=["overlap", "a rank left out", "suits left out", "cut across", "suits against ranks"],
)
def test_sets_that_overlap_or_do_not_cover_or_cut_across_are_refused(
    among: tuple[CardSet, ...], others: tuple[CardSet, ...], said: str
) -> None:
    with pytest.raises(NotAllowed) as refusal:
        check_sets(among, others)
    assert one_sentence(refusal.value) == said
    with pytest.raises(NotAllowed):
        Unseen.fresh(1).reads(among, dict.fromkeys(others, 1))


def test_the_same_sets_may_be_read_on_every_card() -> None:
    check_sets(BANDS, BANDS)
    check_sets((RED, BLACK), (RED,))


@given(
    st.permutations(SUITS),
    st.lists(st.sampled_from(SUITED_CARDS), max_size=8),
    st.sampled_from(SUITED_CARDS),
)
def test_suits_called_by_other_names_keep_their_cards(suits: list[str], seen: list[Card], card: Card) -> None:
    pack, called = Unseen.fresh(8).without_all(seen), "".join(suits)
    assert pack.renamed(called).count(card.renamed(called)) == pack.count(card)
    assert pack.renamed(called).suitless == pack.suitless
    assert pack.renamed(called).suits_are_even == pack.suits_are_even


@pytest.mark.parametrize(
    ("pack", "even"),
    [
        (Unseen.fresh(6), True),
        (Unseen.fresh(2, suits="cd"), True),
        (Unseen.fresh(1).without_all(parse_cards("7c 7d 7h 7s")), True),
        (Unseen.fresh(1).without(Card("7h")), False),
        (Unseen.fresh(1).without_all(parse_cards("7c 8d 7h 7s")), False),
        (Unseen.fresh(2, suits="cd").without(Card("Ac")), False),
        (Unseen.fresh(1).without(Card("7h")).suitless, True),
        (unseen_of(""), True),
    ],
)
def test_suits_are_even_while_each_has_the_same_ranks_left(pack: Unseen, even: bool) -> None:
    assert pack.suits_are_even == even
