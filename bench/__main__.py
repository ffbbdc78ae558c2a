"""Run the benchmarks: `make bench`, or `python -m bench NAME ...` for some of them.

`SHORT=1` tries those of the server out, with too few samples to say much.
"""

import sys

from bench import (
    attacks,
    blackjack,
    board,
    commands,
    console,
    dice,
    exact,
    floor,
    jackpot_sockets,
    jackpots,
    memory,
    poker,
    search,
    settings,
    tables,
    walking,
    web,
)

GROUPS = {
    "exact": exact.run,
    "walking": walking.run,
    "dice": dice.run,
    "poker": poker.run,
    "blackjack": blackjack.run,
    "commands": commands.run,
    "floor": floor.run,
    "jackpots": jackpots.run,
    "jackpot-sockets": jackpot_sockets.run,
    "web": web.run,
    "tables": tables.run,
    "memory": memory.run,
    "attacks": attacks.run,
    "settings": settings.run,
    "console": console.run,
    "board": board.run,
    "search": search.run,
}


def main() -> None:
    wanted = sys.argv[1:] or list(GROUPS)
    for name in wanted:
        if name not in GROUPS:
            sys.exit(f"There is no benchmark {name!r}; choose one of: {', '.join(GROUPS)}.")
    for name in wanted:
        print(f"\n{name}")
        for what, seconds, beside in GROUPS[name]():
            print(f"  {what:<62}{seconds:>9.3f} s   {beside}")


if __name__ == "__main__":
    main()
