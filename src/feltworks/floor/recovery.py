"""Reading states back from the records at a start, and believing only what the journal knows (F-16, F-17)."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec

from feltworks.floor import administration, person
from feltworks.floor.aggregates import evolve
from feltworks.floor.chance.sealed import SealedShoes
from feltworks.floor.journal.journal import BrokenRecords, Journal
from feltworks.floor.journal.position import Position
from feltworks.floor.journal.records import FIRST, Record, salted, signed_ends, table_digest
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import Keys
from feltworks.floor.person import Person
from feltworks.floor.store.inspect import rows_of_older_version
from feltworks.floor.store.interface import DoneRow
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.sqlite import Store, StoreError
from feltworks.floor.streams import HOUSE_STREAM, Event, person_stream
from feltworks.floor.table import events as ev
from feltworks.floor.table.abandoned import AbandonedTable
from feltworks.floor.table.snapshot import NotUsable, resumed
from feltworks.floor.table.state import NotInstalled, Table, check_rules

PLAY = (
    *(ev.Opened, ev.RoundStarted, ev.Answered, ev.Reshuffled, ev.RoundEnded, ev.Voided),
    *(ev.TickedOff, ev.TakenBack, ev.Corrected),
    *(ev.Reported, ev.Released, ev.ClocksRestarted, ev.Resumed, ev.Reopened, ev.SettingsChanged),
)
"""The events that move the play on; who comes and goes does not hold the dealer up."""

_log = logging.getLogger("feltworks.house")


@dataclass(frozen=True)
class Recovery:
    """The states of streams, folded from their records to the end that the journal knows."""

    store: Store
    journal: Journal
    keys: Keys
    _checked: set[str] = field(default_factory=set)

    def records(self, stream: str, after: int = 0, store: Reader | None = None) -> list[Record]:
        """The records of a stream to its end, which must be the one that the journal knows."""
        store = store or self.store
        records = list(store.read(stream, after))
        for number, record in enumerate(records, after + 1):
            if record.sequence != number:
                raise BrokenRecords(f"event {number} is missing; run `felt verify`.")
            if record.hash != record.true_hash:
                raise BrokenRecords(f"event {record.sequence} was changed; run `felt verify`.")
        if records:
            self.journal.check_head(stream, records[-1].sequence, records[-1].hash)
        else:
            self.journal.check_head(stream, after, store.hash_of(stream, after))
        return records

    def table(self, stream: str) -> tuple[Table, ev.Time, SealedShoes]:
        """A table as its events left it, since when the play is as it is, and its shoes, which are still sealed."""
        first = next(self.store.read(stream, 0, 1), None)
        opened = _decoded(first) if first is not None and first.hash == first.true_hash else None
        if first is None or not isinstance(opened, ev.Opened):
            raise BrokenRecords("event 1 is missing or was changed; run `felt verify`.")
        table, since = self._from_snapshot(stream, opened) or (None, first.time)
        if table is None:
            check_rules(opened)
        for record in self.records(stream, table.version if table is not None else 0):
            if record.command and self.store.done([record.actor], record.command) is None:
                raise BrokenRecords(f"the command of event {record.sequence} is not listed; run `felt verify`.")
            event = _decoded(record)
            if isinstance(event, ev.Abandoned):
                raise NotInstalled(event.reason)
            if isinstance(event, ev.SettingsChanged):
                check_rules(event)
            evolved = evolve(table, stream, event, record.time)
            assert isinstance(evolved, Table)
            table = evolved
            if isinstance(event, PLAY):
                since = record.time
        assert table is not None
        return table, since, SealedShoes(self.keys)

    def _from_snapshot(self, stream: str, opened: ev.Opened) -> tuple[Table, ev.Time] | None:
        """The table as its newest snapshot gives it; if that cannot be used, it is folded from the first event."""
        sequence, data = self.store.snapshot(stream) or (0, b"")
        if not sequence:
            return None
        record = next(self.store.read(stream, sequence - 1, sequence), None)
        try:
            found = resumed(data, record, opened, self.keys.public)
            if record is None or record.hash != self.store.hash_of(stream, sequence):
                raise NotUsable("is of other records")
        except NotUsable as problem:
            _log.warning("The snapshot of table %s %s; all its events are folded.", stream, problem)
            return None
        return found.table, found.since

    def check_older(self) -> None:
        """Where something follows from records of an older version: nobody has changed or added one since."""
        if self.store.first_commit() < 1:
            _, first = next(self.store.commits(0))
            migrated = decode_event(HOUSE_STREAM, first.records[0].event) if first.stream == HOUSE_STREAM else None
            if not isinstance(migrated, administration.Migrated):
                raise BrokenRecords("There are older records than the first; run `felt verify`.")
            for name, rows in rows_of_older_version(self.store).items():
                if table_digest(rows) != migrated.tables[name]:
                    raise BrokenRecords(f"the {name} are not those that were taken over; run `felt verify`.")

    def check_done(self, done: DoneRow) -> None:
        """A command that the list of commits has was carried out: the house's tag says so at once where the commit
        stands in its place, and otherwise, as after a change of the key, all commits do."""
        in_place = 1 <= done.id <= self.journal.position.id and done.id == done.number
        if not in_place or done.salt != self.keys.tag(salted(*done[1:-1])):
            self._check_once(self.journal.check_all)
            if done.id < 1:
                self._check_once(self.check_older)

    def _check_once(self, check: Callable[[], None]) -> None:
        """Anybody can send an old command again and again. What was found in all the records holds as long as nobody
        but the house has written."""
        try:
            self.store.check_untouched()
        except StoreError as problem:
            raise BrokenRecords(str(problem)) from None
        if check.__name__ not in self._checked:
            check()
            self._checked.add(check.__name__)

    def abandoned(self, stream: str, why: str) -> AbandonedTable:
        """A table that cannot be played on: in one pass that checks every commit, so that none changes in between."""
        state: AbandonedTable | None = None
        last, position = (0, FIRST), Position()
        signed = signed_ends(self.store.old_heads()).get(stream, 0)
        for id, commit in self.store.commits(self.store.first_commit() - 1):
            if id > 0 and (wrong := position.follow(id, commit)):
                raise BrokenRecords(f"The records are damaged: {wrong}.")
            for record, booked in zip(commit.records, commit.entries, strict=True):
                if record.stream != stream:
                    continue
                if (record.sequence, record.previous) != (last[0] + 1, last[1]) or record.hash != record.true_hash:
                    raise BrokenRecords(f"event {record.sequence} was changed; run `felt verify`.")
                last, event = (record.sequence, record.hash), _decoded(record)
                if isinstance(event, ev.Opened):
                    state = AbandonedTable(event.settings, event.definition, why)
                else:
                    assert state is not None and isinstance(event, ev.Event)
                    state = state.after(event, booked, id > 0 or record.sequence <= signed, record.time)
        self.journal.check_head(stream, *last)
        self.journal.check_position(position)
        assert state is not None
        return state

    def person(self, id: str, store: Reader) -> Person:
        state: Person | None = None
        for record in self.records(person_stream(id), store=store):
            event = _decoded(record)
            assert isinstance(event, person.Event)
            state = person.evolve(state, id, event, record.time)
        assert state is not None
        return state


def _decoded(record: Record) -> Event:
    try:
        return decode_event(record.stream, record.event)
    except msgspec.DecodeError:
        raise BrokenRecords(f"event {record.sequence} is none that this version knows; run `felt verify`.") from None
