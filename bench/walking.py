"""Rounds walked by the Round itself, as a simulation of cards does; and Punto Banco as an inventor would write it.

`BEFORE=FOLDER` names the `src` of an older checkout, which is measured beside this one, turn by turn, each in a process
of its own: so a busy machine is as busy for both.
"""

import os
import sys
from fractions import Fraction
from functools import partial
from pathlib import Path
from subprocess import PIPE, Popen

import feltworks
from bench.timing import Rows, cpu_seconds
from feltworks.kit.loader import load_folder
from feltworks.kit.walk import Habit
from feltworks.lab import simulation

ROOT = Path(__file__).parent.parent
TOYS = ROOT / "tests" / "toys"
GAMES = ("one-for-the-money", "in-between", "blackjack", "down-under-holdem", "bands")
ROUNDS, TIMES = 500, 5


def run() -> Rows:
    sources = [str(ROOT / "src"), *filter(None, [os.environ.get("BEFORE")])]
    measurers = [_measurer(source) for source in sources]
    for name in GAMES:
        times = [min(each) for each in zip(*([_asked(m, name) for m in measurers] for _ in range(TIMES)), strict=True)]
        beside = f", {times[1] / times[0]:.2f} times as fast as before (target: 3)" if times[1:] else ""
        yield f"{ROUNDS} rounds of {name}, by the Round", times[0], f"{ROUNDS / times[0]:,.0f} a second{beside}"
    for measurer in measurers:
        measurer.communicate()
    game = load_folder(TOYS / "baccarat")  # the gallery has a game of this name, which keeps totals instead of cards
    yield "Punto Banco, three wagers, eight decks", cpu_seconds(lambda: feltworks.analyze(game)), "target: 10 s"


def _measurer(source: str) -> "Popen[str]":
    path = os.pathsep.join([source, str(ROOT)])
    return Popen(
        [sys.executable, "-m", __name__], env={**os.environ, "PYTHONPATH": path}, stdin=PIPE, stdout=PIPE, text=True
    )


def _asked(measurer: "Popen[str]", name: str) -> float:
    assert measurer.stdin is not None and measurer.stdout is not None
    print(name, file=measurer.stdin, flush=True)
    return float(measurer.stdout.readline())


def measure() -> None:
    """Play the rounds of each game that is asked for, and tell how long it took."""
    names = vars(simulation)
    play = names.get("play_chunk") or names["_play"]  # by this name in older checkouts
    for line in sys.stdin:
        game = feltworks.load(line.strip(), folders=[TOYS])
        stakes = dict.fromkeys(game.wagers, Fraction(1))
        plan = simulation.Plan(game, Habit(stakes), 1, ROUNDS, 0, frozenset())
        print(cpu_seconds(partial(play, plan, 0)), flush=True)


if __name__ == "__main__":
    measure()
