"""Blackjack, the base of IN BETween: its posted rules are not among the documents, so every one is the house's."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from feltworks.games.blackjack.options import Options, options_of
from feltworks.kit import (
    DISCARD,
    Answer,
    BadCard,
    Bet,
    Call,
    Card,
    CardSet,
    Choose,
    Deal,
    Decide,
    Extra,
    Info,
    Items,
    Moment,
    Move,
    NotAllowed,
    Odds,
    Option,
    PlayedGame,
    Read,
    Role,
    Round,
    Seat,
    Settlement,
    Situation,
    Stake,
    Token,
    ToldHand,
    Turn,
    in_sentence,
    note,
    one_card,
    parse_cards,
    task,
    with_article,
)

EVEN, TWO_TO_ONE, HALF_BACK = Odds("to", 1, 1), Odds("to", 2, 1), Odds("for", 1, 2)
UPCARD, HOLE_CARD = Token(None, "upcard"), Token(None, "hole card")
TENS, NO_TENS = CardSet("ten", "TJQK"), CardSet("no ten", "23456789A")
ACES, NO_ACES = CardSet("ace", "A"), CardSet("no ace", "23456789TJQK")
SPOTS = ("base", "hand_2", "hand_3", "hand_4")
"""Where the wagers of a seat's hands lie: its first one, and what it puts beside it when it splits."""
ONLY_THE_FIRST = "Only the first wager is lost"


def card_of(seat: Seat, number: int) -> Token:
    """A seat's cards in the order in which it gets them, whichever of its hands they go to."""
    return Token(seat, f"card {number}")


def place_of(seat: Seat, hand: int) -> str:
    """Where a hand lies: the first before the seat, those from splitting beside it."""
    return f"seat {seat}" if hand == 1 else f"seat {seat}, hand {hand}"


def value(card: Card) -> int:
    """B-02: a face card counts 10, an ace 1 until it can be 11."""
    return 1 if card.rank == 14 else min(card.rank, 10)


def total(cards: Iterable[Card]) -> tuple[int, bool]:
    """B-02: the best total of a hand, and whether an ace counts 11 in it."""
    values = [value(card) for card in cards]
    soft = 1 in values and sum(values) <= 11
    return sum(values) + 10 * soft, soft


def is_blackjack(cards: tuple[Card, ...]) -> bool:
    """B-02: an ace and a ten, the first two cards."""
    return len(cards) == 2 and total(cards)[0] == 21


def counted(cards: Sequence[Card], *, natural: bool = True) -> tuple[str, str]:
    """B-02: what a hand comes to, in a sentence and in brief; `natural` where two cards may be a blackjack."""
    points, soft = total(cards)
    if points > 21:
        return f"{points}, over 21", "Over 21"
    if natural and is_blackjack(tuple(cards)):
        return "a blackjack", "Blackjack"
    if soft and points < 21:
        return f"a soft {points}", f"{points - 10}/{points}"
    return str(points), str(points)


def spoken(cards: Sequence[Card], *, natural: bool = True) -> str:
    """B-02: what a hand came to when it was settled; of an upcard that nobody had to draw to, the card."""
    if len(cards) == 1:
        return with_article(cards[0])
    points = total(cards)[0]
    return "a blackjack" if natural and is_blackjack(tuple(cards)) else f"{points}{', over 21' if points > 21 else ''}"


@dataclass(frozen=True)
class Blackjack(Round):
    """One round. Which cards make a hand is told by the place where they lie."""

    acting: tuple[Seat, int] | None = None
    """Whose hand is being played, and which of the seat's hands it is."""
    splits: tuple[Seat, ...] = ()
    """A seat for each time that it has split."""
    doubled: tuple[tuple[Seat, int], ...] = ()
    """The hands that were doubled."""
    surrendered: tuple[Seat, ...] = ()
    """The seats that gave up while the dealer may still have a blackjack."""

    shuffles_within = True

    def play(self) -> Items:
        """B-01, B-03, B-05, B-06: the whole round."""
        yield Call("Place your bets.")
        yield self.game.betting("open")
        yield task(self.deal)
        yield task(self.second_cards)
        yield task(self.deal_hole_card)
        yield task(self.offer_insurance)
        yield task(self.peek)
        yield task(self.seats_act)
        yield task(self.dealer_plays)
        yield task(self.settle)

    @property
    def options(self) -> Options:
        return options_of(self.game)

    @classmethod
    def most_cards(cls, game: PlayedGame, seats: int) -> int:
        """F-23: a hand takes another card only while its cards, with aces as 1, come to 20 at most, and the dealer's to
        16. So all cards but the last one of each hand come to no more than that, and they are the most cards when they
        are the smallest. Hardly any round takes a half of these, so that the shoe is not shuffled for them before it.
        """
        pack = game.fresh()
        assert pack is not None
        hands = seats * options_of(game).hands
        smallest = accumulate(sorted(map(value, pack.all_cards())))
        return sum(points <= 20 * hands + 16 for points in smallest) + hands + 1

    # The deal.

    def deal(self) -> Items:
        """B-01: one card at a time, clockwise: every seat, the dealer's upcard, every seat."""
        yield Call("No more bets.")
        for seat in self.playing:
            yield from self.dealt(seat, 1, number=1)
        yield Deal(UPCARD, "dealer")
        yield Turn(UPCARD)
        for seat in self.playing:
            yield from self.dealt(seat, 1, number=2)

    def dealt(self, seat: Seat, hand: int, number: int | None = None) -> Items:
        """A card to a hand, face up."""
        token = card_of(seat, number or 1 + sum(token.owner == seat for token in self.cards))
        yield Deal(token, place_of(seat, hand))
        yield Turn(token)

    def second_cards(self) -> Items:
        """I-05: the moment for bonus wagers, from the dealer's far right, before the hole card."""
        for seat in reversed(self.playing):
            yield Moment("second_cards", seat)

    def deal_hole_card(self) -> Items:
        """B-01: the dealer's second card, face down, in a house that deals one."""
        if self.options.hole_card in ("peek", "no_peek"):
            yield Deal(HOLE_CARD, "dealer")

    # What the dealer has.

    @property
    def dealer_hand(self) -> tuple[Card, ...]:
        """The dealer's cards that lie open."""
        return tuple(face.card for token, face in self.cards.items() if token.owner is None and face.card)

    @property
    def may_be_blackjack(self) -> bool:
        """Whether the upcard is an ace or a ten."""
        return value(self.card(UPCARD)) in (1, 10)

    @property
    def dealer_has_blackjack(self) -> bool:
        """Whether a blackjack of the dealer lies open."""
        return is_blackjack(self.dealer_hand)

    # Insurance, and the look at the hole card.

    def offer_insurance(self) -> Items:
        """B-03: against an ace, to all seats, before the dealer looks; even money to those with a blackjack."""
        if value(self.card(UPCARD)) != 1:
            return
        yield Call("Insurance?")
        takes_even_money = self.options.blackjack_pays == "3/2"
        with_blackjack = [seat for seat in self.playing if takes_even_money and self.has_blackjack(seat)]
        others = [seat for seat in self.playing if seat not in with_blackjack]
        for seats, options in ((others, (NO_INSURANCE, INSURANCE)), (with_blackjack, WITH_EVEN_MONEY)):
            if seats:
                yield Choose(frozenset(seats), options, about="insurance", sentence=INSURANCE_WINS)

    def take_even_money(self, seat: Seat) -> Items:
        """B-03: a blackjack is paid 1 to 1 at once, which is what insurance for half the wager comes to."""
        yield self.win(seat, "base", "Even money", EVEN, "B-03")
        yield from self.cleared(seat, 1)

    def peek(self) -> Items:
        """B-03: the dealer looks under an ace or a ten, where the house has it so."""
        if self.options.hole_card == "peek" and self.may_be_blackjack and self.playing:
            blackjack, none = (TENS, NO_TENS) if value(self.card(UPCARD)) == 1 else (ACES, NO_ACES)
            yield Read(HOLE_CARD, (blackjack, none))
            yield task(self.after_peek, blackjack)

    def after_peek(self, blackjack: CardSet) -> Items:
        """B-03: insurance is settled right after the look; a blackjack is shown and ends the round."""
        if self.cards[HOLE_CARD].reading == blackjack:
            yield Turn(HOLE_CARD)
            yield Call("Dealer has a blackjack.")
            yield from self.insurance_settled(True)
        else:
            yield Call("No blackjack.")
            yield from self.insurance_settled(False)

    def insurance_settled(self, blackjack: bool) -> Items:
        """B-03: 2 to 1 against a blackjack, and lost without one."""
        for seat in reversed(self.playing):
            if not self.stake(seat, "insurance"):
                continue
            if blackjack:
                yield self.win(seat, "insurance", "Dealer has a blackjack", TWO_TO_ONE, "B-03")
            else:
                yield self.lose(seat, "insurance", "No blackjack", "B-03")

    # The seats' hands.

    def hand_of(self, seat: Seat, hand: int) -> tuple[Card, ...]:
        """The cards of one of a seat's hands."""
        place = place_of(seat, hand)
        return tuple(face.card for face in self.cards.values() if face.place == place and face.card)

    def tokens_of(self, seat: Seat, hand: int) -> list[Token]:
        place = place_of(seat, hand)
        return [token for token, face in self.cards.items() if face.place == place]

    def hands(self, seat: Seat) -> int:
        """How many hands a seat has made of its first one."""
        return 1 + self.splits.count(seat)

    def has_blackjack(self, seat: Seat) -> bool:
        """B-02, B-04: never after a split."""
        return self.hands(seat) == 1 and is_blackjack(self.hand_of(seat, 1))

    def seats_act(self) -> Items:
        """B-06: clockwise from the dealer's left; nobody acts against a dealer's blackjack that was seen."""
        if not self.dealer_has_blackjack:
            for seat in self.playing:
                yield task(self.play_hand, seat, 1)

    def play_hand(self, seat: Seat, hand: int) -> Items:
        """B-04, B-06: hand after hand, each with its second card when its turn comes."""
        if hand > self.hands(seat):
            yield note(acting=None)
            return
        if len(self.hand_of(seat, hand)) == 1:
            yield note(acting=(seat, hand))
            yield from self.dealt(seat, hand)
        yield task(self.ask, seat, hand)
        yield task(self.play_hand, seat, hand + 1)

    def ask(self, seat: Seat, hand: int) -> Items:
        """B-04: what the seat does with a hand that is neither 21 nor over it."""
        cards = self.hand_of(seat, hand)
        if not self.stake(seat, SPOTS[hand - 1]) or self.has_blackjack(seat):
            return
        if total(cards)[0] > 21:
            yield from self.busted(seat, hand)
        elif total(cards)[0] < 21:
            options = tuple(self.offered(seat, hand))
            if len(options) > 1:
                yield note(acting=(seat, hand))
                about = f"hand {hand} of {self.hands(seat)}" if self.hands(seat) > 1 else ""
                yield Choose(frozenset({seat}), options, about=about)

    def offered(self, seat: Seat, hand: int) -> Iterator[Option]:
        """B-04: stand, and the others as far as the house has them."""
        cards, spot = self.hand_of(seat, hand), SPOTS[hand - 1]
        yield Option("stand")
        if not self.gets_one_card(seat, hand):
            yield Option("hit", then=Blackjack.hit, args=(hand,))
        if self.may_double(seat, hand):
            yield Option("double", Extra(spot, of=spot), Blackjack.double, (hand,))
        if self.may_split(seat, hand):
            beside = SPOTS[self.hands(seat)]
            yield Option("split", Extra(beside, of=spot), Blackjack.split, (hand,))
        if self.options.surrenders and len(cards) == 2 and self.hands(seat) == 1:
            yield Option("surrender", then=Blackjack.surrender)

    def gets_one_card(self, seat: Seat, hand: int) -> bool:
        """B-04: whether these are split aces in a house where they get one card each."""
        first = value(self.hand_of(seat, hand)[0])
        return self.hands(seat) > 1 and first == 1 and self.options.split_aces != "hit"

    def may_double(self, seat: Seat, hand: int) -> bool:
        """B-04: two cards of a total the house allows, after a split only if it says so."""
        cards = self.hand_of(seat, hand)
        if len(cards) != 2 or self.gets_one_card(seat, hand):
            return False
        if self.hands(seat) > 1 and not self.options.doubles_after_split:
            return False
        points, soft = total(cards)
        return self.options.may_double(points, soft)

    def may_split(self, seat: Seat, hand: int) -> bool:
        """B-04: two cards of equal value, up to the house's number of hands."""
        cards = self.hand_of(seat, hand)
        if len(cards) != 2 or value(cards[0]) != value(cards[1]):
            return False
        return self.hands(seat) < self.options.hands_from(value(cards[0]) - 1)

    def hit(self, seat: Seat, hand: int) -> Items:
        """B-04: one more card."""
        yield from self.dealt(seat, hand)
        yield task(self.ask, seat, hand)

    def double(self, seat: Seat, hand: int) -> Items:
        """B-04: twice the wager, one more card and no other."""
        yield note(doubled=(*self.doubled, (seat, hand)))
        yield from self.dealt(seat, hand)
        yield task(self.after_double, seat, hand)

    def after_double(self, seat: Seat, hand: int) -> Items:
        """B-04."""
        if total(self.hand_of(seat, hand))[0] > 21:
            yield from self.busted(seat, hand)

    def split(self, seat: Seat, hand: int) -> Items:
        """B-04: the second card begins another hand, which is played after those that the seat has."""
        yield Move(self.tokens_of(seat, hand)[1], place_of(seat, self.hands(seat) + 1))
        yield note(splits=(*self.splits, seat))
        yield from self.dealt(seat, hand)
        yield task(self.ask, seat, hand)

    def busted(self, seat: Seat, hand: int) -> Items:
        """B-04: over 21 is lost at once; but where a blackjack would take no more than the first wager, it waits."""
        if self.options.hole_card == "none_takes_original" and self.may_be_blackjack:
            return
        yield self.lose(seat, SPOTS[hand - 1], "Over 21", "B-04")
        yield from self.cleared(seat, hand)

    def surrender(self, seat: Seat) -> Items:
        """B-04: half the wager is given up; all of it to a blackjack that nobody has looked for yet."""
        if self.options.hole_card != "peek" and self.may_be_blackjack:
            yield note(surrendered=(*self.surrendered, seat))
            return
        yield self.half_lost(seat, "Surrender", "B-04")
        yield from self.cleared(seat, 1)

    def half_lost(self, seat: Seat, line: str, rule: str) -> Settlement:
        return Settlement(seat, "base", line, HALF_BACK, Stake.TAKEN, self.stake(seat, "base"), rule)

    def cleared(self, seat: Seat, hand: int) -> Items:
        """A hand that is decided is taken away."""
        for token in self.tokens_of(seat, hand):
            yield Move(token, DISCARD)

    # The dealer, and the end.

    def is_live(self, seat: Seat, hand: int) -> bool:
        """Whether a hand is decided by what the dealer draws."""
        if not self.stake(seat, SPOTS[hand - 1]) or seat in self.surrendered or self.has_blackjack(seat):
            return False
        return total(self.hand_of(seat, hand))[0] <= 21

    @property
    def must_draw(self) -> bool:
        """B-05: whether there is a hand to draw against."""
        return any(self.is_live(seat, hand) for seat in self.playing for hand in range(1, self.hands(seat) + 1))

    def dealer_plays(self) -> Items:
        """B-05: the second card is shown where anything depends on it."""
        if self.dealer_has_blackjack or not self.playing:
            return
        if self.must_draw or (self.may_be_blackjack and self.options.hole_card != "peek"):
            if HOLE_CARD not in self.cards:
                yield Deal(HOLE_CARD, "dealer")
            yield Turn(HOLE_CARD)
            yield task(self.second_card_shown)

    def second_card_shown(self) -> Items:
        """B-03, B-05: a blackjack that was not looked for shows now, and insurance with it."""
        if self.dealer_has_blackjack:
            yield Call("Dealer has a blackjack.")
        yield from self.insurance_settled(self.dealer_has_blackjack)
        if not self.dealer_has_blackjack and self.must_draw:
            yield task(self.draw)

    def draw(self) -> Items:
        """B-05: to 17; on a soft 17 as the house has it."""
        points, soft = total(self.dealer_hand)
        if points > 17 or (points == 17 and not (soft and self.options.hits_soft_17)):
            yield Call(f"Dealer has {points}." if points <= 21 else f"Dealer has {points}, too many.")
            return
        token = Token(None, f"draw {len(self.dealer_hand) - 1}")
        yield Deal(token, "dealer")
        yield Turn(token)
        yield task(self.draw)

    def settle(self) -> Items:
        """B-06: counter-clockwise from the dealer's right, hand by hand."""
        for seat in reversed(self.playing):
            for hand in range(1, self.hands(seat) + 1):
                if self.stake(seat, SPOTS[hand - 1]):
                    yield self.settled(seat, hand)

    def settled(self, seat: Seat, hand: int) -> Settlement:
        """B-02, B-04 to B-06: how a hand ends."""
        spot, natural = SPOTS[hand - 1], self.has_blackjack(seat)
        if self.dealer_has_blackjack:
            return self.push(seat, spot, "Both have a blackjack", "B-02") if natural else self.taken(seat, hand)
        if natural:
            pays = self.options.natural
            return self.win(seat, spot, "Blackjack", Odds("to", pays.numerator, pays.denominator), "B-02")
        if seat in self.surrendered:
            return self.half_lost(seat, "Surrender", "B-04")
        own, dealer = total(self.hand_of(seat, hand))[0], total(self.dealer_hand)[0]
        if own > 21:
            return self.lose(seat, spot, "Over 21", "B-04")
        if dealer > 21:
            return self.win(seat, spot, "Dealer is over 21", EVEN, "B-05")
        if own > dealer:
            return self.win(seat, spot, "Higher total", EVEN, "B-06")
        if own < dealer:
            return self.lose(seat, spot, "Lower total", "B-06")
        return self.push(seat, spot, "Equal totals", "B-06")

    def taken(self, seat: Seat, hand: int) -> Settlement:
        """B-01: a dealer's blackjack takes every wager, or only the first one of the seat."""
        spot, first_alone = SPOTS[hand - 1], ONLY_THE_FIRST
        if self.options.hole_card == "none_takes_original":
            if hand > 1:
                return self.push(seat, spot, first_alone, "B-01")
            if (seat, 1) in self.doubled:
                return self.half_lost(seat, first_alone, "B-01")
        return self.lose(seat, spot, "Dealer has a blackjack", "B-01")

    # What is told of the hands.

    def told_hands(self, known: Mapping[Token, Card]) -> Iterator[ToldHand]:
        """B-02: what each hand comes to; of the dealer's, first its upcard."""
        dealer = [card for token, card in known.items() if token.owner is None]
        if dealer:
            yield ToldHand(None, *(counted(dealer) if len(dealer) > 1 else (with_article(dealer[0]),)))
        for seat in self.seats:
            several = self.hands(seat) > 1
            for hand in range(1, self.hands(seat) + 1):
                cards = [known[token] for token in self.tokens_of(seat, hand) if token in known]
                if len(cards) > (not several):
                    yield ToldHand(seat, *counted(cards, natural=not several), number=hand)

    def why(self, settled: Settlement, before: "Blackjack") -> str:
        """B-02 to B-06: both totals, where they decide; a hand that was taken away still lay there before."""
        if settled.spot not in SPOTS or settled.line in ("Even money", "Surrender", ONLY_THE_FIRST):
            return in_sentence(settled.line)
        hand = SPOTS.index(settled.spot) + 1
        tokens = before.tokens_of(settled.seat, hand)
        cards = tuple(map(self.card, tokens))
        own = spoken(cards, natural=before.hands(settled.seat) == 1)
        if total(cards)[0] > 21:
            return f"{own} with the {cards[-1].name}"
        return f"{own} against {spoken(self.dealer_hand)}"

    # What a seat knows, and what the house refuses.

    def info(self, seat: Seat) -> Info:
        """B-04: a hand is played by its own cards and the dealer's; of the seat's other hands only their number."""
        hand = self.acting[1] if self.acting is not None and self.acting[0] == seat else 1
        info, places = super().info(seat), {"dealer", place_of(seat, hand)}
        shown = [(token, face) for token, face in self.cards.items() if face.place in places]
        cards = tuple((token.name, face.card, face.reading) for token, face in shown)
        others = [f.card for t, f in self.cards.items() if t.owner == seat and f.card and f.place not in places]
        elsewhere = {*SPOTS} - {SPOTS[hand - 1]}
        wagers = tuple((spot, amount) for spot, amount in info.wagers if spot not in elsewhere)
        gone = tuple(sorted(others, key=lambda card: card.text))
        return info._replace(wagers=wagers, cards=cards, gone=gone, facts=(hand, self.hands(seat)))

    @property
    def told(self) -> dict[str, str]:
        """The hand that is played, where the seat has several, and the hands that were doubled."""
        facts = {}
        if self.acting is not None and self.hands(self.acting[0]) > 1:
            facts["hand"] = str(self.acting[1])
        if self.doubled:
            facts["doubled"] = "; ".join(f"seat {seat}, hand {hand}" for seat, hand in self.doubled)
        return facts

    def alike_cards(self) -> Iterable[tuple[Token, ...]]:
        """B-02: the cards of a hand after its first one, and those of the dealer after the upcard. A split hand keeps
        its second card apart, by which it may be played."""
        for seat in self.seats:
            for hand in range(1, self.hands(seat) + 1):
                yield tuple(self.tokens_of(seat, hand)[1 + (self.hands(seat) > 1) :])
        yield tuple(token for token in self.cards if token.owner is None and token != UPCARD)

    def check(self, answer: Answer) -> None:
        """B-03, B-04, B-06: what the house refuses in the words of the rules."""
        if not isinstance(answer, Decide) or isinstance(answer.who, Role) or isinstance(self.next, Bet):
            return
        if not isinstance(self.next, Choose) or not self.next.is_for(answer.who):
            if answer.option in (INSURANCE.name, EVEN_MONEY.name):
                raise NotAllowed(f"{RULES[answer.option]}, to seats that have not answered yet.")
            if answer.option in RULES:
                raise NotAllowed(
                    f"It is not seat {answer.who}'s turn; hands are played one after the other (B-04, B-06)."
                )
            return
        offered = [option.name for option in self.next.options]
        if answer.option in RULES and answer.option not in offered:
            raise NotAllowed(f"{RULES[answer.option]}; choose one of: {', '.join(offered)}.")


NO_INSURANCE = Option("no insurance")
INSURANCE = Option("insurance", Extra("insurance", of="base", least=Fraction(0), most=Fraction(1, 2)))
EVEN_MONEY = Option("even money", then=Blackjack.take_even_money)
WITH_EVEN_MONEY = (NO_INSURANCE, INSURANCE, EVEN_MONEY)
INSURANCE_WINS = "Insurance wins if the dealer has a blackjack."
RULES = {
    "stand": "There is no hand to stand on now (B-04)",
    "hit": "This hand takes no card now (B-04)",
    "double": "This hand cannot be doubled: two cards of a total that the house posts (B-04)",
    "split": "Only two cards of equal value are split, up to the posted number of hands (B-04)",
    "surrender": "Only the first two cards are surrendered, where the house has it (B-04)",
    "insurance": "Insurance is offered against an ace, before the dealer looks (B-03)",
    "even money": "Even money is for a blackjack against an ace that pays 3 to 2 (B-03)",
}
"""Why an option may not be there."""


def situation(seat: Seat, cards: str, *, dealer: str) -> Situation:
    """B-04: a seat's cards against the dealer's upcard: T6 --dealer T."""
    own = parse_cards(cards)
    if len(own) < 2:
        raise BadCard("Give two cards or more, such as T6.")
    known = {card_of(seat, number): card for number, card in enumerate(own, 1)}
    decisions = ("hit",) * (len(own) - 2)
    return Situation({**known, UPCARD: one_card(dealer)}, decisions)


ROUND = Blackjack
ENUMERATOR = "enumerator"
