"""A dice game as a table: which state follows each roll, and what that does to the money.

The round is walked once, from every state that differs, and never again: a simulation only counts how often each cell
of the table is visited (`lab.dice_kernel`), and every wager is settled afterwards, exactly, from the counts. Rolls
that no state tells apart are one class. Wagers with memory are in the states already, since those are the solver's.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import NamedTuple

from feltworks.kit.definition import Wager
from feltworks.kit.errors import BadDefinition, BadValue, TooLarge
from feltworks.kit.game import Game
from feltworks.kit.steps import Choose, Decide, Roll
from feltworks.lab.graph import ME, Event, Graph, Hop, Policy, Skeleton
from feltworks.lab.sample_mean import Totals
from feltworks.lab.solver import Gain, mean, second_moment
from feltworks.lab.wager_analysis import made_of, net_of, net_result, pays
from feltworks.lab.walking_analyzer import rules_for

ZERO = Fraction(0)
MOST_DICE = 6
MOST_STATES = 20_000
Faces = tuple[int, ...]
End = tuple[str, str, Fraction]


class Cell(NamedTuple):
    """One class of rolls in one state: the state after it, what it does to each bettor's money, and for which of them
    the course of wagers is over by it, so that the next one begins."""

    state: int
    events: tuple[Event, ...]
    over: tuple[bool, ...]

    @property
    def rounds(self) -> int:
        return self.events[0].rounds

    @property
    def ends(self) -> bool:
        """Whether every bettor is back where it began."""
        return all(self.over)


class Bettor:
    """A seat with its stakes and decisions, from its first wager until the last one is decided and the round is over;
    that is a course, and usually a round. Where wagers stay up for the next round it is several."""

    def __init__(self, game: Game, stakes: Mapping[str, Fraction], policy: Policy | None) -> None:
        self.game = game
        self.stakes = stakes
        self.policy = policy
        self.rules = rules_for(game, stakes)
        self._spreads: dict[str, tuple[Fraction, Fraction, Fraction]] = {}
        self.first = self._on(self.rules.walk_on(self.rules.start, None, rename=False))

    def after(self, skeleton: Skeleton, faces: Faces) -> Hop:
        return self._on(self.rules.hop(skeleton, faces, rename=False))

    def _on(self, hop: Hop) -> Hop:
        """On to the next roll, through every decision on the way."""
        seen = set()
        while hop.skeleton is not None and not isinstance(step := hop.skeleton.round.next, Roll):
            if not isinstance(step, Choose):
                raise BadValue(f"{self.game.title} is not decided by dice alone, so that it has no table of rolls.")
            if self.policy is None:
                raise BadValue(f"{self.game.title} has decisions; say by which strategy it is played.")
            if hop.skeleton in seen:
                raise BadDefinition(f"{self.game.title} has a loop without a roll.")
            seen.add(hop.skeleton)
            option = self.policy(hop.skeleton.round.info(ME))
            further = self.rules.hop(hop.skeleton, Decide(ME, option), rename=False)
            hop = Hop(further.skeleton, self._both(hop.event, further.event))
        return hop

    def _both(self, first: Event, then: Event) -> Event:
        staked, settled = first.stakes + then.stakes, first.settlements + then.settlements
        taken_back = first.taken_back + then.taken_back
        return self.rules.event(staked, settled, first.rolls + then.rolls, first.rounds + then.rounds, taken_back)

    # What is exact.

    @cached_property
    def graph(self) -> Graph:
        return Graph(self.rules, None, self.policy)

    @cached_property
    def _best(self) -> dict[int, str]:
        states = enumerate(self.graph.states)
        return {number: next(iter(s.options)) for number, s in states if s is not None and s.options}

    def mean(self, gain: Gain) -> Fraction:
        return mean(self.graph, self._best, gain)

    def square(self, gain: Gain) -> Fraction:
        """The mean square of the whole gain of a course."""
        return second_moment(self.graph, self._best, gain)

    # What was counted.

    def spread(self, wager: Wager) -> tuple[Fraction, Fraction, Fraction]:
        """The exact variance of a wager's net result and of its stakes made in a course, and their covariance."""
        if wager.name not in self._spreads:
            net, made = self._gains(wager)
            both = self.square(lambda event: net(event) + made(event))
            means, squares = (self.mean(net), self.mean(made)), (self.square(net), self.square(made))
            together = (both - sum(squares)) / 2 - means[0] * means[1]
            self._spreads[wager.name] = squares[0] - means[0] ** 2, squares[1] - means[1] ** 2, together
        return self._spreads[wager.name]

    def totals(self, wager: Wager, happened: Mapping[Event, int], courses: int) -> Totals:
        """What a wager came to."""
        net, made = (sum((n * gain(e) for e, n in happened.items()), ZERO) for gain in self._gains(wager))
        return Totals(courses, net, made, *self.spread(wager))

    def _gains(self, wager: Wager) -> tuple[Gain, Gain]:
        """A wager's net result and the stakes made, in units of its opening stake."""
        unit, net, made = self.stakes[wager.name], net_of([wager]), made_of(wager)
        return lambda event: net(event) / unit, lambda event: made(event) / unit

    def ends(self, wager: Wager, happened: Mapping[Event, int]) -> Counter[End]:
        """How the wager ended, settlement by settlement, in the words of an analysis."""
        ends: Counter[End] = Counter()
        for event, count in happened.items():
            for s in event.settlements:
                if s.spot in wager.spots:
                    ends[s.line, pays(s), net_result(s) / self.stakes[wager.name]] += count
        return ends


@dataclass(frozen=True)
class Table:
    """Every state in which dice are rolled (0 is the first) by every class of rolls, for bettors at one table.

    `folds` has the class of each roll, the first die counting most.
    """

    bettors: tuple[Bettor, ...]
    dice: int
    folds: tuple[int, ...]
    cells: tuple[tuple[Cell, ...], ...]

    @property
    def classes(self) -> int:
        return len(self.cells[0])

    def happened(self, bettor: int, visits: Sequence[Sequence[int]]) -> tuple[dict[Event, int], int]:
        """How often each event came about for a bettor, and how many courses it played, from the visits of every cell.
        Each course begins with the first event, so that those that were begun and not ended are left out."""
        counts: dict[Event, int] = defaultdict(int)
        courses = 0
        for row, visited in zip(self.cells, visits, strict=True):
            for cell, count in zip(row, visited, strict=True):
                if count:
                    counts[cell.events[bettor]] += count
                    courses += count * cell.over[bettor]
        counts[self.bettors[bettor].first.event] += courses
        return dict(counts), courses


def bettors_for(game: Game, stakes: Mapping[str, Fraction], policy: Policy | None) -> tuple[Bettor, ...]:
    """Who makes these wagers: one seat makes all that can be made together, and a wager that is made instead of
    another of them is made at a seat of its own."""
    apart = [name for name in stakes if any(other in stakes for other in game.wager(name).instead)]
    together = {name: units for name, units in stakes.items() if name not in apart}
    return tuple(Bettor(game, each, policy) for each in (together, *({n: stakes[n]} for n in apart)))


def table_of(bettors: Iterable[Bettor]) -> Table:
    """Walk the round from every state until no new one is found."""
    bettors = tuple(bettors)
    title = bettors[0].game.title
    starts = tuple(_waiting(bettor.first, title) for bettor in bettors)
    numbers = {starts: 0}
    states = [starts]
    rows: list[dict[Faces, Cell]] = []
    for at in states:  # grows on the way
        if len(states) > MOST_STATES:
            raise TooLarge(f"{title} has more than {MOST_STATES:,} states; its table of rolls is too large.")
        row: dict[Faces, Cell] = {}
        for faces in dict.fromkeys(map(at[0].round.alike, product(range(1, 7), repeat=_dice(at, title)))):
            hops = [bettor.after(skeleton, faces) for bettor, skeleton in zip(bettors, at, strict=True)]
            state = tuple(hop.skeleton or start for hop, start in zip(hops, starts, strict=True))
            if state not in numbers:
                numbers[state] = len(states)
                states.append(state)
            over = tuple(hop.skeleton is None for hop in hops)
            row[faces] = Cell(numbers[state], tuple(hop.event for hop in hops), over)
        rows.append(row)
    alike = starts[0].round.alike
    return _folded(bettors, [_dice(state, title) for state in states], rows, alike)


def _waiting(hop: Hop, title: str) -> Skeleton:
    if hop.skeleton is None:
        raise BadValue(f"{title} is over before the dice are rolled, with these stakes.")
    return hop.skeleton


def _dice(state: tuple[Skeleton, ...], title: str) -> int:
    steps = {skeleton.round.next for skeleton in state}
    (dice,) = {step.dice for step in steps if isinstance(step, Roll)}
    if dice > MOST_DICE:
        raise TooLarge(f"{title} rolls {dice} dice at once; a table of rolls is made for up to {MOST_DICE}.")
    return dice


def _folded(bettors: tuple[Bettor, ...], dice: list[int], rows: list[dict[Faces, Cell]], alike: object) -> Table:
    """Rolls with the same cells in every state are one class. A state with fewer dice looks at the first ones."""
    assert callable(alike)
    most = max(dice)
    classes: dict[tuple[Cell, ...], int] = {}
    known: dict[tuple[Faces, ...], int] = {}
    folds = []
    for roll in product(range(1, 7), repeat=most):
        name = tuple(alike(roll[:n]) for n in sorted(set(dice)))
        if name not in known:
            column = tuple(row[alike(roll[:n])] for row, n in zip(rows, dice, strict=True))
            known[name] = classes.setdefault(column, len(classes))
        folds.append(known[name])
    return Table(bettors, most, tuple(folds), tuple(zip(*classes, strict=True)))
