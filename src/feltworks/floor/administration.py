"""The house as a whole: whom it admitted, which key signs, what moved outside the tables, which way the wall clock
jumped, older records taken over."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import msgspec

from feltworks.floor.accounts import Account, AccountKind, Cents, Entry, Kind
from feltworks.floor.refusal import Refused
from feltworks.floor.tagged import Tagged
from feltworks.kit.errors import BadValue


class AdmitGuest(Tagged, tag="admit guest", frozen=True):
    """A new person with play money and a session; the house counts them for their names."""

    person: str
    digest: str
    grant: Cents
    token: str
    expires: int


class Book(Tagged, tag="book", frozen=True):
    """Money moves outside the tables."""

    entry: str
    """Its kind."""
    payer: str
    payee: str
    cents: Cents
    reason: str


class ChangeKey(Tagged, tag="change key", frozen=True):
    """From now on the house signs with another key; this commit is the last that the old one signs."""

    public: str
    before: str


class Migrate(Tagged, tag="migrate", frozen=True):
    """Records of an older version go on in this journal."""


class NoteJump(Tagged, tag="note jump", frozen=True):
    """The wall clock was set by so many milliseconds, and shows this now."""

    by: int
    wall: int


Command = AdmitGuest | Book | ChangeKey | Migrate | NoteJump


class Admitted(Tagged, tag="admitted", frozen=True):
    person: str


class Booked(Tagged, tag="booked/2", frozen=True):
    reason: str
    entry: str
    payer: str
    payee: str
    cents: Cents


class KeyChanged(Tagged, tag="key changed", frozen=True):
    """The key from now on, and the one that signs this for the last time."""

    public: str
    before: str


class Migrated(Tagged, tag="migrated", frozen=True):
    """What the older records were when they were taken over: the last number and hash of each stream, every balance,
    and a digest of every table of the file."""

    version: int
    heads: dict[str, tuple[int, str]]
    balances: dict[str, Cents]
    tables: dict[str, str]
    admitted: int


class ClockJumped(Tagged, tag="clock jumped", frozen=True):
    """The wall clock was set by so many milliseconds, and shows this now. While the house runs, its own time goes on as
    if nothing were, so the time of this record says how far both are apart. At a start the house takes the wall clock's
    time: then this tells by how much it lies before the newest record."""

    by: int
    wall: int


class OldJoined(Tagged, tag="joined", frozen=True):
    """Of records of the first version: it holds the name."""

    player: str
    name: str


class OldEntry(msgspec.Struct, frozen=True):
    kind: str
    payer: str
    payee: str
    cents: Cents


class OldBooked(Tagged, tag="booked", frozen=True):
    """Of records of the first version."""

    reason: str
    entries: list[OldEntry]


Event = Admitted | Booked | KeyChanged | Migrated | ClockJumped | OldJoined | OldBooked


@dataclass(frozen=True)
class Administration:
    admitted: int = 0
    """How many guests there were."""


def evolve(house: Administration, event: Event) -> Administration:
    match event:
        case Admitted() | OldJoined():
            return replace(house, admitted=house.admitted + 1)
        case Migrated(admitted=admitted):
            return replace(house, admitted=admitted)
    return house


def check_booking(command: Book, is_there: Callable[[str], bool]) -> Booked:
    """An entry outside the tables: of a kind of the list, between accounts that there are, with its reason. `is_there`
    says whether there is a stream."""
    try:
        kind = Kind(command.entry)
    except ValueError:
        raise Refused(
            f"{command.entry!r} is no kind of entry; choose one of {', '.join(k.value for k in Kind)}."
        ) from None
    payer, payee = (_account(text, is_there) for text in (command.payer, command.payee))
    if payer == payee or not 0 < command.cents <= 10**12:
        raise Refused("Move a positive amount between two accounts.")
    if not command.reason.strip():
        raise Refused("Give the reason for the entry.")
    return Booked(command.reason, kind.value, str(payer), str(payee), command.cents)


def _account(text: str, is_there: Callable[[str], bool]) -> Account:
    try:
        account = Account.parse(text)
    except BadValue as problem:
        raise Refused(str(problem)) from None
    stream = {AccountKind.PLAYER: f"person:{account.owner}", AccountKind.TABLE: account.owner}.get(account.kind)
    if account.is_single == bool(account.owner) or (stream is not None and not is_there(stream)):
        raise Refused(f"There is no account {text!r}.")
    return account


def entries(event: Event) -> list[Entry]:
    match event:
        case Booked(_, kind, payer, payee, cents):
            return [Entry(Kind(kind), Account.parse(payer), Account.parse(payee), cents)]
        case OldBooked(_, booked):
            return [Entry(Kind(e.kind), Account.parse(e.payer), Account.parse(e.payee), e.cents) for e in booked]
    return []
