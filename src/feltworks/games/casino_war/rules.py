"""Casino War: the higher card wins; on a tie the seat gives up half of its wager or goes to war."""

from dataclasses import dataclass

from feltworks.kit import (
    EVEN,
    Bonus,
    Card,
    Choose,
    Deal,
    Extra,
    Items,
    Moment,
    Option,
    PlayedGame,
    Round,
    Seat,
    Settlement,
    Situation,
    Token,
    Turn,
    one_card,
    task,
)

DEALER, SECOND = Token(None, "dealer"), Token(None, "dealer, war")
BURNT = tuple(Token(None, f"burn {number}") for number in (1, 2, 3))


def own(seat: Seat) -> Token:
    return Token(seat, "card")


def at_war(seat: Seat) -> Token:
    return Token(seat, "war card")


@dataclass(frozen=True)
class CasinoWar(Round):
    """One round, in the order of the rules."""

    @classmethod
    def most_cards(cls, game: PlayedGame, seats: int) -> int:
        """CW-02, CW-04: two for each seat and for the dealer, and three that are burnt."""
        return 2 * seats + 5

    def play(self) -> Items:
        """CW-01 to CW-05."""
        yield self.game.betting("open")
        yield task(self.deal)
        yield task(self.compare)
        yield task(self.ties)
        yield task(self.war)

    def deal(self) -> Items:
        """CW-02: a card to each seat, clockwise, and one to the dealer, all face up."""
        for token, place in (*((own(seat), f"seat {seat}") for seat in self.playing), (DEALER, "dealer")):
            yield Deal(token, place)
            yield Turn(token)

    def compare(self) -> Items:
        """CW-03: seat by seat from the dealer's right, the higher card wins; a tie is not decided yet."""
        dealer = self.card(DEALER).rank
        for seat in reversed(self.playing):
            yield Moment("compared", seat)
            if self.card(own(seat)).rank > dealer:
                yield self.win(seat, "ante", "Higher card", EVEN, "CW-03")
            elif self.card(own(seat)).rank < dealer:
                yield self.lose(seat, "ante", "Lower card", "CW-03")

    def ties(self) -> Items:
        """CW-04: each seat that ties surrenders or goes to war."""
        for seat in self.playing:
            yield Choose(frozenset({seat}), (SURRENDER, WAR))

    def surrender(self, seat: Seat) -> Items:
        """CW-04: half of the Ante is lost."""
        yield self.lose_half(seat, "ante", "Surrender", "CW-04")

    def war(self) -> Items:
        """CW-05: three cards are burnt; then a card to each seat at war and one to the dealer."""
        if not self.playing:
            return
        for token in BURNT:
            yield Deal(token, "burnt")
        for token, place in (*((at_war(seat), f"seat {seat}") for seat in self.playing), (SECOND, "dealer")):
            yield Deal(token, place)
            yield Turn(token)
        for seat in reversed(self.playing):
            yield task(self.settle, seat)

    def settle(self, seat: Seat) -> Items:
        """CW-05, CW-06: the lower card loses both wagers; otherwise War is paid and the Ante comes back, and where the
        house pays for a second tie the Ante is paid then too."""
        card, dealer = self.card(at_war(seat)).rank, self.card(SECOND).rank
        if card < dealer:
            yield self.lose(seat, "ante", "War lost", "CW-05")
            yield self.lose(seat, "war", "War lost", "CW-05")
            return
        if card == dealer and self.game.reading("second_tie") == "bonus":
            yield self.win(seat, "ante", "Second tie", EVEN, "CW-06")
        else:
            yield self.push(seat, "ante", "War won", "CW-05")
        yield self.win(seat, "war", "War won", EVEN, "CW-05")

    def why(self, settled: Settlement, before: Round) -> str:
        """CW-03, CW-05: both cards."""
        at_first = at_war(settled.seat) not in self.cards
        mine, theirs = (own(settled.seat), DEALER) if at_first else (at_war(settled.seat), SECOND)
        card, dealer = self.card(mine), self.card(theirs)
        verb = "ties" if card.rank == dealer.rank else "beats" if card.rank > dealer.rank else "loses to"
        return f"{card.suitless.name} {verb} {dealer.suitless.name}"


SURRENDER = Option("surrender", then=CasinoWar.surrender)
WAR = Option("war", Extra("war", of="ante"))


def tie(round: CasinoWar, seat: Seat) -> Items:
    """CW-07: Tie wins when the seat's first card ties the dealer's."""
    same = round.card(own(seat)).rank == round.card(DEALER).rank
    yield round.by_table(seat, "tie", "Tie" if same else None, "CW-07", losing="No tie")


def situation(seat: Seat, cards: str) -> Situation:
    """CW-04: the card that the seat and the dealer both have."""
    card: Card = one_card(cards)
    return Situation({own(seat): card, DEALER: card})


ROUND = CasinoWar
BONUSES = {"tie": Bonus("compared", tie, early=True)}
