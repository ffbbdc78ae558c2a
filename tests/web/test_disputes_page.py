"""Disputes on the screen (F-19): a player disputes a round from its recall, a supervisor decides it on a page of the
house, and both are told; and a win that is held is told to whoever has won it, and to nobody else."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from urllib.parse import quote

import pytest

from feltworks.floor.actors import person as by_person
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import Role
from feltworks.floor.statutory_limits import HeldWinLimit
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.answers import NotRolled
from feltworks.floor.table.incidents import asked_of_staff
from feltworks.floor.table.pending import HeldWin, Pending
from feltworks.games.yo.incidents import DIE_STUCK
from feltworks.kit import steps
from feltworks.web.cookies import COOKIE
from feltworks.web.forms import Form
from feltworks.web.guard import Caps
from feltworks.web.pit.board_rows import alerts
from feltworks.web.staff.tables import acts_at
from tests.floor.pit import Pit
from tests.floor.sitting import Sitting, one_for_the_money
from tests.web.dealing import dealt_by_hand
from tests.web.people_of_the_house import FORM, Window, said, staffed
from tests.web.robots import Json, LocalServer, Reply, Robot, money, yo

PATH = "/house/disputes"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [money()]) as server:
        yield server
        server.check()


def played(robot: Robot) -> int:
    """A round from its betting to its end: its number."""
    number = int(robot.phase("betting")["round"])
    robot.done("place", spot="ante", amount=500)
    robot.done("ready")
    robot.my_turn()
    robot.done("choose", option="check")
    robot.next_round()
    return number


@pytest.fixture
def ann(server: LocalServer) -> Iterator[Robot]:
    ann = server.join("money", 1)
    yield ann
    ann.close()


def dispute(server: LocalServer, token: str | None, number: object, text: str, table: str = "money") -> Reply:
    cookie = {"Cookie": f"{COOKIE}={token}"} if token else {}
    path = f"/api/tables/{table}/rounds/{number}/dispute"
    return server.ask(path, "POST", f"text={quote(text)}".encode(), Content_Type=FORM, **cookie)


def own(view: Json) -> list[Json]:
    found: list[Json] = view["you"]["disputes"]
    return found


@pytest.mark.rule("F-19", "F-05")
def test_a_player_disputes_a_round_and_the_supervisor_decides_it_on_the_page_of_it(
    server: LocalServer, ann: Robot
) -> None:
    number = played(ann)
    supervisor = staffed(server, "Sue", Role.SUPERVISOR)
    assert "No round is disputed." in said(supervisor.get(PATH))
    made = dispute(server, ann.token, number, "I had <b>raised</b>.")
    assert (made.status, json.loads(made.body)) == (200, {"dispute": 1})
    [open_one] = own(ann.until(lambda view: view["you"]["disputes"]))
    assert (open_one["round"], open_one["state"], open_one["text"]) == (number, "open", "I had <b>raised</b>.")
    assert "Disputes 1 Somebody disputes a round" in said(supervisor.get("/house"))
    listed = supervisor.get(PATH)
    assert "I had <b>raised</b>." in said(listed) and "<b>raised" not in listed.text, "as text, not as markup"
    page = supervisor.get(f"{PATH}/money/1")
    assert f'href="/table/money/round/{number}"' in page.text, "the round is the evidence"
    kinds = re.findall(r"State rules|Approved manufacturer's rules|Approved house rules|Hoyle", said(page))
    assert kinds[:4] == ["State rules", "Approved manufacturer's rules", "Approved house rules", "Hoyle"]
    before = ann.view["you"]["balance"]
    form = {
        "decision": "upheld",
        "rule": "Hoyle",
        "reason": "The recall shows it.",
        "amount": "7.50",
        "direction": "pay",
    }
    assert "Decided." in said(supervisor.send(f"{PATH}/money/1", **form))
    [decided] = own(ann.until(lambda view: view["you"]["disputes"][0]["state"] != "open"))
    assert {name: decided[name] for name in ("state", "rule", "reason", "amount")} == {
        "state": "upheld",
        "rule": "Hoyle",
        "reason": "The recall shows it.",
        "amount": 750,
    }
    ann.until(lambda view: view["you"]["balance"] == before + 750)
    second = staffed(server, "Sam", Role.SUPERVISOR).post(f"{PATH}/money/1", form)
    assert second.status == 422 and "Dispute 1 is decided already; the records say how, and by whom." in said(second)


@pytest.mark.rule("F-19")
def test_what_cannot_be_disputed_is_refused_in_words_and_nothing_is_recorded(server: LocalServer, ann: Robot) -> None:
    number = played(ann)
    stranger = server.session()
    before = server.run(lambda house: house.store.last_commit())
    for token, at, text, status, why in (
        (None, number, "x", 403, "Only who played a round can dispute it."),
        (stranger, number, "x", 422, f"You had no chips in round {number}; only who played a round can dispute it."),
        (ann.token, 9_999, "x", 422, "Only a round that is over can be disputed"),
        (ann.token, number, " ", 422, "Say what was wrong in the round."),
        (ann.token, number, "x" * 501, 422, "Say it in at most 500 characters; these are 501."),
        (ann.token, number, "a\u202eb", 422, "Some of these characters cannot be shown"),
        (ann.token, 0, "x", 422, ""),
        (ann.token, "one", "x", 422, ""),
    ):
        reply = dispute(server, token, at, text)
        assert reply.status == status and why in reply.text, (reply.status, reply.text)
    assert dispute(server, ann.token, number, "x", "nowhere").status == 404
    assert server.run(lambda house: house.store.last_commit()) == before
    assert dispute(server, ann.token, number, "x").status == 200
    again = dispute(server, ann.token, number, "x")
    assert again.status == 422 and f"Round {number} is disputed already; dispute 1 is not decided yet." in again.text


@pytest.mark.rule("F-19", "F-13")
def test_a_dealer_takes_a_dispute_down_and_nobody_but_a_supervisor_decides(server: LocalServer, ann: Robot) -> None:
    number = played(ann)
    dealer = staffed(server, "Dan", Role.DEALER)
    for fields, why in (
        ({"table": "", "round": "1", "seat": "1", "text": "x"}, "Choose the table."),
        ({"table": "money", "round": "one", "seat": "1", "text": "x"}, "Give the number of the round."),
        ({"table": "money", "round": "1", "seat": "-1", "text": "x"}, "Give the number of the seat."),
        ({"table": "money", "round": str(number), "seat": "4", "text": "x"}, "Nobody had chips at seat 4 in round"),
    ):
        reply = dealer.post(PATH, fields)
        assert reply.status == 422 and why in said(reply)
    taken = dealer.send(PATH, table="money", round=str(number), seat="1", text="Paid too much.")
    assert "Dispute 1 is open." in said(taken) and "Paid too much." in said(taken)
    assert "It is for a supervisor to decide." in said(dealer.get(f"{PATH}/money/1"))
    form = {"decision": "rejected", "rule": "Hoyle", "reason": "No."}
    others = {"Deb": Role.DEALER, "Max": Role.MANAGER, "Vic": Role.SURVEILLANCE, "Ada": Role.AUDITOR}
    for name, role in others.items():
        reply = staffed(server, name, role).post(f"{PATH}/money/1", form)
        assert reply.status == 422 and "Decide dispute is not for" in said(reply)
    supervisor = staffed(server, "Sue", Role.SUPERVISOR)
    for fields, why in (
        ({**form, "decision": "maybe"}, "Say whether the dispute is upheld or rejected."),
        ({**form, "rule": "mine"}, "Say which rules decide it."),
        ({**form, "reason": ""}, "Say why: the rule that decides it"),
        ({**form, "amount": "lots"}, "Write an amount in dollars"),
        ({**form, "amount": "5"}, "Say whether the amount is paid to the player or taken back."),
        ({**form, "amount": "5", "direction": "pay"}, "A dispute that is rejected moves no money"),
    ):
        reply = supervisor.post(f"{PATH}/money/1", fields)
        assert reply.status == 422 and why in said(reply), why
    assert supervisor.get(f"{PATH}/money/7").status == 404
    assert "Decided." in said(supervisor.send(f"{PATH}/money/1", **form))


@pytest.mark.rule("F-19", "F-14")
def test_what_somebody_disputes_is_told_to_them_and_the_staff_and_to_nobody_else(
    server: LocalServer, ann: Robot
) -> None:
    number = played(ann)
    watcher = server.watch("money", server.session())
    watcher.until(lambda view: view.get("you") is not None)
    dispute(server, ann.token, number, "a very private matter")
    ann.until(lambda view: view["you"]["disputes"])
    played(ann)
    watcher.until(lambda view: view["version"] >= ann.view["version"])
    assert "a very private matter" not in json.dumps([watcher.view, server.get("/api/tables/money/rounds")])
    assert watcher.view["you"]["disputes"] == []
    window = Window(server, server.session())
    assert window.get(f"/table/money/round/{number}").status == 200
    assert "a very private matter" not in window.get(f"/api/tables/money/rounds/{number + 1}").text
    assert window.get(PATH).status == 403
    watcher.close()


@pytest.mark.rule("F-19")
def test_whoever_has_won_sees_what_is_held_and_then_that_it_is_paid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = HeldWinLimit(date(2009, 1, 1), 0, "a test", False)
    monkeypatch.setattr("feltworks.floor.house.held_win_limit", lambda day: limit)
    monkeypatch.setattr("feltworks.floor.table.outcome.verifies_itself", lambda settings: False)
    with LocalServer(tmp_path, [money()]) as server:
        ann, bob = server.join("money", 1), server.watch("money", server.session())
        while not ann.view["you"]["held"]:
            ann.phase("betting")
            ann.done("place", spot="ante", amount=500)
            ann.done("ready")
            ann.my_turn()
            ann.done("choose", option="check")
            ann.next_round()
        [win, *_] = held = ann.view["you"]["held"]
        assert win["spot"] == "ante" and win["cents"] == 500
        bob.until(lambda view: view["version"] >= ann.view["version"])
        assert bob.view["you"]["held"] == []
        before = ann.view["you"]["balance"]
        vic = staffed(server, "Vic", Role.SURVEILLANCE)
        assert vic.get("/house").status == 200
        id = server.run(lambda house: house.pending.held_wins()[0][1].id)
        actor = server.run(lambda house: house.people.player_of(vic.token))
        assert id == win["id"] and actor is not None
        server.run(lambda house: house.pending.verify_win("money", id, by_person(actor)))
        ann.until(lambda view: len(view["you"]["held"]) < len(held))
        assert ann.view["you"]["balance"] == before + 500
        ann.close()
        bob.close()


@pytest.mark.rule("F-19")
def test_an_address_that_disputes_again_and_again_is_asked_to_wait(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money()], caps=Caps(disputes=2)) as server:
        ann = server.join("money", 1)
        number = played(ann)
        assert [dispute(server, ann.token, number, "x").status for _ in range(2)] == [200, 422]
        late = dispute(server, ann.token, number, "x")
        assert late.status == 429 and "Too many rounds were disputed from your address; " in late.text
        assert int(late.headers["retry-after"]) > 0
        ann.close()


@pytest.mark.rule("F-19")
def test_a_win_is_told_to_the_staff_though_its_spot_is_not_offered_any_more() -> None:
    table = Sitting(one_for_the_money()).table
    wins = {
        "7-1": HeldWin("7-1", 1, 2, "perfect_match", "Suited", 500_000, "ann", 0),
        "9-1": HeldWin("9-1", 1, 2, "", "dispute 1", 400_000, "", 0),
    }
    told = [alert.text for alert in alerts(replace(table, pending=Pending(wins=wins)), str.capitalize)]
    assert told == ["5,000.00 for Ann, seat 2: perfect_match, Suited", "4,000.00, seat 2: dispute 1"]


@pytest.mark.rule("Y-25", "F-28", "F-27")
def test_what_a_game_asks_of_the_supervisor_is_decided_on_the_floor_without_an_incident(tmp_path: Path) -> None:
    """A die that is stuck in the cup: nothing was reported, and the supervisor is called all the same."""
    pit = Pit(tmp_path / "records.db", dealt_by_hand(yo(), seats=3))
    pit.deal(cmd.StartRound(False))
    pit.enter_for(cmd.PlaceFor(1, "play", 500))
    pit.deal(cmd.CloseBetting())
    while (asked := pit.procedure.asked).kind != "roll":
        pit.decide(asked) if asked.who == "seats" else pit.enter(pit.possible(asked))
    pit.enter(NotRolled(DIE_STUCK))
    step = asked_of_staff(pit.table)
    assert step is not None and step.who is steps.Role.SUPERVISOR and not pit.table.incident
    [alert] = [alert for alert in alerts(pit.table, str) if alert.kind == "decision"]
    assert alert.text and alert.roles == ("supervisor",) and alert.options
    assert not any(option.voids for option in alert.options), "only what is decided about an incident voids a round"
    form = Form({"do": ["resolve"], "option": [alert.options[0].name]})
    decide = acts_at(pit.house, "yo", form, pit.supervisor)["resolve"][0]
    with pytest.raises(Refused, match="That is for a supervisor to decide"):
        acts_at(pit.house, "yo", form, pit.dealer)["resolve"][0]()
    decide()
    assert asked_of_staff(pit.table) is None
    with pytest.raises(Refused, match="Nothing was reported at this table, or it is decided already"):
        decide()
