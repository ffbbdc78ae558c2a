"""The web server: pages, one socket for each client, and a small read-only API."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec
from fastapi import FastAPI, HTTPException, Request, WebSocket
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from fastapi.templating import Jinja2Templates
from starlette.routing import WebSocketRoute

from feltworks.floor.accounts import money
from feltworks.floor.house import House
from feltworks.floor.people import GRANT, SESSION
from feltworks.floor.person import token_digest
from feltworks.floor.refusal import Refused
from feltworks.kit.errors import FeltworksError
from feltworks.web import lobby_messages, openapi, posted, socket_messages, views
from feltworks.web.assets import Assets
from feltworks.web.control import Control
from feltworks.web.cookies import COOKIE, give_cookie
from feltworks.web.demonstration import ROLES, Windows, add_demonstration
from feltworks.web.display import add_display
from feltworks.web.doors import add_doors
from feltworks.web.edges import is_shipped
from feltworks.web.entrance import Entrance
from feltworks.web.errors import add_error_pages
from feltworks.web.figures import add_figures
from feltworks.web.forms import no_more, read_form
from feltworks.web.guard import Caps, Door, Guard, TooMuch, address_of
from feltworks.web.hub import Client, Hub
from feltworks.web.jackpot_figures import JackpotFigures
from feltworks.web.lab import Lab
from feltworks.web.lab_questions import add_lab_questions
from feltworks.web.password_queue import PasswordQueue
from feltworks.web.pit.board_page import add_board
from feltworks.web.pit.console_page import add_console
from feltworks.web.pit.correction_page import add_corrections
from feltworks.web.pit.search_page import add_search
from feltworks.web.rounds import add_rounds
from feltworks.web.sockets import serve
from feltworks.web.staff.desk import Desk, add_desk
from feltworks.web.staff.disputes import add_disputes
from feltworks.web.staff.due import add_due
from feltworks.web.staff.exclusions import add_exclusions
from feltworks.web.staff.jackpots import add_jackpots
from feltworks.web.staff.people import add_people
from feltworks.web.staff.proof import add_proof
from feltworks.web.staff.records import add_records
from feltworks.web.staff.settings_page import add_settings
from feltworks.web.staff.signatures import add_signatures
from feltworks.web.staff.start import add_start
from feltworks.web.staff.tables import add_tables

HERE = Path(__file__).parent
ANY_SEAT = "any"
"""What the lobby's button asks for: a free seat, or a place in the line for one."""
TRY_LATER = 1013
"""The code with which a socket is closed that is one too many, or whose table is closed."""

_encode = msgspec.json.Encoder().encode


def create_app(
    house: House,
    caps: Caps | None = None,
    entrance: Entrance | None = None,
    control: socket.socket | None = None,
    lab: Lab | None = None,
    *,
    demo: bool = False,
) -> FastAPI:
    """The server of a house. What asks it runs in the loop: it is `async`. What reads the records asks an archive, and
    what changes anything is taken down by the clerk. In a demonstration, any visitor takes any role."""
    hub, door, entrance = Hub(house), Door(caps or Caps()), entrance or Entrance()
    queue = PasswordQueue()

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncIterator[None]:
        hub.start()
        own = Control(hub, control, lambda: app.state.stop()) if control is not None else None
        if own is not None:
            await own.start()
        if lab is not None:
            lab.start()
        yield
        if lab is not None:
            await lab.close()
        if own is not None:
            await own.close()
        await hub.stop()
        await proof.close()
        records.close()
        searched.close()
        queue.close()

    app = FastAPI(title="Feltworks", lifespan=running, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json")
    app.add_middleware(GZipMiddleware, minimum_size=1_000, compresslevel=5)
    if demo:
        app.add_middleware(Windows)
    app.add_middleware(Guard, entrance=entrance)
    app.state.house, app.state.hub = house, hub
    for folder in ("static", "vendor"):
        files = Assets(HERE / folder).answer
        app.add_api_route(f"/{folder}/{{name:path}}", files, methods=["GET", "HEAD"], include_in_schema=False)
    pages = Jinja2Templates(directory=HERE / "pages")
    add_error_pages(app, pages)
    add_figures(app, hub, door, entrance, lab)

    async def player_of(request: Request) -> str | None:
        return await hub.player_of(request.cookies.get(COOKIE, ""))

    add_rounds(app, hub, pages, door, player_of)
    add_lab_questions(app, lab, door, player_of)
    desk = Desk(hub, pages, demo)
    add_desk(app, desk)
    add_doors(app, desk, door, queue)
    add_start(app, desk)
    add_signatures(app, desk)
    add_settings(app, desk, door, lab)  # first, or "new" would be a table
    add_console(app, desk, door)
    add_tables(app, desk)
    add_disputes(app, desk)
    add_people(app, desk)
    add_exclusions(app, desk)
    records = add_records(app, desk)
    proof = add_proof(app, desk)
    add_board(app, desk, door)
    add_corrections(app, desk)
    searched = add_search(app, desk)
    add_due(app, desk, records)
    returns = JackpotFigures(lab)
    add_jackpots(app, desk, lab, returns, records)
    add_display(app, hub.jackpots, pages, door)
    app.state.proof = proof
    if demo:
        add_demonstration(app, desk, door)

    async def page(request: Request, name: str, status: int = 200, **shown: Any) -> Response:
        """A page with who looks at it in its head."""
        player = await player_of(request)
        known = house.people.person(player) if player else None
        who = known and {
            "name": house.people.known_name(known.id),
            "balance": money(house.balance(known.id)),
            "has_account": known.has_account,
            "works_here": bool(known.roles),
        }
        headers = {"cache-control": "no-store"}
        return pages.TemplateResponse(request, name, {"you": who, **shown}, status_code=status, headers=headers)

    async def lobby_page(request: Request, closed: list[lobby_messages.TableClosed], status: int = 200) -> Response:
        player = await player_of(request)
        tables = listed_for(player)
        shown = {
            "tables": tables,
            "games": [list(rooms) for _, rooms in groupby(tables, key=attrgetter("game"))],
            "closed": closed,
            "fault": house.fault,
            "may_not": house.protection.may_not_play(player) if player else "",
            "notes": desk.notes_for(token_digest(request.cookies.get(COOKIE, ""))) if player else (),
            "demo_roles": ROLES if demo else (),
        }
        return await page(request, "lobby.html", status, **shown)

    def listed_for(player: str | None) -> list[lobby_messages.TableListed]:
        return posted.tables(house, hub.lines, player, hub.lost_seats.of(player) if player else None)

    @app.get("/", response_class=HTMLResponse, include_in_schema=False)
    async def lobby(request: Request) -> Response:
        return await lobby_page(request, posted.closed(house))

    @app.post("/play", include_in_schema=False)
    async def play(request: Request) -> Response:
        form = await read_form(request)
        table = form["table"]
        if why := posted.not_played(house, table) or posted.takes_nobody(house, table):
            raise HTTPException(503, why)
        if table not in house.tables:
            raise HTTPException(404, "There is no such table; go back to the lobby.")
        response = RedirectResponse(f"/table/{table}", status_code=303)
        if (player := await player_of(request)) is None:
            no_more(door.guest, request)
            try:
                guest, token = await hub.clerk.carried_out(house.people.guest)
            except FeltworksError as fault:  # the records cannot be written
                raise HTTPException(503, str(fault)) from None
            give_cookie(request, response, token, SESSION)
        if form["seat"] == ANY_SEAT:
            who = player or guest
            try:
                if (seating := hub.wait(table, who, address_of(request.scope))) is not None:
                    await asyncio.shield(seating)
            except Refused as refusal:  # the page of the table says so
                hub.refuse_seat(table, who, str(refusal))
        return response

    @app.post("/name", include_in_schema=False)
    async def choose_name(request: Request) -> Response:
        """A person chooses a name: a browser goes back to the lobby, and a program is told how it is shown."""
        text = (await read_form(request)).raw("name")
        if (player := await player_of(request)) is None:
            raise HTTPException(403, "Take a seat first; then you can choose a name.")
        no_more(door.name, request)
        try:
            name = await hub.clerk.carried_out(partial(house.people.rename, player, text))
        except Refused as refusal:
            raise HTTPException(422, str(refusal)) from None
        except FeltworksError as fault:  # the records cannot be written
            raise HTTPException(503, str(fault)) from None
        hub.renamed(player)
        if "text/html" in request.headers.get("accept", ""):
            return RedirectResponse("/", status_code=303)
        return _json(lobby_messages.Named(name))

    @app.get("/table/{table}", response_class=HTMLResponse, include_in_schema=False)
    async def table_page(request: Request, table: str) -> Response:
        if posted.not_played(house, table):
            return await lobby_page(request, [at for at in posted.closed(house) if at.id == table], 503)
        if table not in house.tables:
            raise HTTPException(404, "There is no such table; go back to the lobby.")
        settings = house.live(table).table.settings
        return pages.TemplateResponse(request, "table.html", {"id": table, "name": settings.name})

    @app.get("/game/{game}", response_class=HTMLResponse, include_in_schema=False)
    async def game_page(request: Request, game: str) -> Response:
        try:
            told = await asyncio.to_thread(posted.game, game)
        except FeltworksError:
            raise HTTPException(404, "There is no such game; go back to the lobby.") from None
        tables = [table for table in posted.tables(house, hub.lines) if table.game == told.name]
        about = {t.id: views.about((at := house.live(t.id).table).settings, at.game, house.clock()) for t in tables}
        shipped = {t.id for t in tables if is_shipped(house.live(t.id).table.game)}
        return await page(request, "game.html", game=told, tables=tables, about=about, shipped=shipped)

    @app.get("/how-it-works", response_class=HTMLResponse, include_in_schema=False)
    async def how_it_works(request: Request) -> Response:
        games = {table.game: table.title for table in posted.tables(house, hub.lines)}
        return await page(request, "how-it-works.html", games=games, grant=money(GRANT))

    @app.get("/api/tables")
    async def tables(request: Request) -> Response:
        """Every table: what is played there, its limits, how many seats are taken, and which one is yours."""
        body = _encode(listed_for(await player_of(request)))
        tag = f'"{sha256(body).hexdigest()[:32]}"'
        headers = {"etag": tag, "cache-control": "private, no-cache", "vary": "Cookie"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(body, headers=headers, media_type="application/json")

    @app.get("/api/tables/{table}/jackpot")
    async def jackpot_returns(table: str) -> Response:
        """What the jackpot wager gives back at the meter of today, exactly, by how many others have made it."""
        if table not in house.tables:
            raise HTTPException(404, posted.not_played(house, table) or "There is no such table.")
        settings, meter = house.live(table).table.settings, house.jackpots.of_table(table)
        return _json(await returns.of_table(settings, meter.meter if meter is not None else settings.prize))

    @app.get("/api/games/{game}")
    def game(game: str, version: str | None = None) -> Response:
        """A game's rules, approval and statements (F-04): of its first version, or of another one."""
        try:
            return _json(posted.game(game, version))
        except FeltworksError as error:
            raise HTTPException(404, str(error)) from None

    @app.get("/api/session")
    async def session(request: Request) -> Response:
        """What you have played since you came: rounds, wagers, wins and losses by table."""
        return _json(posted.session(hub, await player_of(request)))

    async def sit_or_watch(websocket: WebSocket) -> None:
        table = websocket.path_params["table"]
        if why := posted.not_played(house, table):
            await websocket.accept()
            await websocket.send_text(_encode(socket_messages.Refused(None, why)).decode())
            await websocket.close(TRY_LATER, "The table is closed.")
            return
        if table not in house.tables:
            await websocket.close(1008, "There is no such table.")
            return
        await websocket.accept()
        try:
            with door.socket(websocket.scope):
                token = websocket.cookies.get(COOKIE, "")
                address = address_of(websocket.scope)
                only_watches = "watch" in websocket.query_params
                player = None if only_watches else await hub.player_of(token)
                client = Client(table, player, token_digest(token), address)
                try:
                    hub.join(client)
                    await serve(websocket, hub, client)
                finally:
                    hub.leave(client)
        except TooMuch as refusal:
            await websocket.send_text(_encode(socket_messages.Refused(None, str(refusal))).decode())
            await websocket.close(TRY_LATER, str(refusal))

    # FastAPI's own route would keep some kilobytes more for every connection.
    app.router.routes.append(WebSocketRoute("/ws/{table}", sit_or_watch))
    openapi.complete(app.openapi())
    return app


def _json(what: Any) -> Response:
    return Response(_encode(what), media_type="application/json")
