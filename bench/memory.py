"""What a spectator who does nothing costs in memory, beside a socket with nothing behind it."""

import asyncio
from contextlib import AsyncExitStack

from bench import served
from bench.robots import Served, connected
from bench.robots import run as run_loop
from bench.robots import served as serving
from bench.timing import Rows

SOCKETS, FIRST = 1_000, 50
SETTLED = 3.0
"""Seconds until nothing moves any more."""


def run() -> Rows:
    found = {}
    for what, options in (("a spectator", ("--wide",)), ("a bare socket", ("--bare",))):
        with serving(*options) as server:
            found[what] = run_loop(_each(server))
    own, bare = found.values()
    for what, much in found.items():
        beside = "" if much is bare else f", {own / bare:.2f} of a bare one (target: at most 1.5)"
        yield f"{SOCKETS:,} connections of {what} that only watch", 0.0, f"{much / 1024:.1f} KiB each{beside}"


async def _each(server: Served) -> float:
    """Bytes of a connection; what the first ones need once is not counted."""
    async with AsyncExitStack() as stack:
        await _open(stack, server, FIRST)
        before = await _settled(server)
        await _open(stack, server, SOCKETS)
        return (await _settled(server) - before) / SOCKETS


async def _open(stack: AsyncExitStack, server: Served, sockets: int) -> None:
    for _ in range(sockets):
        await stack.enter_async_context(connected(server, f"/ws/{served.table(0)}"))


async def _settled(server: Served) -> int:
    await asyncio.sleep(SETTLED)
    server.counted()
    return server.memory
