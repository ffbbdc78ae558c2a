"""Who is beside you and what you have to play with: another grant, robots, and what a session came to."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from feltworks.floor.accounts import Cents, Kind, player_account
from feltworks.floor.actors import PROGRAM
from feltworks.floor.administration import Book
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.people import BROKE, GRANT, GRANTS_APART
from feltworks.floor.person import Granted, Joined, is_robot
from feltworks.floor.table.settings import MOST_ROBOTS as MOST
from feltworks.floor.table.settings import Clocks, Pace, TableSettings
from feltworks.web.cookies import COOKIE
from feltworks.web.demo import TABLES
from tests.web.robots import AT_ONCE, SLOW, Json, LocalServer, Robot, between, money, table_of


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [money(), between()]) as server:
        yield server
        server.check()


def player_of(server: LocalServer, robot: Robot) -> str:
    player = server.run(lambda house: house.people.player_of(robot.token or ""))
    assert player is not None
    return player


def left_with(server: LocalServer, robot: Robot, cents: Cents) -> None:
    """Take from somebody all but so much, as losses would."""
    account = str(player_account(player_of(server, robot)))
    lost = server.run(lambda house: house.balance(account.partition(":")[2])) - cents
    book = Book(Kind.CORRECTION.value, account, "house", lost, "for the test")
    server.run(lambda house: house.book(book, PROGRAM))


# Another grant.


@pytest.mark.rule("F-10")
def test_whoever_is_broke_gets_another_grant_which_is_booked_with_its_reason_and_seen_at_every_tab(
    server: LocalServer,
) -> None:
    ann = server.join("money", 1)
    server.pass_time(GRANTS_APART)
    left_with(server, ann, 99)
    other, elsewhere = ann.again(), server.watch("between", ann.token)
    assert other.you["grant"] == GRANT
    assert elsewhere.you["balance"] == 99
    ann.done("more play money")
    for tab in (ann, other, elsewhere):
        assert tab.until(lambda view: view["you"]["balance"] == GRANT + 99)["you"]["grant"] is None
    with server.reading() as store:
        *_, last = store.statement(str(player_account(player_of(server, ann))))
        assert (last.entry.kind, last.entry.cents, last.stream) == (
            Kind.GRANT,
            GRANT,
            f"person:{player_of(server, ann)}",
        )
        (record,) = store.read(last.stream, last.sequence - 1, last.sequence)
        assert BROKE.encode() in record.event


def test_a_grant_is_refused_in_words_to_whoever_has_enough_has_chips_somewhere_or_has_no_seat(
    server: LocalServer,
) -> None:
    ann = server.join("money", 1)
    assert ann.you["grant"] is None
    assert ann.refused("more play money") == "You have 1,000.00, and 1.00 is enough to play on."
    ann.phase("betting")
    ann.done("place", spot="ante", amount=500)
    left_with(server, ann, 0)
    assert ann.again().you["grant"] is None
    assert ann.refused("more play money") == "You have chips at Burgundy; play on with them."
    bob = server.join("between")
    left_with(server, bob, 0)
    assert bob.again().you["grant"] is None
    why = "Play money is given to those who have a seat at a training table."
    assert bob.refused("more play money") == why
    assert server.watch("money").refused("more play money") == "You are watching; go to the lobby to play."


def test_nobody_gets_two_grants_within_a_minute(server: LocalServer) -> None:
    ann = server.join("money", 1)
    server.pass_time(GRANTS_APART)
    left_with(server, ann, 0)
    ann.done("more play money")
    left_with(server, ann, 0)
    server.pass_time(GRANTS_APART - 10_000)
    assert ann.refused("more play money").startswith("You were given play money a moment ago; ask again in ")
    server.pass_time(10_000)
    ann.done("more play money")


# Robots.


def robots(view: Json) -> list[Json]:
    return [seat for seat in view["seats"] if seat["robot"]]


def test_a_robot_sits_down_when_somebody_asks_plays_along_and_leaves_when_it_is_sent_away(server: LocalServer) -> None:
    ann = server.join("money", 1)
    ann.done("ask robot", seat=3)
    (robot,) = robots(ann.until(robots))
    assert (robot["seat"], robot["name"], robot["present"]) == (3, "Robot 1", True)
    ann.phase("betting")
    ann.done("place", spot="ante", amount=500)
    placed = ann.until(lambda view: view["seats"][2]["wagers"])["seats"][2]
    assert placed["wagers"] == {"ante": 100}
    assert not placed["ready"]
    ann.done("ready")
    ann.my_turn()
    ann.done("choose", option="check")
    results = ann.until(lambda view: robots(view)[0]["results"])
    assert robots(results)[0]["results"][0]["spot"] == "ante"
    ann.next_round()
    ann.done("send robot away", seat=3)
    assert not robots(ann.until(lambda view: not robots(view)))


def test_robots_wait_for_people_and_bring_nobody_into_a_round(server: LocalServer) -> None:
    ann = server.join("money", 1)
    ann.done("ask robot", seat=2)
    view = ann.phase("betting")
    server.run(lambda house: None)
    assert server.run(lambda house: dict(house.live("money").table.wagers)) == {}
    assert view["round"] == 1
    assert view["deadline"] is None


def test_somebody_among_robots_has_no_clock_and_the_pauses_of_somebody_alone(tmp_path: Path) -> None:
    settings = money(clocks=Clocks(betting=1_000, decision=1_000, absent=10_000), pace=Pace(0, 0, 3_600_000, 0))
    with LocalServer(tmp_path, [settings]) as server:
        ann = server.join("money", 1)
        ann.done("ask robot", seat=2)
        ann.phase("betting")
        ann.done("place", spot="ante", amount=500)
        assert ann.until(lambda view: view["seats"][1]["wagers"])["deadline"] is None
        ann.done("ready")
        assert ann.my_turn()["deadline"] is None
        ann.done("choose", option="check")
        ann.phase("waiting")
        due = server.run(lambda house: house.due("money"))
        assert due is not None
        assert due.at - server.run(lambda house: house.live("money").since) < 3_600_000 / 5
        ann.say('{"wish":"go on"}')
        ann.next_round()
        server.check()


def test_robots_leave_with_the_last_person(server: LocalServer) -> None:
    ann, bob = server.join("money", 1), server.join("money", 2)
    ann.done("ask robot", seat=3)
    bob.done("ask robot", seat=4)
    assert [robot["name"] for robot in robots(bob.until(lambda view: len(robots(view)) == 2))] == ["Robot 1", "Robot 2"]
    ann.done("leave")
    assert len(robots(bob.until(lambda view: view["seats"][0]["name"] is None))) == 2
    bob.done("leave")
    assert not any(seat["name"] for seat in bob.until(lambda view: not robots(view))["seats"])


def test_a_robot_makes_room_for_somebody_who_waits_for_a_seat(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money(seats=3)]) as server:
        ann = server.join("money", 1)
        ann.done("ask robot", seat=2)
        ann.done("ask robot", seat=3)
        ann.until(lambda view: len(robots(view)) == 2)
        bob = server.join("money")
        assert "ok" in bob.do("wait")
        bob.until(lambda view: view["you"]["seat"] is not None)
        server.check()


def test_no_more_robots_sit_down_than_may_and_only_where_a_seat_is_free(server: LocalServer) -> None:
    ann = server.join("money")
    assert ann.view["table"]["robots"] == MOST
    assert ann.refused("ask robot", seat=1) == "Take a seat first; robots sit down beside you."
    ann.done("sit", seat=1)
    for seat, why in (
        (1, "Seat 1 is not free; choose a free one."),
        (9, "Seat 9 is not free; choose a free one."),
        (0, "There is no such seat."),
        (10**9, "There is no such seat."),
    ):
        assert ann.refused("ask robot", seat=seat) == why
    for seat in (2, 3, 4):
        ann.done("ask robot", seat=seat)
    assert ann.refused("ask robot", seat=5) == "3 robots are enough for a table."
    assert ann.refused("send robot away", seat=1) == "No robot sits there."
    assert server.watch("money").refused("send robot away", seat=2) == "You are watching; go to the lobby to play."


def test_a_robot_comes_again_and_the_records_and_its_account_say_that_it_is_one(server: LocalServer) -> None:
    ann = server.join("money", 1)
    for _ in range(3):
        ann.done("ask robot", seat=2)
        ann.until(robots)
        ann.done("send robot away", seat=2)
        ann.until(lambda view: not robots(view))
    with server.reading() as store:
        (row,) = [row for row in store.people() if is_robot(row.id)]
        joined, granted = [decode_event(f"person:{row.id}", r.event) for r in store.read(f"person:{row.id}")]
        assert isinstance(joined, Joined)
        assert joined.robot
        assert granted == Granted(GRANT, "play money for a robot")
        assert store.balance(f"player:{row.id}") == GRANT


def test_robots_have_left_when_the_server_comes_back_and_their_wagers_play_on(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()]) as server:
        ann = server.join("money", 1)
        ann.done("ask robot", seat=2)
        ann.phase("betting")
        ann.done("place", spot="ante", amount=500)
        ann.until(lambda view: view["seats"][1]["wagers"])
        ann.done("ready")
        ann.my_turn()
    with LocalServer(tmp_path) as server:
        ann = ann.again(server)
        assert [seat["leaving"] for seat in robots(ann.view)] in ([], [True])
        ann.done("choose", option="check")
        assert not robots(ann.next_round())
        server.check()


@pytest.mark.parametrize("settings", TABLES, ids=lambda settings: settings.id)
def test_robots_play_every_game_and_hold_nobody_up(tmp_path: Path, settings: TableSettings) -> None:
    """No clock runs out, and every round goes on as soon as the one person has acted."""
    table = msgspec.structs.replace(settings, pace=AT_ONCE, clocks=SLOW)
    with LocalServer(tmp_path, [table]) as server:
        ann = server.join(settings.id, 1)
        ann.done("ask robot", seat=2)
        ann.done("ask robot", seat=3)
        decided: set[str] = set()
        least = {"under": ("ante", "bet"), "between": ("base",), "yo": ("play",)}.get(settings.id, ("ante",))
        while len(decided) < 6:
            view = ann.view
            you, number = view["you"], f"{view['round']} {view['version']}"
            wanted = [s for s in you["spots"] if s["spot"] in least and not s["down"]]
            if you["options"]:
                ann.do("choose", option=you["options"][0]["name"])
            elif wanted:
                ann.do("place", spot=wanted[0]["spot"], amount=wanted[0]["least"])
            elif you["can_ready"]:
                if not decided:
                    ann.until(lambda view: all(robot["wagers"] for robot in robots(view)))
                ann.do("ready")
                decided.add(number)
            ann.receive()
        played = [event["answer"] for event in ann.events if event["kind"] == "answered"]
        assert {2, 3} <= {answer["seat"] for answer in played if answer["kind"] == "place"}
        server.check()


@pytest.mark.parametrize("game", ["craps", "punto-banco", "sic-bo"])
def test_robots_come_in_with_any_of_the_wagers_where_none_is_required(tmp_path: Path, game: str) -> None:
    with LocalServer(tmp_path, [table_of(game, pace=Pace(0, 0, 0, 0))]) as server:
        ann = server.join(game, 1)
        spots = {spot["spot"]: spot for spot in ann.view["table"]["spots"]}
        assert not any(spot["required"] for spot in spots.values())
        ann.done("ask robot", seat=2)
        ann.done("ask robot", seat=3)
        while len({answer["spot"] for answer in ann.given("place")}) < 3:
            you = ann.view["you"]
            wanted = [spot for spot in you["spots"] if spots[spot["spot"]]["comes_in"]]
            if wanted and not you["can_ready"]:
                ann.do("place", spot=wanted[-1]["spot"], amount=wanted[-1]["least"])
            elif you["can_ready"]:
                ann.until(lambda view: all(robot["wagers"] for robot in robots(view)))
                ann.do("ready")
            ann.receive()
        assert {answer["seat"] for answer in ann.given("place")} == {1, 2, 3}
        assert all(spots[answer["spot"]]["comes_in"] for answer in ann.given("place"))
        server.check()


# What a session came to.


def session(server: LocalServer, robot: Robot | None) -> list[Json]:
    token = robot.token if robot else ""
    played: list[Json] = server.ask("/api/session", Cookie=f"{COOKIE}={token}").json["played"]
    return played


def test_what_somebody_played_is_told_by_table_and_is_what_the_books_say(server: LocalServer) -> None:
    ann = server.join("money", 1)
    ann.done("ask robot", seat=2)
    wagered = 0
    results: list[Json] = []
    for _ in range(5):
        ann.next_round() if ann.view["phase"] != "betting" else None
        ann.done("place", spot="ante", amount=500)
        ann.done("ready")
        ann.my_turn()
        ann.done("choose", option="raise")
        results += ann.until(lambda view: view["phase"] in ("over", "waiting"))["seats"][0]["results"]
        wagered += 1_000
        ann.next_round()
    (played,) = session(server, ann.again())
    balance = ann.until(lambda view: view["phase"] == "betting")["you"]["balance"]
    assert (played["table"], played["name"], played["rounds"]) == ("money", "Burgundy", 5)
    assert played["wagered"] == wagered
    assert played["net"] == balance - GRANT == sum(result["net"] for result in results)
    assert (played["won"], played["lost"]) == (
        sum(result["paid"] for result in results),
        sum(result["amount"] for result in results if result["stake"] == "taken"),
    )
    assert played["biggest_win"] == max(result["paid"] for result in results)


def test_the_time_at_a_table_is_that_in_a_seat(server: LocalServer) -> None:
    ann = server.join("money", 1)
    server.pass_time(90_000)
    assert 90 <= session(server, ann)[0]["seconds"] < 90 + 60
    ann.done("leave")
    stood = session(server, ann)[0]["seconds"]
    server.pass_time(3_600_000)
    assert session(server, ann)[0]["seconds"] == stood
    assert session(server, server.join("between")) == session(server, None) == []
