"""Whole commands as a person runs them, process start included, beside an empty interpreter."""

import os
import subprocess
import sys
from collections.abc import Sequence

from bench.timing import Rows

AT_ONCE = (("--help",), ("games",))
"""At most eight times an empty interpreter each."""
OTHERS = (
    ("games", "yo"),
    ("verify", "--help"),
    ("analyze", "in-between", "--wager", "in_between"),
    ("analyze", "one-for-the-money"),
    ("advise", "one-for-the-money", "7h"),
    ("certify",),
)
EMPTY = [sys.executable, "-c", "pass"]


def run() -> Rows:
    bare, *at_once = _least([EMPTY, *map(_felt, AT_ONCE)], times=30)
    others = [_least([_felt(command)], times=1)[0] for command in OTHERS]
    for command, took in zip((*AT_ONCE, *OTHERS), (*at_once, *others), strict=True):
        yield f"felt {' '.join(command)}", took, f"{took / bare:.1f} x an empty interpreter"


def _felt(arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "feltworks.cli", *arguments]


def _least(commands: Sequence[list[str]], times: int) -> list[float]:
    """The fewest processor seconds that each took, run in turns: what else the machine does can only add to them."""
    return [min(took) for took in zip(*([_seconds(c) for c in commands] for _ in range(times)), strict=True)]


def _seconds(command: list[str]) -> float:
    """Processor seconds of a process and its children."""
    with_bytecode = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=with_bytecode)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return used.ru_utime + used.ru_stime
