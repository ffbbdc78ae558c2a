"""What a check of the file itself looks at: its pages, its tables, and the lists that are made from the records."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import apsw

from feltworks.floor.accounts import Account
from feltworks.floor.store.migration import MISNUMBERED, TAKEN_OVER
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.schema import ENCODING, SCHEMA_ROWS, encoding_of, make_tables, version_of
from feltworks.floor.streams import is_table

_PLAYED = """
    SELECT stream, round, account, min(moved.event) AS event FROM (
        SELECT event, payer AS account FROM entries UNION SELECT event, payee FROM entries) AS moved
    JOIN events ON id = moved.event WHERE round > 0 AND substr(account, 1, 7) = 'player:'
    GROUP BY stream, round, account"""
_ROUNDS = """
    SELECT made.stream, made.round, first, last, time FROM (
        SELECT stream, round, min(sequence) AS first, max(sequence) AS last FROM events WHERE round > 0
        GROUP BY stream, round) AS made
    JOIN events ON events.stream = made.stream AND sequence = first JOIN commits ON commits.id = commit_id"""
_WHOSE = f"SELECT stream, round, account FROM ({_PLAYED})"
_OUT_OF_ORDER = f"""
    SELECT stream, round, account FROM (
        SELECT first.*, lag(event) OVER (ORDER BY played.id) AS before
        FROM played JOIN ({_PLAYED}) AS first USING (stream, round, account))
    WHERE before > event LIMIT 1"""
_UNLIKE = "SELECT * FROM ({0} EXCEPT {1}) UNION SELECT * FROM ({1} EXCEPT {0}) LIMIT 1"


def wrong_lists(store: Reader) -> Iterator[str]:
    """Lists that are made from the records, and are not what they make."""
    run = store.connection.execute
    for stream, round, account in run(_UNLIKE.format(_WHOSE, "SELECT stream, round, account FROM played")):
        yield f"The list of rounds to recall is wrong about {account} in round {round} of {stream}."
    for stream, round, account in run(_OUT_OF_ORDER):
        yield f"The list of rounds to recall has {account} in round {round} of {stream} out of order."
    for stream, round, *_ in run(_UNLIKE.format(_ROUNDS, "SELECT stream, round, first, last, time FROM rounds")):
        yield f"The list of rounds is wrong about round {round} of {stream}."
    ways = ["INDEXED BY commits_by_command", "NOT INDEXED"]
    if run("SELECT 1 FROM sqlite_schema WHERE name = 'commits_by_command'").fetchall() == []:
        ways.pop(0)  # which is said elsewhere
    counts = {run(f"SELECT count(*) FROM commits {how} WHERE command_id <> ''").fetchall()[0] for how in ways}
    if len(counts) > 1:  # of such an index SQLite's own check counts nothing
        yield "The list of commands names some that are not there, or leaves some out."
    for table in ("events", "played"):
        numbered = f"SELECT coalesce(min(id), 1) <> 1 OR coalesce(max(id), 0) <> count(*) FROM {table}"
        if run(numbered).fetchall() != [(0,)]:
            yield f"The rows of {table} are not numbered as they were written."
    for (event,) in run(MISNUMBERED):
        yield f"The entries of event {event} of the file are not numbered as they were written."
    for (root,) in run(
        "SELECT root FROM secrets LEFT JOIN commits ON id = commit_id"
        " WHERE coalesce(id, 1) > 0 AND secrets.stream IS NOT commits.stream LIMIT 1"
    ):
        yield f"What is sealed under the root {root} belongs to another table."
    for stream, sequence in run(
        "SELECT stream, sequence FROM snapshots EXCEPT SELECT stream, sequence FROM events LIMIT 1"
    ):
        yield f"There is a snapshot of {stream} after event {sequence}, which is not there."
    for stream, sequence in run(
        "SELECT snapshots.stream, snapshots.sequence FROM snapshots JOIN events USING (stream, sequence)"
        " WHERE commit_id < 1 LIMIT 1"
    ):
        yield f"There is a snapshot of {stream} after event {sequence}, which is of an older version."
    for stream in store.snapshot_streams():
        if not is_table(stream):
            yield f"There is a snapshot of {stream}, which is no table."
    yield from _wrong_accounts(store)


def _wrong_accounts(store: Reader) -> Iterator[str]:
    """Accounts that nobody ever paid or was paid from, or that may owe and should not."""
    run = store.connection.execute
    unused = "SELECT name FROM accounts EXCEPT SELECT payer FROM entries EXCEPT SELECT payee FROM entries"
    for (name,) in run(f"{unused} ORDER BY name LIMIT 1"):
        yield f"The account {name} is in no entry."
    for name, may_owe in run("SELECT name, may_owe FROM accounts ORDER BY name"):
        if may_owe != int(Account.parse(name).may_owe):
            yield f"Whether the account {name} may owe is not as it was opened."
            return


def wrong_file(store: Reader) -> Iterator[str]:
    """What is wrong with the file itself: its pages, its tables and what guards them."""
    for (said,) in store.connection.execute("PRAGMA integrity_check(1)").fetchall():
        if said != "ok":
            yield f"The file is damaged: {said}."
    yield from wrong_tables(store)


def wrong_tables(store: Reader) -> Iterator[str]:
    """The first table, index or guard of the file that is not what Feltworks made."""
    if (encoding := encoding_of(store.connection)) != ENCODING:
        yield f"The file is written in {encoding}, and Feltworks writes {ENCODING}."
        return
    fresh = apsw.Connection(":memory:")
    make_tables(fresh, version_of(store.connection))
    found, wanted = store.schema(), Counter(fresh.execute(SCHEMA_ROWS).fetchall())
    for kind, name, *_ in sorted((found - wanted) + (wanted - found), key=lambda row: row[:2]):
        yield f"The {kind} {name} of the file is not what Feltworks made it."
        return


def rows_of_older_version(store: Reader) -> dict[str, Iterator[Any]]:
    """What was taken over from an older version, as its digests are made."""
    return {name: iter(store.connection.execute(rows)) for name, rows in TAKEN_OVER.items()}
