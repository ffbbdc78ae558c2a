"""Commands that come to a table. Who gives one is known from the session, never from the command.

Commands are recorded with what they made happen. So none of them holds what must not be in a record: cards and dice are
chance's to answer, and openings are made from what was turned.
"""

import msgspec

from feltworks.floor.accounts import Cents
from feltworks.floor.table.answers import Answer
from feltworks.floor.table.settings import TableSettings


class _Command(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True, omit_defaults=True):
    pass


# Of a player.


class Sit(_Command, tag="sit", frozen=True):
    seat: int


class Leave(_Command, tag="leave", frozen=True):
    pass


class Place(_Command, tag="place", frozen=True):
    spot: str
    amount: Cents


class TakeUp(_Command, tag="take up", frozen=True):
    spot: str


class Collect(_Command, tag="collect", frozen=True):
    """What a self-service spot has won is picked up."""

    spot: str


class Ready(_Command, tag="ready", frozen=True):
    """The seat has bet and wants the cards."""


class Choose(_Command, tag="choose", frozen=True):
    option: str
    amount: Cents | None = None


PlayerCommand = Sit | Leave | Place | TakeUp | Collect | Ready | Choose


# Of the house: the automatic dealer, the clock, the network, the staff.


class OpenTable(_Command, tag="open table", frozen=True):
    """`predecessor` is a table that this one takes the place of."""

    settings: TableSettings
    predecessor: str = ""


class StartRound(_Command, tag="start round", frozen=True):
    """`shuffle`: the cards are shuffled first. Where they must be, a round does not start without it."""

    shuffle: bool = False


class GoOn(_Command, tag="go on", frozen=True):
    """The automatic dealer does the next thing; cards and dice are chance's."""


class Enter(_Command, tag="enter", frozen=True):
    """A person enters what physical cards, lights or dice showed (F-20)."""

    answer: Answer


class Resolve(_Command, tag="resolve", frozen=True):
    """What the dealer or the supervisor decides about what was reported."""

    role: str
    option: str


class CloseBetting(_Command, tag="close betting", frozen=True):
    pass


class ClockRanOut(_Command, tag="clock ran out", frozen=True):
    pass


class EndRound(_Command, tag="end round", frozen=True):
    pass


class Connection(_Command, tag="connection", frozen=True):
    """A player's connection was lost, or is back."""

    player: str
    present: bool


class FreeSeats(_Command, tag="free seats", frozen=True):
    """Whoever has been away for too long, or has let round after round go by, and has nothing up, loses the seat."""


class VoidRound(_Command, tag="void round", frozen=True):
    reason: str


class Report(_Command, tag="report", frozen=True):
    """Something went wrong: the table stops until the dealer or the supervisor has decided (F-28)."""

    incident: str
    text: str = ""
    seat: int | None = None
    spots: tuple[str, ...] = ()
    amount: Cents | None = None


class Release(_Command, tag="release", frozen=True):
    """A device that was out of service may be used again."""

    what: str
    reason: str


class Abandon(_Command, tag="abandon", frozen=True):
    """The table cannot be played on with what is installed: its round is void, and it stays closed (F-17)."""

    reason: str


HouseCommand = (
    OpenTable
    | StartRound
    | GoOn
    | Enter
    | Resolve
    | CloseBetting
    | ClockRanOut
    | EndRound
    | Connection
    | FreeSeats
    | VoidRound
    | Report
    | Release
    | Abandon
)
StaffCommand = Enter | Resolve | VoidRound | Report | Release
"""Those of the house that a person of the staff can give too."""
Command = PlayerCommand | HouseCommand
