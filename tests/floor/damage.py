"""What somebody does to a file of records who has it and not the key, or what a bad disk does to it."""

import re
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


def in_utf_16(path: Path) -> None:
    """The same file, its text written in another encoding."""
    data, to = apsw.Connection(str(path)), path.with_name("utf-16")
    copy = apsw.Connection(str(to))
    try:
        copy.execute("PRAGMA encoding = 'UTF-16le'")
        copy.execute("PRAGMA journal_mode = WAL").fetchall()
        schema = "SELECT name, sql FROM sqlite_schema WHERE type {} 'trigger' AND sql IS NOT NULL ORDER BY type DESC"
        for _, sql in data.execute(schema.format("<>")):
            copy.execute(str(sql))
        for (name,) in data.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            for row in data.execute(f"SELECT * FROM {name}"):
                copy.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", row)
        for _, sql in data.execute(schema.format("=")):
            copy.execute(str(sql))
        for pragma in ("application_id", "user_version"):
            copy.execute(f"PRAGMA {pragma} = {data.pragma(pragma)}")
    finally:
        data.close()
        copy.close()
    to.replace(path)


def hide_from_index(path: Path, command_id: str) -> None:
    """The index of commands is made anew without one of them, and says of itself what it said before."""
    put = "UPDATE sqlite_schema SET sql = ? WHERE name = 'commits_by_command'"
    ((sql,),) = apsw.Connection(str(path)).execute("SELECT sql FROM sqlite_schema WHERE name = 'commits_by_command'")
    for text in (f"{sql} AND command_id <> '{command_id}'", sql):
        connection = apsw.Connection(str(path))
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(put, (text,))
        connection.close()
        if text != sql:
            connection = apsw.Connection(str(path))
            connection.execute("REINDEX commits_by_command")
            connection.close()


def in_other_kinds(path: Path, table: str, statement: str) -> None:
    """Change rows to values of a kind that the table does not hold; it says of itself what it said before."""
    put = "UPDATE sqlite_schema SET sql = ? WHERE name = ?"
    ((sql,),) = apsw.Connection(str(path)).execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,))
    loose = re.sub(r" (INTEGER|TEXT|BLOB)(?! PRIMARY)", " BLOB", sql.replace(" STRICT,", "").replace(" STRICT", ""))
    for text in (loose, sql):
        connection = apsw.Connection(str(path))
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(put, (text, table))
        connection.close()
        if text != sql:
            change(path, statement)
