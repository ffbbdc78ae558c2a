"""What happened at a table. Most events are told as they are recorded; these are not."""

from typing import TYPE_CHECKING, Any, Literal, Union, get_args

import msgspec
from msgspec import UNSET, UnsetType

from feltworks.floor.accounts import Cents
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Answer, NoWager
from feltworks.floor.table.events import Time
from feltworks.floor.tagged import Tagged
from feltworks.web.message import Message


class ProofNode(Message, frozen=True):
    side: Literal["left", "right"]
    hash: str


class Opening(Message, frozen=True, kw_only=True):
    """An opened card, roll or spin in the published form."""

    token: tuple[int | None, str]
    root: str
    position: int
    card: str | UnsetType = UNSET
    dice: str | UnsetType = UNSET
    spin: str | UnsetType = UNSET
    salt: str
    proof: list[ProofNode]


class Moved(Tagged, tag="moved", frozen=True):
    """The marker, the cup or the dice were put somewhere, or the dealer's hand made a signal."""

    what: str
    to: str


Effect = ev.Called | Moved | ev.CardMoved | ev.WagerMoved | ev.Settled


class Sat(Tagged, tag="sat", frozen=True):
    """A person takes a seat: the id and the name."""

    seat: int
    player: str
    name: str


class RoundStarted(Tagged, tag="round started", frozen=True, kw_only=True):
    """A round begins, and what the dealer says and does first; without a root the old shoe is used."""

    round: int
    root: str | None = None
    size: int = 0
    effects: list[Effect]
    hold_over: Cents | UnsetType = UNSET


class Answered(Tagged, tag="answered", frozen=True):
    """An answer and all that it caused, and of a decision about an incident why it was made."""

    answer: Answer
    effects: list[Effect]
    reason: str | UnsetType = UNSET


class RoundEnded(Tagged, tag="round ended", frozen=True):
    """The round is over; what was turned to all is opened."""

    round: int
    openings: list[Opening]


class Voided(Tagged, tag="voided", frozen=True):
    """Every wager in action went back."""

    round: int
    reason: str
    returned: list[ev.Settled]
    openings: list[Opening]


class WinReleased(Tagged, tag="win released", frozen=True):
    """A win that was held is verified, and paid."""

    win: str


class Claimed(Tagged, tag="claimed", frozen=True):
    """A round is disputed; by whom and why is told to those whom it concerns."""

    dispute: int


class DisputeDecided(Tagged, tag="dispute decided", frozen=True):
    """A dispute is decided; how is told to those whom it concerns."""

    dispute: int


class DealerCame(Tagged, tag="dealer came", frozen=True):
    """Another dealer has signed on (F-41)."""


class DealerLeft(Tagged, tag="dealer left", frozen=True):
    """The dealer has signed off."""


class TakenBack(Tagged, tag="taken back", frozen=True):
    """The dealer has taken an entry back, by its number among the answers of the round (F-20)."""

    entry: int


class Corrected(Tagged, tag="corrected", frozen=True):
    """The supervisor has corrected an entry, and the round is what follows from that: with how many later answers, and
    with what these cause (F-20)."""

    entry: int
    answer: Answer | NoWager
    reason: str
    kept: int
    effects: list[Effect]
    counts: list[int]
    """How many of the effects each of these answers causes, the corrected one first."""


AsRecorded = (
    ev.Opened
    | ev.Left
    | ev.PatronSat
    | ev.PatronLeft
    | ev.Unseated
    | ev.Presence
    | ev.Readied
    | ev.Reshuffled
    | ev.Reported
    | ev.Released
    | ev.TickedOff
    | ev.ClocksRestarted
    | ev.Paused
    | ev.Resumed
    | ev.Closing
    | ev.TableClosed
    | ev.Reopened
    | ev.ChangePosted
    | ev.ChangeWithdrawn
    | ev.SettingsChanged
    | ev.Abandoned
    | ev.Succeeded
)
Event = (
    AsRecorded
    | Sat
    | RoundStarted
    | Answered
    | RoundEnded
    | Voided
    | WinReleased
    | Claimed
    | DisputeDecided
    | DealerCame
    | DealerLeft
    | TakenBack
    | Corrected
)

_numbered = {
    kind: msgspec.defstruct(
        f"Numbered{kind.__name__}",
        [("sequence", int), ("time", Time)],
        bases=(kind,),
        namespace={"__doc__": kind.__doc__},
        module=__name__,
        frozen=True,
        kw_only=True,
        tag=kind.__struct_config__.tag,
    )
    for kind in get_args(Event)
}
if TYPE_CHECKING:
    NumberedEvent = Event
else:
    NumberedEvent = Union[tuple(_numbered.values())]  # noqa: UP007
    """An event as the socket tells it: with its number and its time."""


def numbered(sequence: int, time: Time, event: Event) -> NumberedEvent:
    fields = {name: getattr(event, name) for name in event.__struct_fields__}
    made: Any = _numbered[type(event)]
    return made(**fields, sequence=sequence, time=time)  # type: ignore[no-any-return]
