"""Writes docs/roles.md from the table of roles: python -m tools.roles"""

from pathlib import Path

from feltworks.floor.roles import DOES, TABLE, Right, Role
from feltworks.web.staff import access

FILE = Path(__file__).parent.parent / "docs" / "roles.md"
HEAD = """# Who may do what

One table decides who may do what in a house: every command is held against it before anything else. This page is made
from it, `floor/roles.py`, with `make roles`. How people get their roles is told in [For the manager](manager.md).

"""
LEGEND = """
**yes**: alone. **one of two**: two persons together, one of each kind, in either order. **own**: about themselves.
*The program* is the automatic dealer, the clocks, and whoever owns the machine that the house runs on.
Nobody acts for the house at a table where they sit. What is asked of the dealer or of the supervisor is decided by that
one alone; a manager enters only what a game's document lets a manager decide in the supervisor's place, such as who
rolls in Yo! (Y-23). A table that the program deals has no dealer who could sign: a manager does in the dealer's place.

"""

READING = """
## Role by what is read

Reading is no command, and neither is asking for a check. Who may do that is said in `web/staff/access.py`; [For the
auditor](auditor.md) tells how.

"""


def written() -> str:
    roles = "".join(f"| {role.value} | {DOES[role]} |\n" for role in Role)
    columns = [*(role.value for role in Role), "the program"]
    cells = {right: [*(_cell(right, role) for role in Role), "yes" if right.program else ""] for right in TABLE}
    lines = [["command", *columns], ["---"] * (len(columns) + 1)]
    lines += [[f"`{right.name}`", *row] for right, row in cells.items()]
    by_command = f"## Role by command\n{LEGEND}{_table(lines)}"
    return f"{HEAD}| role | what they do |\n|---|---|\n{roles}\n{by_command}{READING}{_read()}"


def _read() -> str:
    roles = [role for role in Role if any(role in may for may in access.TABLE.values())]
    lines = [["", *(role.value for role in roles)], ["---"] * (len(roles) + 1)]
    lines += [[what, *("yes" if role in may else "" for role in roles)] for what, may in access.TABLE.items()]
    return _table(lines)


def _table(lines: list[list[str]]) -> str:
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(right: Right, role: Role) -> str:
    if role in right.roles:
        return "yes"
    if right.pair is not None and any(role in kind for kind in right.pair):
        return "one of two"
    return "own" if right.own else ""


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
