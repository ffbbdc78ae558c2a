"""One client's socket: what it says is carried out, and what there is to tell is told, until either side ends."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import msgspec
from fastapi import WebSocket, WebSocketDisconnect

from feltworks.floor.table.commands import PlayerCommand, Sit
from feltworks.kit.errors import FeltworksError
from feltworks.web import socket_messages
from feltworks.web.clerk import Order
from feltworks.web.connections import NO_PATIENCE, Patience
from feltworks.web.hub import Client, Hub

LARGEST = 4_096
"""No message of a client is longer than this."""
PER_SECOND = 40
"""No client sends more commands a second than this."""
PATIENCE = 0.5
"""Seconds after which a client sees the table even if it could not be written yet that its player is back."""
ENDED = 4001
"""The code with which a socket is closed whose session was ended."""
ON_PURPOSE = (1000, 1001)
"""The codes of a socket that its client closed: a robot that is done, or a browser whose page was closed or loaded
again. A connection that is lost has none."""
BROKEN = "Something went wrong here; it is not your fault."
Listen = Callable[[Hub, Client, str | None, bool], bool]
"""Takes down what a client says, unless that was too much at once; whether it was anything that it knows."""

_decode = msgspec.json.Decoder(socket_messages.CommandMessage).decode
_decode_wish = msgspec.json.Decoder(socket_messages.WishMessage).decode
_decode_ping = msgspec.json.Decoder(socket_messages.PingMessage).decode


async def serve(websocket: WebSocket, hub: Hub, client: Client, listen: Listen | None = None) -> None:
    """Read and write until either side ends; both end together. A client is a player's unless somebody else listens."""
    asyncio.get_running_loop().call_later(PATIENCE, client.changed.set)
    tasks = [
        asyncio.create_task(_read(websocket, hub, client, listen or hear)),
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
        if client.ended:
            with suppress(RuntimeError):
                await websocket.close(ENDED, "The session has ended.")
            return


async def _read(websocket: WebSocket, hub: Hub, client: Client, listen: Listen) -> None:
    loop = asyncio.get_running_loop()
    second, count = 0.0, 0
    patience = Patience(loop.time())
    while True:
        await client.has_room()
        message = await websocket.receive()
        if message["type"] == "websocket.disconnect":
            client.closed = message.get("code") in ON_PURPOSE
            return
        now = loop.time()
        if now - second >= 1:
            second, count = now, 0
        count += 1
        understood = listen(hub, client, message.get("text"), count > PER_SECOND)
        if not understood and patience.ends(now):
            await websocket.close(1008, NO_PATIENCE)
            return


def hear(hub: Hub, client: Client, text: str | None, too_many: bool = False) -> bool:
    """Take down what a client asks for, or say at once why not; whether it was a command or a wish at all."""
    said = _understood(text)
    id = said.id if isinstance(said, socket_messages.CommandMessage) else None
    if isinstance(said, str):
        refuse(hub, client, None, said)
    elif too_many:
        refuse(hub, client, id, "That was too much at once; wait a second.")
    elif isinstance(said, socket_messages.WishMessage):
        hub.wish(client, said.wish)
    elif isinstance(said, socket_messages.PingMessage):
        client.say(socket_messages.Pong(said.ping))
    elif client.player is None or client.ended:
        refuse(hub, client, id, "You are watching; go to the lobby to play.")
    elif isinstance(said.command, socket_messages.Request):
        client.asked += 1
        hub.ask(client.table, client.player, said.command, partial(answer, hub, client, said.id))
    elif isinstance(said.command, PlayerCommand):
        _give(hub, client, client.player, said.id, said.command, said.seen)
    else:
        _wait(hub, client, client.player, said.id, wait=isinstance(said.command, socket_messages.Wait))
    return not isinstance(said, str)


def _give(hub: Hub, client: Client, player: str, id: str, command: PlayerCommand, seen: int) -> None:
    line = hub.lines.of(client.table)
    if isinstance(command, Sit) and line and line[0] != player:
        refuse(hub, client, id, "Others wait for a seat here; take a place in the line.")
        return
    client.asked += 1
    give = partial(hub.house.give, client.table, player, command, id, seen)
    hub.clerk.take(Order(give, partial(answer, hub, client, id), (player, id)))


def _wait(hub: Hub, client: Client, player: str, id: str, *, wait: bool) -> None:
    """A place in the line is taken or given up at once; when there is a seat, the view shows it."""
    try:
        if wait:
            hub.wait(client.table, player, client.address)
        else:
            hub.stop_waiting(client.table, player)
    except FeltworksError as problem:
        refuse(hub, client, id, str(problem))
        return
    hub.answered["acknowledged"] += 1
    client.say(socket_messages.Acknowledged(id, hub.house.live(client.table).table.version, None))


def _understood(
    text: str | None,
) -> socket_messages.CommandMessage | socket_messages.WishMessage | socket_messages.PingMessage | str:
    """What a client says, or why it is nothing."""
    if text is None:
        return "Send commands as text."
    if len(text) > LARGEST:
        return "That message is too long."
    try:
        said = _decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        for decode in (_decode_wish, _decode_ping):
            with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                return decode(text)
        return "That message is not a command this table knows."
    return said if 1 <= len(said.id) <= 64 else "A command needs an id of 1 to 64 characters."


def answer(hub: Hub, client: Client, id: str, commit: int | None, problem: Exception | None) -> None:
    """What a command gets back: that it was done and is on the disk, or why not."""
    client.asked -= 1
    if problem is not None:
        refuse(hub, client, id, str(problem) if isinstance(problem, FeltworksError) else BROKEN)
        return
    hub.answered["acknowledged"] += 1
    house = hub.house
    receipt = None if commit is None else house.journal.receipt(commit)
    client.say(socket_messages.Acknowledged(id, house.live(client.table).table.version, receipt))


def refuse(hub: Hub, client: Client, id: str | None, why: str) -> None:
    hub.answered["refused"] += 1
    client.say(socket_messages.Refused(id, why))
