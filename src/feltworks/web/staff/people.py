"""The people of the house: who works here and in which roles, one-time codes, sessions, players and bars (F-13)."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from feltworks.floor import person as persons
from feltworks.floor.administration import AddPerson, GiveRoles
from feltworks.floor.person import Person
from feltworks.floor.refusal import Refused
from feltworks.floor.rights import person_roles
from feltworks.floor.roles import Role
from feltworks.floor.staff import CODE_LASTS, HOUR
from feltworks.floor.store.reader import Reader
from feltworks.kit.errors import FeltworksError
from feltworks.web.forms import NO_FORM, Form, read_form
from feltworks.web.staff.access import READ_RECORDS
from feltworks.web.staff.desk import Desk, Note, Offer, Way, Who

PATH = "/house/people"
SEE = frozenset({Role.MANAGER, Role.SUPERVISOR, Role.CASHIER, Role.AUDITOR})
MOST_FOUND = 50
ENDED = "Your session was ended by the house; log in again."
USE = (
    "They open {address}password, and type the name and this code. It is good once, for "
    f"{CODE_LASTS // HOUR} hours, and is not shown again."
)


class Known(NamedTuple):
    """A person as the pages show them."""

    id: str
    name: str
    joined: int
    person: Person
    roles: frozenset[Role]
    sessions: int
    """How many are open."""
    code_until: int | None
    """Until when a one-time code is good that they have and did not use."""


def add_people(app: FastAPI, desk: Desk) -> None:
    hub, house = desk.hub, desk.hub.house
    desk.ways.append(Way(PATH, "People", SEE))

    def offers(who: Who) -> Iterator[Offer]:
        if who.roles & SEE:
            can = "Add somebody, change roles, give codes, bar and remove." if who.may(AddPerson) else "Find a player."
            if who.may(persons.Bar) and not who.may(AddPerson):
                can = "Find a player, and bar them from a table or the house."
            if who.may(AddPerson) and who.demo:  # nobody is added there, and guests keep no password
                can = "See who works here, change roles in the demonstration, and bar a guest."
            if who.roles == {Role.CASHIER}:
                can = "Find a player, and enter who they are by their document."
            if who.roles == {Role.AUDITOR}:
                can = "See who works here, and find a player."
            yield Offer("People", can, PATH, len(house.administration.staff))

    desk.offers.append(offers)

    def known(store: Reader, id: str) -> Known | None:
        """Somebody who can still be named, read in a thread of its own."""
        row = store.person(id)
        found = house.people.person_in(store, id)
        if row is None or found is None or found.forgotten or found.robot:
            return None
        now = house.clock()
        code = found.code[1] if found.code is not None and found.code[1] > now else None
        open_ones = sum(until > now for until in found.sessions.values())
        return Known(id, house.people.name_in(store, id), row.joined, found, person_roles(found), open_ones, code)

    async def read(ids: list[str]) -> list[Known]:
        try:
            found = await hub.sessions.ask(lambda store: [known(store, id) for id in ids])
        except FeltworksError as fault:
            raise HTTPException(503, str(fault)) from None
        return [one for one in found if one is not None]

    async def find(text: str) -> list[Known]:
        rows = await hub.sessions.ask(lambda store: store.find_people(text, MOST_FOUND + 1)) if text else []
        return await read([row.id for row in rows])

    # Everybody.

    async def people_page(request: Request, form: Form = NO_FORM, refusal: str = "") -> Response:
        who = await desk.asked_by(request, SEE)
        text = request.query_params.get("find", "").strip()[:60]
        found = await find(text)
        shown = {
            "staff": sorted(await read(list(house.administration.staff)), key=lambda one: one.name.casefold()),
            "found": found[:MOST_FOUND],
            "more": len(found) > MOST_FOUND,
            "find": text,
            "entered": form,
            "refusal": refusal,
            "can_add": who.may(AddPerson) and not who.demo,
        }
        return await desk.page(request, who, "house/people.html", 422 if refusal else 200, **shown)

    @app.get(PATH, response_class=HTMLResponse, include_in_schema=False)
    async def people(request: Request) -> Response:
        return await people_page(request)

    @app.post(PATH, include_in_schema=False)
    async def add(request: Request) -> Response:
        who, form = await desk.asked_by(request, SEE), await read_form(request)
        name = form["name"]

        def said(made: tuple[str, str]) -> Note:
            return Note(f"{name} works here now. Give them this code. {use(request)}", made[1])

        return await desk.answer(
            request,
            who,
            partial(house.staff.add, name, form.all("role"), who.actor),
            said=said,
            then=PATH,
            again=lambda why: people_page(request, form, why),
        )

    def use(request: Request) -> str:
        return USE.format(address=request.url_for("people").replace(path="/"))

    # One of them.

    async def person_page(request: Request, id: str, form: Form = NO_FORM, refusal: str = "") -> Response:
        who = await desk.asked_by(request, SEE)
        found = await read([id])
        if not found:
            raise HTTPException(404, "There is no such person, or their data was removed.")
        one = found[0]
        sees_details = who.may(persons.Keep) and not who.demo  # any visitor could be that person
        tables = {at: live.table.settings.name for at, live in house.tables.items()}
        shown = {
            "one": one,
            "tables": tables,
            "barred": [(at, tables.get(at, at) if at else "the house", why) for at, why in one.person.barred.items()],
            "is_player": one.roles == {Role.PLAYER},
            "can_read": bool(who.roles & READ_RECORDS),
            "can": {
                "roles": who.may(GiveRoles),
                "code": who.may(persons.GiveCode) and not one.person.demo,
                "end": who.may(persons.EndSession),
                "forget": who.may(persons.Forget),
                "bar": who.may(persons.Bar),
                "unbar": who.may(persons.Unbar),
                "details": sees_details,
            },
            "details": await hub.clerk.undisturbed(partial(house.exclusions.details, id)) if sees_details else None,
            "entered": form,
            "refusal": refusal,
        }
        return await desk.page(request, who, "house/person.html", 422 if refusal else 200, **shown)

    @app.get(PATH + "/{id}", response_class=HTMLResponse, include_in_schema=False)
    async def person(request: Request, id: str) -> Response:
        return await person_page(request, id)

    @app.post(PATH + "/{id}", include_in_schema=False)
    async def act(request: Request, id: str) -> Response:
        who, form = await desk.asked_by(request, SEE), await read_form(request)
        found = await read([id])
        if not found:
            raise HTTPException(404, "There is no such person, or their data was removed.")
        staff, name, actor, reason = house.staff, found[0].name, who.actor, form["reason"]
        again = partial(person_page, request, id, form)

        def forget() -> None:
            if not reason:
                raise Refused("Give the reason.")
            house.forget(id, reason, actor)

        def bar() -> None:
            if form["table"] and form["table"] not in house.tables:
                raise Refused("There is no such table; choose one of the list, or the whole house.")
            staff.bar(id, form["table"], reason, actor)

        def end(doing: Callable[[], object]) -> Callable[[], list[str]]:
            """Do something that ends every session of the person, and say which they were."""

            def done() -> list[str]:
                known = house.people.person(id)
                sessions = list(known.sessions) if known is not None else []
                doing()
                return sessions

            return done

        def ended(text: str) -> Callable[[list[str]], Note]:
            def note(sessions: list[str]) -> Note:
                for session in sessions:
                    hub.end(session, ENDED)
                return Note(text)

            return note

        give_roles = partial(staff.give_roles, id, form.all("role"), reason, actor)
        tell = partial(house.exclusions.give_details, id, form["full_name"], form["born"], form["document"], actor)
        gone = f"What could identify {name} is removed; the records stay whole."
        acts: dict[str, tuple[Callable[[], Any], str | Callable[[Any], Note]]] = {
            "roles": (give_roles, f"The roles of {name} are changed."),
            "code": (partial(staff.give_code, id, actor), partial(Note, f"A code for {name}. {use(request)}")),
            "end": (end(partial(staff.end_sessions, id, actor)), ended(f"Every session of {name} has ended.")),
            "forget": (end(forget), ended(gone)),
            "bar": (bar, f"{name} is barred."),
            "details": (tell, f"Who {name} is, is kept."),
            "unbar": (partial(staff.unbar, id, form["table"], reason, actor), f"{name} may play there again."),
        }
        if form["do"] not in acts:
            return await person_page(request, id, form, "That is nothing that this page does.")
        work, said = acts[form["do"]]
        then = PATH if form["do"] == "forget" else f"{PATH}/{id}"
        return await desk.answer(request, who, work, said=said, then=then, again=again)
