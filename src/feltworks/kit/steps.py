"""The vocabulary of a round: the steps it waits at, the answers it takes, the effects it causes.

A round holds an agenda of items. Steps wait for an answer; effects happen and are recorded; tasks, moments and
notes are worked off on the way. One list, in the order of the game's document.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Final

from feltworks.kit.cards import Card, CardSet, Seat, Token
from feltworks.kit.odds import Amount, Larger, MeterShare, Odds, Pay


class Role(Enum):
    """Who decides where it is not a seat."""

    DEALER = "dealer"
    SUPERVISOR = "supervisor"


class Everyone(Enum):
    """To whom a card is turned when it is turned to all."""

    ALL = "all"


class Hidden(Enum):
    """The public answer to a card turned to one seat: it was turned, and nobody else saw it."""

    HIDDEN = "hidden"


class Dealt(Enum):
    """The answer to a deal: the card lies in its place."""

    DEALT = "dealt"


ALL: Final = Everyone.ALL
HIDDEN: Final = Hidden.HIDDEN
DEALT: Final = Dealt.DEALT


# Steps: the round waits for an answer.


@dataclass(frozen=True)
class Bet:
    """Betting is open on these spots, until it is closed."""

    window: str
    spots: tuple[str, ...]


@dataclass(frozen=True)
class Deal:
    """A card is dealt face down to a place."""

    token: Token
    place: str


@dataclass(frozen=True)
class Turn:
    """A dealt card is turned, to all or to one seat."""

    token: Token
    to: Seat | Everyone = ALL


@dataclass(frozen=True)
class Read:
    """A reader tells in which of these sets a sealed card lies."""

    token: Token
    among: tuple[CardSet, ...]


@dataclass(frozen=True)
class Roll:
    """So many dice are rolled together. `no_rolls` are the reasons why a roll may not count; none named, any is."""

    dice: int
    no_rolls: tuple[str, ...] = ()


@dataclass(frozen=True)
class Spin:
    """A wheel of the game is spun. A rule names the wheel; the round says which pockets it has."""

    wheel: str
    pockets: tuple[str, ...] = ()


@dataclass(frozen=True)
class Extra:
    """The wager an option carries, as multiples of another spot's wager."""

    spot: str
    of: str
    least: Fraction = Fraction(1)
    most: Fraction = Fraction(1)


@dataclass(frozen=True)
class Option:
    """One thing that may be chosen, and the task that follows from it, which is told who chose and the `args`."""

    name: str
    extra: Extra | None = None
    then: "Rule | None" = None
    args: tuple[Any, ...] = ()
    title: str = ""
    """What a button says, where the name alone does not tell it; records and the command line have the name."""


@dataclass(frozen=True)
class Choose:
    """Each of these seats, or a role, chooses one of the options, of which the first is the `clock_choice`. A neutral
    choice, such as who rolls the dice, has no bearing on what anybody may expect, so that an analysis takes the first
    option."""

    who: frozenset[Seat] | Role
    options: tuple[Option, ...]
    neutral: bool = False
    about: str = ""
    """What it is about, where that is not plain: "seat 3's Jackpot spot"."""
    sentence: str = ""
    """In a sentence, what a role does here: "The dealer takes the jackpot chips."; or what is good to know for a seat
    that chooses."""
    manager: bool = False
    """Whether a manager of the house may choose in the supervisor's place, where the document says so."""

    @property
    def clock_choice(self) -> Option:
        """What is chosen for whoever does not answer in time (F-30): the first option, which wagers nothing."""
        return self.options[0]

    def is_for(self, seat: Seat) -> bool:
        return not isinstance(self.who, Role) and seat in self.who


Step = Bet | Deal | Turn | Read | Roll | Spin | Choose
STEPS: Final = (Bet, Deal, Turn, Read, Roll, Spin, Choose)


# Answers.


@dataclass(frozen=True)
class Place:
    """A seat puts an amount on a spot; on a spot that has a wager it is added."""

    seat: Seat
    spot: str
    amount: Fraction


@dataclass(frozen=True)
class TakeUp:
    """A seat takes its wager back while betting is open."""

    seat: Seat
    spot: str


@dataclass(frozen=True)
class Collect:
    """A seat collects what a self-service spot has won."""

    seat: Seat
    spot: str


@dataclass(frozen=True)
class Close:
    """Betting is closed."""


@dataclass(frozen=True)
class NoRoll:
    """The dice were not validly rolled."""

    reason: str


@dataclass(frozen=True)
class Pocket:
    """Where the ball lies, or what the pointer shows, when a wheel has come to rest."""

    name: str
    wheel: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Decide:
    """What a seat or a role chose; the amount only where the option leaves a choice of it."""

    who: Seat | Role
    option: str
    amount: Fraction | None = None


Answer = Place | TakeUp | Collect | Close | Dealt | Card | Hidden | CardSet | tuple[int, ...] | NoRoll | Pocket | Decide


# Effects: what an answer caused, in the document's order.


class Stake(Enum):
    """What becomes of the wager itself when it is settled."""

    RETURNED = "returned"
    STAYS = "stays"
    TAKEN = "taken"


@dataclass(frozen=True)
class Call:
    """What the dealer says."""

    text: str


@dataclass(frozen=True)
class Move:
    """A card, the marker or the dice are put somewhere, or the dealer's hands make a signal. A card moved to the
    shuffler is in the shoe again."""

    what: Token | str
    to: str


@dataclass(frozen=True)
class WagerMoved:
    """A wager is put on another spot of its kind, and stays what it is: a come bet goes to the box of its number."""

    seat: Seat
    spot: str
    to: str
    amount: Fraction
    rule: str


@dataclass(frozen=True)
class Settlement:
    """One wager decided: on which line, what is paid, what becomes of the stake, and the statement that says so."""

    seat: Seat
    spot: str
    line: str
    pay: Pay | None
    stake: Stake
    amount: Fraction
    rule: str

    def net(self, meter: Fraction | None = None, cents: int = 1) -> Fraction:
        """What the seat has won (above 0) or lost by it, in the units of the wager, each of so many cents."""
        lost = self.amount if self.stake is Stake.TAKEN else Fraction(0)
        match self.pay:
            case None:
                return -lost
            case Odds():
                return self.amount * self.pay.net
            case Amount():
                return Fraction(self.pay.cents, cents) - lost
            case MeterShare() | Larger() if meter is None:
                raise ValueError(f"{self.line} pays {self.pay}: what the meter shows must be given")
            case MeterShare():
                return self.pay.of(meter) - lost
            case Larger(odds, share):
                return max(self.amount * odds.net, share.of(meter) - lost)


@dataclass(frozen=True)
class Incident:
    """Something that went wrong at the table: what kind, what was seen, and whose wager on which spots and of what
    amount it is about."""

    kind: str
    text: str = ""
    seat: Seat | None = None
    spots: tuple[str, ...] = ()
    amount: Fraction | None = None


Effect = Call | Move | WagerMoved | Settlement | Incident
EFFECTS: Final = (Call, Move, WagerMoved, Settlement, Incident)


# What else stands on an agenda.


@dataclass(frozen=True)
class Task:
    """A rule that is worked off when its turn comes, with the round as it then is."""

    rule: "Callable[..., Items]"
    args: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Moment:
    """A named moment of a base round, for one seat: the bonus wagers that hang on it are settled here."""

    name: str
    seat: Seat


@dataclass(frozen=True)
class Note:
    """A fact of the game changes: the point is 6, the shooter is seat 2."""

    facts: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Over:
    """The round ends here, whatever was still to come."""


Item = Step | Effect | Task | Moment | Note | Over
KINDS: Final = frozenset({*STEPS, *EFFECTS, Task, Moment, Note, Over})
Items = Iterator[Item]
Rule = Callable[..., Items]


def task(rule: Callable[..., Items], *args: Any) -> Task:
    """Put a rule on the agenda: `yield task(self.settle, seat)`."""
    return Task(getattr(rule, "__func__", rule), args)


def note(**facts: Any) -> Note:
    """Change facts of the game: `yield note(point=6)`."""
    return Note(tuple(facts.items()))


def kind_of(item: Any) -> type:
    """Which of the kinds an item of an agenda is; what is none of them ends the round, as `Over` does."""
    kind = type(item)
    if kind in KINDS:
        return kind
    return next((known for known in KINDS if isinstance(item, known)), Over)
