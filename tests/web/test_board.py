"""The board of all tables, the pages of those who watch, and what is told to them (F-13, F-14, F-28)."""

import asyncio
import json
from collections.abc import Iterator
from datetime import date
from functools import partial
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from feltworks.floor.actors import Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.house import House
from feltworks.floor.roles import STAFF, Role
from feltworks.floor.statutory_limits import HeldWinLimit
from feltworks.floor.table.state import NotInstalled
from feltworks.web.pit.board import Board, Looker
from feltworks.web.pit.board_messages import BoardTable
from feltworks.web.pit.board_rows import row
from feltworks.web.sockets import ENDED
from feltworks.web.staff.access import SEARCH, SEE_BOARD, WATCH
from tests.browser.cards import stack
from tests.web.board_watching import BoardWatcher
from tests.web.people_of_the_house import Window, employ, staffed
from tests.web.robots import LocalServer, Reply, Robot, between, money, yo

NAMES = {role: f"Lee {letter}" for role, letter in zip(Role, "ABCDEFGH", strict=True)}
PAGES = {"/house/board": SEE_BOARD, "/house/watch": WATCH, "/house/watch/money": WATCH, "/house/search": SEARCH}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [money(), between(), yo()]) as server:
        yield server
        server.check()


@pytest.fixture
def sue(server: LocalServer) -> Window:
    return staffed(server, "Sue", Role.SUPERVISOR)


def press(window: Window, do: str, **fields: str) -> Reply:
    return window.post("/house/board", {"do": do, **fields}, Accept="application/json")


def done(reply: Reply) -> str:
    assert reply.status == 200, reply.text
    said: str = json.loads(reply.text)["done"]
    return said


def refused(reply: Reply) -> str:
    assert reply.status == 422, reply.text
    said: str = json.loads(reply.text)["detail"]
    return said


def with_wager(server: LocalServer, seat: int = 1) -> Robot:
    ann = server.join("money", seat)
    ann.phase("betting")
    ann.done("place", spot="ante", amount=500)
    return ann


def as_it_is(server: LocalServer, table: str) -> BoardTable:
    return server.run(lambda house: row(house.table(table), house.people.known_name))


# Who may.


@pytest.mark.rule("F-13")
@pytest.mark.parametrize("role", [role for role in Role if role in STAFF])
def test_the_board_is_seen_and_tables_are_watched_by_those_whose_role_it_is(server: LocalServer, role: Role) -> None:
    window = staffed(server, NAMES[role], role)
    start = window.get("/house").text
    for path, roles in PAGES.items():
        reply = window.get(path)
        assert reply.status == (200 if role in roles else 403), path
        if path != "/house/watch/money":
            assert (f'href="{path}"' in start) is (role in roles), path
    if role in WATCH:
        with BoardWatcher(server, window.token) as board:
            board.until(lambda rows: len(rows) == 3)
    else:
        with BoardWatcher(server, window.token) as board, pytest.raises(ConnectionClosed) as closed:
            board.receive()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == ENDED


@pytest.mark.rule("F-13")
def test_a_player_or_a_stranger_sees_nothing_of_the_board(server: LocalServer) -> None:
    ann = server.join("money")
    assert ann.token is not None
    for token in ("", ann.token):
        with BoardWatcher(server, token) as board, pytest.raises(ConnectionClosed):
            board.receive()
        assert Window(server, token).get("/house/board").status in (401, 403)
        assert press(Window(server, token), "pause", table="money", reason="why").status in (401, 403)
    assert server.run(lambda house: house.table("money").service) == "open"


@pytest.mark.rule("F-13", "F-19")
@pytest.mark.parametrize("role", [Role.SURVEILLANCE, Role.DEALER, Role.AUDITOR, Role.CASHIER])
def test_nobody_commands_from_the_board_what_their_role_may_not(server: LocalServer, role: Role) -> None:
    with_wager(server)
    window = staffed(server, NAMES[role], role)
    before = server.run(lambda house: house.table("money").version)
    for fields in (
        {"do": "pause", "table": "money", "reason": "why"},
        {"do": "void", "table": "money", "reason": "why", "round": "1"},
        {"do": "close", "table": "money", "reason": "why"},
        {"do": "fly", "table": "money"},
    ):
        reply = window.post("/house/board", fields, Accept="application/json")
        assert reply.status in (403, 422), fields
    assert server.run(lambda house: house.table("money").version) == before
    assert not server.run(lambda house: house.administration.waiting)


# What is told.


@pytest.mark.rule("F-28")
def test_the_board_tells_every_table_as_it_is_now_and_again_when_it_changes(server: LocalServer, sue: Window) -> None:
    with BoardWatcher(server, sue.token) as board:
        board.until(lambda rows: len(rows) == 3)
        assert board.order == ["between", "money", "yo"]
        assert board.rows["money"].phase == "waiting"
        with_wager(server, seat=3)
        rows = board.until(lambda rows: rows["money"].stake == 500)
        money = rows["money"]
        assert (money.phase, money.taken, money.round, money.dealer) == ("betting", [3], 1, "the program")
        assert money == as_it_is(server, "money")
        server.run(lambda house: house.open_table(yo(id="yo-2", name="Blue 2")))
        board.until(lambda rows: "yo-2" in rows)
        assert board.order == ["between", "money", "yo", "yo-2"]


@pytest.mark.rule("F-28")
def test_the_last_row_of_a_busy_table_is_its_last_state(server: LocalServer, sue: Window) -> None:
    ann, bob = server.join("money", 1), server.join("yo", 2)
    ann.phase("betting")
    bob.phase("betting")
    with BoardWatcher(server, sue.token) as board:
        board.until(lambda rows: len(rows) == 3)
        told = board.messages
        for n in range(60):
            ann.done("place", spot="ante", amount=100 * (n % 5 + 1))
            ann.done("take up", spot="ante")
        ann.done("place", spot="ante", amount=700)
        bob.done("place", spot="play", amount=300)
        rows = board.until(lambda rows: (rows["money"].stake, rows["yo"].stake) == (700, 300))
        for table in ("money", "yo"):
            assert rows[table] == as_it_is(server, table)
        assert board.messages - told < 120, "changes that come together are told together"


@pytest.mark.rule("F-28")
def test_who_does_not_read_keeps_nothing_waiting_but_which_tables_have_changed(server: LocalServer) -> None:
    """A thousand changes for one who looks away: one message then, with each table once."""
    board: Board = server._server.config.app.state.board  # type: ignore[union-attr]
    looker = Looker("nobody", "no session", signs=False)
    server.run(lambda _: board.join(looker))
    ann = server.join("money", 1)
    ann.phase("betting")
    for _ in range(250):
        ann.done("place", spot="ante", amount=100)
        ann.done("take up", spot="ante")
    assert looker.tables == {"money", "between", "yo"}

    def told() -> bytes | None:
        return asyncio.run_coroutine_threadsafe(board.message_for(looker), server._loop).result(60)

    message = told()
    assert message is not None
    assert [table["id"] for table in json.loads(message)["board"]] == ["between", "money", "yo"]
    assert len(message) < 10_000
    assert told() is None
    server.run(lambda _: board.leave(looker))
    assert not board._rows, "where nobody looks, no row is kept"


@pytest.mark.rule("F-28")
def test_a_page_that_has_not_taken_a_message_is_sent_no_other_and_then_everything_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty tables are paused and go on many times, as fast as they can, before somebody who does not look."""
    monkeypatch.setattr("feltworks.web.pit.board.BEAT", 0)
    tables = [money(id=f"money-{n}", name=f"Burgundy {n}") for n in range(20)]
    with LocalServer(tmp_path, tables) as server:
        token = staffed(server, "Sue", Role.SUPERVISOR).token
        ed = by_person(server.run(lambda house: employ(house, "Ed", Role.SUPERVISOR))[0])
        with BoardWatcher(server, token) as slow:
            slow.receive(takes=False)
            for n in range(15):
                for table in tables:
                    server.run(partial(pause_or_resume, table.id, ed, pause=n % 2 == 0))
            slow.socket.send('{"ping":7}')
            assert slow.receive() == {"pong": 7}, "nothing else was sent meanwhile"
            slow.take()
            slow.receive()
            assert slow.messages == 2
            assert [row.service for row in slow.rows.values()] == ["paused"] * 20
            assert all(slow.rows[table.id] == as_it_is(server, table.id) for table in tables)
        server.check()


def pause_or_resume(table: str, actor: Actor, house: House, *, pause: bool) -> None:
    if pause:
        house.pause(table, "x" * 150, actor)
    else:
        house.resume(table, actor)


@pytest.mark.rule("F-13")
def test_who_logs_out_or_loses_the_role_sees_the_board_no_longer(server: LocalServer) -> None:
    _, token = server.run(lambda house: employ(house, "Ed", Role.SUPERVISOR))
    kim = staffed(server, "Kim", Role.MANAGER)
    with BoardWatcher(server, token) as board:
        board.until(lambda rows: len(rows) == 3)
        Window(server, token).send("/logout")
        with pytest.raises(ConnectionClosed):
            board.until(lambda _: False)
    other, token = server.run(lambda house: employ(house, "Flo", Role.SUPERVISOR))
    with BoardWatcher(server, token) as board:
        board.until(lambda rows: len(rows) == 3)
        assert kim.send(f"/house/people/{other}", do="roles", roles=["dealer"], reason="Moves").status == 200
        with pytest.raises(ConnectionClosed):
            board.until(lambda _: False)


# What is done there.


@pytest.mark.rule("F-28")
def test_an_incident_is_decided_on_the_board_and_the_second_supervisor_is_refused(
    server: LocalServer, sue: Window
) -> None:
    ann = with_wager(server)
    ann.done("ready")
    ann.my_turn()
    ed = staffed(server, "Ed", Role.SUPERVISOR)
    with BoardWatcher(server, sue.token) as board:
        assert done(press(sue, "report", table="money", incident="misdeal", reason="A card fell"))
        alert = board.until(lambda rows: rows["money"].alerts)["money"].alerts[0]
        assert (alert.kind, alert.text, alert.roles) == ("incident", "Misdeal: A card fell", ("supervisor",))
        assert [(option.name, option.voids) for option in alert.options] == [("continue", False), ("void", True)]
        decide = {"table": "money", "report": alert.id, "option": "continue", "reason": "It lay face down"}
        assert refused(press(sue, "resolve", **{**decide, "reason": ""}))
        assert done(press(sue, "resolve", **decide)) == "Decided."
        assert "decided already" in refused(press(ed, "resolve", **decide))
        board.until(lambda rows: not rows["money"].alerts)
        assert done(press(ed, "report", table="money", incident="exposed card", reason="The next one"))
        assert "decided already" in refused(press(sue, "resolve", **decide))
        board.until(lambda rows: rows["money"].alerts and rows["money"].alerts[0].text == "Exposed card: The next one")


@pytest.mark.rule("F-13")
def test_a_table_is_paused_with_a_reason_and_goes_on_from_the_board(server: LocalServer, sue: Window) -> None:
    with BoardWatcher(server, sue.token) as board:
        assert refused(press(sue, "pause", table="money", reason=""))
        assert refused(press(sue, "pause", table="nowhere", reason="why"))
        assert done(press(sue, "pause", table="money", reason="The lights flicker")) == "The table is paused."
        (alert,) = board.until(lambda rows: rows["money"].service == "paused")["money"].alerts
        assert (alert.kind, alert.text, alert.roles) == ("paused", "The lights flicker.", ("supervisor", "manager"))
        assert done(press(sue, "resume", table="money")) == "The table goes on."
        assert board.until(lambda rows: rows["money"].service == "open")["money"].alerts == []


@pytest.mark.rule("F-13")
def test_what_waits_for_a_second_signature_comes_to_the_board_and_is_signed_there(
    server: LocalServer, sue: Window
) -> None:
    with_wager(server)
    kim = staffed(server, "Kim", Role.MANAGER)
    with BoardWatcher(server, sue.token) as hers, BoardWatcher(server, kim.token) as theirs:
        assert hers.until_signatures(0) == []
        assert done(press(sue, "void", table="money", round="1", reason="A card was seen"))
        (own,), (other,) = hers.until_signatures(1), theirs.until_signatures(1)
        assert (own.can_sign, own.can_withdraw) == (False, True)
        assert (other.can_sign, other.first, other.title) == (True, "Sue", "Void round 1 at Burgundy")
        assert refused(press(sue, "sign", action=own.action))
        assert done(press(kim, "sign", action=own.action)) == "Signed, and done."
        assert hers.until_signatures(0) == theirs.until_signatures(0) == []
        assert refused(press(kim, "sign", action=own.action))
        theirs.until(lambda rows: rows["money"].stake == 0)


# What does not lie open.


@pytest.mark.rule("F-14")
def test_whoever_only_watches_is_told_what_a_spectator_is_though_they_play_there(server: LocalServer) -> None:
    ann = with_wager(server)
    assert ann.token is not None
    watching = Robot(server, "money?watch", ann.token, {})
    assert watching.view["you"] is None
    assert not any(seat["you"] for seat in watching.view["seats"])


@pytest.mark.rule("F-28")
def test_a_page_of_one_table_is_told_of_that_table_alone(server: LocalServer, sue: Window) -> None:
    with BoardWatcher(server, sue.token, "?table=money") as board:
        board.until(lambda rows: rows)
        bob = server.join("yo", 1)
        bob.phase("betting")
        with_wager(server)
        board.until(lambda rows: rows["money"].stake == 500)
        assert board.rows.keys() == {"money"}
        assert board.order == ["money"]


# What is open behind the rounds.


@pytest.fixture
def every_win_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """A payout of more than a dollar is held, and nothing verifies itself."""
    limit = HeldWinLimit(date(2009, 1, 1), 100, "a test", False)
    monkeypatch.setattr("feltworks.floor.house.held_win_limit", lambda _: limit)
    monkeypatch.setattr("feltworks.floor.table.outcome.verifies_itself", lambda _: False)


def won(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> Robot:
    """Ann wins 5.00 at seat 1 with an ace, in round 1."""
    stack(monkeypatch, "As 3c 4d")
    ann = with_wager(server)
    ann.done("ready")
    ann.my_turn()
    ann.done("choose", option="check")
    ann.next_round()
    return ann


@pytest.mark.rule("F-13", "F-19")
@pytest.mark.usefixtures("every_win_is_held")
def test_a_held_win_comes_to_those_who_watch_with_its_round_and_surveillance_alone_verifies_it(
    server: LocalServer, sue: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    won(server, monkeypatch)
    vera, other = staffed(server, "Vera", Role.SURVEILLANCE), staffed(server, "Vince", Role.SURVEILLANCE)
    with BoardWatcher(server, vera.token) as board:
        (alert,) = board.until(lambda rows: rows["money"].alerts)["money"].alerts
        assert (alert.kind, alert.roles, alert.round) == ("held win", ("surveillance",), 1)
        assert alert.text.startswith("5.00 for Guest 1, seat 1: Ante, ")
        assert f"/table/money/round/1?step={alert.step}".endswith(alert.id.partition("-")[0])
        assert "Wins to verify" in vera.get("/house").text
        win = {"table": "money", "win": alert.id}
        assert "not for a supervisor" in refused(press(sue, "verify", **win))
        assert done(press(vera, "verify", **win)) == "Verified: it is paid."
        assert "verified already" in refused(press(other, "verify", **win))
        board.until(lambda rows: not rows["money"].alerts)
    assert "Wins to verify" not in vera.get("/house").text


@pytest.mark.rule("F-19")
def test_a_dispute_comes_to_the_board_with_its_round_and_leads_to_where_it_is_decided(
    server: LocalServer, sue: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    won(server, monkeypatch)
    with BoardWatcher(server, sue.token) as board:
        sue.send("/house/disputes", table="money", round="1", seat="1", text="It should have been more")
        (alert,) = board.until(lambda rows: rows["money"].alerts)["money"].alerts
        assert (alert.kind, alert.roles, alert.round) == ("dispute", ("supervisor",), 1)
        assert alert.text == "Seat 1, Guest 1: It should have been more"
        assert sue.get(alert.path).status == 200
        decision = {"decision": "rejected", "rule": "Hoyle", "reason": "The round shows it"}
        assert "You have taken this dispute down" in sue.post(alert.path, decision).text
        staffed(server, "Sal", Role.SUPERVISOR).send(alert.path, **decision)
        board.until(lambda rows: not rows["money"].alerts)


@pytest.mark.rule("F-19")
@pytest.mark.usefixtures("every_win_is_held")
def test_what_a_table_left_open_that_is_not_played_on_is_on_the_board_until_it_is_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LocalServer(tmp_path, [money(), yo()]) as server:
        won(server, monkeypatch)
        vera = staffed(server, "Vera", Role.SURVEILLANCE)
    monkeypatch.setattr("feltworks.floor.recovery.check_rules", installed_elsewhere)
    monkeypatch.setattr("feltworks.floor.recovery.Recovery._from_snapshot", lambda *_: None)
    with LocalServer(tmp_path) as server:
        vera = Window(server, vera.token)
        with BoardWatcher(server, vera.token) as board:
            row = board.until(lambda rows: "money" in rows)["money"]
            assert (row.service, [alert.kind for alert in row.alerts]) == ("closed", ["held win", "closed"])
            assert done(press(vera, "verify", table="money", win=row.alerts[0].id)) == "Verified: it is paid."
            while "money" in board.order:
                board.receive()


def installed_elsewhere(*_: object) -> None:
    raise NotInstalled("It is played by another definition than the one that is installed.")
