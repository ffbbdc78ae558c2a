"""How long a table waits, as its clients see it: the dealer's pauses, clocks, and whom betting waits for."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltworks.floor.table.dealer import ALONE, CALM
from feltworks.floor.table.settings import Clocks, Pace
from tests.web.robots import LocalServer, Robot, money, yo

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


def test_the_pauses_of_somebody_alone_are_shorter_where_nothing_moves_on_any_of_their_screens(
    server: LocalServer,
) -> None:
    def pauses() -> int:
        due = server.run(lambda house: house.due("money", server.hub.wish_at("money")))
        assert due is not None and due.doing == "answer"
        return due.at - server.run(lambda house: house.live("money").since)

    with server.join("money", 1) as ann, server.watch("money") as eve:
        bet(ann)
        ann.phase("dealing")
        assert pauses() == LONG * ALONE // 100
        wish(ann, "calm")
        wish(eve, "motion")
        server.wait_for(lambda: pauses() == LONG * CALM // 100)
        with ann.again() as tab:
            assert pauses() == LONG * ALONE // 100
            wish(tab, "calm")
            server.wait_for(lambda: pauses() == LONG * CALM // 100)
        with server.join("money", 2):
            assert pauses() == LONG


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


# Clocks. The house's time stands still but for what a test lets pass.


@pytest.fixture
def still(tmp_path: Path) -> Iterator[LocalServer]:
    clocks = Clocks(absent=10_000)
    tables = [money(clocks=clocks, seats=3), yo(clocks=clocks)]
    with LocalServer(tmp_path, tables, clock=lambda: 1_800_000_000_000) as server:
        yield server
        server.check()


def left(robot: Robot) -> int | None:
    """What is left on the clock."""
    view = robot.view
    return None if view["deadline"] is None else view["deadline"] - view["now"]


def asked(server: LocalServer) -> tuple[Robot, Robot]:
    """Two players, of whom one is asked and the other waits."""
    ann, bob = server.join("money", 1), server.join("money", 2)
    bet(ann, bob)
    ann.phase("deciding")
    bob.phase("deciding")
    return (ann, bob) if ann.you["options"] else (bob, ann)


@pytest.mark.rule("F-30")
def test_who_is_alone_sees_no_clock_until_a_second_person_sits_down(still: LocalServer) -> None:
    with still.join("money", 1) as ann:
        ann.phase("betting")
        ann.done("place", spot="ante", amount=500)
        assert ann.until(lambda view: view["you"]["staked"])["deadline"] is None
        ann.done("ready")
        assert ann.my_turn()["deadline"] is None
        with still.join("money", 2) as bob:
            ann.until(lambda view: view["seats"][1]["name"])
            assert left(ann) == Clocks().decision
            bob.done("leave")
            assert ann.until(lambda view: not view["seats"][1]["name"])["deadline"] is None


@pytest.mark.rule("F-30")
def test_a_page_that_is_loaded_again_gets_no_longer_clock(still: LocalServer) -> None:
    ann, bob = asked(still)
    still.pass_time(1_000)
    number = ann.you["seat"] - 1
    for passed in (1_000, 2_000, 3_000):
        ann.close()
        bob.until(lambda view: not view["seats"][number]["present"])
        assert left(bob) == 10_000
        still.pass_time(1_000)
        ann = ann.again()
        assert left(ann) == Clocks().decision - 1_000 - passed
        bob.until(lambda view: view["seats"][number]["present"])
    ann.done("choose", option="check")
    ann.close()
    bob.close()


@pytest.mark.rule("F-30")
def test_others_wait_ten_seconds_for_who_is_away_and_the_wager_plays_on(still: LocalServer) -> None:
    ann, bob = asked(still)
    number = ann.you["seat"] - 1
    ann.lose()
    bob.until(lambda view: not view["seats"][number]["present"])
    still.pass_time(9_999)
    assert bob.view["phase"] == "deciding"
    still.pass_time(1)
    bob.my_turn()
    bob.done("choose", option="check")
    bob.next_round()
    assert {answer["option"] for answer in bob.given("decide")} == {"check"}
    bob.close()


@pytest.mark.rule("F-30")
def test_who_has_not_bet_is_not_waited_for_and_joins_the_next_round(still: LocalServer) -> None:
    with still.join("money", 1) as ann, still.join("money", 2) as bob:
        bet(ann)
        ann.my_turn()
        assert bob.phase("deciding")["message"] == f"{ann.you['name']} to act. You join the next round."
        with still.join("money", 3) as cyd:
            assert (
                cyd.until(lambda view: view["you"]["seat"])["message"]
                == f"{ann.you['name']} to act. You join the next round."
            )
            assert ann.view["message"] == "Your decision."
            ann.done("choose", option="check")
            assert "You join" not in cyd.next_round()["message"]


def test_a_newcomer_at_a_dice_table_joins_the_next_roll(still: LocalServer) -> None:
    with still.join("yo", 1) as ann:
        ann.phase("betting")
        ann.done("place", spot="play", amount=500)
        ann.done("ready")
        ann.my_turn()
        with still.join("yo", 2) as bob:
            assert (
                bob.until(lambda view: view["you"]["seat"])["message"]
                == f"{ann.you['name']} to roll. You join the next roll."
            )
