"""What happens at a table: everything is an event (F-16). A number in a tag is the version of its shape; none is 1.

A shape never changes once there are records of it. A new one gets the next number, and `journal/upcasting.py` says how
the old one is read.
"""

from collections.abc import Sequence

import msgspec
from msgspec import UNSET, UnsetType

from feltworks.floor.accounts import Cents
from feltworks.floor.chance.shared_opening import SharedOpening
from feltworks.floor.precedence import RuleKind
from feltworks.floor.table.answers import Answer, NoWager
from feltworks.floor.table.pending import HeldWin, Verdict
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.tagged import Tagged
from feltworks.kit.standing import Standing

Time = int
"""Milliseconds of UTC since 1970."""


class Called(Tagged, tag="called", frozen=True):
    """What the dealer said."""

    text: str


class Moved(Tagged, tag="moved/2", frozen=True):
    """The marker, the cup or the dice were put somewhere, or the dealer's hand made a signal."""

    what: str
    to: str


class CardMoved(Tagged, tag="card moved", frozen=True):
    """A card was put somewhere: its token is its owner, a seat or nobody, and its name."""

    owner: int | None
    name: str
    to: str


class WagerMoved(Tagged, tag="wager moved", frozen=True):
    """A wager was put on another spot: the same chips, still in action, so that nothing is booked."""

    seat: int
    spot: str
    to: str
    amount: Cents
    rule: str


class Settled(Tagged, tag="settled", frozen=True):
    """A settlement in whole cents, as it is booked and shown."""

    seat: int
    spot: str
    line: str
    pays: str
    stake: str
    amount: Cents
    paid: Cents
    returned: Cents
    rule: str
    held: bool | UnsetType = UNSET
    """Whether what is paid is held until somebody has verified it (F-19)."""

    @property
    def is_held(self) -> bool:
        return self.held is True

    @property
    def net(self) -> Cents:
        lost = self.amount if self.stake == "taken" else 0
        return self.paid - lost


Effect = Called | Moved | CardMoved | WagerMoved | Settled


class Opened(Tagged, tag="opened", frozen=True):
    """How the table stood to the approval is written down as it was said then; earlier records left it out."""

    settings: TableSettings
    definition: str
    build: str
    standing: Standing | None = None
    predecessor: str = ""


class Sat(Tagged, tag="sat/2", frozen=True):
    """A person by id; records of the first shape hold the name too."""

    seat: int
    player: str


class Left(Tagged, tag="left", frozen=True):
    """The seat is free, or will be when all it has up is decided. `why` is told when the house took it back."""

    seat: int
    why: str = ""


class PatronSat(Tagged, tag="patron sat", frozen=True):
    """Somebody without an account sits down with chips."""

    seat: int
    chips: Cents


class PatronLeft(Tagged, tag="patron left", frozen=True):
    """Somebody without an account takes the chips away."""

    seat: int
    chips: Cents


class Unseated(Tagged, tag="unseated", frozen=True):
    """The seat is the house's again as soon as nothing of it is in action. Until then its player decides as before."""

    seat: int


class Presence(Tagged, tag="presence", frozen=True):
    seat: int
    present: bool


class RoundStarted(Tagged, tag="round started/2", frozen=True):
    """A round begins, and what the dealer says and does first; records from before that was kept have none of it."""

    round: int
    root: str | None = None
    size: int = 0
    effects: tuple[Effect, ...] = ()
    hold_over: Cents | UnsetType = UNSET
    """A payout of the round above this is held until it is verified (F-19)."""


class Readied(Tagged, tag="readied", frozen=True):
    seat: int


class Answered(Tagged, tag="answered/2", frozen=True):
    """An answer and all that it caused: calls, moves and settlements in the document's order."""

    answer: Answer
    effects: tuple[Effect, ...] = ()
    reason: str | UnsetType = UNSET
    """Why it was decided so, of an incident (F-28)."""


class Reshuffled(Tagged, tag="reshuffled", frozen=True):
    """A new root in mid-round: a card went back into the shuffler and the cards not dealt yet are mixed with it; or all
    rolls under the old one are rolled; or the shoe is empty, and the discards are dealt on (F-23). What people shuffle
    has an empty root."""

    root: str
    size: int
    discards: bool = False


class RoundEnded(Tagged, tag="round ended/2", frozen=True):
    round: int
    openings: tuple[SharedOpening, ...] = ()


class Voided(Tagged, tag="voided/2", frozen=True):
    round: int
    reason: str
    returned: tuple[Settled, ...] = ()
    openings: tuple[SharedOpening, ...] = ()


class Reported(Tagged, tag="reported", frozen=True):
    incident: str
    text: str = ""
    seat: int | None = None
    spots: tuple[str, ...] = ()
    amount: Cents | None = None


class Released(Tagged, tag="released", frozen=True):
    what: str
    reason: str


class WinReleased(Tagged, tag="win released", frozen=True):
    """A win that was held is verified, and paid: by whom of surveillance, or by nobody where the program dealt it and
    verifies it itself (F-19)."""

    win: str
    by: str = ""


class Claimed(Tagged, tag="claimed", frozen=True):
    """A round is disputed, for the player at a seat; `by` is who took that down."""

    dispute: int
    round: int
    seat: int
    player: str
    text: str
    by: str = ""


class DisputeDecided(Tagged, tag="dispute decided", frozen=True):
    """A dispute is decided, by whom, by which kind of rules and why; what is paid or, below zero, taken back by it is a
    correction (F-05, F-19)."""

    dispute: int
    decision: Verdict
    rule: RuleKind
    reason: str
    by: str
    amount: Cents = 0
    held: bool = False
    """Whether what is paid is above the limit, so that it is held like any other win until it is verified."""


class DealerCame(Tagged, tag="dealer came", frozen=True):
    """A dealer signs on, a person by id, and relieves another one if somebody dealt there (F-41)."""

    dealer: str
    relieved: str = ""


class DealerLeft(Tagged, tag="dealer left", frozen=True):
    dealer: str


class TickedOff(Tagged, tag="ticked off", frozen=True):
    """So many of the effects of the round, counted from its start, are carried out (F-27)."""

    done: int


class HandedBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player has on the layout, and gets back where the table is closed: wagers in action, and winnings that
    nobody collected."""

    player: str
    wagers: Cents
    winnings: Cents


class TakenBack(Tagged, tag="taken back", frozen=True):
    """The dealer has taken an entry back: its number among the answers of the round, counted from 1. What was answered
    after it, to the same step, stays, with what each of those answers causes now."""

    entry: int
    effects: tuple[tuple[Effect, ...], ...] = ()
    lying: tuple[HandedBack, ...] = ()
    held: tuple[HeldWin, ...] = ()
    """The wins of the round that are held then (F-19)."""


class Corrected(Tagged, tag="corrected", frozen=True):
    """An entry of the round should have been another answer, or no wager at all (F-20): the round is what follows from
    that. `kept` is how much of what happened after the entry still fits and stays; the rest is to be entered again.
    `effects` are those of the new answer, none where there was no wager, and of each that stays; `lying` is what every
    player then has on the layout. What differs in money is booked with this event."""

    entry: int
    answer: Answer | NoWager
    reason: str
    kept: int = 0
    effects: tuple[tuple[Effect, ...], ...] = ()
    lying: tuple[HandedBack, ...] = ()
    held: tuple[HeldWin, ...] = ()
    """The wins of the round that are held then (F-19)."""


def answers_again(answers: Sequence[Answered], event: TakenBack | Corrected) -> list[Answered]:
    """The answers of a round as they are now that an entry is another one, or none."""
    made = [answer.answer for answer in answers[event.entry :]]
    effects = event.effects
    if isinstance(event, Corrected):
        if isinstance(event.answer, NoWager):
            effects = effects[1:]
        else:
            made.insert(0, event.answer)
    stay = map(Answered, made, effects)  # the rest fits no more
    return [*answers[: event.entry - 1], *stay]


class ClocksRestarted(Tagged, tag="clocks restarted", frozen=True):
    """The house was not there, for however long: every clock of the table begins anew (F-30)."""


class Paused(Tagged, tag="paused", frozen=True):
    reason: str


class Resumed(Tagged, tag="resumed", frozen=True):
    """The table goes on, and every clock of it begins anew."""


class Closing(Tagged, tag="closing", frozen=True):
    """No other round begins after this one."""

    reason: str


class Reopened(Tagged, tag="reopened", frozen=True):
    pass


class TableClosed(Tagged, tag="table closed", frozen=True):
    """Nobody sits there any more, and nothing lies there; it can be opened again."""

    reason: str
    back: tuple[HandedBack, ...] = ()


class ChangePosted(Tagged, tag="change posted", frozen=True):
    """Other settings are posted at the table, with what differs (F-40). They are not in force yet."""

    settings: TableSettings
    differences: tuple[str, ...]
    definition: str
    build: str
    standing: Standing | None = None


class ChangeWithdrawn(Tagged, tag="change withdrawn", frozen=True):
    """What was posted is not to be; `reason` where the program found that it cannot be any more."""

    reason: str = ""


class SettingsChanged(Tagged, tag="settings changed", frozen=True):
    """What was posted is in force, with the fingerprints and the standing as they are now."""

    settings: TableSettings
    definition: str
    build: str
    standing: Standing | None = None


SettingsEvent = Opened | SettingsChanged
"""The events from which a table has its settings."""


class Abandoned(Tagged, tag="abandoned", frozen=True):
    """The table is closed for good, because what it was played by is not installed any more."""

    reason: str
    back: tuple[HandedBack, ...] = ()


class Succeeded(Tagged, tag="succeeded", frozen=True):
    """Another table takes the place of this one."""

    by: str


Event = (
    Opened
    | Sat
    | Left
    | PatronSat
    | PatronLeft
    | Unseated
    | Presence
    | RoundStarted
    | Readied
    | Answered
    | Reshuffled
    | RoundEnded
    | Voided
    | Reported
    | Released
    | WinReleased
    | Claimed
    | DisputeDecided
    | DealerCame
    | DealerLeft
    | TickedOff
    | TakenBack
    | Corrected
    | ClocksRestarted
    | Paused
    | Resumed
    | Closing
    | TableClosed
    | Reopened
    | ChangePosted
    | ChangeWithdrawn
    | SettingsChanged
    | Abandoned
    | Succeeded
)
