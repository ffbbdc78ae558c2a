"""The self-exclusion list (F-15): importing it in two steps, who is like an entry of it, and who on it has tried to
play."""

import asyncio
from collections.abc import Iterator
from functools import partial

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response

from feltworks.floor.administration import ImportExclusions, RemoveExclusions
from feltworks.floor.exclusion.list_file import COLUMNS, LARGEST_FILE, Row
from feltworks.floor.exclusion.matching import same_name
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.kit.errors import FeltworksError
from feltworks.web.forms import NO_FORM, Form, read_file, read_form
from feltworks.web.staff.desk import Desk, Note, Offer, Way, Who, go

PATH = "/house/exclusions"
SEE = frozenset({Role.MANAGER, Role.SECURITY})
MOST_SHOWN = 50
MOST_BROKEN = 200
"""So many lines of a file are told one by one that cannot be read."""
FORM_AROUND = 10_000
"""Bytes that a form puts around a file."""


def add_exclusions(app: FastAPI, desk: Desk) -> None:
    hub, house = desk.hub, desk.hub.house
    desk.ways.append(Way(PATH, "Self-exclusion", SEE))

    def offers(who: Who) -> Iterator[Offer]:
        if who.roles & SEE:
            known, waits = house.administration.exclusions, house.exclusions.undecided
            text = "Import the list, and see who on it tries to play." if known is None else f"{known.rows:,} entries."
            if waits:
                text = f"{waits} who may be on the list: decide whether they are."
            yield Offer("Self-exclusion", text, PATH, waits or None, urgent=bool(waits))

    desk.offers.append(offers)

    async def the_page(request: Request, form: Form = NO_FORM, refusal: str = "", status: int = 0) -> Response:
        who = await desk.asked_by(request, SEE)
        find, trouble = request.query_params.get("find", "").strip()[:60], ""
        looked_at = house.exclusions.looked_at(request.query_params.get("file", ""))
        try:
            matches = await hub.clerk.undisturbed(house.exclusions.matches)
            current = await hub.clerk.undisturbed(house.exclusions.current)
        except FeltworksError as problem:  # the list is not what was recorded
            matches, current, trouble = [], None, str(problem)
        rows = [row for row in current.rows if _is_found(row, find)] if current is not None else []
        breaches = house.administration.breaches
        near = [match for match in matches if match.waits]
        decided = [match for match in matches if not match.waits]
        names = await desk.names({*(match.person for match in matches), *(breach.person for breach in breaches)})
        shown = {
            "known": house.administration.exclusions,
            "trouble": trouble,
            "columns": COLUMNS,
            "looked_at": looked_at,
            "broken": looked_at.broken[:MOST_BROKEN] if looked_at is not None else (),
            "near": near[:MOST_SHOWN],
            "more_near": len(near) - MOST_SHOWN,
            "decided": decided[:MOST_SHOWN],
            "more_decided": len(decided) - MOST_SHOWN,
            "names": names,
            "breaches": breaches,
            "tables": {at: live.table.settings.name for at, live in house.tables.items()},
            "rows": rows[:MOST_SHOWN],
            "more": len(rows) - MOST_SHOWN,
            "find": find,
            "can_import": who.may(ImportExclusions),
            "can_remove": who.may(RemoveExclusions),
            "entered": form,
            "refusal": refusal,
        }
        return await desk.page(request, who, "house/exclusions.html", status or (422 if refusal else 200), **shown)

    @app.get(PATH, response_class=HTMLResponse, include_in_schema=False)
    async def exclusions(request: Request) -> Response:
        return await the_page(request)

    @app.post(PATH + "/file", include_in_schema=False)
    async def look(request: Request) -> Response:
        """The first step: the file is read, and nothing is recorded."""
        await desk.asked_by(request, SEE)
        data = await read_file(request, "file", LARGEST_FILE + FORM_AROUND)
        try:
            if not data:
                raise Refused("Choose a file first.")
            file = await asyncio.to_thread(house.exclusions.read, data)
        except Refused as refusal:
            return await the_page(request, refusal=str(refusal))
        house.exclusions.look_at(file)
        return go(request, f"{PATH}?file={file.digest}")

    @app.post(PATH, include_in_schema=False)
    async def act(request: Request) -> Response:
        who, form = await desk.asked_by(request, SEE), await read_form(request)
        desk_of, again = house.exclusions, partial(the_page, request, form)
        match form["do"]:
            case "confirm":
                work = partial(desk_of.confirm, form["file"], who.actor)
                return await desk.answer(request, who, work, said=_imported, then=PATH, again=again)
            case "same" | "other":
                same = form["do"] == "same"
                said = "They are excluded." if same else "They are another person, and may play."
                decide = partial(desk_of.decide, form["person"], form["entry"], same, who.actor)
                return await desk.answer(request, who, decide, said=said, then=PATH, again=again)
            case "remove":
                remove = partial(desk_of.remove, form["reason"], who.actor)
                return await desk.answer(request, who, remove, said="The list is removed.", then=PATH, again=again)
        return await the_page(request, form, "That is nothing that this page does.")


def _imported(count: int) -> Note:
    return Note(f"The list is imported: {count:,} {'entry' if count == 1 else 'entries'}.")


def _is_found(row: Row, text: str) -> bool:
    return not text or same_name(text) in same_name(row.name) or text.casefold() in row.document.casefold()
