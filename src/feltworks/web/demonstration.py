"""A demonstration: any visitor takes any role, in a window of its own, so that two windows can give two signatures.

The windows of one browser share their cookies. So each has a path of its own, `/as/` and a few signs, with a cookie for
that path alone; everything else is served there as it is everywhere.
"""

import re
import secrets
from functools import partial

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from feltworks.floor.person import SHIFT
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import DOES, STAFF, Role
from feltworks.web.cookies import COOKIE, cookie_at, give_cookie
from feltworks.web.entrance import Scope
from feltworks.web.forms import no_more, read_form
from feltworks.web.guard import App, Door, Message, Receive, Send
from feltworks.web.staff.desk import PRIVATE, Desk

_WINDOW = re.compile(r"/as/([0-9a-f]{8})(/.*)?")
ROLES = [role for role in Role if role in STAFF]


class Windows:
    """Serves what lies below the path of a window with the cookie of that window, and with no other."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _WINDOW.fullmatch(scope["path"]) if scope["type"] in ("http", "websocket") else None
        if found is None:
            await self.app(scope, receive, send)
            return
        root, name = f"/as/{found[1]}", cookie_at(found[1])
        others = [(header, value) for header, value in scope["headers"] if header != b"cookie"]
        cookies = b"; ".join(value for header, value in scope["headers"] if header == b"cookie")
        own = re.search(rf"(?:^|; ?){name}=([^;]*)".encode(), cookies)
        headers = [*others, (b"cookie", COOKIE.encode() + b"=" + own[1])] if own else others

        async def renamed(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    (header, _for_window(value, name, root) if header == b"set-cookie" else value)
                    for header, value in message.get("headers", [])
                ]
            await send(message)

        await self.app({**scope, "root_path": root, "headers": headers}, receive, renamed)


def _for_window(cookie: bytes, name: str, root: str) -> bytes:
    given = cookie.replace(f"{COOKIE}=".encode(), f"{name}=".encode(), 1)
    return given.replace(b"Path=/;", f"Path={root};".encode(), 1)


def add_demonstration(app: FastAPI, desk: Desk, door: Door) -> None:
    house = desk.hub.house

    @app.get("/demo", response_class=HTMLResponse, include_in_schema=False)
    async def roles(request: Request) -> Response:
        shown = {"roles": ROLES, "does": DOES}
        return desk.pages.TemplateResponse(request, "demo.html", shown, headers=PRIVATE)

    @app.post("/demo", include_in_schema=False)
    async def take(request: Request) -> Response:
        wanted = (await read_form(request))["role"]
        role = next((role for role in ROLES if role.value == wanted), None)
        if role is None:
            raise HTTPException(422, f"Take one of these roles: {', '.join(role.value for role in ROLES)}.")
        no_more(door.guest, request)
        try:
            _, token = await desk.carry_out(partial(house.staff.demonstrate, role))
        except Refused as refusal:
            raise HTTPException(503, str(refusal)) from None
        window = secrets.token_hex(4)
        response = RedirectResponse(f"/as/{window}/house", status_code=303, headers=PRIVATE)
        give_cookie(request, response, token, SHIFT, window)
        return response
