"""High Card: the smallest game. One card to each seat and one to the dealer; the higher wins, and a tie loses."""

from dataclasses import dataclass

from feltworks.kit import Deal, Items, Odds, PlayedGame, Round, Seat, Token, Turn, task

EVEN = Odds("to", 1, 1)
DEALER = Token(None, "card")


def own(seat: Seat) -> Token:
    return Token(seat, "card")


@dataclass(frozen=True)
class HighCard(Round):
    @classmethod
    def most_cards(cls, game: PlayedGame, seats: int) -> int:
        return seats + 1

    def play(self) -> Items:
        """H-01: bets, then one card face up to each seat, and one to the dealer."""
        yield self.game.betting("open")
        yield task(self.deal)
        yield task(self.settle)

    def deal(self) -> Items:
        for seat in self.playing:
            yield Deal(own(seat), f"seat {seat}")
            yield Turn(own(seat))
        yield Deal(DEALER, "dealer")
        yield Turn(DEALER)

    def settle(self) -> Items:
        """H-02: the higher card wins even money. Everything else loses, a tie too."""
        for seat in self.playing:
            if self.card(own(seat)).rank > self.card(DEALER).rank:
                yield self.win(seat, "bet", "Higher card", EVEN, "H-02")
            else:
                yield self.lose(seat, "bet", "Not higher", "H-02")


ROUND = HighCard
