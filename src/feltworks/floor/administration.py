"""The house as a whole: whom it admitted, who works there, what waits for a second signature, which key signs, what
moved outside the tables, which way the wall clock jumped, whether its code is what it was started with, what is due,
older records taken over."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import msgspec

from feltworks.floor.accounts import BY_HAND, Account, AccountKind, Cents, Entry, Kind
from feltworks.floor.jackpot.commands import AdjustJackpot, CloseJackpot, SeedJackpot
from feltworks.floor.refusal import Refused
from feltworks.floor.table.commands import Resolve, VoidRound
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


class NoteCode(Tagged, tag="note code", frozen=True):
    """The code and the definitions that decide outcomes, hashed as they lie on the disk now (F-39)."""

    loaded: dict[str, str]
    """Of each part of the code, the hash of what this program was started with."""
    code: dict[str, str]
    opened: dict[str, str]
    """Of each table, the definition that it was opened with."""
    definitions: dict[str, str]


class NoteDue(Tagged, tag="note due", frozen=True):
    """Something is to be done until a time (F-38)."""

    id: str
    what: str
    about: str
    deadline: int
    source: str
    verified: bool = False


class MarkDone(Tagged, tag="mark done", frozen=True):
    """It was done, and how; who says so is the actor."""

    id: str
    note: str


# People of the house (F-13).


class OfferSetUp(Tagged, tag="offer set-up", frozen=True):
    """A house without a manager gets its first one by a code that is printed where it was started; this is its
    digest."""

    code: str


class SetUp(Tagged, tag="set up", frozen=True):
    """Whoever shows that code becomes the first manager, with a name and a password."""

    code: str
    person: str
    digest: str
    password: str
    parameters: str
    token: str
    expires: int


class AddPerson(Tagged, tag="add person", frozen=True):
    """Somebody of the house, who chooses a password with a one-time code; `code` is its digest. A person who adds them
    says who that is."""

    person: str
    digest: str
    roles: tuple[str, ...]
    code: str
    expires: int
    by: str = ""


class GiveRoles(Tagged, tag="give roles", frozen=True):
    """The roles that a person has from now on; none makes a player."""

    person: str
    roles: tuple[str, ...]
    reason: str


class AdmitForDemonstration(Tagged, tag="admit for demonstration", frozen=True):
    """A visitor of a demonstration takes a role."""

    person: str
    digest: str
    role: str
    token: str
    expires: int


# The self-exclusion list (F-15).


class ImportExclusions(Tagged, tag="import exclusions", frozen=True):
    """A list takes the place of the one before it. The people on it are nowhere in the journal: `digest` is that of the
    list as it is kept outside, with its salt, and `file` that of the file it was read from."""

    list: str
    rows: int
    broken: int
    digest: str
    file: str


class RemoveExclusions(Tagged, tag="remove exclusions", frozen=True):
    reason: str


class NoteBreach(Tagged, tag="note breach", frozen=True):
    """Somebody on the list has tried to take a seat, or without a table to buy in."""

    person: str
    table: str


# Two signatures (F-13).

Signed = VoidRound | Resolve | Book | SeedJackpot | AdjustJackpot | CloseJackpot
"""The commands that two persons give together."""


class Propose(Tagged, tag="propose", frozen=True):
    """The first of two signatures under a command to a stream."""

    action: str
    stream: str
    command: Signed
    expires: int


class Sign(Tagged, tag="sign", frozen=True):
    """The second one: the command is carried out."""

    action: str


class Withdraw(Tagged, tag="withdraw", frozen=True):
    action: str
    reason: str


class Lapse(Tagged, tag="lapse", frozen=True):
    """Nobody has signed in time."""

    action: str


Command = (
    AdmitGuest
    | Book
    | ChangeKey
    | Migrate
    | NoteJump
    | OfferSetUp
    | SetUp
    | AddPerson
    | GiveRoles
    | AdmitForDemonstration
    | ImportExclusions
    | RemoveExclusions
    | NoteBreach
    | Propose
    | Sign
    | Withdraw
    | Lapse
    | NoteCode
    | NoteDue
    | MarkDone
)


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


class CodeChecked(Tagged, tag="code checked", frozen=True):
    """The code and the definitions that decide outcomes were hashed: by part of the code, and by table."""

    code: dict[str, str]
    definitions: dict[str, str]
    changed: tuple[str, ...] = ()
    """The parts of the code that are not what the program was started with."""
    differing: tuple[str, ...] = ()
    """The tables whose definition is not the one that they were opened with."""


class BecameDue(Tagged, tag="became due", frozen=True):
    id: str
    what: str
    about: str
    """The table, the round and the device, or whatever else it refers to."""
    deadline: int
    source: str
    """Where the deadline comes from."""
    verified: bool = False
    """Whether somebody has found it in the text that is in force at this place."""


class DueDone(Tagged, tag="due done", frozen=True):
    id: str
    note: str


class SetUpOffered(Tagged, tag="set-up offered", frozen=True):
    code: str


class StaffChanged(Tagged, tag="staff changed", frozen=True):
    """A person has these roles from now on, in the list of those who work here."""

    person: str
    roles: tuple[str, ...]
    reason: str = ""
    demo: bool = False


class ExclusionsImported(Tagged, tag="exclusions imported", frozen=True):
    """How many entries the list has, and how many lines of its file were left out."""

    list: str
    rows: int
    broken: int
    digest: str
    file: str


class ExclusionsRemoved(Tagged, tag="exclusions removed", frozen=True):
    list: str
    reason: str


class BreachNoted(Tagged, tag="breach noted", frozen=True):
    person: str
    table: str


class Proposed(Tagged, tag="proposed", frozen=True):
    action: str
    stream: str
    command: Signed
    by: str
    expires: int


class ActionSigned(Tagged, tag="action signed", frozen=True):
    """The second signature, after the first: what they signed happens in the same commit."""

    action: str
    first: str
    second: str


class Withdrawn(Tagged, tag="withdrawn", frozen=True):
    action: str
    reason: str


class Lapsed(Tagged, tag="lapsed", frozen=True):
    action: str


Event = (
    Admitted
    | Booked
    | KeyChanged
    | Migrated
    | ClockJumped
    | OldJoined
    | OldBooked
    | SetUpOffered
    | StaffChanged
    | ExclusionsImported
    | ExclusionsRemoved
    | BreachNoted
    | Proposed
    | ActionSigned
    | Withdrawn
    | Lapsed
    | CodeChecked
    | BecameDue
    | DueDone
)

BEHIND_JACKPOTS = (AccountKind.METER, AccountKind.RESERVE)
"""The accounts of the money behind what is posted (F-37)."""
MOST_DUE = 1_000
"""No more can be due at a time."""
MOST_WAITING = 200
"""No more actions wait for a signature."""
EXCLUSIONS = "exclusions"
"""What the self-exclusion list is kept as, outside the journal."""
BREACHES_APART = 60_000
"""Milliseconds: who tries again and again is noted once in so long for each table."""
LAST_BREACHES = 50
"""So many are known without looking into the records."""


@dataclass(frozen=True)
class Waiting:
    """An action that waits for its second signature."""

    action: str
    stream: str
    command: Signed
    by: str
    """The id of the person who signed first."""
    since: int
    expires: int


@dataclass(frozen=True)
class Employed:
    """Somebody who works here."""

    roles: tuple[str, ...]
    demo: bool = False


@dataclass(frozen=True)
class ExclusionList:
    """The self-exclusion list in force."""

    list: str
    rows: int
    broken: int
    digest: str
    imported: int


@dataclass(frozen=True)
class Breach:
    person: str
    table: str
    time: int


@dataclass(frozen=True)
class Administration:
    admitted: int = 0
    """How many guests there were."""
    set_up: str = ""
    """The digest of the code by which the first manager comes in."""
    staff: dict[str, Employed] = field(default_factory=dict)
    """Those who have roles, by id."""
    waiting: dict[str, Waiting] = field(default_factory=dict)
    """What waits for a second signature."""
    due: Mapping[str, BecameDue] = field(default_factory=dict)
    """What is due and not done, by id (F-38)."""
    changed: tuple[str, ...] = ()
    """The parts of the code that were not what the program was started with when it was last looked at (F-39)."""
    differing: tuple[str, ...] = ()
    """The tables whose definition was another one than they were opened with."""
    exclusions: ExclusionList | None = None
    breaches: tuple[Breach, ...] = ()
    """The last ones, the newest first."""

    def has_noted(self, person: str, table: str, now: int) -> bool:
        """Whether such a breach was noted a moment ago."""
        return any(
            (one.person, one.table) == (person, table) and now < one.time + BREACHES_APART for one in self.breaches
        )

    @property
    def managers(self) -> frozenset[str]:
        """Of the house itself, not of a demonstration."""
        return frozenset(id for id, who in self.staff.items() if "manager" in who.roles and not who.demo)

    @property
    def is_other_code(self) -> bool:
        return bool(self.changed or self.differing)

    def stops(self, table: str) -> str:
        """Why no round may start at a table, and what to do about it; nothing if one may (F-39)."""
        if self.changed:
            return (
                f"The program's files on this machine are not those that the house was started with"
                f" ({', '.join(self.changed)}). Put the approved files back and start the house again; then the table"
                " can be reopened."
            )
        if table in self.differing:
            return (
                "The definition of its game on this machine is not the one that the table was opened with. Put the"
                " approved one back and start the house again; then the table can be reopened."
            )
        return ""


def evolve(house: Administration, event: Event, time: int) -> Administration:
    match event:
        case Admitted() | OldJoined():
            return replace(house, admitted=house.admitted + 1)
        case Migrated(admitted=admitted):
            return replace(house, admitted=admitted)
        case SetUpOffered(code):
            return replace(house, set_up=code)
        case StaffChanged(id, roles, _, demo):
            others = {who: employed for who, employed in house.staff.items() if who != id}
            after = replace(house, staff={**others, id: Employed(roles, demo)} if roles else others)
            return replace(after, set_up="") if after.managers else after
        case Proposed(action, stream, command, by, expires):
            waiting = Waiting(action, stream, command, by, time, expires)
            return replace(house, waiting={**house.waiting, action: waiting})
        case ActionSigned(action) | Withdrawn(action) | Lapsed(action):
            return replace(house, waiting={id: other for id, other in house.waiting.items() if id != action})
        case CodeChecked(_, _, changed, differing):
            return replace(house, changed=changed, differing=differing)
        case BecameDue(id):
            return replace(house, due={**house.due, id: event})
        case DueDone(id):
            return replace(house, due={other: item for other, item in house.due.items() if other != id})
        case ExclusionsImported(list, rows, broken, digest):
            return replace(house, exclusions=ExclusionList(list, rows, broken, digest, time))
        case ExclusionsRemoved():
            return replace(house, exclusions=None)
        case BreachNoted(person, table):
            return replace(house, breaches=(Breach(person, table, time), *house.breaches)[:LAST_BREACHES])
    return house


def check_code(command: NoteCode) -> CodeChecked:
    """F-39: what is on the disk is what was loaded, and each table's definition the one it was opened with."""
    parts, tables = {*command.loaded, *command.code}, {*command.opened, *command.definitions}
    return CodeChecked(
        command.code,
        command.definitions,
        tuple(sorted(part for part in parts if command.loaded.get(part) != command.code.get(part))),
        tuple(sorted(table for table in tables if command.opened.get(table) != command.definitions.get(table))),
    )


def check_due(house: Administration, command: NoteDue) -> BecameDue:
    if command.id in house.due:
        raise Refused(f"{command.id!r} is on the list already.")
    if len(house.due) >= MOST_DUE:
        raise Refused(f"{MOST_DUE:,} things are due already; mark those that are done.")
    if not command.id or not command.what.strip():
        raise Refused("Say what is due.")
    said = (command.what, command.about, command.deadline, command.source, command.verified)
    return BecameDue(command.id, *said)


def check_done(house: Administration, command: MarkDone) -> DueDone:
    if command.id not in house.due:
        raise Refused(f"Nothing that is due is called {command.id!r}; look at the list of what is due.")
    if not command.note.strip():
        raise Refused("Say what was done, and where it can be looked up.")
    return DueDone(command.id, command.note)


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


def check_by_hand(booked: Booked) -> None:
    """What people book outside the tables is of a kind that does not come about by itself, and leaves the chips in a
    table's tray alone but to correct them (F-10)."""
    kind = Kind(booked.entry)
    if kind not in BY_HAND:
        raise Refused(
            f"Nobody books a {kind.value} by hand, it is booked by what it comes from; choose one of"
            f" {', '.join(k.value for k in BY_HAND)}."
        )
    accounts = (Account.parse(booked.payer), Account.parse(booked.payee))
    if kind is not Kind.CORRECTION and any(account.kind is AccountKind.TABLE for account in accounts):
        raise Refused(f"No {kind.value} by hand goes into or out of the tray of a table; only a correction does.")
    if kind is not Kind.CORRECTION and any(account.kind in BEHIND_JACKPOTS for account in accounts):
        raise Refused(
            f"No {kind.value} by hand goes into or out of the money behind a jackpot; only a correction does, and the"
            " meter stays as it is posted."
        )


def _account(text: str, is_there: Callable[[str], bool]) -> Account:
    try:
        account = Account.parse(text)
    except BadValue as problem:
        raise Refused(str(problem)) from None
    table, _, seat = account.owner.partition("/")
    streams = {AccountKind.PLAYER: f"person:{account.owner}", AccountKind.TABLE: account.owner, AccountKind.SEAT: table}
    streams |= dict.fromkeys(BEHIND_JACKPOTS, f"jackpot:{account.owner}")
    stream = streams.get(account.kind)
    if account.kind is AccountKind.SEAT and not (seat.isascii() and seat.isdecimal() and 1 <= len(seat) <= 2):
        raise Refused(f"There is no account {text!r}.")
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
