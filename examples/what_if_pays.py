"""What if the pay table were another one? The exact house edge of IN BETween under a few of them.

    python examples/what_if_pays.py
    python examples/what_if_pays.py 30,12,6,4,1 25,10,5,4,1

Each argument is a pay table: the odds of its lines from the top, to 1.
"""

import sys

import feltworks

TABLES = ["30,12,6,4,1", "30,12,6,3,1", "30,11,6,4,1", "20,10,6,4,1"]
"""The first of these is printed in the game's document."""


def main(tables: list[str]) -> None:
    for pays in tables:
        game = feltworks.load("in-between", decks=6, pay={"in_between": pays})
        edge = feltworks.analyze(game)["in_between"].edge
        print(f"{pays:14}  {edge!s:>13}  {float(edge):8.4%}  {game.standing}")


if __name__ == "__main__":
    main(sys.argv[1:] or TABLES)
