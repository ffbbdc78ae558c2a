"""IN BETween (document 003): a bonus wager on where the dealer's upcard falls between a seat's first two cards."""

from dataclasses import dataclass

from feltworks.kit.cards import Seat, Token
from feltworks.kit.game import Bonus
from feltworks.kit.round import Round
from feltworks.kit.steps import Call, Deal, Items, Moment, Turn, task

UPCARD = Token(None, "upcard")
HOLE_CARD = Token(None, "hole card")


def first_card(seat: Seat) -> Token:
    return Token(seat, "first card")


def second_card(seat: Seat) -> Token:
    return Token(seat, "second card")


@dataclass(frozen=True)
class InitialDeal(Round):
    """The initial deal of blackjack in B-01's order. Blackjack itself is not played: its wager goes back."""

    def play(self) -> Items:
        """I-02, I-05, B-01: wagers, the first cards, the bonus wagers, the hole card."""
        yield Call("Place your bets.")
        yield self.game.betting("open")
        yield task(self.deal)
        yield task(self.second_cards)
        yield Deal(HOLE_CARD, "dealer")
        yield task(self.return_wagers)

    def deal(self) -> Items:
        """B-01: one card at a time, clockwise: every seat, the dealer's upcard, every seat."""
        yield Call("No more bets.")
        for seat in self.playing:
            yield Deal(first_card(seat), f"seat {seat}")
            yield Turn(first_card(seat))
        yield Deal(UPCARD, "dealer")
        yield Turn(UPCARD)
        for seat in self.playing:
            yield Deal(second_card(seat), f"seat {seat}")
            yield Turn(second_card(seat))

    def second_cards(self) -> Items:
        """I-05: bonus wagers are settled seat by seat from the dealer's far right, counter-clockwise."""
        for seat in reversed(self.playing):
            yield Moment("second_cards", seat)

    def return_wagers(self) -> Items:
        """I-06: the bonus wager has no bearing on the blackjack wager, which lies as it was and goes back."""
        for seat in reversed(self.playing):
            yield self.push(seat, "base", "Blackjack is not played", "I-06")


LINES = {1: "One card spread", 2: "Two card spread", 3: "Three card spread"}


def in_between(round: Round, seat: Seat) -> Items:
    """I-03, I-04: wins by the spread when the upcard ranks strictly between the seat's two cards, or on a
    triple match; loses otherwise. An ace is only high."""
    low, high = sorted((round.card(first_card(seat)).rank, round.card(second_card(seat)).rank))
    up = round.card(UPCARD).rank
    if low == up == high:
        yield round.by_table(seat, "in_between", "Triple match", "I-03")
    elif low < up < high:
        spread = high - low - 1
        yield round.by_table(seat, "in_between", LINES.get(spread, "All other spreads"), "I-04")
    elif up in (low, high) and round.game.reading("upcard_equals_a_card") == "push":
        yield round.push(seat, "in_between", "Upcard equals a card", "I-03")
    else:
        yield round.lose(seat, "in_between", "Not in between", "I-03")


ROUND = InitialDeal
BONUSES = {"in_between": Bonus("second_cards", in_between)}
