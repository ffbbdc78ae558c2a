"""A person: who joined, what was granted, which sessions are open. By id alone: what can identify somebody lies outside
the journal, and here is only a salted digest of it. Who is forgotten loses name and salt, and no record breaks.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from feltworks.floor.accounts import HOUSE, Cents, Entry, Kind, player_account
from feltworks.floor.actors import Actor
from feltworks.floor.refusal import Refused
from feltworks.floor.tagged import Tagged

Time = int
SALT_BYTES = 16
ROBOT = "robot-"
"""What the id of a robot begins with, and so its account: its money is told apart from a person's at sight."""
MOST_SESSIONS = 20
"""Sessions that a person may have open; the oldest ends when one more is opened."""


class Join(Tagged, tag="join", frozen=True):
    """`digest` is that of the salted name; a robot says that it is one."""

    digest: str
    grant: Cents = 0
    robot: bool = False


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


Command = Join | Rename | OpenSession | EndSession | Grant | Forget


class Joined(Tagged, tag="joined", frozen=True):
    digest: str
    robot: bool = False


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


Event = Joined | Renamed | Granted | SessionOpened | SessionEnded | Forgotten


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
    version: int = 1


def decide(person: Person | None, id: str, command: Command, actor: Actor, now: Time) -> tuple[list[Event], Person]:
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
        return [Joined(command.digest, command.robot), *grant]
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
            return [*(SessionEnded(token) for token in person.sessions), Forgotten(reason)]


def evolve(person: Person | None, id: str, event: Event, time: Time) -> Person:
    if isinstance(event, Joined):
        return Person(id, event.digest, event.robot)
    assert person is not None
    person = replace(person, version=person.version + 1)
    match event:
        case Renamed(digest):
            return replace(person, digest=digest)
        case Granted():
            return replace(person, granted=time)
        case SessionOpened(token, expires):
            still = {t: until for t, until in person.sessions.items() if until > time}
            return replace(person, sessions={**still, token: expires})
        case SessionEnded(token):
            return replace(person, sessions={t: until for t, until in person.sessions.items() if t != token})
        case Forgotten():
            return replace(person, forgotten=True)


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


def token_digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
