"""Correcting an entry of the round that is played (F-20): the supervisor chooses what was entered wrong, says what it
should have been, and why. The round is what follows from that; what no longer fits is entered again by the dealer.

What can be entered instead is what could have been entered then, of whatever game: the floor says so.
"""

from collections.abc import Iterator
from functools import partial

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from feltworks.floor.refusal import Refused
from feltworks.floor.roles import RIGHTS
from feltworks.floor.table import answers
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.procedure import Asked, EntrySeen, asked_at, procedure
from feltworks.floor.table.state import Table
from feltworks.web.forms import NO_FORM, Form, read_form
from feltworks.web.staff.desk import Desk, Offer, Who
from feltworks.web.staff.settings_form import cents
from feltworks.web.staff.tables import PATH as TABLES
from feltworks.web.staff.tables import whole

PATH = TABLES + "/{id}/correct"
CORRECTS = RIGHTS[cmd.Correct].roles
MOST_FACES = 6


def add_corrections(app: FastAPI, desk: Desk) -> None:
    house = desk.hub.house

    def table_offers(who: Who, table: Table) -> Iterator[Offer]:
        if who.roles & CORRECTS and correctable(table):
            yield Offer("Correct an entry", "", PATH.format(id=table.settings.id))

    desk.table_offers.append(table_offers)

    async def page(request: Request, id: str, form: Form = NO_FORM, refusal: str = "") -> Response:
        who = await desk.asked_by(request, CORRECTS)
        if id not in house.tables:
            raise HTTPException(404, "There is no such table; go back to the list of tables.")
        table = house.live(id).table
        entries = correctable(table)
        number = whole(form["entry"] or request.query_params.get("entry", ""))
        entry = next((one for one in entries if one.number == number), None)
        asked = asked_at(table, entry.number) if entry is not None else None
        shown = {
            "id": id,
            "name": table.settings.name,
            "round": table.round_number,
            "in_round": table.round is not None,
            "entries": entries,
            "entry": entry,
            "asked": asked,
            "spots": {spot: table.game.spot_title(spot) for spot in table.settings.limits},
            "patrons": sorted(seat for seat, who in table.seats.items() if who.is_patron),
            "faces": range(1, MOST_FACES + 1),
            "path": PATH.format(id=id),
            "entered": form,
            "refusal": refusal,
        }
        return await desk.page(request, who, "house/correct.html", 422 if refusal else 200, **shown)

    @app.get(PATH, response_class=HTMLResponse, include_in_schema=False)
    async def entries(request: Request, id: str) -> Response:
        return await page(request, id)

    @app.post(PATH, include_in_schema=False)
    async def correct(request: Request, id: str) -> Response:
        who, form = await desk.asked_by(request, CORRECTS), await read_form(request)
        if id not in house.tables:
            raise HTTPException(404, "There is no such table; go back to the list of tables.")

        def work() -> None:
            table = house.table(id)
            entry = seen_as(table, form)
            house.pit.correct(
                id,
                cmd.Correct(entry.number, answer(entry, asked_at(table, entry.number), form), form["reason"]),
                who.actor,
            )

        return await desk.answer(
            request,
            who,
            work,
            said="Corrected. The round is what follows from it, and both entries stay in the record.",
            then=PATH.format(id=id),
            again=partial(page, request, id, form),
        )


def correctable(table: Table) -> list[EntrySeen]:
    """What was entered in the round that is played, as far as it has been shown."""
    return [entry for entry in procedure(table.shown or table).entries if entry.entered and _has_other(entry)]


def _has_other(entry: EntrySeen) -> bool:
    """Whether it could have been anything else: that a card was dealt, or shown to its seat, could not."""
    return not isinstance(entry.answer, answers.Dealt | answers.Hidden | answers.Closed)


def seen_as(table: Table, form: Form) -> EntrySeen:
    """The entry that a form is about, if it still is what the page showed."""
    number = whole(form["entry"])
    entry = next((one for one in correctable(table) if one.number == number), None)
    if entry is None or whole(form["round"]) != table.round_number or entry.text != form["was"]:
        raise Refused("The round has gone on, or that entry was corrected already; look at the entries again.")
    if not form["reason"]:
        raise Refused("Say why it is corrected: what was seen, and by whom.")
    return entry


def answer(entry: EntrySeen, asked: Asked, form: Form) -> answers.Answer | answers.NoWager:
    """What a form says that should have been entered."""
    match entry.answer:
        case answers.Placed() if form["none"]:
            return answers.NoWager()
        case answers.Placed(seat, spot) | answers.TakenUp(seat, spot) | answers.Collected(seat, spot):
            return answers.Placed(whole(form["seat"]) or seat, form["spot"] or spot, cents(form["amount"]))
        case answers.Decided(by):
            wagered = cents(form["amount"]) if form["amount"] else None
            return answers.Decided(by, form["option"], wagered)
        case answers.Turned():
            return answers.Turned(form["card"])
        case answers.Shown():
            return answers.Shown(form["light"])
        case answers.Rolled() | answers.NotRolled():
            if form["no_roll"]:
                return answers.NotRolled(form["no_roll"])
            faces = [whole(face) for face in form.all("face")]
            if len(faces) != asked.dice or not all(face is not None and 1 <= face <= MOST_FACES for face in faces):
                raise Refused(f"Say what each of the {asked.dice} dice showed.")
            return answers.Rolled(tuple(face for face in faces if face is not None))
        case answers.Spun(wheel):
            return answers.Spun(wheel, form["pocket"])
    raise Refused("That entry could not have been anything else.")
