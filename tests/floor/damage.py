"""What somebody does to a file of records who has it and not the key, or what a bad disk does to it."""

from pathlib import Path
from typing import Any

import apsw

Rows = dict[str, list[tuple[Any, ...]]]


def rows_in(path: Path) -> Rows:
    """Everything that a file holds."""
    connection = apsw.Connection(str(path))
    try:
        names = [str(name) for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        rows: Rows = {name: sorted(connection.execute(f"SELECT * FROM {name}"), key=repr) for name in sorted(names)}
        rows["user_version"] = [(connection.pragma("user_version"),)]
        rows["schema"] = sorted(connection.execute("SELECT type, name, sql FROM sqlite_schema"), key=repr)
    finally:
        connection.close()
    return rows


def change(path: Path, *statements: str) -> None:
    """Change rows; what guards them is put aside meanwhile."""
    connection = apsw.Connection(str(path))
    try:
        guards = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            before = connection.total_changes()
            connection.execute(statement)
            assert connection.total_changes() > before, statement
        for _, sql in guards:
            connection.execute(str(sql))
    finally:
        connection.close()
