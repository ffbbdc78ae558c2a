"""The cards nobody has seen, as counts, and the exact weight of each when one of them becomes known.

A sealed token without a reading is one unseen card among the others and drops out of every count. A sealed
token that a reader has looked at is known to lie in a set; the sets on sealed tokens are equal or disjoint, so
the weight of a card is a closed form: its count times the ways left to fill the read tokens.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from math import prod

from feltworks.kit.cards import SUITED_CARDS, SUITLESS_CARDS, SUITS, Card, CardSet
from feltworks.kit.errors import BadCard, BadValue, NotAllowed, NotPossible


@dataclass(frozen=True)
class Unseen:
    """How many of each card are unseen: 52 counts, or 13 when suits do not matter."""

    counts: tuple[int, ...]

    @classmethod
    def fresh(cls, decks: int, ranks: str = "23456789TJQKA", suits: str = SUITS) -> "Unseen":
        """A full pack of so many decks."""
        if not 1 <= decks <= 8:
            raise BadValue(f"{decks} decks cannot be; choose 1 to 8.")
        wanted = CardSet("pack", ranks, suits)
        return cls(tuple(decks if card in wanted else 0 for card in SUITED_CARDS))

    @property
    def suited(self) -> bool:
        return len(self.counts) == 52

    @property
    def cards(self) -> Sequence[Card]:
        return SUITED_CARDS if self.suited else SUITLESS_CARDS

    @cached_property
    def total(self) -> int:
        return sum(self.counts)

    @cached_property
    def suitless(self) -> "Unseen":
        """The same cards counted by rank alone."""
        if not self.suited:
            return self
        return Unseen(tuple(sum(self.counts[rank::13]) for rank in range(13)))

    @property
    def suits_are_even(self) -> bool:
        """Whether every suit that is there at all has the same counts."""
        rows = {self.counts[i : i + 13] for i in range(0, len(self.counts), 13)}
        return len([row for row in rows if any(row)]) <= 1

    def renamed(self, suits: str) -> "Unseen":
        """The same counts when these suits, in this order, are called c, d, h and s."""
        rows = [self.counts[13 * i : 13 * i + 13] for i in map(SUITS.index, suits)]
        return Unseen(tuple(chain.from_iterable(rows)))

    def count(self, card: Card) -> int:
        self._check_suit(card)
        return self.counts[card.index]

    def without(self, card: Card) -> "Unseen":
        if not self.count(card):
            raise NotPossible(f"{card} cannot be: none is left in the shoe.")
        return self._changed(card, -1)

    def plus(self, card: Card) -> "Unseen":
        self._check_suit(card)
        return self._changed(card, 1)

    def without_all(self, cards: Iterable[Card]) -> "Unseen":
        unseen = self
        for card in cards:
            unseen = unseen.without(card)
        return unseen

    def _changed(self, card: Card, by: int) -> "Unseen":
        i = card.index
        return Unseen((*self.counts[:i], self.counts[i] + by, *self.counts[i + 1 :]))

    def _check_suit(self, card: Card) -> None:
        if (card.suit is not None) != self.suited:
            raise BadCard(
                f"{card} needs a suit here: {card}c, {card}d, {card}h or {card}s."
                if self.suited
                else f"{card} has a suit, but only ranks are counted here: write {card.suitless}."
            )

    def size(self, among: CardSet) -> int:
        """How many unseen cards lie in the set."""
        return sum(
            count for card, count in zip(self.cards, self.counts, strict=True) if count and card in among
        )

    def chances(self, reading: CardSet | None, others: Mapping[CardSet, int]) -> dict[Card, int]:
        """The weight of each card when a token with this reading is turned.

        `others` counts the other sealed tokens by their reading.
        """
        if reading is not None:
            return {card: n for card, n in zip(self.cards, self.counts, strict=True) if n and card in reading}
        if not others:
            return {card: n for card, n in zip(self.cards, self.counts, strict=True) if n}
        sizes = {among: self.size(among) for among in others}
        outside = prod(sizes.values())
        weights = {}
        for card, n in zip(self.cards, self.counts, strict=True):
            among = next((s for s in others if card in s), None)
            weight = n * (
                outside if among is None else outside // sizes[among] * (sizes[among] - others[among])
            )
            if weight:
                weights[card] = weight
        return weights

    def reads(self, among: Sequence[CardSet], others: Mapping[CardSet, int]) -> dict[CardSet, int]:
        """The weight of each set when a reader looks at a sealed token that was not read before."""
        check_reading(among, others)
        weights = self.chances(None, others)
        return {s: w for s in among if (w := sum(n for card, n in weights.items() if card in s))}


def check_reading(among: Sequence[CardSet], others: Iterable[CardSet]) -> None:
    """Refuse sets that overlap, leave a card out, or cut across the sets already read on sealed tokens."""
    for card in SUITED_CARDS:
        if sum(card in s for s in among) != 1:
            raise NotAllowed(
                f"A reading needs disjoint sets that cover the pack; {card} is in none or several."
            )
    for s in among:
        for other in others:
            if s != other and s.meets(other):
                raise NotAllowed(
                    f"The set {s.name!r} cuts across {other.name!r}, which was read on a card that is still sealed."
                )
