"""The house's own door: whoever owns the data folder runs its tables, and helps whoever is locked out, through a socket
in it, while they are served.

A request is one line of JSON, and so is its answer. Nobody else can open the socket: the folder and it are the owner's.
"""

import asyncio
import json
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from feltworks.floor.actors import PROGRAM
from feltworks.floor.house import House
from feltworks.floor.person import Person
from feltworks.kit.errors import BadValue, FeltworksError
from feltworks.web import lobby_messages, posted
from feltworks.web.hub import Hub

NAME = "house.control"
LARGEST = 65_536
NOBODY = "No house is served from {folder}; start one with `felt serve`."
REST = 0.2
"""Seconds between two looks whether every table is closed."""


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be done: with a table, with all of them, or with a person of this name."""

    do: str
    table: str = ""
    reason: str = ""
    like: str = ""
    """The table whose settings a new one has."""
    name: str = ""


class Employee(msgspec.Struct, frozen=True):
    """Somebody who works here."""

    name: str
    roles: tuple[str, ...]
    has_password: bool
    sessions: int
    """How many are open."""
    demo: bool = False


class Answered(msgspec.Struct, frozen=True):
    tables: list[lobby_messages.TableListed]
    problem: str = ""
    people: list[Employee] = []
    code: str = ""
    """A one-time code, if one was asked for: it is told once."""


class Control:
    """Listens while the house is served."""

    def __init__(self, hub: Hub, own: socket.socket, stop: Callable[[], None]) -> None:
        self.hub, self.own, self.stop = hub, own, stop
        self._night: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._server = await asyncio.start_unix_server(self._answer, sock=self.own, limit=LARGEST)

    async def close(self) -> None:
        if self._night is not None:
            self._night.cancel()
        self._server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        problem = code = ""
        try:
            code = await self._do(msgspec.json.decode(await reader.readline(), type=Request)) or ""
        except (FeltworksError, msgspec.DecodeError, ValueError) as refusal:
            problem = str(refusal)
        tables, people = posted.tables(self.hub.house, self.hub.lines), employees(self.hub.house)
        writer.write(msgspec.json.encode(Answered(tables, problem, people, code)) + b"\n")
        with suppress(ConnectionError):
            await writer.drain()
        writer.close()

    async def _do(self, request: Request) -> str | None:
        """A code, where one was asked for."""
        house = self.hub.house
        acts: dict[str, Callable[[], Any]] = {
            "list": lambda: None,
            "pause": partial(house.pause, request.table, request.reason),
            "resume": partial(house.resume, request.table),
            "close": partial(house.close_table, request.table, request.reason),
            "reopen": partial(house.reopen_table, request.table),
            "open": partial(_open, house, request),
            "night": partial(house.close_for_the_night, request.reason),
            "code": partial(_give_code, house, request.name),
            "manager": partial(_make_manager, house, request.name),
        }
        if request.do not in acts:
            raise BadValue(f"{request.do!r} is none of {', '.join(acts)}.")
        if request.table and request.do != "open":
            house.live(request.table)
        made = await self.hub.clerk.carried_out(acts[request.do]) if request.do != "list" else None
        if request.do == "night" and self._night is None:
            self._night = asyncio.create_task(self._stop_when_at_rest())
        return made if request.do == "code" else None

    async def _stop_when_at_rest(self) -> None:
        while not self.hub.house.is_at_rest:
            await asyncio.sleep(REST)
        self.stop()


@contextmanager
def listening(folder: Path) -> Iterator[socket.socket]:
    """The socket in a data folder. Whoever asks before the house is served waits until it is."""
    with socket.socket(socket.AF_UNIX) as own, _short(folder) as path:
        with suppress(FileNotFoundError):
            os.unlink(path)
        mask = os.umask(0o177)
        try:
            own.bind(path)
        finally:
            os.umask(mask)
        own.listen()
        try:
            yield own
        finally:
            with suppress(FileNotFoundError):
                os.unlink(path)


def _open(house: House, request: Request) -> None:
    like = house.live(request.like).table.settings
    house.open_table(msgspec.structs.replace(like, id=request.table, name=request.name or request.table))


# Whoever owns the machine is not locked out of the house (F-13): what they do is recorded as the program's.


def employees(house: House) -> list[Employee]:
    """Everybody who works here, by name."""
    found, now = [], house.clock()
    for id, who in house.administration.staff.items():
        if (known := house.people.person(id)) is not None:
            sessions = sum(until > now for until in known.sessions.values())
            found.append(Employee(house.people.name(id), who.roles, known.has_account, sessions, who.demo))
    return sorted(found, key=lambda one: one.name.casefold())


def _account(house: House, name: str) -> Person:
    id = house.people.account_of(name)
    known = house.people.person(id) if id is not None else None
    if known is None or known.demo:
        raise BadValue(f"Nobody comes in by the name {name!r}; `felt people` lists those who work here.")
    return known


def _give_code(house: House, name: str) -> str:
    return house.staff.give_code(_account(house, name).id, PROGRAM)


def _make_manager(house: House, name: str) -> None:
    """Somebody with an account becomes the manager of a house that has none."""
    if managers := house.administration.managers:
        named = ", ".join(sorted(house.people.name(id) for id in managers))
        raise BadValue(f"This house has a manager, {named}: they give roles, or `felt people code` lets them in.")
    known = _account(house, name)
    house.staff.give_roles(
        known.id, (*known.roles, "manager"), "Made the manager on the machine: there was none.", PROGRAM
    )


def ask(folder: Path, request: Request) -> Answered:
    """Ask the house that is served from this folder."""
    with socket.socket(socket.AF_UNIX) as own, _short(folder) as path:
        try:
            own.connect(path)
        except OSError:
            raise FeltworksError(NOBODY.format(folder=folder)) from None
        own.sendall(msgspec.json.encode(request) + b"\n")
        with own.makefile("rb") as answer:
            return msgspec.convert(json.loads(answer.readline()), Answered)


@contextmanager
def _short(folder: Path) -> Iterator[str]:
    """The path of the socket. Those of sockets are short; so it is told by the open folder."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{opened}/{NAME}"
    finally:
        os.close(opened)
