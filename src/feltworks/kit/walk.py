"""Walking a round from its first step to its last: the one loop that terminal, simulator and playthroughs share."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from feltworks.kit.cards import Seat
from feltworks.kit.chance import ChanceSource
from feltworks.kit.errors import NotAllowed
from feltworks.kit.round import ZERO, Round
from feltworks.kit.steps import (
    Answer,
    Bet,
    Choose,
    Close,
    Collect,
    Deal,
    Decide,
    Place,
    Read,
    Role,
    Roll,
    Step,
    TakeUp,
    Turn,
)


class Player(Protocol):
    """Somebody, or a program, at a seat."""

    def bets(self, round: Round, bet: Bet, seat: Seat) -> Iterable[Place | TakeUp | Collect]: ...

    def decide(self, round: Round, choose: Choose, seat: Seat) -> Decide: ...


@dataclass(frozen=True)
class Habit:
    """A player that stakes the same each round and always prefers the same options; otherwise the first one.

    `stakes` are units of each wager, placed whenever its window is open and it is not down already.
    """

    stakes: Mapping[str, Fraction]
    prefer: tuple[str, ...] = ()

    def bets(self, round: Round, bet: Bet, seat: Seat) -> Iterable[Place | TakeUp | Collect]:
        return bets_for(self.stakes, round, bet, seat)

    def decide(self, round: Round, choose: Choose, seat: Seat) -> Decide:
        names = [option.name for option in choose.options]
        return Decide(seat, next((name for name in self.prefer if name in names), names[0]))


def bets_for(stakes: Mapping[str, Fraction], round: Round, bet: Bet, seat: Seat) -> Iterator[Place | TakeUp | Collect]:
    """Place every staked wager whose window this is, on each of its opening spots that is still empty. What a
    self-service spot has won is collected, and what is left on it taken up first: each roll is a wager of its own."""
    for name, wager in sorted(round.game.wagers.items(), key=lambda item: bool(item[1].needs)):
        if any(round.has(seat, other) for other in wager.instead):
            continue
        for spot, share in wager.opens.items():
            if spot not in bet.spots or not stakes.get(name):
                continue
            left = round.stake(seat, spot)
            if wager.self_service:
                if (seat, spot) in round.winnings:
                    yield Collect(seat, spot)
                if left:
                    yield TakeUp(seat, spot)
                    left = ZERO
            if not left:
                yield Place(seat, spot, stakes[name] * share)


def picked_up(round: Round, seats: Collection[int]) -> Iterator[TakeUp | Collect]:
    """All that the rules let these seats pick up while betting is open: what spots have won, and wagers, the last one
    first, and again as long as one that another hung on can follow it. A contract bet stays."""
    found = True
    while found:
        found = False
        answers: list[TakeUp | Collect] = [Collect(*place) for place in round.winnings]
        answers += [TakeUp(*place) for place in reversed(list(round.wagers))]
        for answer in answers:
            if answer.seat in seats:
                with suppress(NotAllowed):
                    round, found = round.after(answer), True
                    yield answer


def walk(
    round: Round,
    chance: ChanceSource,
    players: Mapping[Seat, Player],
    booked: Callable[[Round], Round] = lambda round: round,
) -> Iterator[tuple[Step, Answer, Round]]:
    """Every step of the round with its answer and the round after it. Roles take the first option. `booked` gives the
    round as a table goes on with it that pays in whole cents.

    This round knows every card that was turned to anybody; a player must look only at `round.info(seat)`.
    """
    while (step := round.next) is not None:
        for answer in _answers(step, round, chance, players):
            round = booked(round.after(answer))
            chance.happened(round.effects)
            yield step, answer, round


def _answers(step: Step, round: Round, chance: ChanceSource, players: Mapping[Seat, Player]) -> Iterable[Answer]:
    match step:
        case Bet():
            for seat in round.seats:
                yield from players[seat].bets(round, step, seat)
            yield Close()
        case Choose(Role() as role):
            yield Decide(role, step.clock_choice.name)
        case Choose(frozenset() as seats):
            seat = min(seats)
            yield players[seat].decide(round, step, seat)
        case Deal() | Turn() | Read() | Roll():
            yield chance.answer(step)
