"""Finding events at the tables by what is in them: seat, person, dealer, wager, amount, result, incident, time (F-13).

An event is a small tree: the event itself, its answer, and what it caused. What is asked about one wager has to hold of
one part of it: a seat that won, and another that had this amount, are no answer. Shapes that are added later are found
by the same fields, without a line written for them.

SQLite leaves out what cannot be wanted, by bytes that every wanted event has; only what is left is read here. The
newest come first, and however long the records are, one page looks at no more than so many of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal, TypeGuard

import msgspec

from feltworks.floor.accounts import Cents, player_account
from feltworks.floor.actors import person as by_person
from feltworks.floor.store.listing import (
    A_PAGE,
    Condition,
    EventPage,
    ListedEvent,
    Wanted,
    listed_event,
    rows_where,
    span_of,
    untold,
)
from feltworks.floor.store.reader import Reader
from feltworks.floor.times import ALWAYS

MOST_SEARCHED = 1_000_000
"""So many events are looked at for one page."""
AT_ONCE = 100_000
"""So many of them before somebody else may have a turn to stop it."""
MOST_TURNS = 200
"""Of a dealer, the newest turns at a table."""
AMOUNTS = ("amount", "paid", "returned", "chips", "cents", "wagers", "winnings")
"""The fields of an event that are money."""
NOT_SEARCHED = frozenset({"settings", "openings", "standing"})

Result = Literal["won", "lost", "returned", "void"]
HAPPENINGS: dict[str, tuple[str, ...]] = {
    "incident": ("reported",),
    "decision": ("answered",),
    "release": ("released",),
    "void": ("voided",),
    "dispute": ("claimed", "dispute decided"),
    "held win": ("answered", "win released"),
    "correction": ("corrected", "taken back"),
    "pause": ("paused", "resumed"),
    "relief": ("dealer came", "dealer left"),
}
"""What happens besides the play, and what an event of each sort is called in the records: a decision is an answer that
somebody of the staff gave, and a win is held by the answer that settled it."""
MARKS = {"decision": ('"who":"',), "held win": ('"held":true', '"win":"')}
"""Bytes that tell those of them that are called as others are."""


@dataclass(frozen=True)
class Sought:
    """What is looked for; what is empty leaves nothing out."""

    table: str = ""
    seat: int | None = None
    person: str = ""
    """By id: what they did, and what became of the seat that was theirs."""
    dealer: str = ""
    """By id: everything that happened while they dealt."""
    spot: str = ""
    least: Cents | None = None
    most: Cents | None = None
    result: Result | None = None
    happening: str = ""
    """One of `HAPPENINGS`."""
    incident: str = ""
    """A part of what an incident is called, or of the reason for something."""
    since: int = ALWAYS[0]
    until: int = ALWAYS[1]
    told: Mapping[str, int] = field(default_factory=dict)
    """Of tables of which not all is everybody's to know yet, the last event that is (F-14)."""

    @property
    def has_amount(self) -> bool:
        return self.least is not None or self.most is not None


def search(store: Reader, sought: Sought, before: int | None = None, looks_at: int = MOST_SEARCHED) -> EventPage:
    """A page of what is found; `before` is where the last page said to go on."""
    with store.frozen():
        span = span_of(store, Wanted(sought.table, since=sought.since, until=sought.until))
        if span is None:
            return EventPage([], None)
        lowest, end = span
        end = end if before is None else min(end, before)
        stop = max(lowest, end - looks_at)
        conditions, seats = list(_conditions(store, sought)), _Seats(store, sought.person)
        found: list[ListedEvent] = []
        while end > stop:
            low = max(stop, end - AT_ONCE)
            rows = rows_where(store, sought.table, conditions, low, end, 4 * A_PAGE)
            for place, *row in rows:
                end = place
                _, stream, sequence, _, actor, _, _, event, _ = row
                if _is_wanted(stream, sequence, actor, event, sought, seats):
                    found.append(listed_event(store, *row))
                    if len(found) == A_PAGE:
                        return EventPage(found, place)
            end = end if len(rows) == 4 * A_PAGE else low
        return EventPage(found, stop, is_cut=True) if stop > lowest else EventPage(found, None)


# What SQLite leaves out.


def _conditions(store: Reader, sought: Sought) -> Iterator[Condition]:
    yield from untold(store, sought.told)
    if not sought.table:
        yield "events.stream <> 'house' AND substr(events.stream, 1, 7) <> 'person:'", ()
    if (sought.since, sought.until) != ALWAYS:
        yield "time >= ? AND time < ?", (sought.since, sought.until)
    if sought.seat is not None:
        yield _has(f'"seat":{sought.seat}', f'"who":{sought.seat}')
    if sought.spot:
        yield _has(f'"{sought.spot}"')
    if sought.result == "void":
        yield _begins("voided")
    elif sought.result is not None:
        yield _has('"settled"')
        yield _has('"stake":"taken"') if sought.result == "lost" else _has('"paid":', '"returned":')
    if sought.happening:
        yield _begins(*HAPPENINGS[sought.happening])
        if sought.happening in MARKS:
            yield _has(*MARKS[sought.happening])
    if sought.person:
        yield (
            "(actor IN (?, ?) OR instr(event, ?) > 0 OR (events.stream, events.round) IN"
            " (SELECT stream, round FROM played WHERE account = ?))",
            (str(by_person(sought.person)), sought.person, _quoted(sought.person), str(player_account(sought.person))),
        )
    if sought.dealer:
        turns = list(_turns(store, sought.dealer))[-MOST_TURNS:]
        each = " OR ".join("(events.stream = ? AND sequence >= ? AND sequence < ?)" for _ in turns)
        yield f"({each or '0'})", [value for turn in turns for value in turn]
    if sought.has_amount:
        keys = ", ".join("?" * len(AMOUNTS))
        # A number with enough digits is found far quicker than it is read.
        yield "CAST(event AS TEXT) GLOB ?", [f"*:{'[0-9]' * len(str(sought.least or 1))}*"]
        yield (
            "EXISTS (SELECT 1 FROM json_tree(CAST(event AS TEXT)) AS part"
            f" WHERE part.key IN ({keys}) AND part.type = 'integer' AND part.value BETWEEN ? AND ?)",
            (*AMOUNTS, *_range(sought)),
        )


def _has(*texts: str) -> Condition:
    """One of these stands in the bytes of the event."""
    return f"({' OR '.join('instr(event, ?) > 0' for _ in texts)})", [text.encode() for text in texts]


def _begins(*kinds: str) -> Condition:
    """It is of one of these kinds, of whatever version: the tag comes first in the bytes of every event."""
    tags = [f'{{"kind":"{kind}{end}'.encode() for kind in kinds for end in ('"', "/")]
    return f"({' OR '.join('substr(event, 1, ?) = ?' for _ in tags)})", [v for tag in tags for v in (len(tag), tag)]


def _quoted(id: str) -> bytes:
    return f'"{id}"'.encode()


def _range(sought: Sought) -> tuple[Cents, Cents]:
    return sought.least or 0, 2**62 if sought.most is None else sought.most


def _turns(store: Reader, dealer: str) -> Iterator[tuple[str, int, int]]:
    """When somebody dealt: at which table, from which event to just before which."""
    condition, values = _begins("dealer came", "dealer left")
    query = f"SELECT stream, sequence, event FROM events WHERE {condition} ORDER BY stream, sequence"
    rows = store._checked((str, int, bytes), store._all(query, *values))
    for (stream, since, event), (other, until, _) in pairwise([*rows, ("", 0, b"")]):
        told = msgspec.json.decode(event)
        if told["kind"].startswith("dealer came") and told["dealer"] == dealer:
            yield stream, since, until if other == stream else 2**62


# What is looked at here.


@dataclass
class _Seats:
    """Which seat was a person's, at a table and at a time."""

    store: Reader
    person: str
    _known: dict[str, list[tuple[int, int]]] = field(default_factory=dict)

    def at(self, stream: str, sequence: int) -> int | None:
        if stream not in self._known:
            condition, values = _begins("sat")
            query = f"SELECT sequence, event FROM events WHERE stream = ? AND {condition} AND instr(event, ?) > 0"
            rows = self.store._all(f"{query} ORDER BY sequence", stream, *values, _quoted(self.person))
            told = [(at, msgspec.json.decode(event)["seat"]) for at, event in self.store._checked((int, bytes), rows)]
            self._known[stream] = told
        return next((seat for since, seat in reversed(self._known[stream]) if since <= sequence), None)


def _is_wanted(stream: str, sequence: int, actor: str, event: bytes, sought: Sought, seats: _Seats) -> bool:
    try:
        told = msgspec.json.decode(event)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    if sought.incident and sought.incident.casefold() not in _reasons(told).casefold():
        return False
    if sought.happening == "decision" and not any(isinstance(part.get("who"), str) for part in _parts(told)):
        return False
    seat = sought.seat
    of_wager = seat is not None or sought.spot or sought.has_amount or sought.result is not None
    if sought.person:
        is_theirs = actor in (str(by_person(sought.person)), sought.person)
        own = seats.at(stream, sequence)
        if own is None and not is_theirs:
            return False
        if own is not None and (of_wager or not is_theirs):  # what they did may have settled the wagers of others
            if seat not in (None, own):
                return False
            seat, of_wager = own, True
    is_void = str(told.get("kind", "")).startswith("voided")
    return not of_wager or any(_is_part(part, sought, seat, is_void) for part in _parts(told))


def _parts(told: Any) -> Iterator[dict[str, Any]]:
    """The event, its answer, and everything that it caused."""
    if isinstance(told, dict):
        yield told
        for name, value in told.items():
            if name not in NOT_SEARCHED:
                yield from _parts(value)
    elif isinstance(told, list):
        for value in told:
            yield from _parts(value)


def _is_part(part: dict[str, Any], sought: Sought, seat: int | None, is_void: bool) -> bool:
    """Whether all that is asked about a wager holds of one part of an event."""
    if seat is not None and seat not in (part.get("seat"), part.get("who")):
        return False
    if sought.spot and sought.spot != part.get("spot") and sought.spot not in (part.get("spots") or ()):
        return False
    if sought.has_amount:
        least, most = _range(sought)
        if not any(least <= cents <= most for name in AMOUNTS if _is_money(cents := part.get(name))):
            return False
    return sought.result is None or sought.result == _result(part, is_void)


def _is_money(value: Any) -> TypeGuard[Cents]:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _result(part: dict[str, Any], is_void: bool) -> Result | None:
    """What became of a wager."""
    if part.get("kind") != "settled":
        return "void" if is_void and str(part.get("kind", "")).startswith("voided") else None
    if is_void:
        return "void"
    if part.get("paid"):
        return "won"
    return "lost" if part.get("stake") == "taken" else "returned"


def _reasons(told: dict[str, Any]) -> str:
    texts: Sequence[Any] = [told.get(name) for name in ("incident", "text", "reason", "what", "decision")]
    return " ".join(text for text in texts if isinstance(text, str))
