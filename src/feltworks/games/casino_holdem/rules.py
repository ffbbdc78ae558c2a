"""Casino Hold'em: two cards and five common ones against the dealer's two, who plays with a pair of fours or better."""

from dataclasses import dataclass
from fractions import Fraction

from feltworks.kit import (
    DISCARD,
    NOT_QUALIFIED,
    Choose,
    Deal,
    Extra,
    Hand,
    HandOf,
    HandRank,
    Items,
    Move,
    Option,
    PlayedGame,
    Seat,
    Showdown,
    ShowdownRound,
    Situation,
    Token,
    Turn,
    best_hand,
    name_cards,
    task,
)

DEALER = (Token(None, "dealer 1"), Token(None, "dealer 2"))
FLOP = tuple(Token(None, f"flop {number}") for number in (1, 2, 3))
BOARD = (*FLOP, Token(None, "turn"), Token(None, "river"))
FOURS = Hand(HandRank.PAIR, (4,))


def own(seat: Seat) -> tuple[Token, ...]:
    return Token(seat, "card 1"), Token(seat, "card 2")


@dataclass(frozen=True)
class CasinoHoldem(ShowdownRound):
    """One round, in the order of the rules."""

    shows_alone = True
    showdown = Showdown(
        seat=HandOf(lambda seat: (*own(seat), *BOARD), best_hand, lambda hand: hand.category),
        dealer=HandOf((*DEALER, *BOARD), best_hand, lambda hand: hand >= FOURS),
    )

    @classmethod
    def most_cards(cls, game: PlayedGame, seats: int) -> int:
        """CH-02, CH-04: two for each seat and for the dealer, and five common ones."""
        return 2 * seats + 7

    def play(self) -> Items:
        """CH-01 to CH-05."""
        yield self.game.betting("open")
        yield task(self.deal)
        yield task(self.seats_act)
        yield task(self.show)

    def deal(self) -> Items:
        """CH-02: two cards to each seat, clockwise, and two to the dealer, face down; three common ones, open."""
        for number in range(2):
            for seat in self.playing:
                yield Deal(own(seat)[number], f"seat {seat}")
            yield Deal(DEALER[number], "dealer")
        for token in FLOP:
            yield Deal(token, "board")
            yield Turn(token)

    def seats_act(self) -> Items:
        """CH-03: each seat looks at its cards, and folds or calls."""
        for seat in self.playing:
            for token in own(seat):
                yield Turn(token, to=seat)
            yield Choose(frozenset({seat}), (FOLD, CALL))

    def fold(self, seat: Seat) -> Items:
        """CH-03: who folds loses the Ante."""
        yield self.lose(seat, "ante", "Fold", "CH-03")
        for token in own(seat):
            yield Move(token, DISCARD)

    def show(self) -> Items:
        """CH-04: two more common cards, the dealer's hand, then seat by seat from the dealer's right."""
        for token in BOARD[3:] if self.playing else ():
            yield Deal(token, "board")
            yield Turn(token)
        for token in DEALER if self.playing else ():
            yield Turn(token)
        for seat in reversed(self.playing):
            for token in own(seat):
                yield Turn(token)
            yield task(self.settle, seat)

    def settle(self, seat: Seat) -> Items:
        """CH-05: a winning Ante is paid by its table; below a pair of fours the dealer does not play, the Call comes
        back."""
        paid = self.game.pay_table("ante").pay(self.seat_kind(seat).label)
        if self.dealer_kind():
            yield self.against_dealer(seat, "ante", "CH-05", paid)
            yield self.against_dealer(seat, "call", "CH-05")
        else:
            yield self.win(seat, "ante", NOT_QUALIFIED, paid, "CH-05")
            yield self.push(seat, "call", NOT_QUALIFIED, "CH-05")


FOLD = Option("fold", then=CasinoHoldem.fold)
CALL = Option("call", Extra("call", of="ante", least=Fraction(2), most=Fraction(2)))


def situation(seat: Seat, cards: str, *, flop: str) -> Situation:
    """CH-03: a seat's two cards and the flop."""
    return Situation(name_cards((own(seat), cards), (FLOP, flop)))


ROUND = CasinoHoldem
