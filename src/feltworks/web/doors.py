"""The doors of the house: logging in, setting it up, choosing a password, and one's own page with the sessions (F-13).

A password is never in an address, a log or a page. Whoever gives a wrong one is told nothing about the name.
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from feltworks.floor.passwords import check_password, hashed, is_password, needs_rehash
from feltworks.floor.people import SESSION
from feltworks.floor.person import SHIFT, token_digest
from feltworks.floor.refusal import Refused
from feltworks.floor.staff import Credentials
from feltworks.kit.errors import FeltworksError
from feltworks.web import own_limits
from feltworks.web.cookies import COOKIE, give_cookie, take_cookie
from feltworks.web.forms import NO_FORM, Form, no_more, read_form
from feltworks.web.guard import Door, TooMuch, address_of
from feltworks.web.password_queue import Full, PasswordQueue
from feltworks.web.staff.desk import PRIVATE, Desk, Note, Who, go, root_of

T = TypeVar("T")
WRONG = "That name and password do not belong together. Try again, or ask a manager for a one-time code."
ENDED = "Your session was ended; log in again."

_log = logging.getLogger("feltworks.doors")


@dataclass(frozen=True)
class Doors:
    """What the pages ask of the house."""

    desk: Desk
    door: Door
    queue: PasswordQueue

    async def hash(self, request: Request, name: str, work: Callable[[], T]) -> T:
        """Do something with a password, if this address may and when it is its turn."""
        no_more(lambda scope: self.door.log_in(scope, name), request)
        try:
            return await self.queue.ask(address_of(request.scope), work)
        except Full:
            refusal: TooMuch = self.door.busy(request.scope)
            raise HTTPException(429, str(refusal), {"Retry-After": str(refusal.wait)}) from None

    async def credentials(self, name: str) -> Credentials | None:
        """What is kept of the password of whoever comes in by this name."""
        house = self.desk.hub.house
        try:
            return await self.desk.hub.clerk.undisturbed(partial(house.staff.credentials, name, house.store))
        except FeltworksError as fault:  # the records cannot be read
            raise HTTPException(503, str(fault)) from None

    async def let_in(self, request: Request, found: Credentials, said: str = "") -> Response:
        """A new session for whoever has shown the password; the one that this browser had ends. What there is to say
        stands on the page to which they come."""
        token = await self.desk.carry_out(partial(self.desk.hub.house.staff.log_in, found))
        await self.leave(request)
        if said:
            self.desk.note(token_digest(token), Note(said))
        return self.come_in(request, found.person, token)

    def come_in(self, request: Request, id: str, token: str) -> Response:
        """Whoever works here begins at the start page, and a player in the lobby."""
        works_here = id in self.desk.hub.house.administration.staff
        response = go(request, "/house" if works_here else "/")
        give_cookie(request, response, token, SHIFT if works_here else SESSION)
        _log.info("Somebody logged in.", extra={"address": address_of(request.scope)})
        return response

    async def leave(self, request: Request) -> None:
        """End the session of this browser, if it has one."""
        token, hub = request.cookies.get(COOKIE, ""), self.desk.hub
        if (id := await hub.player_of(token)) is not None:
            await self.desk.carry_out(partial(hub.house.people.end_session, token, id))
            hub.end(token_digest(token))

    def open_sessions(self, id: str) -> list[str]:
        known = self.desk.hub.house.people.person(id)
        return list(known.sessions) if known is not None else []

    def ended(self, sessions: list[str]) -> None:
        """Whoever is at a table by one of these sessions hears that it has ended."""
        for session in sessions:
            self.desk.hub.end(session, ENDED)


def add_doors(app: FastAPI, desk: Desk, door: Door, queue: PasswordQueue) -> None:
    doors, house, hub = Doors(desk, door, queue), desk.hub.house, desk.hub

    def page(request: Request, template: str, status: int = 200, /, **shown: Any) -> Response:
        context = {"root": root_of(request), "demo": desk.demo, **shown}
        return desk.pages.TemplateResponse(request, template, context, status_code=status, headers=PRIVATE)

    # Logging in and out.

    @app.get("/login", response_class=HTMLResponse, include_in_schema=False)
    async def log_in_page(request: Request) -> Response:
        return page(request, "log-in.html", no_manager=not house.administration.managers)

    @app.post("/login", include_in_schema=False)
    async def log_in(request: Request) -> Response:
        form = await read_form(request)
        name, password = form["name"], form.raw("password")
        found = await doors.credentials(name)
        body = found.body if found is not None else None
        if not await doors.hash(request, name, lambda: is_password(body, password)) or found is None:
            _log.info("A log-in was refused.", extra={"address": address_of(request.scope)})
            return page(request, "log-in.html", 422, refusal=WRONG, name=name)
        try:
            response = await doors.let_in(request, found)
        except Refused as refusal:  # the password was changed in this moment
            return page(request, "log-in.html", 422, refusal=str(refusal), name=name)
        if needs_rehash(found.body):
            with suppress(Full):  # the next log-in has another chance
                anew = await queue.ask(address_of(request.scope), lambda: hashed(password))
                await desk.carry_out(partial(house.staff.rehash, found.person, anew, found))
        return response

    @app.post("/logout", include_in_schema=False)
    async def log_out(request: Request) -> Response:
        await doors.leave(request)
        response = go(request, "/")
        take_cookie(request, response)
        return response

    # The first manager.

    def set_up_page(request: Request, status: int = 200, /, **shown: Any) -> Response:
        is_open = bool(house.administration.set_up)
        return page(
            request, "set-up.html", status, is_open=is_open, is_done=bool(house.administration.managers), **shown
        )

    @app.get("/setup", response_class=HTMLResponse, include_in_schema=False)
    async def set_up(request: Request) -> Response:
        return set_up_page(request)

    @app.post("/setup", include_in_schema=False)
    async def be_set_up(request: Request) -> Response:
        form = await read_form(request)
        try:
            password = await new_password(request, form, form["name"])
            id, token = await desk.carry_out(partial(house.staff.set_up, form["code"], form["name"], password))
        except Refused as refusal:
            return set_up_page(request, 422, refusal=str(refusal), name=form["name"], code=form["code"])
        _log.info("The house has its first manager.", extra={"address": address_of(request.scope)})
        await doors.leave(request)
        return doors.come_in(request, id, token)

    async def new_password(request: Request, form: Form, name: str) -> Any:
        password = form.raw("password")
        check_password(password, name)
        if password != form.raw("again"):
            raise Refused("The two passwords are not the same; type the same one twice.")
        return await doors.hash(request, name, lambda: hashed(password))

    # A password by a one-time code.

    @app.get("/password", response_class=HTMLResponse, include_in_schema=False)
    async def password_page(request: Request) -> Response:
        return page(request, "password.html")

    @app.post("/password", include_in_schema=False)
    async def choose_password(request: Request) -> Response:
        form = await read_form(request)
        try:
            if not form["code"]:
                raise Refused("Type the one-time code that you were given.")
            password = await new_password(request, form, form["name"])
            id = await hub.clerk.undisturbed(partial(house.people.account_of, form["name"]))
            if id is None:
                raise Refused("That code is not good, or not any more; ask a manager for another one.")
            before = doors.open_sessions(id)
            await desk.carry_out(partial(house.staff.set_password, id, password, form["code"]))
        except Refused as refusal:
            return page(request, "password.html", 422, refusal=str(refusal), name=form["name"], code=form["code"])
        doors.ended(before)
        return await with_new_password(request, form["name"], "Your password is set.")

    async def with_new_password(request: Request, name: str, said: str) -> Response:
        """Whoever has chosen a password is in with it."""
        found = await doors.credentials(name)
        if found is None:
            raise HTTPException(503, "The password is set; log in with it.")
        return await doors.let_in(request, found, said)

    # One's own page.

    async def own_page(request: Request, who: Who, form: Form = NO_FORM, refusal: str = "") -> Response:
        known, now = house.people.person(who.id), house.clock()
        open_until = {token: until for token, until in (known.sessions if known else {}).items() if until > now}
        sessions = sorted(open_until.items(), key=lambda item: (item[0] != who.session, -item[1]))
        return await desk.page(
            request,
            who,
            "own.html",
            422 if refusal else 200,
            sessions=sessions,
            has_account=known is not None and known.has_account,
            balance=house.balance(who.id),
            entered=form,
            refusal=refusal,
            **({} if who.works_here else await hub.clerk.undisturbed(partial(own_limits.shown, hub, who.id))),
        )

    @app.get("/me", response_class=HTMLResponse, include_in_schema=False)
    async def own(request: Request) -> Response:
        return await own_page(request, await desk.who(request))

    @app.post("/me", include_in_schema=False)
    async def change_own(request: Request) -> Response:
        who, form = await desk.who(request), await read_form(request)
        try:
            match form["do"]:
                case "end":
                    if form["session"] not in doors.open_sessions(who.id):
                        raise Refused("You have no such session, or it has ended already.")
                    await desk.carry_out(partial(house.staff.end_session, who.id, form["session"], who.actor))
                    doors.ended([form["session"]])
                    desk.tell(who, "That session has ended.")
                case "end others":
                    but = who.session
                    doors.ended(await desk.carry_out(partial(house.staff.end_sessions, who.id, who.actor, but)))
                    desk.tell(who, "Every other session has ended.")
                case "password":
                    return await new_own_password(request, who, form)
                case doing if doing in own_limits.DOES and not who.works_here:
                    desk.tell(who, await desk.carry_out(partial(own_limits.change, house, who, form)))
                case _:
                    raise Refused("That is nothing that this page does.")
        except Refused as refusal:
            return await own_page(request, who, form, str(refusal))
        return go(request, "/me")

    async def new_own_password(request: Request, who: Who, form: Form) -> Response:
        """A person with a session chooses a password; a guest also a name, by which to come back from then on."""
        known = house.people.person(who.id)
        is_new = known is None or not known.has_account
        name = form["name"] if is_new and not who.works_here else who.name
        if not is_new:
            found = await doors.credentials(who.name)
            body, old = found.body if found is not None and found.person == who.id else None, form.raw("old")
            if not await doors.hash(request, name, lambda: is_password(body, old)):
                raise Refused("That is not your password; type the one that you log in with.")
        password = await new_password(request, form, name)

        def choose() -> str:
            shown = house.people.rename(who.id, name) if name != who.name else name
            house.staff.set_password(who.id, password)
            return shown

        before = doors.open_sessions(who.id)
        name = await desk.carry_out(choose)
        doors.ended(before)
        hub.renamed(who.id)
        made = f"Your account is made, {name}. From now on you come back by this name and your password."
        return await with_new_password(request, name, made if is_new else "Your password is changed.")
