"""The edges of games whose rules are walked, for one setting after the other: what was walked is used again.

To walk the rules takes most of the time, and what they do depends on little of what can be set. So each walk notes
which readings and which pay tables the rules have asked for, and serves every game that answers these alike. Other
decks only change how likely each card is. Where nothing is decided by the odds, they are left open until all is
counted: then any odds are a sum. A rule that looks at open odds all the same is walked again with the real ones.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic, Never, TypeVar

from feltworks.kit.errors import FeltworksError
from feltworks.kit.game import Game
from feltworks.kit.odds import Odds
from feltworks.kit.paytable import Line, PayTable
from feltworks.kit.round import Info
from feltworks.kit.steps import Settlement
from feltworks.lab.graph import Event, Policy, RoundWalker
from feltworks.lab.solver import event_counts
from feltworks.lab.stakes import alone
from feltworks.lab.strategy import Strategy
from feltworks.lab.wager_analysis import check_ends, made_of, net_result
from feltworks.lab.walking_analyzer import WalkingAnalyzer, rules_for

T = TypeVar("T")
ZERO = Fraction(0)
MOST_WALKS, MOST_COUNTS = 32, 1_024
"""So many of them are kept, those that were used last."""
MOST_ALIKE = 12
"""So many that differ only in readings and pay tables."""


class LooksAtOdds(BaseException):
    """A rule looks at odds that are left open. That is no fault of its own: so nobody on the way catches it."""


class OpenOdds(Odds):
    """The odds of a line that are filled in later: nothing is known of them but whether they are "to" or "for"."""

    spot: str
    line: str

    def __init__(self, kind: str, spot: str, line: str) -> None:
        for name, value in (("kind", kind), ("spot", spot), ("line", line)):
            object.__setattr__(self, name, value)

    @property
    def win(self) -> Never:
        raise LooksAtOdds

    @property
    def per(self) -> Never:
        raise LooksAtOdds

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OpenOdds):
            return False
        return (self.kind, self.spot, self.line) == (other.kind, other.spot, other.line)

    def __hash__(self) -> int:
        return hash((self.kind, self.spot, self.line))


def opened(spot: str, table: PayTable) -> PayTable:
    """The table with its odds left open. What is no odds stays, and a push is the same everywhere."""
    lines = [
        Line(line.name, OpenOdds(line.pay.kind, spot, line.name))
        if isinstance(line.pay, Odds) and line.pay.kind != "push"
        else line
        for line in table
    ]
    return PayTable("", tuple(lines))


class Noted(Mapping[str, T]):
    """A mapping that notes what was looked up in it."""

    def __init__(self, values: Mapping[str, T]) -> None:
        self.values_by_name = values
        self.asked: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        value = self.values_by_name[name]
        self.asked[name] = value
        return value

    def __iter__(self) -> Iterator[str]:
        self.asked.update(self.values_by_name)
        return iter(self.values_by_name)

    def __len__(self) -> int:
        return len(self.values_by_name)


@dataclass(frozen=True)
class Asked:
    """What was asked of a game, and answered."""

    readings: Mapping[str, str]
    pay: Mapping[str, PayTable]
    left_open: frozenset[str] = frozenset()

    def fits(self, game: Game) -> bool:
        """Whether another game answers the same."""
        return all(game.readings[name] == value for name, value in self.readings.items()) and all(
            (opened(spot, game.pay[spot]) if spot in self.left_open else game.pay[spot]) == table
            for spot, table in self.pay.items()
        )


class Walk:
    """The rules for one set of stakes as far as they were walked, and what they asked for; the odds at some spots are
    left open."""

    def __init__(self, game: Game, stakes: "Stakes", until: frozenset[str], left_open: frozenset[str]) -> None:
        self.left_open = left_open
        self.readings = Noted(game.readings)
        self.pay = Noted({s: opened(s, table) if s in left_open else table for s, table in game.pay.items()})
        noting = replace(game, readings=self.readings, pay=self.pay)
        self.rules: RoundWalker = rules_for(noting, stakes, until=until)

    @property
    def asked(self) -> "Asked":
        return Asked(dict(self.readings.asked), dict(self.pay.asked), self.left_open)


class Latest(OrderedDict[Any, T]):
    """Keeps so many, those that were used last."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def keep(self, key: Any, value: T) -> T:
        self[key] = value
        self.move_to_end(key)
        if len(self) > self.most:
            self.popitem(last=False)
        return value


@dataclass(frozen=True)
class Kept(Generic[T]):
    """Something that was computed, and all that it depends on beside what it is kept under."""

    value: T
    asked: tuple[Asked, ...]


Stakes = Mapping[str, Fraction]
Counts = Mapping[Event, Fraction]
"""How often each event comes about that concerns a wager."""


@dataclass(frozen=True)
class Best:
    """The best strategy for the stakes, and what becomes of what is staked under it."""

    strategy: Strategy
    counts: Mapping[str, Counts]


class KeptWalks:
    """Edges of walked wagers, and what was computed on the way to them."""

    def __init__(self) -> None:
        self._walks: Latest[list[Walk]] = Latest(MOST_WALKS)
        self._best: Latest[list[Kept[Best]]] = Latest(MOST_COUNTS)
        self._counts: Latest[list[Kept[Counts]]] = Latest(MOST_COUNTS)
        self._looked_at: dict[Any, int] = {}
        """By wager: how many attempts to leave odds open have failed, because its rules look at them."""

    def edge(self, game: Game, stakes: Stakes, name: str, policy: Policy | None = None) -> Fraction:
        """What the house keeps of a wager under a policy, or under the best strategy for the stakes."""
        wager = game.bet(name)
        name = wager.name
        if not (stakes or policy):
            stakes = alone(game, name)
        key = (*_definition_of(game), game.decks, tuple(stakes.items()), name)
        counts = _known(self._counts, key, game, lambda: self._count(game, stakes, name, policy)).value
        net = sum((count * _net(game, event, wager.spots) for event, count in counts.items()), ZERO)
        of_made = made_of(wager)
        return -net / sum((count * of_made(event) for event, count in counts.items()), ZERO)

    def _count(self, game: Game, stakes: Stakes, name: str, policy: Policy | None) -> Kept[Counts]:
        asked: list[Asked] = []
        if policy is not None:
            follows = policy
            decides = [Asked(game.readings, game.pay)]  # what it depends on is not known
        else:
            best = self._solved(game, stakes)
            if name in stakes:
                return Kept(best.value.counts[name], best.asked)
            follows = best.value.strategy.option
            decides = list(best.asked)

        def followed(info: Info) -> str:
            """Where nothing is decided, nothing depends on the policy."""
            if not asked:
                asked.extend(decides)
            return follows(info)

        counted = self._counted_under(game, stakes, name, followed)
        return Kept(counted.value, (*asked, *counted.asked))

    def _counted_under(self, game: Game, stakes: Stakes, name: str, policy: Policy) -> Kept[Counts]:
        """With the odds left open: all of them, or where the rules look at them, those of other wagers, or none."""
        own = {table for spot in game.wager(name).spots for table in (spot, game.wager_of(spot).name)}
        others = frozenset(game.pay) - own
        key = (*_definition_of(game), name)
        attempts = [frozenset(game.pay), others, frozenset[str]()]
        for left_open in attempts[self._looked_at.get(key, 0) :]:
            with suppress(LooksAtOdds):
                return self._walked(game, stakes, lambda walker: walker.counts(name, policy), left_open)
            self._looked_at[key] = attempts.index(left_open) + 1
        raise AssertionError("the last attempt leaves nothing open")

    def _solved(self, game: Game, stakes: Stakes) -> "Kept[Best]":
        def solve(walker: KeptAnalyzer) -> Best:
            return Best(walker.strategy, {name: walker.counts(name) for name in stakes})

        key = (*_definition_of(game), game.decks, tuple(stakes.items()))
        return _known(self._best, key, game, lambda: self._walked(game, stakes, solve))

    def _walked(
        self,
        game: Game,
        stakes: Stakes,
        work: "Callable[[KeptAnalyzer], T]",
        left_open: frozenset[str] = frozenset(),
    ) -> Kept[T]:
        """What is computed by walks that are kept. One of them may go further than before and ask for more, which
        this game answers otherwise: then what comes of it, a fault of the rules too, is another game's, and it is
        computed with a walk of its own."""
        with suppress(FeltworksError):
            walker = KeptAnalyzer(game, stakes, self, left_open, is_kept=True)
            found = Kept(work(walker), walker.asked)
            if all(asked.fits(game) for asked in found.asked):
                return found
        walker = KeptAnalyzer(game, stakes, self, left_open, is_kept=False)
        return Kept(work(walker), walker.asked)

    def walk(
        self, game: Game, stakes: Stakes, until: frozenset[str], left_open: frozenset[str], *, is_kept: bool
    ) -> Walk:
        """A walk that was kept, if one fits; otherwise another one, which is kept."""
        key = (*_definition_of(game), tuple(stakes.items()), until, left_open)
        known = self._walks.get(key, [])
        for walk in known if is_kept else ():
            if walk.asked.fits(game):
                self._walks.move_to_end(key)
                return walk
        walk = Walk(game, stakes, until, left_open)
        self._walks.keep(key, [*known, walk][-MOST_ALIKE:])
        return walk


def _known(kept: "Latest[list[Kept[T]]]", key: Any, game: Game, compute: Callable[[], Kept[T]]) -> Kept[T]:
    """What was computed for a game that answers everything alike; otherwise it is computed and kept."""
    known = kept.get(key, [])
    for each in known:
        if all(asked.fits(game) for asked in each.asked):
            kept.move_to_end(key)
            return each
    found = compute()
    kept.keep(key, [*known, found][-MOST_ALIKE:])
    return found


def _definition_of(game: Game) -> tuple[Any, ...]:
    """What a walk depends on beside readings and pay tables."""
    return game.name, game.build, tuple(game.wagers)


def _net(game: Game, event: Event, spots: Iterable[str]) -> Fraction:
    """What a seat wins or loses on these spots by an event, with the odds filled in."""
    return sum((net_result(_priced(game, settled)) for settled in event.settlements if settled.spot in spots), ZERO)


def _priced(game: Game, settled: Settlement) -> Settlement:
    if not isinstance(settled.pay, OpenOdds):
        return settled
    return replace(settled, pay=game.pay[settled.pay.spot].pay(settled.pay.line))


class KeptAnalyzer(WalkingAnalyzer):
    """Analyses a wager with walks that are kept."""

    def __init__(
        self, game: Game, stakes: Stakes, kept: KeptWalks, left_open: frozenset[str], *, is_kept: bool
    ) -> None:
        super().__init__(game, stakes)
        self.kept, self.left_open, self.is_kept = kept, left_open, is_kept
        self.used: list[Walk] = []

    @property
    def asked(self) -> tuple[Asked, ...]:
        return tuple(walk.asked for walk in self.used)

    def counts(self, name: str, policy: Policy | None = None) -> Counts:
        """How often each event comes about that concerns a wager, under a policy or as well as it can be played."""
        wager = self.game.wager(name)
        graph, best = (self.solved.graph, self.solved.best) if policy is None else self.graph_under(name, policy)
        counts = event_counts(graph, best)
        check_ends(wager, counts, self.game, graph.rules.left_undecided)
        concerned = {
            event: {s.spot for s in event.settlements} | {spot for spot, _ in event.stakes} for event in counts
        }
        return {event: count for event, count in counts.items() if not concerned[event].isdisjoint(wager.spots)}

    def _rules_for(self, stakes: Stakes, until: frozenset[str] = frozenset()) -> RoundWalker:
        walk = self.kept.walk(self.game, stakes, until, self.left_open, is_kept=self.is_kept)
        self.used.append(walk)
        return walk.rules
