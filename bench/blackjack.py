"""The exact solution of blackjack, and whole shoes of it in hands a second beside other programs, in the same run.

They play the same thing as nearly as they can: six decks, one seat, basic strategy, a cut card at 75 %. A hand is a
wager: one for each seat and round. `gymnasium` knows no shoe, no doubles and no splits.
"""

import os
import resource
import subprocess
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from shutil import which
from typing import Any, NamedTuple

from bench.timing import Rows, cpu_seconds
from feltworks.games.blackjack.enumerator import solution
from feltworks.games.blackjack.enumerator.basic_strategy import BasicStrategy, total_dependent
from feltworks.games.blackjack.enumerator.shoe_simulation import Setup, simulate
from feltworks.games.blackjack.enumerator.upcard_solver import Action
from feltworks.games.blackjack.options import Options

SIX_DECKS = Options()
HANDS = 20_000_000
ONE_AT_A_TIME = 10_000
"""So many hands are played by what is written in Python alone."""
NODE_HANDS = 2_000_000
TRIES = 3
"""Of so many runs the fastest counts: what slows one down is the rest of the machine."""
NODE_PACKAGE = "@blackjacktrainer/blackjack-simulator"


def run() -> Rows:
    yield from solutions()
    yield from simulations()


def solutions() -> Rows:
    seconds = _least(_solve_anew)
    value = solution.analyse(SIX_DECKS).value
    yield "blackjack, six decks, best play and its exact value", seconds, f"{float(100 * value):.6f} %, as a fraction"


def _solve_anew() -> None:
    solution.solvers.cache_clear()
    solution.analyse.cache_clear()
    solution.analyse(SIX_DECKS)


# Hands


def simulations() -> Rows:
    basic, workers, load = total_dependent(SIX_DECKS), os.cpu_count() or 1, os.getloadavg()[0]
    one_seat, told = 0.0, f" (load of the machine {load:.1f})"
    for name, setup in (
        ("one seat, a cut card at 75 %", Setup(SIX_DECKS)),
        ("one seat, a shuffler", Setup(SIX_DECKS, continuous=True)),
        ("seven seats, a cut card at 75 %", Setup(SIX_DECKS, 7)),
    ):
        seconds = _least(partial(_play, setup, basic, HANDS, 1))
        one_seat = one_seat or HANDS / seconds
        yield f"{HANDS:,} hands, {name}", seconds, f"{_speed(HANDS / seconds)} a core{told}"
        told = ""
    clock, used = min(_clocked(partial(_play, Setup(SIX_DECKS), basic, workers * HANDS, workers)) for _ in range(TRIES))
    cores = f"{_speed(workers * HANDS / clock)} by the clock, {used / clock:.2f} cores used"
    yield f"{workers * HANDS:,} hands, one seat, {workers} threads", clock, cores

    for peer in peers(basic):
        if peer.play is None:
            yield f"{peer.name} is not installed", 0.0, peer.install
            continue
        seconds = min(peer.play() for _ in range(TRIES))
        speed = peer.hands / seconds
        yield f"{peer.hands:,} hands, {peer.name}", seconds, f"{_speed(speed)}; ours {one_seat / speed:,.0f} x as fast"


def _play(setup: Setup, basic: BasicStrategy, hands: int, workers: int) -> None:
    simulate(setup, basic.analysis.plays, hands // setup.seats, workers=workers)


class Peer(NamedTuple):
    """Another program: how long it takes for so many hands, if it is there."""

    name: str
    hands: int
    play: Callable[[], float] | None
    install: str


def peers(basic: BasicStrategy) -> Iterator[Peer]:
    node, package = which("node"), _node_package()
    simulator = partial(_by_node, node, package) if node and package else None
    yield Peer(f"{NODE_PACKAGE} in Node", NODE_HANDS, simulator, f"npm install --prefix .venv/npm {NODE_PACKAGE}")
    for name, play in (("blackjack21", _by_blackjack21), ("gymnasium", _by_gymnasium)):
        try:
            module = import_module(name)
        except ImportError:
            yield Peer(name, 0, None, f".venv/bin/python -m pip install {name}")
        else:
            yield Peer(name, ONE_AT_A_TIME, partial(cpu_seconds, partial(play, module, basic)), "")


def _node_package() -> Path | None:
    """Where npm has put the simulator: where set-up works, in the project, or where NODE_PATH says."""
    home = Path(__file__).parents[1]
    folders = [home / ".venv" / "npm" / "node_modules", home / "node_modules"]
    folders += [Path(folder) for folder in os.environ.get("NODE_PATH", "").split(os.pathsep) if folder]
    return next((folder / NODE_PACKAGE for folder in folders if (folder / NODE_PACKAGE).is_dir()), None)


def _by_node(node: str, package: Path) -> float:
    """Processor seconds of its own command, on one core."""
    settings = {
        "hands": str(NODE_HANDS),
        "deck-count": "6",
        "player-strategy": "basic-strategy",
        "player-bet-spread": "$10,$10",
    }
    command = [node, str(package / "bin" / "cli.js"), "simulate"]
    for name, value in settings.items():
        command += [f"--{name}", value]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, env={**os.environ, "CORES": "1"}, check=True, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def _by_blackjack21(library: Any, basic: BasicStrategy) -> None:
    deck = library.Deck(library.DEFAULT_SUITS, count=6)
    table = library.Table([("seat", 10)], deck, hit_soft_17=True, on_round_reset=library.shoe_reset_hook(deck, 0.75))
    for _ in range(ONE_AT_A_TIME):
        table.start_game()
        while (hand := table.current_hand) is not None:
            values = [min(card.value, 10) if card.rank != "A" else 1 for card in hand]
            up = table.dealer_visible_hand[0]
            upcard = "A" if up.rank == "A" else "T" if up.value == 10 else str(up.value)
            match _wanted(basic, values, upcard, len(table.current_player.hands) < 4):
                case Action.SPLIT:
                    table.split()
                case Action.DOUBLE:
                    table.double_down()
                case Action.HIT:
                    table.hit()
                case _:
                    table.stand()


def _wanted(basic: BasicStrategy, values: list[int], upcard: str, may_split: bool) -> Action:
    """What basic strategy does with a hand; an ace is 1."""
    hard = sum(values)
    soft = 1 in values and hard <= 11
    if len(values) == 2 and values[0] == values[1] and may_split and basic.pairs["A23456789T"[values[0] - 1], upcard]:
        return Action.SPLIT
    entry = (basic.soft if soft else basic.hard)[hard + 10 * soft, upcard]
    return entry.action if len(values) == 2 else entry.otherwise


def _by_gymnasium(library: Any, basic: BasicStrategy) -> None:
    table = library.make("Blackjack-v1", natural=True).unwrapped
    table.reset(seed=1)
    for _ in range(ONE_AT_A_TIME):
        (total, up, soft), _ = table.reset()
        over = False
        while not over:
            entry = (basic.soft if soft else basic.hard)[total, "A23456789T"[up - 1]]
            (total, up, soft), _, over, _, _ = table.step(int(entry.otherwise == Action.HIT))


def _least(work: Callable[[], object]) -> float:
    """Once to be ready, and then the fastest run."""
    work()
    return min(cpu_seconds(work) for _ in range(TRIES))


def _clocked(work: Callable[[], object]) -> tuple[float, float]:
    start, used = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - used


def _speed(number: float) -> str:
    return f"{number / 1e6:,.1f} M a second" if number > 1e6 else f"{number / 1e3:,.1f} k a second"
