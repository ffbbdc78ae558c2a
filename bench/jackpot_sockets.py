"""Sixty tables of Down Under Hold'em with five robots each, through the sockets of a server: with one meter for all of
them, and with prizes of their own. How long each command takes until it is acknowledged, and whether the meter is exact
to the cent at every look at the records."""

import asyncio
import time
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
from websockets.asyncio.client import ClientConnection

from bench.jackpots import MAIN, SEATS, SPOTS
from bench.robots import SHORT, Lateness, Served, connected, late, shown
from bench.robots import run as run_loop
from bench.robots import served as serving
from bench.served import table
from bench.timing import Row, Rows
from feltworks.floor.jackpot.meter import Meter, evolve, jackpot_stream
from feltworks.floor.jackpot.statement import event_of, wrong_books
from feltworks.floor.store.reader import Reader

TABLES, ROUNDS, THINKS = (6, 1, 0.2) if SHORT else (60, 3, 2.0)
"""Each robot thinks for so many seconds before it acts."""
LOOK = 5.0
"""Seconds between two looks at the records while a round is played."""


class Option(msgspec.Struct):
    name: str


class You(msgspec.Struct):
    options: list[Option]


class View(msgspec.Struct):
    phase: str
    round: int | None
    you: You | None


class Said(msgspec.Struct):
    view: View | None = None
    ok: str | None = None
    refused: str | None = None


_said = msgspec.json.Decoder(Said)


class Robot:
    """It makes all wagers that it can, and takes the first option of whatever it is asked."""

    def __init__(self, socket: ClientConnection, waits: float) -> None:
        self.socket, self.waits = socket, waits
        self.view = View("waiting", None, None)
        self.answered = 0
        self.sent = 0
        self.took: list[float] = []

    async def hear(self) -> None:
        said = _said.decode(await self.socket.recv(decode=False))
        if said.refused is not None:
            raise RuntimeError(said)
        self.answered += said.ok is not None
        if said.view is not None:
            self.view = said.view

    async def do(self, command: str) -> None:
        await self.thinks()
        self.sent += 1
        start = time.perf_counter()
        await self.socket.send(f'{{"id":"{self.sent}","command":{command}}}')
        while self.answered < self.sent:
            await self.hear()
        self.took.append(time.perf_counter() - start)

    async def thinks(self) -> None:
        """What is said meanwhile is heard, and nothing waits in the socket."""
        until = time.perf_counter() + self.waits
        while (left := until - time.perf_counter()) > 0:
            try:
                async with asyncio.timeout(left):
                    await self.hear()
            except TimeoutError:
                return

    async def round(self, offset: float) -> None:
        """One round, from the betting to the next betting."""
        while self.view.phase != "betting":
            await self.hear()
        number = self.view.round or 0
        await asyncio.sleep(offset)
        for spot in SPOTS:
            await self.do(f'{{"kind":"place","spot":"{spot}","amount":100}}')
        await self.do('{"kind":"ready"}')
        while self.view.phase != "betting" or (self.view.round or 0) <= number:
            if self.view.you is not None and self.view.you.options:
                asked = self.view.you.options
                await self.do(f'{{"kind":"choose","option":"{asked[0].name}"}}')
                while self.view.you is not None and self.view.you.options == asked:
                    await self.hear()
            else:
                await self.hear()


def run() -> Rows:
    options = ("--wide", "--tables", str(TABLES), "--seats", str(SEATS), "--jackpot")
    with serving(*options, "meter") as meter, serving(*options, "prizes") as prizes:
        yield from run_loop(_measured(meter, prizes))


async def _measured(meter: Served, prizes: Served) -> list[Row]:
    """A round with the meter, and one with prizes, in turns: what else the machine does is the same for both."""
    looks = 0
    async with AsyncExitStack() as stack:
        crowds = [await _seated(stack, server) for server in (meter, prizes)]
        async with Lateness() as lateness:
            for _ in range(ROUNDS):
                looking = asyncio.create_task(_look_again(meter.folder))
                await _round(crowds[0])
                looking.cancel()
                looks += await looking
                await _round(crowds[1])
        with_meter, with_prizes = ([seconds for robot in crowd for seconds in robot.took] for crowd in crowds)
    exact = _look(meter.folder)
    assert exact.wagered == TABLES * SEATS * ROUNDS * 100
    ratio, of = late(with_meter) / late(with_prizes), f"commands at {TABLES} tables"
    return [
        (
            f"{len(with_prizes):,} {of}, prizes of their own",
            sum(with_prizes),
            shown(with_prizes),
        ),
        (
            f"{len(with_meter):,} {of}, one meter",
            sum(with_meter),
            f"{shown(with_meter)}; p99 {ratio:.2f} of that without (target: at most 2); exact at {looks + 1} looks;"
            f" {lateness}",
        ),
    ]


async def _seated(stack: AsyncExitStack, server: Served) -> list[Robot]:
    return [
        Robot(await stack.enter_async_context(connected(server, f"/ws/{table(n)}", token)), THINKS)
        for n, tokens in enumerate(server.tokens)
        for token in tokens
    ]


async def _round(crowd: list[Robot]) -> None:
    """All tables play one, and do not begin at the same moment."""
    async with asyncio.TaskGroup() as group:
        for n, robot in enumerate(crowd):
            group.create_task(robot.round(THINKS * n / len(crowd)))


async def _look_again(folder: Path) -> int:
    """Until the round is over: how often all was exact."""
    looks = 0
    try:
        while True:
            await asyncio.sleep(LOOK)
            await asyncio.to_thread(_look, folder)
            looks += 1
    except asyncio.CancelledError:
        return looks


def _look(folder: Path) -> Meter:
    """F-25 by the records as they are at one moment: the events of the meter, and the entries of its accounts."""
    with Reader(folder / "records.db") as store, store.frozen():
        meter: Meter | None = None
        for record in store.read(jackpot_stream(MAIN)):
            meter = evolve(meter, MAIN, event_of(record), record.time)
        assert meter is not None
        assert wrong_books(meter, store) == []
        return meter
