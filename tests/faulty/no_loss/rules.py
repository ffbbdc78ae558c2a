"""Faulty on purpose: who has the lower card is neither paid nor taken from."""

from dataclasses import dataclass

from feltworks.kit.cards import Seat, Token
from feltworks.kit.odds import Odds
from feltworks.kit.round import Round
from feltworks.kit.steps import Choose, Deal, Items, Option, Turn, task

DEALER = Token(None, "dealer")


def own(seat: Seat) -> Token:
    return Token(seat, "card")


@dataclass(frozen=True)
class NoLoss(Round):
    def play(self) -> Items:
        """T-41: one card to each seat, which looks at it, and one to the dealer."""
        yield self.game.betting("open")
        yield task(self.deal)

    def deal(self) -> Items:
        for seat in self.playing:
            yield Deal(own(seat), f"seat {seat}")
            yield Turn(own(seat))
        yield Deal(DEALER, "dealer")
        yield Turn(DEALER)
        for seat in self.playing:
            yield Choose(frozenset({seat}), (SHOW,))
        yield task(self.settle)

    def settle(self) -> Items:
        """T-42: the higher card wins, and equal cards push."""
        for seat in reversed(self.playing):
            mine, dealer = self.card(own(seat)).rank, self.card(DEALER).rank
            if mine > dealer:
                yield self.win(seat, "ante", "Higher", Odds("to", 1, 1), "T-42")
            elif mine == dealer:
                yield self.push(seat, "ante", "Tie", "T-42")


SHOW = Option("show")

ROUND = NoLoss
