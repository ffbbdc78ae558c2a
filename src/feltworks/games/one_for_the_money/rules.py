"""One For The Money (document 004): high card against the dealer's better of two, with a trade."""

from dataclasses import dataclass

from feltworks.kit import (
    DISCARD,
    EVEN,
    SHUFFLER,
    Bonus,
    Call,
    Card,
    Choose,
    Deal,
    Extra,
    Items,
    Moment,
    Move,
    Option,
    PlayedGame,
    Round,
    Seat,
    Settlement,
    Situation,
    ThreeCard,
    Token,
    Turn,
    in_sentence,
    one_card,
    plural,
    task,
    three_card_hand,
)

DEALER = (Token(None, "dealer 1"), Token(None, "dealer 2"))


def own(seat: Seat) -> Token:
    return Token(seat, "card")


def replacement(seat: Seat) -> Token:
    return Token(seat, "replacement")


@dataclass(frozen=True)
class OneForTheMoney(Round):
    """One round, in the order of the document's numbered rules."""

    def play(self) -> Items:
        """O-02 to O-06."""
        yield Call("Place your bets.")
        yield self.game.betting("open")
        yield task(self.deal)
        yield task(self.seats_act)
        yield task(self.dealer_turns)
        yield task(self.settle)

    @classmethod
    def most_cards(cls, game: PlayedGame, seats: int) -> int:
        """O-03, O-04, F-23: each seat's card and its replacement, and two for the dealer."""
        return 2 * seats + 2

    def deal(self) -> Items:
        """O-03: clockwise from the dealer's left, one card face up to each seat; two face down to the dealer."""
        yield Call("No more bets.")
        for seat in self.playing:
            yield Deal(own(seat), f"seat {seat}")
            yield Turn(own(seat))
        for token in DEALER:
            yield Deal(token, "dealer")

    def seats_act(self) -> Items:
        """O-04: each seat in turn, clockwise, checks, raises or trades."""
        for seat in self.playing:
            yield Choose(frozenset({seat}), (CHECK, RAISE, TRADE))

    def trade(self, seat: Seat) -> Items:
        """O-04: the traded card is removed first and then replaced; then the seat stands or raises."""
        back = self.game.reading("traded_card") == "back"
        yield Move(own(seat), SHUFFLER if back else DISCARD)
        yield Deal(replacement(seat), f"seat {seat}")
        yield Turn(replacement(seat))
        yield Choose(frozenset({seat}), (STAND, RAISE))

    def dealer_turns(self) -> Items:
        """O-05: when all have acted the dealer turns both cards."""
        for token in DEALER:
            yield Turn(token)
        yield task(self.dealer_shows)

    def dealer_shows(self) -> Items:
        """O-05: the higher of the dealer's cards goes to the Play area."""
        high = max(DEALER, key=lambda token: self.card(token).rank)
        yield Move(high, "play area")
        yield Call(f"Dealer shows {self.card(high).name}.")

    def settle(self) -> Items:
        """O-06: counter-clockwise from the dealer's right, each seat's wagers and then its bonus."""
        for seat in reversed(self.playing):
            yield task(self.settle_seat, seat)
            yield Moment("end", seat)

    def settle_seat(self, seat: Seat) -> Items:
        """O-05, O-06: the higher card wins even money on every spot, the lower loses, equal ranks push."""
        card, dealer = self.final_card(seat).rank, max(c.rank for c in self.dealer_cards)
        for spot in ("ante", "raise", "trade"):
            if not self.stake(seat, spot):
                continue
            if card > dealer:
                yield self.win(seat, spot, "Higher card", EVEN, "O-06")
            elif card < dealer:
                yield self.lose(seat, spot, "Lower card", "O-06")
            else:
                yield self.push(seat, spot, "Tie", "O-06")

    def why(self, settled: Settlement, before: "OneForTheMoney") -> str:
        """O-06: both cards."""
        own, dealer = self.final_card(settled.seat), max(self.dealer_cards, key=lambda card: card.rank)
        mine, theirs = own.suitless.name, dealer.suitless.name
        if own.rank == dealer.rank:
            return f"{mine} ties {theirs}"
        return f"{mine} {'beats' if own.rank > dealer.rank else 'loses to'} {theirs}"

    @property
    def dealer_cards(self) -> tuple[Card, Card]:
        first, second = DEALER
        return self.card(first), self.card(second)

    def final_card(self, seat: Seat) -> Card:
        """The one card a seat has at the end of the game."""
        traded = replacement(seat) in self.cards
        return self.card(replacement(seat) if traded else own(seat))


CHECK = Option("check")
STAND = Option("stand")
RAISE = Option("raise", Extra("raise", of="ante"))
TRADE = Option("trade", Extra("trade", of="ante"), then=OneForTheMoney.trade)

THREE_CARD_LINES = {
    ThreeCard.STRAIGHT_FLUSH: "Straight flush",
    ThreeCard.THREE_OF_A_KIND: "Three of a kind",
    ThreeCard.STRAIGHT: "Straight",
    ThreeCard.FLUSH: "Flush",
}


def three_card_bonus(round: OneForTheMoney, seat: Seat) -> Items:
    """O-07: the dealer's two cards and the seat's final card make a hand of the pay table."""
    ace_low = round.game.reading("ace_low_straight") == "yes"
    hand = three_card_hand((*round.dealer_cards, round.final_card(seat)), ace_low_straight=ace_low)
    yield round.by_table(seat, "three_card_bonus", THREE_CARD_LINES.get(hand), "O-07", losing="No hand")


def perfect_match(round: OneForTheMoney, seat: Seat) -> Items:
    """O-08: the best line that the seat's final card makes with the dealer's two."""
    card, dealer = round.final_card(seat), round.dealer_cards
    matching = [d for d in dealer if d.rank == card.rank]
    suited = [d for d in matching if d.suit == card.suit]
    if len(suited) == 2:
        line = "Suited three of a kind"
    elif len(matching) == 2:
        line = "Three of a kind"
    elif suited:
        line = "Matches a dealer card, suited"
    elif matching:
        line = "Matches a dealer card, unsuited"
    else:
        line = None
    yield round.by_table(seat, "perfect_match", line, "O-08", losing="No match")


def why_three_card_bonus(round: OneForTheMoney, settled: Settlement) -> str:
    """O-07: the three cards, and what they make."""
    cards = (round.final_card(settled.seat), *round.dealer_cards)
    first, second, third = (card.name for card in cards)
    if settled.pay:
        made = in_sentence(settled.line) if settled.line == "Three of a kind" else f"a {in_sentence(settled.line)}"
    else:
        made = "only a pair" if len({card.rank for card in cards}) == 2 else "no hand"
    return f"{first}, {second} and {third} make {made}"


def why_perfect_match(round: OneForTheMoney, settled: Settlement) -> str:
    """O-08: what matches the seat's card."""
    card = round.final_card(settled.seat)
    same = [other for other in round.dealer_cards if other.rank == card.rank]
    if len(same) == 2:
        return f"three {plural(card.rank)}{', all of one suit' if same == [card, card] else ''}"
    if card in same:
        return f"the dealer has the {card.name} too"
    if same:
        return f"the dealer's {same[0].name} matches the {card.name}"
    first, second = (other.suitless.name for other in round.dealer_cards)
    return f"{card.suitless.name} matches neither {first} nor {second}"


def situation(seat: Seat, cards: str, *, traded: str | None = None) -> Situation:
    """O-04: a seat's card before it has acted, or its replacement and the card it traded."""
    card = one_card(cards)
    if traded is None:
        return Situation({own(seat): card})
    return Situation({own(seat): one_card(traded), replacement(seat): card}, ("trade",))


ROUND = OneForTheMoney
BONUSES = {
    "three_card_bonus": Bonus("end", three_card_bonus, why=why_three_card_bonus),
    "perfect_match": Bonus("end", perfect_match, why=why_perfect_match),
}
