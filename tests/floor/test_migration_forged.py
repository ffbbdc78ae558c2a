"""Records of the first version that somebody has changed who holds the file and the source, and not the key: nothing of
that is signed when they are taken over (F-16)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest

from feltworks.floor.accounts import player_account
from feltworks.floor.data_folder import RECORDS
from feltworks.floor.journal.records import FIRST, chained
from feltworks.floor.journal.upcasting import decode_event, encode
from feltworks.floor.store.backup import copy_file
from feltworks.floor.store.sqlite import StoreError
from feltworks.floor.table import events as ev
from feltworks.floor.table.settings import Limits
from feltworks.floor.table.state import NotInstalled, check_rules
from feltworks.kit.game import Game
from tests.floor.damage import rows_in
from tests.floor.forging import in_hand
from tests.floor.test_migration import (
    CLOSED,
    GO_ON,
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
        (tail("money", b"\xff{"), "money, event 87, is none that Feltworks writes"),
        (tail("house", b"[]"), "house, event 7, is none that Feltworks writes"),
        (tail("house", b'{"kind":"joined","player":5}'), "house, event 7, is none that Feltworks writes"),
        (sql("UPDATE players SET name = CAST(x'ff' AS TEXT)"), "some bytes are no characters"),
        (sql("UPDATE events SET actor = CAST(x'ff' AS TEXT) WHERE id = 5"), "some bytes are no characters"),
        (
            sql("INSERT INTO sessions VALUES (x'00', CAST(x'ff' AS TEXT), 1, 9223372036854775807)"),
            "some bytes are no characters",
        ),
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


# The table whose rules are not installed any more.


def roll(paid: int, faces: str = "6,5,6,6", stake: str = "stays", seat: int = 2) -> bytes:
    """A roll at Yo! by which a seat wins or loses, as version 1 wrote it."""
    settled = {"amount": 500, "kind": "settled", "line": "x", "paid": paid, "pays": "x", "returned": 0}
    settled |= {"rule": "Y-1", "seat": seat, "spot": "play", "stake": stake}
    return b'{"answer":["dice",%s],"effects":[%s],"kind":"answered"}' % (faces.encode(), msgspec.json.encode(settled))


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("kind", ["payout", "wager returned"])
def test_money_that_a_table_without_its_rules_paid_unsigned_is_not_taken_over(folder: Path, kind: str) -> None:
    with in_hand(folder / RECORDS) as file:
        event = append(file, CLOSED, roll(50_000_000).replace(b'"returned":0', b'"returned":50000000'))
        file.execute("INSERT INTO entries VALUES (?, 0, ?, 'table:yo', ?, 50000000)", (event, kind, f"player:{THIEF}"))
        file.execute("UPDATE accounts SET balance = balance - 50000000 WHERE name = 'table:yo'")
        file.execute("UPDATE accounts SET balance = balance + 50000000 WHERE name = ?", (f"player:{THIEF}",))
    before = rows_in(folder / RECORDS)
    with pytest.raises(StoreError, match=rf"older records of yo, .* the player {THIEF} was paid more than lay there"):
        house_in(folder)
    assert rows_in(folder / RECORDS) == before


@pytest.mark.rule("F-16", "F-17")
@pytest.mark.parametrize(
    "event",
    [roll(50_000_000), roll(50_000_000, "1,1,1,1"), roll(0, stake="taken", seat=1)],
    ids=["a win", "a win by ones", "a loss of somebody else"],
)
def test_by_a_roll_that_nobody_signed_nobody_has_won_or_lost_without_the_rules(
    folder: Path, tmp_path: Path, event: bytes
) -> None:
    with started(unpacked(tmp_path / "honest")) as house:
        honest = house.journal.position.balances
    with in_hand(folder / RECORDS) as file:
        append(file, CLOSED, event)
    with started(folder) as house:
        assert house.journal.position.balances == honest
        assert house.closed[CLOSED].settings is not None
    assert verified(folder).ok


@pytest.mark.rule("F-16", "F-17")
@pytest.mark.parametrize("table", GO_ON)
def test_a_table_that_was_closed_without_its_rules_verifies_with_them_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    """By the rules somebody may have won since the last signature; when the table was closed, nobody could know."""

    def missing(opened: ev.Opened) -> Game:
        if opened.settings.id == table:
            raise NotInstalled("Its rules are away.")
        return check_rules(opened)

    with monkeypatch.context() as patch:
        for module in ("recovery", "verification.replay"):
            patch.setattr(f"feltworks.floor.{module}.check_rules", missing)
        with started(folder) as house:
            assert house.closed[table].why == "Its rules are away."
        assert verified(folder).ok
    report = verified(folder)
    assert report.ok, report.problems
    assert not any(table in said for said in report.not_replayed)


# A table that somebody has put there.


@pytest.mark.rule("F-03", "F-16")
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"limits": {"ante": Limits(1, 10**12), "three_card_bonus": Limits(1, 10**12)}},
            "no house opens such a table: ",
        ),
        ({"seats": 500}, "no house opens such a table: One For The Money has 1 to "),
        ({"chip": -5}, "no house opens such a table: A chip of -5 cents cannot be"),
        ({"id": "money"}, "zzz, event 1: it opens a table that calls itself 'money'"),
    ],
    ids=["limits", "seats", "chip", "id"],
)
def test_a_table_that_no_house_opens_is_not_taken_over(folder: Path, settings: dict[str, Any], said: str) -> None:
    with in_hand(folder / RECORDS) as file:
        ((data,),) = file.execute("SELECT event FROM events WHERE stream = 'money' AND sequence = 1").fetchall()
        assert isinstance(data, bytes)
        opened = decode_event("money", data)
        assert isinstance(opened, ev.Opened)
        made = msgspec.structs.replace(opened.settings, **{"id": "zzz", "name": "For friends", **settings})
        append(file, "zzz", encode(msgspec.structs.replace(opened, settings=made)))
    with pytest.raises(StoreError, match=f"damaged: .*{said}"):
        house_in(folder)
