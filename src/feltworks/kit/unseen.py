"""The cards nobody has seen, as counts, and the exact weight of each when one of them becomes known.

A sealed token that no reader has read is one unseen card among the others and drops out of every count. A sealed
token that a reader has looked at is known to lie in a set; the sets on sealed tokens are equal or disjoint, so
the weight of a card is a closed form: its count times the ways left to fill the read tokens.

A card that goes back into the shuffler is unseen again, but a token that was dealt before cannot be it. As long as
such tokens are sealed, the unseen cards remember which of them came back; and when an equal card is dealt, both
beliefs, that it was this very card or another one like it, with their weights.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain
from math import gcd, lcm, prod

from feltworks.kit.cards import RANKS, SUITED_CARDS, SUITLESS_CARDS, SUITS, Card, CardSet, check_decks
from feltworks.kit.errors import BadCard, NotAllowed, NotPossible


@dataclass(frozen=True)
class Unseen:
    """How many of each card are unseen: 52 counts, or 13 when suits do not matter."""

    counts: tuple[int, ...]
    beliefs: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """Weights of what earlier tokens cannot be: counts of the cards that came back and are still in the shoe."""

    @classmethod
    def fresh(cls, decks: int, ranks: str = "23456789TJQKA", suits: str = SUITS) -> "Unseen":
        """A full pack of so many decks."""
        return _pack(decks, ranks, suits)

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

    def alike(self, groups: tuple[str, ...]) -> "Unseen":
        """The same cards where these ranks are alike: the first of each group stands for all of it."""
        counts = list(self.counts)
        for group in groups:
            first, *others = (RANKS.index(rank) for rank in group)
            for row in range(0, len(counts), 13):
                for other in others:
                    counts[row + first] += counts[row + other]
                    counts[row + other] = 0
        return Unseen(tuple(counts))

    @property
    def suits_are_even(self) -> bool:
        """Whether every suit that is there at all has the same counts."""
        rows = {self.counts[i : i + 13] for i in range(0, len(self.counts), 13)}
        return len([row for row in rows if any(row)]) <= 1

    def renamed(self, suits: str) -> "Unseen":
        """The same counts when these suits, in this order, are called c, d, h and s."""

        def rename(counts: tuple[int, ...]) -> tuple[int, ...]:
            return tuple(chain.from_iterable(counts[13 * i : 13 * i + 13] for i in map(SUITS.index, suits)))

        beliefs = sorted((weight, rename(back)) for weight, back in self.beliefs)
        return Unseen(rename(self.counts), tuple(beliefs))

    def suit_row(self, suit: str) -> tuple[object, ...]:
        """All that is counted in a suit: suits with equal rows are alike."""
        i = 13 * SUITS.index(suit)
        return self.counts[i : i + 13], *(back[i : i + 13] for _, back in self.beliefs)

    def all_cards(self) -> list[Card]:
        """Every unseen card, as often as it is there."""
        return [card for card, n in zip(self.cards, self.counts, strict=True) for _ in range(n)]

    def count(self, card: Card) -> int:
        self._check_suit(card)
        return self.counts[card.index]

    def without(self, card: Card, *, earlier: bool = False, waiting: int = 0) -> "Unseen":
        """The unseen cards when a token turns out to be this card: one dealt before a card came back, or after it.

        `waiting` counts the sealed tokens that were dealt before, this one included.
        """
        if not self.count(card):
            raise NotPossible(f"{card} is not possible: none is left in the shoe.")
        left = self._changed(card, -1)
        if not self.beliefs or waiting - earlier < 1:
            return left
        weights: dict[tuple[int, ...], int] = defaultdict(int)
        for back, stayed, came_back in self._scales(earlier, waiting):
            i = card.index
            weights[back] += stayed * (self.counts[i] - back[i])
            if came_back and back[i]:
                weights[_changed(back, card, -1)] += came_back * back[i]
        shared = gcd(*weights.values()) or 1
        beliefs = sorted((weight // shared, back) for back, weight in weights.items() if weight)
        return Unseen(left.counts, tuple(beliefs))

    def _scales(self, earlier: bool, waiting: int) -> list[tuple[tuple[int, ...], int, int]]:
        """For each belief what one card weighs that never left the shoe, and one that came back.

        An earlier token is any of the cards that stayed, each as likely as another. A later one is a card that came
        back, or one of those that stayed unless an earlier token is it.
        """
        sizes = [self.total - sum(back) for _, back in self.beliefs]
        common = lcm(*sizes)
        return [
            (
                back,
                weight * (common // stayed) * (1 if earlier else stayed - waiting),
                0 if earlier else weight * common,
            )
            for (weight, back), stayed in zip(self.beliefs, sizes, strict=True)
        ]

    def plus(self, card: Card) -> "Unseen":
        self._check_suit(card)
        return self._changed(card, 1)

    def put_back(self, card: Card) -> "Unseen":
        """A card goes back while other tokens are sealed, which cannot be it."""
        whole = self.plus(card)
        before = self.beliefs or ((1, (0,) * len(self.counts)),)
        return Unseen(whole.counts, tuple((weight, _changed(back, card, 1)) for weight, back in before))

    @property
    def came_back(self) -> list[Card]:
        """The cards that came back while tokens that are still sealed lay on the table."""
        most = [max(column) for column in zip(*(back for _, back in self.beliefs), strict=True)]
        return [card for card, n in zip(self.cards, most, strict=False) for _ in range(n)]

    def without_all(self, cards: Iterable[Card]) -> "Unseen":
        unseen = self
        for card in cards:
            unseen = unseen.without(card)
        return unseen

    def _changed(self, card: Card, by: int) -> "Unseen":
        return Unseen(_changed(self.counts, card, by))

    def _check_suit(self, card: Card) -> None:
        if card.has_suit != self.suited:
            raise BadCard(
                f"{card} needs a suit here: {card}c, {card}d, {card}h or {card}s."
                if self.suited
                else f"{card} has a suit, but only ranks are counted here: write {card.suitless}."
            )

    def size(self, among: CardSet) -> int:
        """How many unseen cards lie in the set."""
        return sum(count for card, count in zip(self.cards, self.counts, strict=True) if count and card in among)

    def chances(
        self,
        shown: CardSet | None,
        others: Mapping[CardSet, int],
        *,
        earlier: bool = False,
        waiting: int = 0,
    ) -> dict[Card, int]:
        """The weight of each card when a token is turned, of which a reader has shown this set or nothing.

        `others` counts the other sealed tokens by the set that was shown; `earlier` and `waiting` are as in `without`.
        """
        if self.beliefs and waiting:
            if shown is not None or others:
                raise NotAllowed(
                    "A card cannot go back into the shuffler while a reader has shown something of a sealed card."
                )
            return self._believed(earlier, waiting)
        if shown is not None:
            return {card: n for card, n in zip(self.cards, self.counts, strict=True) if n and card in shown}
        if not others:
            return {card: n for card, n in zip(self.cards, self.counts, strict=True) if n}
        sizes = {among: self.size(among) for among in others}
        outside = prod(sizes.values())
        weights = {}
        for card, n in zip(self.cards, self.counts, strict=True):
            among = next((s for s in others if card in s), None)
            weight = n * (outside if among is None else outside // sizes[among] * (sizes[among] - others[among]))
            if weight:
                weights[card] = weight
        return weights

    def _believed(self, earlier: bool, waiting: int) -> dict[Card, int]:
        """The weights over all beliefs about which unseen cards came back."""
        weights: dict[Card, int] = {}
        scales = self._scales(earlier, waiting)
        for card, count in zip(self.cards, self.counts, strict=True):
            i = card.index
            weight = sum(stayed * (count - back[i]) + came_back * back[i] for back, stayed, came_back in scales)
            if weight:
                weights[card] = weight
        return weights

    def reads(self, among: Sequence[CardSet], others: Mapping[CardSet, int]) -> dict[CardSet, int]:
        """The weight of each set when a reader looks at a sealed token that was not read before."""
        check_sets(among, others)
        if self.beliefs:
            raise NotAllowed("A sealed card cannot be read after another one went back into the shuffler.")
        weights = self.chances(None, others)
        return {s: w for s in among if (w := sum(n for card, n in weights.items() if card in s))}


def _changed(counts: tuple[int, ...], card: Card, by: int) -> tuple[int, ...]:
    i = card.index
    return (*counts[:i], counts[i] + by, *counts[i + 1 :])


def check_sets(among: Sequence[CardSet], others: Iterable[CardSet]) -> None:
    """Refuse sets that overlap, leave a card out, or cut across the sets already read on sealed tokens."""
    if odd := _in_none_or_several(tuple(among)):
        raise NotAllowed(f"A card reader needs disjoint sets that cover the pack; {odd} is in none or several.")
    for s in among:
        for other in others:
            if s != other and s.meets(other):
                raise NotAllowed(
                    f"The set {s.name!r} cuts across {other.name!r}, which was read on a card that is still sealed."
                )


@cache
def _pack(decks: int, ranks: str, suits: str) -> Unseen:
    check_decks(decks)
    wanted = CardSet("pack", ranks, suits)
    return Unseen(tuple(decks if card in wanted else 0 for card in SUITED_CARDS))


@cache
def _in_none_or_several(among: tuple[CardSet, ...]) -> Card | None:
    return next((card for card in SUITED_CARDS if sum(card in s for s in among) != 1), None)
