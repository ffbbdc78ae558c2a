"""Advice equals the strategy, in any way it can be asked for."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from shutil import copytree

import pytest

import feltworks
from feltworks import games
from feltworks.kit.errors import BadCard, BadValue, FeltworksError
from feltworks.kit.game import Game
from tests.kit.support import toy
from tests.lab.analysed import analysed


@pytest.mark.slow
@pytest.mark.rule("O-04")
def test_advice_for_every_first_card_equals_the_analysis() -> None:
    strategy = analysed("one-for-the-money", "base")["base"].strategy
    assert strategy is not None
    for advice in strategy.advice.values():
        if "trade" not in advice.options:
            continue
        rank = advice.situation[-1]
        asked = feltworks.advise("one-for-the-money", rank + "h")
        assert asked.options == advice.options
        assert asked.best == advice.best


@pytest.mark.rule("O-04")
def test_after_a_trade_one_stands_or_raises_and_the_traded_card_counts() -> None:
    low = feltworks.advise("one-for-the-money", "Jd", traded="4c")
    high = feltworks.advise("one-for-the-money", "Jd", traded="Jc")
    assert set(low.options) == {"stand", "raise"}
    assert low.options["stand"] == Fraction(6626, 47895)
    assert low.options["raise"] == low.options["stand"] * Fraction(3, 2)
    assert low.options != high.options


@pytest.mark.rule("O-04")
def test_a_traded_card_that_went_back_is_unseen_again_but_not_in_the_dealers_hand() -> None:
    """The dealer's two cards were dealt before it went back, so that they cannot be it."""
    game = feltworks.load("one-for-the-money", decks=1, readings={"traded_card": "back"})
    low, high = (feltworks.advise(game, "Kd", traded=card) for card in ("4c", "Ac"))
    assert low.options["stand"] < high.options["stand"]
    out = feltworks.advise(feltworks.load("one-for-the-money", decks=1), "Kd", traded="Ac")
    assert out.options == high.options


def test_fewer_decks_give_another_value() -> None:
    one, six = (feltworks.advise(feltworks.load("one-for-the-money", decks=n), "8h") for n in (1, 6))
    assert one.options["check"] != six.options["check"]


@pytest.mark.slow
def test_values_are_per_unit_of_the_ante_whatever_the_stake() -> None:
    small = feltworks.advise("one-for-the-money", "9h")
    large = feltworks.advise("one-for-the-money", "9h", stakes={"base": 25})
    assert small.options == large.options


@pytest.mark.slow
def test_a_bonus_counts_when_it_is_staked_and_suits_then_matter() -> None:
    plain = feltworks.advise("one-for-the-money", "Td")
    staked = feltworks.advise("one-for-the-money", "Td", stakes={"three_card_bonus": "1/2"})
    assert staked.options["check"] < plain.options["check"]
    with pytest.raises(BadCard, match="needs a suit"):
        feltworks.advise("one-for-the-money", "T", stakes={"three_card_bonus": 1})


@pytest.mark.parametrize(
    ("cards", "given", "decks", "error", "said"),
    [
        ("7x", {}, 6, BadCard, "is not a card"),
        ("7h8h", {}, 6, BadCard, "is 2 cards"),
        ("", {}, 6, BadCard, "is 0 cards"),
        ("7h", {"flop": "2c3c4c"}, 6, BadValue, "takes: traded"),
        ("Jd", {"traded": "Jd"}, 1, BadCard, "Jd is named twice; there is one of each card in the deck"),
        ("Jd", {"traded": "4"}, 0, BadValue, "choose 1 to 8"),
    ],
)
def test_a_question_that_cannot_be_gets_one_sentence(
    cards: str, given: dict[str, str], decks: int, error: type[FeltworksError], said: str
) -> None:
    with pytest.raises(error, match=said) as refused:
        feltworks.advise(feltworks.load("one-for-the-money", decks=decks), cards, stakes=None, **given)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["yo", "sides", "point"])
def test_a_game_without_decisions_says_so(name: str) -> None:
    game = feltworks.load(name) if name == "yo" else toy(name)
    with pytest.raises(BadValue, match=f"^{game.title} has no decisions, so there is nothing to advise"):
        feltworks.advise(game, "7h")


def test_a_game_with_decisions_that_describes_no_situation_says_that() -> None:
    game = replace(toy("between"), situation=None)
    with pytest.raises(BadValue, match="Between does not say how a situation in it is described"):
        feltworks.advise(game, "7h")


@pytest.mark.rule("B-03", "B-04")
def test_advice_on_the_blackjack_under_in_between_is_that_of_blackjack() -> None:
    below, alone = feltworks.advise("in-between", "AsTh", dealer="Ac"), feltworks.advise("blackjack", "AT", dealer="A")
    assert below.options == alone.options == {"stand": Fraction(3, 2), "insurance": Fraction(-4, 103)}
    assert feltworks.advise("in-between", "T6", dealer="T").best == "hit"


def test_the_cost_of_an_option_is_what_it_gives_away() -> None:
    advice = feltworks.advise("one-for-the-money", "7h")
    assert advice.best == "trade"
    assert advice.cost("trade") == 0
    assert advice.cost("check") == advice.options["trade"] - advice.options["check"] > 0


@pytest.fixture
def two_cards(tmp_path: Path) -> Game:
    """Casino War whose situation names both cards, the seat's and the dealer's."""
    folder = copytree(games.HOME / "casino_war", tmp_path / "casino_war")
    rules = folder / "rules.py"
    text = rules.read_text("utf-8").replace("one_card", "name_cards")
    body = "    return Situation(name_cards(((own(seat), DEALER), cards)))\n\n\n"
    head, rest = text.split("    card: Card = name_cards(cards)\n")
    rules.write_text(head + body + rest.partition("\n\n\n")[2], "utf-8")
    return feltworks.load("casino-war", folders=[folder])


def test_cards_may_be_named_without_suits_where_what_is_staked_looks_at_ranks(two_cards: Game) -> None:
    assert feltworks.advise(two_cards, "88").options == feltworks.advise(two_cards, "8h8d").options
    assert feltworks.advise(two_cards, "88").options == feltworks.advise("casino-war", "8").options


def test_a_card_may_be_named_as_often_as_the_pack_has_it(two_cards: Game) -> None:
    assert feltworks.advise(two_cards, "8h8h").options == feltworks.advise("casino-war", "8").options
    with pytest.raises(BadCard, match=r"^8h is named twice; there is one of each card in the deck\.$"):
        feltworks.advise(two_cards.configured(decks=1), "8h8h")
    assert feltworks.advise(two_cards.configured(decks=1), "88").best == "war"


def test_a_card_needs_a_suit_where_what_is_staked_looks_at_suits() -> None:
    with pytest.raises(BadCard, match=r"^6 needs a suit here: 6c, 6d, 6h or 6s\.$"):
        feltworks.advise("three-card-poker", "Qs6d6")
    with pytest.raises(BadCard, match=r"^8 needs a suit here"):
        feltworks.advise("one-for-the-money", "8", stakes={"three_card_bonus": Fraction(1)})
    assert feltworks.advise("one-for-the-money", "8").best == feltworks.advise("one-for-the-money", "8h").best
