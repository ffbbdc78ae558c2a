"""Bringing records of an older version into this one: a copy is kept, and all of it happens or nothing.

Version 1 had a chain of hashes for each stream, signed now and then, and no commits. Its events, entries, answers and
secrets are taken over as they are, at commits below 1; the first commit of the new journal names the end of every
stream, every balance and a digest of every table, and its signature covers them from then on.
"""

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import apsw
import msgspec

from feltworks.floor import person
from feltworks.floor.accounts import Account, Kind
from feltworks.floor.actors import PROGRAM
from feltworks.floor.administration import Migrate, Migrated, OldBooked, OldEntry, OldJoined
from feltworks.floor.chance.sealed import SealedShoes
from feltworks.floor.chance.shoe import shows
from feltworks.floor.journal.journal import Draft, Journal
from feltworks.floor.journal.position import Position
from feltworks.floor.journal.records import FIRST, Head, Record, signed_ends, table_digest
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import BadSeal, Keys, Signer, check_signature
from feltworks.floor.store.backup import copy_file
from feltworks.floor.store.interface import PersonRow
from feltworks.floor.store.schema import (
    ENCODING,
    KEPT,
    OLDEST_JOURNAL,
    SCHEMA,
    SCHEMA_2,
    SCHEMA_ROWS,
    VERSION,
    StoreError,
    encoding_of,
    run_all,
)
from feltworks.floor.store.schema_1 import SCHEMA_1
from feltworks.floor.store.sqlite import Store
from feltworks.floor.streams import HOUSE_STREAM, Event, Happened, is_table, person_stream
from feltworks.floor.table import events as ev
from feltworks.floor.table.settings_check import check_settings
from feltworks.floor.table.state import Table
from feltworks.floor.verification.replay import StreamReplay
from feltworks.floor.verification.report import Report
from feltworks.kit.errors import FeltworksError

OF_HOUSE = f"SELECT event, time FROM events WHERE stream = '{HOUSE_STREAM}' ORDER BY sequence"
MISNUMBERED = (
    "SELECT event FROM entries GROUP BY event HAVING min(position) <> 0 OR max(position) <> count(*) - 1 LIMIT 1"
)
"""An event whose entries are not numbered from 0 on."""
APART = (
    "SELECT actor, command FROM events WHERE command <> '' GROUP BY actor, command"
    " HAVING max(id) - min(id) <> count(*) - 1 LIMIT 1"
)
"""A command whose events stand apart: they were written together, and would become one commit."""
OLD_GRANT = 100_000
"""What version 1 gave a guest."""

OLD_TABLES = (
    "events",
    "accounts",
    "entries",
    "played",
    "answers",
    "secrets",
    "heads",
    "snapshots",
    "players",
    "sessions",
)
TAKEN_OVER = {
    "old events": "SELECT * FROM events WHERE commit_id < 1 ORDER BY id",
    "old commits": "SELECT * FROM commits WHERE id < 1 ORDER BY id",
    "old entries": (
        "SELECT event, position, kind, payer, payee, cents FROM entries"
        " WHERE event IN (SELECT id FROM events WHERE commit_id < 1) ORDER BY event, position"
    ),
    "old secrets": "SELECT * FROM secrets WHERE commit_id < 1 ORDER BY root",
    "old heads": "SELECT * FROM old_heads ORDER BY stream, sequence, public, time",
}
"""What of a migrated file belongs to the older version, as its digests are made."""


def migrate(store: Store, keys: Keys, now: int) -> Path | None:
    """Bring the file up to date, and say where the copy of the old one lies, if one was made. From before the first
    check until all of it is done nobody else can write the file: what is signed is what was checked."""
    connection = store.connection
    if store.version >= OLDEST_JOURNAL:
        _add_table(store)
        return None
    if keys.has_journal:
        raise StoreError(
            f"{store.path} is of an older version, and its key has signed records of this one: an older file was put in"
            " their place. It was not changed; put the newer one back."
        )
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        store.migrating = True
        connection.execute("BEGIN IMMEDIATE")
        store.check_untouched()
        _check(store, keys)
        copy = _copied(store.path)
        players, sessions = _take_over(connection)
        _check_rules(store, keys)
        _begin(store, keys, now, players, sessions)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        store.check_untouched()
        connection.execute("COMMIT")
    except StoreError:
        raise
    except apsw.Error as error:
        if isinstance(error, apsw.CorruptError | apsw.NotADBError):
            raise _damaged(store.path, str(error)) from error
        raise StoreError(f"{store.path} could not be brought up to date, and is as it was: {error}.") from error
    except UnicodeDecodeError as problem:
        raise _damaged(store.path, "it holds text of which some bytes are no characters") from problem
    except Exception as problem:  # whatever somebody who holds the file has written there
        raise _damaged(store.path, str(problem).rstrip(".") or type(problem).__name__) from problem
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        store.migrating = False
        connection.execute("PRAGMA foreign_keys = ON")
    store.version = VERSION
    return copy


def _add_table(store: Store) -> None:
    """The journal of the second version is that of the third: the file gets a table beside it, which is empty."""
    try:
        with store.connection:
            _check_schema(store.connection, store.path, SCHEMA_2)
            run_all(store.connection, KEPT)
            store.connection.execute(f"PRAGMA user_version = {VERSION}")
    except apsw.Error as error:
        raise StoreError(f"{store.path} could not be brought up to date, and is as it was: {error}.") from error
    store.version = VERSION


def _check(store: Store, keys: Keys) -> None:
    """The file is one that the older version made, and nothing in it was changed that the house has signed."""
    _check_schema(store.connection, store.path, SCHEMA_1)
    for (said,) in _rows(store.connection, "PRAGMA integrity_check(1)"):
        if said != "ok":
            raise _damaged(store.path, said)
    _check_old(store.connection, store.path, keys.public)
    for said in store.wrong_books():
        raise _damaged(store.path, said.rstrip("."))


def _copied(path: Path) -> Path:
    """A copy of the file as it was. A connection that writes copies nothing; what another one reads is the same, since
    nobody can write meanwhile."""
    copy, reading = _free_name(path), apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        copy_file(reading, copy)
    finally:
        reading.close()
    return copy


def _free_name(path: Path) -> Path:
    names = (path.with_name(f"{path.name}.version-1{suffix}") for suffix in ("", *(f".{n}" for n in range(2, 1_000))))
    return next(name for name in names if not name.exists())


def _check_schema(connection: apsw.Connection, path: Path, schema: str) -> None:
    """The file holds the tables of its version and nothing else: no name in it is run that Feltworks did not give."""
    fresh = apsw.Connection(":memory:")
    run_all(fresh, schema)
    found, wanted = (Counter(_rows(file, SCHEMA_ROWS)) for file in (connection, fresh))
    if encoding_of(connection) != ENCODING or found != wanted:
        raise _damaged(path, "its tables are not those of an older Feltworks")


def _check_old(connection: apsw.Connection, path: Path, public: str) -> None:
    """The old records are whole: every hash is right, and every head that the house has signed is there."""
    ends: dict[str, tuple[int, str]] = {}
    hashes: dict[tuple[str, int], str] = {}
    tails: dict[str, list[Record]] = {}
    columns = "stream, sequence, time, actor, command, round, event, previous, hash"
    heads = [Head(*row) for row in connection.execute("SELECT * FROM heads")]
    if heads and not any(head.public == public for head in heads):
        raise StoreError(
            f"{path} holds older records that are signed with another key than the {public[:12]} of this key file. It"
            " was not changed; put the key file back that belongs to it."
        )
    signed = {(head.stream, head.sequence) for head in heads}
    for row in connection.execute(f"SELECT {columns} FROM events ORDER BY stream, sequence"):
        record = Record(*row)
        sequence, hash = ends.get(record.stream, (0, FIRST))
        if (record.sequence, record.previous) != (sequence + 1, hash) or record.hash != record.true_hash:
            raise _damaged(path, f"{record.stream}, event {sequence + 1}, is missing or was changed")
        if record.stream != HOUSE_STREAM and not is_table(record.stream):
            raise _damaged(path, f"{record.stream} is no stream of the older Feltworks")
        try:
            decode_event(record.stream, record.event)
        except msgspec.DecodeError:
            raise _damaged(path, f"{record.stream}, event {record.sequence}, is none that Feltworks writes") from None
        ends[record.stream] = record.sequence, record.hash
        tails.setdefault(record.stream, []).append(record)
        if (record.stream, record.sequence) in signed:
            hashes[record.stream, record.sequence] = record.hash
            tails[record.stream] = []
    for head in heads:
        genuine = head.public == public and check_signature(public, head.message, head.signature)
        if not genuine or hashes.get((head.stream, head.sequence)) != head.hash:
            raise _damaged(path, f"{head.stream}, event {head.sequence}, is not what the house has signed")
    if _rows(connection, "SELECT coalesce(max(id), 0) <> count(*) FROM events") != [(0,)]:
        raise _damaged(path, "its events are not numbered as they were written")
    for (event,) in _rows(connection, MISNUMBERED):
        raise _damaged(path, f"the entries of event {event} of the file are not numbered as they were written")
    for actor, command in _rows(connection, APART):
        raise _damaged(path, f"the command {command} of {actor} has events that were not written together")
    for stream, tail in tails.items():
        _check_unsigned(path, stream, tail)
    over = [stream for stream, tail in tails.items() if tail and isinstance(_last(tail), ev.RoundEnded | ev.Voided)]
    if len(over) > 1:
        raise _forged(path, sum(len(tails[stream]) for stream in over), " and ".join(over))
    of_house = [(decode_event(HOUSE_STREAM, data), time) for data, time in _rows(connection, OF_HOUSE)]
    joined = sorted((event.player, event.name, time) for event, time in of_house if isinstance(event, OldJoined))
    if joined != sorted(_rows(connection, "SELECT id, name, joined FROM players")):
        raise _damaged(path, "its players are not those who joined")


def _check_unsigned(path: Path, stream: str, tail: Sequence[Record]) -> None:
    """Version 1 signed a table at the end of every round, and the house after every guest. What comes after the last
    signature is at most what a crash can have left unsigned: a round that is not over, or one guest."""
    events = [decode_event(stream, record.event) for record in tail]
    if stream == HOUSE_STREAM:
        who = [event.player for event in events if isinstance(event, OldJoined)]
        granted = [entry for event in events if isinstance(event, OldBooked) for entry in event.entries]
        usual = [OldEntry(Kind.GRANT.value, "house", f"player:{id}", OLD_GRANT) for id in who]
        likely = len(who) <= 1 and granted in ([], usual) and len(events) == len(who) + len(granted)
    else:
        likely = not any(isinstance(event, ev.RoundEnded | ev.Voided) for event in events[:-1])
    if not likely:
        raise _forged(path, len(tail), stream)


def _last(tail: Sequence[Record]) -> Event:
    return decode_event(tail[-1].stream, tail[-1].event)


def _forged(path: Path, count: int, streams: str) -> StoreError:
    return StoreError(
        f"{path} holds {count} older records of {streams} that the house never signed, more than a crash can leave so:"
        " they may be forged. It was not changed; put a backup in its place."
    )


def _damaged(path: Path, what: str) -> StoreError:
    return StoreError(
        f"{path} holds older records that are damaged: {what}. It was not changed; put a backup in its place."
    )


def _take_over(connection: apsw.Connection) -> tuple[list[tuple[str, str, int]], list[tuple[bytes, str, int, int]]]:
    """The old tables' rows in the new tables. The players and the open sessions become events of the new journal."""
    run = connection.execute
    drop = "SELECT name FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL"
    for kind in ("trigger", "index"):
        for (name,) in run(drop, (kind,)).fetchall():
            run(f'DROP {kind} "{name}"')
    run("PRAGMA legacy_alter_table = ON")
    for table in OLD_TABLES:
        run(f"ALTER TABLE {table} RENAME TO v1_{table}")
    run("PRAGMA legacy_alter_table = OFF")
    run_all(connection, SCHEMA)
    _take_over_commits(connection)
    for (name,) in _rows(connection, "SELECT name FROM v1_accounts"):
        run("INSERT INTO accounts VALUES (?, ?, 0)", (name, int(Account.parse(name).may_owe)))
    run(
        "INSERT INTO entries SELECT event, position, kind, payer, payee, cents FROM v1_entries ORDER BY event, position"
    )
    run("INSERT INTO secrets SELECT root, (SELECT min(id) FROM commits), stream, sealed FROM v1_secrets")
    run("INSERT INTO old_heads SELECT * FROM v1_heads")
    players = _rows(connection, "SELECT id, name, joined FROM v1_players ORDER BY joined, id")
    sessions = _rows(connection, "SELECT token, player, created, expires FROM v1_sessions ORDER BY created, token")
    for table in reversed(OLD_TABLES):
        run(f"DROP TABLE v1_{table}")
    return players, sessions


def _take_over_commits(connection: apsw.Connection) -> None:
    """A command's events become a commit, and so does an event without one, and an answer without an event."""
    run = connection.execute
    events = "SELECT id, stream, sequence, time, actor, command, round, event, hash FROM v1_events ORDER BY id"
    commits: dict[object, tuple[int, str, str]] = {}
    of_event: dict[int, object] = {}
    for id, _, _, time, actor, command, *_ in _rows(connection, events):
        key = (actor, command) if command else id
        commits.setdefault(key, (time, actor, command))
        of_event[id] = key
    for actor, command in run("SELECT actor, command FROM v1_answers ORDER BY actor, command"):
        commits.setdefault((actor, command), (0, actor, command))
    numbers = {key: n - len(commits) for n, key in enumerate(commits)}
    for key, (time, actor, command) in commits.items():
        run(
            "INSERT INTO commits VALUES (?, '', 0, ?, ?, ?, '', x'', x'', '', x'')",
            (numbers[key], time, actor, command),
        )
    for id, stream, sequence, _, _, _, round, event, hash in _rows(connection, events):
        row = (id, numbers[of_event[id]], stream, sequence, round, event, bytes.fromhex(hash))
        run("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def _check_rules(store: Store, keys: Keys) -> None:
    """Before anything is signed: what is recorded and booked is what the rules make, where they are installed, and the
    cards and rolls of a round that is not over are those that the house has sealed."""
    _check_roots(store, keys)
    report, signed = Report(), signed_ends(store.old_heads())
    replay = StreamReplay(report, signed=signed)
    for id, commit in store.commits(store.first_commit() - 1):
        replay.follow(commit, id)
    for problem in report.problems:
        raise _damaged(store.path, problem.rstrip("."))
    for stream, closed in replay.not_played.items():
        if stream not in signed and any(store.entries(stream)):
            raise _damaged(store.path, f"{stream} is played by rules that are not here, and was never signed")
        for player in closed.paid_too_much():
            raise StoreError(
                f"{store.path} holds older records of {stream}, and the rules of that table are not here. Since the"
                f" house has last signed them, the player {player} was paid more than lay there: without the rules"
                " nobody can tell whether that is forged. It was not changed; let the older Feltworks play the round to"
                " its end first, or put a backup in its place."
            )
    for stream, table in replay.tables.items():
        if stream not in signed:
            _check_opened(store.path, stream, table, next(store.read(stream)).time)
        _check_shown(store, keys, stream, table, replay.shown(stream))


def _check_opened(path: Path, stream: str, table: Table, time: int) -> None:
    """A table of which nobody has signed anything is one that a house would open."""
    try:
        check_settings(table.settings, time)
    except FeltworksError as problem:
        raise _damaged(
            path, f"{stream} was never signed, and no house opens such a table: {problem}".rstrip(".")
        ) from None


def _check_roots(store: Store, keys: Keys) -> None:
    """Whatever was dealt or rolled came from what the house has sealed, and each shoe was used once."""
    known: set[str] = set()
    for record in (record for _, commit in store.commits(store.first_commit() - 1) for record in commit.records):
        event = decode_event(record.stream, record.event)
        if not isinstance(event, ev.RoundStarted | ev.Reshuffled) or event.root is None:
            continue
        where = f"{record.stream}, event {record.sequence}"
        if event.root in known:
            raise _damaged(store.path, f"{where}: its cards or rolls were used before")
        known.add(event.root)
        try:
            keys.unseal(store.secret(event.root) or b"", f"shoe {event.root}")
        except BadSeal:
            raise _damaged(store.path, f"{where}: the house never sealed its cards or rolls") from None


def _check_shown(store: Store, keys: Keys, stream: str, table: Table, shown: Mapping[tuple[str, int], str]) -> None:
    shoes = SealedShoes(keys)
    try:
        shoes.load({*table.roots, *(root for root, _ in shown)}, store.secret)
    except FeltworksError as problem:
        raise _damaged(store.path, f"{stream}: {problem}".rstrip(".")) from None
    for (root, position), face in shown.items():
        shoe = shoes.shoes[root]
        if not shows(shoe.what, shoe.opened(position)[0], face):
            raise _damaged(store.path, f"{stream}: what was turned or rolled is not what the house has sealed")


def _rows(connection: apsw.Connection, query: str) -> list[Any]:
    return connection.execute(query).fetchall()


def _begin(
    store: Store,
    keys: Signer,
    now: int,
    players: Sequence[tuple[str, str, int]],
    sessions: Iterable[tuple[bytes, str, int, int]],
) -> None:
    """The first commit of the journal: what was taken over, and everybody who was there."""
    heads = {stream: store.head(stream) for stream in store.streams()}
    balances = store.balances()
    tables = {name: table_digest(store.connection.execute(rows)) for name, rows in TAKEN_OVER.items()}
    happened = [Happened(HOUSE_STREAM, Migrated(1, heads, balances, tables, len(players)))]
    joined = []
    for id, name, time in players:
        salt = secrets.token_bytes(16)
        joined.append(PersonRow(id, name, salt, time))
        happened.append(Happened(person_stream(id), person.Joined(person.identity_digest(salt, name))))
    known = {id for id, *_ in players}
    for token, player, _, expires in sessions:
        if player in known and expires > now:
            happened.append(Happened(person_stream(player), person.SessionOpened(token.hex(), expires)))
    position = Position(0, keys.public, dict(heads), dict(balances))
    journal = Journal.at(store, keys, position)
    journal.commit([Draft(HOUSE_STREAM, Migrate(), PROGRAM, now, happened, joined=joined)])
