"""Records of the first version that somebody has changed who holds the file and the source, and not the key: nothing of
that is signed when they are taken over (F-16)."""

from collections.abc import Callable
from pathlib import Path

import apsw
import msgspec
import pytest

from feltworks.floor.accounts import player_account
from feltworks.floor.data_folder import RECORDS
from feltworks.floor.journal.records import FIRST, chained
from feltworks.floor.journal.upcasting import encode
from feltworks.floor.store.backup import copy_file
from feltworks.floor.store.sqlite import StoreError
from feltworks.floor.table import events as ev
from tests.floor.damage import rows_in
from tests.floor.forging import in_hand
from tests.floor.test_migration import (
    KNOWN,
    _statements,
    appended,
    grant,
    house_in,
    started,
    unpacked,
    verified,
)

THIEF = "2441e3d54410492b"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The old data folder."""
    return unpacked(tmp_path / "old")


# While it is taken over.


@pytest.mark.rule("F-16")
def test_nobody_writes_an_older_file_between_its_check_and_its_signature(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody waits for the copy, which is made when everything was looked at."""

    def copied(source: apsw.Connection, to: Path) -> None:
        copy_file(source, to)
        with pytest.raises(apsw.BusyError):
            appended(folder, "house", grant(THIEF, 50_000_000))

    before = rows_in(folder / RECORDS)
    monkeypatch.setattr("feltworks.floor.store.migration.copy_file", copied)
    with started(folder) as house:
        assert not house.fault
        assert house.balance(THIEF) < KNOWN["balances"][str(player_account(THIEF))] + 10_000
    assert rows_in(folder / f"{RECORDS}.version-1") == before
    assert verified(folder).ok


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("statement", [1, 2, 3])
def test_what_somebody_writes_into_an_older_file_before_that_is_not_taken_over(folder: Path, statement: int) -> None:
    def forging(n: int, _: str) -> None:
        if n == statement:
            appended(folder, "house", grant(THIEF, 50_000_000))

    with pytest.raises(StoreError, match="was changed by somebody else while the house was open"):
        _statements(folder, forging)
    with pytest.raises(StoreError, match="older records of house that the house never signed"):
        house_in(folder)


# What is no record at all.


def tail(stream: str, event: bytes, actor: str = "dealer", command: str = "") -> Callable[[Path], None]:
    """An event after the last one of a stream, its hash right and nothing signed."""

    def forge(path: Path) -> None:
        with in_hand(path) as file:
            append(file, stream, event, actor, command)

    return forge


def append(file: apsw.Connection, stream: str, event: bytes, actor: str = "dealer", command: str = "") -> int:
    """The same; the number of its row is the answer."""
    last = "SELECT sequence, hash, time, round FROM events WHERE stream = ? ORDER BY sequence DESC LIMIT 1"
    sequence, hash, time, round = next(file.execute(last, (stream,)), (0, FIRST, KNOWN["time"], 0))
    record = chained(stream, sequence + 1, time, actor, command, round, event, hash)
    file.execute(
        "INSERT INTO events (stream, sequence, time, actor, command, round, event, previous, hash)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        msgspec.structs.astuple(record),
    )
    return file.last_insert_rowid()


def sql(statement: str) -> Callable[[Path], None]:
    def forge(path: Path) -> None:
        with in_hand(path) as file:
            file.execute(statement)

    return forge


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    ("forge", "said"),
    [
        (tail("money", b"\xff{"), ""),
        (tail("house", b"[]"), ""),
        (tail("house", b'{"kind":"joined","player":5}'), ""),
        (sql("UPDATE players SET name = CAST(x'ff' AS TEXT)"), ""),
        (sql("UPDATE events SET actor = CAST(x'ff' AS TEXT) WHERE id = 5"), ""),
        (sql("INSERT INTO sessions VALUES (x'00', CAST(x'ff' AS TEXT), 1, 9223372036854775807)"), ""),
        (sql("INSERT INTO accounts VALUES ('fortune', 0)"), "'fortune' is not an account"),
        (sql("INSERT INTO heads VALUES ('money', 1, 'zz', 1, x'', 'nothex')"), "is not what the house has signed"),
        (
            sql("UPDATE entries SET position = position + 3 WHERE event = 447"),
            "the entries of event 447 of the file are not numbered as they were written",
        ),
        (
            tail("money", encode(ev.Presence(1, False)), "73a9bef499bbf4dc", "c1"),
            "the command c1 of 73a9bef499bbf4dc has events that were not written together",
        ),
    ],
    ids=["no JSON", "a list", "a number", "name", "actor", "session", "account", "head", "positions", "old command"],
)
def test_nonsense_in_an_older_file_is_told_in_words_that_name_it(
    folder: Path, forge: Callable[[Path], None], said: str
) -> None:
    forge(folder / RECORDS)
    before = (folder / RECORDS).read_bytes()
    with pytest.raises(
        StoreError, match=rf"{RECORDS} holds older records that are damaged: .*{said}.* not changed; put"
    ):
        house_in(folder)
    assert (folder / RECORDS).read_bytes() == before
