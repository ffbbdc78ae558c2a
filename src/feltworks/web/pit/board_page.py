"""The board of all tables, for those who supervise them, and the same tables for those who only watch (F-13, F-28).

What is pressed on the board is carried out as on the page of a table or of the signatures: this page decides nothing.
"""

from collections.abc import Iterator
from functools import partial

import msgspec
from fastapi import FastAPI, HTTPException, Request, WebSocket
from fastapi.responses import HTMLResponse, Response
from starlette.routing import WebSocketRoute

from feltworks.floor.house import House
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.state import Table
from feltworks.web import socket_messages
from feltworks.web.forms import read_form
from feltworks.web.guard import Door, TooMuch
from feltworks.web.pit.board import Board, Looker, serve
from feltworks.web.pit.board_messages import BoardDone, BoardSignature
from feltworks.web.pit.board_rows import alerts
from feltworks.web.sockets import ENDED
from feltworks.web.staff import signatures
from feltworks.web.staff.access import SEARCH, SEE_BOARD, WATCH
from feltworks.web.staff.desk import PRIVATE, Desk, NotLoggedIn, Offer, Way, Who, root_of
from feltworks.web.staff.tables import Acts, acts_at
from feltworks.web.staff.time_range import house_minutes

BOARD, WATCHING = "/house/board", "/house/watch"
SOCKET = "/ws/house/board"
TRY_LATER = 1013
"""The code with which a socket is closed that is one too many."""

_encode = msgspec.json.Encoder().encode


def add_board(app: FastAPI, desk: Desk, door: Door) -> None:
    hub, house = desk.hub, desk.hub.house
    desk.ways[1:1] = [Way(BOARD, "Board", SEE_BOARD), Way(WATCHING, "Watch", WATCH)]

    async def waiting(looker: Looker) -> list[BoardSignature]:
        who = Who(looker.person, "", house.staff.roles(looker.person), looker.session)
        return [
            BoardSignature(
                action=one.waiting.action,
                table=one.waiting.stream if one.waiting.stream in house.tables else "",
                title=one.described.title,
                lines=one.described.lines,
                first=one.first,
                who_may=one.who_may,
                expires=one.waiting.expires,
                can_sign=one.can_sign,
                can_withdraw=one.can_withdraw,
            )
            for one in await signatures.shown(desk, who)
        ]

    board = app.state.board = Board(hub, waiting)

    def offers(who: Who) -> Iterator[Offer]:
        if who.roles & SEE_BOARD:
            own = waits_for(house, who)
            text = "All tables at a glance, what waits at them, and everything that you decide or sign."
            yield Offer("The board", text, BOARD, own or len(house.tables), urgent=bool(own))
        if who.may(cmd.VerifyWin) and (held := len(house.pending.held_wins())):
            yield Offer("Wins to verify", "They are paid when you have verified them.", WATCHING, held, urgent=True)
        if who.roles & WATCH:
            yield Offer("Watch", "Every table live on its felt, as everybody at it sees it.", WATCHING)

    def table_offers(who: Who, table: Table) -> Iterator[Offer]:
        if who.roles & WATCH:
            yield Offer("Watch it", "", f"{WATCHING}/{table.settings.id}")

    desk.offers.insert(0, offers)
    desk.table_offers.append(table_offers)

    async def page(request: Request, who: Who, heading: str, **shown: object) -> Response:
        own = [role.value for role in Role if role in who.roles]
        can = {act: who.may(command) for act, command in ACTS.items()}
        context = {"heading": heading, "own_roles": own, "can": [act for act, may in can.items() if may]}
        ways = {"search": bool(who.roles & SEARCH), "ahead": house_minutes()}
        return await desk.page(request, who, "house/board.html", **ways, **context, **shown)

    @app.get(BOARD, response_class=HTMLResponse, include_in_schema=False)
    async def see_board(request: Request) -> Response:
        return await page(request, await desk.asked_by(request, SEE_BOARD), "The board", acts=True)

    @app.get(WATCHING, response_class=HTMLResponse, include_in_schema=False)
    async def watch_all(request: Request) -> Response:
        return await page(request, await desk.asked_by(request, WATCH), "Watch the tables", acts=False)

    @app.get(WATCHING + "/{id}", response_class=HTMLResponse, include_in_schema=False)
    async def watch(request: Request, id: str) -> Response:
        who = await desk.asked_by(request, WATCH)
        if id not in house.tables:
            raise HTTPException(404, "There is no such table; go back to the list of tables.")
        shown = {
            "root": root_of(request),
            "id": id,
            "name": house.live(id).table.settings.name,
            "search": bool(who.roles & SEARCH),
        }
        return desk.pages.TemplateResponse(request, "house/watch.html", shown, headers=PRIVATE)

    @app.post(BOARD, include_in_schema=False)
    async def act(request: Request) -> Response:
        """Whatever is pressed on the board; who may do it the floor decides, as everywhere."""
        try:
            who = await desk.asked_by(request, WATCH)
        except NotLoggedIn:
            raise HTTPException(401, "Your session has ended, here or elsewhere. Log in again.") from None
        form = await read_form(request)
        table = form["table"]
        acts: Acts = {**signatures.acts_on(house, form, who.actor)}
        if table in house.tables or table in house.pending.left_open():
            verified = partial(house.pending.verify_win, table, form["win"], who.actor)
            acts["verify"] = (verified, "Verified: it is paid.")
        if table in house.tables:
            acts |= acts_at(house, table, form, who.actor)
        if form["do"] not in acts:
            raise HTTPException(422, "That is nothing that the board does, or the table is not there any more.")
        work, said = acts[form["do"]]
        try:
            made = await desk.carry_out(work)
        except Refused as refusal:
            raise HTTPException(422, str(refusal), PRIVATE) from None
        told = said(made).text if callable(said) else said
        return Response(_encode(BoardDone(told)), media_type="application/json", headers=PRIVATE)

    async def look(websocket: WebSocket) -> None:
        await websocket.accept()

        async def may() -> bool:
            try:
                return bool((await desk.who(websocket)).roles & WATCH)
            except NotLoggedIn:
                return False

        try:
            with door.socket(websocket.scope):
                if not await may():
                    await websocket.close(ENDED, "Log in as somebody who may watch the tables.")
                    return
                who = await desk.who(websocket)
                only = websocket.query_params.get("table", "")
                await serve(websocket, board, Looker(who.id, who.session, only, signs=not only), may)
        except TooMuch as refusal:
            await websocket.send_text(_encode(socket_messages.Refused(None, str(refusal))).decode())
            await websocket.close(TRY_LATER, str(refusal))

    app.router.routes.append(WebSocketRoute(SOCKET, look))


ACTS = {"pause": cmd.Pause, "resume": cmd.Resume, "correct": cmd.Correct}
"""What can be done with any table on the board, if somebody's role may."""


def waits_for(house: House, who: Who) -> int:
    """At how many tables something waits for somebody; that a table is paused has a place of its own."""
    own = {role.value for role in who.roles}
    found = [alerts(live.table, house.people.known_name) for live in house.tables.values()]
    return sum(any(alert.kind != "paused" and own.intersection(alert.roles) for alert in at) for at in found)
