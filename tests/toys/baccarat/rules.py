"""A toy as an inventor would write it: Punto Banco with three wagers, of which a seat makes one."""

from collections.abc import Iterable
from dataclasses import dataclass

from feltworks.kit import Card, Deal, Items, PlayedGame, Round, Seat, Token, Turn, task

PLAYER = tuple(Token(None, f"player {number}") for number in (1, 2, 3))
BANKER = tuple(Token(None, f"banker {number}") for number in (1, 2, 3))


def points(card: Card) -> int:
    """Ace 1, ten and court cards 0."""
    return 1 if card.rank == 14 else card.rank if card.rank < 10 else 0


@dataclass(frozen=True)
class PuntoBanco(Round):
    @classmethod
    def most_cards(cls, game: PlayedGame, seats: int) -> int:
        return 6

    def alike_cards(self) -> Iterable[tuple[Token, ...]]:
        return PLAYER[:2], BANKER[:2]

    def play(self) -> Items:
        """T-31: two cards to each hand; eight or nine is a natural, and nobody draws."""
        yield self.game.betting("open")
        for player, banker in zip(PLAYER[:2], BANKER[:2], strict=True):
            yield from self.turned(player, "player")
            yield from self.turned(banker, "banker")
        yield task(self.player_draws)

    def turned(self, token: Token, place: str) -> Items:
        yield Deal(token, place)
        yield Turn(token)

    def total(self, hand: tuple[Token, ...]) -> int:
        return sum(points(self.card(token)) for token in hand if token in self.cards) % 10

    def player_draws(self) -> Items:
        """T-32: the player's hand draws to five; then the banker's by what was drawn, or to five where nothing was."""
        player, banker = self.total(PLAYER), self.total(BANKER)
        if max(player, banker) < 8:
            if player <= 5:
                yield from self.turned(PLAYER[2], "player")
                yield task(self.banker_draws)
            elif banker <= 5:
                yield from self.turned(BANKER[2], "banker")
        yield task(self.settle)

    def banker_draws(self) -> Items:
        """T-32: the banker's third card."""
        third, banker = points(self.card(PLAYER[2])), self.total(BANKER)
        last = {0: 9, 1: 9, 2: 9, 3: 9, 4: 7, 5: 7, 6: 7}.get(banker, -1)
        first = {3: 0, 4: 2, 5: 4, 6: 6}.get(banker, 0)
        if first <= third <= last and not (banker == 3 and third == 8):
            yield from self.turned(BANKER[2], "banker")

    def settle(self) -> Items:
        """T-33: the higher total wins; a tie pays Tie and gives the others back."""
        player, banker = self.total(PLAYER), self.total(BANKER)
        result = "Player" if player > banker else "Banker" if banker > player else "Tie"
        for seat in self.playing:
            yield task(self.settle_seat, seat, result)

    def settle_seat(self, seat: Seat, result: str) -> Items:
        for spot in ("player", "banker", "tie"):
            if not self.stake(seat, spot):
                continue
            if result.lower() == spot:
                yield self.by_table(seat, spot, result, "T-33")
            elif result == "Tie":
                yield self.push(seat, spot, "Tie", "T-33")
            else:
                yield self.lose(seat, spot, result, "T-33")


ROUND = PuntoBanco
