"""A value of the game's own, a pair of an IntEnum and ranks; and an option that only some hands win with."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from itertools import combinations

from feltworks.kit import (
    Card,
    Choose,
    Deal,
    Extra,
    HandOf,
    Items,
    Option,
    Seat,
    Showdown,
    ShowdownRound,
    Situation,
    Token,
    Turn,
    name_cards,
    task,
)

DEALER = tuple(Token(None, f"dealer {number}") for number in range(1, 6))


class Four(IntEnum):
    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    FLUSH = 3
    THREE_OF_A_KIND = 4
    FOUR_OF_A_KIND = 5


Value = tuple[Four, tuple[int, ...]]
ACES = Four.PAIR, (14, 14)


def own(seat: Seat) -> tuple[Token, ...]:
    return tuple(Token(seat, f"card {number}") for number in range(1, 6))


def four_cards(cards: Iterable[Card]) -> Value:
    cards = tuple(cards)
    ranks = [card.rank for card in cards]
    ordered = tuple(sorted(ranks, key=lambda rank: (-ranks.count(rank), -rank)))
    most = ranks.count(ordered[0])
    if most > 2:
        return Four.FOUR_OF_A_KIND if most == 4 else Four.THREE_OF_A_KIND, ordered
    if len({card.suit for card in cards}) == 1:
        return Four.FLUSH, ordered
    return (Four.HIGH_CARD, Four.PAIR, Four.TWO_PAIR)[4 - len({*ranks})], ordered


def best_four(cards: Iterable[Card]) -> Value:
    return max(map(four_cards, combinations(cards, 4)))


def name(hand: Value) -> str:
    return f"{hand[0].name.lower().replace('_', ' ')} {''.join('9TJQKA'[rank - 9] for rank in hand[1])}"


@dataclass(frozen=True)
class OwnFours(ShowdownRound):
    shows_alone = True
    showdown = Showdown(
        seat=HandOf(own, best_four, lambda hand: hand >= ACES, name),
        dealer=HandOf(DEALER, best_four, name=name),
    )

    def play(self) -> Items:
        yield self.game.betting("open")
        yield task(self.deal)
        yield task(self.show)

    def deal(self) -> Items:
        for seat in self.playing:
            for token in own(seat):
                yield Deal(token, f"seat {seat}")
        for token in DEALER:
            yield Deal(token, "dealer")
        for seat in self.playing:
            for token in own(seat):
                yield Turn(token, to=seat)
            yield Choose(frozenset({seat}), (FOLD, PLAY, TRIPLE))

    def fold(self, seat: Seat) -> Items:
        yield self.lose(seat, "ante", "Fold", "1")

    def show(self) -> Items:
        for token in DEALER if self.playing else ():
            yield Turn(token)
        for seat in reversed(self.playing):
            for token in own(seat):
                yield Turn(token)
            yield task(self.settle, seat)

    def settle(self, seat: Seat) -> Items:
        """Tripled with less than a pair of aces, both are lost."""
        if self.stake(seat, "play") > self.stake(seat, "ante") and not self.seat_kind(seat):
            for spot in ("ante", "play"):
                yield self.lose(seat, spot, "Tripled with less than aces", "2")
            return
        for spot in ("ante", "play"):
            yield self.against_dealer(seat, spot, "3")


FOLD = Option("fold", then=OwnFours.fold)
PLAY = Option("play", Extra("play", of="ante"))
TRIPLE = Option("triple", Extra("play", "ante", Fraction(3), Fraction(3)))


def situation(seat: Seat, cards: str) -> Situation:
    return Situation(name_cards((own(seat), cards)))


ROUND = OwnFours
