"""Chance sources: who knows what a sealed card is, and what the dice show.

The round asks at every deal, turn, look of a card reader and roll; a source answers. A shuffled shoe and a script are
here; an enumerator, a live generator and a person who types what real cards show answer the same four questions.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Protocol

from feltworks.kit.cards import Card, CardSet, Token
from feltworks.kit.errors import NotPossible
from feltworks.kit.round import SHUFFLER
from feltworks.kit.steps import DEALT, Answer, Deal, Effect, Move, Read, Roll, Turn
from feltworks.kit.unseen import Unseen, check_sets

Asked = Deal | Turn | Read | Roll


class ChanceSource(Protocol):
    """Answers what is left to chance, and is told what the answer caused."""

    def answer(self, step: Asked) -> Answer: ...

    def happened(self, effects: Iterable[Effect]) -> None: ...


class _Dealing:
    """What every source that deals has in common: it remembers which card each token is."""

    def __init__(self) -> None:
        self._sealed: dict[Token, Card] = {}

    def answer(self, step: Asked) -> Answer:
        match step:
            case Deal(token):
                self._sealed[token] = self.draw()
                return DEALT
            case Turn(token):
                return self._sealed[token]
            case Read(token, among):
                return _set_of(self._sealed[token], among)
            case Roll(dice):
                return self.roll(dice)

    def happened(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Move) and isinstance(effect.what, Token) and effect.to == SHUFFLER:
                self.put_back(self._sealed.pop(effect.what))

    def draw(self) -> Card:
        raise NotPossible("There are no cards in this chance source.")

    def put_back(self, card: Card) -> None:
        """A card goes back into the shuffler in the middle of a round."""

    def roll(self, dice: int) -> tuple[int, ...]:
        raise NotPossible("There are no dice in this chance source.")


class Shuffled(_Dealing):
    """A shuffled shoe and dice, from a seeded generator: for simulation and practice, not for money."""

    def __init__(self, random: Random, unseen: Unseen | None = None) -> None:
        super().__init__()
        self._random = random
        counted = zip(unseen.cards, unseen.counts, strict=True) if unseen else ()
        self._shoe = [card for card, count in counted for _ in range(count)]

    def draw(self) -> Card:
        if not self._shoe:
            raise NotPossible("The shoe is empty; shuffle before the next round.")
        at = self._random.randrange(len(self._shoe))
        self._shoe[at], self._shoe[-1] = self._shoe[-1], self._shoe[at]
        return self._shoe.pop()

    def put_back(self, card: Card) -> None:
        self._shoe.append(card)

    def gather(self) -> None:
        """The round is over: every card that was dealt goes back."""
        self._shoe.extend(self._sealed.values())
        self._sealed.clear()

    def roll(self, dice: int) -> tuple[int, ...]:
        return tuple(self._random.randrange(1, 7) for _ in range(dice))


class Scripted(_Dealing):
    """Cards and rolls written down beforehand: for tests, golden playthroughs and replays."""

    def __init__(self, cards: Iterable[Card] = (), rolls: Iterable[tuple[int, ...]] = ()) -> None:
        super().__init__()
        self._cards, self._rolls = iter(cards), iter(rolls)

    def draw(self) -> Card:
        card = next(self._cards, None)
        if card is None:
            raise NotPossible("The script has no more cards.")
        return card

    def roll(self, dice: int) -> tuple[int, ...]:
        rolled = next(self._rolls, None)
        if rolled is None:
            raise NotPossible("The script has no more rolls.")
        return rolled


def _set_of(card: Card, among: Sequence[CardSet]) -> CardSet:
    check_sets(among, ())
    return next(cards for cards in among if card in cards)
