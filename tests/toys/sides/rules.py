"""A toy: wagers of which any one is enough, and each tells other cards apart."""

from dataclasses import dataclass

from feltworks.kit import Deal, Items, PlayedGame, Round, Seat, Token, Turn, task

LEFT, RIGHT = Token(None, "left"), Token(None, "right")


@dataclass(frozen=True)
class Sides(Round):
    @classmethod
    def most_cards(cls, game: PlayedGame, seats: int) -> int:
        return 2

    def play(self) -> Items:
        """T-51: a card to each side."""
        yield self.game.betting("open")
        for token in (LEFT, RIGHT):
            yield Deal(token, token.name)
            yield Turn(token)
        yield task(self.settle)

    def settle(self) -> Items:
        """T-52: every wager of every seat."""
        for seat, spot in self.wagers:
            yield from self.decide(seat, spot)

    def decide(self, seat: Seat, spot: str) -> Items:
        left, right = self.card(LEFT), self.card(RIGHT)
        match spot:
            case "left" if left.rank == right.rank:
                yield self.lose_half(seat, spot, "Same rank", "T-52")
            case "left":
                yield self.by_table(seat, spot, "Higher" if left.rank > right.rank else None, "T-52", losing="Lower")
            case "twins":
                same = left.rank == right.rank and left.suit == right.suit
                yield self.by_table(seat, spot, "Twins" if same else None, "T-52", losing="No twins")
            case _:
                rank = (left if spot == "left_high" else right).rank
                yield self.by_table(seat, spot, "High" if rank > 3 else None, "T-52", losing="Low")


ROUND = Sides
