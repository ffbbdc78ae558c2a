"""How people with a password come into a house, what they may do there, and what waits for a second signature (F-13).
What people are called, and who is a guest, is in `people.py`.

A password, a code and a token are known to whoever has them; what is kept of them is a hash or a digest.
"""

import secrets
from collections.abc import Sequence
from typing import NamedTuple

from feltworks.floor import administration, person
from feltworks.floor.actors import PROGRAM, Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.codes import code_digest, new_code
from feltworks.floor.house_interface import HouseInterface
from feltworks.floor.names import chosen
from feltworks.floor.passwords import Hashed
from feltworks.floor.people import SESSION, People
from feltworks.floor.person import PASSWORD, SALT_BYTES, identity_digest, is_kept, kept_digest, token_digest
from feltworks.floor.person import SHIFT as SHIFT
from feltworks.floor.player_limits import SetLimit
from feltworks.floor.protection import Protection
from feltworks.floor.refusal import Refused
from feltworks.floor.rights import person_roles
from feltworks.floor.roles import Role
from feltworks.floor.signers import are_in_one_hand
from feltworks.floor.store.interface import KeptRow, PersonRow
from feltworks.floor.store.reader import Reader
from feltworks.floor.streams import HOUSE_STREAM, person_stream
from feltworks.floor.table.commands import VoidRound
from feltworks.floor.table.state import Table

HOUR = 3_600_000
CODE_LASTS = 72 * HOUR
TIME_TO_SIGN = 24 * HOUR
MOST_DEMONSTRATING = 50
"""So many visitors have a role in a demonstration at once."""


class Credentials(NamedTuple):
    """A password's hash as it is kept, and the digest of it that the journal knows."""

    person: str
    body: str
    digest: str


class Staff:
    """Those who work in a house, and everybody else who has a password."""

    def __init__(self, house: HouseInterface, people: People, protection: Protection) -> None:
        self.house, self.people, self.protection = house, people, protection

    # Coming in.

    def offer_set_up(self) -> str:
        """A code for the first manager of a house that has none; the one before it is not good any more."""
        code = new_code()
        self.house.carry_out(HOUSE_STREAM, administration.OfferSetUp(code_digest(code)), PROGRAM)
        return code

    def set_up(self, code: str, name: str, password: Hashed) -> tuple[str, str]:
        """The first manager: the person, and the token of a session."""
        id, token, now = secrets.token_hex(8), secrets.token_urlsafe(24), self.house.clock()
        row, kept = self._named(id, name, now), _kept(id, PASSWORD, password.body)
        command = administration.SetUp(
            code_digest(code),
            id,
            identity_digest(row.salt, row.name),
            _digest(kept),
            password.parameters,
            token_digest(token),
            now + SHIFT,
        )
        self.house.carry_out(HOUSE_STREAM, command, PROGRAM, joined=[row], at=now, kept=[kept])
        return id, token

    def add(self, name: str, roles: Sequence[str], actor: Actor) -> tuple[str, str]:
        """Somebody new in the house: the person, and a code to choose a password with."""
        id, code, now = secrets.token_hex(8), new_code(), self.house.clock()
        row = self._named(id, name, now)
        digest = identity_digest(row.salt, row.name)
        by = actor.id if actor.is_person else ""
        command = administration.AddPerson(id, digest, tuple(roles), code_digest(code), now + CODE_LASTS, by)
        self.house.carry_out(HOUSE_STREAM, command, actor, joined=[row], at=now)
        return id, code

    def _named(self, id: str, text: str, now: int) -> PersonRow:
        name = chosen(text)
        if self.people.is_taken(name, id):
            raise Refused("Somebody here has that name, or one that looks like it; choose another.")
        return PersonRow(id, name, secrets.token_bytes(SALT_BYTES), now)

    def give_roles(self, id: str, roles: Sequence[str], reason: str, actor: Actor) -> None:
        self.house.carry_out(HOUSE_STREAM, administration.GiveRoles(id, tuple(roles), reason), actor)

    def give_code(self, id: str, actor: Actor) -> str:
        """A code for whoever has forgotten the password, or never had one."""
        code = new_code()
        expires, by = self.house.clock() + CODE_LASTS, actor.id if actor.is_person else ""
        self.house.carry_out(person_stream(id), person.GiveCode(code_digest(code), expires, by), actor)
        return code

    def set_password(self, id: str, password: Hashed, code: str | None = None) -> None:
        """A person chooses a password: by a one-time code, or in a session of their own. Every session ends."""
        kept = _kept(id, PASSWORD, password.body)
        digest = "" if code is None else code_digest(code)
        command = person.SetPassword(_digest(kept), password.parameters, digest)
        actor = by_person(id) if code is None else PROGRAM
        self.house.carry_out(person_stream(id), command, actor, kept=[kept])

    def rehash(self, id: str, password: Hashed, found: Credentials | None = None) -> None:
        """The parameters have risen since the password was hashed. If it is not the one that was `found` any more,
        nothing is done."""
        if found is None or self._is_still(found):
            kept = _kept(id, PASSWORD, password.body)
            command = person.Rehash(_digest(kept), password.parameters)
            self.house.carry_out(person_stream(id), command, PROGRAM, kept=[kept])

    def _is_still(self, found: Credentials) -> bool:
        """Whether the password is the one that was found, as the next decision finds it."""
        known = self.house.state(person_stream(found.person))
        return isinstance(known, person.Person) and known.kept.get(PASSWORD) == found.digest

    def credentials(self, name: str, store: Reader) -> Credentials | None:
        """What is kept of the password of whoever comes in by this name. A row that somebody has put there without the
        house is not believed."""
        id = self.people.account_of(name)
        known = self.people.person(id) if id is not None else None
        row = store.kept(known.id, PASSWORD) if known is not None else None
        if known is None or row is None or not is_kept(known.kept.get(PASSWORD, ""), row.salt, row.what, row.body):
            return None
        return Credentials(known.id, row.body, known.kept[PASSWORD])

    def log_in(self, found: Credentials) -> str:
        """A session for whoever has shown the password: its token. What was shown must still be the password."""
        known, now = self.people.person(found.person), self.house.clock()
        if known is None or not self._is_still(found):
            raise Refused("The password has just been changed; log in with the new one.")
        token = secrets.token_urlsafe(24)
        self._open_session(found.person, token, now + self._lasts(known))
        return token

    def _lasts(self, known: person.Person) -> int:
        return SHIFT if known.roles else SESSION

    def _open_session(self, id: str, token: str, expires: int) -> None:
        self.house.carry_out(person_stream(id), person.OpenSession(token_digest(token), expires), PROGRAM)

    def end_session(self, id: str, token: str, actor: Actor) -> None:
        """End one session of a person; `token` is its digest."""
        self.house.carry_out(person_stream(id), person.EndSession(token), actor)

    def end_sessions(self, id: str, actor: Actor, but: str = "") -> list[str]:
        """End every session of a person, or every other than one, and say which they were."""
        known = self.people.person(id)
        tokens = [token for token in known.sessions if token != but] if known is not None else []
        for token in tokens:
            self.house.carry_out(person_stream(id), person.EndSession(token), actor)
        return tokens

    # What people are.

    def roles(self, id: str) -> frozenset[Role]:
        known = self.people.person(id)
        return frozenset() if known is None or known.forgotten else person_roles(known)

    def bar(self, id: str, table: str, reason: str, actor: Actor) -> None:
        with self.house.as_one():
            self.house.carry_out(person_stream(id), person.Bar(reason, table), actor)
            self.protection.unseat_who_may_not_play()

    def set_limit(self, id: str, what: str, value: int | None) -> int | None:
        """A limit that a player sets for themselves (F-15), and when it takes effect if that is not now."""
        with self.house.as_one():
            self.house.carry_out(person_stream(id), SetLimit(what, value), by_person(id))
            self.protection.unseat_who_may_not_play()
            known, now = self.house.state(person_stream(id)), self.house.clock()
            change = known.limits.waiting(what, now) if isinstance(known, person.Person) else None
            return None if change is None else change.at

    def unbar(self, id: str, table: str, reason: str, actor: Actor) -> None:
        self.house.carry_out(person_stream(id), person.Unbar(reason, table), actor)

    # A demonstration, in which any visitor takes any role.

    def demonstrate(self, role: Role) -> tuple[str, str]:
        """A person of a demonstration: the person, and the token of a session."""
        self._make_room()
        id, token, now = secrets.token_hex(8), secrets.token_urlsafe(24), self.house.clock()
        taken = {self.people.name(other) for other in self._demonstrating()}
        name = next(name for n in range(1, MOST_DEMONSTRATING + 1) if (name := f"Demo {role.value} {n}") not in taken)
        row = PersonRow(id, name, secrets.token_bytes(SALT_BYTES), now)
        digest = identity_digest(row.salt, row.name)
        command = administration.AdmitForDemonstration(id, digest, role.value, token_digest(token), now + SHIFT)
        self.house.carry_out(HOUSE_STREAM, command, PROGRAM, joined=[row], at=now)
        return id, token

    def _demonstrating(self) -> list[str]:
        return [id for id, who in self.house.administration.staff.items() if who.demo]

    def _make_room(self) -> None:
        """When many have taken a role, those go who have left; and if none has, whoever came first."""
        here = self._demonstrating()
        if len(here) < MOST_DEMONSTRATING:
            return
        now = self.house.clock()
        known = {id: self.people.person(id) for id in here}
        gone = [id for id, who in known.items() if who is None or not any(u > now for u in who.sessions.values())]
        for id in gone or here[:1]:
            self._dismiss(id, "Somebody else takes a role in the demonstration.")

    def _dismiss(self, id: str, reason: str) -> None:
        self.give_roles(id, (), reason, PROGRAM)
        self.end_sessions(id, PROGRAM)

    def end_demonstration(self) -> None:
        """A house that is no demonstration has no person of one."""
        for id in self._demonstrating():
            self._dismiss(id, "The house is no demonstration any more.")

    # Two signatures.

    def propose(self, stream: str, command: administration.Signed, actor: Actor) -> str:
        """The first signature under a command: the id of what waits. It is about the round that is played now: whoever
        signs later means no other one."""
        table = self.house.state(stream)
        if isinstance(command, VoidRound) and not command.round and isinstance(table, Table):
            command = VoidRound(command.reason, table.round_number)
        action, expires = secrets.token_hex(8), self.house.clock() + TIME_TO_SIGN
        with self.protection.breaches_noted():
            self.house.carry_out(HOUSE_STREAM, administration.Propose(action, stream, command, expires), actor)
        return action

    def sign(self, action: str, actor: Actor) -> None:
        with self.protection.breaches_noted():
            self.house.carry_out(HOUSE_STREAM, administration.Sign(action), actor)

    def are_in_one_hand(self, one: str, other: str) -> bool:
        """Whether the signatures of two people may be one person's."""
        return are_in_one_hand(self.people.person, one, other, self.house.clock())

    def withdraw(self, action: str, reason: str, actor: Actor) -> None:
        self.house.carry_out(HOUSE_STREAM, administration.Withdraw(action, reason), actor)


def _kept(owner: str, what: str, body: str) -> KeptRow:
    return KeptRow(owner, what, secrets.token_bytes(SALT_BYTES), body)


def _digest(row: KeptRow) -> str:
    return kept_digest(row.salt, row.what, row.body)
