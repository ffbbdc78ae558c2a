"""Ultimate Texas Hold'em: two cards and five common ones against the dealer's two; the earlier one plays, the more."""

from dataclasses import dataclass
from fractions import Fraction

from feltworks.kit import (
    DISCARD,
    NOT_QUALIFIED,
    Bonus,
    Choose,
    Deal,
    Extra,
    HandOf,
    HandRank,
    Items,
    Moment,
    Move,
    NotAllowed,
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


def own(seat: Seat) -> tuple[Token, ...]:
    return Token(seat, "card 1"), Token(seat, "card 2")


def hand_of(seat: Seat) -> tuple[Token, ...]:
    return (*own(seat), *BOARD)


@dataclass(frozen=True)
class UltimateTexasHoldem(ShowdownRound):
    """One round, in the order of the rules."""

    shows_alone = True
    showdown = Showdown(
        seat=HandOf(hand_of, best_hand, lambda hand: hand.category),
        dealer=HandOf((*DEALER, *BOARD), best_hand, lambda hand: hand.category >= HandRank.PAIR),
        sides={"trips": HandOf(hand_of, best_hand, lambda hand: hand.category)},
    )

    @classmethod
    def most_cards(cls, game: PlayedGame, seats: int) -> int:
        """UT-02, UT-04, UT-05: two for each seat and for the dealer, and five common ones."""
        return 2 * seats + 7

    def may_play(self, seat: Seat) -> None:
        """UT-01: Ante and Blind are both made, and equal."""
        if self.stake(seat, "ante") != self.stake(seat, "blind"):
            raise NotAllowed(f"Seat {seat} needs equal wagers on Ante and Blind (UT-01); make them equal.")

    def play(self) -> Items:
        """UT-01 to UT-07."""
        yield self.game.betting("open")
        yield task(self.deal)
        yield task(self.ask, (CHECK, THRICE, FOUR_TIMES))
        yield task(self.board, FLOP)
        yield task(self.ask, (CHECK, TWICE))
        yield task(self.board, BOARD[3:])
        yield task(self.ask, (FOLD, ONCE))
        yield task(self.show)

    def deal(self) -> Items:
        """UT-02: two cards to each seat, clockwise, and two to the dealer, face down; each seat looks at its own."""
        for number in range(2):
            for seat in self.playing:
                yield Deal(own(seat)[number], f"seat {seat}")
            yield Deal(DEALER[number], "dealer")
        for seat in self.playing:
            for token in own(seat):
                yield Turn(token, to=seat)

    def ask(self, options: tuple[Option, ...]) -> Items:
        """UT-03 to UT-05: whoever has made Play is asked no more."""
        for seat in self.playing:
            if not self.stake(seat, "play"):
                yield Choose(frozenset({seat}), options)

    def board(self, tokens: tuple[Token, ...]) -> Items:
        """UT-04, UT-05: the next common cards, open."""
        for token in tokens:
            yield Deal(token, "board")
            yield Turn(token)

    def fold(self, seat: Seat) -> Items:
        """UT-05: who folds loses Ante and Blind. Trips plays on."""
        yield self.lose(seat, "ante", "Fold", "UT-05")
        yield self.lose(seat, "blind", "Fold", "UT-05")
        for token in () if self.stake(seat, "trips") else own(seat):
            yield Move(token, DISCARD)

    def show(self) -> Items:
        """UT-06: the dealer's hand, then seat by seat from the dealer's right."""
        for token in DEALER if self.playing else ():
            yield Turn(token)
        for seat in reversed(self.playing):
            for token in own(seat):
                yield Turn(token)
            if self.stake(seat, "play"):
                yield task(self.settle, seat)
            yield Moment("end", seat)

    def settle(self, seat: Seat) -> Items:
        """UT-06, UT-07: the Ante comes back if the dealer has no pair; the Blind pays from a straight on."""
        table, line = self.game.pay_table("blind"), self.seat_kind(seat).label
        blind = line if line in table.names else "All other hands"
        if self.dealer_kind():
            yield self.against_dealer(seat, "ante", "UT-06")
        else:
            yield self.push(seat, "ante", NOT_QUALIFIED, "UT-06")
        yield self.against_dealer(seat, "blind", "UT-07", table.pay(blind))
        yield self.against_dealer(seat, "play", "UT-06")


FOLD = Option("fold", then=UltimateTexasHoldem.fold)
CHECK = Option("check")
ONCE, TWICE, THRICE, FOUR_TIMES = (
    Option(f"{times}x", Extra("play", of="ante", least=times, most=times)) for times in map(Fraction, (1, 2, 3, 4))
)


def trips(round: UltimateTexasHoldem, seat: Seat) -> Items:
    """UT-08: by the seat's best five, whatever the dealer has and also after a fold."""
    line = round.side_kind(seat, "trips").label
    paid = line if line in round.game.pay_table("trips").names else None
    yield round.by_table(seat, "trips", paid, "UT-08", losing="No three of a kind")


def situation(seat: Seat, cards: str, *, flop: str = "", board: str = "") -> Situation:
    """UT-03 to UT-05: a seat's two cards; with the flop after a check; or with the whole board after two."""
    shown, text, checks = (BOARD, board, 2) if board else (FLOP, flop, 1) if flop else ((), "", 0)
    return Situation(name_cards((own(seat), cards), (shown, text)), ("check",) * checks)


ROUND = UltimateTexasHoldem
BONUSES = {"trips": Bonus("end", trips)}
