"""What a game tells exactly that counts its own deals, because it is too large to be walked state by state.

Such a game names a module beside its rules, its enumerator, which has the functions of `Enumerator`. What they count
is kept in parts, as plain values for a file: a part is worked out when it is first asked for.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, runtime_checkable

from feltworks.kit.advice import Advice
from feltworks.kit.chart import Chart, Plot
from feltworks.kit.counted_parts import Part, Parts
from feltworks.kit.game import Game, Situation
from feltworks.kit.round import Info

ON_AVERAGE = "on average"


@dataclass(frozen=True)
class Outcome:
    """One way a wager ends: on which line, what that pays, and how likely it is. The probabilities of all of them sum
    to one.

    Where a wager stays up after it was paid, so that it can be paid more than once, its payments on the way are told
    beside its ends, each with the expected number of times. Where a wager lies on several spots and is told spot by
    spot, the ends of each spot sum to what is staked there. Where a line comes to many results, it pays `ON_AVERAGE`,
    and the net result is their mean.
    """

    line: str
    pays: str
    net: Fraction
    probability: Fraction


@dataclass(frozen=True)
class Figure:
    """A figure beside the usual ones, and what it is. One that is a float is approximate, and told as such."""

    name: str
    value: Fraction | float
    meaning: str
    percent: bool = True


@dataclass(frozen=True)
class EnumeratedWager:
    """All that is told of a wager: its outcomes per unit of its opening stake, with a net result that leaves nothing
    out, what is staked on it in a round, and what else is worth telling."""

    outcomes: tuple[Outcome, ...]
    average_stake: Fraction = Fraction(1)
    strategy: tuple[Advice, ...] = ()
    figures: tuple[Figure, ...] = ()
    tried: Mapping[str, Fraction] | None = None
    """Other edges that a printed figure was compared with, by their definition."""
    notes: tuple[str, ...] = ()
    variance: Fraction | None = None
    """Of the net result, where the outcomes do not tell it because one of them is an average."""
    most_staked: Fraction | None = None
    """The average stake where of options that are worth the same the last is taken, if that is another."""


Progress = Callable[[int, int], None]
Ends = Mapping[tuple[str, str, Fraction], int]
"""How often a wager ended on a line, with these pays and this net result."""


LEAST_PENETRATION, MOST_PENETRATION = 10, 100
"""Where a cut card may lie, in percent of the shoe."""


@dataclass(frozen=True)
class Dealing:
    """How whole shoes are dealt in a simulation: to how many seats, with the cut card at so many percent of the shoe or
    with so many rounds from every one; and by which strategy every seat plays."""

    seats: int = 1
    penetration: int = 75
    rounds_per_shoe: int | None = None
    strategy: str = "best"


@dataclass(frozen=True)
class ShoesPlayed:
    """What was counted of whole shoes, per unit of the first wager, beside the exact figure of a fresh shoe."""

    dealing: Dealing
    rounds: int
    shoes: int
    wagers: int
    """One for each seat and round."""
    ends: Ends
    edge: Fraction
    standard_error: float
    exact: Fraction
    """The edge of the same strategy from a fresh shoe."""
    z: float | None
    """How many standard errors the seats did better than that; none where the two need not agree."""
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()


@runtime_checkable
class Enumerator(Protocol):
    """The functions of an enumerator."""

    PARTS: Mapping[str, Part]
    """How each part is counted, in modules that import nothing else than what takes part in it: a hash of their code
    goes with what was counted."""

    def essential(self, game: Game) -> Game:
        """The game with all that the counts do not depend on as it is by default: its fingerprint names the counts."""

    def bears_on_strategy(self, game: Game, wager: str) -> bool:
        """Whether a stake on a wager beside the base would change how the base game is best played."""

    def edge(self, game: Game, name: str, parts: Parts) -> Fraction:
        """The edge of a wager alone."""

    def wager(self, game: Game, name: str, parts: Parts, *, details: bool) -> EnumeratedWager:
        """One wager, by the best strategy for the base game; with details that take longer to count."""

    def advise(self, game: Game, parts: Parts, asked: Situation) -> Advice:
        """What each option is worth in a situation."""

    def option(self, game: Game, info: Info) -> str:
        """The best option in a situation of a round."""

    def chart(self, game: Game, parts: Parts) -> Chart:
        """The strategy as a chart."""

    def plot(self, game: Game, parts: Parts) -> Plot | None:
        """What depends on the jackpot's meter, drawn against it."""

    def simulate(
        self, game: Game, rounds: int, seed: int, workers: int, progress: Progress | None
    ) -> Mapping[str, Ends]:
        """Many rounds by the best strategy: how every wager ended, and how often."""


@runtime_checkable
class ShoeEnumerator(Enumerator, Protocol):
    """An enumerator that can also play whole shoes, round after round down to the cut card."""

    def play_shoes(
        self, game: Game, dealing: Dealing, rounds: int, seed: int, workers: int, progress: Progress | None
    ) -> ShoesPlayed:
        """At least so many rounds in whole shoes."""
