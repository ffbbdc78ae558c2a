"""The public display of a jackpot: a page for a big screen, and the socket by which it follows the meter.

Nobody logs in to it: it shows what everybody may read. Without scripts it is a page with a number, loaded again every
few seconds; with them it says at once when it is not connected, and shows no number as the present one then.
"""

import asyncio
from contextlib import suppress

import msgspec
from fastapi import FastAPI, HTTPException, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import HTMLResponse, Response
from fastapi.templating import Jinja2Templates
from starlette.routing import WebSocketRoute

from feltworks.web import socket_messages
from feltworks.web.connections import NO_PATIENCE, Patience
from feltworks.web.guard import Door, TooMuch
from feltworks.web.jackpots import JackpotScreens
from feltworks.web.sockets import LARGEST

PATH = "/display/jackpots/{id}"
TRY_LATER = 1013
"""The code with which a socket is closed that is one too many."""
UNREAD = 8
"""How many pings may wait for their answers."""

_encode = msgspec.json.Encoder().encode
_decode_ping = msgspec.json.Decoder(socket_messages.PingMessage).decode


class Display:
    """One screen: which jackpot it shows, and what it was last told."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.told: bytes | None = None
        self.pongs: list[int] = []
        self.wake = asyncio.Event()
        self.wake.set()


def add_display(app: FastAPI, screens: JackpotScreens, pages: Jinja2Templates, door: Door) -> None:
    displays: set[Display] = set()

    def changed(id: str) -> None:
        for display in displays:
            if display.id == id:
                display.wake.set()

    screens.listeners.append(changed)

    @app.get(PATH, response_class=HTMLResponse, include_in_schema=False)
    async def display_page(request: Request, id: str) -> Response:
        meter = screens.house.jackpots.meter(id)
        if meter is None:
            raise HTTPException(404, "There is no such jackpot; go back to the lobby.")
        shown = {"jackpot": screens.seen(meter)}
        return pages.TemplateResponse(request, "display.html", shown, headers={"cache-control": "no-store"})

    async def follow(websocket: WebSocket) -> None:
        display = Display(websocket.path_params["id"])
        if screens.message(display.id) is None:
            await websocket.close(1008, "There is no such jackpot.")
            return
        await websocket.accept()
        try:
            with door.socket(websocket.scope):
                displays.add(display)
                try:
                    await _serve(websocket, screens, display)
                finally:
                    displays.discard(display)
        except TooMuch as refusal:
            await websocket.send_text(_encode(socket_messages.Refused(None, str(refusal))).decode())
            await websocket.close(TRY_LATER, str(refusal))

    app.router.routes.append(WebSocketRoute("/ws/display/jackpots/{id}", follow))


async def _serve(websocket: WebSocket, screens: JackpotScreens, display: Display) -> None:
    tasks = [asyncio.create_task(_read(websocket, display)), asyncio.create_task(_write(websocket, screens, display))]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError, WebSocketDisconnect):
                await task


async def _write(websocket: WebSocket, screens: JackpotScreens, display: Display) -> None:
    while True:
        await display.wake.wait()
        display.wake.clear()
        try:
            while display.pongs:
                await websocket.send_text(_encode(socket_messages.Pong(display.pongs.pop(0))).decode())
            if (said := screens.message(display.id)) is not None and said is not display.told:
                display.told = said
                await websocket.send_text(said.decode())
        except RuntimeError:  # the socket was closed meanwhile
            return


async def _read(websocket: WebSocket, display: Display) -> None:
    """Nothing is asked through it but whether anybody is there."""
    loop = asyncio.get_running_loop()
    patience = Patience(loop.time())
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return
        ping = _ping(message.get("text"))
        if ping is not None and len(display.pongs) < UNREAD:
            display.pongs.append(ping)
            display.wake.set()
        elif patience.ends(loop.time()):
            await websocket.close(1008, NO_PATIENCE)
            return


def _ping(text: str | None) -> int | None:
    if text is None or len(text) > LARGEST:
        return None
    try:
        return _decode_ping(text).ping
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
