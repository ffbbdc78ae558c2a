"""The kernel beside crapssim and a plain NumPy simulation of pass line and odds, in rolls a second, in the same run."""

import os
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
from crapssim.strategy.odds import PassLineOddsMultiplier
from crapssim.strategy.single_bet import BetPassLine
from crapssim.table import Table as CrapsTable

import feltworks
from bench.timing import Rows, cpu_seconds
from feltworks.kit.game import Game
from feltworks.lab import dice_kernel
from feltworks.lab.dice_kernel import Kernel
from feltworks.lab.dice_table import bettors_for, table_of
from feltworks.lab.simulation import simulate

TOYS = Path(__file__).parents[1] / "tests" / "toys"
ROLLS = 1_000_000_000
TRIES = 3
"""Of so many runs the fastest counts, for each of the three: what slows one down is the rest of the machine."""


def run() -> Rows:
    dice_kernel.make_ready()
    workers = os.cpu_count() or 1
    load = os.getloadavg()[0]

    rolls = 60_000
    seconds = _least(lambda: _crapssim(rolls))
    crapssim = rolls / seconds
    told = f"{crapssim:,.0f} rolls/s a core (load of the machine {load:.1f})"
    yield f"crapssim, pass line and odds, {rolls:,} rolls", seconds, told

    lanes, steps = 1 << 16, 200
    seconds = _least(lambda: _numpy(lanes, steps))
    numpy = lanes * steps / seconds
    yield f"NumPy, pass line and odds, {lanes * steps:,} rolls", seconds, f"{_beside(numpy, crapssim)} a core"

    for game in (feltworks.load("point", folders=[TOYS]), feltworks.load("yo")):
        ready = _ready(game)
        name = f"kernel, {game.title}, {len(game.wagers)} wagers"
        seconds = _least(partial(_count, ready, ROLLS, 1))
        speed = ROLLS / seconds
        told = f"{_beside(speed, crapssim)} a core, {speed / numpy:,.0f} x NumPy"
        yield f"{name}, {ROLLS:,} rolls", seconds, told

        clock, used = min(_clocked(partial(_count, ready, workers * ROLLS, workers)) for _ in range(TRIES))
        speed = workers * ROLLS / clock
        told = f"{_beside(speed, crapssim)} by the clock, {used / clock:.2f} cores used"
        yield f"{name}, {workers} threads, {workers * ROLLS:,} rolls", clock, told

    clock, _ = _clocked(lambda: simulate(feltworks.load("yo"), rolls=ROLLS))
    told = "with the table, the exact figures and every z"
    yield f"all of `felt simulate yo --rolls 1e9`, {workers} threads", clock, told


def _beside(speed: float, other: float) -> str:
    return f"{speed:,.0f} rolls/s, {speed / other:,.0f} x crapssim"


def _least(work: Callable[[], object]) -> float:
    return min(cpu_seconds(work) for _ in range(TRIES))


def _clocked(work: Callable[[], object]) -> tuple[float, float]:
    start, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - used


def _ready(game: Game) -> Kernel:
    return Kernel(table_of(bettors_for(game, dict.fromkeys(game.wagers, Fraction(1)), None)))


def _count(ready: Kernel, rolls: int, workers: int) -> None:
    ready.count(rolls, by_rounds=False, seed=0, workers=workers)


def _crapssim(rolls: int) -> None:
    table = CrapsTable(seed=0)
    table.add_player(bankroll=10_000_000, strategy=BetPassLine(5) + PassLineOddsMultiplier(2))
    table.run(max_rolls=rolls, verbose=False)


def _numpy(lanes: int, steps: int) -> int:
    """Many tables side by side: one unit on the line, and twice that behind it while a point is on; five times the
    result, so that it is whole."""
    random = np.random.default_rng(0)
    point = np.zeros(lanes, np.int8)
    odds = np.zeros(13, np.int8)
    odds[[4, 10]], odds[[5, 9]], odds[[6, 8]] = 20, 15, 12
    won = 0
    for _ in range(steps):
        roll = random.integers(1, 7, lanes, np.int8) + random.integers(1, 7, lanes, np.int8)
        come_out = point == 0
        seven = roll == 7
        natural = come_out & (seven | (roll == 11))
        craps = come_out & ((roll == 2) | (roll == 3) | (roll == 12))
        made = ~come_out & (roll == point)
        out = ~come_out & seven
        line = natural.sum(dtype=int) - craps.sum() + made.sum() - out.sum()
        won += 5 * int(line) + int(odds[roll[made]].sum(dtype=int)) - 10 * int(out.sum())
        point[made | out] = 0
        new = come_out & ~natural & ~craps
        point[new] = roll[new]
    return won
