"""IN BETween (document 003): blackjack, with a bonus wager that the upcard falls between a seat's first two cards."""

from feltworks.games.blackjack.rules import UPCARD, Blackjack, card_of, situation
from feltworks.kit import (
    Answer,
    Bet,
    Bonus,
    Items,
    NotAllowed,
    Place,
    Round,
    Seat,
    Settlement,
    in_sentence,
    sign,
)

LINES = {1: "One card spread", 2: "Two card spread", 3: "Three card spread"}


def in_between(round: Round, seat: Seat) -> Items:
    """I-03, I-04: wins by the spread when the upcard ranks strictly between the seat's two cards, or on a
    triple match; loses otherwise. An ace is only high."""
    low, high = sorted(round.card(card_of(seat, number)).rank for number in (1, 2))
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


def why(round: Round, settled: Settlement) -> str:
    """I-03, I-04: the three cards: "7 is between 4 and K: three card spread"."""
    low, high = sorted((round.card(card_of(settled.seat, number)) for number in (1, 2)), key=lambda card: card.rank)
    up = round.card(UPCARD)
    if low.rank < up.rank < high.rank:
        return f"{sign(up)} is between {sign(low)} and {sign(high)}: {in_sentence(settled.line)}"
    if low.rank == up.rank == high.rank:
        return f"three times {sign(up)}: {in_sentence(settled.line)}"
    if low.rank == high.rank:
        return f"nothing is between {sign(low)} and {sign(high)}"
    return f"{sign(up)} is not between {sign(low)} and {sign(high)}"


def before_the_deal(round: Round, answer: Answer) -> None:
    """I-02, I-08: the wager is made before the first card, beside a blackjack wager, and at no other moment."""
    match answer:
        case Place(_, "in_between") if not isinstance(round.next, Bet):
            raise NotAllowed("IN BETween is made before the first card (I-02); wait for the next round.")
        case Place(seat, "in_between") if not round.stake(seat, "base"):
            raise NotAllowed("IN BETween needs Blackjack beside it (I-02); place that first.")


ROUND = Blackjack
BONUSES = {"in_between": Bonus("second_cards", in_between, before_the_deal, early=True, why=why)}
ENUMERATOR = "enumerator"

__all__ = ["BONUSES", "ENUMERATOR", "ROUND", "situation"]
