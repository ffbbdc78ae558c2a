"""Writes docs/roles.md from the table of roles: python -m tools.roles"""

from pathlib import Path

from feltworks.floor.roles import DOES, TABLE, Right, Role

FILE = Path(__file__).parent.parent / "docs" / "roles.md"
HEAD = """# Who may do what

One table decides who may do what in a house: every command is held against it before anything else. This page is made
from it, `floor/roles.py`, with `make roles`. How people get their roles is told in [For the manager](manager.md).

"""
LEGEND = """
**yes**: alone. **one of two**: two persons together, one of each kind, in either order. **own**: about themselves.
*The program* is the automatic dealer, the clocks, and whoever owns the machine that the house runs on.
Nobody acts for the house at a table where they sit.

"""


def written() -> str:
    roles = "".join(f"| {role.value} | {DOES[role]} |\n" for role in Role)
    columns = [*(role.value for role in Role), "the program"]
    cells = {right: [*(_cell(right, role) for role in Role), "yes" if right.program else ""] for right in TABLE}
    lines = [["command", *columns], ["---"] * (len(columns) + 1)]
    lines += [[f"`{right.name}`", *row] for right, row in cells.items()]
    table = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return f"{HEAD}| role | what they do |\n|---|---|\n{roles}\n## Role by command\n{LEGEND}{table}"


def _cell(right: Right, role: Role) -> str:
    if role in right.roles:
        return "yes"
    if right.pair is not None and any(role in kind for kind in right.pair):
        return "one of two"
    return "own" if right.own else ""


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
