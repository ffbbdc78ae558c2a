"""A file whose pages were changed beside SQLite: whoever reads it comes to an end, and says in words what is wrong."""

import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from feltworks.floor.house import House
from feltworks.floor.store.reader import Reader, Unreadable
from feltworks.floor.store.schema import StoreError
from feltworks.floor.store.sqlite import Store
from feltworks.floor.verification.verify import verify
from tests.floor.damage import in_other_kinds
from tests.floor.forging import in_hand, play, problems
from tests.floor.killing import KEYS


@pytest.fixture(scope="module")
def played_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("played") / "house.db"
    play(Store(path)).close()
    return path


@pytest.fixture
def path(played_once: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(played_once, tmp_path / "house.db"))


def _in_cell(number: int) -> bytes:
    """A small number as it stands in a cell of an index."""
    return number.to_bytes(1 if number < 128 else 2, "big")


def lead_back(path: Path, stream: str, to: int) -> None:
    """The last entry of a stream in the index of events gets the number of an earlier one: after it comes itself."""
    with closing(apsw.Connection(str(path))) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        query = "SELECT sequence, id FROM events WHERE stream = ? ORDER BY sequence DESC LIMIT 1"
        sequence, id = (int(str(value)) for value in file.execute(query, (stream,)).fetchall()[0])
    last, row, earlier = _in_cell(sequence), _in_cell(id), _in_cell(to).rjust(len(_in_cell(sequence)), b"\0")
    # A cell: how long its head is, then of each value the kind, then the values. Text of 5 letters is of the kind 23.
    cell = bytes([4, 13 + 2 * len(stream), len(last), len(row)]) + stream.encode()
    data = path.read_bytes()
    assert data.count(cell + last + row) == 1
    path.write_bytes(data.replace(cell + last + row, cell + earlier + row))


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("stream", ["money", "house"])
def test_an_index_that_leads_back_is_told_in_words_by_a_check_of_the_records(path: Path, stream: str) -> None:
    with closing(House(Store(path), KEYS, lambda: 5_000)) as house:
        for _ in range(5):
            house.people.guest()
    lead_back(path, stream, 1)
    assert any("damaged" in said for said in problems(path))


@pytest.mark.rule("F-16")
def test_a_table_whose_index_leads_back_is_closed_with_words(path: Path) -> None:
    lead_back(path, "money", 2)
    with closing(House(Store(path), KEYS, lambda: 5_000)) as house:
        assert "its rows are not in their order" in house.closed["money"].why
        assert list(house.tables) == ["between"]


@pytest.mark.rule("F-16")
def test_reading_a_stream_whose_index_leads_back_comes_to_an_end(path: Path) -> None:
    lead_back(path, "money", 2)
    with Reader(path) as store, pytest.raises(Unreadable, match="its rows are not in their order"):
        list(store.read("money"))


# Values of another kind than Feltworks writes.


@pytest.mark.rule("F-16")
@pytest.mark.parametrize("value", ["'x'", "5", "5.5"])
@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("snapshots", "The snapshot of table money is damaged or of other records; all its events are folded."),
        ("checkpoints", "is not signed by the house; all commits are read."),
    ],
)
def test_a_shortcut_of_another_kind_is_found_and_not_used(
    path: Path, caplog: pytest.LogCaptureFixture, table: str, said: str, value: str
) -> None:
    with closing(House(Store(path), KEYS, lambda: 5_000)) as house:
        before = house.live("money").table
    in_other_kinds(path, table, f"UPDATE {table} SET state = {value}")
    assert problems(path)
    caplog.clear()
    with closing(House(Store(path), KEYS, lambda: 5_000)) as house:
        assert not house.fault and not house.closed
        assert house.live("money").table == before
    assert any(message.endswith(said) for message in caplog.messages)


@pytest.mark.rule("F-16")
@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO commits VALUES (-9223372036854775808, 'main', 2, 1, 'program:house', '', 'house', x'7b7d',"
        " x'', '', x'')",
        "UPDATE events SET sequence = -9223372036854775808 WHERE id = 5",
    ],
)
def test_a_number_at_the_end_of_all_numbers_is_told_in_words(path: Path, statement: str) -> None:
    with in_hand(path) as file:
        file.execute(statement)
    said = problems(path)
    assert said
    assert not any("int too big" in problem for problem in said)


# What the file says that it holds.


@pytest.mark.rule("F-16")
def test_an_index_that_stands_in_the_file_twice_is_found(path: Path) -> None:
    """Of two with one name SQLite takes the last, which may lead to other pages."""
    with closing(apsw.Connection(str(path))) as file:
        file.execute("PRAGMA writable_schema = ON").fetchall()
        file.execute("INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = 'sqlite_autoindex_events_1'")
    said = "The index sqlite_autoindex_events_1 of the file is not what Feltworks made it."
    assert said in problems(path)
    with closing(House(Store(path), KEYS, lambda: 5_000)) as house:
        assert said in house.fault


# What another program has left beside it.

LEFT = """
import apsw, os, sys
file = apsw.Connection(sys.argv[1])
for pragma in ("journal_mode = DELETE", "cache_size = 1", "cache_spill = 1"):
    file.execute(f"PRAGMA {pragma}").fetchall()
file.execute("BEGIN IMMEDIATE")
file.execute("UPDATE accounts SET balance = balance - 5 WHERE name LIKE 'player:%'")
file.cache_flush()
os._exit(0)
"""


@pytest.mark.rule("F-16")
def test_a_change_that_another_program_did_not_end_is_told_for_what_it_is(path: Path) -> None:
    subprocess.run([sys.executable, "-c", LEFT, str(path)], check=True)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"house\.db-journal lies beside it, from a change that another program began"):
        verify(path, KEYS.public)
    assert path.read_bytes() == before
