"""The progressive jackpots on pages of their own: what each of them is, what is behind it, line by line what happened
to it, and what a manager and those who sign with one do about it (F-24 to F-26, F-37).

Whatever is done is shown first: what it would change and book as things stand, by the floor that would carry it out.
"""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from feltworks.floor.accounts import Cents
from feltworks.floor.actors import Actor
from feltworks.floor.jackpot import commands as cmd
from feltworks.floor.jackpot import statement
from feltworks.floor.jackpot.desk import Effect
from feltworks.floor.jackpot.meter import Meter, jackpot_stream
from feltworks.floor.refusal import Refused
from feltworks.floor.store.reader import Reader
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.table.settings_change import differences_between
from feltworks.kit.errors import FeltworksError
from feltworks.kit.questions import JackpotsCompared
from feltworks.web.archive import Archive
from feltworks.web.forms import NO_FORM, Form, read_form
from feltworks.web.jackpot_figures import JackpotFigures, Returned
from feltworks.web.jackpot_notices import house_prize, progressive
from feltworks.web.lab import Lab
from feltworks.web.staff import jackpot_forms as forms
from feltworks.web.staff.access import SEE_JACKPOTS
from feltworks.web.staff.desk import Desk, Offer, Way, Who
from feltworks.web.staff.jackpot_links import Links
from feltworks.web.staff.signatures import PATH as WAITING

PATH = "/house/jackpots"
NEW = f"{PATH}/new"
A_PAGE = 30
PATIENCE = 2.0
"""Seconds for which a page waits for figures; it looks again by itself."""
TRIES = 20
"""How often a check is begun anew that a wager got into."""
TOGETHER = ("seed", "adjust", "close")


class Row(NamedTuple):
    """A line of the statement, as the page shows it."""

    line: statement.Line
    by: str


class House(NamedTuple):
    """A house jackpot: a fixed prize at one table (D-19)."""

    table: str
    name: str
    prize: Cents
    notices: list[str]


class Look(NamedTuple):
    """What something would do, before it is done."""

    act: str
    lines: list[str]
    form: Form


class Pages:
    """What the pages of jackpots share."""

    def __init__(self, desk: Desk, lab: Lab | None, figures: JackpotFigures, archive: Archive) -> None:
        self.desk, self.figures, self.archive = desk, figures, archive
        self.links = Links(desk.hub.house, lab)
        self.house, self.jackpots = desk.hub.house, desk.hub.house.jackpots
        self._asked: dict[str, asyncio.Task[Returned]] = {}

    def meter(self, id: str) -> Meter:
        meter = self.jackpots.meter(id)
        if meter is None:
            raise HTTPException(404, "There is no such jackpot; go back to the list of jackpots.")
        return meter

    def house_prizes(self) -> list[House]:
        found = ((id, live.table.settings) for id, live in sorted(self.house.tables.items()))
        return [House(id, s.name, s.prize, house_prize(s.prize)) for id, s in found if s.prize is not None]

    async def rows(self, meter: Meter, last: int | None) -> list[Row]:
        """The newest first."""
        found = await self.archive.ask(lambda store: statement.lines(meter, store, last, A_PAGE))
        who = {line.actor: Actor.parse(line.actor) for line in found}
        names = await self.desk.names(actor.id for actor in who.values() if actor.is_person)
        return [Row(line, names.get(who[line.actor].id, "the program")) for line in reversed(found)]

    async def checked(self, id: str) -> list[str]:
        """F-25 by the books alone, of one moment: a wager that comes in between begins it anew."""
        for _ in range(TRIES):
            meter = self.meter(id)
            if (wrong := await self.archive.ask(partial(_check, meter))) is not None:
                return wrong
        raise Refused("It is played for faster than it can be read; check it again in a moment.")

    async def returned(self, meter: Meter) -> Returned:
        """What a wager gives back, if that is known by now."""
        seats = max([self.house.table(id).settings.seats for id in self.jackpots.tables(meter.id)], default=1)
        key = f"{meter.id} {seats}"
        task = self._asked.get(key)
        if task is None or (task.done() and not task.result().told):
            task = self._asked[key] = asyncio.create_task(self.figures.told(meter.terms.played, seats))
        await asyncio.wait([task], timeout=PATIENCE)
        return task.result() if task.done() else Returned(why="It is being counted.")

    # What is asked for.

    async def effect(self, id: str, form: Form, who: Who) -> list[str]:
        """What a form would do, in words, or why not."""
        if form["act"] == "link":
            settings = forms.linked(self.house, id, form)
            compared = await self.links.compared(id, settings, who)
            at = self.house.live(settings.id).table
            lines = self.links.lines(id, settings, compared, who.actor)
            changed = list(differences_between(at.settings, at.game, settings, at.game))
            return [*lines, *([f"At {settings.name}, from the next round: {'; '.join(changed)}."] if changed else [])]
        command = self.command(id, form)
        found: Effect = self.jackpots.effect(id, command, who.actor)
        return list(found.lines)

    def command(self, id: str, form: Form) -> cmd.Command:
        meter = self.meter(id)
        match form["act"]:
            case "change":
                return cmd.ChangeJackpot(forms.terms_of(form, meter.terms.played), between_rounds=True)
            case "unlink":
                return cmd.UnlinkTable(form["table"], form["reason"])
        return forms.signed(meter, form)

    async def work(self, id: str, form: Form, who: Who) -> tuple[Callable[[], object], str]:
        """How it is carried out, and what is said then."""
        if form["act"] == "link":
            settings = forms.linked(self.house, id, form)
            compared = await self.links.compared(id, settings, who)
            return partial(self.link, id, settings, compared, who.actor), (
                f"{settings.name} plays for it from its next round on."
            )
        command = self.command(id, form)
        if isinstance(command, cmd.Signed):
            return partial(self.jackpots.propose, id, command, who.actor), (
                "You have signed first. It waits for the second signature."
            )
        said = "The terms are changed." if form["act"] == "change" else "The table is unlinked."
        return partial(self.jackpots.give, id, command, who.actor), said

    def link(self, id: str, settings: TableSettings, compared: JackpotsCompared | None, actor: Actor) -> None:
        """The table is linked, and its settings change with it, or neither happens."""
        with self.house.as_one():
            self.links.link(id, settings, compared, actor)
            at = self.house.table(settings.id)
            if settings != (at.settings if at.change is None else at.change.settings):
                self.house.change_settings(settings.id, settings, actor)


def _check(meter: Meter, store: Reader) -> list[str] | None:
    with store.frozen():
        if store.head(jackpot_stream(meter.id))[0] != meter.version:
            return None
        return statement.wrong_books(meter, store)


def add_jackpots(app: FastAPI, desk: Desk, lab: Lab | None, figures: JackpotFigures, archive: Archive) -> None:
    house, pages = desk.hub.house, Pages(desk, lab, figures, archive)
    desk.ways.append(Way(PATH, "Jackpots", SEE_JACKPOTS))

    def offers(who: Who) -> Iterator[Offer]:
        if not who.roles & SEE_JACKPOTS:
            return
        meters = [meter for meter in house.jackpots.all() if not meter.closed]
        for meter in meters:
            if house.jackpots.shortage(meter.id):
                yield Offer(
                    "A jackpot is short", house.jackpots.takes_none(meter.id), f"{PATH}/{meter.id}", urgent=True
                )
        yield Offer("Jackpots", "Meters, the money behind them, and what has happened to them.", PATH, len(meters))

    desk.offers.append(offers)

    @app.get(PATH, response_class=HTMLResponse, include_in_schema=False)
    async def jackpots(request: Request) -> Response:
        who = await desk.asked_by(request, SEE_JACKPOTS)
        rows = [
            (meter, house.jackpots.takes_none(meter.id), house.jackpots.tables(meter.id))
            for meter in house.jackpots.all()
        ]
        shown = {
            "rows": rows,
            "prizes": pages.house_prizes(),
            "can_open": who.may(cmd.OpenJackpot),
            "path": PATH,
            "new": NEW,
        }
        return await desk.page(request, who, "house/jackpots.html", **shown)

    # A new one.

    async def new_page(request: Request, form: Form, refusal: str = "", look: Look | None = None) -> Response:
        who = await desk.asked_by(request, SEE_JACKPOTS)
        shown: dict[str, Any] = {
            "entered": forms.FIRST | {name: form.raw(name) for name in form.fields},
            "ways_to_play": forms.ways_to_play(house),
            "refusal": refusal,
            "look": look,
            "path": PATH,
            "new": NEW,
        }
        return await desk.page(request, who, "house/jackpot-new.html", 422 if refusal else 200, **shown)

    @app.get(NEW, response_class=HTMLResponse, include_in_schema=False)
    async def new(request: Request) -> Response:
        return await new_page(request, NO_FORM)

    @app.post(NEW, include_in_schema=False)
    async def open_new(request: Request) -> Response:
        who, form = await desk.asked_by(request, SEE_JACKPOTS), await read_form(request, LARGEST)
        again = partial(new_page, request, form)
        try:
            id, command = forms.opened(house, form)
            effect = house.jackpots.effect(id, command, who.actor)
        except (Refused, FeltworksError) as refusal:
            return await again(str(refusal))
        if form["do"] != "do":
            return await new_page(request, form, look=Look("open", list(effect.lines), form))
        work = partial(house.jackpots.open, id, command.terms, who.actor)
        said = f"{command.terms.name} is open. It takes no wagers before it is seeded, by two people."
        return await desk.answer(request, who, work, said=said, then=f"{PATH}/{id}", again=again)

    # One of them.

    async def one_page(
        request: Request, id: str, form: Form = NO_FORM, refusal: str = "", look: Look | None = None
    ) -> Response:
        who = await desk.asked_by(request, SEE_JACKPOTS)
        meter = pages.meter(id)
        asked = request.query_params
        last = int(asked["last"]) if asked.get("last", "").isdecimal() and len(asked["last"]) < 12 else None
        try:
            rows = await pages.rows(meter, last)
            checked = await pages.checked(id) if "check" in asked else None
        except Refused as why:
            rows, checked, refusal = [], None, str(why)
        except FeltworksError as fault:
            raise HTTPException(503, f"The records cannot be read: {fault}") from None
        returned = await pages.returned(meter)
        waiting = [one for one in house.administration.waiting.values() if one.stream == jackpot_stream(id)]
        free = {
            table: live.table.settings.name
            for table, live in sorted(house.tables.items())
            if live.table.game.jackpots and table not in house.jackpots.tables(id)
        }
        can = {act for act, command in COMMANDS.items() if who.may(command) and not meter.closed}
        if who.may(cmd.UnlinkTable) and meter.tables:
            can.add("unlink")
        shown: dict[str, Any] = {
            "meter": meter,
            "terms": meter.terms,
            "funds": house.jackpots.funds(id),
            "short": house.jackpots.shortage(id),
            "why": house.jackpots.takes_none(id),
            "plays": {table: desk.hub.jackpots.table_name(table) for table in house.jackpots.tables(id)},
            "linked": {table: (desk.hub.jackpots.table_name(table), since) for table, since in meter.tables.items()},
            "free": free,
            "awarded": [(won, desk.hub.jackpots.table_name(won.table)) for won in meter.last],
            "notices": [*progressive(meter, meter.terms), *desk.hub.jackpots.keeping(meter)],
            "returned": returned.at(meter.meter),
            "no_returns": returned.why,
            "rows": rows,
            "earlier": rows[-1].line.number - 1 if rows and rows[-1].line.number > 1 else None,
            "is_newest": last is None,
            "checked": checked,
            "waiting": waiting,
            "waiting_path": WAITING,
            "reasons": cmd.REASONS,
            "heirs": {m.id: m.terms.name for m in house.jackpots.all() if m.id != id and not m.closed},
            "fields_now": forms.fields_of(meter.terms),
            "entered": form,
            "refusal": refusal,
            "look": look,
            "can": can,
            "together": TOGETHER,
            "path": PATH,
        }
        return await desk.page(request, who, "house/jackpot.html", 422 if refusal else 200, **shown)

    @app.get(PATH + "/{id}", response_class=HTMLResponse, include_in_schema=False)
    async def jackpot(request: Request, id: str) -> Response:
        return await one_page(request, id)

    @app.post(PATH + "/{id}", include_in_schema=False)
    async def act(request: Request, id: str) -> Response:
        who, form = await desk.asked_by(request, SEE_JACKPOTS), await read_form(request, LARGEST)
        pages.meter(id)
        again = partial(one_page, request, id, form)
        try:
            if form["act"] not in COMMANDS:
                raise Refused("That is nothing that this page does.")
            if form["do"] != "do":
                return await one_page(
                    request, id, form, look=Look(form["act"], await pages.effect(id, form, who), form)
                )
            work, said = await pages.work(id, form, who)
        except FeltworksError as refusal:
            return await again(str(refusal))
        return await desk.answer(request, who, work, said=said, then=f"{PATH}/{id}", again=again)


LARGEST = 16_384
"""Bytes of a form: notices may be long."""
COMMANDS: dict[str, type] = {
    "change": cmd.ChangeJackpot,
    "link": cmd.LinkTable,
    "unlink": cmd.UnlinkTable,
    "seed": cmd.SeedJackpot,
    "adjust": cmd.AdjustJackpot,
    "close": cmd.CloseJackpot,
}
"""What can be asked for on the page of a jackpot."""
