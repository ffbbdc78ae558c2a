"""The lobby: tables in one order, live, your seat marked; Play now takes a seat, a full table has a line, guests choose
names."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from feltworks.floor.actors import person as by_person
from feltworks.floor.person import token_digest
from feltworks.floor.roles import Role
from feltworks.floor.streams import person_stream
from feltworks.floor.table.commands import SignOn
from feltworks.web import hub as hub_module
from feltworks.web import waiting
from feltworks.web.cookies import COOKIE
from feltworks.web.guard import Caps
from feltworks.web.waiting import Lines, middle_first
from tests.floor.sitting import bands, fulfilled, load_any, with_toys
from tests.web.dealing import GAMES
from tests.web.people_of_the_house import employ
from tests.web.robots import Address, LocalServer, Reply, between, money, table_of, yo

FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [money(), money(id="small", name="Burgundy 10", seats=1), between()]) as server:
        yield server
        server.check()


@pytest.mark.rule("F-41")
def test_a_table_at_which_people_deal_says_when_no_dealer_is_there(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money(), GAMES["in-between"]]) as server:
        assert (listed(server, "money")["note"], listed(server, "between")["note"]) == (
            "",
            "No dealer is here just now.",
        )
        assert (listed(server, "money")["offer"], listed(server, "between")["offer"]) == ("play", "sit")
        watcher = server.watch("between")
        alone = "No dealer is at this table just now. At other tables in the lobby the program deals."
        assert watcher.view["message"] == alone
        id, _ = server.run(lambda house: employ(house, "Dan", Role.DEALER))
        server.run(lambda house: house.pit.deal_by_hand("between", SignOn(), by_person(id)))
        watcher.until(lambda view: view["message"] != alone)
        assert (listed(server, "between")["note"], listed(server, "between")["offer"]) == ("", "play")


def play_now(server: Address, table: str, token: str | None = None) -> tuple[Reply, str]:
    """Press Play now: the answer, and the token of the session."""
    cookie = {"cookie": f"{COOKIE}={token}"} if token else {}
    reply = server.ask("/play", "POST", f"table={table}&seat=any".encode(), content_type=FORM, **cookie)
    found = re.match(rf"{COOKIE}=([^;]+);", reply.headers.get("set-cookie", ""))
    return reply, token or (found[1] if found else "")


def listed(server: Address, table: str, token: str | None = None) -> dict[str, Any]:
    reply = server.ask("/api/tables", cookie=f"{COOKIE}={token or ''}")
    assert reply.status == 200
    (found,) = [at for at in reply.json if at["id"] == table]
    return dict(found)


def choose_name(server: Address, token: str | None, name: str | bytes, **headers: str) -> Reply:
    cookie = {"cookie": f"{COOKIE}={token}"} if token else {}
    body = b"name=" + (name if isinstance(name, bytes) else name.encode())
    return server.ask("/name", "POST", body, content_type=FORM, **cookie, **headers)


# Play now.


def test_play_now_seats_a_newcomer_in_the_middle_at_once(server: LocalServer) -> None:
    reply, token = play_now(server, "money")
    assert (reply.status, reply.headers["location"]) == (303, "/table/money")
    ann = server.watch("money", token)
    assert ann.you["seat"] == 3
    ann.phase("betting")
    _, other = play_now(server, "money")
    assert server.watch("money", other).you["seat"] == 2


@pytest.mark.rule("F-15")
def test_play_now_at_a_card_room_says_why_a_guest_without_details_got_no_seat(tmp_path: Path) -> None:
    room = fulfilled(money(venue="card room"))
    with LocalServer(tmp_path, [room]) as server:
        _, token = play_now(server, "money")
        ann = server.watch("money", token)
        ann.until(lambda view: view and view["you"]["seat"] is None)
        assert any("At a card room the house has to know you" in frame for frame in ann.frames)
        again = ann.again()
        again.until(lambda view: view and view["you"]["seat"] is None)
        assert not any("has to know you" in frame for frame in again.frames)  # it is said once


def test_play_now_twice_or_in_two_tabs_takes_one_seat(server: LocalServer) -> None:
    _, token = play_now(server, "money")
    first = server.watch("money", token)
    reply, _ = play_now(server, "money", token)
    assert reply.status == 303 and "set-cookie" not in reply.headers
    second = first.again()
    assert first.you["seat"] == second.you["seat"] == 3
    assert listed(server, "money", token)["taken"] == 1
    assert first.refused("sit", seat=1) == "You sit at seat 3 already."


def test_a_form_without_a_seat_gives_a_session_and_no_seat(server: LocalServer) -> None:
    token = server.session("money")
    assert server.watch("money", token).you["seat"] is None


def test_whoever_takes_a_seat_and_never_comes_is_away(server: LocalServer) -> None:
    with patch.object(hub_module, "KEEPS_PLACE", 0.0):
        play_now(server, "money")
        bob = server.watch("money")
        bob.until(lambda view: view["seats"][2]["name"] and not view["seats"][2]["present"])


@pytest.mark.parametrize(
    ("seats", "taken", "order"), [(5, [], [3, 2, 4, 1, 5]), (6, [3], [4, 2, 5, 1, 6]), (1, [1], [])]
)
def test_the_seat_closest_to_the_middle_comes_first(seats: int, taken: list[int], order: list[int]) -> None:
    assert middle_first(seats, taken) == order


# Waiting.


def test_at_a_full_table_people_wait_in_line_and_are_seated_in_their_order(server: LocalServer) -> None:
    ann = server.join("small", 1)
    (_, second), (_, third) = play_now(server, "small"), play_now(server, "small")
    bea, cleo = server.watch("small", second), server.watch("small", third)
    assert (bea.you["line"], cleo.you["line"]) == (1, 2)
    assert listed(server, "small", third)["note"] == "You are second in line."
    assert listed(server, "small")["note"] == "Every seat is taken; 2 waiting."
    ann.done("leave")
    bea.until(lambda view: view["you"]["seat"] == 1)
    cleo.until(lambda view: view["you"]["line"] == 1)
    bea.done("leave")
    cleo.until(lambda view: view["you"]["seat"] == 1 and view["you"]["line"] is None)
    assert listed(server, "small", third)["note"] == "You sit at seat 1."


def test_waiting_twice_is_one_place_and_who_stops_waiting_gives_it_up(server: LocalServer) -> None:
    ann, bea, cleo = server.join("small", 1), server.join("small"), server.join("small")
    for robot in (bea, bea, cleo, bea):
        answer = robot.do("wait")
        assert "ok" in answer and answer["receipt"] is None
    again = bea.again()
    assert "ok" in again.do("wait")
    cleo.until(lambda view: view["you"]["line"] == 2)
    assert "ok" in bea.do("stop waiting") and "ok" in bea.do("stop waiting")
    for robot in (bea, again):
        robot.until(lambda view: view["you"]["line"] is None)
    cleo.until(lambda view: view["you"]["line"] == 1)
    ann.done("leave")
    cleo.until(lambda view: view["you"]["seat"] == 1)


def test_nobody_passes_the_line(server: LocalServer) -> None:
    ann, bea, cleo = server.join("small", 1), server.join("small"), server.join("small")
    bea.do("wait")
    assert cleo.refused("sit", seat=1) == "Others wait for a seat here; take a place in the line."
    ann.done("leave")
    bea.until(lambda view: view["you"]["seat"] == 1)


def test_where_a_seat_is_free_whoever_asks_to_wait_has_it_at_once(server: LocalServer) -> None:
    ann = server.join("money")
    ann.do("wait")
    ann.until(lambda view: view["you"]["seat"] == 3)
    assert "ok" in ann.do("wait")
    assert ann.you["seat"] == 3


def test_a_reload_keeps_the_place_and_a_page_that_stays_away_gives_it_up(server: LocalServer) -> None:
    server.join("small", 1)
    bea, cleo = server.join("small"), server.join("small")
    bea.do("wait")
    cleo.do("wait")
    bea.close()
    bea = bea.again()
    bea.until(lambda view: view["you"]["line"] == 1)
    with patch.object(hub_module, "KEEPS_PLACE", 0.0):
        bea.close()
        cleo.until(lambda view: view["you"]["line"] == 1)
    assert listed(server, "small")["waiting"] == 1


def test_a_line_is_bounded_at_a_table_and_from_an_address() -> None:
    lines = Lines()
    for n in range(waiting.MOST_AT_A_TABLE):
        lines.join("money", f"player {n}", f"address {n}")
    with pytest.raises(Exception, match="wait for a seat here already"):
        lines.join("money", "one more", "elsewhere")
    for n in range(waiting.MOST_FROM_AN_ADDRESS):
        lines.join(f"table {n}", "ann", "home")
    with pytest.raises(Exception, match="Too many from your address"):
        lines.join("yet another", "ann", "home")
    lines.join("table 3", "ann", "home")
    assert lines.place("table 3", "ann") == 1 and lines.place("yet another", "ann") is None


def test_a_spectator_without_a_session_cannot_wait_and_a_closed_table_has_no_line(server: LocalServer) -> None:
    server.join("small", 1)
    assert "go to the lobby" in server.watch("small").refused("wait")
    bea = server.join("small")
    server.run(lambda house: house.close_table("small", "for the night"))
    assert "for the night" in bea.refused("wait")
    assert listed(server, "small")["offer"] == "watch"


# What the lobby tells.


def test_the_tables_stand_in_one_order_by_game_and_name_whenever_they_were_opened(tmp_path: Path) -> None:
    tables = [table_of("craps"), yo(), money(id="ten", name="Room 10"), between(), money(id="nine", name="Room 9")]
    for order in (tables, tables[::-1]):
        with LocalServer(tmp_path / str(len(list(tmp_path.iterdir()))), order) as server:
            assert [table["id"] for table in server.get("/api/tables")] == ["between", "nine", "ten", "yo", "craps"]
            text = server.ask("/").text
            games = re.findall(r'<h2 id="game-[\w-]+">([^<]+)</h2>', text)
            assert games == ["IN BETween", "One For The Money", "Yo!", "Craps"], "those with an approval come first"
            assert re.findall(r"<h3>([^<]+)</h3>", text)[:-1] == ["Green", "Room 9", "Room 10", "Blue"]


def test_the_lobby_marks_your_seat_and_offers_what_can_be_done(server: LocalServer) -> None:
    assert (listed(server, "money")["offer"], listed(server, "money")["your_seat"]) == ("play", None)
    _, token = play_now(server, "money")
    mine = listed(server, "money", token)
    assert (mine["offer"], mine["your_seat"], mine["note"]) == ("go", 3, "You sit at seat 3.")
    assert listed(server, "money")["your_seat"] is None
    page = server.ask("/", cookie=f"{COOKIE}={token}").text
    assert "You sit at seat 3." in page and 'class="seat taken yours"' in page
    assert '<a href="/me">Your own page</a>' in page
    server.join("small", 1)
    assert listed(server, "small")["offer"] == "wait"
    server.run(lambda house: house.pause("money", "a short break"))
    assert listed(server, "money", token)["note"] == "You sit at seat 3. Paused: a short break."


def test_what_has_not_changed_is_not_sent_again(server: LocalServer) -> None:
    first = server.ask("/api/tables")
    again = server.ask("/api/tables", if_none_match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    server.join("money", 1)
    changed = server.ask("/api/tables", if_none_match=first.headers["etag"])
    assert changed.status == 200 and changed.headers["etag"] != first.headers["etag"]


def test_a_game_has_a_page_with_its_rules_and_its_exact_edges(server: LocalServer) -> None:
    page = server.ask("/game/one-for-the-money").text
    assert "493536/12909299" in page and "3.82 %" in page and "O-05" in page
    assert "493536/12909299" in str(listed(server, "money")["edges"])
    assert server.ask("/game/poker").status == 404
    told = server.ask("/how-it-works").text
    assert "/game/one-for-the-money" in told and "/game/in-between" in told


def test_a_table_with_settings_of_its_own_shows_no_figures_of_others(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money(decks=5)]) as server:
        assert listed(server, "money")["edges"] == []
        assert (
            "This table has settings of its own, and no figures ship for them."
            in server.ask("/game/one-for-the-money").text
        )


def test_a_game_from_outside_says_that_no_figures_ship_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_toys(monkeypatch)
    monkeypatch.setattr("feltworks.web.posted.load", load_any)
    with LocalServer(tmp_path, [bands()]) as server:
        page = server.ask("/game/bands").text
        assert "This game is from outside the package, and no figures ship for it." in page
        assert "<code>felt analyze bands</code> computes them." in page and "settings of its own" not in page


# Names.


def test_everybody_at_the_table_sees_a_new_name_at_once(server: LocalServer) -> None:
    ann, bob, eve = server.join("money", 1), server.join("money", 2), server.watch("money")
    assert ann.token is not None
    reply = choose_name(server, ann.token, "+Ann++Lee+")
    assert (reply.status, reply.json) == (200, {"name": "Ann Lee"})
    for robot in (ann, bob, eve):
        robot.until(lambda view: view["seats"][0]["name"] == "Ann Lee")
    assert ann.you["name"] == "Ann Lee"
    with server.watch("money") as late:
        assert late.view["seats"][0]["name"] == "Ann Lee"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        pytest.param("x" * 1_000, "A name has at most 20 characters; that one has 1,000.", id="a thousand letters"),
        ("", "Choose a name of 1 to 20 characters."),
        ("%00", "A name has letters, digits and spaces, and the signs . ' - between them."),
        ("A%E2%80%AEnn", "A name has letters, digits and spaces, and the signs . ' - between them."),
        ("Dora Dealer", "A name with “Dealer” in it could be taken for somebody of the house; choose another."),
        (b"%FF%FE", "A name has letters, digits and spaces, and the signs . ' - between them."),
        ("Во%D0%B1", "Somebody here has that name, or one that looks like it; choose another."),
    ],
)
def test_a_name_that_cannot_be_is_refused_in_words(server: LocalServer, name: str | bytes, why: str) -> None:
    choose_name(server, server.session(), "Boб".encode())
    ann = server.join("money", 1)
    stream = server.run(lambda house: person_stream(house.live("money").table.seats[1].player))
    before = server.run(lambda house: house.journal.version(stream))
    reply = choose_name(server, ann.token, name)
    assert (reply.status, reply.json["detail"]) == (422, why)
    page = choose_name(server, ann.token, name, accept="text/html")
    assert page.status == 422 and why.partition("'")[0] in page.text
    assert server.run(lambda house: house.journal.version(stream)) == before
    assert ann.you["name"] == "Guest 2"


def test_a_browser_comes_back_to_the_lobby_with_its_new_name(server: LocalServer) -> None:
    token = server.session()
    reply = choose_name(server, token, "Ann", accept="text/html")
    assert (reply.status, reply.headers["location"]) == (303, "/")
    assert "<bdi data-name>Ann</bdi>" in server.ask("/", cookie=f"{COOKIE}={token}").text


def test_who_has_no_session_has_no_name_to_choose(server: LocalServer) -> None:
    assert choose_name(server, None, "Ann").status == 403
    assert choose_name(server, "made up", "Ann").status == 403


def test_an_address_chooses_only_so_many_names_in_an_hour(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()], caps=Caps(names=2)) as server:
        token = server.session()
        assert [choose_name(server, token, name).status for name in ("Ann", "Bea", "Cleo")] == [200, 200, 429]
        assert "Too many names" in choose_name(server, token, "Cleo").json["detail"]


def test_no_name_stands_in_the_log(server: LocalServer, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG"):
        ann = server.join("money", 1)
        choose_name(server, ann.token, "Wilhelmina")
        choose_name(server, ann.token, "Wilhelmina!")
        ann.until(lambda view: view["you"]["name"] == "Wilhelmina")
    assert "Wilhelmina" not in caplog.text
    assert ann.token is not None and token_digest(ann.token) not in caplog.text
