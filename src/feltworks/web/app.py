"""The web server: pages, one socket for each client, and a small read-only API."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qs

import msgspec
from fastapi import FastAPI, HTTPException, Query, Request, WebSocket, WebSocketDisconnect
from fastapi import Path as InPath
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates

from feltworks.floor.house import SESSION, House
from feltworks.floor.table.commands import PlayerCommand
from feltworks.floor.table.limits import money
from feltworks.kit.errors import FeltworksError
from feltworks.web import posted
from feltworks.web.connections import NO_PATIENCE, Patience
from feltworks.web.guard import HEADERS, Caps, Door, Guard, TooMuch
from feltworks.web.hub import Client, Hub

HERE = Path(__file__).parent
COOKIE = "feltworks"
LARGEST = 4_096
"""No message of a client is longer than this."""
PER_SECOND = 40
"""No client sends more commands a second than this."""
TRY_LATER = 1013
"""The code with which a socket is closed that is one too many, or whose table is closed."""
MOST_ROUNDS = 2**53
"""Round numbers are whole numbers that every client can hold."""
Before = Annotated[int | None, Query(ge=1, le=MOST_ROUNDS)]


class Said(msgspec.Struct, forbid_unknown_fields=True):
    """What a client says: a command with an id of its own, and the version of the view it saw."""

    id: str
    command: PlayerCommand
    seen: int = 0


_decode = msgspec.json.Decoder(Said).decode


def create_app(house: House, caps: Caps | None = None) -> FastAPI:
    """The server of a house. What asks the house runs in the one thread that the records belong to: it is `async`."""
    hub, door = Hub(house), Door(caps or Caps())

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        hub.start()
        yield
        await hub.stop()

    app = FastAPI(title="Feltworks", lifespan=running, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json")
    app.add_middleware(Guard)
    app.state.house, app.state.hub = house, hub
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    app.mount("/vendor", StaticFiles(directory=HERE / "vendor", check_dir=False), name="vendor")
    pages = Jinja2Templates(directory=HERE / "pages")

    def player_of(request: Request | WebSocket) -> str | None:
        return house.player_of(request.cookies.get(COOKIE, ""))

    @app.exception_handler(Exception)
    async def fault(_: Request, __: Exception) -> Response:
        headers = {name.decode(): value.decode() for name, value in HEADERS}
        return Response("Something went wrong here; it is not your fault.", 500, headers, "text/plain")

    def lobby_page(request: Request, closed: list[dict[str, Any]], status: int = 200) -> Response:
        player = player_of(request)
        balance = money(house.balance(player)) if player else None
        shown = {"tables": posted.tables(house), "balance": balance, "closed": closed, "fault": house.fault}
        headers = {"cache-control": "no-store"}
        return pages.TemplateResponse(request, "lobby.html", shown, status_code=status, headers=headers)

    @app.get("/", response_class=HTMLResponse, include_in_schema=False)
    async def lobby(request: Request) -> Response:
        return lobby_page(request, posted.closed(house))

    @app.post("/play", include_in_schema=False)
    async def play(request: Request) -> Response:
        table = parse_qs((await _short_body(request)).decode("latin-1")).get("table", [""])[0]
        if why := posted.not_played(house, table):
            raise HTTPException(503, why)
        if table not in house.tables:
            raise HTTPException(404, "There is no such table; go back to the lobby.")
        response = RedirectResponse(f"/table/{table}", status_code=303)
        if player_of(request) is None:
            try:
                door.guest(request.scope)
            except TooMuch as refusal:
                raise HTTPException(429, str(refusal), {"Retry-After": str(refusal.wait)}) from None
            try:
                _, token = house.guest()
            except FeltworksError as fault:  # the records cannot be written
                raise HTTPException(503, str(fault)) from None
            secure = request.url.scheme == "https"
            response.set_cookie(COOKIE, token, max_age=SESSION // 1000, httponly=True, samesite="lax", secure=secure)
        return response

    @app.get("/table/{table}", response_class=HTMLResponse, include_in_schema=False)
    async def table_page(request: Request, table: str) -> Response:
        if posted.not_played(house, table):
            return lobby_page(request, [at for at in posted.closed(house) if at["id"] == table], 503)
        if table not in house.tables:
            raise HTTPException(404, "There is no such table; go back to the lobby.")
        settings = house.live(table).table.settings
        return pages.TemplateResponse(request, "table.html", {"id": table, "name": settings.name})

    @app.get("/api/tables")
    async def tables() -> list[dict[str, Any]]:
        """Every table: what is played there, its limits, and how many seats are taken."""
        return posted.tables(house)

    @app.get("/api/tables/{table}/rounds")
    async def rounds(
        table: str, before: Annotated[int | None, Query(ge=1, le=MOST_ROUNDS)] = None
    ) -> list[dict[str, Any]]:
        """The last rounds of a table, newest first; `before` goes further back."""
        return posted.rounds(house, _known(table), before)

    @app.get("/api/tables/{table}/rounds/{number}")
    async def recall(table: str, number: Annotated[int, InPath(ge=1, le=MOST_ROUNDS)]) -> dict[str, Any]:
        """One round, step by step (F-18)."""
        try:
            found = posted.recall(house, _known(table), number)
        except FeltworksError as fault:
            raise HTTPException(503, str(fault)) from None
        if found is None:
            raise HTTPException(404, "There is no such round at this table.")
        return found

    @app.get("/api/games/{game}")
    def game(game: str, version: str | None = None) -> dict[str, Any]:
        """A game's rules, approval and statements (F-04): of its first version, or of another one."""
        try:
            return posted.game(game, version)
        except FeltworksError as error:
            raise HTTPException(404, str(error)) from None

    def _known(table: str) -> str:
        """A table whose rounds can be recalled: also one that is closed."""
        if table not in house.tables and table not in house.closed:
            raise HTTPException(404, "There is no such table.")
        return table

    @app.websocket("/ws/{table}")
    async def socket(websocket: WebSocket, table: str) -> None:
        if why := posted.not_played(house, table):
            await websocket.accept()
            await websocket.send_json({"refused": None, "why": why})
            await websocket.close(TRY_LATER, "The table is closed.")
            return
        if table not in house.tables:
            await websocket.close(1008, "There is no such table.")
            return
        await websocket.accept()
        try:
            with door.socket(websocket.scope):
                client = Client(table, player_of(websocket))
                try:
                    hub.join(client)
                    await _serve(websocket, hub, client)
                finally:
                    hub.leave(client)
        except TooMuch as refusal:
            await websocket.send_json({"refused": None, "why": str(refusal)})
            await websocket.close(TRY_LATER, str(refusal))

    return app


async def _short_body(request: Request) -> bytes:
    """The body of a request; a long one is refused before all of it is here."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST:
            raise HTTPException(413, "That is too long.")
    return body


async def _serve(websocket: WebSocket, hub: Hub, client: Client) -> None:
    """Read and write until either side ends; both end together."""
    tasks = [
        asyncio.create_task(_read(websocket, hub, client)),
        asyncio.create_task(_write(websocket, hub, client)),
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError, WebSocketDisconnect):
                await task


async def _write(websocket: WebSocket, hub: Hub, client: Client) -> None:
    while True:
        await client.changed.wait()
        client.changed.clear()
        while (message := hub.message_for(client)) is not None:
            try:
                await websocket.send_text(message.decode())
            except RuntimeError:  # the socket was closed meanwhile
                return


async def _read(websocket: WebSocket, hub: Hub, client: Client) -> None:
    loop = asyncio.get_running_loop()
    second, count = 0.0, 0
    patience = Patience(loop.time())
    while True:
        await client.has_room()
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return
        now = loop.time()
        if now - second >= 1:
            second, count = now, 0
        count += 1
        answer = _carried_out(hub, client, message.get("text"), too_many=count > PER_SECOND)
        client.say(answer)
        if patience.ends(answer, now):
            await websocket.close(1008, NO_PATIENCE)
            return


def _carried_out(hub: Hub, client: Client, text: str | None, too_many: bool = False) -> dict[str, Any]:
    """Do what a client asks for; what it gets back says that it was done, or why not."""
    if text is None:
        return {"refused": None, "why": "Send commands as text."}
    if len(text) > LARGEST:
        return {"refused": None, "why": "That message is too long."}
    try:
        said = _decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {"refused": None, "why": "That message is not a command this table knows."}
    if not 1 <= len(said.id) <= 64:
        return {"refused": None, "why": "A command needs an id of 1 to 64 characters."}
    if too_many:
        return {"refused": said.id, "why": "That was too much at once; wait a second."}
    if client.player is None:
        return {"refused": said.id, "why": "You are watching; go to the lobby to play."}
    try:
        receipt = hub.house.command(client.table, client.player, said.command, said.id, said.seen)
    except FeltworksError as refusal:
        return {"refused": said.id, "why": str(refusal)}
    return {"ok": said.id, "version": hub.house.live(client.table).table.version, "receipt": receipt}
