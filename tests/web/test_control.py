"""Whoever owns the data folder runs the tables while they are served: `felt tables`."""

import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltworks.floor.store.reader import Reader
from feltworks.web.control import NAME, Request, ask
from tests.cli.support import felt
from tests.web.robots import PATIENCE, Robot, ServerProcess, money, play_on


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path, tables=[money()]) as server:
        yield server


def tables(server: ServerProcess, *words: str) -> str:
    """What `felt tables` says."""
    return felt("tables", *words, "--data", str(server.folder)).stdout


def refused(server: ServerProcess, *words: str) -> str:
    done = felt("tables", *words, "--data", str(server.folder))
    assert done.exit_code
    return done.stderr


def at_a_decision(server: ServerProcess) -> Robot:
    ann = server.join("money", 3)
    ann.phase("betting")
    ann.done("place", spot="ante", amount=500)
    ann.done("ready")
    ann.my_turn()
    return ann


def test_nobody_but_the_owner_of_the_folder_can_open_the_socket(server: ServerProcess) -> None:
    mode = (server.folder / NAME).stat().st_mode
    assert stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o600
    server.stop()
    assert not (server.folder / NAME).exists()


def test_a_table_that_is_opened_while_the_house_runs_is_in_the_lobby_and_has_a_dealer(server: ServerProcess) -> None:
    said = tables(server, "open", "second", "--like", "money", "--name", "The new one")
    assert [line.split()[:2] for line in said.splitlines()] == [["money", "open"], ["second", "open"]]
    assert [listed["name"] for listed in server.get("/api/tables")] == ["Burgundy", "The new one"]
    assert "The new one" in server.ask("/").text
    ann = server.join("second", 1)
    ann.phase("betting")
    ann.done("place", spot="ante", amount=500)
    ann.done("ready")
    play_on(ann)


def test_a_paused_table_says_why_and_goes_on(server: ServerProcess) -> None:
    ann = at_a_decision(server)
    tables(server, "pause", "money", "--reason", "A spill")
    view = ann.until(lambda view: view["message"] == "The table is paused: A spill.")
    assert (view["you"]["options"], view["deadline"]) == ([], None)
    assert ann.refused("choose", option="check") == "The table is paused: A spill. Wait until it goes on."
    assert "Paused: A spill." in server.ask("/").text
    tables(server, "resume", "money")
    ann.my_turn()
    ann.done("choose", option="check")
    ann.next_round()


def test_a_table_is_closed_when_the_round_is_over_and_opened_again(server: ServerProcess) -> None:
    ann = at_a_decision(server)
    tables(server, "close", "money", "--reason", "The shift ends")
    assert "Closes after this round: The shift ends." in server.ask("/").text
    ann.done("choose", option="check")
    ann.until(lambda view: view["message"] == "The table is closed: The shift ends.")
    assert ann.you["seat"] is None
    assert ann.refused("sit", seat=1) == "The table is closed: The shift ends."
    lobby = server.ask("/").text
    assert "Closed: The shift ends." in lobby and 'data-offer="watch"' in lobby
    late = server.ask("/play", "POST", b"table=money", content_type="application/x-www-form-urlencoded")
    assert (late.status, "This table is closed: The shift ends." in late.text) == (503, True)
    tables(server, "reopen", "money")
    ann.done("sit", seat=1)
    ann.phase("betting")


def test_the_house_is_closed_for_the_night_when_all_is_settled(server: ServerProcess) -> None:
    ann = at_a_decision(server)
    tables(server, "open", "second", "--like", "money")
    said = tables(server, "night", "--reason", "Good night")
    assert [line.split()[:2] for line in said.splitlines()] == [["money", "closing:"], ["second", "closed:"]]
    assert server.process.poll() is None
    ann.done("choose", option="check")
    end = time.monotonic() + PATIENCE
    while server.process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    assert server.process.poll() == 0
    with Reader(server.records) as store:
        store.check_books()
    assert felt("verify", "--data", str(server.folder)).exit_code == 0


def test_what_cannot_be_is_refused_in_words(server: ServerProcess, tmp_path: Path) -> None:
    assert "Say which table: `felt tables pause TABLE`." in refused(server, "pause")
    assert "Say why." in refused(server, "pause", "money")
    assert "There is no table 'moon'" in refused(server, "pause", "moon", "--reason", "It is dark")
    assert "The table is open." in refused(server, "resume", "money")
    assert "There is a table 'money' already" in refused(server, "open", "money", "--like", "money")
    assert "'dance' is none of" in ask(server.folder, Request("dance")).problem
    empty = tmp_path / "empty"
    empty.mkdir()
    done = felt("tables", "--data", str(empty))
    assert f"No house is served from {empty}; start one with `felt serve`." in " ".join(done.stderr.split())
