"""A board of five with decisions on two, five and six cards: before the flop, after it, and after the turn."""

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from feltworks.kit import (
    EVEN,
    Bonus,
    Card,
    Choose,
    Deal,
    Extra,
    HandOf,
    HandRank,
    Items,
    Moment,
    Option,
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

DEALER = Token(None, "dealer 1"), Token(None, "dealer 2")
FLOP = tuple(Token(None, f"flop {number}") for number in (1, 2, 3))
TURN, RIVER = Token(None, "turn"), Token(None, "river")
BOARD = (*FLOP, TURN, RIVER)


def own(seat: Seat) -> tuple[Token, ...]:
    return Token(seat, "card 1"), Token(seat, "card 2")


def pair(cards: Collection[Card]) -> bool:
    return len({card.rank for card in cards}) == 1


@dataclass(frozen=True)
class HoldemBonus(ShowdownRound):
    shows_alone = True
    showdown = Showdown(
        seat=HandOf(lambda seat: (*own(seat), *BOARD), best_hand, lambda hand: hand.category),
        dealer=HandOf((*DEALER, *BOARD), best_hand),
        sides={"bonus": HandOf(own, pair, lambda value: value)},
    )

    def play(self) -> Items:
        yield self.game.betting("open")
        yield task(self.deal)
        yield task(self.act, (FOLD, FLOP_BET))
        for cards, option in ((FLOP, TURN_BET), ((TURN,), RIVER_BET)):
            yield task(self.board, cards)
            yield task(self.act, (CHECK, option))
        yield task(self.board, (RIVER,))
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

    def act(self, options: tuple[Option, ...]) -> Items:
        for seat in self.playing:
            if options[0] is FOLD or self.stake(seat, "flop"):
                yield Choose(frozenset({seat}), options)

    def fold(self, seat: Seat) -> Items:
        yield self.lose(seat, "ante", "Fold", "1")

    def board(self, tokens: tuple[Token, ...]) -> Items:
        for token in tokens if any(self.stake(seat, "flop") for seat in self.playing) else ():
            yield Deal(token, "board")
            yield Turn(token)

    def show(self) -> Items:
        for token in DEALER if self.playing else ():
            yield Turn(token)
        for seat in reversed(self.playing):
            for token in own(seat):
                yield Turn(token)
            yield Moment("shown", seat)
            if self.stake(seat, "flop"):
                yield task(self.settle, seat)

    def settle(self, seat: Seat) -> Items:
        for spot in ("flop", "turn", "river"):
            if self.stake(seat, spot):
                yield self.against_dealer(seat, spot, "2", EVEN)
        least = HandRank.STRAIGHT if self.game.reading("pays_from") == "straight" else HandRank.FLUSH
        if self.better(seat) > 0 and self.seat_kind(seat) < least:
            yield self.push(seat, "ante", "Won with less", "3")
        else:
            yield self.against_dealer(seat, "ante", "3", EVEN)


FOLD = Option("fold", then=HoldemBonus.fold)
FLOP_BET = Option("bet", Extra("flop", "ante", Fraction(2), Fraction(2)))
CHECK = Option("check")
TURN_BET = Option("bet", Extra("turn", of="ante"))
RIVER_BET = Option("bet", Extra("river", of="ante"))


def bonus(round: HoldemBonus, seat: Seat) -> Items:
    yield round.by_table(seat, "bonus", "Pair" if round.side_kind(seat, "bonus") else None, "4")


def situation(seat: Seat, cards: str, *, flop: str | None = None, turn: str | None = None) -> Situation:
    hands = [(own(seat), cards), (FLOP, flop or ""), ((TURN,), turn or "")]
    return Situation(name_cards(*(hand for hand in hands if hand[1])), ("bet",) * bool(flop) + ("check",) * bool(turn))


ROUND = HoldemBonus
BONUSES = {"bonus": Bonus("shown", bonus)}
