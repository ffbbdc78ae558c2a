"""What a change of settings costs: how long its exact edges take, game by game, and what whoever plays notices of eight
people who change settings."""

import asyncio
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from bench import served
from bench.robots import SHORT, Served, late, play, robots, shown
from bench.robots import run as run_loop
from bench.robots import served as serving
from bench.timing import Row, Rows
from feltworks.games.blackjack.options import ALLOWED
from tests import children
from tests.web.robots import HOST

PEOPLE, PLAYERS, A_SECOND = 8, 2, 60
CHANGES, WINDOWS, COMMANDS = (4, 1, 60) if SHORT else (30, 5, 400)
REST = 0.3
"""Seconds between two changes of one person."""
Json = dict[str, Any]


def _odds(random: Random, lines: int) -> str:
    """Odds that nobody has asked about before."""
    return ",".join([f"{random.randrange(1, 10**6)}/{random.randrange(1, 10**4)}", *("3/2" for _ in range(lines - 1))])


def _one_for_the_money(random: Random) -> Json:
    """Another deck, another reading or other odds, one or several at once."""
    readings = {"traded_card": ["out", "back"], "ace_low_straight": ["yes", "no"]}
    return {
        "game": "one-for-the-money",
        "decks": random.choice([6, 6, random.randrange(1, 9)]),
        "readings": {name: random.choice(values) for name, values in readings.items() if random.random() < 0.3},
        "pay": {"three_card_bonus": _odds(random, 4)},
    }


def _in_between(random: Random) -> Json:
    return {"game": "in-between", "decks": random.randrange(1, 9), "pay": {"in_between": _odds(random, 5)}}


def _yo(random: Random) -> Json:
    readings = {"seven_out_play": ["lose", "push"], "more_multiple": ["1", "4"], "yo_window": ["immediate", "any"]}
    name = random.choice(list(readings))
    return {
        "game": "yo",
        "readings": {name: random.choice(readings[name])} if random.random() < 0.5 else {},
        "pay": {"late_play": _odds(random, 3), random.choice(["high", "eleven", "craps"]): _odds(random, 1)},
    }


def _down_under(random: Random) -> Json:
    return {"game": "down-under-holdem", "pay": {"bet": _odds(random, 6)}, "wager": "base"}


def _blackjack(random: Random) -> Json:
    options = {name: random.choice(values) for name, values in ALLOWED.items()}
    return {"game": "blackjack", "decks": random.randrange(1, 9), "readings": options, "wager": "base"}


GAMES: dict[str, tuple[Callable[[Random], Json], int]] = {
    "One For The Money, all wagers": (_one_for_the_money, 300),
    "IN BETween, its own wager": (_in_between, 300),
    "Yo!, all wagers": (_yo, 300),
    "Down Under Hold'em, another Bet": (_down_under, 2_000),
    "blackjack, other options": (_blackjack, 2_000),
}
"""How its settings are changed, and how many milliseconds half of the answers may take."""


def run() -> Rows:
    with serving("--seats", str(PLAYERS), "--lab", "--wide") as server:
        _ask(server.port, {"game": "yo"})
        _warmed(server.process.pid)
        for name, (change, target) in GAMES.items():
            random = Random(name)
            took = [_asked(server.port, change(random)) for _ in range(CHANGES)]
            half, most = statistics.median(took), max(took)
            yield (
                f"{name}: {len(took)} changes of settings",
                sum(took),
                f"p50 {half * 1e3:.0f} ms (target: at most {target}), the longest {most * 1e3:.0f} ms",
            )
        yield run_loop(_beside(server))


async def _beside(server: Served) -> Row:
    """What players notice of it."""
    quiet, busy = list[float](), list[float]()
    async with robots(server, served.table) as players:
        await play(players, A_SECOND, A_SECOND)
        for _ in range(WINDOWS):
            quiet += await play(players, A_SECOND, COMMANDS)
            with _people(server.port):
                await asyncio.sleep(1)
                busy += await play(players, A_SECOND, COMMANDS)
    ratio = late(busy) / late(quiet)
    return (
        f"{len(busy)} commands while {PEOPLE} people change settings",
        sum(busy),
        f"{shown(busy)}; {shown(quiet)} when nobody does; p99 {ratio:.2f} of that (target: at most 2)",
    )


@contextmanager
def _people(port: int) -> Iterator[None]:
    """They change settings inside, in a process of their own."""
    process = children.start("-m", "bench.settings", str(port))
    try:
        yield
        assert process.poll() is None, children.end(process)[1]
    finally:
        children.end(process)


async def _change(port: int, person: int) -> None:
    random = Random(f"{time.time()} {person}")
    for number in count():
        change = list(GAMES.values())[(person + number) % len(GAMES)][0]
        await asyncio.to_thread(_asked, port, change(random))
        await asyncio.sleep(REST)


async def _everybody(port: int) -> None:
    await asyncio.gather(*(_change(port, person) for person in range(PEOPLE)))


def _asked(port: int, question: Json) -> float:
    """Seconds to the answer."""
    start = time.perf_counter()
    _ask(port, question)
    return time.perf_counter() - start


def _ask(port: int, question: Json) -> Json:
    connection = HTTPConnection(HOST, port, timeout=120)
    try:
        connection.request("POST", "/api/lab/edges", json.dumps(question).encode())
        answer: Json = json.loads(connection.getresponse().read())
    finally:
        connection.close()
    assert "wagers" in answer, answer
    return answer


def _warmed(server: int) -> None:
    """Wait until the processes of the lab have computed what is likely to be asked."""
    found = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    used = -1.0
    while used != (used := sum(_processor_time(pid) for pid in found)):
        time.sleep(10)


def _processor_time(pid: str) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return float(fields[11]) + float(fields[12])


if __name__ == "__main__":
    asyncio.run(_everybody(int(sys.argv[1])))
