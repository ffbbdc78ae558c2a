"""The file of a house: its tables, who may write it, and how it is opened."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path

import apsw

from feltworks.kit.errors import FeltworksError


class StoreError(FeltworksError):
    """The file cannot be used, or not for this. Nothing was written."""


class Locked(StoreError):
    """Another process writes this file."""


APPLICATION = 0x46454C54  # "FELT", in the head of the file
VERSION = 3
OLDEST_JOURNAL = 2
"""The oldest version whose records are a journal as they are now: it has one table less."""
ENCODING = "UTF-8"
"""Of text. In another one, bytes that make no character are read as nothing, and still tell two texts apart in SQL."""
PATIENCE = 5_000
"""Milliseconds that a connection waits for another one."""
NO_OVERDRAFT = "no account below zero that may not owe"

SCHEMA_2 = f"""
    CREATE TABLE commits (
        id INTEGER PRIMARY KEY,  -- the order over all chains; records of the first version lie below 1
        chain TEXT NOT NULL,
        number INTEGER NOT NULL,
        time INTEGER NOT NULL,
        actor TEXT NOT NULL,
        command_id TEXT NOT NULL,
        stream TEXT NOT NULL,
        command BLOB NOT NULL,
        salt BLOB NOT NULL,
        others TEXT NOT NULL,
        signature BLOB NOT NULL  -- of the last commit of a group; empty in the others
    ) STRICT;

    CREATE UNIQUE INDEX commits_by_command ON commits (actor, command_id) WHERE command_id <> '';

    CREATE TABLE events (
        id INTEGER PRIMARY KEY,
        commit_id INTEGER NOT NULL REFERENCES commits,
        stream TEXT NOT NULL,
        sequence INTEGER NOT NULL CHECK (sequence > 0),
        round INTEGER NOT NULL CHECK (round >= 0),
        event BLOB NOT NULL,
        hash BLOB NOT NULL,
        UNIQUE (stream, sequence)
    ) STRICT;

    CREATE TABLE accounts (
        name TEXT PRIMARY KEY,
        may_owe INTEGER NOT NULL,
        balance INTEGER NOT NULL,
        CONSTRAINT "{NO_OVERDRAFT}" CHECK (balance >= 0 OR may_owe)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE entries (
        event INTEGER NOT NULL REFERENCES events,
        position INTEGER NOT NULL,
        kind TEXT NOT NULL,
        payer TEXT NOT NULL REFERENCES accounts,
        payee TEXT NOT NULL REFERENCES accounts CHECK (payee <> payer),
        cents INTEGER NOT NULL CHECK (cents BETWEEN 1 AND 1000000000000),
        PRIMARY KEY (event, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX entries_of_payer ON entries (payer);
    CREATE INDEX entries_of_payee ON entries (payee);
    CREATE TRIGGER accounts_move AFTER INSERT ON entries BEGIN
        UPDATE accounts SET balance = balance - NEW.cents WHERE name = NEW.payer;
        UPDATE accounts SET balance = balance + NEW.cents WHERE name = NEW.payee;
    END;

    CREATE TABLE rounds (  -- where each round of a table stands in its stream
        stream TEXT NOT NULL,
        round INTEGER NOT NULL,
        first INTEGER NOT NULL,
        last INTEGER NOT NULL,
        time INTEGER NOT NULL,
        PRIMARY KEY (stream, round)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER rounds_go_on AFTER INSERT ON events WHEN NEW.round > 0 BEGIN
        INSERT INTO rounds SELECT NEW.stream, NEW.round, NEW.sequence, NEW.sequence, time FROM commits
            WHERE id = NEW.commit_id
            ON CONFLICT DO UPDATE SET last = NEW.sequence;
    END;
    CREATE TABLE played (  -- whose money was in which round, in the order of the commits
        id INTEGER PRIMARY KEY,
        stream TEXT NOT NULL,
        round INTEGER NOT NULL,
        account TEXT NOT NULL,
        UNIQUE (stream, round, account)
    ) STRICT;
    CREATE INDEX played_by ON played (account);
    CREATE TRIGGER played_with AFTER INSERT ON entries BEGIN
        INSERT INTO played (stream, round, account)
            SELECT stream, round, account
            FROM events, (SELECT NEW.payer AS account UNION ALL SELECT NEW.payee)
            WHERE id = NEW.event AND round > 0 AND substr(account, 1, 7) = 'player:'
            ON CONFLICT DO NOTHING;
    END;

    CREATE TABLE secrets (
        root TEXT PRIMARY KEY,
        commit_id INTEGER NOT NULL REFERENCES commits,
        stream TEXT NOT NULL,
        sealed BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX secrets_of_commit ON secrets (commit_id);
    CREATE TABLE old_heads (  -- signatures of the first version
        stream TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        hash TEXT NOT NULL,
        time INTEGER NOT NULL,
        signature BLOB NOT NULL,
        public TEXT NOT NULL,
        PRIMARY KEY (stream, sequence, public, time)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE snapshots (
        stream TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        state BLOB NOT NULL,
        PRIMARY KEY (stream, sequence)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE checkpoints (
        commit_id INTEGER PRIMARY KEY,
        state BLOB NOT NULL
    ) STRICT;

    CREATE TABLE people (  -- what can identify a person; the journal knows it by a digest
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        salt BLOB NOT NULL,
        joined INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sessions (
        token TEXT PRIMARY KEY,  -- its digest, never the token
        person TEXT NOT NULL,
        opened INTEGER NOT NULL,
        expires INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_of_person ON sessions (person);
    """ + "".join(
    f"""
    CREATE TRIGGER {table}_stay_{act} BEFORE {act} ON {table} BEGIN
        SELECT RAISE(ABORT, 'what is recorded stays as it is');
    END;"""
    for table in ("commits", "events", "entries", "secrets", "old_heads")
    for act in ("UPDATE", "DELETE")
)
"""What a file of the second version holds."""
KEPT = """
    CREATE TABLE kept (  -- what else can identify a person, or is nobody else's to read; the journal has its digest
        owner TEXT NOT NULL,
        what TEXT NOT NULL,
        salt BLOB NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (owner, what)
    ) STRICT, WITHOUT ROWID;
    """
"""What the third version added."""
SCHEMA = SCHEMA_2 + KEPT
"""What a new file holds. A file of an older version is brought to it by `migration.py`."""
SCHEMA_ROWS = "SELECT type, name, tbl_name, sql FROM sqlite_schema"
"""What a file says that it holds: tables, indexes and guards, each as often as it stands there."""


def lock_for_writing(path: Path) -> int:
    """Be the one process that writes the file, until it ends."""
    lock = -1
    try:
        lock = os.open(f"{path}-lock", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if lock >= 0:
            os.close(lock)
        if isinstance(error, BlockingIOError):
            raise Locked(
                f"{path} is in use by another process; stop it, or choose another file. One process alone writes the"
                " records of a house and keeps the meters of its jackpots (F-26): use the server that is running."
            ) from None
        raise StoreError(f"{path} cannot be opened: {error.strerror}.") from None
    return lock


def connect(path: Path, writable: bool) -> apsw.Connection:
    """Open the file; a new one is nobody else's to read."""
    try:
        if writable:
            with suppress(FileExistsError):
                path.touch(0o600, exist_ok=False)
        flags = apsw.SQLITE_OPEN_READWRITE if writable else apsw.SQLITE_OPEN_READONLY
        connection = apsw.Connection(str(path), flags=flags)
    except (OSError, apsw.Error) as error:
        raise StoreError(f"{path} cannot be opened: {error}.") from None
    try:
        connection.set_busy_timeout(PATIENCE)
        version = _check_version(connection, path, writable)
        for pragma in ("foreign_keys = ON", "trusted_schema = OFF", "fullfsync = ON", "synchronous = FULL"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        if writable:
            if connection.readonly("main"):
                raise apsw.ReadOnlyError("the file cannot be written")
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
            connection.execute("PRAGMA secure_delete = ON").fetchall()  # who is forgotten is not left in a free page
            if not version:
                make_tables(connection)
    except BaseException as error:
        connection.close()
        if isinstance(error, apsw.ReadOnlyError) and not writable and Path(f"{path}-journal").exists():
            raise StoreError(
                f"{path} cannot be read as it is: {path.name}-journal lies beside it, from a change that another"
                " program began and did not end. Copy the whole folder first, as it is evidence; whoever opens the file"
                " for writing undoes that change."
            ) from None
        if isinstance(error, apsw.ReadOnlyError):
            raise StoreError(f"{path} cannot be written; give this user the right to, and start again.") from None
        if isinstance(error, apsw.Error):
            raise StoreError(f"{path} is no file of Feltworks records, or is damaged: {error}.") from None
        raise
    return connection


def version_of(connection: apsw.Connection) -> int:
    """The version of the records; 0 of an empty file."""
    return int(connection.pragma("user_version"))


def encoding_of(connection: apsw.Connection) -> str:
    return str(connection.pragma("encoding"))


def _check_version(connection: apsw.Connection, path: Path, writable: bool) -> int:
    version = version_of(connection)
    empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchall() == [(0,)]
    if connection.pragma("application_id") != APPLICATION and not (writable and empty):
        raise StoreError(f"{path} is no file of Feltworks records.")
    if version < 0:
        raise StoreError(f"{path} is no file of Feltworks records.")
    if version > VERSION:
        raise StoreError(
            f"{path} was written by a newer Feltworks (records of version {version}, this one knows {VERSION});"
            " update Feltworks to open it."
        )
    if not version and not empty:
        raise StoreError(f"{path} does not say of which version its records are; put a backup in its place.")
    if version < OLDEST_JOURNAL and not (writable and (empty or version)):
        raise StoreError(f"{path} was written by an older Feltworks; `felt serve` brings it up to date.")
    return version


def make_tables(connection: apsw.Connection, version: int = VERSION) -> None:
    """An empty file becomes one of records, as a whole."""
    with connection:
        run_all(connection, SCHEMA if version == VERSION else SCHEMA_2)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {version}")


def run_all(connection: apsw.Connection, statements: str) -> None:
    """Run every statement of a text: they are run as they are fetched."""
    for _ in connection.execute(statements):
        pass
