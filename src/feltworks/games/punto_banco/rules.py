"""Punto Banco: two hands of at most three cards by the drawing rules of baccarat; wagers on either, or on a tie."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from feltworks.kit import Card, Deal, Items, PlayedGame, Round, Seat, Settlement, Token, ToldHand, Turn, note, task
from feltworks.kit import points as counts

PLAYER = tuple(Token(None, f"player {number}") for number in (1, 2, 3))
BANKER = tuple(Token(None, f"banker {number}") for number in (1, 2, 3))
ANY = range(10)
BANKER_DRAWS = {0: ANY, 1: ANY, 2: ANY, 3: {*ANY} - {8}, 4: range(2, 8), 5: range(4, 8), 6: (6, 7)}
"""By the banker's total: the third cards of the player's hand to which the banker's hand draws."""


def points(*cards: Card) -> int:
    """PB-02: the last digit of the sum."""
    return sum(map(counts, cards)) % 10


@dataclass(frozen=True)
class PuntoBanco(Round):
    """One round, in the order of the rules."""

    player: int = 0
    banker: int = 0
    """What the two hands come to so far."""

    @classmethod
    def most_cards(cls, game: PlayedGame, seats: int) -> int:
        """PB-02: three for each of the two hands."""
        return 6

    def forgotten(self) -> Iterable[Token]:
        """PB-02: of a hand only its total counts."""
        return (*PLAYER, *BANKER)

    def play(self) -> Items:
        """PB-01, PB-02: wagers are made; then two cards go to each hand in turn, the player's first."""
        yield self.game.betting("open")
        for number in range(2):
            yield from self.dealt(PLAYER[number], "player")
            yield from self.dealt(BANKER[number], "banker")
        yield task(self.player_draws)

    def dealt(self, token: Token, hand: str) -> Items:
        """PB-02: a card for one of the hands."""
        yield Deal(token, hand)
        yield Turn(token)
        yield task(self.counted, token, hand)

    def counted(self, token: Token, hand: str) -> Items:
        """PB-02: the hand comes to so much more."""
        yield note(**{hand: (getattr(self, hand) + points(self.card(token))) % 10})

    def player_draws(self) -> Items:
        """PB-03: after an eight or nine nobody draws; else the player's hand draws to five and less, and where it
        stands the banker's does."""
        if max(self.player, self.banker) < 8:
            if self.player <= 5:
                yield Deal(PLAYER[2], "player")
                yield Turn(PLAYER[2])
                yield task(self.banker_draws)
            elif self.banker <= 5:
                yield from self.dealt(BANKER[2], "banker")
        yield task(self.settle)

    def banker_draws(self) -> Items:
        """PB-04: whether the banker's hand draws goes by its total and by what the player's hand has drawn."""
        third = points(self.card(PLAYER[2]))
        yield note(player=(self.player + third) % 10)
        if third in BANKER_DRAWS.get(self.banker, ()):
            yield from self.dealt(BANKER[2], "banker")

    def settle(self) -> Items:
        """PB-05: the higher total wins; on a tie Player and Banker go back and Tie is paid."""
        line = "Player" if self.player > self.banker else "Banker" if self.banker > self.player else "Tie"
        for seat in self.playing:
            for spot in ("player", "banker", "tie"):
                if self.stake(seat, spot):
                    yield self.decided(seat, spot, line)

    def decided(self, seat: Seat, spot: str, line: str) -> Settlement:
        """PB-05: one wager."""
        if line.lower() == spot:
            return self.by_table(seat, spot, line, "PB-05")
        return self.push(seat, spot, line, "PB-05") if line == "Tie" else self.lose(seat, spot, line, "PB-05")

    def told_hands(self, known: Mapping[Token, Card]) -> Iterator[ToldHand]:
        """PB-02: what each hand comes to."""
        for name, hand in (("player", PLAYER), ("banker", BANKER)):
            if lying := tuple(token for token in hand if token in known):
                total = points(*(known[token] for token in lying))
                yield ToldHand(None, f"{name} {total}", f"{name.capitalize()} {total}", lying)

    def why(self, settled: Settlement, before: Round) -> str:
        """PB-05: both totals."""
        return f"player {self.player}, banker {self.banker}"


ROUND = PuntoBanco
