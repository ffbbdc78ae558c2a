"""Whoever owns the data folder lets somebody in who is locked out, while the house is served: `felt people`."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltworks.floor.actors import PROGRAM
from feltworks.floor.roles import Role
from feltworks.floor.store.reader import Reader
from feltworks.floor.streams import HOUSE_STREAM
from feltworks.web.serving import open_house
from tests.cli.support import felt
from tests.web.people_of_the_house import PASSWORD, Window, employ
from tests.web.robots import ServerProcess

OTHER = "eleven grey whales"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A house with a manager, and a dealer who has no password yet."""
    house = open_house(tmp_path)
    employ(house, "Kim", Role.MANAGER)
    house.staff.add("Lee", ["dealer"], PROGRAM)
    house.close()
    return tmp_path


@pytest.fixture
def server(folder: Path) -> Iterator[ServerProcess]:
    with ServerProcess(folder) as server:
        yield server


def people(server: ServerProcess, *words: str) -> str:
    """What `felt people` says."""
    done = felt("people", *words, "--data", str(server.folder))
    assert done.exit_code == 0, done.stderr
    return done.stdout


def refused(server: ServerProcess, *words: str) -> str:
    done = felt("people", *words, "--data", str(server.folder))
    assert done.exit_code == 2
    return " ".join(done.stderr.split())


@pytest.mark.slow
@pytest.mark.rule("F-13")
def test_the_command_lists_who_works_in_the_house(server: ServerProcess) -> None:
    assert people(server).splitlines() == [
        "Kim                   manager  (1 open session)",
        "Lee                   dealer, no password yet  (0 open sessions)",
    ]
    listed = json.loads(people(server, "--json"))["people"]
    assert [(who["name"], who["roles"], who["has_password"]) for who in listed] == [
        ("Kim", ["manager"], True),
        ("Lee", ["dealer"], False),
    ]


@pytest.mark.slow
@pytest.mark.rule("F-13")
def test_a_manager_who_is_locked_out_gets_a_code_on_the_machine_and_it_is_recorded(server: ServerProcess) -> None:
    found = re.search(r"which is good once: ([0-9A-Z-]{23})$", people(server, "code", "kim").strip())
    assert found is not None
    fields = {"name": "Kim", "code": found[1], "password": OTHER, "again": OTHER}
    assert Window(server).post("/password", fields).headers["location"] == "/house"
    with Reader(server.folder / "records.db") as store:
        given = [commit for _, commit in store.commits() if b'"give code"' in commit.command]
        assert given[-1].actor == "program:house"
        assert found[1].encode() not in (server.folder / "records.db").read_bytes()


@pytest.mark.slow
@pytest.mark.rule("F-13")
def test_a_player_with_an_account_becomes_the_manager_of_a_house_without_one(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, "--demo") as server:
        ann = Window(server, server.session())
        ann.post("/me", {"do": "password", "name": "Ann", "password": PASSWORD, "again": PASSWORD})
        visitor = Window(server).post("/demo", {"role": "manager"})
        assert visitor.status == 303
        assert "Demo manager 1        manager, of the demonstration  (1 open session)" in people(server)
        for name in ("Demo manager 1", "Nobody here"):
            assert f"Nobody comes in by the name '{name}'" in refused(server, "manager", name)
            assert f"Nobody comes in by the name '{name}'" in refused(server, "code", name)
        assert "Ann                   manager  (1 open session)" in people(server, "manager", "Ann")
        with Reader(tmp_path / "records.db") as store:
            assert b"Made the manager on the machine: there was none." in list(store.read(HOUSE_STREAM))[-1].event
        assert "This house has a manager, Ann: they give roles" in refused(server, "manager", "Ann")


@pytest.mark.rule("F-13")
def test_whoever_does_not_say_who_is_told_how(tmp_path: Path) -> None:
    for what in ("code", "manager"):
        done = felt("people", what, "--data", str(tmp_path))
        assert done.exit_code == 2 and f"Say who: `felt people {what} NAME`." in done.stderr
    assert "No house is served from" in felt("people", "--data", str(tmp_path)).stderr
