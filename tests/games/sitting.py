"""A table for the tests: guests who do as they are told, cards in a known order, the round as a story."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, TypeVar

from feltworks.kit.cards import Seat, parse_cards
from feltworks.kit.chance import Scripted
from feltworks.kit.game import Game
from feltworks.kit.round import Round
from feltworks.kit.steps import (
    Answer,
    Bet,
    Call,
    Choose,
    Close,
    Deal,
    Decide,
    Effect,
    Move,
    Place,
    Read,
    Settlement,
    Step,
    Turn,
)
from feltworks.kit.walk import walk

S1, S2, S3, S7 = Seat(1), Seat(2), Seat(3), Seat(7)


@dataclass
class Guest:
    """Bets these amounts on these spots and makes these decisions, in this order; one who is idle then does what a
    clock would that runs out."""

    bets_on: Mapping[str, int]
    choices: list[str] = field(default_factory=list)
    idle: bool = False

    def bets(self, round: Round, bet: Bet, seat: Seat) -> Iterator[Place]:
        for spot, amount in self.bets_on.items():
            yield Place(seat, spot, Fraction(amount))

    def decide(self, round: Round, choose: Choose, seat: Seat) -> Decide:
        if self.idle and not self.choices:
            return Decide(seat, choose.options[0].name)
        return decision(seat, self.choices.pop(0))


def decision(seat: Seat, words: str) -> Decide:
    """An option, with the amount where a seat may choose one: "insurance 3"."""
    option, _, amount = words.rpartition(" ")
    return Decide(seat, option, Fraction(amount)) if option and amount[0].isdigit() else Decide(seat, words)


R = TypeVar("R", bound=Round)


@dataclass(frozen=True)
class Course(Generic[R]):
    """Every step of a round with its answer and the round after it."""

    steps: list[tuple[Step, Answer, R]]

    @property
    def last(self) -> R:
        return self.steps[-1][2]

    @property
    def effects(self) -> list[Effect]:
        return [effect for *_, round in self.steps for effect in round.effects]

    @property
    def settlements(self) -> list[Settlement]:
        return [effect for effect in self.effects if isinstance(effect, Settlement)]


def walked(game: Game, cards: str, guests: Mapping[Seat, Guest]) -> list[tuple[Step, Answer, Round]]:
    """Every step of a round that is dealt these cards in this order; every decision given was asked for."""
    steps = list(walk(game.start(guests), Scripted(parse_cards(cards)), guests))
    assert not any(guest.choices for guest in guests.values())
    return steps


def story(game: Game, cards: str, guests: Mapping[Seat, Guest]) -> list[str]:
    """The round as the table saw it, one line for each step and effect."""
    lines = [told(effect) for effect in game.start(guests).effects]
    for step, answer, round in walked(game, cards, guests):
        lines += [heard(step, answer), *(told(effect) for effect in round.effects)]
    return lines


def heard(step: Step, answer: Answer) -> str:
    match step, answer:
        case _, Place(seat, spot, amount):
            return f"seat {seat} puts {amount} on {spot}"
        case _, Close():
            return "betting closes"
        case Deal(token, place), _:
            return f"deal {token} to {place}"
        case Turn(token, to), card:
            return f"turn {token} to {getattr(to, 'value', to)}: {card}"
        case Read(token), cards:
            return f"read {token}: {cards}"
        case Choose(frozenset() as who, options), Decide(chooser, option, amount):
            several = f" of {', '.join(map(str, sorted(who)))}" if len(who) > 1 else ""
            chosen = option if amount is None else f"{option} {amount}"
            return f"seat {chooser}{several} may {', '.join(o.name for o in options)}: {chosen}"
    raise AssertionError(step)


def told(effect: Effect) -> str:
    match effect:
        case Call(text):
            return f"say {text}"
        case Move(what, to):
            return f"move {what} to {to}"
        case Settlement(seat, spot, line, None, stake, amount, rule):
            return f"seat {seat} {spot} {amount} {stake.value}: {line} ({rule})"
        case Settlement(seat, spot, line, pay, stake, amount, rule):
            return f"seat {seat} {spot} {amount} {stake.value}, paid {pay}: {line} ({rule})"
    raise AssertionError(effect)


def settled(game: Game, cards: str, guest: Guest) -> dict[str, Settlement]:
    """How each wager of the only guest was settled."""
    return {s.spot: s for s in settlements(round.effects for _, _, round in walked(game, cards, {S1: guest}))}


def settlements(effects: Iterable[Iterable[Effect]]) -> Iterator[Settlement]:
    return (effect for some in effects for effect in some if isinstance(effect, Settlement))


def betting_closed(game: Game, bets: Mapping[Seat, Mapping[str, int]]) -> Round:
    """The round when these wagers are down and the first card is about to be dealt."""
    round = game.start(bets)
    for seat, spots in bets.items():
        for spot, amount in spots.items():
            round = round.after(Place(seat, spot, Fraction(amount)))
    return round.after(Close())


def verdict(exact: Fraction, printed: str) -> str:
    """How a printed percentage follows from the exact share: what `certify` says, written a second time."""
    digit = Fraction(1, 10 ** len(printed.partition(".")[2]))
    error = 100 * exact - Fraction(printed)
    if abs(error) <= digit / 2:
        return "rounded"
    if 0 <= error < digit:
        return "truncated"
    return "last digit" if abs(error) <= digit else "not reproduced"
