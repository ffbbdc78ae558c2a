"""Three Card Poker: three cards against the dealer's three, who plays with a queen or better."""

from dataclasses import dataclass

from feltworks.kit import (
    DISCARD,
    EVEN,
    NOT_QUALIFIED,
    Bonus,
    Choose,
    Deal,
    Extra,
    HandOf,
    Items,
    Moment,
    Move,
    Option,
    PlayedGame,
    Seat,
    Showdown,
    ShowdownRound,
    Situation,
    Stake,
    ThreeCard,
    ThreeCardHand,
    Token,
    Turn,
    name_cards,
    task,
    three_cards,
)

DEALER = tuple(Token(None, f"dealer {number}") for number in (1, 2, 3))
QUEEN_HIGH = ThreeCardHand(ThreeCard.HIGH_CARD, (12,))


def own(seat: Seat) -> tuple[Token, ...]:
    return tuple(Token(seat, f"card {number}") for number in (1, 2, 3))


@dataclass(frozen=True)
class ThreeCardPoker(ShowdownRound):
    """One round, in the order of the rules."""

    shows_alone = True
    showdown = Showdown(
        seat=HandOf(own, three_cards, lambda hand: hand.category),
        dealer=HandOf(DEALER, three_cards, lambda hand: hand >= QUEEN_HIGH),
        sides={"pair_plus": HandOf(own, three_cards, lambda hand: hand.category)},
    )

    @classmethod
    def most_cards(cls, game: PlayedGame, seats: int) -> int:
        """TC-02: three for each seat and three for the dealer."""
        return 3 * seats + 3

    def play(self) -> Items:
        """TC-01 to TC-05."""
        yield self.game.betting("open")
        yield task(self.deal)
        yield task(self.seats_act)
        yield task(self.show)

    def deal(self) -> Items:
        """TC-02: three cards to each seat, clockwise, and three to the dealer, all face down."""
        for number in range(3):
            for seat in self.playing:
                yield Deal(own(seat)[number], f"seat {seat}")
            yield Deal(DEALER[number], "dealer")

    def seats_act(self) -> Items:
        """TC-03: each seat looks at its cards, and folds or plays."""
        for seat in self.playing:
            for token in own(seat):
                yield Turn(token, to=seat)
            yield Choose(frozenset({seat}), (FOLD, PLAY))

    def fold(self, seat: Seat) -> Items:
        """TC-03: who folds loses the Ante, and Pair Plus with it."""
        for spot in ("ante", "pair_plus"):
            if self.stake(seat, spot):
                yield self.lose(seat, spot, "Fold", "TC-03")
        for token in own(seat):
            yield Move(token, DISCARD)

    def show(self) -> Items:
        """TC-04: the dealer's hand, then seat by seat from the dealer's right."""
        for token in DEALER if self.playing else ():
            yield Turn(token)
        for seat in reversed(self.playing):
            for token in own(seat):
                yield Turn(token)
            yield task(self.settle, seat)
            yield Moment("end", seat)

    def settle(self, seat: Seat) -> Items:
        """TC-04, TC-05: the Ante bonus first, whatever the dealer has; then Ante and Play."""
        table, line = self.game.pay_table("ante"), self.seat_kind(seat).label
        if line in table.names:
            yield self.by_table(seat, "ante", line, "TC-05", stake=Stake.STAYS)
        if self.dealer_kind():
            yield self.against_dealer(seat, "ante", "TC-04")
            yield self.against_dealer(seat, "play", "TC-04")
        else:
            yield self.win(seat, "ante", NOT_QUALIFIED, EVEN, "TC-04")
            yield self.push(seat, "play", NOT_QUALIFIED, "TC-04")


FOLD = Option("fold", then=ThreeCardPoker.fold)
PLAY = Option("play", Extra("play", of="ante"))


def pair_plus(round: ThreeCardPoker, seat: Seat) -> Items:
    """TC-06: by the seat's own three cards."""
    line = round.side_kind(seat, "pair_plus").label
    paid = line if line in round.game.pay_table("pair_plus").names else None
    yield round.by_table(seat, "pair_plus", paid, "TC-06", losing="No pair")


def situation(seat: Seat, cards: str) -> Situation:
    """TC-03: a seat's three cards."""
    return Situation(name_cards((own(seat), cards)))


ROUND = ThreeCardPoker
BONUSES = {"pair_plus": Bonus("end", pair_plus)}
