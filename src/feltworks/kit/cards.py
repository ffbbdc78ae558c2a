"""Cards, named sets of cards, and tokens: what lies face down has a place and no identity."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NewType

from feltworks.kit.errors import BadCard, BadValue

Seat = NewType("Seat", int)

RANKS = "23456789TJQKA"
SUITS = "cdhs"
MOST_DECKS = 8
"""In a shoe or a shuffler (F-23)."""
RANK_NAMES = dict(
    zip(range(2, 15), "two three four five six seven eight nine ten jack queen king ace".split(), strict=True)
)
SUIT_NAMES = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


class Card:
    """A card: rank 2 to 14 (ace) and a suit, or no suit where a game says that suits do not matter.

    There is one object for each card, so that cards compare and hash by identity. A card without a suit refuses to
    tell one: a rule that looks at suits in a game that did not say so is found at once.
    """

    __slots__ = ("has_suit", "index", "rank", "suit", "text")
    rank: int
    suit: str
    has_suit: bool
    text: str
    index: int

    def __new__(cls, text: str) -> "Card":
        try:
            return _CARDS[text[:1].upper() + text[1:].lower()]
        except KeyError:
            raise BadCard(
                f"{text!r} is not a card; write the rank 2-9, T, J, Q, K or A and the suit c, d, h or s: As, Td, 7h."
            ) from None

    def __repr__(self) -> str:
        return self.text

    @property
    def name(self) -> str:
        """The card in words: "ace of spades", or "ace" when it has no suit."""
        rank = RANK_NAMES[self.rank]
        return f"{rank} of {SUIT_NAMES[self.suit]}" if self.has_suit else rank

    @property
    def suitless(self) -> "Card":
        return _CARDS[self.text[0]]

    def renamed(self, suits: str) -> "Card":
        """The card when these suits, in this order, are called c, d, h and s."""
        return _CARDS[self.text[0] + SUITS[suits.index(self.suit)]] if self.has_suit else self

    def __getattr__(self, name: str) -> str:
        if name == "suit":
            raise BadCard(f'{self.text} has no suit here; a wager that looks at suits says: matters = "rank and suit".')
        raise AttributeError(name)

    def __reduce__(self) -> tuple[type["Card"], tuple[str]]:
        return Card, (self.text,)


def _make(rank: int, suit: str | None, index: int) -> Card:
    card = object.__new__(Card)
    card.rank, card.index, card.has_suit = rank, index, suit is not None
    if suit is not None:
        card.suit = suit
    card.text = RANKS[rank - 2] + (suit or "")
    return card


_ALL = [_make(rank, suit, 13 * s + rank - 2) for s, suit in enumerate(SUITS) for rank in range(2, 15)]
_SUITLESS = [_make(rank, None, rank - 2) for rank in range(2, 15)]
_CARDS = {card.text: card for card in (*_ALL, *_SUITLESS)}

SUITED_CARDS: tuple[Card, ...] = tuple(_ALL)
SUITLESS_CARDS: tuple[Card, ...] = tuple(_SUITLESS)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read a run of cards: "AsKh", "2c 7d Jh", or suitless "T6"."""
    squeezed = re.sub(r"[\s,]+", "", text).replace("10", "T")
    parts = re.findall(r"[2-9TJQKA][cdhs]?|.", squeezed, flags=re.IGNORECASE)
    return tuple(Card(part) for part in parts)


def points(card: Card, *, ace: int = 1, court: int = 10) -> int:
    """What a card counts: two to ten their number, a court card ten, an ace one, unless a game says otherwise. At
    baccarat the last digit of the sum counts; at blackjack an ace counts eleven where that is not too many."""
    return ace if card.rank == 14 else court if card.rank > 10 else card.rank


def height(card: Card, *, ace: int = 1) -> int:
    """How high a card is where an ace is the lowest, or counts as whatever a game says; the others by their rank."""
    return ace if card.rank == 14 else card.rank


def check_decks(decks: int) -> None:
    """Refuse a number of decks that no shoe holds."""
    if not 1 <= decks <= MOST_DECKS:
        raise BadValue(f"{decks} decks are not possible; choose 1 to {MOST_DECKS}.")


def one_card(text: str) -> Card:
    """Read text that must be a single card."""
    cards = parse_cards(text)
    if len(cards) != 1:
        raise BadCard(f"{text!r} is {len(cards)} cards; give one, such as 7h.")
    return cards[0]


@dataclass(frozen=True)
class CardSet:
    """A named set of cards, as a card reader's light tells it: whole ranks, or some suits of them."""

    name: str
    ranks: str
    suits: str = SUITS

    def __contains__(self, card: Card) -> bool:
        if RANKS[card.rank - 2] not in self.ranks:
            return False
        if not card.has_suit:
            if self.suits != SUITS:
                raise BadCard(f"The set {self.name!r} looks at suits, and {card} has none.")
            return True
        return card.suit in self.suits

    def meets(self, other: "CardSet") -> bool:
        """Whether the two sets have a card in common."""
        return bool(set(self.ranks) & set(other.ranks) and set(self.suits) & set(other.suits))

    def __iter__(self) -> Iterator[Card]:
        """The suited cards of the set."""
        return (card for card in SUITED_CARDS if card in self)

    def __repr__(self) -> str:
        return self.name


class Token:
    """A card in the round by its place alone: whose it is (`None`: the house's or everybody's) and which.

    There is one object for each token, so that tokens compare and hash by identity: nothing is looked up more often.
    """

    __slots__ = ("name", "owner")
    __match_args__ = ("owner", "name")
    owner: Seat | None
    name: str

    def __new__(cls, owner: Seat | None, name: str) -> "Token":
        token = _TOKENS.get((owner, name))
        if token is None:
            made = object.__new__(cls)
            made.owner, made.name = owner, name
            token = _TOKENS.setdefault((owner, name), made)
        return token

    def __reduce__(self) -> tuple[type["Token"], tuple[Seat | None, str]]:
        return Token, (self.owner, self.name)

    def __repr__(self) -> str:
        return self.name if self.owner is None else f"seat {self.owner} {self.name}"


_TOKENS: dict[tuple[Seat | None, str], Token] = {}


def name_cards(*places: tuple[Sequence[Token], str]) -> dict[Token, Card]:
    """Which card each token is, as a person writes it: `name_cards((own(seat), "AsKh"), (FLOP, "2c7dJh"))`. Refuses
    another number of cards than there are tokens. Whether the pack has them, and whether a suit counts, is looked at
    where advice is given, by the game and by what is staked."""
    named: dict[Token, Card] = {}
    for tokens, text in places:
        cards = parse_cards(text)
        if len(cards) != len(tokens):
            example = "".join(("As", "Kd", "9c", "5h", "2s")[: len(tokens)])
            given = f"; {text!r} has {len(cards)}" if text else ""
            raise BadCard(f"Give {len(tokens)} card{'s' * (len(tokens) > 1)}, such as {example}{given}.")
        named.update(zip(tokens, cards, strict=True))
    return named
