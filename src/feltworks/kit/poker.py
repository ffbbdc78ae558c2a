"""Poker hands, read the way a dealer reads them: by count, by run, by suit."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from feltworks.kit.errors import BadValue

ACE = 14


class CardLike(Protocol):
    """All that a poker hand needs to know of a card."""

    @property
    def rank(self) -> int:
        """2 to 14, where 14 is the ace."""

    @property
    def suit(self) -> str:
        """One of c, d, h, s."""


class _Category(IntEnum):
    """Kinds of hands; a higher one beats a lower one."""

    @property
    def label(self) -> str:
        """The name as pay tables print it: "Three of a kind"."""
        return self.name.replace("_", " ").capitalize()


class HandRank(_Category):
    """The kinds of five-card hands."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


class ThreeCard(_Category):
    """The kinds of three-card hands, where a straight is rarer than a flush."""

    HIGH_CARD = 0
    PAIR = 1
    FLUSH = 2
    STRAIGHT = 3
    THREE_OF_A_KIND = 4
    STRAIGHT_FLUSH = 5


@dataclass(frozen=True, order=True, slots=True)
class Hand:
    """The worth of five cards: hands compare as they do at the table, and equal hands tie."""

    category: HandRank
    tiebreak: tuple[int, ...]
    """Ranks in the order in which they decide between two hands of one category."""


def best_hand(cards: Collection[CardLike]) -> Hand:
    """The best five of five, six or seven cards.

    Made for one deck. From several decks equal cards count like any others: five aces are four of a kind
    with an ace beside them, and a flush may hold one card twice.
    """
    if not 5 <= len(cards) <= 7:
        raise BadValue(f"A poker hand is read from 5, 6 or 7 cards, not from {len(cards)}.")
    suited = _flush(cards)
    if suited and (top := _straight(suited)):
        return Hand(HandRank.ROYAL_FLUSH if top == ACE else HandRank.STRAIGHT_FLUSH, (top,))
    counts = Counter([card.rank for card in cards])
    ranks = sorted(counts, reverse=True)
    # The sort is stable: within one count the ranks stay from high to low.
    first, second, *_ = (*sorted(ranks, key=counts.__getitem__, reverse=True), 0)
    if counts[first] >= 4:
        return Hand(HandRank.FOUR_OF_A_KIND, (first, max(r for r in ranks if r != first or counts[r] > 4)))
    if counts[first] == 3 and counts[second] >= 2:
        return Hand(HandRank.FULL_HOUSE, (first, second))
    if suited:
        return Hand(HandRank.FLUSH, tuple(suited[:5]))
    if top := _straight(ranks):
        return Hand(HandRank.STRAIGHT, (top,))
    if counts[first] == 3:
        return Hand(HandRank.THREE_OF_A_KIND, (first, *_others(ranks, first)[:2]))
    if counts[second] == 2:
        return Hand(HandRank.TWO_PAIR, (first, second, _others(ranks, first, second)[0]))
    if counts[first] == 2:
        return Hand(HandRank.PAIR, (first, *_others(ranks, first)[:3]))
    return Hand(HandRank.HIGH_CARD, tuple(ranks[:5]))


@dataclass(frozen=True, order=True, slots=True)
class ThreeCardHand:
    """The worth of three cards: hands compare as they do at the table, and equal hands tie."""

    category: ThreeCard
    tiebreak: tuple[int, ...]
    """Ranks in the order in which they decide between two hands of one category."""


def three_cards(cards: Collection[CardLike]) -> ThreeCardHand:
    """What three cards are worth: a straight flush beats three of a kind, a straight, a flush, a pair, a high card."""
    category = three_card_hand(cards)
    counts = Counter([card.rank for card in cards])
    if category in (ThreeCard.STRAIGHT, ThreeCard.STRAIGHT_FLUSH):
        return ThreeCardHand(category, (_straight(counts, length=3),))
    return ThreeCardHand(category, tuple(sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)))


def three_card_hand(cards: Collection[CardLike], *, ace_low_straight: bool = True) -> ThreeCard:
    """The kind of hand that three cards make, from any number of decks; the highest kind that fits."""
    if len(cards) != 3:
        raise BadValue(f"A three-card hand is read from 3 cards, not from {len(cards)}.")
    ranks = {card.rank for card in cards}
    flush = len({card.suit for card in cards}) == 1
    straight = _straight(ranks, length=3, ace_low=ace_low_straight)
    if flush and straight:
        return ThreeCard.STRAIGHT_FLUSH
    if len(ranks) == 1:
        return ThreeCard.THREE_OF_A_KIND
    if straight:
        return ThreeCard.STRAIGHT
    if flush:
        return ThreeCard.FLUSH
    return ThreeCard.PAIR if len(ranks) == 2 else ThreeCard.HIGH_CARD


def describe(hand: Hand | ThreeCardHand) -> str:
    """The hand as the dealer calls it: "full house, kings over fours"."""
    one = [_NAMES[rank] for rank in hand.tiebreak]
    many = [f"{name}es" if name.endswith("x") else f"{name}s" for name in one]
    return _CALLS[HandRank[hand.category.name]].format(one=one, many=many)


def _flush(cards: Collection[CardLike]) -> Sequence[int]:
    """The ranks of the suit held five times or more, from high to low; nothing without a flush."""
    suits = [card.suit for card in cards]
    # In up to seven cards the suit of a flush is the middle one when they are sorted.
    suit = sorted(suits)[len(suits) // 2]
    if suits.count(suit) < 5:
        return ()
    return sorted((card.rank for card in cards if card.suit == suit), reverse=True)


def _straight(ranks: Iterable[int], *, length: int = 5, ace_low: bool = True) -> int:
    """The top rank of the highest run of that length, 0 without one."""
    held = 0
    for rank in ranks:
        held |= 1 << rank
    if ace_low and held >> ACE:
        held |= 1 << 1
    # After each step a bit stays only where the run reaches one rank further down.
    for _ in range(length - 1):
        held &= held << 1
    return held.bit_length() - 1 if held else 0


def _others(ranks: Iterable[int], *used: int) -> list[int]:
    return [rank for rank in ranks if rank not in used]


_NAMES = {
    2: "two",
    3: "three",
    4: "four",
    5: "five",
    6: "six",
    7: "seven",
    8: "eight",
    9: "nine",
    10: "ten",
    11: "jack",
    12: "queen",
    13: "king",
    ACE: "ace",
}

_CALLS = {
    HandRank.HIGH_CARD: "{one[0]} high",
    HandRank.PAIR: "pair of {many[0]}",
    HandRank.TWO_PAIR: "two pair, {many[0]} and {many[1]}",
    HandRank.THREE_OF_A_KIND: "three of a kind, {many[0]}",
    HandRank.STRAIGHT: "straight, {one[0]} high",
    HandRank.FLUSH: "flush, {one[0]} high",
    HandRank.FULL_HOUSE: "full house, {many[0]} over {many[1]}",
    HandRank.FOUR_OF_A_KIND: "four of a kind, {many[0]}",
    HandRank.STRAIGHT_FLUSH: "straight flush, {one[0]} high",
    HandRank.ROYAL_FLUSH: "royal flush",
}
