"""What a server without a house does with what one client sends: it tells every listener as many bytes as a view has,
at once, or after it has written that down as durably as the house does."""

from pathlib import Path

from fastapi import FastAPI
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from feltworks.floor.store.schema import connect


class Echo:
    """Tells all who listen whenever one of them says something: a listener is `/echo/{bytes}`."""

    def __init__(self, file: Path | None = None) -> None:
        self._listeners: dict[WebSocket, str] = {}
        self._disk = connect(file, writable=True) if file else None
        if self._disk is not None:
            self._disk.execute("CREATE TABLE said (text TEXT)").fetchall()
            self._disk.execute("INSERT INTO said VALUES (zeroblob(4_200_000))").fetchall()
            self._disk.execute("PRAGMA wal_checkpoint").fetchall()  # its log has its length, as the one of the house

    async def listen(self, websocket: WebSocket) -> None:
        await websocket.accept()
        self._listeners[websocket] = "e" * int(websocket.path_params["bytes"])
        try:
            async for said in websocket.iter_text():
                if self._disk is not None:
                    self._disk.execute("INSERT INTO said VALUES (?)", (said,)).fetchall()
                for listener, text in list(self._listeners.items()):
                    await listener.send_text(text)
        finally:
            del self._listeners[websocket]


def add_echoes(app: FastAPI, folder: Path) -> None:
    """A bare echo, and one that is durable first."""
    app.router.routes.append(WebSocketRoute("/echo/{bytes}", Echo().listen))
    app.router.routes.append(WebSocketRoute("/durable/{bytes}", Echo(folder / "echo.sqlite").listen))
