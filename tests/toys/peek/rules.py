"""A toy: the dealer peeks under an ace, insurance is offered before it, and a double after it."""

from dataclasses import dataclass
from fractions import Fraction

from feltworks.kit.cards import CardSet, Seat, Token
from feltworks.kit.odds import Odds
from feltworks.kit.round import Round
from feltworks.kit.steps import Call, Choose, Deal, Extra, Items, Option, Read, Turn, task

TEN = CardSet("ten", "T")
OTHER = CardSet("no ten", "23456789JQKA")
UP, HOLE = Token(None, "upcard"), Token(None, "hole card")
EVEN, TWO = Odds("to", 1, 1), Odds("to", 2, 1)

INSURE = (Option("decline"), Option("insure", Extra("insurance", "bet", Fraction(0), Fraction(1, 2))))
DOUBLE = (Option("stand"), Option("double", Extra("double", "bet")))


def own(seat: Seat) -> Token:
    return Token(seat, "card")


@dataclass(frozen=True)
class Peek(Round):
    def play(self) -> Items:
        """T-11: one card up to each seat and the dealer, one sealed card to the dealer."""
        yield self.game.betting("open")
        yield task(self.deal)

    def deal(self) -> Items:
        for seat in self.playing:
            yield Deal(own(seat), f"seat {seat}")
            yield Turn(own(seat))
        yield Deal(UP, "dealer")
        yield Turn(UP)
        yield Deal(HOLE, "dealer")
        yield task(self.insurance)

    def insurance(self) -> Items:
        """T-12: under an ace all seats may insure, then the dealer peeks."""
        if self.card(UP).rank == 14:
            yield Call("Insurance?")
            yield Choose(frozenset(self.playing), INSURE)
            yield Read(HOLE, (TEN, OTHER))
            yield task(self.peeked)
        else:
            yield task(self.seats_act)

    def peeked(self) -> Items:
        ten = self.cards[HOLE].reading == TEN
        for seat in [seat for seat in reversed(self.playing) if self.stake(seat, "insurance")]:
            won = self.win(seat, "insurance", "Insured", TWO, "T-12")
            yield won if ten else self.lose(seat, "insurance", "No ten", "T-12")
        yield task(self.settle) if ten else task(self.seats_act)

    def seats_act(self) -> Items:
        for seat in self.playing:
            yield Choose(frozenset({seat}), DOUBLE)
        yield task(self.settle)

    def settle(self) -> Items:
        """T-13: the seat's card against the hole card; an ace and a ten beat everything."""
        yield Turn(HOLE)
        for seat in reversed(self.playing):
            yield task(self.settle_seat, seat)

    def settle_seat(self, seat: Seat) -> Items:
        mine, hole, up = self.card(own(seat)).rank, self.card(HOLE).rank, self.card(UP).rank
        for spot in [spot for spot in ("bet", "double") if self.stake(seat, spot)]:
            if (up, hole) == (14, 10) or mine < hole:
                yield self.lose(seat, spot, "Dealer higher", "T-13")
            elif mine > hole:
                yield self.win(seat, spot, "Seat higher", EVEN, "T-13")
            else:
                yield self.push(seat, spot, "Tie", "T-13")


ROUND = Peek
