"""The `felt` command: a thin layer over `feltworks.api`."""

import signal

from feltworks.cli import serving
from feltworks.cli.commands import app

__all__ = ["app", "main", "serving"]


def main() -> None:
    """The entry point of `felt`."""
    # The shell of a script makes what it starts in the background ignore interrupts. Nobody asked for that here: who
    # interrupts a long count, or the script that waits for it, means to end it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    app(prog_name="felt")
