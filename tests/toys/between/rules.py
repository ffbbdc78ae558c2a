"""A toy: two open cards that are alike, and a bet that may be raised on a third card between them."""

from collections.abc import Iterable
from dataclasses import dataclass

from feltworks.kit import (
    Choose,
    Deal,
    Extra,
    Items,
    Option,
    PlayedGame,
    Round,
    Seat,
    Situation,
    Token,
    Turn,
    name_cards,
    note,
    task,
)

OUTER = Token(None, "card 1"), Token(None, "card 2")
THIRD = Token(None, "card 3")


@dataclass(frozen=True)
class Between(Round):
    spread: int | None = None

    @classmethod
    def most_cards(cls, game: PlayedGame, seats: int) -> int:
        return 3

    def alike_cards(self) -> Iterable[tuple[Token, ...]]:
        """T-41: whichever of the two was dealt first."""
        return (OUTER,)

    @property
    def outer(self) -> list[int]:
        return sorted(self.card(token).rank for token in OUTER)

    def play(self) -> Items:
        """T-41: two open cards for the whole table."""
        yield self.game.betting("open")
        for token in OUTER:
            yield Deal(token, "middle")
            yield Turn(token)
        yield task(self.look)

    def look(self) -> Items:
        """T-42: a pair or consecutive cards push; otherwise each seat stays or raises."""
        low, high = self.outer
        yield note(spread=high - low - 1)
        yield task(self.decide)

    def decide(self) -> Items:
        if self.spread is None or self.spread <= 0:
            for seat in reversed(self.playing):
                yield self.push(seat, "bet", "No spread", "T-42")
            return
        for seat in self.playing:
            yield Choose(frozenset({seat}), (STAY, RAISE))
        yield Deal(THIRD, "middle")
        yield Turn(THIRD)
        yield task(self.settle)

    def settle(self) -> Items:
        """T-43: a card between the two wins."""
        (low, high), third = self.outer, self.card(THIRD).rank
        line = ("Narrow" if self.spread == 1 else "Wide") if low < third < high else None
        for seat in reversed(self.playing):
            for spot in ("bet", "raise"):
                if self.stake(seat, spot):
                    yield self.by_table(seat, spot, line, "T-43", losing="Outside")


STAY, RAISE = Option("stay"), Option("raise", Extra("raise", of="bet"))


def situation(seat: Seat, cards: str) -> Situation:
    return Situation(name_cards((OUTER, cards)))


ROUND = Between
