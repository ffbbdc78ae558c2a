"""The seat of somebody who closed the page: free soon if nothing of theirs lies there, and kept for who comes back."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from feltworks.floor.table.settings import Clocks
from feltworks.web import hub as hub_module
from tests.web.robots import LocalServer, Robot, money

CLOCKS = Clocks(betting=600_000, decision=600_000, away=600_000, seat=600_000, absent=600_000)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    """A table where seats are looked at as soon as a page is closed."""
    with LocalServer(tmp_path, [money(clocks=CLOCKS)]) as server, patch.object(hub_module, "KEEPS_SEAT", 0.0):
        yield server
        server.check()


def name(robot: Robot, seat: int) -> str | None:
    found: str | None = robot.view["seats"][seat - 1]["name"]
    return found


def sees(robot: Robot, *seats: int) -> None:
    robot.until(lambda view: all(view["seats"][seat - 1]["name"] for seat in seats))


def is_free(robot: Robot, seat: int) -> None:
    robot.until(lambda view: view["seats"][seat - 1]["name"] is None)


@pytest.mark.rule("F-30")
def test_the_seat_of_a_page_that_was_closed_is_free_and_that_of_a_lost_connection_is_kept(server: LocalServer) -> None:
    with server.join("money", 1) as ann:
        server.join("money", 2).lose()
        bob = server.join("money", 3)
        sees(ann, 2, 3)
        ann.until(lambda view: not view["seats"][1]["present"] and view["seats"][1]["name"])
        bob.close()
        is_free(ann, 3)
        assert name(ann, 2)
        with bob.again() as back:
            assert back.you["seat"] is None


@pytest.mark.rule("F-30")
def test_a_seat_with_chips_is_kept_until_they_are_decided(server: LocalServer) -> None:
    with server.join("money", 1) as ann:
        bob = server.join("money", 2)
        cid = server.join("money", 3)
        sees(ann, 2, 3)
        bob.phase("betting")
        bob.done("place", spot="ante", amount=500)
        bob.close()
        ann.until(lambda view: not view["seats"][1]["present"])
        cid.close()
        is_free(ann, 3)
        assert ann.view["seats"][1]["wagers"] == {"ante": 500}
        assert not ann.view["seats"][1]["leaving"]
        server.run(lambda house: house.void("money", "for the test"))
        is_free(ann, 2)


@pytest.mark.rule("F-30")
def test_whoever_opens_the_page_again_or_has_it_open_twice_keeps_the_seat(server: LocalServer) -> None:
    with server.join("money", 1) as ann, patch.object(hub_module, "KEEPS_SEAT", 3_600.0):
        bob, cid = server.join("money", 2), server.join("money", 3)
        sees(ann, 2, 3)
        with bob.again():
            bob.close()
            cid.close()
            ann.until(lambda view: not view["seats"][2]["present"])
            assert ann.view["seats"][1]["present"]
            assert list(server.run(lambda _: [player for _, player in server.hub._closed])) == [
                server.run(lambda house: house.live("money").table.seats[3].player)
            ]
            with cid.again():
                ann.until(lambda view: view["seats"][2]["present"])
                assert server.run(lambda _: dict(server.hub._closed)) == {}
        assert name(ann, 2) and name(ann, 3)
