"""Mississippi Stud: two cards and three common ones, with a bet of one to three Antes before each of these."""

from dataclasses import dataclass
from fractions import Fraction

from feltworks.kit import (
    DISCARD,
    BadValue,
    Choose,
    Deal,
    Extra,
    Hand,
    HandOf,
    HandRank,
    Items,
    Move,
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

COMMON = tuple(Token(None, f"common {number}") for number in (1, 2, 3))
JACKS, SIXES = Hand(HandRank.PAIR, (11,)), Hand(HandRank.PAIR, (6,))
STREETS = ("third", "fourth", "fifth")


def own(seat: Seat) -> tuple[Token, ...]:
    return Token(seat, "card 1"), Token(seat, "card 2")


def paid_line(hand: Hand) -> str | None:
    """MS-05: the line of a hand: a pair wins from the jacks on, and comes back from the sixes on."""
    if hand.category > HandRank.PAIR:
        return hand.category.label
    if hand >= JACKS:
        return "Pair of jacks or better"
    return "Pair of sixes to tens" if hand >= SIXES else None


@dataclass(frozen=True)
class MississippiStud(ShowdownRound):
    """One round, in the order of the rules."""

    shows_alone = True
    showdown = Showdown(seat=HandOf(lambda seat: (*own(seat), *COMMON), best_hand, paid_line))

    @classmethod
    def most_cards(cls, game: PlayedGame, seats: int) -> int:
        """MS-02: two for each seat and three common ones."""
        return 2 * seats + 3

    def play(self) -> Items:
        """MS-01 to MS-05."""
        yield self.game.betting("open")
        yield task(self.deal)
        for street, card in zip(STREETS, COMMON, strict=True):
            yield task(self.street, street, card)
        yield task(self.settle)

    def deal(self) -> Items:
        """MS-02: two cards to each seat, clockwise, and three common ones, face down; each seat looks at its own."""
        for number in range(2):
            for seat in self.playing:
                yield Deal(own(seat)[number], f"seat {seat}")
        for token in COMMON:
            yield Deal(token, "common")
        for seat in self.playing:
            for token in own(seat):
                yield Turn(token, to=seat)

    def street(self, street: str, card: Token) -> Items:
        """MS-03, MS-04: each seat folds or bets one to three Antes; then the next common card is turned."""
        times = (Fraction(number) for number in (1, 2, 3))
        bets = tuple(Option(f"{n}x", Extra(street, of="ante", least=n, most=n)) for n in times)
        for seat in self.playing:
            yield Choose(frozenset({seat}), (FOLD, *bets))
        yield task(self.turn, card)

    def turn(self, card: Token) -> Items:
        """MS-04: nothing is turned where every seat has folded."""
        if self.playing:
            yield Turn(card)

    def fold(self, seat: Seat) -> Items:
        """MS-03: who folds loses the Ante and every bet."""
        for spot in ("ante", *STREETS):
            if self.stake(seat, spot):
                yield self.lose(seat, spot, "Fold", "MS-03")
        for token in own(seat):
            yield Move(token, DISCARD)

    def settle(self) -> Items:
        """MS-05: seat by seat from the dealer's right, the Ante and every bet by the same table."""
        for seat in reversed(self.playing):
            for token in own(seat):
                yield Turn(token)
            yield task(self.settle_seat, seat)

    def settle_seat(self, seat: Seat) -> Items:
        """MS-05."""
        line, table = self.seat_kind(seat), self.game.pay_table("base")
        for spot in ("ante", *STREETS):
            lost = self.lose(seat, spot, "Below a pair of sixes", "MS-05")
            yield self.win(seat, spot, line, table.pay(line), "MS-05") if line else lost


FOLD = Option("fold", then=MississippiStud.fold)


def situation(seat: Seat, cards: str, *, common: str = "", bets: str = "") -> Situation:
    """MS-03, MS-04: a seat's two cards, the common cards that lie open, and what was bet before each of them: one Ante
    unless told, such as 3x,1x."""
    shown = COMMON[: min(len(common) // 2, 2)]
    made = tuple(bet.strip() for bet in bets.split(",")) if bets else ("1x",) * len(shown)
    if len(made) != len(shown) or not {*made} <= {"1x", "2x", "3x"}:
        raise BadValue("Say for each open common card what was bet before it, 1x, 2x or 3x, such as 3x,1x.")
    return Situation(name_cards((own(seat), cards), (shown, common)), made)


ROUND = MississippiStud
