"""Servers in processes of their own, and robots that measure how long a command takes until it is acknowledged."""

import asyncio
import json
import os
import resource
import statistics
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from bench.served import Counted
from feltworks.web.cookies import COOKIE
from tests import children
from tests.web.robots import HOST

T = TypeVar("T")
SHORT = bool(os.environ.get("SHORT"))
"""`SHORT=1` only tries a benchmark out: its figures say little."""
LOOK = 0.01
"""Seconds between two looks at how late the measuring process itself is."""


class Served:
    """A server of `bench.served`."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.process = children.start("-m", "bench.served", str(folder), *options)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._say, self._hear = self.process.stdin, self.process.stdout
        told = json.loads(self._hear.readline() or json.dumps(children.end(self.process)[1]))
        assert isinstance(told, dict), told
        self.port: int = told["port"]
        self.tokens: list[list[str]] = told["tokens"]

    def counted(self) -> Counted:
        """What the clerk has written so far; before it answers, it throws away what nobody needs."""
        self._say.write("\n")
        self._say.flush()
        return msgspec.json.decode(self._hear.readline(), type=Counted)

    @property
    def memory(self) -> int:
        """Bytes of memory that it has in use."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * resource.getpagesize()


@contextmanager
def served(*options: str) -> Iterator[Served]:
    with TemporaryDirectory() as folder:
        server = Served(Path(folder), *options)
        try:
            yield server
        finally:
            children.end(server.process)


class Robot:
    """A player who puts a chip down and takes it up again, over and over."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.acknowledged: list[tuple[float, float]] = []
        """When a command was about to be sent, and when it was acknowledged."""
        self.at_once = False
        """Whether the next command follows when the last is acknowledged."""
        self.commands = self.refused = 0
        self._sent: deque[float] = deque()

    async def act(self) -> None:
        self.commands += 1
        what = (
            '{"kind":"place","spot":"ante","amount":100}' if self.commands % 2 else '{"kind":"take up","spot":"ante"}'
        )
        self._sent.append(time.perf_counter())
        await self.socket.send(f'{{"id":"{self.commands}","command":{what}}}')

    async def bets(self) -> None:
        """Wait until one may bet."""
        while b'"phase":"betting"' not in await self.socket.recv(decode=False):
            pass

    async def listen(self) -> None:
        while True:
            said = await self.socket.recv(decode=False)
            if said.startswith(b'{"ok"'):
                self.acknowledged.append((self._sent.popleft(), time.perf_counter()))
                if self.at_once:
                    await self.act()
            elif not said.startswith(b'{"view"'):
                if b"could not be written" not in said:
                    raise RuntimeError(said.decode())
                self._sent.popleft()
                self.refused += 1
                self.commands -= 1  # the same again

    async def answered(self) -> None:
        while self._sent:
            await asyncio.sleep(LOOK)

    async def rest(self) -> list[float]:
        """Wait until everything is answered: seconds that commands took since the last rest."""
        await self.answered()
        took = [end - start for start, end in self.acknowledged]
        self.acknowledged.clear()
        return took


@asynccontextmanager
async def connected(server: Served, path: str, token: str = "") -> AsyncIterator[ClientConnection]:
    """A socket of a server."""
    async with connect(
        f"ws://{HOST}:{server.port}{path}",
        additional_headers={"Cookie": f"{COOKIE}={token}"} if token else {},
        compression=None,
        proxy=None,
        ping_interval=None,
        open_timeout=60,
        close_timeout=1,
        max_size=None,
    ) as socket:
        yield socket


@asynccontextmanager
async def robots(server: Served, table: Callable[[int], str]) -> AsyncIterator[list[Robot]]:
    """A robot for every guest of a server, at its table, ready to bet."""
    async with AsyncExitStack() as stack:
        found = [
            Robot(await stack.enter_async_context(connected(server, f"/ws/{table(n)}", token)))
            for n, tokens in enumerate(server.tokens)
            for token in tokens
        ]
        for robot in found:
            await robot.bets()
        listening = [asyncio.create_task(robot.listen()) for robot in found]
        try:
            yield found
            for task in listening:
                assert not task.done(), task.exception()
        finally:
            for task in listening:
                task.cancel()
            await asyncio.gather(*listening, return_exceptions=True)


async def play(players: Sequence[Robot], a_second: float, commands: int) -> list[float]:
    """So many commands a second in all, one player after the other, whether the last is acknowledged or not."""
    start = time.perf_counter()
    for n in range(commands):
        await asyncio.sleep(max(0, start + n / a_second - time.perf_counter()))
        await players[n % len(players)].act()
    return [seconds for player in players for seconds in await player.rest()]


class Lateness:
    """How late this process itself is: what it measures can be no better."""

    def __init__(self) -> None:
        self.found: list[float] = []

    async def look(self) -> None:
        while True:
            start = time.perf_counter()
            await asyncio.sleep(LOOK)
            self.found.append(time.perf_counter() - start - LOOK)

    async def __aenter__(self) -> "Lateness":
        self._task = asyncio.create_task(self.look())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    def __str__(self) -> str:
        load = os.getloadavg()[0]
        return f"this process itself is late by {shown(self.found)}; load {load:.1f} on {os.cpu_count()} cores"


def run(work: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


def late(took: Sequence[float]) -> float:
    return statistics.quantiles(took, n=100)[98]


def shown(took: Sequence[float]) -> str:
    return f"p50 {statistics.median(took) * 1e3:.1f} ms, p99 {late(took) * 1e3:.1f} ms"
