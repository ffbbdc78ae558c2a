"""What the dealer's console is told and what it says, to the last field; all else of it is the table's own view.

The console knows no game: it shows what it is told here, and offers what it is offered.
"""

from typing import Literal

from feltworks.floor.accounts import Cents
from feltworks.floor.table.commands import (
    ChooseFor,
    CloseBetting,
    EndRound,
    Enter,
    GoOn,
    PatronLeaves,
    PlaceFor,
    Report,
    Resolve,
    SeatPatron,
    SignOff,
    SignOn,
    StartRound,
    TakeBack,
    TakeUpFor,
    TickOff,
)
from feltworks.floor.table.procedure import Doing
from feltworks.floor.tagged import Tagged
from feltworks.web.message import Message

AskKind = Literal[
    "sign on", "shuffle", "start", "bet", "deal", "card", "light", "dice", "pocket", "choose", "go on", "end", "wait"
]


class Pile(Message, frozen=True):
    """So many chips of one value."""

    value: Cents
    count: int


class Act(Message, frozen=True, kw_only=True):
    """One thing that the dealer says, shows, moves, takes or pays."""

    number: int
    """Its place among all that the round has caused, from 1: what is ticked off."""
    do: Doing
    text: str
    detail: str = ""
    seat: int | None = None
    amount: Cents = 0
    chips: tuple[Pile, ...] = ()
    loose: Cents = 0
    """What is too small for a chip."""
    rule: str = ""


class Band(Message, frozen=True):
    """One answer of a reader, with the key that enters it; the light is a colour, where the table's layout has one."""

    name: str
    title: str
    key: str
    light: str
    ranks: str


class Choice(Message, frozen=True):
    """Something to choose, with the key that enters it, and what it wagers: so much, or down to the least."""

    name: str
    title: str
    key: str
    wager: Cents
    least: Cents


class SpotFor(Message, frozen=True):
    """Where the dealer may put chips for a seat without a screen."""

    spot: str
    title: str
    key: str
    least: Cents
    most: Cents
    down: Cents
    won: Cents
    """What lies there to be collected."""
    takes: bool
    """Whether what lies there may be taken up."""


class Patron(Message, frozen=True):
    """A seat for which the dealer enters everything, and what lies before it."""

    seat: int
    chips: Cents
    spots: list[SpotFor]


class Ask(Message, frozen=True, kw_only=True):
    """What is entered next."""

    kind: AskKind
    text: str
    detail: str = ""
    seat: int | None = None
    lays: int = 0
    """So many cards are laid, or shown to one seat alone, before it; entering it says that this is done."""
    laid: str = ""
    """That in words."""
    cards: tuple[str, ...] = ()
    """The cards that it can be."""
    bands: tuple[Band, ...] = ()
    dice: int = 0
    reasons: tuple[Choice, ...] = ()
    """Why a roll may not count."""
    wheel: str = ""
    pockets: tuple[str, ...] = ()
    """Where the wheel can stop."""
    choices: tuple[Choice, ...] = ()
    role: str = ""
    """Who chooses, where it is not a seat."""
    incident: bool = False
    """Whether it is about what was reported."""
    report: int = 0
    """The number of the event that reported it: a decision says about which it was made."""
    patrons: tuple[Patron, ...] = ()


class Console(Message, frozen=True, kw_only=True):
    """What a dealer's console shows besides the table."""

    you: str
    dealer: str
    """Who is signed on at the table; nothing if nobody is."""
    yours: bool
    """Whether that is you."""
    said: str
    """Why you cannot deal now, or what the table waits for instead of you."""
    at: int
    """How many entries the round has had; an entry says which it was made after."""
    acts: list[Act]
    """What is to do now, in this order."""
    before: list[Act]
    """What was done last, the newest first."""
    ask: Ask
    can_take_back: str
    """What the dealer would take back, in words; nothing where there is nothing."""
    free: list[int]
    """The seats at which a patron may be seated."""
    no_patrons: str
    """Why no patron can be seated at this table at all; nothing where that can be."""
    leaving: list[int]
    """The patrons who may leave now."""
    incidents: list[str]
    """What may be reported, by name; anything else can be, too."""
    chips: list[Cents]
    """The values of the chips in the tray, the largest first."""


# What the console says.


class LayCards(Tagged, tag="lay cards", frozen=True):
    """The cards up to the next entry are laid, face down, and looked at by whom they are for."""


Said = (
    SignOn
    | SignOff
    | TickOff
    | TakeBack
    | StartRound
    | GoOn
    | Enter
    | CloseBetting
    | EndRound
    | Resolve
    | Report
    | SeatPatron
    | PatronLeaves
    | PlaceFor
    | TakeUpFor
    | ChooseFor
    | LayCards
)


class ConsoleCommand(Message, frozen=True):
    """A command of the console: its id, the version of the view it saw, and after how many entries of the round."""

    id: str
    command: Said
    seen: int = 0
    at: int | None = None
