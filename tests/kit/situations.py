"""Situations in the toy games, each the one before it and a few answers."""

from fractions import Fraction

from feltworks.kit.cards import Card, CardSet, Seat, Token
from feltworks.kit.round import Round
from feltworks.kit.steps import DEALT, HIDDEN, Answer, Close, Decide, Incident, Settlement
from tests.kit.support import ONE, SMALL, TWO, after_all, place, toy, unseen_of

BAND_LARGE = CardSet("large", "56789TJQKA")
TEN, NO_TEN = CardSet("ten", "T"), CardSet("no ten", "23456789JQKA")
DEALER_1, DEALER_2 = Token(None, "dealer 1"), Token(None, "dealer 2")
UPCARD, HOLE_CARD = Token(None, "upcard"), Token(None, "hole card")


def own(seat: Seat) -> Token:
    return Token(seat, "card")


def deal_up(*cards: str) -> list[Answer]:
    """Cards that are dealt and turned at once."""
    return [answer for text in cards for answer in (DEALT, Card(text))]


def settled(round: Round) -> list[Settlement]:
    return [effect for effect in round.effects if isinstance(effect, Settlement)]


def come_out() -> Round:
    return toy("point").start((1, 2))


def line_bet() -> Round:
    return come_out().after(place(ONE, "line"))


def rolling() -> Round:
    return after_all(line_bet(), [place(ONE, "pairs"), place(TWO, "line", 2), Close()])


def point_is_4() -> Round:
    return rolling().after((2, 2))


def peek_bet() -> Round:
    return after_all(toy("peek").start((1, 2)), [place(ONE, "bet", 2), place(TWO, "bet", 3)])


def peek_deal() -> Round:
    return peek_bet().after(Close())


def peek_turn() -> Round:
    return peek_deal().after(DEALT)


def insurance() -> Round:
    return after_all(peek_deal(), [*deal_up("8c", "9c", "Ac"), DEALT])


def peeking() -> Round:
    return after_all(insurance(), [Decide(ONE, "decline"), Decide(TWO, "insure", Fraction(1))])


def doubling() -> Round:
    return peeking().after(NO_TEN)


def hole_card() -> Round:
    return after_all(doubling(), [Decide(ONE, "double"), Decide(TWO, "stand")])


def peek_over() -> Round:
    return hole_card().after(Card("8d"))


def bands_bet() -> Round:
    return after_all(toy("bands").start((1, 2)), [place(ONE, "ante"), place(TWO, "ante"), place(TWO, "match"), Close()])


def bands_read() -> Round:
    return after_all(bands_bet(), [DEALT] * 4)


def bands_look() -> Round:
    return after_all(bands_read(), [SMALL, BAND_LARGE])


def bands_choose() -> Round:
    return after_all(bands_look(), [Card("3c"), HIDDEN])


def bands_show() -> Round:
    return after_all(bands_choose(), [Decide(ONE, "play"), Decide(TWO, "fold")])


def bands_show_own() -> Round:
    return after_all(bands_show(), [Card("2c"), Card("6c"), Card("4c")])


def few_cards() -> Round:
    """One small card is left, and it must be the dealer's."""
    start = toy("bands").start((1,), unseen_of("2c 5c 6c 7c"))
    return after_all(start, [place(ONE, "ante"), Close(), DEALT, DEALT, DEALT, SMALL])


def stopped() -> Round:
    return insurance().report(Incident("misdeal", "a card fell off the table"))
