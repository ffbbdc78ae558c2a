"""The page that finds what happened at the tables, in words and with the way to it (F-13, F-18)."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import urlencode

import pytest

from feltworks.floor.actors import PROGRAM
from feltworks.floor.roles import Role
from feltworks.floor.table import commands as cmd
from tests.web.people_of_the_house import Window, said, staffed
from tests.web.robots import LocalServer, Reply, Robot, between, money, play_on

PAGE = "/house/search"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    """Two played three rounds at one table, and nobody at the other; something went wrong in the fourth."""
    with (
        LocalServer(tmp_path_factory.mktemp("search"), [money(), between()]) as server,
        server.join("money", 1) as ann,
        server.join("money", 4) as bob,
    ):
        for amount in (500, 700, 1_250):
            bet(ann, amount)
            bet(bob, 300)
            play_on(ann, bob)
        bet(ann, 900)
        bet(bob, 300)
        server.wait_for(lambda: server.run(lambda house: bool(house.table("money").to_act)))
        server.run(lambda house: house.pit.report("money", cmd.Report("misdeal", "The shoe jammed"), PROGRAM))
        yield server


def bet(robot: Robot, amount: int) -> None:
    robot.phase("betting")
    robot.done("place", spot="ante", amount=amount)
    robot.done("ready")


@pytest.fixture(scope="module")
def vera(server: LocalServer) -> Window:
    return staffed(server, "Vera", Role.SURVEILLANCE)


def asked(window: Window, **fields: str) -> Reply:
    return window.get(f"{PAGE}?{urlencode(fields)}")


def found(reply: Reply) -> list[str]:
    """Each event that is found, in words."""
    assert reply.status == 200, said(reply)
    listed = re.search(r'<ol class="events.*?</ol>', reply.text, re.DOTALL)
    assert listed is not None
    rows = re.findall(r"<li>(.*?)</li>", listed[0], re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]+>", " ", row)).split()) for row in rows]


@pytest.mark.rule("F-13")
def test_nothing_is_searched_before_something_is_asked_for(vera: Window) -> None:
    page = vera.get(PAGE)
    assert page.status == 200
    assert "One field is enough." in said(page)
    assert '<ol class="events' not in page.text


@pytest.mark.rule("F-13", "F-18")
def test_a_wager_is_found_by_its_seat_and_amount_and_leads_to_the_round_at_that_step(
    server: LocalServer, vera: Window
) -> None:
    reply = asked(vera, seat="1", wager="ante", least="7", most="7.00")
    rows = found(reply)
    assert any("Seat 1 puts 7.00 on Ante." in row for row in rows)
    assert all("7.00" in row for row in rows)
    (first, *_) = re.findall(r'href="(/table/money/round/2\?step=(\d+))"', reply.text)
    page = vera.get(first[0])
    assert page.status == 200
    assert f'data-step="{first[1]}"' in page.text
    assert server.get("/api/tables/money/rounds/2")["records"][0]["sequence"] <= int(first[1])


@pytest.mark.rule("F-13")
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"words": "JAMMED"}, "Reported: misdeal. The shoe jammed"),
        ({"happened": "incident"}, "Reported: misdeal."),
        ({"person": "Guest 2", "least": "3", "most": "3"}, "Seat 4 puts 3.00 on Ante."),
        ({"table": "money", "seat": "4"}, "Guest 2 sits down at seat 4."),
        ({"least": "$12.50"}, "Seat 1 puts 12.50 on Ante."),
    ],
)
def test_what_happened_is_found_in_words(vera: Window, fields: dict[str, str], words: str) -> None:
    assert any(words in row for row in found(asked(vera, **fields)))


@pytest.mark.rule("F-13")
def test_a_result_is_found_of_the_seat_that_had_it(server: LocalServer, vera: Window) -> None:
    """What became of each wager, by the round's own account."""
    for seat in (1, 4):
        ends: dict[str, int] = {"won": 0, "lost": 0, "returned": 0}
        for number in (1, 2, 3):
            for record in server.get(f"/api/tables/money/rounds/{number}")["records"]:
                for effect in record["event"].get("effects", []):
                    if effect["kind"] == "settled" and effect["seat"] == seat:
                        result = "won" if effect["paid"] else "lost" if effect["stake"] == "taken" else "returned"
                        ends[result] += 1
        for result, number in ends.items():
            assert len(found(asked(vera, table="money", seat=str(seat), result=result))) == number


@pytest.mark.rule("F-13")
def test_a_table_where_nothing_like_it_happened_says_so(vera: Window) -> None:
    assert "Nothing like that is recorded." in said(asked(vera, table="between", result="won"))


@pytest.mark.rule("F-13")
@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"table": "nowhere"}, "There is no table 'nowhere' in the records"),
        ({"table": "house"}, "Choose a table of the list"),
        ({"seat": "first"}, "'first' is no seat"),
        ({"seat": "0"}, "'0' is no seat"),
        ({"seat": "1", "least": "much"}, "'much' is no amount"),
        ({"least": "9", "most": "3"}, "give the smaller amount first"),
        ({"result": "drew"}, "No wager ends as 'drew'"),
        ({"happened": "flood"}, "Nothing is called 'flood'"),
        ({"person": "Nobody At All"}, "Nobody is called 'Nobody At All' now"),
        ({"dealer": "Nobody At All"}, "Nobody is called 'Nobody At All' now"),
        ({"seat": "1", "from": "yesterday"}, "'yesterday' is no time"),
        ({"seat": "1", "before": "x"}, "'x' is no place in the records"),
    ],
)
def test_what_cannot_be_searched_for_is_refused_in_words(vera: Window, fields: dict[str, str], why: str) -> None:
    reply = asked(vera, **fields)
    assert reply.status == 422
    assert why in said(reply)


@pytest.mark.rule("F-13")
def test_whatever_is_typed_is_only_looked_for(vera: Window) -> None:
    """Signs that mean something to a database, to a pattern or to a page mean nothing here."""
    for text in ("'; DROP TABLE events; --", "%", "*", '"seat":', "<b>bold</b>", "\x00", "🂡" * 40):
        reply = asked(vera, words=text)
        assert reply.status == 200
        assert "<b>bold</b>" not in reply.text
        asked(vera, wager=text)
    assert len(found(asked(vera, happened="incident"))) == 1
