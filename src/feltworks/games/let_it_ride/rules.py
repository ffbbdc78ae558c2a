"""Let It Ride: three bets on a hand of three cards and two common ones; two of the bets may be pulled back."""

from dataclasses import dataclass

from feltworks.kit import (
    Choose,
    Deal,
    Hand,
    HandOf,
    HandRank,
    Items,
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

COMMON = (Token(None, "common 1"), Token(None, "common 2"))
TENS = Hand(HandRank.PAIR, (10,))
BETS = ("bet_1", "bet_2", "bet_3")


def own(seat: Seat) -> tuple[Token, ...]:
    return tuple(Token(seat, f"card {number}") for number in (1, 2, 3))


def paid_line(hand: Hand) -> str | None:
    """LR-05: the line of a hand: a pair is paid from the tens on."""
    if hand.category > HandRank.PAIR:
        return hand.category.label
    return "Pair of tens or better" if hand >= TENS else None


@dataclass(frozen=True)
class LetItRide(ShowdownRound):
    """One round, in the order of the rules."""

    shows_alone = True
    showdown = Showdown(seat=HandOf(lambda seat: (*own(seat), *COMMON), best_hand, paid_line))

    @classmethod
    def most_cards(cls, game: PlayedGame, seats: int) -> int:
        """LR-02: three for each seat and two common ones."""
        return 3 * seats + 2

    def may_play(self, seat: Seat) -> None:
        """LR-01: three equal bets."""
        if len({self.stake(seat, bet) for bet in BETS}) > 1:
            raise NotAllowed(f"Seat {seat} needs three equal bets (LR-01); make them equal.")

    def play(self) -> Items:
        """LR-01 to LR-05."""
        yield self.game.betting("open")
        yield task(self.deal)
        yield task(self.decide, "bet_1")
        yield Turn(COMMON[0])
        yield task(self.decide, "bet_2")
        yield Turn(COMMON[1])
        yield task(self.settle)

    def deal(self) -> Items:
        """LR-02: three cards to each seat, clockwise, and two common ones, face down; each seat looks at its own."""
        for number in range(3):
            for seat in self.playing:
                yield Deal(own(seat)[number], f"seat {seat}")
        for token in COMMON:
            yield Deal(token, "common")
        for seat in self.playing:
            for token in own(seat):
                yield Turn(token, to=seat)

    def decide(self, bet: str) -> Items:
        """LR-03, LR-04: before each of the common cards a seat pulls a bet back or lets it ride."""
        for seat in self.playing:
            yield Choose(frozenset({seat}), (Option("pull", then=LetItRide.pull, args=(bet,)), RIDE))

    def pull(self, seat: Seat, bet: str) -> Items:
        """LR-03, LR-04: a bet that is pulled back is in action no more."""
        yield self.take_back(seat, bet, "LR-03")

    def settle(self) -> Items:
        """LR-05: seat by seat from the dealer's right, every bet that rides by the same table."""
        for seat in reversed(self.playing):
            for token in own(seat):
                yield Turn(token)
            yield task(self.settle_seat, seat)

    def settle_seat(self, seat: Seat) -> Items:
        """LR-05."""
        line, table = self.seat_kind(seat), self.game.pay_table("base")
        for bet in BETS:
            if self.stake(seat, bet):
                lost = self.lose(seat, bet, "Below a pair of tens", "LR-05")
                yield self.win(seat, bet, line, table.pay(line), "LR-05") if line else lost


RIDE = Option("ride")


def situation(seat: Seat, cards: str, *, common: str = "", bets: str = "pull") -> Situation:
    """LR-03, LR-04: a seat's three cards before the first decision; or with the first common card, and what was decided
    about the first bet."""
    shown = COMMON[:1] if common else ()
    return Situation(name_cards((own(seat), cards), (shown, common)), (bets,) if common else ())


ROUND = LetItRide
