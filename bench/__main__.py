"""Run the benchmarks: `make bench`, or `python -m bench NAME ...` for some of them."""

import sys

from bench import blackjack, commands, dice, exact, floor, poker, web

GROUPS = {
    "exact": exact.run,
    "dice": dice.run,
    "poker": poker.run,
    "blackjack": blackjack.run,
    "commands": commands.run,
    "floor": floor.run,
    "web": web.run,
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
