"""A round for others: what everybody sees, what only the code of a seat shows, and links that open nothing."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import apsw
import msgspec
import pytest

from feltworks.floor.keys import Keys
from feltworks.web import round_messages
from feltworks.web.cookies import COOKIE
from feltworks.web.share_code import LENGTH, share_code, shared_seat
from tests.web.robots import Json, LocalServer, Reply, Robot, under
from tests.web.test_closed import abandoned, other_rules  # noqa: F401


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [under()]) as server:
        yield server
        server.check()


def ask(server: LocalServer, path: str, robot: Robot | None = None) -> Reply:
    return server.ask(path, cookie=f"{COOKIE}={robot.token}") if robot else server.ask(path)


def page_of(server: LocalServer, path: str) -> Reply:
    """What a browser is answered."""
    return server.ask(path, accept="text/html")


def two_play(server: LocalServer) -> tuple[Robot, Robot, dict[int, list[str]]]:
    """A round in which both fold, so that their cards stay their own; the cards by seat."""
    robots = server.join("under", 1), server.join("under", 3)
    for robot in robots:
        robot.phase("betting")
        for spot in ("ante", "bet"):
            robot.done("place", spot=spot, amount=500)
    for robot in robots:
        robot.done("ready")
    held: dict[int, list[str]] = {}
    while any(robot.view["round"] == 1 for robot in robots):
        for robot in robots:
            with suppress(TimeoutError):
                while True:
                    robot.receive(0.02)
            if options := [option["name"] for option in robot.you["options"]]:
                held[robot.you["seat"]] = [card["card"] for card in robot.seat["cards"]]
                robot.done("choose", option="fold" if "fold" in options else "check")
    for robot in robots:
        robot.round(2)
    return *robots, held


def code_of(server: LocalServer, robot: Robot, number: int = 1) -> str:
    reply = ask(server, f"/api/tables/under/rounds/{number}/share", robot)
    assert reply.status == 200, reply
    made = msgspec.json.decode(reply.body, type=round_messages.ShareCode)
    assert made.link == f"/table/under/round/{number}?share={made.code}"
    assert reply.headers["cache-control"] == "no-store"
    return made.code


def cards_in(views: Json, seat: int) -> set[str]:
    return {card["card"] for at in views["views"] for card in at["view"]["seats"][seat - 1]["cards"] if card["card"]}


@pytest.mark.rule("F-14", "F-18")
def test_the_code_of_a_seat_opens_the_cards_that_it_alone_saw_and_nobody_elses(server: LocalServer) -> None:
    ann, bob, held = two_play(server)
    for robot, seat, other in ((ann, 1, 3), (bob, 3, 1)):
        code = code_of(server, robot)
        reply = ask(server, f"/api/tables/under/rounds/1?share={code}")
        shared = msgspec.json.decode(reply.body, type=round_messages.Recalled).shared
        assert isinstance(shared, round_messages.SharedCards)
        assert (shared.seat, shared.why) == (seat, "")
        assert [card.card for card in shared.cards] == held[seat]
        assert [card.token for card in shared.cards] == ["card 1", "card 2"]
        assert reply.headers["cache-control"] == "no-store"
        views = ask(server, f"/api/tables/under/rounds/1/views?share={code}").json
        msgspec.convert(views, round_messages.RoundViews)
        assert cards_in(views, seat) == set(held[seat])
        assert cards_in(views, other) == set()
        assert all(at["view"]["you"] is None for at in views["views"])
        assert not any(f'"{card}"' in reply.text for card in held[other])
        assert ask(server, f"/table/under/round/1?share={code}").status == 200


@pytest.mark.rule("F-14")
def test_without_a_code_a_round_shows_what_lay_open_to_all_whoever_asks(server: LocalServer) -> None:
    ann, _, held = two_play(server)
    for path in ("/api/tables/under/rounds/1", "/api/tables/under/rounds/1/views", "/table/under/round/1"):
        replies = [ask(server, path), ask(server, path, ann)]
        assert [reply.status for reply in replies] == [200, 200]
        assert replies[0].body == replies[1].body
        assert not any(f'"{card}"' in replies[0].text for cards in held.values() for card in cards)
    views = ask(server, "/api/tables/under/rounds/1/views").json
    recalled = ask(server, "/api/tables/under/rounds/1").json
    assert [at["sequence"] for at in views["views"]] == [record["sequence"] for record in recalled["records"]]
    assert "shared" not in recalled
    last = views["views"][-1]["view"]
    assert last["phase"] == "over" and any(seat["results"] for seat in last["seats"])


def test_only_who_played_in_a_round_gets_a_code_and_only_when_it_is_over(server: LocalServer) -> None:
    ann, bob, _ = two_play(server)
    with server.join("under", 5) as eve:
        for robot, number, status, said in (
            (None, 1, 403, "Only who played in a round can share its cards."),
            (eve, 1, 403, "You did not play in round 1, so you have no cards of it to share."),
            (ann, 2, 404, "Round 2 at Eucalyptus is still being played; open this link again when it is over."),
            (
                ann,
                99,
                404,
                "There is no such round at Eucalyptus; the last one is round 2. Look in the table's history.",
            ),
        ):
            reply = ask(server, f"/api/tables/under/rounds/{number}/share", robot)
            assert (reply.status, reply.json["detail"]) == (status, said)
    assert code_of(server, ann) != code_of(server, bob)


@pytest.mark.rule("F-14")
def test_a_code_that_is_cut_changed_or_of_another_round_opens_nothing_and_says_so(server: LocalServer) -> None:
    ann, bob, _ = two_play(server)
    keys = server.house.keys
    good = code_of(server, ann)
    other_keys = Keys(bytes(31) + b"x", bytes(32))
    wrong = {
        "cut": good[:-1],
        "longer": good + "A",
        "nothing": "",
        "another seat's number": code_of(server, bob)[:2] + good[2:],
        "another seat that did not play": share_code(other_keys, "under", 1, 2),
        "of another round": share_code(keys, "under", 2, 1),
        "of another table": share_code(keys, "money", 1, 1),
        "of another house": share_code(other_keys, "under", 1, 1),
        "not of the alphabet": "ä" * LENGTH,
        "its last bits": good[:-1] + chr(ord(good[-1]) + 1),
        "very long": "A" * 4000,
    }
    told = set()
    for what, code in wrong.items():
        quoted = quote(code)
        # The same for a round that is there and for one that is not: nobody can tell by it what there is.
        for path in ("/api/tables/under/rounds/1", "/api/tables/under/rounds/77", "/api/tables/under/rounds/1/views"):
            reply = ask(server, f"{path}?share={quoted}")
            assert reply.status == 403, what
            told.add(reply.body)
        page = page_of(server, f"/table/under/round/1?share={quoted}")
        assert page.status == 403, what
        assert "Not open to you" in page.text and "open the round without the code" in page.text
    assert len(told) == 1


@pytest.mark.rule("F-14")
def test_a_genuine_code_of_a_round_that_is_being_played_shows_no_card(server: LocalServer) -> None:
    """The house gives none; and if somebody had one, it would open nothing before the round is over."""
    with server.join("under", 1) as ann:
        ann.phase("betting")
        ann.done("place", spot="ante", amount=500)
        ann.done("place", spot="bet", amount=500)
        ann.done("ready")
        ann.my_turn()
        code = share_code(server.house.keys, "under", 1, 1)
        assert ask(server, f"/api/tables/under/rounds/1?share={code}").json["shared"]["cards"] == []
        assert ask(server, f"/api/tables/under/rounds/1/views?share={code}").status == 404
        page = page_of(server, f"/table/under/round/1?share={code}")
        assert page.status == 404 and "is still being played" in page.text


def test_a_link_to_a_round_that_is_not_there_is_answered_in_words(server: LocalServer) -> None:
    two_play(server)
    for path, said in (
        ("/table/under/round/99", "There is no such round at Eucalyptus; the last one is round 2."),
        ("/table/under/round/0", "There is no such round at Eucalyptus"),
        ("/table/under/round/-1", "There is no such round at Eucalyptus"),
        ("/table/under/round/one", "There is no such round at Eucalyptus"),
        ("/table/under/round/1.5", "There is no such round at Eucalyptus"),
        (f"/table/under/round/{10**40}", "There is no such round at Eucalyptus"),
        ("/table/under/round/2", "Round 2 at Eucalyptus is still being played; open this link again when it is over."),
        ("/table/nowhere/round/1", "There is no such table; go back to the lobby."),
    ):
        reply = page_of(server, path)
        assert reply.status == 404, path
        assert said in reply.text.replace("&#39;", "'"), path
        assert "To the lobby" in reply.text


def test_the_round_of_a_closed_table_has_its_page_and_says_what_cannot_be_shown(
    tmp_path: Path,
    other_rules: Callable[[], None],  # noqa: F811
) -> None:
    ann = abandoned(tmp_path, other_rules)
    with LocalServer(tmp_path) as server:
        page = page_of(server, "/table/between/round/1")
        assert page.status == 200 and "This table is closed." in page.text
        views = ask(server, "/api/tables/between/rounds/1/views")
        assert views.status == 503 and "installed is" in views.json["detail"]
        assert ask(server, "/api/tables/between/rounds/1/share", ann).status == 503
        code = share_code(server.house.keys, "between", 1, 1)
        shared = ask(server, f"/api/tables/between/rounds/1?share={code}").json["shared"]
        assert shared["cards"] == []
        assert shared["why"].startswith("The cards of seat 1 cannot be shown any more. It is played by the definition")


def test_cards_whose_secret_is_gone_are_missed_in_words(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [under()]) as server:
        ann, _, _ = two_play(server)
        code = code_of(server, ann)
        (opened,) = {r["root"] for r in [ask(server, "/api/tables/under/rounds/1").json]}
        path = server.records
        with apsw.Connection(str(path)) as file:
            file.execute("DROP TRIGGER secrets_stay_DELETE")
            file.execute("DELETE FROM secrets WHERE root = ?", (opened,))
        shared = ask(server, f"/api/tables/under/rounds/1?share={code}").json["shared"]
        assert shared["cards"] == []
        assert re.fullmatch(
            r"The cards of seat 1 cannot be shown any more\. The sealed cards .* are missing\.", shared["why"]
        )
        views = ask(server, f"/api/tables/under/rounds/1/views?share={code}")
        assert views.status == 200 and cards_in(views.json, 1) == set()


def test_a_round_is_saved_as_a_file_with_a_name_of_its_own(server: LocalServer) -> None:
    ann, _, held = two_play(server)
    plain = ask(server, "/api/tables/under/rounds/1")
    file = ask(server, "/api/tables/under/rounds/1?file=true")
    assert file.headers["content-disposition"] == 'attachment; filename="feltworks-under-round-1.json"'
    assert "content-disposition" not in plain.headers
    assert file.json == plain.json
    own = ask(server, f"/api/tables/under/rounds/1?file=true&share={code_of(server, ann)}")
    assert [card["card"] for card in own.json["shared"]["cards"]] == held[1]


def test_a_code_lasts_over_a_restart_and_over_a_change_of_the_signing_key() -> None:
    before, after = Keys(b"a" * 32, b"b" * 32), Keys(b"a" * 32, b"c" * 32)
    code = share_code(before, "under", 7, 3)
    assert len(code) == LENGTH
    assert shared_seat(after, "under", 7, code) == 3
    assert before.tag(b"") != before.share_tag(b"")
