"""From a command to the changed view, over real sockets: eight robots at one table of a server of its own."""

import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.timing import Rows
from feltworks.web.serving import open_house
from tests.web.robots import Robot, ServerProcess, money

CLIENTS, SEATS, COMMANDS = 8, 7, 400
APART = 0.03
"""Seconds between two commands, so that none waits for the one before, nor comes too fast for the server."""


def run() -> Rows:
    with _server() as server, ExitStack() as stack:
        players = [stack.enter_context(server.join("money", seat)) for seat in range(1, SEATS + 1)]
        robots = [*players, *(stack.enter_context(server.watch("money")) for _ in range(CLIENTS - SEATS))]
        for robot in robots:
            robot.phase("betting")
        acknowledged, seen = _measured(players, robots)
    for what, took in (("acknowledged", acknowledged), (f"seen by all of {CLIENTS} clients", seen)):
        middle, late = statistics.median(took), statistics.quantiles(took, n=100)[98]
        yield f"{len(took)} commands, {what}", sum(took), f"p50 {middle * 1e3:.1f} ms, p99 {late * 1e3:.1f} ms"


def _measured(players: list[Robot], robots: list[Robot]) -> tuple[list[float], list[float]]:
    acknowledged, seen = [], []
    for n in range(COMMANDS):
        player = players[n % len(players)]
        wanted = player.view["version"] + 1
        late: list[float] = []
        listening = [threading.Thread(target=_hear, args=(r, wanted, late)) for r in robots if r is not player]
        for thread in listening:
            thread.start()
        time.sleep(APART)
        start = time.perf_counter()
        player.done("place", spot="ante", amount=100)
        acknowledged.append(time.perf_counter() - start)
        _hear(player, wanted, late)
        for thread in listening:
            thread.join()
        seen.append(max(late) - start)
    return acknowledged, seen


def _hear(robot: Robot, version: int, when: list[float]) -> None:
    robot.until(lambda view: view["version"] >= version)
    when.append(time.perf_counter())


@contextmanager
def _server() -> Iterator[ServerProcess]:
    with TemporaryDirectory() as folder:
        house = open_house(Path(folder))
        house.open_table(money(seats=SEATS))
        house.store.close()
        with ServerProcess(Path(folder)) as server:
            yield server
