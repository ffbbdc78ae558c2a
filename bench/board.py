"""The board of sixty tables, each of which changes ten times a second: how far the rows are behind what is durable,
whether that grows, and whether the last row of every table is its last state."""

import asyncio
import time
from collections.abc import Sequence

import msgspec

from bench import served
from bench.robots import SHORT, Lateness, Robot, Served, connected, late, robots, shown
from bench.robots import run as run_loop
from bench.robots import served as serving
from bench.timing import Row, Rows
from feltworks.web.pit.board import BEAT
from feltworks.web.pit.board_messages import BoardMessage, BoardTable

TABLES = 60
SECONDS = 5 if SHORT else 30
RATES = {"10 changes a second in all": 10, "10 changes a second at each": 10 * TABLES}
SLOW_READER = 0.5
"""Seconds that a slow page takes to draw what it was sent."""


class Page:
    """The board of one supervisor: when it knew how much of each table."""

    def __init__(self, pause: float = 0) -> None:
        self.pause = pause
        self.rows: dict[str, BoardTable] = {}
        self.known: dict[str, list[tuple[float, int]]] = {}
        self.bytes = self.messages = 0

    async def look(self, server: Served, token: str) -> None:
        decode = msgspec.json.Decoder(BoardMessage).decode
        async with connected(server, "/ws/house/board", token) as socket:
            while True:
                said = await socket.recv(decode=False)
                now, message = time.perf_counter(), decode(said)
                self.bytes += len(said)
                self.messages += 1
                for row in message.board:
                    self.rows[row.id] = row
                    self.known.setdefault(row.id, []).append((now, row.version))
                await asyncio.sleep(self.pause)
                await socket.send(f'{{"taken":{message.number}}}')

    def lags(self, table: str, first: int, acknowledged: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        """When each command of a table was acknowledged, and how much later its row had that event or a later one."""
        found, known = [], iter(self.known[table])
        at, version = next(known)
        for number, (_, end) in enumerate(acknowledged, first + 1):
            while version < number:
                at, version = next(known)
            found.append((end, max(0.0, at - end)))
        return found


def run() -> Rows:
    for what, rate in RATES.items():
        with serving("--tables", str(TABLES), "--seats", "1", "--wide", "--board") as server:
            yield from run_loop(_measured(server, what, rate))


async def _measured(server: Served, what: str, rate: int) -> list[Row]:
    (token,) = server.tokens.pop()
    pages = [Page(), Page(SLOW_READER)]
    looking = [asyncio.create_task(page.look(server, token)) for page in pages]
    async with robots(server, served.table) as crowd, Lateness() as lateness:
        while not all(len(page.rows) == TABLES for page in pages):
            await asyncio.sleep(BEAT)
        await asyncio.sleep(5 * BEAT)
        first = {id: row.version for id, row in pages[0].rows.items()}
        start, before = time.perf_counter(), [page.bytes for page in pages]
        await _act(crowd, rate, rate * SECONDS)
        seconds = time.perf_counter() - start
        await asyncio.sleep(2 * SLOW_READER + 5 * BEAT)
        for page in pages:
            for n, robot in enumerate(crowd):
                assert page.rows[served.table(n)].stake == 100 * (robot.commands % 2), "the last row is the last state"
        rows = [_row(pages[0], crowd, first, f"{TABLES} tables, {what}", seconds, before[0])]
        rows.append(
            _row(pages[1], crowd, first, f"the same, where a page draws for {SLOW_READER} s", seconds, before[1])
        )
        told = str(lateness)
    for task in looking:
        assert not task.done(), task.exception()
        task.cancel()
    return [(title, took, f"{beside}; {told}") for title, took, beside in rows]


async def _act(crowd: Sequence[Robot], rate: float, commands: int) -> None:
    """One command after the other at this rate, whether the last is acknowledged or not."""
    start = time.perf_counter()
    for n in range(commands):
        await asyncio.sleep(max(0, start + n / rate - time.perf_counter()))
        await crowd[n % len(crowd)].act()
    for robot in crowd:
        await robot.answered()


def _row(page: Page, crowd: list[Robot], first: dict[str, int], what: str, seconds: float, before: int) -> Row:
    found = sorted(
        lag
        for n, robot in enumerate(crowd)
        for lag in page.lags(served.table(n), first[served.table(n)], robot.acknowledged)
    )
    lags = [lag for _, lag in found]
    third = len(lags) // 3
    early, last = late(lags[:third]), late(lags[-third:])
    told = f"behind by {shown(lags)}; p99 of the first third {early * 1e3:.0f} ms, of the last {last * 1e3:.0f} ms"
    sent = (page.bytes - before) / seconds / 1_000
    return f"{what}: {len(lags)} changes", seconds, f"{told}; {sent:.0f} kB a second"
