"""The `felt` command: a thin layer over `feltworks.api`.

What a newcomer asks first, the help and the list of games, is answered before the parser of options is loaded: that
alone takes longer than both.
"""

import sys

from feltworks.cli.ending import end_with
from feltworks.cli.listing import show_games, show_help


def main() -> None:
    """The entry point of `felt`."""
    match sys.argv[1:]:
        case [] | ["--help"]:
            end_with(show_help)
        case ["games"]:
            end_with(show_games)
        case _:
            end_with(_run_command)


def _run_command() -> None:
    from feltworks.cli.all_commands import app

    app(prog_name="felt")
