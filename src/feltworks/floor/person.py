"""A person: who joined, in which roles, what was granted, which sessions are open. By id alone: names, passwords and
whatever else can identify somebody lie outside the journal, and here are only salted digests of them. Who is forgotten
loses those rows, and no record breaks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from feltworks.floor.accounts import HOUSE, Cents, Entry, Kind, player_account
from feltworks.floor.actors import Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.exclusion.entry import (
    Excluded,
    ExclusionCommand,
    ExclusionEvent,
    ExclusionLifted,
    Exclusions,
    MatchDecided,
    decide_exclusion,
    evolve_exclusions,
)
from feltworks.floor.player_limits import (
    DayBegan,
    LimitEvent,
    LimitSet,
    MovedOutside,
    PlayerLimits,
    SetLimit,
    decide_limit,
    evolve_limits,
    moved_outside,
)
from feltworks.floor.refusal import Refused
from feltworks.floor.tagged import Tagged

Time = int
SALT_BYTES = 16
ROBOT = "robot-"
"""What the id of a robot begins with, and so its account: its money is told apart from a person's at sight."""
SHIFT: Time = 12 * 3_600_000
"""A session of somebody who works here ends after so long, also one that was opened before they did."""
MOST_SESSIONS = 20
"""Sessions that a person may have open; the oldest ends when one more is opened."""


class Join(Tagged, tag="join", frozen=True):
    """`digest` is that of the salted name; a robot says that it is one."""

    digest: str
    grant: Cents = 0
    robot: bool = False
    demo: bool = False


class Rename(Tagged, tag="rename", frozen=True):
    """`digest` is that of the new name, with a salt of its own."""

    digest: str


class OpenSession(Tagged, tag="open session", frozen=True):
    """`token` is a digest; the token itself is nowhere but with its owner."""

    token: str
    expires: Time


class EndSession(Tagged, tag="end session", frozen=True):
    token: str


class Grant(Tagged, tag="grant", frozen=True):
    """Play money; `apart` says how many milliseconds after the last grant at the earliest."""

    cents: Cents
    reason: str
    apart: Time = 0


class Forget(Tagged, tag="forget", frozen=True):
    """What identifies the person is removed."""

    reason: str


class SetPassword(Tagged, tag="set password", frozen=True):
    """`digest` is that of the salted hash; `parameters` say how it was made. Whoever has forgotten the old one shows a
    one-time code: `code` is its digest. Every session of the person ends."""

    digest: str
    parameters: str
    code: str = ""


class Rehash(Tagged, tag="rehash", frozen=True):
    """The same password, hashed with higher parameters."""

    digest: str
    parameters: str


class GiveCode(Tagged, tag="give code", frozen=True):
    """A code that is good once, to choose a password; `code` is its digest. A person who gives it says who that is."""

    code: str
    expires: Time
    by: str = ""


class Keep(Tagged, tag="keep", frozen=True):
    """Something that can identify the person is kept outside the journal; `digest` is that of what is salted."""

    what: str
    digest: str


class Bar(Tagged, tag="bar", frozen=True):
    """The person may not play at a table, or in the house at all if none is named."""

    reason: str
    table: str = ""


class Unbar(Tagged, tag="unbar", frozen=True):
    reason: str
    table: str = ""


Command = (
    Join
    | Rename
    | OpenSession
    | EndSession
    | Grant
    | Forget
    | SetPassword
    | Rehash
    | GiveCode
    | Keep
    | Bar
    | Unbar
    | SetLimit
    | ExclusionCommand
)


class Joined(Tagged, tag="joined", frozen=True):
    digest: str
    robot: bool = False
    demo: bool = False
    """Whether it is a person of a demonstration, whom any visitor may be."""


class Renamed(Tagged, tag="renamed", frozen=True):
    digest: str


class Granted(Tagged, tag="granted", frozen=True):
    """Play money."""

    cents: Cents
    reason: str


class SessionOpened(Tagged, tag="session opened", frozen=True):
    token: str
    expires: Time


class SessionEnded(Tagged, tag="session ended", frozen=True):
    token: str


class Forgotten(Tagged, tag="forgotten", frozen=True):
    reason: str


class RolesGiven(Tagged, tag="roles given", frozen=True):
    """The roles that the person has from now on; a player without any."""

    roles: tuple[str, ...]


class PasswordSet(Tagged, tag="password set", frozen=True):
    digest: str
    parameters: str


class CodeGiven(Tagged, tag="code given", frozen=True):
    code: str
    expires: Time


class CodeGivenBy(Tagged, tag="code given by", frozen=True):
    """A code that somebody of the house has seen, and could use themselves."""

    code: str
    expires: Time
    by: str


class Kept(Tagged, tag="kept", frozen=True):
    what: str
    digest: str


class Barred(Tagged, tag="barred", frozen=True):
    reason: str
    table: str = ""


class Unbarred(Tagged, tag="unbarred", frozen=True):
    reason: str
    table: str = ""


Event = (
    Joined
    | Renamed
    | Granted
    | SessionOpened
    | SessionEnded
    | Forgotten
    | RolesGiven
    | PasswordSet
    | CodeGiven
    | CodeGivenBy
    | Kept
    | Barred
    | Unbarred
    | LimitEvent
    | ExclusionEvent
)
PASSWORD = "password"
"""What the hash of a password is kept as."""
DETAILS = "details"
"""What a person's full name, date of birth and document are kept as."""
KEPT = (DETAILS,)
"""What can be kept of a person beside the password."""


@dataclass(frozen=True)
class Person:
    id: str
    digest: str
    robot: bool = False
    sessions: Mapping[str, Time] = field(default_factory=dict)
    """When each open session expires, by the digest of its token."""
    forgotten: bool = False
    granted: Time | None = None
    """When the last play money was granted."""
    demo: bool = False
    roles: tuple[str, ...] = ()
    """Given by a manager; without any, the person is a player."""
    kept: Mapping[str, str] = field(default_factory=dict)
    """What is kept outside the journal, by what it is: the digest of it. The password's hash is one of them."""
    parameters: str = ""
    """How the password is hashed."""
    code: tuple[str, Time] | None = None
    """The digest of a one-time code, and until when it is good."""
    code_by: str = ""
    """The person who has given it, if it was not the program."""
    let_in: tuple[str, Time] | None = None
    """Whose code the password was last chosen with, and when: that one could know it."""
    barred: Mapping[str, str] = field(default_factory=dict)
    """Why the person may not play, by table; under "" for the whole house."""
    limits: PlayerLimits = field(default_factory=PlayerLimits)
    """What the person has limited for themselves, and the day that is counted."""
    exclusions: Exclusions = field(default_factory=Exclusions)
    """What the self-exclusion list says about the person."""
    version: int = 1

    @property
    def has_account(self) -> bool:
        """Whether the person can come back by name and password."""
        return PASSWORD in self.kept

    @property
    def can_come_back(self) -> bool:
        """Whether the name is theirs for good: they have a password, or may choose one."""
        return not self.forgotten and (self.has_account or bool(self.roles))


def decide(person: Person | None, id: str, command: Command, actor: Actor, now: Time) -> tuple[list[Event], Person]:
    if isinstance(command, GiveCode) and command.by and by_person(command.by) != actor:
        raise Refused("Nobody gives a code in the name of another.")
    events = _decide(person, id, command, now)
    for event in events:
        person = evolve(person, id, event, now)
    assert person is not None
    return events, person


def _decide(person: Person | None, id: str, command: Command, now: Time) -> list[Event]:
    if isinstance(command, Join):
        if person is not None:
            raise Refused("That person has joined already.")
        if command.robot != is_robot(id):
            raise Refused(f"The id of a robot begins with {ROBOT!r}, and no other.")
        whom = "robot" if command.robot else "new player"
        grant = [Granted(command.grant, f"play money for a {whom}")] if command.grant else []
        return [Joined(command.digest, command.robot, command.demo), *grant]
    if person is None or person.forgotten:
        raise Refused("There is no such person.")
    match command:
        case Rename(digest):
            return [Renamed(digest)]
        case OpenSession(token, expires):
            if person.robot:
                raise Refused("A robot has no session.")
            if expires <= now:
                raise Refused("A session must end later than it begins.")
            open_ones = sorted((until, t) for t, until in person.sessions.items() if until > now)
            oldest = [SessionEnded(t) for _, t in open_ones[: max(0, len(open_ones) - MOST_SESSIONS + 1)]]
            return [*oldest, SessionOpened(token, expires)]
        case EndSession(token):
            return [SessionEnded(token)] if token in person.sessions else []
        case Grant(cents, reason, apart):
            if not 0 < cents <= 100_000_000 or not reason.strip():
                raise Refused("Grant a positive amount of at most 1,000,000.00, and give the reason.")
            if apart and person.granted is not None and now < person.granted + apart:
                wait = -(-(person.granted + apart - now) // 1_000)
                raise Refused(f"You were given play money a moment ago; ask again in {wait} s.")
            return [Granted(cents, reason)]
        case Forget(reason):
            if person.roles:
                raise Refused("Take the person's roles away first; then the name can be removed.")
            return [*_end_all(person), Forgotten(reason)]
        case SetPassword(digest, parameters, code):
            if person.robot or person.demo:
                raise Refused("A robot or a person of a demonstration has no password.")
            if code:
                _check_code(person, code, now)
            return [*_end_all(person), PasswordSet(digest, parameters)]
        case Rehash(digest, parameters):
            if not person.has_account:
                raise Refused("That person has no password.")
            return [PasswordSet(digest, parameters)]
        case GiveCode(code, expires, by):
            if person.robot or person.demo:
                raise Refused("A robot or a person of a demonstration has no password.")
            if expires <= now:
                raise Refused("A code must be good for some time.")
            return [CodeGivenBy(code, expires, by) if by else CodeGiven(code, expires)]
        case Keep(what, digest):
            if what not in KEPT:
                raise Refused(f"{what!r} is not kept of a person; only {', '.join(KEPT)}.")
            if person.robot:
                raise Refused("A robot has no details.")
            return [Kept(what, digest)]
        case Bar(reason, table):
            if person.roles:
                raise Refused("Only players are barred; take the roles of somebody of the house away instead.")
            if not reason.strip():
                raise Refused("Give the reason.")
            return [] if person.barred.get(table) == reason else [Barred(reason, table)]
        case Unbar(reason, table):
            if table not in person.barred:
                raise Refused("That person is not barred there.")
            if not reason.strip():
                raise Refused("Give the reason.")
            return [Unbarred(reason, table)]
        case SetLimit():
            if person.robot:
                raise Refused("A robot has no limits of its own.")
            return [*decide_limit(person.limits, command, now)]
        case _:
            return [*decide_exclusion(person.exclusions, command)]


def _end_all(person: Person) -> list[Event]:
    return [SessionEnded(token) for token in person.sessions]


def _check_code(person: Person, code: str, now: Time) -> None:
    known, expires = person.code or ("", 0)
    if known != code or now >= expires:
        raise Refused("That code is not good, or not any more; ask a manager for another one.")


def evolve(person: Person | None, id: str, event: Event, time: Time) -> Person:
    if isinstance(event, Joined):
        return Person(id, event.digest, event.robot, demo=event.demo)
    assert person is not None
    person = replace(person, version=person.version + 1)
    match event:
        case Renamed(digest):
            return replace(person, digest=digest)
        case Granted(cents):
            return replace(person, granted=time, limits=moved_outside(person.limits, cents))
        case SessionOpened(token, expires):
            still = {t: until for t, until in person.sessions.items() if until > time}
            return replace(person, sessions={**still, token: expires})
        case SessionEnded(token):
            return replace(person, sessions={t: until for t, until in person.sessions.items() if t != token})
        case Forgotten():
            return replace(person, forgotten=True, kept={}, code=None)
        case RolesGiven(roles):
            most = time + SHIFT
            sessions = {t: min(until, most) for t, until in person.sessions.items()} if roles else person.sessions
            return replace(person, roles=roles, sessions=sessions)
        case PasswordSet(digest, parameters):
            let_in = person.let_in
            if person.code is not None and time < person.code[1]:
                let_in = (person.code_by, time) if person.code_by else None
            kept = {**person.kept, PASSWORD: digest}
            return replace(person, kept=kept, parameters=parameters, code=None, code_by="", let_in=let_in)
        case CodeGiven(code, expires):
            return replace(person, code=(code, expires), code_by="")
        case CodeGivenBy(code, expires, by):
            return replace(person, code=(code, expires), code_by=by)
        case Kept(what, digest):
            undecided = replace(person.exclusions, decided={})  # that was about other details
            return replace(person, kept={**person.kept, what: digest}, exclusions=undecided)
        case Barred(reason, table):
            return replace(person, barred={**person.barred, table: reason})
        case Unbarred(_, table):
            return replace(person, barred={at: why for at, why in person.barred.items() if at != table})
        case LimitSet() | DayBegan() | MovedOutside():
            return replace(person, limits=evolve_limits(person.limits, event, time))
        case Excluded() | ExclusionLifted() | MatchDecided():
            return replace(person, exclusions=evolve_exclusions(person.exclusions, event))


def entries(id: str, event: Event) -> list[Entry]:
    return [Entry(Kind.GRANT, HOUSE, player_account(id), event.cents)] if isinstance(event, Granted) else []


def is_robot(id: str) -> bool:
    return id.startswith(ROBOT)


def identity_digest(salt: bytes, name: str) -> str:
    """What the journal holds of a name: nobody finds the name from it without the salt, whose length is fixed."""
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes")
    return sha256(b"feltworks person 1" + salt + name.encode()).hexdigest()


def is_identity(digest: str, salt: bytes, name: str) -> bool:
    """Whether this is the name that the journal holds the digest of."""
    return len(salt) == SALT_BYTES and identity_digest(salt, name) == digest


def kept_digest(salt: bytes, what: str, body: str) -> str:
    """What the journal holds of something that is kept outside it."""
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes")
    return sha256(b"feltworks kept 1" + salt + what.encode() + b"\0" + body.encode()).hexdigest()


def is_kept(digest: str, salt: bytes, what: str, body: str) -> bool:
    """Whether this is what the journal holds the digest of."""
    return len(salt) == SALT_BYTES and kept_digest(salt, what, body) == digest


def token_digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
