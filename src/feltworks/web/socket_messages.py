"""What the server says and hears through the socket of a table."""

from feltworks.floor.journal.records import Receipt
from feltworks.floor.table.commands import PlayerCommand
from feltworks.floor.table.dealer import Wish
from feltworks.floor.tagged import Tagged
from feltworks.web.event_messages import NumberedEvent
from feltworks.web.jackpot_messages import JackpotMessage
from feltworks.web.message import Message
from feltworks.web.view_messages import View


class ViewMessage(Message, frozen=True):
    """A view, and the events since the one before."""

    view: View
    events: list[NumberedEvent]


class Acknowledged(Message, frozen=True):
    """A command was done and is on the disk; the receipt is null where it was done before the house gave receipts, and
    where nothing is recorded of it."""

    ok: str
    version: int
    receipt: Receipt | None


class Refused(Message, frozen=True):
    """Why a command was not done; the id is null where there was none."""

    refused: str | None
    why: str


class Wait(Tagged, tag="wait", frozen=True):
    """Take a free seat, or a place in the line for one. It is done by the server, and not recorded."""


class StopWaiting(Tagged, tag="stop waiting", frozen=True):
    """Leave the line."""


class MoreMoney(Tagged, tag="more play money", frozen=True):
    """Another grant, for somebody who has too little left to wager."""


class AskRobot(Tagged, tag="ask robot", frozen=True):
    """Let a robot sit down beside you."""

    seat: int


class SendRobotAway(Tagged, tag="send robot away", frozen=True):
    seat: int


Request = MoreMoney | AskRobot | SendRobotAway
"""What somebody asks of the house, and not of the table."""
Asked = PlayerCommand | Wait | StopWaiting
Asking = Asked | Request


class CommandMessage(Message, frozen=True):
    """What a client says: a command with an id of its own, and the version of the view it saw."""

    id: str
    command: Asking
    seen: int = 0


class WishMessage(Message, frozen=True):
    """What a client wishes of the automatic dealer's pauses. It is no command: it changes nothing but when something
    happens, stands in no record, and gets no answer."""

    wish: Wish


class PingMessage(Message, frozen=True):
    """Whether anybody is there: it is answered with the same number."""

    ping: int


class Pong(Message, frozen=True):
    """The answer to a ping."""

    pong: int


Reply = Acknowledged | Refused | Pong
SAYS = (ViewMessage, JackpotMessage, Acknowledged, Refused, Pong)
"""What the server says through the socket."""
HEARS = (CommandMessage, WishMessage, PingMessage)
"""What it hears."""
