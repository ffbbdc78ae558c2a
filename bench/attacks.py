"""A player's command while somebody attacks the server, beside the same while another server on this machine is
attacked: what is left is what the attack does to the server, and not to the processors."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager

from bench import served
from bench.attackers import ATTACKS, FREE, HELD
from bench.robots import SHORT, Robot, Served, late, play, robots, shown
from bench.robots import run as run_loop
from bench.robots import served as serving
from bench.timing import Row, Rows
from feltworks.floor.data_folder import RECORDS
from feltworks.floor.store.reader import Reader
from feltworks.web.cookies import COOKIE
from tests import children
from tests.web.robots import HOST

EVENTS = 2_000
PLAYERS = 2
A_SECOND = 60
WINDOWS, COMMANDS = (2, 60) if SHORT else (5, 400)
BEGUN = 1.0
"""Seconds from the start of an attack to the first command."""
GROWTH = 50
"""Megabytes by which a server may grow."""


def run() -> Rows:
    options = ("--seats", str(PLAYERS), "--events", str(EVENTS))
    for attack in ATTACKS:
        with serving(*options) as own, serving(*options) as other:
            yield run_loop(_locked(own, other) if attack == "lock" else _attacked(attack, own, other))


async def _attacked(attack: str, own: Served, other: Served) -> Row:
    took: dict[Served, list[float]] = {own: [], other: []}
    async with robots(own, served.table) as players:
        await play(players, A_SECOND, A_SECOND)
        before = most = own.memory
        for _ in range(WINDOWS):
            for server in (own, other):
                with _attacker(attack, server):
                    await asyncio.sleep(BEGUN)
                    took[server] += await play(players, A_SECOND, COMMANDS)
                    most = max(most, own.memory)
    ratio = late(took[own]) / late(took[other])
    return (
        f"{attack}: {len(took[own])} commands",
        sum(took[own]),
        f"{shown(took[own])}; {shown(took[other])} when another server is attacked; p99 {ratio:.2f} of that"
        f" (target: at most 2), {(most - before) / 1e6:+.1f} MB (target: at most {GROWTH})",
    )


async def _locked(own: Served, other: Served) -> Row:
    """While the records are locked, a command waits; nobody else does, and nothing is lost."""
    lobby: dict[Served, list[float]] = {own: [], other: []}
    released: list[float] = []
    seconds = max(COMMANDS / A_SECOND, 2 * (HELD + FREE))
    async with robots(own, served.table) as (player, _):
        betting = asyncio.create_task(_bets(player))
        for server in (own, other) * WINDOWS:
            with _attacker("lock", server) as said:
                end = time.perf_counter() + BEGUN + seconds
                while time.perf_counter() < end:
                    lobby[server].append(await _lobby(own))
                    await asyncio.sleep(1 / A_SECOND)
            if server is own:
                released += [float(line) for line in said]
        betting.cancel()
        await player.answered()
        done = len(player.acknowledged)
    waited = [next(at - end for _, at in player.acknowledged if at >= end) for end in released]
    with Reader(own.folder / RECORDS) as records:
        assert done == sum(bool(record.command) for record in records.read(served.table(0)))
    ratio = late(lobby[own]) / late(lobby[other])
    return (
        f"records locked for {HELD:.0f} s at a time: {len(lobby[own])} lobbies",
        sum(lobby[own]),
        f"{shown(lobby[own])}; {shown(lobby[other])} when another server's are; p99 {ratio:.2f} of that (target: at"
        f" most 2); acknowledged {max(waited) * 1e3:.0f} ms after the lock at the latest; {done} commands, none lost,"
        f" {player.refused} refused meanwhile",
    )


async def _bets(player: Robot) -> None:
    while True:
        await player.act()
        await player.answered()
        await asyncio.sleep(1 / A_SECOND)


async def _lobby(server: Served) -> float:
    start = time.perf_counter()
    reader, writer = await asyncio.open_connection(HOST, server.port)
    token = server.tokens[0][0]
    writer.write(f"GET / HTTP/1.1\r\nHost: x\r\nCookie: {COOKIE}={token}\r\nConnection: close\r\n\r\n".encode())
    assert (await reader.read()).startswith(b"HTTP/1.1 200")
    writer.close()
    return time.perf_counter() - start


@contextmanager
def _attacker(attack: str, server: Served) -> Iterator[list[str]]:
    """It attacks inside; after that, what it said is there."""
    said: list[str] = []
    process = children.start("-m", "bench.attackers", attack, str(server.port), str(server.folder))
    try:
        yield said
        assert process.poll() is None, children.end(process)[1]
    finally:
        if process.stdout and not process.stdout.closed:
            said += children.end(process)[0].splitlines()
