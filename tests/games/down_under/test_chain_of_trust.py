"""The rules, walked by the solver that takes any game, against the plain enumeration: on decks small enough for both.

The plain enumeration in turn is compared with the fast one on flops of the full deck (test_solution.py).
"""

from dataclasses import replace
from fractions import Fraction

import pytest

from feltworks import games
from feltworks.games.down_under_holdem.enumerator.bands import BANDS
from feltworks.games.down_under_holdem.enumerator.plain_count import Optimum, solve_deck
from feltworks.games.down_under_holdem.enumerator.solution import BET, PAID
from feltworks.games.down_under_holdem.rules import DEALER, own
from feltworks.kit.cards import CardSet, Seat, parse_cards
from feltworks.kit.game import Game
from feltworks.lab.advice import advise
from feltworks.lab.walking_analyzer import WalkingAnalyzer
from tests.quick import cases

ME = Seat(1)


def small_game(ranks: str, suits: str) -> Game:
    """The game with a deck of these cards, and without its enumerator."""
    game = games.load("down-under-holdem")
    assert game.definition.pack is not None
    pack = game.definition.pack.model_copy(update={"ranks": ranks, "suits": suits})
    return replace(game, definition=game.definition.model_copy(update={"pack": pack}), enumerator="")


def plainly(ranks: str, suits: str) -> Optimum:
    deck = [card.index for card in CardSet("deck", ranks, suits)]
    return solve_deck(deck, BANDS.band_of, dict(zip(PAID, BET, strict=True)))


DECKS = {
    "one rank a band, three suits": ("59A", "cdh", Fraction(25, 12)),
    "five ranks, two suits": ("259TA", "cd", Fraction(25883, 75600)),
    "one rank a band, four suits": ("48K", "cdhs", Fraction(1726, 693)),
}


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("D-05", "D-06", "D-08", "D-21")
@pytest.mark.parametrize("deck", cases(DECKS, quick=[], test=["one rank a band, three suits"]))
def test_walking_the_rules_gives_what_plain_counting_gives(deck: str) -> None:
    ranks, suits, value = DECKS[deck]
    solver = WalkingAnalyzer(small_game(ranks, suits), {"base": Fraction(1)})
    plain = plainly(ranks, suits)
    assert -solver.wager("base").edge == plain.value == value
    assert all(options["2x"] <= max(options["check"], options["3x"]) for options in plain.before.values())
    looked_up = 0
    for info, advice in solver.strategy.advice.items():
        if "check" in info.options:
            cards = {name: (card, reading) for name, card, reading in info.cards}
            hole = [cards[token.name][0] for token in own(ME)]
            lit = [cards[token.name][1] for token in DEALER]
            first, second = sorted(card.index for card in hole if card)
            small, large = sorted(band.name for band in lit if band)
            assert advice.options == plain.before[(first, second), (small, large)]
            looked_up += 1
    assert looked_up >= len(ranks)


HANDS = {
    "259TA": (Fraction(25883, 75600), "TcAd small,large; 2c5c medium,large; AcAd large,small; 9c9d small,small"),
    "3579JA": (
        Fraction(217093, 1663200),
        "JcAd small,large; 5c7c medium,large; AcAd large,small; 3c3d medium,medium; 9c9d small,small; "
        "3d5d large,large; 7dJd small,medium",
    ),
}


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.rule("D-05", "D-06", "D-08", "D-21")
@pytest.mark.parametrize("ranks", cases(HANDS, quick=[], test=["259TA"]))
def test_on_two_suits_the_rules_price_a_hand_as_plain_counting_does(ranks: str) -> None:
    """Where there are flushes there are too many courses to walk from the first card on: the hole cards are given."""
    game, plain = small_game(ranks, "cd"), plainly(ranks, "cd")
    value, hands = HANDS[ranks]
    assert plain.value == value
    assert all(options["2x"] <= max(options["check"], options["3x"]) for options in plain.before.values())
    for hand in hands.split("; "):
        cards, bands = hand.split()
        first, second = sorted(card.index for card in parse_cards(cards))
        small, large = sorted(bands.split(","))
        assert advise(game, cards, bands=bands).options == plain.before[(first, second), (small, large)], hand
