"""A toy: each seat looks at its own card, sees in which band the dealer's two lie, and folds or plays."""

from dataclasses import dataclass

from feltworks.kit import (
    Bonus,
    CardSet,
    Choose,
    Deal,
    Extra,
    Items,
    Moment,
    Odds,
    Option,
    Read,
    Round,
    Seat,
    Token,
    Turn,
    task,
)

SMALL, LARGE = CardSet("small", "234"), CardSet("large", "56789TJQKA")
DEALER = (Token(None, "dealer 1"), Token(None, "dealer 2"))


def own(seat: Seat) -> Token:
    return Token(seat, "card")


@dataclass(frozen=True)
class Bands(Round):
    shows_alone = True

    def play(self) -> Items:
        """T-21: one sealed card to each seat, two to the dealer, which the reader looks at."""
        yield self.game.betting("open")
        yield task(self.deal)

    def deal(self) -> Items:
        for seat in self.playing:
            yield Deal(own(seat), f"seat {seat}")
        for token in DEALER:
            yield Deal(token, "dealer")
        for token in DEALER:
            yield Read(token, (SMALL, LARGE))
        for seat in self.playing:
            yield Turn(own(seat), to=seat)
        for seat in self.playing:
            yield Choose(frozenset({seat}), (FOLD, PLAY))
        yield task(self.show)

    def fold(self, seat: Seat) -> Items:
        """T-22: a seat that folds loses its Ante; its card stays sealed."""
        yield self.lose(seat, "ante", "Fold", "T-22")

    def show(self) -> Items:
        """T-23: the seats that play turn their cards, the dealer turns both, and the better decides."""
        for token in DEALER:
            yield Turn(token)
        for seat in reversed(self.playing):
            yield Turn(own(seat))
            yield task(self.settle, seat)
            yield Moment("end", seat)

    def settle(self, seat: Seat) -> Items:
        mine, dealer = self.card(own(seat)).rank, max(self.card(t).rank for t in DEALER)
        for spot in ("ante", "play"):
            if not self.stake(seat, spot):
                continue
            if mine > dealer:
                yield self.win(seat, spot, "Higher", Odds("to", 2, 1), "T-23")
            elif mine == dealer:
                yield self.push(seat, spot, "Tie", "T-23")
            else:
                yield self.lose(seat, spot, "Lower", "T-23")


FOLD = Option("fold", then=Bands.fold)
PLAY = Option("play", Extra("play", of="ante"))


def match(round: Bands, seat: Seat) -> Items:
    """T-24: Match wins when the seat's card and a dealer card have one suit, whatever the hand does."""
    same = round.card(own(seat)).suit in {round.card(t).suit for t in DEALER}
    yield round.by_table(seat, "match", "Same suit" if same else None, "T-24", losing="No match")


ROUND = Bands
BONUSES = {"match": Bonus("end", match)}
