"""Every hand that is not over 21, as cards by rank without their order.

A rank is 0 for the ace, 1 to 8 for 2 to 9, and 9 for every card that counts ten. Hands are numbered by their hard total
(aces are 1), so that another card always leads to a higher number.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from feltworks.kit.errors import BadCard

RANKS = 10
ACE, TEN = 0, 9
NAMES = "A23456789T"
BUST = -1
"""Where a further card leads from a hand that it takes over 21."""

Cards = tuple[int, ...]
"""How many cards of each rank."""


def cards_of(ranks: Iterable[int]) -> Cards:
    """Cards by rank."""
    counts = [0] * RANKS
    for rank in ranks:
        counts[rank] += 1
    return tuple(counts)


def parse_ranks(text: str) -> list[int]:
    """The ranks of cards that are written one letter each; a face is a ten."""
    ranks = []
    for letter in text.upper().replace(" ", ""):
        letter = "T" if letter in "JQK" else letter
        if letter not in NAMES:
            raise BadCard(f"{letter!r} is not a card of blackjack; write A, 2 to 9, T, J, Q or K.")
        ranks.append(NAMES.index(letter))
    return ranks


def text_of(cards: Sequence[int]) -> str:
    """The cards of a hand, one letter each."""
    return "".join(name * int(number) for name, number in zip(NAMES, cards, strict=True))


def hard_total(cards: Sequence[int]) -> int:
    """The total with every ace as 1."""
    return sum((rank + 1) * number for rank, number in enumerate(cards))


def is_soft(cards: Sequence[int]) -> bool:
    """Whether an ace may count 11."""
    return cards[ACE] > 0 and hard_total(cards) <= 11


def total(cards: Sequence[int]) -> int:
    """The total of a hand (B-02)."""
    return hard_total(cards) + 10 * is_soft(cards)


def is_natural(cards: Sequence[int]) -> bool:
    """Whether two cards are a blackjack."""
    return sum(cards) == 2 and cards[ACE] == 1 and cards[TEN] == 1


def multisets(most: int, rank: int = 0) -> Iterator[Cards]:
    """All cards of this rank and higher with a hard total of at most this many, none among them."""
    if rank == RANKS:
        yield ()
        return
    for number in range(most // (rank + 1) + 1):
        for rest in multisets(most - number * (rank + 1), rank + 1):
            yield (number, *rest)


@dataclass(frozen=True)
class Hands:
    """All hands of at least one card that are not over 21."""

    number: dict[Cards, int]
    cards: NDArray[np.int64]
    """By hand and rank."""
    size: NDArray[np.int64]
    hard: NDArray[np.int64]
    soft: NDArray[np.bool_]
    total: NDArray[np.int64]
    after: NDArray[np.int64]
    """The hand after one more card, by hand and rank, or BUST."""

    def __len__(self) -> int:
        return len(self.size)

    def of(self, *ranks: int) -> int:
        """The number of the hand of these ranks."""
        return self.number[cards_of(ranks)]


@cache
def all_hands() -> Hands:
    """The hands, numbered."""
    listed = sorted((cards for cards in multisets(21) if any(cards)), key=lambda cards: (hard_total(cards), cards))
    number = {cards: place for place, cards in enumerate(listed)}
    cards = np.array(listed, np.int64)
    after = np.full((len(listed), RANKS), BUST, np.int64)
    for place, hand in enumerate(listed):
        for rank in range(min(RANKS, 21 - hard_total(hand))):
            after[place, rank] = number[(*hand[:rank], hand[rank] + 1, *hand[rank + 1 :])]
    hard = cards @ np.arange(1, RANKS + 1)
    soft = (cards[:, ACE] > 0) & (hard <= 11)
    return Hands(number, cards, cards.sum(1), hard, soft, hard + 10 * soft, after)
