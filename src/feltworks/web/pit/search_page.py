"""What happened at the tables, found by what it was: for surveillance, and for those who answer for the tables (F-13).

What is found is told in the words of the records, with the way to the round at that step.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple, get_args
from urllib.parse import urlencode

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response

from feltworks.floor.house import House
from feltworks.floor.refusal import Refused
from feltworks.floor.store.listing import has_stream
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.search import HAPPENINGS, Result, Sought, search
from feltworks.floor.table.state import Table
from feltworks.kit.errors import BadValue
from feltworks.web.archive import Archive
from feltworks.web.staff.access import SEARCH
from feltworks.web.staff.desk import Desk, Offer, Way, Who
from feltworks.web.staff.event_list import Listing, asked_for, find_person, listed, table_names, told_until, typed
from feltworks.web.staff.settings_form import cents
from feltworks.web.staff.time_range import TimeRange

PATH = "/house/search"
RESULTS: dict[str, str] = {
    "won": "won",
    "lost": "lost",
    "returned": "came back",
    "void": "void, came back",
}
HAPPENED: dict[str, str] = {
    "incident": "an incident was reported",
    "decision": "the staff decided",
    "release": "a device was released",
    "void": "a round was void",
    "dispute": "a dispute was raised or decided",
    "held win": "a win was held or verified",
    "correction": "an entry was corrected or taken back",
    "pause": "the table was paused or went on",
    "relief": "a dealer came or left",
}
assert HAPPENED.keys() == HAPPENINGS.keys()


class Asked(NamedTuple):
    """What the form asks for, as it was typed."""

    table: str = ""
    seat: str = ""
    person: str = ""
    dealer: str = ""
    wager: str = ""
    least: str = ""
    most: str = ""
    result: str = ""
    happened: str = ""
    words: str = ""


def add_search(app: FastAPI, desk: Desk) -> Archive:
    """The page of the search. The answer is what it reads by, for whoever stops the server to close."""
    house, archive = desk.hub.house, Archive(desk.hub.house.store.path, "search")
    desk.ways.append(Way(PATH, "Search", SEARCH))

    def offers(who: Who) -> Iterator[Offer]:
        if who.roles & SEARCH:
            yield Offer("Search", "Find a wager, a result or an incident, and see it on the felt.", PATH)

    def table_offers(who: Who, table: Table) -> Iterator[Offer]:
        if who.roles & SEARCH:
            yield Offer("Search it", "", f"{PATH}?{urlencode({'table': table.settings.id})}")

    desk.offers.append(offers)
    desk.table_offers.append(table_offers)

    @app.get(PATH, response_class=HTMLResponse, include_in_schema=False)
    async def find(request: Request) -> Response:
        who = await desk.asked_by(request, SEARCH)
        asked = Asked(*typed(request, *Asked._fields))
        page = await asked_for(request, archive, partial(found, house, asked), asked._asdict(), always=False)
        shown: dict[str, Any] = {
            **page.shown,
            "asked": asked,
            "tables": table_names(house),
            "wagers": wagers(house),
            "results": RESULTS,
            "happened": HAPPENED,
            "is_asked": page.is_asked,
            "path": PATH,
        }
        return await desk.page(request, who, "house/search.html", page.status, **shown)

    return archive


def found(house: House, asked: Asked, span: TimeRange, before: int | None, store: Reader) -> Listing:
    """A page of what is found; whatever cannot be is refused in words."""
    return listed(house, store, search(store, _sought(house, store, asked, span), before))


def _sought(house: House, store: Reader, asked: Asked, span: TimeRange) -> Sought:
    if asked.table and not has_stream(store, asked.table):
        raise Refused(f"There is no table {asked.table!r} in the records; choose one of the list.")
    if asked.table and asked.table not in table_names(house):
        raise Refused("Choose a table of the list; what is recorded of people and of the house is under Records.")
    if asked.result not in ("", *get_args(Result)):
        raise Refused(f"No wager ends as {asked.result!r}; choose one of the list.")
    if asked.happened not in ("", *HAPPENINGS):
        raise Refused(f"Nothing is called {asked.happened!r}; choose one of the list.")
    least, most = _amount(asked.least), _amount(asked.most)
    if least is not None and most is not None and least > most:
        raise Refused(f"{asked.least} is more than {asked.most}; give the smaller amount first.")
    return Sought(
        table=asked.table,
        seat=_seat(asked.seat),
        person=find_person(house, store, asked.person) if asked.person else "",
        dealer=find_person(house, store, asked.dealer) if asked.dealer else "",
        spot=asked.wager,
        least=least,
        most=most,
        result=next((result for result in get_args(Result) if result == asked.result), None),
        happening=asked.happened,
        incident=asked.words,
        since=span.ends[0],
        until=span.ends[1],
        told=told_until(house),
    )


def _seat(text: str) -> int | None:
    if not text:
        return None
    if not text.isascii() or not text.isdecimal() or not 0 < int(text) < 100:
        raise Refused(f"{text!r} is no seat; give its number, such as 3.")
    return int(text)


def _amount(text: str) -> int | None:
    try:
        return cents(text.replace(",", "").removeprefix("$")) if text else None
    except BadValue:
        raise Refused(f"{text!r} is no amount; write it in dollars, such as 3000 or 12.50.") from None


def wagers(house: House) -> dict[str, dict[str, str]]:
    """The places to bet, by game: what each is called in the records, and by people."""
    found: dict[str, dict[str, str]] = {}
    for live in house.tables.values():
        game = live.table.game
        spots = found.setdefault(game.title, {})
        for wager in game.wagers.values():
            spots |= wager.spots
    return dict(sorted(found.items()))
