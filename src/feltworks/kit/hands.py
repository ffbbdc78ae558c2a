"""Hands in words: what the cards that somebody knows make, as a round tells it and a screen only draws it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from feltworks.kit.cards import RANK_NAMES, Card, Seat, Token
from feltworks.kit.poker import Hand, ThreeCardHand, best_hand, describe

NO_ARTICLE = ("HIGH_CARD", "TWO_PAIR", "THREE_OF_A_KIND", "FOUR_OF_A_KIND")
"""The categories that are told without one: "king high", "two pair, kings and fours"."""


@dataclass(frozen=True)
class ToldHand:
    """A hand that lies on the table: whose it is (`None`: the dealer's), which of the owner's, and what it is."""

    owner: Seat | None
    words: str
    """As it stands in a sentence: "a pair of kings", "a soft 17"."""
    brief: str = ""
    """As it is written beside the cards: "Pair of kings", "7/17"; nothing where nothing is written there."""
    counts: tuple[Token, ...] = ()
    """The cards that make it, where not all of them do."""
    number: int = 1

    def __post_init__(self) -> None:
        """What a screen could not show is refused in the line of the rule that says it."""
        if not (self.owner is None or isinstance(self.owner, int)):
            raise TypeError(f"`owner` of a ToldHand is a seat, or None for the dealer, and no {_kind(self.owner)}")
        for name, text in (("words", self.words), ("brief", self.brief)):
            if not isinstance(text, str):
                raise TypeError(f"`{name}` of a ToldHand is text, and no {_kind(text)}")
        if not (isinstance(self.counts, tuple | list) and all(isinstance(token, Token) for token in self.counts)):
            wrong = next((one for one in _several(self.counts) if not isinstance(one, Token)), self.counts)
            raise TypeError(f"`counts` of a ToldHand is a tuple of tokens, and no {_kind(wrong)}")
        if not isinstance(self.number, int):
            raise TypeError(
                f"`number` of a ToldHand counts the hands of its owner from 1, and is no {_kind(self.number)}"
            )


def _kind(thing: object) -> str:
    return type(thing).__name__


def _several(thing: object) -> Sequence[object]:
    return thing if isinstance(thing, tuple | list) else (thing,)


def poker_words(hand: Hand | ThreeCardHand) -> str:
    """A poker hand as it stands in a sentence: "a pair of kings", "two pair, kings and fours"."""
    return describe(hand) if hand.category.name in NO_ARTICLE else f"a {describe(hand)}"


def compared_words(hand: Hand | ThreeCardHand, dealer: Hand | ThreeCardHand) -> str:
    """Both hands of a showdown in a sentence: "a pair of kings beats a pair of tens"."""
    mine, theirs = poker_words(hand), poker_words(dealer)
    if hand == dealer:
        return f"both have {mine}"
    beats = "beats" if hand > dealer else "loses to"  # type: ignore[operator]  # hands of one kind
    return f"{mine} {beats} the same on the side cards" if mine == theirs else f"{mine} {beats} {theirs}"


def poker_hand(owner: Seat | None, cards: Mapping[Token, Card]) -> ToldHand:
    """The best five of five to seven cards."""
    five = _best_five(tuple(cards.values()))
    hand = best_hand([card for _, card in five])
    brief = describe(hand).partition(",")[0]
    tokens = tuple(cards)
    return ToldHand(owner, poker_words(hand), capital(brief), tuple(tokens[place] for place, _ in five))


@lru_cache(256)
def _best_five(cards: tuple[Card, ...]) -> tuple[tuple[int, Card], ...]:
    """The cards that make the best hand, with their places. Everybody at a table asks about the same cards."""
    best = best_hand(cards)
    return next(five for five in combinations(enumerate(cards), 5) if best_hand([card for _, card in five]) == best)


def sign(card: Card) -> str:
    """The rank as it is printed on the card: "10", "K"."""
    return card.text[0].replace("T", "10")


def with_article(card: Card) -> str:
    """The rank of a card in a sentence: "an eight", "a king"."""
    name = card.suitless.name
    return f"a{'n' * (name[0] in 'ae')} {name}"


def plural(rank: int) -> str:
    """Several cards of one rank: "sixes", "kings"."""
    return f"{RANK_NAMES[rank]}{'es' if rank == 6 else 's'}"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def in_sentence(line: str) -> str:
    """A line of a pay table within a sentence: "three of a kind"; what begins with a name in capitals stays."""
    return line[:1].lower() + line[1:] if line[1:2].islower() or line[1:2] == " " else line
