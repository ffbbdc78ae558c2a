"""Commands that come to a table, and the events that happen there: everything is an event (F-16)."""

from typing import Any

import msgspec

from feltworks.floor.money import Settled
from feltworks.floor.settings import Cents, TableSettings
from feltworks.kit.standing import Standing

Time = int
"""Milliseconds of UTC since 1970."""


class _Tagged(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    pass


# Commands of a player. Who sends one is known from the connection, never from the command.


class Sit(_Tagged, tag="sit", frozen=True):
    seat: int


class Leave(_Tagged, tag="leave", frozen=True):
    pass


class Place(_Tagged, tag="place", frozen=True):
    spot: str
    amount: Cents


class TakeUp(_Tagged, tag="take up", frozen=True):
    spot: str


class Collect(_Tagged, tag="collect", frozen=True):
    """What a self-service spot has won is picked up."""

    spot: str


class Ready(_Tagged, tag="ready", frozen=True):
    """The seat has bet and wants the cards."""


class Choose(_Tagged, tag="choose", frozen=True):
    option: str
    amount: Cents | None = None


PlayerCommand = Sit | Leave | Place | TakeUp | Collect | Ready | Choose


# Commands of the house: the automatic dealer, the clock, the network.


class StartRound(_Tagged, tag="start round", frozen=True):
    """`root` commits the house to the cards or rolls before the first one (F-21); none goes on with the shoe."""

    root: str | None = None
    size: int = 0


class CloseBetting(_Tagged, tag="close betting", frozen=True):
    pass


class Answer(_Tagged, tag="answer", frozen=True):
    """What chance answered to the step at which the round waits."""

    answer: list[Any]


class Reshuffle(_Tagged, tag="reshuffle", frozen=True):
    """A new root in mid-round: a card went back into the shuffler and the cards not dealt yet are mixed with it; or all
    rolls under the old one are rolled; or the shoe is empty, and the discards are dealt on (F-23)."""

    root: str
    size: int
    discards: bool = False


class ClockRanOut(_Tagged, tag="clock ran out", frozen=True):
    pass


class EndRound(_Tagged, tag="end round", frozen=True):
    openings: list[dict[str, Any]] = []


class Connection(_Tagged, tag="connection", frozen=True):
    """A player's connection was lost, or is back."""

    player: str
    present: bool


class FreeSeats(_Tagged, tag="free seats", frozen=True):
    """Whoever has been away for too long, or has let round after round go by, and has nothing up, loses the seat."""


class VoidRound(_Tagged, tag="void round", frozen=True):
    reason: str
    openings: list[dict[str, Any]] = []


class Report(_Tagged, tag="report", frozen=True):
    """Something went wrong: the table stops until the dealer or the supervisor has decided (F-28)."""

    incident: str
    text: str = ""
    seat: int | None = None
    spots: tuple[str, ...] = ()
    amount: Cents | None = None


class Release(_Tagged, tag="release", frozen=True):
    """A device that was out of service may be used again."""

    what: str
    reason: str


HouseCommand = (
    StartRound
    | CloseBetting
    | Answer
    | Reshuffle
    | ClockRanOut
    | EndRound
    | Connection
    | FreeSeats
    | VoidRound
    | Report
    | Release
)
Command = PlayerCommand | HouseCommand


# Events.


class Called(_Tagged, tag="called", frozen=True):
    """What the dealer said."""

    text: str


class Moved(_Tagged, tag="moved", frozen=True):
    """A card or marker was put somewhere; a card is named by its owner and name."""

    what: list[Any]
    to: str


class Opened(_Tagged, tag="opened", frozen=True):
    """How the table stood to the approval is written down as it was said then; earlier records left it out."""

    settings: TableSettings
    definition: str
    build: str
    standing: Standing | None = None


class Sat(_Tagged, tag="sat", frozen=True):
    seat: int
    player: str
    name: str


class Left(_Tagged, tag="left", frozen=True):
    """The seat is free, or will be when all it has up is decided. `why` is told when the house took it back."""

    seat: int
    why: str = ""


class Presence(_Tagged, tag="presence", frozen=True):
    seat: int
    present: bool


class RoundStarted(_Tagged, tag="round started", frozen=True):
    """A round begins, and what the dealer says and does first; records from before that was kept have none of it."""

    round: int
    root: str | None
    size: int
    effects: list[Called | Moved | Settled] = []


class Readied(_Tagged, tag="readied", frozen=True):
    seat: int


class Answered(_Tagged, tag="answered", frozen=True):
    """An answer and all that it caused: calls, moves and settlements in the document's order."""

    answer: list[Any]
    effects: list[Called | Moved | Settled] = []


class Reshuffled(_Tagged, tag="reshuffled", frozen=True):
    root: str
    size: int
    discards: bool = False


class RoundEnded(_Tagged, tag="round ended", frozen=True):
    round: int
    openings: list[dict[str, Any]]


class Voided(_Tagged, tag="voided", frozen=True):
    round: int
    reason: str
    returned: list[Settled]
    openings: list[dict[str, Any]] = []


class Reported(_Tagged, tag="reported", frozen=True):
    incident: str
    text: str = ""
    seat: int | None = None
    spots: tuple[str, ...] = ()
    amount: Cents | None = None


class Released(_Tagged, tag="released", frozen=True):
    what: str
    reason: str


Event = (
    Opened
    | Sat
    | Left
    | Presence
    | RoundStarted
    | Readied
    | Answered
    | Reshuffled
    | RoundEnded
    | Voided
    | Reported
    | Released
)
