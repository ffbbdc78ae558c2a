"""The records of the house in plain words, newest first, for whoever may read them (F-13, F-16)."""

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response

from feltworks.floor.actors import DEALER, PROGRAM
from feltworks.floor.actors import person as by_person
from feltworks.floor.house import House
from feltworks.floor.refusal import Refused
from feltworks.floor.store.listing import Wanted, has_stream, newest_events
from feltworks.floor.store.reader import Reader
from feltworks.floor.streams import PERSON, person_stream
from feltworks.floor.table.state import Table
from feltworks.web.archive import Archive
from feltworks.web.staff.access import READ_RECORDS
from feltworks.web.staff.desk import Desk, Offer, Way, Who
from feltworks.web.staff.event_list import Listing, asked_for, find_person, listed, table_names, told_until, typed
from feltworks.web.staff.event_words import GROUPS, kinds_of
from feltworks.web.staff.time_range import TimeRange

PATH = "/house/records"
PROGRAMS = {"dealer": DEALER, "program": PROGRAM}


class Asked(NamedTuple):
    """What the form asks for, as it was typed."""

    stream: str = ""
    person: str = ""
    kind: str = ""
    by: str = ""


def add_records(app: FastAPI, desk: Desk) -> Archive:
    """The page of the records. The answer is what it reads by, for whoever stops the server to close."""
    house, archive = desk.hub.house, Archive(desk.hub.house.store.path, "records")
    desk.ways.append(Way(PATH, "Records", READ_RECORDS))

    def offers(who: Who) -> Iterator[Offer]:
        if who.roles & READ_RECORDS:
            yield Offer("Records", "Read everything that was recorded, in words.", PATH)

    def table_offers(who: Who, table: Table) -> Iterator[Offer]:
        if who.roles & READ_RECORDS:
            yield Offer("Its records", "", f"{PATH}?{urlencode({'stream': table.settings.id})}")

    desk.offers.append(offers)
    desk.table_offers.append(table_offers)

    @app.get(PATH, response_class=HTMLResponse, include_in_schema=False)
    async def records(request: Request) -> Response:
        who = await desk.asked_by(request, READ_RECORDS)
        asked = Asked(*typed(request, *Asked._fields))
        page = await asked_for(request, archive, partial(read, house, asked), asked._asdict(), always=True)
        shown: dict[str, Any] = {
            **page.shown,
            "asked": asked,
            "tables": table_names(house),
            "groups": GROUPS,
            "is_filtered": page.is_asked,
            "path": PATH,
        }
        return await desk.page(request, who, "house/records.html", page.status, **shown)

    return archive


def read(house: House, asked: Asked, span: TimeRange, before: int | None, store: Reader) -> Listing:
    """A page of the records; whatever cannot be is refused in words."""
    stream = asked.stream
    if stream.startswith(PERSON) or asked.person:
        stream = person_stream(find_person(house, store, asked.person or stream.removeprefix(PERSON)))
    if stream and not has_stream(store, stream):
        raise Refused(f"There is no table {stream!r} in the records; choose one of the list.")
    if asked.kind and not kinds_of(asked.kind):
        raise Refused(f"No event is called {asked.kind!r}; choose one of the list.")
    actors, told_now = _actors(house, store, asked.by), told_until(house)
    page = newest_events(store, Wanted(stream, kinds_of(asked.kind), actors, *span.ends, told_now), before)
    return listed(house, store, page)


def _actors(house: House, store: Reader, text: str) -> tuple[str, ...]:
    """How somebody stands in records as who did something: those of the first version have the bare id."""
    if not text:
        return ()
    actor = PROGRAMS.get(text.casefold()) or by_person(find_person(house, store, text))
    return (str(actor), actor.id)
