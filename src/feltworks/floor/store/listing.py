"""The events of a house, newest first and a page at a time, for whoever reads the records (F-16).

However long the records are, one page looks at no more than so many events: where too few of them are wanted, the
answer says where to go on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from feltworks.floor.journal.records import Record
from feltworks.floor.store.reader import Reader
from feltworks.floor.times import ALWAYS

A_PAGE = 50
MOST_LOOKED_AT = 20_000
_ROW = (int, int, str, int, int, str, str, int, bytes, bytes)
Condition = tuple[str, Sequence[Any]]
"""Of SQL, with the values that it asks for."""


@dataclass(frozen=True)
class Wanted:
    """Which events are wanted; what is empty leaves nothing out."""

    stream: str = ""
    kinds: Sequence[str] = ()
    """One of these, as the shape is called, whatever its version."""
    actors: Sequence[str] = ()
    """As they stand in records: one of these."""
    since: int = ALWAYS[0]
    until: int = ALWAYS[1]
    told: Mapping[str, int] = field(default_factory=dict)
    """Of streams of which not all is everybody's to know yet, the last event that is (F-14)."""

    @property
    def has_range(self) -> bool:
        return (self.since, self.until) != ALWAYS


class ListedEvent(NamedTuple):
    record: Record
    commit: int
    """The place of the commit that it belongs to; below 1 for records of the first version."""
    is_whole: bool
    """Whether its hash is that of what it says, after the event before it. Whether the house has signed it, `verify`
    tells."""


class EventPage(NamedTuple):
    events: list[ListedEvent]
    before: int | None
    """Where the next page begins, if there may be more."""
    is_cut: bool = False
    """Whether the page ends because enough events were looked at, and not because it is full."""


def newest_events(store: Reader, wanted: Wanted, before: int | None = None) -> EventPage:
    """A page of events; `before` a place: those before it, as the last page has named it. Places are numbers of events
    in a stream, or in the whole file where no stream is asked for."""
    with store.frozen():
        span = span_of(store, wanted)
        if span is None:
            return EventPage([], None)
        lowest, end = span
        end = end if before is None else min(end, before)
        low = max(lowest, end - MOST_LOOKED_AT)
        rows = _rows(store, wanted, low, end)
        events = [listed_event(store, *row[1:]) for row in rows[:A_PAGE]]
    if len(rows) > A_PAGE:
        return EventPage(events, rows[A_PAGE - 1][0])
    return EventPage(events, low, is_cut=True) if low > lowest else EventPage(events, None)


def has_stream(store: Reader, stream: str) -> bool:
    return store.head(stream)[0] > 0


def _rows(store: Reader, wanted: Wanted, low: int, end: int) -> list[Any]:
    given = untold(store, wanted.told)
    if wanted.has_range:
        given.append(("time >= ? AND time < ?", [wanted.since, wanted.until]))
    if wanted.actors:
        given.append((f"actor IN ({', '.join('?' * len(wanted.actors))})", wanted.actors))
    if wanted.kinds:
        # The tag comes first in the bytes of every event; a later version of the shape has its number after a slash.
        tags = [f'{{"kind":"{kind}'.encode() for kind in wanted.kinds]
        one = " OR ".join(["substr(event, 1, ?) IN (?, ?)"] * len(tags))
        given.append((f"({one})", [value for tag in tags for value in (len(tag) + 1, tag + b'"', tag + b"/")]))
    return rows_where(store, wanted.stream, given, low, end, A_PAGE + 1)


def untold(store: Reader, told: Mapping[str, int]) -> list[Condition]:
    """Conditions that leave out what nobody is told yet, before anything is counted: a page that is full, and the place
    where it ends, must not depend on it. Few streams have any of it at a time."""
    later = [(stream, last) for stream, last in told.items() if store.head(stream)[0] > last]
    return [("NOT (events.stream = ? AND sequence > ?)", each) for each in later]


def rows_where(store: Reader, stream: str, conditions: Sequence[Condition], low: int, end: int, most: int) -> list[Any]:
    """The newest events between two places of which all conditions hold: the place, and what `listed_event` takes."""
    place = "sequence" if stream else "events.id"
    given: list[Condition] = [(f"{place} >= ? AND {place} < ?", [low, end])]
    given += [("events.stream = ?", [stream])] if stream else []
    given += conditions
    query = (
        f"SELECT {place}, commit_id, events.stream, sequence, time, actor, command_id, round, event, hash"
        " FROM events JOIN commits ON commits.id = events.commit_id"
        f" WHERE {' AND '.join(condition for condition, _ in given)} ORDER BY {place} DESC LIMIT {most}"
    )
    return store._checked(_ROW, store._all(query, *(value for _, values in given for value in values)))


def listed_event(
    store: Reader,
    commit: int,
    stream: str,
    sequence: int,
    time: int,
    actor: str,
    command: str,
    round: int,
    event: bytes,
    hash: bytes,
) -> ListedEvent:
    previous = store.hash_of(stream, sequence - 1)
    record = Record(stream, sequence, time, actor, command, round, event, previous, hash.hex())
    return ListedEvent(record, commit, record.true_hash == record.hash)


def span_of(store: Reader, wanted: Wanted) -> tuple[int, int] | None:
    """The first place that may be wanted, and the one after the last; nothing where none is."""
    # Each by itself is found at once; both in one go are a look at every event.
    first, last = store._one("SELECT (SELECT min(id) FROM events), (SELECT max(id) FROM events)")
    if first is None:
        return None
    low, end = first, last + 1
    if wanted.has_range:
        # Times go back where the wall clock did, so every commit is looked at.
        query = "SELECT min(id), max(id) FROM commits WHERE time >= ? AND time < ?"
        begins, ends = store._one(query, wanted.since, wanted.until)
        if begins is None:
            return None
        low, end = store._first_event_after(begins - 1), store._first_event_after(ends)
    if wanted.stream:
        low, end = (_sequence_from(store, wanted.stream, event) for event in (low, end))
    return low, end


def _sequence_from(store: Reader, stream: str, event: int) -> int:
    """The number of the first event of a stream from a place in the file on, by bisection."""
    low, high = 1, store.head(stream)[0] + 1
    while low < high:
        middle = (low + high) // 2
        row = store._one("SELECT id FROM events WHERE stream = ? AND sequence = ?", stream, middle)
        if row is not None and row[0] < event:
            low = middle + 1
        else:
            high = middle
    return low
