"""Only a chance source knows the sealed cards: a shoe deals each once, a script deals what it says."""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltworks import games
from feltworks.kit.cards import Card, Seat, Token, parse_cards
from feltworks.kit.chance import Asked, Scripted, Shuffled
from feltworks.kit.errors import NotAllowed, NotPossible
from feltworks.kit.round import DISCARD, SHUFFLER
from feltworks.kit.steps import DEALT, Answer, Call, Deal, Move, Read, Roll, Turn
from feltworks.kit.unseen import Unseen
from feltworks.kit.walk import Habit, walk
from tests.kit.support import LARGE, MIDDLE, ONE, SMALL, one_sentence, toy, unseen_of


def dealt(shoe: Shuffled | Scripted, count: int, first: int = 0) -> Iterator[Card]:
    """So many cards, each dealt to a place of its own and turned."""
    for n in range(first, first + count):
        assert shoe.answer(Deal(Token(None, f"card {n}"), "table")) is DEALT
        turned = shoe.answer(Turn(Token(None, f"card {n}")))
        assert isinstance(turned, Card)
        yield turned


def in_shoe(unseen: Unseen) -> Counter[Card]:
    return Counter({card: unseen.count(card) for card in unseen.cards if unseen.count(card)})


@given(st.integers(1, 8), st.integers())
def test_a_shuffled_shoe_deals_every_card_as_often_as_it_is_there(decks: int, seed: int) -> None:
    pack = Unseen.fresh(decks, ranks="789A")
    assert Counter(dealt(Shuffled(Random(seed), pack), pack.total)) == in_shoe(pack)


def test_an_empty_shoe_deals_nothing() -> None:
    shoe = Shuffled(Random(1), unseen_of("2c 3c"))
    assert sorted(map(str, dealt(shoe, 2))) == ["2c", "3c"]
    with pytest.raises(NotPossible) as refusal:
        shoe.answer(Deal(Token(None, "card"), "table"))
    assert one_sentence(refusal.value) == "The shoe is empty; shuffle before the next round."


def test_a_shoe_is_shuffled_fairly() -> None:
    """Six orders of three cards, 6,000 shoes: each order within 5 standard deviations (144) of 1,000."""
    random, pack = Random(2024), unseen_of("2c 3c 4c")
    orders = Counter(tuple(dealt(Shuffled(random, pack), 3)) for _ in range(6000))
    assert len(orders) == 6
    assert all(abs(count - 1000) <= 144 for count in orders.values())


def test_a_sealed_card_stays_what_it_is_and_is_read_as_such() -> None:
    token, bands = Token(ONE, "card"), (SMALL, MIDDLE, LARGE)
    for seed in range(20):
        shoe = Shuffled(Random(seed), Unseen.fresh(1))
        shoe.answer(Deal(token, "seat 1"))
        band, card = shoe.answer(Read(token, bands)), shoe.answer(Turn(token, ONE))
        assert isinstance(card, Card)
        assert [each for each in bands if card in each] == [band]
        assert shoe.answer(Turn(token)) is card


def test_dice_show_1_to_6() -> None:
    shoe = Shuffled(Random(7))
    rolls = [shoe.answer(Roll(3)) for _ in range(300)]
    assert all(isinstance(roll, tuple) and len(roll) == 3 for roll in rolls)
    assert {die for roll in rolls if isinstance(roll, tuple) for die in roll} == {1, 2, 3, 4, 5, 6}


def test_a_card_moved_to_the_shuffler_is_dealt_again_and_a_discarded_one_is_not() -> None:
    shoe = Shuffled(Random(3), unseen_of("2c 3c"))
    first, second = dealt(shoe, 2)
    shoe.happened([Call("Trade."), Move(Token(None, "card 0"), SHUFFLER), Move(Token(None, "card 1"), DISCARD)])
    assert list(dealt(shoe, 1, first=2)) == [first]
    with pytest.raises(NotPossible):
        list(dealt(shoe, 1, first=3))
    assert first != second


def test_gathering_brings_back_every_card_that_was_dealt() -> None:
    pack = unseen_of("2c 3c 4c 5c")
    shoe = Shuffled(Random(3), pack)
    list(dealt(shoe, 3))
    shoe.happened([Move(Token(None, "card 0"), SHUFFLER), Move(Token(None, "card 1"), DISCARD)])
    shoe.gather()
    assert Counter(dealt(shoe, 4)) == in_shoe(pack)
    with pytest.raises(NotPossible):
        list(dealt(shoe, 1, first=4))


def test_a_script_deals_and_rolls_what_it_says_in_order() -> None:
    script = Scripted(parse_cards("As Kh As"), [(1, 2), (6, 6)])
    assert list(dealt(script, 3)) == list(parse_cards("As Kh As"))
    assert [script.answer(Roll(2)), script.answer(Roll(2))] == [(1, 2), (6, 6)]


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Deal(Token(None, "card"), "table"), "The script has no more cards."),
        (Roll(2), "The script has no more rolls."),
    ],
    ids=["cards", "rolls"],
)
def test_a_script_that_has_run_out_says_so(step: Asked, said: str) -> None:
    with pytest.raises(NotPossible) as refusal:
        Scripted().answer(step)
    assert one_sentence(refusal.value) == said


def test_a_card_put_back_leaves_the_script_as_it_is() -> None:
    script = Scripted(parse_cards("As Kh"))
    list(dealt(script, 1))
    script.happened([Move(Token(None, "card 0"), SHUFFLER)])
    assert list(dealt(script, 1, first=1)) == [Card("Kh")]


def whole_round(seed: int) -> list[Answer]:
    game = games.load("one-for-the-money")
    players = {Seat(n): Habit({"base": Fraction(1)}, prefer=("trade", "raise")) for n in (1, 2)}
    return [answer for _, answer, _ in walk(game.start((1, 2)), Shuffled(Random(seed), game.fresh()), players)]


def test_the_same_seed_makes_the_same_round() -> None:
    assert whole_round(11) == whole_round(11)
    assert whole_round(11) != whole_round(12)


@pytest.mark.parametrize("reading", ["out", "back"])
def test_shoe_and_round_agree_on_what_is_left(reading: str) -> None:
    """A shoe of a few cards: what the round counts as unseen and not sealed is what the shoe still deals."""
    game = games.load("one-for-the-money").configured(readings={"traded_card": reading})
    pack = unseen_of("2c 3c 4c 5c 6c 7c 8c")
    shoe = Shuffled(Random(5), pack)
    player = Habit({"base": Fraction(1)}, prefer=("trade", "raise"))
    *_, (_, _, end) = walk(game.start((1,), pack), shoe, {ONE: player})
    assert end.unseen is not None
    assert Counter(dealt(shoe, end.unseen.total, first=100)) == in_shoe(end.unseen)
    assert end.unseen.total == (4 if reading == "back" else 3)


def test_a_source_answers_from_its_own_cards_not_from_the_round() -> None:
    """The round refuses a card that it knows is not possible: a script with an impossible card is found out."""
    cards: Iterable[Card] = parse_cards("2c 2c 7c")
    with pytest.raises(NotPossible, match=r"^2c is not possible: none is left in the shoe\.$"):
        list(walk(toy("bands").start(), Scripted(cards), {ONE: Habit({"base": Fraction(1)}, prefer=("play",))}))


def test_a_reading_that_leaves_cards_out_is_refused_before_it_is_answered() -> None:
    shoe = Scripted(parse_cards("8c"))
    shoe.answer(Deal(Token(None, "card"), "table"))
    with pytest.raises(NotAllowed) as refusal:
        shoe.answer(Read(Token(None, "card"), (SMALL, MIDDLE)))
    assert one_sentence(refusal.value) == (
        "A card reader needs disjoint sets that cover the pack; 8c is in none or several."
    )
