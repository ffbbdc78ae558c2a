"""What `felt --help` and `felt games` print, without anything that takes long to load."""

import os
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from itertools import zip_longest
from pathlib import Path

from feltworks import games

COMMANDS = {
    "games": "List the games, or tell everything about one.",
    "new": "Write the folder of a new game.",
    "play": "Play in the terminal, with play money.",
    "analyze": "The exact house edge of every wager.",
    "advise": "What each option is worth with these cards.",
    "certify": "Every printed figure against the exact one.",
    "check": "Tell what is wrong with the rules of a game.",
    "simulate": "Play many rounds by the best strategy.",
    "counting": "Whether a bonus wager can be counted from a shoe.",
    "serve": "Serve tables to browsers, with play money.",
    "tables": "Run the tables while they are served.",
    "people": "List who works in the house, and let somebody in who is locked out.",
    "verify": "Check every record.",
    "replay": "Tell a round again, step by step, from its records.",
    "backup": "Copy the records while they are in use.",
}


def help_text() -> str:
    commands = "\n".join(f"  {name:<10}{what}" for name, what in COMMANDS.items())
    return (
        "Usage: felt COMMAND [OPTIONS]\n\n"
        "Casino table games: played, solved, simulated and certified from one definition.\n\n"
        f"{commands}\n\n"
        "`felt COMMAND --help` explains the options of one."
    )


def show_help() -> None:
    print(help_text())


def show_games(folders: Iterable[Path] = ()) -> None:
    """Some lines for each game, read from the definitions alone."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a screen without these characters is no reason to fail
    bold = "\x1b[1m{}\x1b[0m" if sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb" else "{}"
    header = ("game", "versions", "wagers", "approval")
    rows = []
    for game in games.list_all(folders):
        approval = (*game.approval.split(", "), *game.venues) if game.approval else ()
        rows.append(((game.name, game.title), game.versions, game.wagers, (game.standing, *approval)))
    widths = [max(map(len, [name, *(line for row in rows for line in row[i])])) for i, name in enumerate(header)]

    def line(cells: Iterable[str]) -> str:
        return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()

    print(bold.format(line(header)), "─" * (sum(widths) + 2 * (len(widths) - 1)), sep="\n")
    for row in rows:
        (name, _), lines = row[0], [line(cells) for cells in zip_longest(*row, fillvalue="")]
        print(bold.format(name) + lines[0][len(name) :], *lines[1:], "", sep="\n")
