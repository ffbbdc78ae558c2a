"""Sixty tables beside one with as many commands a second, on this disk and on one that takes 10 ms for a sync; and as
many commands as the sixty can take."""

import asyncio
import time

from bench import served
from bench.robots import SHORT, Lateness, Robot, Served, late, play, robots, shown
from bench.robots import run as run_loop
from bench.robots import served as serving
from bench.timing import Row, Rows

TABLES, SEATS, EVERY = 60, 5, 4.0
A_SECOND = TABLES * SEATS / EVERY
WINDOWS, COMMANDS = (3, 150) if SHORT else (7, 300)
FULL = 3 if SHORT else 15
"""Seconds in which everybody sends as fast as it is acknowledged."""
DELAY = 0.01


def run() -> Rows:
    for delay, disk in ((0.0, "this disk"), (DELAY, f"a sync of {DELAY * 1e3:.0f} ms")):
        options = ("--wide", "--seats", str(SEATS), "--delay", str(delay))
        with serving("--tables", str(TABLES), *options) as many, serving("--tables", "1", *options) as one:
            for what, seconds, beside in run_loop(_measured(many, one, delay)):
                yield f"{disk}: {what}", seconds, beside


async def _measured(many: Served, one: Served, delay: float) -> list[Row]:
    took: dict[str, list[float]] = {"many": [], "one": []}
    async with robots(many, served.table) as crowd, robots(one, served.table) as five:
        async with Lateness() as lateness:
            for _ in range(WINDOWS):
                took["many"] += await play(crowd, A_SECOND, COMMANDS)
                took["one"] += await play(five, A_SECOND, COMMANDS)
        told = str(lateness)
        async with Lateness() as lateness:
            full = await _full(many, crowd, delay)
    ratio = late(took["many"]) / late(took["one"])
    return [
        (f"{len(took['one'])} commands at one table", sum(took["one"]), shown(took["one"])),
        (
            f"{len(took['many'])} commands at {TABLES} tables",
            sum(took["many"]),
            f"{shown(took['many'])}; p99 {ratio:.2f} of one table (target: at most 3); {told}",
        ),
        (full[0], full[1], f"{full[2]}; {lateness}"),
    ]


async def _full(server: Served, crowd: list[Robot], delay: float) -> Row:
    before, start = server.counted(), time.perf_counter()
    for robot in crowd:
        robot.at_once = True
        await robot.act()
    await asyncio.sleep(FULL)
    for robot in crowd:
        robot.at_once = False
    took = [seconds for robot in crowd for seconds in await robot.rest()]
    seconds, after = time.perf_counter() - start, server.counted()
    groups = after.groups - before.groups
    each = (after.commits - before.commits) / groups
    target = " (target: at least 10)" if delay else ""
    return (
        f"{len(took)} commands at once from {len(crowd)} players",
        seconds,
        f"{len(took) / seconds:,.0f} a second, {each:.1f} commits a transaction{target}, {shown(took)}",
    )
