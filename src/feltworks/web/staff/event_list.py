"""Events of the records as a page lists them, in words: what an address asks for, and a page of what was found.

They are read by a thread of their own, a page at a time: nobody at a table waits for it.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
from fastapi import HTTPException, Request

from feltworks.floor.actors import Actor
from feltworks.floor.house import House
from feltworks.floor.journal.records import Record
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.past_round import is_over
from feltworks.floor.refusal import Refused
from feltworks.floor.store.listing import EventPage, ListedEvent, has_stream
from feltworks.floor.store.reader import Reader
from feltworks.floor.streams import HOUSE_STREAM, PERSON, is_table, person_stream
from feltworks.kit.errors import BadValue, FeltworksError
from feltworks.web import views
from feltworks.web.archive import Archive
from feltworks.web.staff.event_words import Words, told, who_did
from feltworks.web.staff.time_range import TimeRange, house_time

UNREADABLE = "What is written here is no event that Feltworks wrote; run a verification."
MOST_NAMESAKES = 8
LONGEST = 80
"""No field of a form is longer."""
RANGE = ("from", "until", "zone")


class Row(NamedTuple):
    """An event as the page shows it."""

    record: Record
    commit: int
    is_whole: bool
    lines: list[str]
    by: str
    by_id: str
    """Of a person."""
    where: str
    """What its stream is called."""
    of_person: str
    """The id, where it is a person's stream."""
    is_table: bool
    round_over: bool
    """Whether the round can be recalled."""


class Listing(NamedTuple):
    rows: list[Row]
    before: int | None
    is_cut: bool


def typed(request: Request, *names: str) -> list[str]:
    """What an address says in these fields of a form, as it was typed."""
    return [request.query_params.get(name, "").strip()[:LONGEST] for name in names]


class Page(NamedTuple):
    """What a page of events shows, whatever was asked for on it."""

    shown: dict[str, Any]
    is_asked: bool
    status: int


async def asked_for(
    request: Request,
    archive: Archive,
    look: Callable[[TimeRange, int | None, Reader], Listing],
    asked: Mapping[str, str],
    *,
    always: bool,
) -> Page:
    """Look for events in the range of time and from the place that an address names; `asked` is what else it asks for,
    and without anything of it the page is empty, unless it `always` shows something."""
    asked = {name: value for name, value in asked.items() if value}
    listing, refusal, span = Listing([], None, is_cut=False), "", TimeRange()
    given = dict(zip(RANGE, typed(request, *RANGE), strict=True))
    try:
        if given["from"] or given["until"]:
            span = TimeRange.of(given["from"], given["until"], given["zone"])
            given = span.fields
        if always or asked or span.is_given:
            before = place_in_records(request.query_params.get("before", ""))
            listing = await archive.ask(partial(look, span, before))
    except (Refused, BadValue) as problem:
        refusal = str(problem)
    except FeltworksError as fault:
        raise HTTPException(503, f"The records cannot be read: {fault}") from None
    shown = {
        "listing": listing,
        "given": given,
        "refusal": refusal,
        "is_first": "before" not in request.query_params,
        "same": urlencode(asked) + ("&" if asked and span.is_given else "") + span.query,
    }
    return Page(shown, bool(asked) or span.is_given, 422 if refusal else 200)


def told_until(house: House) -> dict[str, int]:
    """The last event of each table that everybody may know. What is written is not told yet, and what seats choose
    together is nobody's to read before all of them have chosen (F-14)."""
    return {id: views.told_until(live.table) for id, live in house.tables.items()}


def listed(house: House, store: Reader, page: EventPage) -> Listing:
    """A page of events in words."""
    return Listing(list(_rows(house, store, page.events)), page.before, page.is_cut)


def find_person(house: House, store: Reader, text: str) -> str:
    """The id of a person, by the id or by the name that they have now."""
    if has_stream(store, person_stream(text)):
        return text
    found = {row.id: row.name for row in store.find_people(text, MOST_NAMESAKES + 1)}
    found = {id: name for id, name in found.items() if house.people.name_in(store, id) == name}
    same = [id for id, name in found.items() if name.casefold() == text.casefold()]
    if len(same) == 1 or len(found) == 1:
        return (same or list(found))[0]
    if not found:
        raise Refused(f"Nobody is called {text!r} now; who has no name any more is found by the id alone.")
    some = ", ".join(sorted(found.values())[:MOST_NAMESAKES])
    raise Refused(f"Several people have that in their names: {some}. Type one of these, or an id.")


def _rows(house: House, store: Reader, events: list[ListedEvent]) -> Iterator[Row]:
    names: dict[str, str] = {}
    tables = table_names(house)

    def name(id: str) -> str:
        if id not in names:
            names[id] = house.people.name_in(store, id)
        return names[id]

    def spot(table: str, called: str) -> str:
        live = house.tables.get(table)
        return live.table.game.spot_title(called) if live and live.table.game.has_spot(called) else called

    for record, commit, is_whole in events:
        stream = record.stream
        words = Words(name, partial(spot, stream), lambda id: tables.get(id, id), house_time)
        of_person = stream.removeprefix(PERSON) if stream.startswith(PERSON) else ""
        where = name(of_person) if of_person else "The house" if stream == HOUSE_STREAM else tables.get(stream, stream)
        over = bool(record.round) and is_table(stream) and is_over(house, stream, record.round)
        by = _person(record.actor)
        lines = _lines(record, words)
        yield Row(
            record, commit, is_whole, lines, who_did(record.actor, words), by, where, of_person, is_table(stream), over
        )


def _lines(record: Record, words: Words) -> list[str]:
    try:
        return told(decode_event(record.stream, record.event), words)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return [UNREADABLE]


def _person(actor: str) -> str:
    try:
        found = Actor.parse(actor)
    except ValueError:
        return ""
    return found.id if found.is_person else ""


def table_names(house: House) -> dict[str, str]:
    """What the tables are called that there are or were."""
    closed = {id: table.settings.name if table.settings else id for id, table in house.closed.items()}
    return closed | {id: live.table.settings.name for id, live in house.tables.items()}


def place_in_records(text: str) -> int | None:
    """Where a page begins, as the one before it has named the place."""
    if not text:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > 15:
        raise BadValue(f"{text[:LONGEST]!r} is no place in the records; go back to the newest ones.")
    return int(text)
