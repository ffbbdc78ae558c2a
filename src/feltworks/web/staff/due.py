"""What is due and until when, what was done about it, and whether the code is still what was loaded (F-38, F-39)."""

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, Response
from markupsafe import Markup

from feltworks.floor.actors import Actor
from feltworks.floor.administration import MarkDone
from feltworks.floor.code_check import CHECK_EVERY
from feltworks.floor.deadlines import HOUR, DoneItem, DoneList, DueItem
from feltworks.floor.refusal import Refused
from feltworks.kit.errors import FeltworksError
from feltworks.web.archive import Archive
from feltworks.web.forms import NO_FORM, Form, read_form
from feltworks.web.staff.access import CHECK_CODE, READ_DUE
from feltworks.web.staff.desk import Desk, Offer, Way, Who, go, when
from feltworks.web.staff.event_list import table_names

PATH = "/house/due"
A_PAGE = 20


class Done(NamedTuple):
    item: DoneItem
    by: str


def add_due(app: FastAPI, desk: Desk, archive: Archive) -> None:
    """`archive` is what the records are read by."""
    hub, house = desk.hub, desk.hub.house
    done_list, checking = DoneList(), asyncio.Lock()
    desk.ways.append(Way(PATH, "Due", READ_DUE))

    def offers(who: Who) -> Iterator[Offer]:
        if not who.roles & READ_DUE:
            return
        items = house.due_items()
        overdue, checked = [item for item in items if item.overdue], house.code_check.at
        code = Markup("The code was checked {}.").format(when(checked)) if checked else Markup("The code is unchecked.")
        if house.administration.is_other_code:
            code = Markup("The code is not what was loaded.")
        first = Markup("{}: until {}. ").format(items[0].what, when(items[0].deadline)) if items else Markup("")
        title = "Overdue" if overdue else "What is due"
        yield Offer(title, first + code, PATH, len(overdue or items), urgent=bool(items) and who.may(MarkDone))

    desk.offers.append(offers)

    async def done_before(place: str) -> tuple[list[Done], int]:
        """A page of what was done, and where the next one begins."""
        end = int(place) if place.isascii() and place.isdecimal() and len(place) < 10 else None
        try:
            found = await archive.ask(done_list.read)
        except FeltworksError as fault:
            raise HTTPException(503, f"The records cannot be read: {fault}") from None
        end = len(found) if end is None else min(end, len(found))
        first = max(0, end - A_PAGE)
        items = found[first:end][::-1]
        persons = {item.by: Actor.parse(item.by) for item in items}
        names = await desk.names(actor.id for actor in persons.values() if actor.is_person)
        return [Done(item, names.get(persons[item.by].id, "the program")) for item in items], first

    async def due_page(request: Request, form: Form = NO_FORM, refusal: str = "") -> Response:
        who = await desk.asked_by(request, READ_DUE)
        now, place = house.clock(), request.query_params.get("before", "")
        done, before = await done_before(place)
        shown: dict[str, Any] = {
            "items": [(item, how_long(item, now)) for item in house.due_items()],
            "done": done,
            "before": before,
            "is_first": not place,
            "checked": house.code_check.at,
            "found": house.code_check.found,
            "house_state": house.administration,
            "tables": table_names(house),
            "every": CHECK_EVERY // HOUR,
            "is_checking": checking.locked(),
            "can_mark": who.may(MarkDone),
            "can_check": bool(who.roles & CHECK_CODE),
            "entered": form,
            "refusal": refusal,
            "path": PATH,
        }
        return await desk.page(request, who, "house/due.html", 422 if refusal else 200, **shown)

    @app.get(PATH, response_class=HTMLResponse, include_in_schema=False)
    async def due(request: Request) -> Response:
        return await due_page(request)

    async def check(request: Request, who: Who) -> Response:
        if not who.roles & CHECK_CODE:
            raise Refused("Checking the code is for a manager or a supervisor.")
        if checking.locked():
            raise Refused("The code is being checked already; look again in a moment.")
        if house.fault:
            raise Refused(house.fault)
        async with checking:
            try:
                await hub.check_code()
            except FeltworksError as problem:
                raise Refused(str(problem)) from None
        is_same = not house.administration.is_other_code
        desk.tell(who, "Checked: everything is as it was loaded." if is_same else "Checked: it is not what was loaded.")
        return go(request, PATH)

    @app.post(PATH, include_in_schema=False)
    async def act(request: Request) -> Response:
        who, form = await desk.asked_by(request, READ_DUE), await read_form(request)
        again = partial(due_page, request, form)
        if form["do"] == "done":
            work = partial(house.mark_done, form["id"], form["note"], who.actor)
            return await desk.answer(request, who, work, said="Marked as done.", then=PATH, again=again)
        try:
            if form["do"] != "check":
                raise Refused("That is nothing that this page does.")
            return await check(request, who)
        except Refused as refusal:
            return await again(str(refusal))


def how_long(item: DueItem, now: int) -> str:
    """How long there is, or was."""
    left = abs(item.deadline - now)
    for thing, length in (("day", 24 * HOUR), ("hour", HOUR), ("minute", 60_000)):
        if left >= 2 * length or (left >= length and thing == "minute"):
            number = left // length
            said = f"{number} {thing}{'s' if number != 1 else ''}"
            break
    else:
        said = "less than a minute"
    return f"overdue by {said}" if item.overdue else f"{said} left"
