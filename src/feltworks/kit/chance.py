"""Chance sources: who knows what a sealed card is, what the dice show, and where a wheel stops.

The round asks at every deal, turn, look of a card reader, roll and spin; a source answers. A shuffled shoe and a script
are here; an enumerator, a live generator and a person who types what real cards show answer the same five questions.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Protocol

from feltworks.kit.cards import Card, CardSet, Token
from feltworks.kit.errors import NotPossible
from feltworks.kit.round import SHUFFLER
from feltworks.kit.steps import DEALT, Answer, Deal, Effect, Move, Pocket, Read, Roll, Spin, Turn
from feltworks.kit.unseen import Unseen, check_sets

Asked = Deal | Turn | Read | Roll | Spin


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
            case Spin(wheel, pockets):
                return Pocket(self.spin(pockets), wheel)

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

    def spin(self, pockets: Sequence[str]) -> str:
        raise NotPossible("There is no wheel in this chance source.")


class Shuffled(_Dealing):
    """A shuffled shoe, dice and wheels, from a seeded generator: for simulation and practice, not for money."""

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

    def spin(self, pockets: Sequence[str]) -> str:
        return self._random.choice(pockets)


class Scripted(_Dealing):
    """Cards, rolls and pockets written down beforehand: for tests, golden playthroughs and replays."""

    def __init__(
        self, cards: Iterable[Card] = (), rolls: Iterable[tuple[int, ...]] = (), pockets: Iterable[str] = ()
    ) -> None:
        super().__init__()
        self._cards, self._rolls, self._pockets = iter(cards), iter(rolls), iter(pockets)

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

    def spin(self, pockets: Sequence[str]) -> str:
        pocket = next(self._pockets, None)
        if pocket is None:
            raise NotPossible("The script has no more pockets.")
        return pocket


def _set_of(card: Card, among: Sequence[CardSet]) -> CardSet:
    check_sets(among, ())
    return next(cards for cards in among if card in cards)
