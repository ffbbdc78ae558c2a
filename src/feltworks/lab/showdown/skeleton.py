"""The course of a round without its cards: what a seat has seen at each decision, what it may choose there, and how the
round is settled in the end by the hands alone.

The real Round is walked along every path of choices, once for each signature with which hands can end. Courses that
pay the same whatever comes are one from there on.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from feltworks.kit.cards import Card, Token
from feltworks.kit.errors import BadValue
from feltworks.kit.game import Game
from feltworks.kit.round import WITHDRAWN, Round
from feltworks.kit.showdown import OpaqueCard, Signature
from feltworks.kit.steps import (
    ALL,
    DEALT,
    Answer,
    Bet,
    Choose,
    Close,
    Deal,
    Decide,
    Read,
    Role,
    Roll,
    Settlement,
    Spin,
    Turn,
)
from feltworks.kit.walk import bets_for
from feltworks.lab.graph import ME
from feltworks.lab.wager_analysis import decisive, net_result

ZERO = Fraction(0)


class DoesNotFit(BadValue):
    """A game that the showdown engine does not solve, and what can be done."""


class Ending(NamedTuple):
    """How one wager ends: on which line, with which net result, and what was staked on it and stayed."""

    line: str
    net: Fraction
    staked: Fraction


Endings = Mapping[str, Ending]
"""By wager."""


@dataclass(frozen=True)
class Choice:
    """A decision of the seat: the cards it has seen, and where each option leads."""

    seen: tuple[Token, ...]
    options: tuple[tuple[str, "Node"], ...]

    def after(self, option: str) -> "Node":
        return dict(self.options)[option]


@dataclass(frozen=True)
class End:
    """The round is over: how each wager ends, by the number of the signature."""

    endings: tuple[tuple[tuple[str, Ending], ...], ...]


Node = Choice | End
Wagers = tuple[tuple[str, Fraction], ...]
"""What lies where."""
CardOf = Callable[[Token], Card]


@dataclass
class _Path:
    """A round on its way, with what was settled of it for each signature."""

    settlements: list[Settlement] = field(default_factory=list)
    staked: dict[str, Fraction] = field(default_factory=dict)


class Shape(NamedTuple):
    """One walk of a round to its end or its next decision."""

    seen: tuple[Token, ...]
    wagers: Wagers
    options: tuple[tuple[str, "Shape"], ...]
    endings: tuple[tuple[str, Ending], ...]


@dataclass(frozen=True)
class Skeleton:
    """Every course of a round."""

    root: Node
    places: Mapping[tuple[frozenset[Token], Wagers], Choice]
    """The decisions by what the seat has seen and what lies where."""


def skeleton(game: Game, shapes: Sequence[Shape]) -> Skeleton:
    """The courses of a round, put together from a walk of it for each signature."""
    return _Merger(game).skeleton(shapes)


def hidden(game: Game, stakes: Mapping[str, Fraction], signatures: Sequence[Signature]) -> Skeleton:
    """The same, walked with cards that nobody can look at."""
    return skeleton(game, [walked(game, stakes, _always(OpaqueCard(signature))) for signature in signatures])


def _always(card: Card) -> CardOf:
    return lambda token: card


def walked(game: Game, stakes: Mapping[str, Fraction], card_of: CardOf) -> Shape:
    """Every course of a round with these cards."""
    start = game.start((ME,), tracked=False)
    return _walked(start, _Path(), (), stakes, card_of)


def _walked(
    round: Round, path: _Path, seen: tuple[Token, ...], stakes: Mapping[str, Fraction], card_of: CardOf
) -> Shape:
    while (step := round.next) is not None:
        answers: list[Answer] = []
        match step:
            case Bet():
                answers = [*bets_for(stakes, round, step, ME), Close()]
            case Deal():
                answers = [DEALT]
            case Turn(token, to):
                answers = [card_of(token)]
                if (to is ALL or to == ME) and token not in seen:
                    seen = (*seen, token)
            case Choose(Role() as role):
                answers = [Decide(role, step.clock_choice.name)]
            case Choose() if step.neutral:
                answers = [Decide(ME, step.clock_choice.name)]
            case Choose():
                options = tuple(_options(round, step, path, seen, stakes, card_of))
                return Shape(seen, round.info(ME).wagers, options, ())
            case Read() | Roll() | Spin():
                what = {Read: "reads sealed cards", Roll: "rolls dice", Spin: "spins a wheel"}[type(step)]
                raise DoesNotFit(f"{round.game.title} {what}, which its declared hands do not tell.")
        for answer in answers:
            round, path = _after(round, answer, path)
    return Shape(seen, (), (), tuple(_endings(round, path)))


def _options(
    round: Round,
    step: Choose,
    path: _Path,
    seen: tuple[Token, ...],
    stakes: Mapping[str, Fraction],
    card_of: CardOf,
) -> Iterator[tuple[str, Shape]]:
    for option in step.options:
        extra = option.extra
        if extra is not None and extra.least != extra.most:
            raise DoesNotFit(
                f"{option.name!r} wagers {extra.least} to {extra.most} times {extra.of}; offer each amount by itself."
            )
        after, settled = _after(round, Decide(ME, option.name), path)
        yield option.name, _walked(after, settled, seen, stakes, card_of)


def _after(round: Round, answer: Answer, path: _Path) -> tuple[Round, _Path]:
    staked = dict(path.staked)
    if (made := round.staked(answer)) is not None:
        _, spot, amount = made
        staked[spot] = staked.get(spot, ZERO) + amount
    after = round.after(answer)
    settled = [effect for effect in after.effects if isinstance(effect, Settlement) and effect.seat == ME]
    for settlement in settled:
        if settlement.line == WITHDRAWN:
            staked[settlement.spot] -= settlement.amount
    return after, _Path([*path.settlements, *settled], staked)


def _endings(round: Round, path: _Path) -> Iterator[tuple[str, Ending]]:
    """How each wager ends that was made, in units of it, told by the line of its first spot that was not taken back."""
    game = round.game
    for name, wager in game.wagers.items():
        settled = [s for s in path.settlements if s.spot in wager.spots]
        if not settled:
            continue
        net = sum((net_result(s) for s in settled), ZERO)
        staked = sum((path.staked.get(spot, ZERO) for spot in wager.spots), ZERO)
        yield name, Ending(decisive(settled, wager.opens).line, net, staked)


class _Merger:
    """Puts the walks of all signatures together; nodes from which all goes on alike are one."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.places: dict[tuple[frozenset[Token], Wagers], Choice] = {}
        self._known: dict[object, Node] = {}

    def skeleton(self, shapes: Sequence[Shape]) -> Skeleton:
        return Skeleton(self._merged(shapes), self.places)

    def _merged(self, shapes: Sequence[Shape]) -> Node:
        first = shapes[0]
        names = tuple(name for name, _ in first.options)
        for shape in shapes:
            if shape[:2] != first[:2] or tuple(name for name, _ in shape.options) != names:
                raise DoesNotFit(
                    f"The course of {self.game.title} depends on the hands before they are compared: options or turned"
                    f" cards differ after {', '.join(map(str, first.seen)) or 'the start'}; let the hands decide only"
                    " how it is settled."
                )
        if not names:
            end = End(tuple(shape.endings for shape in shapes))
            return self._known.setdefault(end, end)
        after = [self._merged([shape.options[i][1] for shape in shapes]) for i in range(len(names))]
        key = (first.seen, tuple((name, id(node)) for name, node in zip(names, after, strict=True)))
        choice = self._known.setdefault(key, Choice(first.seen, tuple(zip(names, after, strict=True))))
        assert isinstance(choice, Choice)
        self.places[frozenset(first.seen), first.wagers] = choice
        return choice
