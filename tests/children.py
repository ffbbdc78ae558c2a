"""Other programs that a test starts: with the signals that it asks for, and gone when it is over, however it ends."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

START = """
import ctypes, os, signal, sys
interrupts, *command = sys.argv[1:]
signal.signal(signal.SIGINT, getattr(signal, interrupts))
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: whoever kills the test kills its children
os.execv(command[0], command)
"""


def start(*arguments: str, ignores_interrupts: bool = False) -> subprocess.Popen[str]:
    """Python with these arguments. Whatever shell began the run, an interrupt ends it, or does nothing if asked for."""
    interrupts = "SIG_IGN" if ignores_interrupts else "SIG_DFL"
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", START, interrupts, sys.executable, "-u", *arguments],
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        text=True,
        bufsize=1,
    )


def end(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Kill it if it is still there; what it had said to standard output and standard error."""
    process.kill()
    return process.communicate()


@contextmanager
def child(*arguments: str, ignores_interrupts: bool = False) -> Iterator[subprocess.Popen[str]]:
    process = start(*arguments, ignores_interrupts=ignores_interrupts)
    try:
        yield process
    finally:
        end(process)
