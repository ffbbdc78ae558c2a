"""Whole commands as a person runs them, process start included, beside an empty interpreter."""

import subprocess
import sys
import time

from bench.timing import Rows

COMMANDS = (
    ("games",),
    ("analyze", "in-between", "--wager", "in_between"),
    ("analyze", "one-for-the-money"),
    ("advise", "one-for-the-money", "7h"),
    ("certify",),
)


def run() -> Rows:
    bare = _seconds([sys.executable, "-c", "pass"])
    for command in COMMANDS:
        took = _seconds([sys.executable, "-m", "feltworks.cli", *command])
        yield f"felt {' '.join(command)}", took, f"{took / bare:.0f} x an empty interpreter"


def _seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start
