"""The people of a house by their names and sessions: how guests and robots come in, what they are called, and whose
session a token opens. Who works here is in `staff.py`.

A name lies outside the journal, which has a digest of it.
"""

import logging
import secrets
from typing import NamedTuple

from feltworks.floor import administration, person
from feltworks.floor.accounts import Cents, is_patron, money
from feltworks.floor.actors import PROGRAM
from feltworks.floor.actors import person as by_person
from feltworks.floor.house_interface import HouseInterface
from feltworks.floor.journal.journal import BrokenRecords
from feltworks.floor.names import chosen, looks
from feltworks.floor.person import ROBOT, SALT_BYTES, Person, identity_digest, is_identity, token_digest
from feltworks.floor.refusal import Refused
from feltworks.floor.store.interface import PersonRow
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.sqlite import StoreError
from feltworks.floor.streams import HOUSE_STREAM, person_stream
from feltworks.floor.table import events as ev

SESSION = 30 * 24 * 3_600_000
"""A session of a player ends after so long."""
GRANT: Cents = 100_000
GRANTS_APART: ev.Time = 60_000
"""Nobody gets another grant sooner than this after the last one."""
BROKE = "too little left to wager"
"""Why play money is granted again."""
GUEST = "Guest "
"""How the name begins that somebody has who has chosen none."""
SOMEBODY = "somebody"
"""The name of a person whose own was removed."""
PATRON_NAME = "Patron"
"""What somebody is called who plays without an account."""

_log = logging.getLogger("feltworks.house")


class FoundSession(NamedTuple):
    """A session as the records have it."""

    digest: str
    id: str
    person: Person | None
    problem: str
    name: str


class People:
    """Everybody whom a house knows."""

    def __init__(self, house: HouseInterface) -> None:
        self.house = house
        self._known: dict[str, Person] = {}
        self._names: dict[str, str] = {}
        self._looks: dict[str, str] | None = None
        """Who has a name of their own that looks like this; read when somebody first chooses one."""

    def guest(self) -> tuple[str, str]:
        """A new guest with play money: the person, and the token of the session."""
        if self.house.fault:
            raise Refused(self.house.fault)
        now, id, token = self.house.clock(), secrets.token_hex(8), secrets.token_urlsafe(24)
        name, salt = f"{GUEST}{self.house.administration.admitted + 1}", secrets.token_bytes(SALT_BYTES)
        admit = administration.AdmitGuest(id, identity_digest(salt, name), GRANT, token_digest(token), now + SESSION)
        self.house.carry_out(HOUSE_STREAM, admit, PROGRAM, joined=[PersonRow(id, name, salt, now)], at=now)
        return id, token

    def robot(self, name: str) -> str:
        """A new robot with play money of its own, and without a session: the person."""
        now, id, salt = self.house.clock(), ROBOT + secrets.token_hex(8), secrets.token_bytes(SALT_BYTES)
        join = person.Join(identity_digest(salt, name), GRANT, robot=True)
        self.house.carry_out(person_stream(id), join, PROGRAM, joined=[PersonRow(id, name, salt, now)], at=now)
        return id

    def rename(self, id: str, text: str) -> str:
        """A person chooses a name, and it is said as it will be shown. Like the first one it lies outside the journal,
        which has a digest of it; the name before it is forgotten."""
        name, row, known = chosen(text), self.house.store.person(id), self.house.state(person_stream(id))
        if row is None or not isinstance(known, Person):
            raise Refused("There is no such person.")
        if self.is_taken(name, id):
            raise Refused("Somebody here has that name, or one that looks like it; choose another.")
        salt = secrets.token_bytes(SALT_BYTES)
        named = PersonRow(id, name, salt, row.joined)
        rename = person.Rename(identity_digest(salt, name))
        self.house.carry_out(person_stream(id), rename, by_person(id), renamed=[named])
        return name

    def is_taken(self, name: str, id: str) -> bool:
        """Whether somebody else has a name that looks like this one, and can still come back to it."""
        self._know_looks()
        assert self._looks is not None
        holders = {self._looks.get(look) for look in looks(name)} - {None, id}
        if any(looks(name) & looks(other) for who, other in self.house.names_ahead.items() if who != id):
            return True
        known = [self.person(holder) for holder in holders if holder is not None]
        now = self.house.clock() if known else 0
        return any(
            who is not None and (who.can_come_back or any(until > now for until in who.sessions.values()))
            for who in known
        )

    def account_of(self, name: str) -> str | None:
        """Who comes in by this name, however it is written."""
        self._know_looks()
        assert self._looks is not None
        for id in {self._looks.get(look) for look in looks(name)} - {None}:
            assert id is not None
            if (who := self.person(id)) is not None and who.can_come_back:
                return id
        return None

    def _know_looks(self) -> None:
        if self._looks is None:
            self._looks = {look: row.id for row in self.house.store.named(GUEST) for look in looks(row.name)}

    def call(self, id: str, name: str) -> None:
        """From now on a person is called so."""
        if self._looks is not None and not name.startswith(GUEST):
            self._free_name(id)
            self._looks |= dict.fromkeys(looks(name), id)
        self._names[id] = name

    def _free_name(self, id: str) -> None:
        """The name that a person had is anybody's to choose."""
        if self._looks is not None:
            self._looks = {look: who for look, who in self._looks.items() if who != id}

    def adopt(self, who: Person) -> None:
        """What is durable now of a person."""
        self._known[who.id] = who

    def person(self, id: str) -> Person | None:
        """A person as the journal knows it."""
        if id not in self._known and (found := self.house.read_person(id, self.house.store)) is not None:
            self._known[id] = found
        return self._known.get(id)

    def person_in(self, store: Reader, id: str) -> Person | None:
        """A person as the journal knows it, by another reader than the house's own; what it finds is kept nowhere."""
        return self._known.get(id) or self.house.read_person(id, store)

    def grant_again(self, table: str, player: str) -> int | None:
        """Another grant for somebody at a training table who has too little left to come into a round, and nothing
        lying at any table: the number of its commit."""
        at, balance = self.house.table(table), self.house.balance_now(player)
        if at.settings.venue != "training" or at.seat_of(player) is None:
            raise Refused("Play money is given to those who have a seat at a training table.")
        for lying in map(self.house.table, self.house.tables):
            if (seat := lying.seat_of(player)) is not None and lying.has_chips(seat):
                raise Refused(f"You have chips at {lying.settings.name}; play on with them.")
        if balance >= at.least_to_play:
            raise Refused(f"You have {money(balance)}, and {money(at.least_to_play)} is enough to play on.")
        return self.house.carry_out(person_stream(player), person.Grant(GRANT, BROKE, GRANTS_APART), PROGRAM)

    def name(self, id: str) -> str:
        """What a person is called, by what lies outside the journal."""
        if is_patron(id):
            return PATRON_NAME
        if id not in self._names:
            self._names[id] = _name_of(self.house.store.person(id), self.person(id))
        return self._names[id]

    def known_name(self, id: str) -> str:
        """What a person is called who was here since the start."""
        return PATRON_NAME if is_patron(id) else self._names.get(id, SOMEBODY)

    def name_in(self, store: Reader, id: str) -> str:
        """What a person is called, by another reader than the house's own; what it finds is kept nowhere."""
        if id in self._names or is_patron(id):
            return self.known_name(id)
        return _name_of(store.person(id), self.person_in(store, id))

    def forget(self, id: str) -> None:
        """The name that a person had is anybody's to choose."""
        self._free_name(id)
        self._names.pop(id, None)

    def player_of(self, token: str) -> str | None:
        """Whose session a token opens: by the store's list, and by the journal."""
        return self.player_by(self.find_session(token, self.house.store))

    def find_session(self, token: str, store: Reader) -> FoundSession | None:
        """What the records say of a session. Any thread may read this, with a reader of its own."""
        digest = token_digest(token) if token else ""
        row = store.session(digest) if digest else None
        if row is None:
            return None
        known, problem = self._known.get(row.person), ""
        try:
            known = known or self.house.read_person(row.person, store)
        except (BrokenRecords, StoreError) as found:
            problem = str(found)
        return FoundSession(digest, row.person, known, problem, _name_of(store.person(row.person), known))

    def player_by(self, found: FoundSession | None) -> str | None:
        """Whose session was found, if it is one. What changed since it was read is known better here."""
        if found is None:
            return None
        if found.person is not None and self._known.setdefault(found.id, found.person) is found.person:
            self._names.setdefault(found.id, found.name)
        known = self._known.get(found.id)
        if known is None:
            _log.error("A session is not believed: %s", found.problem)
            return None
        return found.id if known.sessions.get(found.digest, 0) > self.house.clock() else None

    def end_session(self, token: str, player: str | None = None) -> None:
        """Log out. Whoever has looked up already whose session it is names the player."""
        player = player or self.player_of(token)
        if player is not None:
            self.house.carry_out(person_stream(player), person.EndSession(token_digest(token)), by_person(player))


def _name_of(row: PersonRow | None, known: Person | None) -> str:
    """The name that lies outside the journal, if it is the one that the journal knows the digest of."""
    if row is None or known is None or known.forgotten or not is_identity(known.digest, row.salt, row.name):
        return SOMEBODY
    return row.name
