"""Commands that come to a table. Who gives one is known from the session, never from the command.

Commands are recorded with what they made happen. So none of them holds what must not be in a record: cards and dice are
chance's to answer, and openings are made from what was turned.
"""

from msgspec import UNSET, UnsetType

from feltworks.floor.accounts import Cents
from feltworks.floor.precedence import RuleKind
from feltworks.floor.table.answers import Answer, NoWager
from feltworks.floor.table.pending import Verdict
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.tagged import Tagged

# Of a player.


class Sit(Tagged, tag="sit", frozen=True):
    seat: int


class Leave(Tagged, tag="leave", frozen=True):
    pass


class Place(Tagged, tag="place", frozen=True):
    spot: str
    amount: Cents


class TakeUp(Tagged, tag="take up", frozen=True):
    spot: str


class Collect(Tagged, tag="collect", frozen=True):
    """What a self-service spot has won is picked up."""

    spot: str


class Ready(Tagged, tag="ready", frozen=True):
    """The seat has bet and wants the cards."""


class Choose(Tagged, tag="choose", frozen=True):
    option: str
    amount: Cents | None = None


PlayerCommand = Sit | Leave | Place | TakeUp | Collect | Ready | Choose


# For a patron without an account, at a table that people deal: entered by the dealer or the supervisor.


class SeatPatron(Tagged, tag="seat patron", frozen=True):
    """A patron sits down with chips; nobody is asked who it is."""

    seat: int
    chips: Cents


class PatronLeaves(Tagged, tag="patron leaves", frozen=True):
    """A patron takes the chips away."""

    seat: int


class PlaceFor(Tagged, tag="place for", frozen=True):
    seat: int
    spot: str
    amount: Cents


class TakeUpFor(Tagged, tag="take up for", frozen=True):
    """The patron takes back what lies on a spot: what it has won, or the wager."""

    seat: int
    spot: str


class ChooseFor(Tagged, tag="choose for", frozen=True):
    seat: int
    option: str
    amount: Cents | None = None


PatronCommand = SeatPatron | PatronLeaves | PlaceFor | TakeUpFor | ChooseFor


# Of the house: the automatic dealer, the clock, the network, the staff.


class OpenTable(Tagged, tag="open table", frozen=True):
    """`predecessor` is a table that this one takes the place of."""

    settings: TableSettings
    predecessor: str = ""


class StartRound(Tagged, tag="start round", frozen=True):
    """`shuffle`: the cards are shuffled first. Where they must be, a round does not start without it. `hold_over`: a
    payout of the round above this is held until it is verified (F-19); the house fills it in, and in records from
    before there was such a limit it is missing."""

    shuffle: bool = False
    hold_over: Cents | UnsetType = UNSET


class GoOn(Tagged, tag="go on", frozen=True):
    """The automatic dealer does the next thing; cards and dice are chance's. People who deal say by it that they have
    shuffled the discards."""


class Enter(Tagged, tag="enter", frozen=True):
    """A person enters what physical cards, lights, dice or wheels showed (F-20)."""

    answer: Answer


class SignOn(Tagged, tag="sign on", frozen=True):
    """A dealer comes to the table, and relieves whoever dealt there (F-41)."""


class SignOff(Tagged, tag="sign off", frozen=True):
    """The dealer leaves the table."""


class TickOff(Tagged, tag="tick off", frozen=True):
    """So many of what the round has caused, counted from its start, are said, shown, taken and paid (F-27). It moves no
    money."""

    done: int


class TakeBack(Tagged, tag="take back", frozen=True):
    """The dealer takes the last entry back, until the next step is entered (F-20)."""


class Correct(Tagged, tag="correct", frozen=True):
    """The supervisor corrects an entry of the round: `entry` is its number among the answers of the round, counted from
    1, and `answer` what it should have been (F-20)."""

    entry: int
    answer: Answer | NoWager
    reason: str


class Resolve(Tagged, tag="resolve", frozen=True):
    """What the dealer or the supervisor decides about what was reported, and why. `report` is the number of the event
    that reported it, so that nobody decides what they have not seen; nought in records from before it was written."""

    role: str
    option: str
    reason: str | UnsetType = UNSET
    report: int = 0


class CloseBetting(Tagged, tag="close betting", frozen=True):
    pass


class ClockRanOut(Tagged, tag="clock ran out", frozen=True):
    pass


class EndRound(Tagged, tag="end round", frozen=True):
    pass


class Connection(Tagged, tag="connection", frozen=True):
    """A player's connection was lost, or is back."""

    player: str
    present: bool


class Unseat(Tagged, tag="unseat", frozen=True):
    """Somebody who may not play here any more loses the seat as soon as nothing of theirs is in action (F-15)."""

    player: str


class FreeSeats(Tagged, tag="free seats", frozen=True):
    """Whoever has been away for too long, or has let round after round go by, and has nothing up, loses the seat."""


class RestartClocks(Tagged, tag="restart clocks", frozen=True):
    """The house was not there: whoever it waited for has all the time again (F-30)."""


class VoidRound(Tagged, tag="void round", frozen=True):
    """`round` is its number: what two people sign may be over by then, and the next one is not meant. Without one it is
    the round that is played now."""

    reason: str
    round: int = 0


class Report(Tagged, tag="report", frozen=True):
    """Something went wrong: the table stops until the dealer or the supervisor has decided (F-28)."""

    incident: str
    text: str = ""
    seat: int | None = None
    spots: tuple[str, ...] = ()
    amount: Cents | None = None


class Release(Tagged, tag="release", frozen=True):
    """A device that was out of service may be used again."""

    what: str
    reason: str


class VerifyWin(Tagged, tag="verify win", frozen=True):
    """Surveillance has verified a win that is held: it is paid now (F-19)."""

    win: str


class Claim(Tagged, tag="claim", frozen=True):
    """Somebody disputes a round that is over (F-19): the player at a seat, or the dealer or the supervisor for one.
    `player` is who sat there; nobody where that was a patron who has gone."""

    round: int
    seat: int
    player: str
    text: str


class DecideDispute(Tagged, tag="decide dispute", frozen=True):
    """What the supervisor decides about a dispute, by which of the four kinds of rules (F-05), and why. An `amount`
    is paid to the player; one below zero is taken back."""

    dispute: int
    decision: Verdict
    rule: RuleKind
    reason: str
    amount: Cents = 0


PendingCommand = VerifyWin | Claim | DecideDispute
"""What is about rounds that are over, so that it is taken whether or not anything is played."""


class Pause(Tagged, tag="pause", frozen=True):
    """Nothing goes on at the table until it is resumed; everything lies where it is."""

    reason: str


class Resume(Tagged, tag="resume", frozen=True):
    pass


class CloseTable(Tagged, tag="close table", frozen=True):
    """The round is played to its end, and no other begins; then everybody gets back what is theirs."""

    reason: str


class ReopenTable(Tagged, tag="reopen table", frozen=True):
    pass


class ChangeSettings(Tagged, tag="change settings", frozen=True):
    """Post other settings for the table: they hold from the next round on (F-40)."""

    settings: TableSettings


class WithdrawChange(Tagged, tag="withdraw change", frozen=True):
    """What was posted is not to be after all."""


class Abandon(Tagged, tag="abandon", frozen=True):
    """The table cannot be played on with what is installed: its round is void, and it stays closed (F-17)."""

    reason: str
    signed: bool = False
    """Whether only what the house has signed counts as won or lost; before there was a choice, all did."""


HouseCommand = (
    OpenTable
    | StartRound
    | GoOn
    | Enter
    | SignOn
    | SignOff
    | TickOff
    | TakeBack
    | Correct
    | Resolve
    | CloseBetting
    | ClockRanOut
    | EndRound
    | Connection
    | Unseat
    | FreeSeats
    | RestartClocks
    | VoidRound
    | Report
    | Release
    | VerifyWin
    | Claim
    | DecideDispute
    | Pause
    | Resume
    | CloseTable
    | ReopenTable
    | ChangeSettings
    | WithdrawChange
    | Abandon
)
DealerCommand = StartRound | GoOn | Enter | CloseBetting | EndRound
"""What the dealer does: the program or a person, as the table's settings have it (F-03)."""
PersonalCommand = SignOn | SignOff | TickOff | TakeBack
"""What only a person does who deals (F-41)."""
ManagerCommand = ChangeSettings | WithdrawChange
StaffCommand = (
    DealerCommand
    | PersonalCommand
    | PatronCommand
    | ManagerCommand
    | Correct
    | Resolve
    | VoidRound
    | Report
    | Release
    | VerifyWin
    | DecideDispute
    | Pause
    | Resume
    | CloseTable
    | ReopenTable
)
"""Those of the house that a person of the staff can give too."""
Command = PlayerCommand | PatronCommand | HouseCommand
