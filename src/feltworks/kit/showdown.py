"""What a showdown game declares of its hands, so that it can be solved from its rules.

Most poker games at a table have one shape: cards of the seat, common cards, cards of the dealer; decisions in between;
at the end hands are compared, and paid by their kind. The round says all of it but one thing: which cards make whose
hand, and what of a hand the rules tell apart. That is declared here, in a dozen lines.

Rules that settle by `seat_kind`, `dealer_kind`, `better` and `side_kind` alone are settled by these answers: the engine
walks them with cards that nobody can look at, and a rule that looks at one all the same is named with its line.
"""

import sys
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, NoReturn

from feltworks.kit.cards import Card, Seat, Token
from feltworks.kit.errors import FaultyRules, FeltworksError
from feltworks.kit.hands import ToldHand, capital, compared_words, in_sentence, poker_hand, poker_words
from feltworks.kit.odds import EVEN, Pay
from feltworks.kit.poker import Hand, ThreeCardHand, best_hand, describe, three_cards
from feltworks.kit.round import DISCARD, WITHDRAWN, Round
from feltworks.kit.steps import Settlement

KIT = Path(__file__).parent
ENGINE = "feltworks.lab.showdown"
"""The module that solves every game that declares its hands; nothing else of the kit knows it."""
BETTER, TIE, WORSE = "Better hand", "Tie", "Dealer's hand is better"
"""The lines of a wager on the better hand."""
NOT_QUALIFIED = "Dealer does not qualify"
"""The line of a wager that is decided by the dealer's hand being too low to play."""

Value = Any
"""What a hand is worth: anything that has an order, in which equal hands tie."""
Kind = Hashable
"""What rules and pay tables tell apart of a hand: a category, the name of a line, whether it qualifies."""


def _one_kind(value: Value) -> Kind:
    return None


@dataclass(frozen=True)
class HandOf:
    """A hand: which cards make it, what it is worth beside other hands, and what of it the rules tell apart.

    `tokens` are cards of the seat and common ones, as a function of the seat, or the same ones for all seats. `value`
    reads the cards: `three_cards`, `best_hand`, or a function of one's own. `kind` is a function of that value, and so
    is `name`.
    """

    tokens: Callable[[Seat], tuple[Token, ...]] | tuple[Token, ...]
    value: Callable[[Collection[Card]], Value]
    kind: Callable[[Value], Kind] = _one_kind
    name: Callable[[Value], str] | None = None
    """How a value is called in a strategy and beside the cards: "pair of kings". Hands of the kit have names; any other
    value without one is told as text."""

    def cards_of(self, seat: Seat) -> tuple[Token, ...]:
        return self.tokens(seat) if callable(self.tokens) else self.tokens


@dataclass(frozen=True)
class Showdown:
    """The hands of a game: the seat's, the dealer's if they are compared, and those of side wagers, by wager."""

    seat: HandOf
    dealer: HandOf | None = None
    sides: Mapping[str, HandOf] = field(default_factory=dict)


def check_declared(round_class: type, wagers: Collection[str]) -> None:
    """What a round declares of its hands has to be hands, and what side wagers go by has to be of wagers."""
    shown = getattr(round_class, "showdown", None)
    if not isinstance(shown, Showdown):
        raise FaultyRules(
            f"{round_class.__name__} is a ShowdownRound and declares no hands; set its `showdown` to a Showdown, or"
            " make it a Round."
        )
    hands = {"seat": shown.seat, "dealer": shown.dealer, **shown.sides}
    for name, hand in hands.items():
        if not isinstance(hand, HandOf) and not (name == "dealer" and hand is None):
            raise FaultyRules(
                f"{round_class.__name__} declares {hand!r} for {name}; write HandOf(tokens, value, kind)."
            )
    for name in shown.sides:
        if name not in wagers:
            raise FaultyRules(
                f"{round_class.__name__} declares a hand under `sides` for {name!r}, which is no wager of game.toml; a"
                f" side wager has one hand, under its own name: {', '.join(wagers)}."
            )


class Signature(NamedTuple):
    """All that settles a round: the seat's kind of hand, the dealer's, and which hand is better (1 the seat's, 0
    neither, -1 the dealer's); and the kinds of the hands that side wagers go by."""

    seat: Kind
    dealer: Kind = None
    better: int = 0
    sides: Mapping[str, Kind] = {}


class CardLookedAt(FeltworksError):
    """A rule looks at a card where only the declared hands may be asked for."""


class OpaqueCard(Card):
    """A card that nobody can look at. It knows how the round ends that it is dealt in."""

    __slots__ = ("signature",)
    signature: Signature

    def __new__(cls, signature: Signature) -> "OpaqueCard":
        card: OpaqueCard = object.__new__(cls)
        card.signature = signature
        return card

    def __getattr__(self, name: str) -> NoReturn:
        raise CardLookedAt(_where())

    def __eq__(self, other: object) -> bool:
        raise CardLookedAt(_where())

    def __hash__(self) -> int:
        raise CardLookedAt(_where())

    def __repr__(self) -> str:
        raise CardLookedAt(_where())


def _where() -> str:
    """The line of the rules that is being worked off."""
    frame = sys._getframe(1)
    while frame.f_back is not None and Path(frame.f_code.co_filename).is_relative_to(KIT):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}: {frame.f_code.co_qualname} looks at a card"


@dataclass(frozen=True)
class ShowdownRound(Round):
    """A round of a game whose hands are declared. A game sets `showdown`, and its rules ask what the hands are."""

    showdown: ClassVar[Showdown]

    def seat_kind(self, seat: Seat) -> Any:
        """The kind of a seat's hand."""
        return self._kind(self.showdown.seat, seat, lambda signature: signature.seat)

    def dealer_kind(self) -> Any:
        """The kind of the dealer's hand."""
        return self._kind(self._dealer, self.seats[0], lambda signature: signature.dealer)

    def better(self, seat: Seat) -> int:
        """Which hand is better: 1 the seat's, -1 the dealer's, 0 neither."""
        mine, theirs = self._open(self.showdown.seat, seat), self._open(self._dealer, seat)
        if isinstance(mine[0], OpaqueCard):
            return mine[0].signature.better
        own, dealer = self.showdown.seat.value(mine), self._dealer.value(theirs)
        return int(own > dealer) - int(own < dealer)

    def side_kind(self, seat: Seat, wager: str) -> Any:
        """The kind of the hand that a side wager goes by."""
        return self._kind(self._side(wager), seat, lambda signature: signature.sides[wager])

    def against_dealer(self, seat: Seat, spot: str, rule: str, pay: Pay = EVEN) -> Settlement:
        """A wager on the better hand: it pays so much, is lost to the dealer's better hand, and comes back on a tie."""
        better = self.better(seat)
        if better > 0:
            return self.win(seat, spot, BETTER, pay, rule)
        return self.lose(seat, spot, WORSE, rule) if better < 0 else self.push(seat, spot, TIE, rule)

    def withdraw(self, seat: Seat, spot: str, rule: str) -> Settlement:
        """The older name of `take_back`."""
        return self.take_back(seat, spot, rule)

    # What is told of the hands.

    def told_hands(self, known: Mapping[Token, Card]) -> Iterator[ToldHand]:
        """Every declared hand of which the cards are known: of a hand with common cards, from five cards on."""
        dealers = [(None, self.showdown.dealer)] if self.showdown.dealer else []
        for owner, hand in (*dealers, *((seat, self.showdown.seat) for seat in self.seats)):
            tokens = hand.cards_of(owner or self.seats[0])
            lying = {token: known[token] for token in tokens if token in known and self.cards[token].place != DISCARD}
            if any(token.owner == owner and token not in lying for token in tokens if token not in self._common):
                continue
            if hand.name is not None and len(lying) == len(tokens):
                words = hand.name(hand.value(tuple(lying.values())))
                yield ToldHand(owner, words, capital(words))
            elif hand.value is best_hand and len(lying) >= 5:
                yield poker_hand(owner, lying)
            elif hand.value is three_cards and len(lying) == 3:
                value = three_cards(lying.values())
                yield ToldHand(owner, poker_words(value), capital(describe(value).partition(",")[0]))

    @property
    def _common(self) -> frozenset[Token]:
        """The cards that stand in the seat's hand and belong to nobody."""
        return frozenset(token for token in self.showdown.seat.cards_of(self.seats[0]) if token.owner is None)

    def why(self, settled: Settlement, before: Round) -> str:
        """By which hands a wager was settled, where they lie open."""
        seat = settled.seat
        if settled.spot in self.showdown.sides:
            side = self._told(self.showdown.sides[settled.spot], seat)
            return in_sentence(settled.line) if side is None else poker_words(side)
        mine, dealer = self._told(self.showdown.seat, seat), self._told(self.showdown.dealer, seat)
        if dealer is not None and settled.line == NOT_QUALIFIED:
            return f"the dealer's {describe(dealer)} does not qualify"
        if mine is None or settled.line == WITHDRAWN:
            return in_sentence(settled.line)
        return poker_words(mine) if dealer is None else compared_words(mine, dealer)

    def _told(self, hand: HandOf | None, seat: Seat) -> Hand | ThreeCardHand | None:
        """What a hand is worth, if it lies open and there are words for it."""
        tokens = hand.cards_of(seat) if hand is not None else ()
        if hand is None or not all(token in self.cards and self.cards[token].card for token in tokens):
            return None
        value = hand.value(self._open(hand, seat))
        return value if isinstance(value, Hand | ThreeCardHand) else None

    @property
    def _dealer(self) -> HandOf:
        if self.showdown.dealer is None:
            raise FaultyRules(f"{type(self).__name__} asks for the dealer's hand; declare it in its `showdown`.")
        return self.showdown.dealer

    def _side(self, wager: str) -> HandOf:
        if wager not in self.showdown.sides:
            raise FaultyRules(f"{type(self).__name__} asks for the hand of {wager!r}; declare it under `sides`.")
        return self.showdown.sides[wager]

    def _open(self, hand: HandOf, seat: Seat) -> tuple[Card, ...]:
        return tuple(map(self.card, hand.cards_of(seat)))

    def _kind(self, hand: HandOf, seat: Seat, told: Callable[[Signature], Kind]) -> Kind:
        cards = self._open(hand, seat)
        if isinstance(cards[0], OpaqueCard):
            return told(cards[0].signature)
        return hand.kind(hand.value(cards))
