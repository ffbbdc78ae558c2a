"""All tables at once, live, for whoever looks at many of them: changes are gathered and told a few times a second.

For each who looks there is a set of the tables that have changed since they were last told, and no queue. A page says
when it has taken a message, and is sent no other before. So however much happens, and however slowly a page draws,
nothing piles up on the way: the next message has each of these tables as it is then. A row is made once for all who
look, and only when one of them is about to be told of it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

import msgspec
from fastapi import WebSocket, WebSocketDisconnect
from msgspec import UNSET

from feltworks.floor.live_tables import Change
from feltworks.floor.roles import Role
from feltworks.web import posted, socket_messages
from feltworks.web.connections import NO_PATIENCE, Patience
from feltworks.web.hub import Hub
from feltworks.web.pit.board_messages import BoardMessage, BoardSignature, BoardTable
from feltworks.web.pit.board_rows import closed_row, row
from feltworks.web.sockets import ENDED, LARGEST

BEAT = 0.2
"""Seconds between two messages to one who looks: what changes faster nobody could read."""
LOOK_AGAIN = 60.0
"""Seconds after which it is asked whether a session still opens the board, if nothing happens before."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[Literal["taken", "ping"], int]).decode


@dataclass(eq=False)
class Looker:
    """One page that shows the tables: what has changed since it was last told."""

    person: str
    session: str
    only: str = ""
    """The one table that it shows, if it is one."""
    roles: frozenset[Role] = frozenset()
    signs: bool = True
    """Whether it shows what waits for a signature."""
    tables: set[str] = field(default_factory=set)
    house: bool = True
    """Whether something that is of no table has changed."""
    order: list[str] | None = None
    """The tables in the order in which it was told of them."""
    ended: bool = False
    sent: int = 0
    taken: int = 0
    """The numbers of the last message that it was sent, and of the last that it has taken."""
    pong: int | None = None
    """What it asked whether anybody is there with, if that is not answered yet."""
    wake: asyncio.Event = field(default_factory=asyncio.Event)


Signatures = Callable[[Looker], Awaitable[list[BoardSignature]]]


class Board:
    """Gathers what changes, and tells those who look."""

    def __init__(self, hub: Hub, signatures: Signatures) -> None:
        self.hub, self._signatures = hub, signatures
        self.lookers: set[Looker] = set()
        self._rows: dict[str, BoardTable] = {}
        hub.house.listeners.append(self._on_table)
        hub.house.house_listeners.append(self._on_house)
        hub.session_listeners.append(self._on_end)

    def join(self, looker: Looker) -> None:
        self.lookers.add(looker)
        looker.tables.update(self.hub.house.tables)
        looker.wake.set()

    def leave(self, looker: Looker) -> None:
        self.lookers.discard(looker)
        if not self.lookers:
            self._rows.clear()

    def _on_table(self, table: str, _: Change) -> None:
        self._rows.pop(table, None)
        for looker in self.lookers:
            if looker.only in ("", table):
                looker.tables.add(table)
                looker.wake.set()

    def _on_house(self) -> None:
        for looker in self.lookers:
            looker.house = True
            looker.wake.set()

    def _on_end(self, session: str) -> None:
        for looker in self.lookers:
            if looker.session == session:
                looker.ended = True
                looker.wake.set()

    async def message_for(self, looker: Looker) -> bytes | None:
        """What somebody has not been told yet, as it is now; nothing where they know everything."""
        order = [listed for listed in self._order() if looker.only in ("", listed)]
        changed = [id for id in order if id in looker.tables]
        is_new, house = order != looker.order, looker.house
        if not (changed or is_new or house):
            return None
        changed += [id for id in order if house and id not in self.hub.house.tables]
        looker.tables.clear()
        looker.order, looker.house = order, False
        looker.sent += 1
        rows = [self._row(id) for id in changed]
        signatures = await self._signatures(looker) if house and looker.signs else UNSET
        found = BoardMessage(
            board=rows,
            number=looker.sent,
            now=self.hub.house.clock(),
            order=order if is_new else UNSET,
            signatures=signatures,
        )
        return _encode(found)

    def _row(self, id: str) -> BoardTable:
        house = self.hub.house
        if id not in house.tables:
            closed = house.closed[id]
            return closed_row(id, closed.settings, closed.why, house.pending.left_open()[id], house.people.known_name)
        if id not in self._rows:
            self._rows[id] = row(house.live(id).table, house.people.known_name)
        return self._rows[id]

    def _order(self) -> list[str]:
        """As in the lobby, by games, and those of a game by their names; then tables that are closed for good, as long
        as they have left something open."""
        house = self.hub.house
        return [*posted.in_order_of_games(house), *(id for id in house.pending.left_open() if id in house.closed)]


async def serve(websocket: WebSocket, board: Board, looker: Looker, may: Callable[[], Awaitable[bool]]) -> None:
    """Tell until the page goes away, or `may` says that its session does not open the board any more."""
    tasks = [asyncio.create_task(_read(websocket, looker)), asyncio.create_task(_write(websocket, board, looker, may))]
    board.join(looker)
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        board.leave(looker)
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError, WebSocketDisconnect):
                await task


async def _write(websocket: WebSocket, board: Board, looker: Looker, may: Callable[[], Awaitable[bool]]) -> None:
    while True:
        with suppress(TimeoutError):
            await asyncio.wait_for(looker.wake.wait(), LOOK_AGAIN)
        looker.wake.clear()
        try:
            if looker.ended or ((looker.house or not looker.tables) and not await may()):
                await websocket.close(ENDED, "The session has ended.")
                return
            if looker.pong is not None:
                pong, looker.pong = socket_messages.Pong(looker.pong), None
                await websocket.send_text(_encode(pong).decode())
            if looker.taken == looker.sent and (message := await board.message_for(looker)) is not None:
                await websocket.send_text(message.decode())
                await asyncio.sleep(BEAT)
        except RuntimeError:  # the socket was closed meanwhile
            return


async def _read(websocket: WebSocket, looker: Looker) -> None:
    """Nothing is asked of the board through its socket but whether it is there."""
    loop = asyncio.get_running_loop()
    patience = Patience(loop.time())
    while True:
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            return
        if _hear(looker, (message.get("text") or "")[:LARGEST]):
            looker.wake.set()
        elif patience.ends(loop.time()):
            await websocket.close(1008, NO_PATIENCE)
            return


def _hear(looker: Looker, text: str) -> bool:
    """What a page says; whether it was anything."""
    try:
        said = _decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    if "taken" in said:
        looker.taken = looker.sent if said["taken"] == looker.sent else looker.taken
    elif "ping" in said:
        looker.pong = said["ping"]
    return bool(said)
