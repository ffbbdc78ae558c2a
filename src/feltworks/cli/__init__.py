"""The `felt` command: a thin layer over `feltworks.api`.

What a newcomer asks first, the help and the list of games, is answered before the parser of options is loaded: that
alone takes longer than both.
"""

import signal
import sys

from feltworks.cli.exit_codes import end_with
from feltworks.cli.quick_help import show_games, show_help


def main() -> None:
    """The entry point of `felt`."""
    # The shell of a script makes what it starts in the background ignore interrupts. Nobody asked for that here: who
    # interrupts a long count, or the script that waits for it, means to end it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    match sys.argv[1:]:
        case [] | ["--help"]:
            end_with(show_help)
        case ["games"]:
            end_with(show_games)
        case _:
            end_with(_run_command)


def _run_command() -> None:
    from feltworks.cli.floor_commands import app  # which adds its commands to those of the games

    app(prog_name="felt")
