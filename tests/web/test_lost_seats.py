"""Whoever loses a seat, or may not have one, reads why at the table and in the lobby; nobody else does."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from feltworks.floor.actors import PROGRAM
from feltworks.floor.actors import person as by_person
from feltworks.floor.house import House
from feltworks.floor.player_limits import BREAK, DAY, LOSS
from feltworks.floor.roles import Role
from feltworks.floor.table.settings import Clocks
from feltworks.web import hub as hub_module
from feltworks.web import lost_seats
from feltworks.web.lost_seats import LostSeats
from tests.browser.cards import stack
from tests.web.people_of_the_house import Window, employ, said
from tests.web.robots import LocalServer, Robot, between, money
from tests.web.test_house_pages import player_of
from tests.web.test_lobby import listed

TABLE = "You may not play at this table. Ask a manager of the house about it. Other tables are open to you."
HOUSE = "You may not play in this house. Ask a manager of the house about it."
LISTED = "You are on the list of those who have excluded themselves from play. Ask a manager of the house about it."
WORKS = "Those who work in this house do not play in it."
PATIENT = Clocks(60_000, 60_000, absent=60_000)
"""Betting waits for nobody without a wager."""
LIST = b"name,date of birth,document number,from,until\nAda Quill,1980-12-31,WDL123456,2020-01-01,\n"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [money(seats=3, idle=2, clocks=PATIENT), between()]) as server:
        server.run(lambda house: employ(house, "Max", Role.MANAGER))
        yield server
        server.check()


@pytest.fixture
def ann(server: LocalServer) -> Iterator[Robot]:
    ann = server.join("money", 1)
    ann.phase("betting")
    yield ann
    ann.close()


@pytest.fixture
def bob(server: LocalServer) -> Iterator[Robot]:
    """Somebody else at the table, who is told nothing of it."""
    bob = server.join("money", 2)
    yield bob
    for words in ("You may not", "taking a break", "excluded themselves", "work in this house"):
        assert not any(words in frame for frame in bob.frames), words
    bob.close()


def lobby(server: LocalServer, who: Robot) -> str:
    return said(Window(server, who.token or "").get("/"))


def bar(server: LocalServer, who: Robot, table: str) -> None:
    player = player_of(server, who.token)
    server.run(lambda house: house.staff.bar(player, table, "a test", PROGRAM))


# Who may not play any more.


@pytest.mark.rule("F-15")
def test_who_is_barred_from_a_table_reads_so_there_and_in_the_lobby_and_may_play_elsewhere(
    server: LocalServer, ann: Robot, bob: Robot
) -> None:
    bar(server, ann, "money")
    ann.until(lambda view: view["you"]["seat"] is None)
    assert ann.you["may_not"] == TABLE
    assert (listed(server, "money", ann.token)["offer"], listed(server, "money", ann.token)["note"]) == ("watch", TABLE)
    assert (listed(server, "between", ann.token)["offer"], listed(server, "between", ann.token)["note"]) == ("play", "")
    assert lobby(server, ann).count(TABLE) == 1
    assert (listed(server, "money", bob.token)["note"], bob.you["may_not"]) == ("You sit at seat 2.", "")
    assert TABLE not in lobby(server, bob)


@pytest.mark.rule("F-15")
def test_who_is_barred_from_the_house_reads_it_once_in_the_lobby_and_no_table_is_offered(
    server: LocalServer, ann: Robot, bob: Robot
) -> None:
    bar(server, ann, "")
    ann.until(lambda view: view["you"]["seat"] is None)
    assert ann.you["may_not"] == HOUSE
    assert lobby(server, ann).count(HOUSE) == 1
    assert {listed(server, table, ann.token)["offer"] for table in ("money", "between")} == {"watch"}


@pytest.mark.rule("F-15")
def test_who_watches_and_is_barred_reads_so_without_asking_for_a_seat_and_when_it_is_lifted(
    server: LocalServer,
) -> None:
    eve = server.watch("money", server.session())
    assert eve.you["may_not"] == ""
    bar(server, eve, "money")
    assert eve.until(lambda view: view["you"]["may_not"])["you"]["may_not"] == TABLE
    player = player_of(server, eve.token)
    server.run(lambda house: house.staff.unbar(player, "money", "a test", PROGRAM))
    eve.until(lambda view: not view["you"]["may_not"])
    eve.close()


@pytest.mark.rule("F-15")
def test_who_takes_a_break_reads_how_long_it_lasts_where_the_seat_was(
    server: LocalServer, ann: Robot, bob: Robot
) -> None:
    player = player_of(server, ann.token)
    server.run(lambda house: house.staff.set_limit(player, BREAK, house.clock() + DAY))
    ann.until(lambda view: view["you"]["seat"] is None)
    assert ann.you["may_not"].startswith("You are taking a break for another 2")
    assert "You are taking a break for another 2" in lobby(server, ann)


@pytest.mark.rule("F-15")
def test_who_comes_on_the_self_exclusion_list_reads_so(server: LocalServer, ann: Robot, bob: Robot) -> None:
    player = player_of(server, ann.token)

    def exclude(house: House) -> None:
        house.exclusions.give_details(player, "Ada Quill", "1980-12-31", "WDL123456", by_person(player))
        file = house.exclusions.read(LIST)
        house.exclusions.look_at(file)
        house.exclusions.confirm(file.digest, PROGRAM)

    server.run(exclude)
    ann.until(lambda view: view["you"]["seat"] is None)
    assert ann.you["may_not"] == LISTED
    assert lobby(server, ann).count(LISTED) == 1


@pytest.mark.rule("F-15")
def test_who_is_barred_in_mid_round_is_told_at_once_and_decides_about_what_is_in_action(
    server: LocalServer, ann: Robot, bob: Robot
) -> None:
    for who in (ann, bob):
        who.phase("betting")
        who.done("place", spot="ante", amount=500)
    ann.done("ready")
    bob.done("ready")
    ann.my_turn()
    bar(server, ann, "money")
    ann.until(lambda view: view["you"]["may_not"])
    assert ann.you["may_not"] == f"{TABLE} What is in action plays on, and then the seat is free."
    assert ann.you["seat"] == 1 and ann.you["spots"] == []
    assert [(o["name"], bool(o["refused"])) for o in ann.you["options"]] == [
        ("check", False),
        ("raise", True),
        ("trade", True),
    ]
    ann.done("choose", option="check")
    bob.my_turn()
    bob.done("choose", option="check")
    ann.until(lambda view: view["you"]["seat"] is None)
    assert ann.you["may_not"] == TABLE


# Who has lost a seat without that.


def test_who_lets_rounds_go_by_reads_why_the_seat_is_gone_until_they_take_one_again(
    server: LocalServer, ann: Robot, bob: Robot
) -> None:
    for _ in range(4):
        bob.until(lambda view: view["you"]["spots"])
        bob.done("place", spot="ante", amount=500)
        bob.done("ready")
        bob.my_turn()
        bob.done("choose", option="check")
    lost = ann.until(lambda view: view["you"]["lost_seat"])["you"]["lost_seat"]
    assert lost.startswith("You have lost your seat here: no wager in ")
    assert listed(server, "money", ann.token)["note"] == lost
    assert listed(server, "money", ann.token)["offer"] == "play"
    assert (bob.you["lost_seat"], listed(server, "between", ann.token)["note"]) == ("", "")
    ann.done("sit", seat=3)
    assert ann.until(lambda view: view["you"]["seat"] == 3)["you"]["lost_seat"] == ""
    assert listed(server, "money", ann.token)["note"] == "You sit at seat 3."


def test_who_closed_the_page_of_the_table_reads_in_the_lobby_that_the_seat_is_gone(
    server: LocalServer, ann: Robot
) -> None:
    with patch.object(hub_module, "KEEPS_SEAT", 0):
        ann.close()
        server.wait_for(lambda: server.run(lambda house: not house.live("money").table.seats))
    server.wait_for(lambda: listed(server, "money", ann.token)["note"] != "")
    assert listed(server, "money", ann.token)["note"] == (
        "You have lost your seat here: the page of the table was closed."
    )


def test_who_was_away_for_too_long_reads_so_when_they_come_back(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money(clocks=Clocks(seat=30_000))]) as server:
        ann, bob = server.join("money", 1), server.join("money", 2)
        ann.lose()
        bob.until(lambda view: not view["seats"][0]["present"])
        server.pass_time(31_000)
        bob.until(lambda view: view["seats"][0]["name"] is None)
        again = ann.again()
        assert again.you["lost_seat"] == "You have lost your seat here: away for too long."
        again.close()
        bob.close()


def test_who_left_a_seat_reads_nothing_of_it(server: LocalServer, ann: Robot) -> None:
    ann.done("leave")
    assert ann.until(lambda view: view["you"]["seat"] is None)["you"]["lost_seat"] == ""
    assert listed(server, "money", ann.token)["note"] == ""


def test_no_more_lost_seats_are_kept_than_there_is_room_for() -> None:
    kept = LostSeats()
    with patch.object(lost_seats, "MOST_KEPT", 2):
        for player in ("ann", "bob", "cid"):
            kept.note("money", player, "away for too long")
    assert (kept.of("ann"), bool(kept.why("money", "bob")), bool(kept.why("money", "cid"))) == ({}, True, True)


# Who works here.


@pytest.mark.rule("F-13")
def test_who_works_here_is_offered_no_seat_and_reads_why(server: LocalServer) -> None:
    _, token = server.run(lambda house: employ(house, "Sue", Role.SUPERVISOR))
    sue = server.watch("money", token)
    assert (sue.you["may_not"], sue.view["message"]) == (WORKS, "A round starts when somebody takes a seat.")
    assert said(Window(server, token).get("/")).count(WORKS) == 1
    assert {listed(server, table, token)["offer"] for table in ("money", "between")} == {"watch"}
    sue.close()


@pytest.mark.rule("F-13", "F-30")
def test_who_is_given_a_role_while_playing_is_told_to_leave_and_can(
    server: LocalServer, ann: Robot, bob: Robot
) -> None:
    for who in (ann, bob):
        who.phase("betting")
        who.done("place", spot="ante", amount=500)
    ann.done("ready")
    bob.done("ready")
    ann.my_turn()
    player = player_of(server, ann.token)
    server.run(lambda house: house.staff.give_roles(player, ["dealer"], "hired", PROGRAM))
    ann.until(lambda view: view["you"]["may_not"])
    assert ann.you["may_not"] == f"{WORKS} Leave the seat: what is in action plays on."
    assert ann.you["options"] == []
    ann.done("leave")
    bob.my_turn()
    bob.done("choose", option="check")
    ann.until(lambda view: view["you"]["seat"] is None)


# What a limit of one's own refuses.


@pytest.mark.rule("F-15")
def test_a_decision_that_ones_own_limit_refuses_says_so_before_it_is_pressed(
    server: LocalServer, ann: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack(monkeypatch, "9c 8d 7h 6s 5c 4d")
    player = player_of(server, ann.token)
    server.run(lambda house: house.staff.set_limit(player, LOSS, 700))
    ann.phase("betting")
    ann.done("place", spot="ante", amount=500)
    ann.done("ready")
    ann.my_turn()
    refusals = {option["name"]: option["refused"] for option in ann.you["options"]}
    assert refusals["check"] == ""
    for name in ("raise", "trade"):
        assert refusals[name] == (
            "You have 2.00 left of the 7.00 a day that you set yourself as the most to lose; this wager would be 5.00."
        )
        assert ann.refused("choose", option=name) == refusals[name]
