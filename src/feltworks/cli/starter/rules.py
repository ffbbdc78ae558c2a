"""Starter: one card against the better of the dealer's two."""

from collections.abc import Iterable
from dataclasses import dataclass

from feltworks.kit import (
    EVEN,
    Bonus,
    Choose,
    Deal,
    Extra,
    Items,
    Moment,
    Odds,
    Option,
    PlayedGame,
    Round,
    Seat,
    Situation,
    Token,
    Turn,
    one_card,
    task,
)

DEALER = Token(None, "card 1"), Token(None, "card 2")


def own(seat: Seat) -> Token:
    return Token(seat, "card")


@dataclass(frozen=True)
class Starter(Round):
    """One round, in the order of the rules."""

    def alike_cards(self) -> Iterable[tuple[Token, ...]]:
        """S-04: only the higher of the dealer's cards counts, whichever was dealt first."""
        return (DEALER,)

    @classmethod
    def most_cards(cls, game: PlayedGame, seats: int) -> int:
        """S-02: one for each seat and two for the dealer."""
        return seats + 2

    def play(self) -> Items:
        """S-01: wagers are made; then what follows, in this order."""
        yield self.game.betting("open")
        yield task(self.deal)
        yield task(self.decide)
        yield task(self.show)

    def deal(self) -> Items:
        """S-02: one card to each seat, two to the dealer."""
        for seat in self.playing:
            yield Deal(own(seat), f"seat {seat}")
            yield Turn(own(seat))
        for token in DEALER:
            yield Deal(token, "dealer")

    def decide(self) -> Items:
        """S-03: fold or raise."""
        for seat in self.playing:
            yield Choose(frozenset({seat}), (FOLD, RAISE))

    def show(self) -> Items:
        """S-04: the dealer's cards are turned, and every seat is settled."""
        for token in DEALER:
            yield Turn(token)
        for seat in self.playing:
            yield task(self.settle, seat)

    def settle(self, seat: Seat) -> Items:
        """S-03, S-04: one seat."""
        yield Moment("shown", seat)
        card, dealer = self.card(own(seat)).rank, max(self.card(token).rank for token in DEALER)
        if not self.stake(seat, "raise"):
            yield self.lose(seat, "ante", "Fold", "S-03")
            return
        for spot, odds in (("ante", EVEN), ("raise", Odds("to", 2, 1))):
            if card == dealer:
                yield self.push(seat, spot, "Tie", "S-04")
            elif card > dealer:
                yield self.win(seat, spot, "Higher card", odds, "S-04")
            else:
                yield self.lose(seat, spot, "Lower card", "S-04")


FOLD, RAISE = Option("fold"), Option("raise", Extra("raise", of="ante"))


def pair(round: Starter, seat: Seat) -> Items:
    """S-05: the seat's card and one of the dealer's."""
    paired = round.card(own(seat)).rank in {round.card(token).rank for token in DEALER}
    yield round.by_table(seat, "pair", "Pair" if paired else None, "S-05", losing="No pair")


def situation(seat: Seat, cards: str) -> Situation:
    """S-03: what `felt advise` asks about: the seat's card."""
    return Situation({own(seat): one_card(cards)})


ROUND = Starter
BONUSES = {"pair": Bonus("shown", pair)}
