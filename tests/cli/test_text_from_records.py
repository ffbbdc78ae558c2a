"""Whoever holds the file may write any text into it: in a terminal it is shown, and does nothing."""

import logging
import re
from pathlib import Path

import pytest

from feltworks.floor.data_folder import RECORDS
from feltworks.floor.table import commands as cmd
from feltworks.kit.printable import printable
from feltworks.web.logs import JsonLines, Lines
from feltworks.web.serving import open_house
from tests.cli.support import felt
from tests.floor.forging import in_hand
from tests.floor.sitting import one_for_the_money
from tests.web.robots import ServerProcess

ERASE = "\x1b[2J\x1b[3J\x1b[H"
"""The screen is empty, and what follows is written at its top."""
SEEN = r"\x1b[2J\x1b[3J\x1b[H"
FALSE = f"{ERASE}Everything is in order.\r\n\x1b[8m"
UNSEEN = re.compile(r"[^\n\x20-\x7e\xa1-\uffff]")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a house in which a round was voided, for a reason that is meant for a terminal."""
    house = open_house(tmp_path)
    house.open_table(one_for_the_money())
    player, _ = house.people.guest()
    house.command("money", player, cmd.Sit(2))
    house.deal_on("money", "start round")
    house.command("money", player, cmd.Place("ante", 500))
    house.void("money", f"the lights {ERASE} went out")
    house.close()
    return tmp_path


@pytest.mark.rule("F-16")
def test_a_text_in_the_file_cannot_make_verify_look_as_if_all_were_in_order(data: Path) -> None:
    with in_hand(data / RECORDS) as file:
        file.execute("INSERT INTO accounts VALUES (?, 0, 0)", (f"player:{FALSE}",))
    result = felt("verify", "--data", str(data))
    assert result.exit_code == 1
    assert not UNSEEN.search(result.output)
    assert SEEN in result.output
    *said, verdict = result.stdout.splitlines()
    assert "Everything is in order." not in said
    assert all(line.startswith(("wrong: ", "note: ")) for line in said[1:])
    assert verdict == f"{len(said) - 1} problem{'s' * (len(said) > 2)} found. What to do: docs/records.md."


@pytest.mark.rule("F-18")
def test_a_reason_that_is_meant_for_the_terminal_is_replayed_as_text(data: Path) -> None:
    said = felt("replay", "money", "--data", str(data)).stdout
    assert not UNSEEN.search(said)
    assert f"the lights {SEEN} went out" in said


def test_a_refusal_that_names_what_is_in_the_file_shows_it_as_text(data: Path) -> None:
    with in_hand(data / RECORDS) as file:
        file.execute("UPDATE events SET stream = ? WHERE stream = 'money'", (f"money{FALSE}",))
    result = felt("replay", "moon", "--data", str(data))
    assert result.exit_code == 2
    assert not UNSEEN.search(result.stderr)
    assert result.stderr.count("\n") == 1


def test_a_start_shows_what_is_in_the_file_as_text(data: Path) -> None:
    with in_hand(data / RECORDS) as file:
        file.execute(f'CREATE TABLE "{FALSE}" (a)')
    with ServerProcess(data) as server:
        server.stop()
        for said in (server.said, server.complaints):
            assert not UNSEEN.search(said)
            assert f"The house is read-only. The table {SEEN}Everything" in said


def test_the_tables_are_listed_with_their_reasons_as_text(data: Path) -> None:
    with ServerProcess(data):
        for words in (["pause", "money", "--reason", FALSE], ["list"], ["list", "--json"]):
            said = felt("tables", *words, "--data", str(data)).stdout
            assert "Everything is in order." in said
            assert not UNSEEN.search(said)


@pytest.mark.parametrize("lines", [Lines(), JsonLines()], ids=lambda lines: type(lines).__name__)
def test_a_line_of_a_log_shows_what_is_in_the_file_as_text(lines: logging.Formatter) -> None:
    text = f"{FALSE}\x9b2J\u202e"
    record = logging.makeLogRecord({"name": "feltworks.house", "msg": "%s", "args": (text,), "table": text})
    assert not UNSEEN.search(lines.format(record))
    assert r"\u202e" in lines.format(record)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Größe · 7 to 1 …", "Größe · 7 to 1 …"),
        ("\x1b]0;x\x07", r"\x1b]0;x\x07"),
        ("one\r\ntwo\tthree\x7f", r"one\r\ntwo\tthree\x7f"),
        ("\x9b2J", r"\x9b2J"),
        ("\u202eleft\u2066\u200b\ufeff", r"\u202eleft\u2066\u200b\ufeff"),
        ("\u2028\U000e0041", r"\u2028\U000e0041"),
        ("\ud800", r"\ud800"),
        ("", ""),
    ],
)
def test_what_is_not_seen_is_shown_by_its_number(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable(shown) == shown
