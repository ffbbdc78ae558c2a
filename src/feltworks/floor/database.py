"""The file of a house: its tables, who may write it, and how it is brought from one version to the next."""

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
NO_OVERDRAFT = "no player below zero"

MIGRATIONS = (
    f"""
    CREATE TABLE events (
        id INTEGER PRIMARY KEY,  -- the order of the commits, over all streams
        stream TEXT NOT NULL,
        sequence INTEGER NOT NULL CHECK (sequence > 0),
        time INTEGER NOT NULL,
        actor TEXT NOT NULL,
        command TEXT NOT NULL,
        round INTEGER NOT NULL CHECK (round >= 0),
        event BLOB NOT NULL,
        previous TEXT NOT NULL,
        hash TEXT NOT NULL,
        UNIQUE (stream, sequence)
    ) STRICT;
    CREATE INDEX events_of_round ON events (stream, round, sequence) WHERE round > 0;

    CREATE TABLE accounts (
        name TEXT PRIMARY KEY,
        balance INTEGER NOT NULL,
        CONSTRAINT "{NO_OVERDRAFT}" CHECK (balance >= 0 OR substr(name, 1, 7) <> 'player:')
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE entries (
        event INTEGER NOT NULL REFERENCES events,
        position INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN (
            'buy-in', 'cash-out', 'play-money grant', 'wager taken', 'wager returned', 'payout',
            'colour change', 'fill', 'credit', 'count difference', 'jackpot seed', 'jackpot contribution',
            'jackpot award', 'jackpot adjustment', 'forfeiture', 'correction')),
        payer TEXT NOT NULL REFERENCES accounts,
        payee TEXT NOT NULL REFERENCES accounts CHECK (payee <> payer),
        cents INTEGER NOT NULL CHECK (cents BETWEEN 1 AND 1000000000000),
        PRIMARY KEY (event, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX entries_of_payer ON entries (payer);
    CREATE INDEX entries_of_payee ON entries (payee);

    CREATE TRIGGER accounts_open BEFORE INSERT ON entries BEGIN
        INSERT INTO accounts VALUES (NEW.payer, 0), (NEW.payee, 0) ON CONFLICT DO NOTHING;
    END;
    CREATE TRIGGER accounts_move AFTER INSERT ON entries BEGIN
        UPDATE accounts SET balance = balance - NEW.cents WHERE name = NEW.payer;
        UPDATE accounts SET balance = balance + NEW.cents WHERE name = NEW.payee;
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

    CREATE TABLE answers (
        actor TEXT NOT NULL,
        command TEXT NOT NULL,
        answer BLOB NOT NULL,
        PRIMARY KEY (actor, command)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE secrets (
        root TEXT PRIMARY KEY,
        stream TEXT NOT NULL,
        sealed BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE heads (
        stream TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        hash TEXT NOT NULL,
        time INTEGER NOT NULL,
        signature BLOB NOT NULL,
        public TEXT NOT NULL,
        PRIMARY KEY (stream, sequence, public, time)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE snapshots (
        stream TEXT PRIMARY KEY,
        sequence INTEGER NOT NULL,
        state BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE players (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        joined INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sessions (
        token BLOB PRIMARY KEY,  -- its SHA-256, never the token
        player TEXT NOT NULL REFERENCES players,
        created INTEGER NOT NULL,
        expires INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
    + "".join(
        f"""
    CREATE TRIGGER {table}_stay_{act} BEFORE {act} ON {table} BEGIN
        SELECT RAISE(ABORT, 'what is recorded stays as it is');
    END;"""
        for table in ("events", "entries", "answers", "secrets", "heads")
        for act in ("UPDATE", "DELETE")
    ),
)
"""What brings the file from one version to the next, the first from nothing; a released one never changes."""


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
            raise Locked(f"{path} is in use by another process; stop it, or choose another file.") from None
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
        connection.set_busy_timeout(5_000)
        _check_version(connection, path, writable)
        for pragma in ("foreign_keys = ON", "trusted_schema = OFF", "fullfsync = ON", "synchronous = FULL"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        if writable:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
            migrate(connection)
    except BaseException as error:
        connection.close()
        if isinstance(error, apsw.Error):
            raise StoreError(f"{path} is no file of Feltworks records, or is damaged: {error}.") from None
        raise
    return connection


def _check_version(connection: apsw.Connection, path: Path, writable: bool) -> None:
    application = connection.pragma("application_id")
    version = connection.pragma("user_version")
    empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchall() == [(0,)]
    if application != APPLICATION and not (writable and empty):
        raise StoreError(f"{path} is no file of Feltworks records.")
    if version > len(MIGRATIONS):
        raise StoreError(
            f"{path} was written by a newer Feltworks (records of version {version}, this one knows"
            f" {len(MIGRATIONS)}); update Feltworks to open it."
        )
    if version < len(MIGRATIONS) and not writable:
        raise StoreError(f"{path} was written by an older Feltworks; `felt serve` brings it up to date.")


def migrate(connection: apsw.Connection) -> None:
    """Bring the file to the newest version, one version at a time, each as a whole."""
    for version in range(connection.pragma("user_version"), len(MIGRATIONS)):
        with connection:
            for _ in connection.execute(MIGRATIONS[version]):
                pass
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {version + 1}")
