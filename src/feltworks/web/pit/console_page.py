"""The dealer's console at `/house/tables/{id}/deal`: its page, its socket, and the way to it from the start page."""

import asyncio
from collections.abc import Iterator
from functools import partial

from fastapi import FastAPI, HTTPException, Request, WebSocket
from fastapi.responses import HTMLResponse, Response
from starlette.routing import WebSocketRoute

from feltworks.floor.person import token_digest
from feltworks.floor.roles import Role
from feltworks.floor.table.state import Table
from feltworks.web import socket_messages
from feltworks.web.cookies import COOKIE
from feltworks.web.guard import Door, TooMuch, address_of
from feltworks.web.pit.console import console_of
from feltworks.web.pit.entries import ConsoleClient, hear
from feltworks.web.sockets import serve
from feltworks.web.staff.desk import Desk, Offer, Who, root_of

PATH = "/house/tables/{id}/deal"
DEALERS = frozenset({Role.DEALER})
LOOK_AGAIN = 15.0
"""Seconds after which it is asked again whose session a console has: a shift ends, and roles are taken away."""
NOT_FOR_YOU, TRY_LATER = 4003, 1013
"""The codes with which a socket is closed that is not a dealer's, and one that is one too many."""


def add_console(app: FastAPI, desk: Desk, door: Door) -> None:
    hub, house = desk.hub, desk.hub.house

    def offers(who: Who) -> Iterator[Offer]:
        if not who.is_one_of(Role.DEALER):
            return
        for id, live in house.tables.items():
            table = live.table
            if not table.settings.has_dealer or table.service == "closed":
                continue
            yours = table.dealer == who.id
            said = "You deal here." if yours else _dealt_by(table)
            yield Offer(f"Deal at {table.settings.name}", said, PATH.format(id=id), urgent=yours)

    def at_table(who: Who, table: Table) -> Iterator[Offer]:
        if who.is_one_of(Role.DEALER) and table.settings.has_dealer:
            yield Offer("Deal here", "", PATH.format(id=table.settings.id))

    def _dealt_by(table: Table) -> str:
        title = table.game.title
        return (
            f"{title}. {house.people.known_name(table.dealer)} deals."
            if table.dealer
            else f"{title}. Nobody deals there."
        )

    desk.offers.append(offers)
    desk.table_offers.append(at_table)

    @app.get(PATH, response_class=HTMLResponse, include_in_schema=False)
    async def page(request: Request, id: str) -> Response:
        who = await desk.asked_by(request, DEALERS)
        if id not in house.tables:
            raise HTTPException(404, "There is no such table; go back to the list of tables.")
        table = house.live(id).table
        if not table.settings.has_dealer:
            raise HTTPException(404, "The program deals at this table; nobody signs on there.")
        return await desk.page(request, who, "house/deal.html", id=id, name=table.settings.name, root=root_of(request))

    async def deal(websocket: WebSocket) -> None:
        """A dealer's console, or why it is none: who is no dealer is told so, and closed."""
        id = websocket.path_params["id"]
        await websocket.accept()
        token = websocket.cookies.get(COOKIE, "")
        dealer = await hub.player_of(token)
        if dealer is None or Role.DEALER not in house.staff.roles(dealer) or id not in house.tables:
            await websocket.close(NOT_FOR_YOU, "This is for dealers; log in as one.")
            return
        try:
            with door.socket(websocket.scope):
                client = ConsoleClient(id, None, token_digest(token), address_of(websocket.scope))
                client.dealer, client.console = dealer, partial(console_of, house, dealer=dealer)
                looking = asyncio.create_task(_look_again(client, token, dealer))
                try:
                    hub.join(client)
                    await serve(websocket, hub, client, hear)
                finally:
                    looking.cancel()
                    hub.leave(client)
        except TooMuch as refusal:
            await websocket.close(TRY_LATER, str(refusal))

    async def _look_again(client: ConsoleClient, token: str, dealer: str) -> None:
        """A console is a dealer's as long as the session lasts and the role does."""
        while not client.ended:
            await asyncio.sleep(LOOK_AGAIN)
            if await hub.player_of(token) != dealer or Role.DEALER not in house.staff.roles(dealer):
                client.ended = True
                client.say(socket_messages.Refused(None, "Your session has ended; log in again to deal."))

    app.router.routes.append(WebSocketRoute(PATH + "/socket", deal))
