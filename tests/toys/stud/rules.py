"""A toy: two cards and a common one against the dealer's two, of which one is shown; two decisions."""

from dataclasses import dataclass
from fractions import Fraction

from feltworks.kit import (
    Bonus,
    Choose,
    Deal,
    Extra,
    HandOf,
    Items,
    Moment,
    Option,
    Seat,
    Showdown,
    ShowdownRound,
    Situation,
    ThreeCard,
    ThreeCardHand,
    Token,
    Turn,
    parse_cards,
    task,
    three_cards,
)

COMMON, SHOWN, SEALED = Token(None, "common"), Token(None, "shown"), Token(None, "sealed")
TEN_HIGH = ThreeCardHand(ThreeCard.HIGH_CARD, (10,))


def own(seat: Seat) -> tuple[Token, ...]:
    return Token(seat, "card 1"), Token(seat, "card 2")


def with_common(seat: Seat) -> tuple[Token, ...]:
    return *own(seat), COMMON


@dataclass(frozen=True)
class Stud(ShowdownRound):
    shows_alone = True
    showdown = Showdown(
        seat=HandOf(with_common, three_cards, lambda hand: hand.category.label),
        dealer=HandOf((SHOWN, SEALED, COMMON), three_cards, lambda hand: hand >= TEN_HIGH),
        sides={"pair": HandOf(with_common, three_cards, lambda hand: hand.category >= ThreeCard.PAIR)},
    )

    def play(self) -> Items:
        """T-31: the seat raises or folds on two cards and one of the dealer's, then calls or checks on a common one."""
        yield self.game.betting("open")
        yield task(self.deal)

    def deal(self) -> Items:
        for seat in self.playing:
            for token in own(seat):
                yield Deal(token, f"seat {seat}")
        for token in (COMMON, SHOWN, SEALED):
            yield Deal(token, "table")
        yield Turn(SHOWN)
        for seat in self.playing:
            for token in own(seat):
                yield Turn(token, to=seat)
            yield Choose(frozenset({seat}), (FOLD, RAISE))
        yield task(self.common)

    def fold(self, seat: Seat) -> Items:
        """T-32: a fold loses all."""
        for spot in ("ante", "pair"):
            if self.stake(seat, spot):
                yield self.lose(seat, spot, "Fold", "T-32")

    def common(self) -> Items:
        if self.playing:
            yield Turn(COMMON)
        for seat in self.playing:
            yield Choose(frozenset({seat}), (CHECK, ONCE, TWICE))
        if self.playing:
            yield Turn(SEALED)
        for seat in self.playing:
            for token in own(seat):
                yield Turn(token)
            yield task(self.settle, seat)
            yield Moment("end", seat)

    def settle(self, seat: Seat) -> Items:
        """T-33: the raise pushes where the dealer does not qualify; the call is paid by the hand."""
        yield self.against_dealer(seat, "ante", "T-33")
        if self.dealer_kind():
            yield self.against_dealer(seat, "raise", "T-33")
        else:
            yield self.push(seat, "raise", "Dealer does not qualify", "T-33")
        if self.stake(seat, "call"):
            kind = self.seat_kind(seat)
            paid = kind in self.game.pay_table("call").names and self.better(seat) >= 0
            yield self.by_table(seat, "call", kind if paid else None, "T-33")


FOLD, RAISE = Option("fold", then=Stud.fold), Option("raise", Extra("raise", of="ante"))
CHECK, ONCE = Option("check"), Option("1x", Extra("call", of="ante"))
TWICE = Option("2x", Extra("call", of="ante", least=Fraction(2), most=Fraction(2)))


def pair(round: Stud, seat: Seat) -> Items:
    """T-34: by the seat's hand."""
    yield round.by_table(seat, "pair", "Pair or better" if round.side_kind(seat, "pair") else None, "T-34")


def situation(seat: Seat, cards: str, *, shown: str, common: str = "") -> Situation:
    known = dict(zip((*own(seat), SHOWN, COMMON), parse_cards(cards + shown + common), strict=False))
    return Situation(known, ("raise",) if common else ())


ROUND = Stud
BONUSES = {"pair": Bonus("end", pair)}
