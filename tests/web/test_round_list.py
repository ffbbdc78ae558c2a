"""The rounds of a table in short: what lay open, and to whoever played how it went, by the session alone."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw
import pytest

from feltworks.floor.recall import event_of
from feltworks.floor.store.reader import Reader
from feltworks.web import round_list
from feltworks.web.cookies import COOKIE
from tests.browser.cards import stack
from tests.browser.rolls import lay
from tests.web.robots import Json, LocalServer, Robot, money, play_on, yo


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [money()]) as server:
        yield server
        server.check()


def listed(server: LocalServer, robot: Robot | None = None, query: str = "", table: str = "money") -> Json:
    reply = server.ask(f"/api/tables/{table}/rounds{query}", cookie=f"{COOKIE}={robot.token if robot else ''}")
    assert reply.status == 200, reply
    assert reply.headers["cache-control"] == "no-store"
    answer: Json = reply.json
    return answer


def numbers(page: Json) -> list[int]:
    return [row["round"] for row in page["rounds"]]


def play_round(robot: Robot, option: str = "check", **wagers: int) -> None:
    """A round of One For The Money from its betting to the next."""
    robot.phase("betting")
    for spot, amount in (wagers or {"ante": 500}).items():
        robot.done("place", spot=spot, amount=amount)
    robot.done("ready")
    robot.my_turn()
    robot.done("choose", option=option)
    robot.next_round()


@pytest.mark.rule("F-18")
def test_a_round_is_listed_with_the_net_the_cards_and_the_wagers_of_who_asks(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack(monkeypatch, "Kh 9c 4d")
    with server.join("money", 3) as ann:
        play_round(ann, "raise", ante=500, three_card_bonus=200)
        row = listed(server, ann)["rounds"][1]
        assert (row["round"], row["over"], row["void"], row["dice"], row["rolls"]) == (1, True, False, None, 0)
        assert sorted(row["cards"]) == ["4d", "9c"]
        assert row["own"] == {
            "seats": [3],
            "wagers": [
                {"spot": "ante", "amount": 500, "net": 500},
                {"spot": "three_card_bonus", "amount": 200, "net": -200},
                {"spot": "raise", "amount": 500, "net": 500},
            ],
            "cards": ["Kh"],
            "away": [],
            "net": 800,
        }
        balance = ann.you["balance"]
        assert balance == 100_000 + row["own"]["net"]


def test_a_card_that_was_traded_is_marked_and_the_round_says_when_it_was_over(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    stack(monkeypatch, "4h 9c 4d 4h")  # the same card once more, from another deck
    with server.join("money", 3) as ann:
        ann.phase("betting")
        ann.done("place", spot="ante", amount=500)
        ann.done("ready")
        ann.my_turn()
        ann.done("choose", option="trade")
        ann.until(lambda view: any(option["name"] == "stand" for option in view["you"]["options"]))
        (playing,) = listed(server, ann)["rounds"]
        assert playing["ended"] is None
        ann.done("choose", option="stand")
        ann.next_round()
        _, row = listed(server, ann)["rounds"]
        assert row["own"]["cards"] == ["4h", "4h"]
        assert row["own"]["away"] == [{"card": 0, "by": "trade"}]
        steps = server.get("/api/tables/money/rounds/1")["records"]
        assert (row["time"], row["ended"]) == (steps[0]["time"], steps[-1]["time"])


def test_who_has_no_session_or_did_not_play_is_told_what_lay_open_and_no_more(server: LocalServer) -> None:
    with server.join("money", 3) as ann, server.join("money", 1) as bob:
        ann.phase("betting")
        ann.done("place", spot="ante", amount=500)
        ann.done("ready")
        bob.done("leave")
        ann.my_turn()
        ann.done("choose", option="check")
        ann.next_round()
        own = listed(server, ann)
        for other in (listed(server), listed(server, bob)):
            assert [row["own"] for row in other["rounds"]] == [None, None]
            assert [{**row, "own": None} for row in own["rounds"]] == other["rounds"]
        assert own["rounds"][1]["own"]["net"] is not None
        forged = server.ask("/api/tables/money/rounds", cookie=f"{COOKIE}={'x' * 32}").json
        assert forged == listed(server)


def test_of_a_round_that_is_being_played_only_its_place_is_told(server: LocalServer) -> None:
    with server.join("money", 3) as ann:
        ann.phase("betting")
        ann.done("place", spot="ante", amount=500)
        ann.done("ready")
        ann.my_turn()
        (row,) = listed(server, ann)["rounds"]
        told: Json = {"cards": [], "dice": None, "rolls": 0, "own": None, "over": False, "void": False}
        assert told.items() <= row.items()
        assert listed(server, ann, "?which=played")["rounds"] == []


def test_rounds_are_filtered_by_whether_they_were_played_won_or_lost(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Ann wins, loses, pushes; bob plays alone in the fourth.
    stack(monkeypatch, "Kh 9c 4d", "2h 9c 4d", "9h 9c 4d", "Kh 9c 4d")
    with server.join("money", 3) as ann:
        for _ in range(3):
            play_round(ann)
        ann.done("leave")
        with server.join("money", 1) as bob:
            play_round(bob)
        assert numbers(listed(server, ann)) == [5, 4, 3, 2, 1]
        assert numbers(listed(server, ann, "?which=played")) == [3, 2, 1]
        assert numbers(listed(server, ann, "?which=won")) == [1]
        assert numbers(listed(server, ann, "?which=lost")) == [2]
        assert numbers(listed(server, bob, "?which=won")) == [4]
        assert listed(server, None, "?which=played") == {"rounds": [], "earlier": None}
        assert [row["own"]["net"] for row in listed(server, ann, "?which=played")["rounds"]] == [0, -500, 500]


def test_a_filter_goes_on_from_where_a_page_ended(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(round_list, "A_PAGE", 2)
    monkeypatch.setattr(round_list, "MOST_LOOKED_AT", 3)
    with server.join("money", 3) as ann:
        for _ in range(3):
            play_round(ann)
        ann.done("leave")
        with server.join("money", 1) as bob:
            for _ in range(6):
                play_round(bob)
        for robot, query in ((ann, "which=played"), (bob, "which=played"), (None, "which=all")):
            found: list[int] = []
            page: Json = {"earlier": 2**53}
            while page["earlier"] is not None:
                page = listed(server, robot, f"?{query}&before={page['earlier']}")
                assert len(page["rounds"]) <= 2
                found += numbers(page)
            wanted = {ann: [3, 2, 1], bob: [9, 8, 7, 6, 5, 4], None: list(range(10, 0, -1))}[robot]
            assert found == wanted


def test_a_round_that_is_void_says_so_and_its_wagers_come_back(server: LocalServer) -> None:
    with server.join("money", 3) as ann:
        ann.phase("betting")
        ann.done("place", spot="ante", amount=500)
        server.run(lambda house: house.void("money", "A test."))
        ann.round(2)
        row = listed(server, ann)["rounds"][1]
        assert row["void"] and row["over"]
        assert row["own"]["wagers"] == [{"spot": "ante", "amount": 500, "net": 0}]
        assert row["own"]["net"] == 0


def test_a_seat_that_was_left_is_another_persons_when_that_person_sits_down(server: LocalServer) -> None:
    with server.join("money", 3) as ann:
        play_round(ann)
        ann.done("leave")
        with server.join("money", 3) as bob:
            play_round(bob)
            assert numbers(listed(server, ann, "?which=played")) == [1]
            assert numbers(listed(server, bob, "?which=played")) == [2]
            assert [bool(row["own"]) for row in listed(server, ann)["rounds"]] == [False, False, True]


@pytest.mark.rule("Y-20")
def test_a_wager_that_stayed_up_from_an_earlier_game_counts_in_the_game_that_decides_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(monkeypatch, "4411 4411", "4611 3411")  # a point is made, and then one is not
    with LocalServer(tmp_path, [yo()]) as server, server.join("yo", 2) as ann:
        ann.phase("betting")
        ann.done("place", spot="play", amount=500)
        ann.done("place", spot="high", amount=100)
        again = False
        while ann.view["round"] != 3:
            with suppress(TimeoutError):
                while True:
                    ann.receive(0.02)
            if ann.view["round"] == 2 and ann.view["phase"] == "betting" and not again:
                again = True
                ann.done("place", spot="play", amount=200)
            elif ann.you["can_ready"]:
                ann.do("ready")
            elif options := ann.you["options"]:
                ann.do("choose", option=options[0]["name"])
        rows = {row["round"]: row for row in listed(server, ann, table="yo")["rounds"]}
        first, second = ({wager["spot"]: wager for wager in rows[n]["own"]["wagers"]} for n in (1, 2))
        assert first["high"] == {"spot": "high", "amount": 100, "net": 300}  # twice 3 to 2, and it stays
        assert second["high"] == {"spot": "high", "amount": 100, "net": 50}  # once 3 to 2, and then it is lost
        assert second["play"] == {"spot": "play", "amount": 200, "net": -200}
        assert rows[2]["own"]["net"] == -150
        assert (rows[1]["rolls"], rows[1]["dice"]) == (2, [4, 4, 1, 1])
        assert (rows[2]["rolls"], rows[2]["dice"]) == (2, [3, 4, 1, 1])
        assert numbers(listed(server, ann, "?which=won", table="yo")) == [1]
        assert numbers(listed(server, ann, "?which=lost", table="yo")) == [2]


def test_who_had_a_seat_is_known_from_a_snapshot_that_only_the_house_can_sign(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    honest = Reader.read

    def counted(store: Reader, stream: str, after: int = 0, until: int | None = None) -> Any:
        if stream == "money":
            read.append((until or 0) - after)
        return honest(store, stream, after, until)

    with server.join("money", 3) as ann:
        for _ in range(30):
            play_round(ann)
        monkeypatch.setattr(Reader, "read", counted)
        monkeypatch.setattr(round_list, "A_PAGE", 2)
        with server.reading() as store:
            last = store.rounds("money", limit=3)
        page = listed(server, ann, f"?before={last[0].round}")
        assert [row["own"]["net"] is not None for row in page["rounds"]] == [True, True]
        assert max(read) <= round_list.FURTHEST_BACK + 100


@pytest.mark.slow
def test_a_page_of_a_long_history_reads_no_more_than_one_of_a_short_one(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded = 0

    def counted(record: Any) -> Any:
        nonlocal decoded
        decoded += 1
        return event_of(record)

    monkeypatch.setattr("feltworks.web.round_list.event_of", counted)
    with server.join("money", 1) as ann:
        for _ in range(150):
            ann.phase("betting")
            ann.done("place", spot="ante", amount=100)
            ann.done("ready")
            play_on(ann)
        for before in (40, 90, 150):
            decoded = 0
            assert len(listed(server, ann, f"?before={before}")["rounds"]) == 20
            assert decoded < 1_400  # twenty rounds, and what lies between them and a snapshot


@pytest.mark.rule("F-16")
def test_a_list_of_rounds_that_was_changed_is_not_believed(tmp_path: Path) -> None:
    for change in ("UPDATE rounds SET last = last - 1 WHERE round = 1", "DELETE FROM rounds WHERE round = 2"):
        with LocalServer(tmp_path / change[:6], [money()]) as server, server.join("money", 3) as ann:
            for _ in range(3):
                play_round(ann)
            with apsw.Connection(str(server.records)) as file:
                file.execute(change)
            reply = server.ask("/api/tables/money/rounds", cookie=f"{COOKIE}={ann.token}")
            assert reply.status == 503
            assert reply.json["detail"].startswith("The list of rounds is wrong about round")
