"""The tables as those see them who work here: all of them at a glance, and each with what can be done there now.

What is shown is what everybody may see (F-14); what is offered is what the roles allow and the table is ready for.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from feltworks.floor.accounts import money, patron_at
from feltworks.floor.actors import Actor
from feltworks.floor.house import House
from feltworks.floor.refusal import Refused
from feltworks.floor.rights import has_dealer
from feltworks.floor.roles import STAFF, Role
from feltworks.floor.roles import listed as said_roles
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.incidents import asked_of_staff, deciders, incident_kinds, told_decision, voiding
from feltworks.floor.table.settings import why_no_patrons
from feltworks.floor.table.state import Table
from feltworks.kit import steps
from feltworks.kit.errors import FeltworksError
from feltworks.web import lobby_messages, posted, round_list, round_messages, views
from feltworks.web.forms import NO_FORM, Form, read_form
from feltworks.web.staff.desk import Desk, Note, Offer, Way, Who
from feltworks.web.staff.posted_settings import posted_at
from feltworks.web.staff.settings_form import cents
from feltworks.web.staff.signatures import PATH as WAITING
from feltworks.web.staff.signatures import in_action, void_waits

PATH = "/house/tables"
Acts = dict[str, tuple[Callable[[], object], str | Callable[[object], Note]]]
"""What a form can ask for: how it is carried out, and what is said then."""


class Row(NamedTuple):
    """A table in the list."""

    listed: lobby_messages.TableListed
    round: int | None
    message: str
    stake: int
    waits_for: str
    """The role that it waits for, if it does."""
    people_deal: bool


def add_tables(app: FastAPI, desk: Desk) -> None:
    hub, house = desk.hub, desk.hub.house
    desk.ways.append(Way(PATH, "Tables", STAFF))

    def offers(who: Who) -> Iterator[Offer]:
        for id, live in house.tables.items():
            table, name = live.table, live.table.settings.name
            if deciders_of(table) & who.roles:
                yield Offer(f"{name} waits for you", f"{told_decision(table)}.", f"{PATH}/{id}", urgent=True)
            if table.out_of_service and who.may(cmd.Release):
                what = ", ".join(table.out_of_service)
                yield Offer(f"{name} waits for you", f"Out of service: {what}.", f"{PATH}/{id}", urgent=True)
            if table.service == "paused" and who.may(cmd.Resume):
                yield Offer(f"{name} is paused", table.service_reason, f"{PATH}/{id}", urgent=True)
        can = "Watch a table and recall its rounds."
        if who.may(cmd.Pause):
            can = "Watch a table, pause it, and void its round with a second signature."
        if who.may(cmd.CloseTable):
            can = "Watch, pause, close and reopen a table, and void its round with a second signature."
        elif who.may(cmd.Report) and not who.may(cmd.Pause):
            can = "Watch a table, and report what went wrong there."
        if who.may(cmd.SeatPatron) and any(live.table.settings.has_dealer for live in house.tables.values()):
            can += " Where people deal, seat patrons without an account."
        open_ones = sum(live.table.service == "open" for live in house.tables.values())
        yield Offer("Tables", can, PATH, open_ones)

    desk.offers.append(offers)

    def row(listed: lobby_messages.TableListed) -> Row:
        table, seen = house.live(listed.id).table, hub.seen(listed.id, None)
        stake = sum(cents for seat in seen.seats for cents in seat.wagers.values())
        step = asked_of_staff(table)
        waits_for = step.who.value if step is not None and isinstance(step.who, steps.Role) else ""
        if table.out_of_service:
            waits_for = waits_for or Role.SUPERVISOR.value
        return Row(listed, seen.round, seen.message, stake, waits_for, table.settings.has_dealer)

    @app.get(PATH, response_class=HTMLResponse, include_in_schema=False)
    async def tables(request: Request) -> Response:
        who = await desk.asked_by(request)
        rows = [row(listed) for listed in posted.tables(house, hub.lines)]
        shown = {"rows": rows, "closed": posted.closed(house), "can_open": who.may(cmd.OpenTable)}
        return await desk.page(request, who, "house/tables.html", **shown)

    async def table_page(request: Request, id: str, form: Form = NO_FORM, refusal: str = "") -> Response:
        who = await desk.asked_by(request)
        if id not in house.tables:
            raise HTTPException(404, "There is no such table; go back to the list of tables.")
        table, listed = house.live(id).table, next(t for t in posted.tables(house, hub.lines) if t.id == id)
        step = asked_of_staff(table)
        waiting = [one for one in house.administration.waiting.values() if one.stream == id]
        shown = {
            "id": id,
            "listed": listed,
            "seen": hub.seen(id, None),
            "table": table,
            "titles": {spot.spot: spot.title for spot in views.about(table.settings, table.game, house.clock()).spots},
            "offers": [offer for found in desk.table_offers for offer in found(who, table)],
            "can": (can := can_do(who, table)),
            "refused_form": form["do"] if form["do"] in ("seat", "leave") and form["do"] in can else "",
            "free_seats": free_seats(table),
            "chips": {seat: house.balance(at.player) for seat, at in table.seats.items() if at.is_patron},
            "options": step.options if step is not None else (),
            "voiding": voiding(table),
            "to_decide": told_decision(table),
            "incidents": incident_kinds(table),
            "about": step.about if step is not None else "",
            "asks": step.sentence if step is not None and table.incident else "",
            "decides": bool(deciders_of(table) & who.roles),
            "deciders": said_roles(deciders_of(table)),
            "waiting": waiting,
            "waiting_path": WAITING,
            "void_waits": void_waits(waiting, table),
            "in_action": in_action(hub, id),
            "rounds": await last_rounds(id),
            "entered": form,
            "refusal": refusal,
            "can_withdraw": who.may(cmd.WithdrawChange),
            **posted_at(table, house.clock()),
        }
        return await desk.page(request, who, "house/table.html", 422 if refusal else 200, **shown)

    async def last_rounds(id: str) -> list[round_messages.RoundListed]:
        try:
            return (await hub.rounds.ask(lambda store: round_list.rounds(house, store, id, None, None))).rounds
        except FeltworksError as fault:
            raise HTTPException(503, str(fault)) from None

    @app.get(PATH + "/{id}", response_class=HTMLResponse, include_in_schema=False)
    async def table(request: Request, id: str) -> Response:
        return await table_page(request, id)

    @app.post(PATH + "/{id}", include_in_schema=False)
    async def act(request: Request, id: str) -> Response:
        who, form = await desk.asked_by(request), await read_form(request)
        if id not in house.tables:
            raise HTTPException(404, "There is no such table; go back to the list of tables.")
        acts = acts_at(house, id, form, who.actor)
        if form["do"] not in acts:
            return await table_page(request, id, form, "That is nothing that this page does.")
        work, said = acts[form["do"]]
        again = partial(table_page, request, id, form)
        return await desk.answer(request, who, work, said=said, then=f"{PATH}/{id}", again=again)


def acts_at(house: House, id: str, form: Form, actor: Actor) -> Acts:
    """What a form can ask for at a table: how it is carried out, and what is said then."""
    reason = form["reason"]

    def resolve() -> str:
        step = asked_of_staff(house.table(id))
        if step is None or not isinstance(step.who, steps.Role):
            raise Refused("Nothing was reported at this table, or it is decided already.")
        return house.pit.resolve(id, step.who, form["option"], actor, reason, whole(form["report"]) or 0)

    def report() -> None:
        if not form["incident"]:
            raise Refused("Say what went wrong.")
        house.pit.report(id, reported(form), actor)

    def propose_void() -> None:
        if not reason:
            raise Refused("Say why the round should be void.")
        if void_waits(house.administration.waiting.values(), house.table(id)):
            raise Refused("Somebody has signed that already; the second signature is given under Signatures.")
        house.staff.propose(id, cmd.VoidRound(reason, whole(form["round"]) or 0), actor)

    def seat_patron() -> Note:
        seat, chips = a_seat(form), cents(form["chips"])
        house.pit.for_patron(id, cmd.SeatPatron(seat, chips), actor)
        return Note(f"A patron sits at seat {seat} with {money(chips)}.")

    def patron_leaves() -> Note:
        """Nothing of theirs is in action, so that all they have is in front of the seat or goes back to it."""
        seat = a_seat(form)
        patron = patron_at(id, seat)
        chips = house.balance_now(patron) + house.table(id).lying(patron)
        house.pit.for_patron(id, cmd.PatronLeaves(seat), actor)
        return Note(f"The patron at seat {seat} has left with {money(chips)}.")

    def told(note: object) -> Note:
        assert isinstance(note, Note)
        return note

    def decision(waits: object) -> Note:
        signed = "You have signed first. The round is void when a second person has signed."
        return Note(signed if waits else "Decided.")

    return {
        "pause": (partial(house.pause, id, reason, actor), "The table is paused."),
        "resume": (partial(house.resume, id, actor), "The table goes on."),
        "close": (partial(house.close_table, id, reason, actor), "The table closes when its round is over."),
        "reopen": (partial(house.reopen_table, id, actor), "The table is open again."),
        "report": (report, "Reported. What was stopped goes on when it is decided."),
        "resolve": (resolve, decision),
        "release": (partial(house.pit.release, id, form["what"], reason, actor), "Released."),
        "void": (propose_void, "You have signed first. It waits for the second signature."),
        "seat": (seat_patron, told),
        "leave": (patron_leaves, told),
    }


def deciders_of(table: Table) -> frozenset[Role]:
    """Who of the house decides what waits at a table."""
    return frozenset(map(Role, deciders(table)))


def whole(text: str) -> int | None:
    """A whole number as somebody has typed it, if it is one."""
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 16 else None


def a_seat(form: Form) -> int:
    seat = whole(form["seat"])
    if seat is None:
        raise Refused("Write a whole number, such as 5.")
    return seat


def reported(form: Form) -> cmd.Report:
    """What a form reports, and whose wager it is about."""
    seat, amount = form["seat"].strip(), form["amount"].strip()
    if seat and whole(seat) is None:
        raise Refused("A seat is a whole number.")
    spots = tuple(spot for spot in (form["spot"], form["other"]) if spot)
    return cmd.Report(form["incident"], form["reason"], whole(seat), spots, cents(amount) if amount else None)


def can_do(who: Who, table: Table) -> set[str]:
    """What somebody may do at a table as it is now."""
    service, in_round = table.service, table.round is not None and not table.round.over
    looks_after = Role.SUPERVISOR in who.roles or table.dealer == who.id  # the patrons: F-41
    may_sit = not why_no_patrons(table.settings, table.game)
    can_sit = may_sit and service in ("open", "paused") and bool(free_seats(table))
    ready = {
        "pause": who.may(cmd.Pause) and service == "open",
        "resume": who.may(cmd.Resume) and service == "paused",
        "close": who.may(cmd.CloseTable) and service in ("open", "paused"),
        "reopen": who.may(cmd.ReopenTable) and service == "closed",
        "report": who.may(cmd.Report) and not table.incident and service != "closed",
        "resolve": who.may(cmd.Resolve) and asked_of_staff(table) is not None,
        "release": who.may(cmd.Release) and bool(table.out_of_service),
        "void": who.may(cmd.VoidRound, has_dealer(table)) and in_round,
        "seat": who.may(cmd.SeatPatron) and looks_after and can_sit,
        "leave": who.may(cmd.PatronLeaves) and looks_after and any(at.is_patron for at in table.seats.values()),
    }
    return {act for act, is_ready in ready.items() if is_ready}


def free_seats(table: Table) -> list[int]:
    """Where somebody can sit down, also with the settings that are posted for the next round."""
    seats = table.settings.seats if table.change is None else min(table.settings.seats, table.change.settings.seats)
    return [seat for seat in range(1, seats + 1) if seat not in table.seats]
