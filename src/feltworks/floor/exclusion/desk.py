"""The self-exclusion list of a house, and the details of its people (F-15): both lie outside the journal, which has
their digests. A list is looked at first and then confirmed. Whoever is certainly on it is excluded at once; where
somebody is like an entry, a person decides."""

import secrets
from collections import Counter
from collections.abc import Set
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple

import msgspec

from feltworks.floor import administration, person
from feltworks.floor.actors import PROGRAM, Actor
from feltworks.floor.administration import EXCLUSIONS
from feltworks.floor.exclusion import entry
from feltworks.floor.exclusion.list_file import LONGEST_FIELD, ListFile, Row, read_list
from feltworks.floor.exclusion.matching import Details, Match, Matcher, row_digest, same_document, same_name
from feltworks.floor.house_interface import HouseInterface
from feltworks.floor.journal.journal import BrokenRecords
from feltworks.floor.person import DETAILS, SALT_BYTES, is_kept, kept_digest
from feltworks.floor.protection import Protection
from feltworks.floor.refusal import Refused
from feltworks.floor.store.interface import KeptRow
from feltworks.floor.streams import HOUSE_STREAM, person_stream

JUST_GIVEN = 100
LOOKED_AT = 4
"""So many files wait for somebody to confirm them."""
NOT_ANY_MORE = "excluded by details that have changed since; the new ones are not like the entry"


class _KeptList(msgspec.Struct, frozen=True):
    """A list as it is kept. The salt of its entries goes from one list to the next: the same entry has the same digest,
    so that what was decided about it stands."""

    salt: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class _List:
    digest: str
    """By which the journal knows it."""
    salt: bytes
    rows: tuple[Row, ...]
    matcher: Matcher

    @cached_property
    def by_digest(self) -> dict[str, Row]:
        """Every entry by the digest that the journal knows."""
        return {row_digest(self.salt, row): row for row in self.rows}


class NearMatch(NamedTuple):
    """Somebody whose details are like an entry, or the same, or who is excluded by what they were before; and what was
    decided about it."""

    person: str
    details: Details
    entry: str
    row: Row
    exact: bool
    why: str
    decided: bool | None
    excluded: bool
    """Whether the entry binds the person now: one that waits for a decision may."""

    @property
    def waits(self) -> bool:
        return not self.exact and self.decided is None


class ExclusionDesk:
    """The list and the details, as whoever serves people asks for them."""

    def __init__(self, house: HouseInterface, protection: Protection) -> None:
        self.house, self.protection = house, protection
        self._looked_at: dict[str, ListFile] = {}
        self._list: _List | None = None
        self._waiting: dict[str, int] = {}
        """By person, how many near matches wait for a decision, as far as anybody has looked since the start."""
        self._given: dict[str, KeptRow] = {}
        """The last details that were given: they may not be durable yet."""

    # The list.

    def look_at(self, file: ListFile) -> None:
        """Remember a file that was read, until somebody confirms it by its digest. Nothing is recorded by that."""
        self._looked_at.pop(file.digest, None)
        self._looked_at[file.digest] = file
        while len(self._looked_at) > LOOKED_AT:
            del self._looked_at[next(iter(self._looked_at))]

    def looked_at(self, file: str) -> ListFile | None:
        """A file that waits for somebody to confirm it."""
        return self._looked_at.get(file)

    def read(self, data: bytes) -> ListFile:
        """What can be read of a file. Any thread may do this."""
        return read_list(data, entry.day_of(self.house.clock() + entry.FIRST_MIDNIGHT))

    def confirm(self, file: str, actor: Actor) -> int:
        """The file that was looked at, by its digest, becomes the list: the number of its entries. In the same moment
        everybody is excluded whom it names, and nobody else by the list before it."""
        looked_at = self._looked_at.get(file)
        if looked_at is None:
            raise Refused("Nobody has looked at that file, or it was a while ago; choose the file again.")
        if not looked_at.rows:
            raise Refused("No line of that file can be read, so there is nothing to import.")
        before = self.current()
        salt = before.salt if before is not None else secrets.token_bytes(SALT_BYTES)
        body = msgspec.json.encode(_KeptList(salt.hex(), looked_at.rows)).decode()
        kept = KeptRow(HOUSE_STREAM, EXCLUSIONS, secrets.token_bytes(SALT_BYTES), body)
        digest = kept_digest(kept.salt, kept.what, kept.body)
        count, broken, list_id = len(looked_at.rows), len(looked_at.broken), secrets.token_hex(8)
        command = administration.ImportExclusions(list_id, count, broken, digest, looked_at.digest)
        new = _List(digest, salt, looked_at.rows, Matcher(looked_at.rows))
        with self.house.as_one():
            self.house.carry_out(HOUSE_STREAM, command, actor, kept=[kept])
            self._apply(new, list_id, before)
            self.protection.unseat_who_may_not_play()
        self._list = new
        self.matches()
        del self._looked_at[file]
        return count

    def remove(self, reason: str, actor: Actor) -> None:
        """There is no list from now on, and nobody is excluded by it."""
        with self.house.as_one():
            self.house.carry_out(HOUSE_STREAM, administration.RemoveExclusions(reason), actor)
            for id, _ in self._everybodys_details():
                self._lift(id, set(), "the list was removed")
        self._list, self._waiting = None, {}

    def current(self) -> _List | None:
        """The list in force, if it is what the house has recorded."""
        known = self.house.administration.exclusions
        if known is None:
            return None
        if self._list is None or self._list.digest != known.digest:
            row = self.house.store.kept(HOUSE_STREAM, EXCLUSIONS)
            if row is None or not is_kept(known.digest, row.salt, row.what, row.body):
                raise BrokenRecords("The self-exclusion list is not what was imported; import it again.")
            found = msgspec.json.decode(row.body, type=_KeptList)
            self._list = _List(known.digest, bytes.fromhex(found.salt), found.rows, Matcher(found.rows))
        return self._list

    def _apply(self, current: _List, list_id: str, before: _List | None) -> None:
        for id, details in self._everybodys_details():
            for row in self._bound_by(id, before) if before is not None else ():
                # An entry may come again with another term. Whoever it binds has perhaps changed their details since,
                # and is still the one whom it names.
                self._exclude(id, Details(row.name, row.born, row.document), current, list_id)
            self._lift(id, current.by_digest.keys(), "not on the list any more")
            self._exclude(id, details, current, list_id)

    def _bound_by(self, id: str, current: _List) -> list[Row]:
        """The entries of a list that exclude somebody, whatever their details are now."""
        known = self._person(id)
        terms = known.exclusions.terms if known is not None else {}
        return [current.by_digest[digest] for digest in terms if digest in current.by_digest]

    def _exclude(self, id: str, details: Details, current: _List, list_id: str) -> None:
        for match in current.matcher.matches(details):
            if match.exact:
                digest = row_digest(current.salt, match.row)
                command = entry.Exclude(list_id, digest, match.row.since, match.row.until)
                self.house.carry_out(person_stream(id), command, PROGRAM)

    def _lift(self, id: str, still: Set[str], reason: str) -> None:
        known = self._person(id)
        for digest in known.exclusions.terms.keys() - still if known is not None else ():
            self.house.carry_out(person_stream(id), entry.LiftExclusion(digest, reason), PROGRAM)

    # Details.

    def details(self, id: str) -> Details | None:
        """What is kept of who a person is; what the journal does not know is not believed."""
        rows = [self._given.get(id), self.house.store.kept(id, DETAILS)]
        return next((found for row in rows if row is not None and (found := self._read(row)) is not None), None)

    def _read(self, row: KeptRow) -> Details | None:
        known = self._person(row.owner)
        if known is None or not is_kept(known.kept.get(DETAILS, ""), row.salt, row.what, row.body):
            return None
        return msgspec.json.decode(row.body, type=Details)

    def _person(self, id: str) -> person.Person | None:
        """A person as the next decision finds them."""
        known = self.house.state(person_stream(id))
        return known if isinstance(known, person.Person) else None

    def _everybodys_details(self) -> list[tuple[str, Details]]:
        rows = [*self.house.store.all_kept(DETAILS), *self._given.values()]
        return list({row.owner: found for row in rows if (found := self._read(row)) is not None}.items())

    def give_details(self, id: str, name: str, born: str, document: str, actor: Actor) -> None:
        """A person says who they are, or somebody at the cage does; if the list names them, they are excluded."""
        details = checked_details(name, born, document, entry.day_of(self.house.clock()))
        row = KeptRow(id, DETAILS, secrets.token_bytes(SALT_BYTES), msgspec.json.encode(details).decode())
        keep = person.Keep(DETAILS, kept_digest(row.salt, row.what, row.body))
        current, known = self.current(), self.house.administration.exclusions
        with self.house.as_one():
            self.house.carry_out(person_stream(id), keep, actor, kept=[row])
            self._given.pop(id, None)
            self._given[id] = row
            while len(self._given) > JUST_GIVEN:
                del self._given[next(iter(self._given))]
            if current is not None and known is not None:
                self._exclude(id, details, current, known.list)
                self._waiting[id] = sum(match.waits for match in self._matches_of(id, details, current))
                self.protection.unseat_who_may_not_play()

    def forget(self, id: str) -> None:
        """Nothing is remembered of somebody who is forgotten."""
        self._given.pop(id, None)
        self._waiting.pop(id, None)

    # Who is like an entry.

    def matches(self) -> list[NearMatch]:
        """Everybody whose details are those of an entry or like them, or were before: first what waits for somebody to
        decide."""
        current = self.current()
        if current is None:
            return []
        found = [
            match for id, details in self._everybodys_details() for match in self._matches_of(id, details, current)
        ]
        self._waiting = Counter(match.person for match in found if match.waits)
        return sorted(found, key=lambda match: (not match.waits, match.person))

    def _matches_of(self, id: str, details: Details, current: _List) -> list[NearMatch]:
        """Details that have changed lift nothing by themselves, or anybody could come off the list by a wrong letter:
        whoever looks at the document decides whether the old ones were a mistake."""
        known = self._person(id)
        exclusions = known.exclusions if known is not None else entry.Exclusions()
        found = {row_digest(current.salt, match.row): match for match in current.matcher.matches(details)}
        for digest in exclusions.terms:
            if digest not in found and digest in current.by_digest:
                found[digest] = Match(current.by_digest[digest], exact=False, why=NOT_ANY_MORE)
        return [
            NearMatch(id, details, digest, *match, exclusions.decided.get(digest), digest in exclusions.terms)
            for digest, match in found.items()
        ]

    @property
    def undecided(self) -> int:
        """How many near matches wait for a decision."""
        return sum(self._waiting.values())

    def decide(self, id: str, digest: str, same: bool, actor: Actor) -> None:
        """Whether an entry that is like a person's details names that person."""
        known = self.house.administration.exclusions
        match = next((match for match in self.matches() if (match.person, match.entry) == (id, digest)), None)
        if known is None or match is None:
            raise Refused("There is no such match any more: the list or the details have changed. Look again.")
        term = (match.row.since, match.row.until)
        with self.house.as_one():
            self.house.carry_out(person_stream(id), entry.DecideMatch(known.list, digest, same, *term), actor)
            if match.waits:
                self._waiting[id] -= 1
            self.protection.unseat_who_may_not_play()


def checked_details(name: str, born: str, document: str, today: str) -> Details:
    """Details as they are kept, or a refusal that says what they should be."""
    name, document = " ".join(name.split()), " ".join(document.split())
    if len(same_name(name).split()) < 2 or max(len(name), len(document)) > LONGEST_FIELD:
        raise Refused("Give the full name as it stands on the document, first and last name.")
    try:
        day = date.fromisoformat(born.strip()).isoformat()
    except ValueError:
        raise Refused("Give the date of birth as 1980-12-31.") from None
    if not "1900" <= day < today:
        raise Refused(f"{day} cannot be a date of birth; give it as 1980-12-31.")
    if len(same_document(document)) < 4:
        raise Refused("Give the number of the document, at least four letters or digits.")
    return Details(name, day, document)
