"""Cards and dice for a check: random ones, among them such as hardly ever come."""

from collections.abc import Iterable
from random import Random
from typing import Self

from feltworks.kit.cards import Card, Token
from feltworks.kit.errors import NotPossible
from feltworks.kit.game import Game
from feltworks.kit.round import SHUFFLER
from feltworks.kit.steps import Effect, Move


class Deal:
    """What one deal brings, whichever course it takes: courses that part draw the same cards from there on."""

    def __init__(self, game: Game, seed: int) -> None:
        self.seed = seed
        self._left = _shoe(game, Random(seed))
        self._sealed: dict[Token, Card] = {}
        self._asked = 0

    def parted(self) -> Self:
        """The same deal for another course."""
        other = object.__new__(type(self))
        other.seed, other._asked = self.seed, self._asked
        other._left, other._sealed = self._left.copy(), self._sealed.copy()
        return other

    def fresh(self, game: Game) -> None:
        """Another round begins."""
        self.seed += 1_000_003
        self._left, self._sealed = _shoe(game, Random(self.seed)), {}

    def draw(self, token: Token) -> None:
        if not self._left:
            raise NotPossible("The shoe is empty.")
        self._sealed[token] = self._left.pop()

    def card(self, token: Token) -> Card:
        return self._sealed[token]

    def roll(self, dice: int) -> tuple[int, ...]:
        return tuple(int(self.chance() * 6) + 1 for _ in range(dice))

    def chance(self) -> float:
        """A number from 0 to 1, by the deal and how many were asked for: quicker than a generator of its own."""
        self._asked += 1
        mixed = (self.seed * 1_000_003 + self._asked) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
        return ((mixed ^ mixed >> 31) >> 11) / (1 << 53)

    @property
    def dealt(self) -> int:
        """How many cards are out of the shoe."""
        return len(self._sealed)

    def happened(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Move) and isinstance(effect.what, Token) and effect.to == SHUFFLER:
                self._left.insert(len(self._left) // 2, self._sealed.pop(effect.what))


def _shoe(game: Game, random: Random) -> list[Card]:
    """A shuffled pack. In every second deal a few ranks or one suit come first, so that there are pairs, ties and
    flushes."""
    pack = game.fresh()
    if pack is None:
        return []
    cards = pack.all_cards()
    random.shuffle(cards)
    match random.randrange(6):
        case 0 | 1:
            ranks = random.sample(sorted({card.rank for card in cards}), min(3, len({card.rank for card in cards})))
            cards.sort(key=lambda card: card.rank in ranks and random.random() < 0.7)
        case 2:
            suit = random.choice(cards).suit
            cards.sort(key=lambda card: card.suit == suit and random.random() < 0.8)
    return cards
