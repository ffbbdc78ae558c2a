"""How long a table waits, as its clients see it: the dealer's pauses, clocks, and whom betting waits for."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltworks.floor.table.settings import Pace
from tests.web.robots import LocalServer, Robot, money

LONG = 3_600_000
"""A pause that no test waits for."""


def wish(robot: Robot, what: str) -> None:
    robot.say(json.dumps({"wish": what}))


def bet(*robots: Robot) -> None:
    for robot in robots:
        robot.phase("betting")
        robot.done("place", spot="ante", amount=500)
    for robot in robots:
        robot.done("ready")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [money(pace=Pace(LONG, LONG, LONG), seats=3)]) as server:
        yield server
        server.check()


def test_the_dealer_goes_on_for_somebody_alone_who_asks_and_passes_over_no_decision(server: LocalServer) -> None:
    with server.join("money", 1) as ann:
        bet(ann)
        assert ann.phase("dealing")["round"] == 1
        wish(ann, "go on")
        assert ann.my_turn()["round"] == 1
        before = ann.view["version"]
        wish(ann, "go on")  # what is asked for now would be of a decision, and is of none
        ann.done("choose", option="check")
        assert ann.phase("dealing")["version"] > before
        wish(ann, "go on")
        assert ann.phase("over")["round"] == 1
        wish(ann, "go on")
        assert ann.next_round()["round"] == 2


def test_nobody_is_hurried_by_another_and_who_is_away_or_watches_is_not_asked(server: LocalServer) -> None:
    with server.join("money", 1) as ann, server.join("money", 2) as bob, server.watch("money") as eve:
        bet(ann, bob)
        for robot in (ann, eve, ann):
            robot.phase("dealing")
            wish(robot, "go on")
        assert ann.told("nothing at all")["refused"] is None  # by then the wishes were heard
        assert ann.view["phase"] == "dealing"
        wish(bob, "go on")
        ann.my_turn()
        ann.done("choose", option="check")
        bob.my_turn()
        bob.done("choose", option="check")
        bob.phase("dealing")
        wish(bob, "go on")
        ann.close()
        assert bob.phase("over")


def test_wishes_are_in_no_record_and_too_many_at_once_are_refused(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feltworks.web.sockets.PER_SECOND", 2)
    with server.join("money", 1) as ann:
        ann.phase("betting")
        with server.reading() as store:
            before = store.head("money")
        for what in ("calm", "motion", "go on") * 10:
            wish(ann, what)
        assert ann.answer(None)["why"] == "That was too much at once; wait a second."
        with server.reading() as store:
            assert store.head("money") == before
