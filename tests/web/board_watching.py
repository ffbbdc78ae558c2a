"""A page that shows the board, without a browser: it remembers the last row of every table, as the script does."""

import json
from collections.abc import Callable
from typing import Any, Self

import msgspec
import websockets.sync.client as ws

from feltworks.web.cookies import COOKIE
from feltworks.web.pit.board_messages import BoardMessage, BoardSignature, BoardTable
from tests.web.robots import HOST, PATIENCE, Address

SOCKET = "/ws/house/board"


class BoardWatcher:
    """Somebody at the board."""

    def __init__(self, server: Address, token: str, query: str = "") -> None:
        self.rows: dict[str, BoardTable] = {}
        self.order: list[str] = []
        self.signatures: list[BoardSignature] = []
        self.messages = self.number = 0
        self.socket = ws.connect(
            f"ws://{HOST}:{server.port}{SOCKET}{query}",
            additional_headers={"Cookie": f"{COOKIE}={token}"} if token else {},
            compression=None,
            proxy=None,
            ping_interval=None,
            close_timeout=1,
            open_timeout=PATIENCE,
        ).__enter__()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def take(self) -> None:
        """Say that the last message was taken."""
        self.socket.send(json.dumps({"taken": self.number}))

    def receive(self, timeout: float = PATIENCE, *, takes: bool = True) -> dict[str, Any]:
        frame = self.socket.recv(timeout)
        told: dict[str, Any] = json.loads(frame)
        if "board" in told:
            message = msgspec.json.decode(frame, type=BoardMessage)
            self.messages, self.number = self.messages + 1, message.number
            if takes:
                self.take()
            self.rows |= {row.id: row for row in message.board}
            self.order = self.order if message.order is msgspec.UNSET else message.order
            self.signatures = self.signatures if message.signatures is msgspec.UNSET else message.signatures
        return told

    def until(self, wanted: Callable[[dict[str, BoardTable]], Any]) -> dict[str, BoardTable]:
        """The rows as soon as they are as wanted."""
        while not self.rows or not wanted(self.rows):
            self.receive()
        return self.rows

    def until_signatures(self, number: int) -> list[BoardSignature]:
        while not self.rows or len(self.signatures) != number:
            self.receive()
        return self.signatures
