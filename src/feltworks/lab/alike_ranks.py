"""Whether ranks are alike for some wagers, as the game's definition says: deals are played twice, with cards that are
said to be alike in each other's places, and the wagers must be settled the same.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from random import Random

from feltworks.kit.cards import Card, Seat, Token
from feltworks.kit.errors import FaultyRules
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.steps import (
    DEALT,
    Answer,
    Bet,
    Choose,
    Close,
    Deal,
    Decide,
    Pocket,
    Read,
    Role,
    Roll,
    Settlement,
    Spin,
    Turn,
)
from feltworks.kit.walk import bets_for
from feltworks.lab.card_classes import CardClasses, classes_for, titles
from feltworks.lab.stakes import company

DEALS = 200
"""So many deals are played twice."""


def told_apart(game: Game, stakes: Mapping[str, Fraction]) -> CardClasses:
    """The cards that these wagers tell apart, and those of the seat that keeps the round going beside them."""
    return classes_for(game, [*stakes, *company(game, stakes)])


_CHECKED: set[tuple[object, ...]] = set()


def checked_classes(game: Game, stakes: Mapping[str, Fraction]) -> CardClasses:
    """The cards that these wagers tell apart; what a wager says of that is checked once."""
    classes = told_apart(game, stakes)
    key = (game.folder, game.build, game.version_name, tuple(game.readings.items()), tuple(stakes.items()), classes)
    if classes.alike and key not in _CHECKED:
        for deal in range(DEALS):
            _check_deal(game, stakes, classes, Random(deal))
        _CHECKED.add(key)
    return classes


def _check_deal(game: Game, stakes: Mapping[str, Fraction], classes: CardClasses, random: Random) -> None:
    """Play a round twice, the second time with other cards that are said to be alike."""
    pack = game.fresh()
    assert pack is not None
    shoe = (pack if classes.suited else pack.suitless).all_cards()
    weights = {rank: 0.3 for group in classes.alike for rank in group} if random.random() < 0.5 else {}
    shoe.sort(key=lambda card: random.random() * weights.get(card.text[0], 1.0))
    first, second = _Played(game, stakes, shoe), _Played(game, stakes, _exchanged(shoe, classes, random))
    while first.step is not None:
        same = first.asks == second.asks
        choice = random.randrange(1_000)
        if not same or not first.went_as(second, choice):
            raise FaultyRules(
                f"{game.title} says that {_said(classes.alike)} are alike for {titles(game, stakes)}, but these deals"
                f" differ: {first.told} and {second.told}; correct `alike`."
            )


def _exchanged(shoe: list[Card], classes: CardClasses, random: Random) -> list[Card]:
    """The same shoe, with the cards that are alike in other places."""
    places: dict[Card, list[int]] = {}
    for at, card in enumerate(shoe):
        places.setdefault(classes.card(card), []).append(at)
    changed = list(shoe)
    for ats in places.values():
        others = [shoe[at] for at in ats]
        random.shuffle(others)
        for at, card in zip(ats, others, strict=True):
            changed[at] = card
    return changed


class _Played:
    """A round as it is dealt from a shoe."""

    def __init__(self, game: Game, stakes: Mapping[str, Fraction], shoe: list[Card]) -> None:
        self._company = company(game, stakes)
        seats = (1,) if self._company.keys() <= stakes.keys() else (1, 2)
        self.round: Round = game.start(seats, tracked=False)
        self._stakes, self._shoe, self._dealt = stakes, iter(shoe), dict[Token, Card]()
        self.settled: list[Settlement] = []
        """Of these wagers; what the other seat makes may tell more cards apart."""

    @property
    def step(self) -> object:
        return self.round.next

    @property
    def asks(self) -> tuple[object, ...]:
        """What the next step asks for."""
        step = self.round.next
        options = tuple(option.name for option in step.options) if isinstance(step, Choose) else ()
        return type(step), getattr(step, "token", None), options

    @property
    def told(self) -> str:
        cards = " ".join(face.card.text for face in self.round.cards.values() if face.card is not None)
        return f"{cards}: {', '.join(f'{s.spot} {s.line}' for s in self.settled) or 'nothing decided'}"

    def went_as(self, other: "_Played", choice: int) -> bool:
        """Go on by a step, and whether that was the same for both."""
        for mine, others in zip(self._answers(choice), other._answers(choice), strict=True):
            before = len(self.settled)
            self._take(mine)
            other._take(others)
            if isinstance(self.round.next, Read) and mine is not others and mine != others:
                return False
            if self.settled[before:] != other.settled[before:]:
                return False
        return True

    def _take(self, answer: Answer) -> None:
        self.round = self.round.after(answer)
        self.settled += [e for e in self.round.effects if isinstance(e, Settlement) and e.seat == 1]

    def _answers(self, choice: int) -> Iterator[Answer]:
        match self.round.next:
            case Bet() as bet:
                yield from list(bets_for(self._stakes, self.round, bet, Seat(1)))
                if len(self.round.seats) > 1:
                    yield from list(bets_for(self._company, self.round, bet, Seat(2)))
                yield Close()
            case Deal(token):
                self._dealt[token] = next(self._shoe)
                yield DEALT
            case Turn(token):
                yield self._dealt[token]
            case Read(token, among):
                yield next(cards for cards in among if self._dealt[token] in cards)
            case Roll(dice):
                yield tuple((choice // 6**die) % 6 + 1 for die in range(dice))
            case Spin(wheel, pockets):
                yield Pocket(pockets[choice % len(pockets)], wheel)
            case Choose(who, options):
                yield Decide(who if isinstance(who, Role) else min(who), options[choice % len(options)].name)


def _said(groups: tuple[str, ...]) -> str:
    return "; ".join(f"{', '.join(group[:-1])} and {group[-1]}" for group in groups)
