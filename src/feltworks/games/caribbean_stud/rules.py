"""Caribbean Stud: five cards against the dealer's five, of which one lies open; the dealer plays with ace-king."""

from dataclasses import dataclass
from fractions import Fraction

from feltworks.kit import (
    DISCARD,
    EVEN,
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

UP, *DOWN = DEALER = tuple(Token(None, f"dealer {number}") for number in range(1, 6))
ACE_KING = Hand(HandRank.HIGH_CARD, (14, 13))


def own(seat: Seat) -> tuple[Token, ...]:
    return tuple(Token(seat, f"card {number}") for number in range(1, 6))


@dataclass(frozen=True)
class CaribbeanStud(ShowdownRound):
    """One round, in the order of the rules."""

    shows_alone = True
    showdown = Showdown(
        seat=HandOf(own, best_hand, lambda hand: hand.category),
        dealer=HandOf(DEALER, best_hand, lambda hand: hand >= ACE_KING),
    )

    @classmethod
    def most_cards(cls, game: PlayedGame, seats: int) -> int:
        """CS-02: five for each seat and five for the dealer."""
        return 5 * seats + 5

    def play(self) -> Items:
        """CS-01 to CS-04."""
        yield self.game.betting("open")
        yield task(self.deal)
        yield task(self.seats_act)
        yield task(self.show)

    def deal(self) -> Items:
        """CS-02: five cards to each seat, clockwise, and five to the dealer, all face down; then one of the dealer's
        is turned."""
        for number in range(5):
            for seat in self.playing:
                yield Deal(own(seat)[number], f"seat {seat}")
            yield Deal(DEALER[number], "dealer")
        yield Turn(UP)

    def seats_act(self) -> Items:
        """CS-03: each seat looks at its cards, and folds or raises."""
        for seat in self.playing:
            for token in own(seat):
                yield Turn(token, to=seat)
            yield Choose(frozenset({seat}), (FOLD, RAISE))

    def fold(self, seat: Seat) -> Items:
        """CS-03: who folds loses the Ante."""
        yield self.lose(seat, "ante", "Fold", "CS-03")
        for token in own(seat):
            yield Move(token, DISCARD)

    def show(self) -> Items:
        """CS-04: the dealer's hand, then seat by seat from the dealer's right."""
        for token in DOWN if self.playing else ():
            yield Turn(token)
        for seat in reversed(self.playing):
            for token in own(seat):
                yield Turn(token)
            yield task(self.settle, seat)

    def settle(self, seat: Seat) -> Items:
        """CS-04, CS-05: the Ante at even money, the Raise by its table; without ace-king the Raise comes back."""
        if self.dealer_kind():
            raised = self.game.pay_table("raise").pay(self.seat_kind(seat).label)
            yield self.against_dealer(seat, "ante", "CS-04")
            yield self.against_dealer(seat, "raise", "CS-05", raised)
        else:
            yield self.win(seat, "ante", NOT_QUALIFIED, EVEN, "CS-04")
            yield self.push(seat, "raise", NOT_QUALIFIED, "CS-04")


FOLD = Option("fold", then=CaribbeanStud.fold)
RAISE = Option("raise", Extra("raise", of="ante", least=Fraction(2), most=Fraction(2)))


def situation(seat: Seat, cards: str, *, up: str) -> Situation:
    """CS-03: a seat's five cards and the dealer's open one."""
    return Situation(name_cards((own(seat), cards), ((UP,), up)))


ROUND = CaribbeanStud
