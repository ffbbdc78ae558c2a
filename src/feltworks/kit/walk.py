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
    Decide,
    Place,
    Role,
    Step,
    TakeUp,
)


class Player(Protocol):
    """Somebody, or a program, at a seat."""

    def bets(self, round: Round, bet: Bet, seat: Seat) -> Iterable[Place | TakeUp | Collect]: ...

    def decide(self, round: Round, choose: Choose, seat: Seat) -> Decide: ...


@dataclass(frozen=True)
class Habit:
    """A player that stakes the same each round and always prefers the same options; otherwise the first one.

    `stakes` are units of each wager, or of a spot of one that is made on any of its spots, placed whenever its window
    is open and it is not down already.
    """

    stakes: Mapping[str, Fraction]
    prefer: tuple[str, ...] = ()

    def bets(self, round: Round, bet: Bet, seat: Seat) -> Iterable[Place | TakeUp | Collect]:
        return bets_for(self.stakes, round, bet, seat)

    def decide(self, round: Round, choose: Choose, seat: Seat) -> Decide:
        names = [option.name for option in choose.options]
        return Decide(seat, next((name for name in self.prefer if name in names), names[0]))


def bets_for(stakes: Mapping[str, Fraction], round: Round, bet: Bet, seat: Seat) -> Iterator[Place | TakeUp | Collect]:
    """Place every staked wager whose window this is, on each of its opening spots that is still empty; not one that
    has gone on to another spot and is undecided there. What a self-service spot has won is collected, and what is left
    on it taken up first: each roll is a wager of its own."""
    wagers = [wager for wager in round.game.wagers.values() if not wager.spots.keys().isdisjoint(bet.spots)]
    for wager in sorted(wagers, key=lambda wager: bool(wager.needs)):
        laid = wager.laid(stakes)
        if not laid or (wager.instead and any(round.has(seat, other) for other in wager.instead)):
            continue
        if any(round.stake(seat, spot) for spot in wager.spots if spot not in wager.opens):
            continue
        for spot, units in laid.items():
            if spot not in bet.spots:
                continue
            left = round.stake(seat, spot)
            if wager.self_service:
                if (seat, spot) in round.winnings:
                    yield Collect(seat, spot)
                if left:
                    yield TakeUp(seat, spot)
                    left = ZERO
            if not left:
                yield Place(seat, spot, units)


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


class KnownRounds:
    """What comes of an answer, worked out once: rounds are values, and all that begin alike go on from the same one.

    It remembers so many answers and no more: the first steps come again and again, and what follows from many cards
    hardly ever does. To keep that too would cost more than it saves.
    """

    def __init__(self, most: int = 500) -> None:
        self._left = most
        self._after: dict[int, tuple[Round, dict[Answer, Round]]] = {}
        """By the identity of a round, which is kept with what comes of it, so that no other one can have it."""

    def after(self, round: Round, answer: Answer) -> Round:
        known = self._after.get(id(round))
        if known is not None and (found := known[1].get(answer)) is not None:
            return found
        after = round.after(answer)
        if self._left:
            self._left -= 1
            self._after.setdefault(id(round), (round, {}))[1][answer] = after
        return after


def walk(
    round: Round,
    chance: ChanceSource,
    players: Mapping[Seat, Player],
    after: Callable[[Round, Answer], Round] = Round.after,
) -> Iterator[tuple[Step, Answer, Round]]:
    """Every step of the round with its answer and the round after it. Roles take the first option. `after` gives the
    round after an answer: as a table goes on with it that pays in whole cents, or out of `KnownRounds`.

    This round knows every card that was turned to anybody; a player must look only at `round.info(seat)`.
    """
    answers: Iterable[Answer]
    while (step := round.next) is not None:
        if isinstance(step, Bet):
            answers = _wagers(step, round, players)
        elif isinstance(step, Choose):
            answers = (_decision(step, round, players),)
        else:
            answers = (chance.answer(step),)
        for answer in answers:
            round = after(round, answer)
            if round.effects:
                chance.happened(round.effects)
            yield step, answer, round


def _wagers(bet: Bet, round: Round, players: Mapping[Seat, Player]) -> Iterator[Answer]:
    for seat in round.seats:
        yield from players[seat].bets(round, bet, seat)
    yield Close()


def _decision(choose: Choose, round: Round, players: Mapping[Seat, Player]) -> Decide:
    if isinstance(choose.who, Role):
        return Decide(choose.who, choose.clock_choice.name)
    seat = min(choose.who)
    return players[seat].decide(round, choose, seat)
