"""The protocol of a table over real sockets: whole rounds, answers to commands, and what a lost connection keeps."""

import gzip
import json
import signal
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from feltworks.floor.accounts import player_account
from feltworks.floor.actors import Actor
from feltworks.floor.chance.shoe import check_opening
from feltworks.floor.journal.records import Receipt
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.people import GRANT
from feltworks.floor.store.backup import backup
from feltworks.floor.table.answers import Placed
from feltworks.floor.table.events import Answered
from feltworks.floor.table.settings import Clocks
from feltworks.floor.verification.verify import verify
from tests.floor.done import commit_of
from tests.floor.sitting import bands, with_toys
from tests.web.robots import (
    AT_ONCE,
    DEMO,
    SLOW,
    Json,
    LocalServer,
    Robot,
    ServerProcess,
    Sleeper,
    between,
    money,
    play_on,
)
from tests.web.shapes import check_event, told_openings, written


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    with LocalServer(tmp_path, [money(), between()]) as server:
        yield server


def public(view: Json) -> Json:
    """A view without what is for one person alone."""
    seats = [{**seat, "you": False} for seat in view["seats"]]
    return {**view, "seats": seats, "you": None, "now": 0, "message": ""}


def cards(places: list[Json]) -> list[str | None]:
    return [place["card"] for place in places]


def same_for_all(*robots: Robot) -> None:
    """All have seen everything, and what is public is the same for each."""
    version = max(robot.view["version"] for robot in robots)
    views = [robot.until(lambda view: view["version"] >= version) for robot in robots]
    assert all(public(view) == public(views[0]) for view in views)


def bet(robot: Robot, amount: int = 500, bonus: int = 0) -> None:
    main, other = ("ante", "three_card_bonus") if robot.table == "money" else ("base", "in_between")
    robot.phase("betting")
    robot.done("place", spot=main, amount=amount)
    if bonus:
        robot.done("place", spot=other, amount=bonus)


# Whole rounds.


@pytest.mark.rule("F-27", "F-11")
def test_a_round_of_one_for_the_money_with_two_players_and_two_who_watch(server: LocalServer) -> None:
    ann, bob = server.join("money", 1), server.join("money", 3)
    eve, dan = server.watch("money"), server.join("money")
    assert eve.view["you"] is None
    assert (dan.you["seat"], dan.you["balance"], dan.you["spots"], dan.you["options"]) == (None, GRANT, [], [])

    bet(ann, 500, bonus=200)
    bet(bob, 1_000)
    assert ann.until(lambda view: view["seats"][2]["wagers"])["seats"][2]["wagers"] == {"ante": 1_000}
    assert (ann.you["balance"], ann.you["staked"], ann.you["can_ready"]) == (GRANT - 700, 700, True)
    same_for_all(ann, bob, eve, dan)

    ann.done("ready")
    assert ann.until(lambda view: view["seats"][0]["ready"])["phase"] == "betting"
    assert not ann.you["can_ready"]
    bob.done("ready")

    ann.my_turn()
    same_for_all(ann, bob, eve, dan)
    assert ann.you["options"] == [
        {"name": "check", "title": "Check", "wager": 0, "least": 0, "refused": ""},
        {"name": "raise", "title": "Raise", "wager": 500, "least": 500, "refused": ""},
        {"name": "trade", "title": "Trade", "wager": 500, "least": 500, "refused": ""},
    ]
    assert bob.view["message"] == f"{ann.you['name']} to act."
    assert cards(eve.view["dealer"]) == [None, None]
    assert cards(eve.view["seats"][0]["cards"]) != [None]

    ann.done("choose", option="trade")
    ann.until(lambda view: [o["name"] for o in view["you"]["options"]] == ["stand", "raise"])
    assert ann.seat["wagers"] == {"ante": 500, "three_card_bonus": 200, "trade": 500}
    assert cards(ann.view["dealer"]) == [None, None]
    ann.done("choose", option="stand")
    bob.my_turn()
    bob.done("choose", option="raise")

    for robot in (ann, bob, eve, dan):
        robot.round(2)
    turned = [answer["card"] for answer in eve.given("card")]
    assert len(turned) == 5
    results = [effect for event in eve.events for effect in event.get("effects", []) if effect["kind"] == "settled"]
    assert [(r["seat"], r["spot"]) for r in results] == [
        *[(3, "ante"), (3, "raise")],
        *[(1, "ante"), (1, "trade"), (1, "three_card_bonus")],
    ]
    for robot, staked in ((ann, 1_200), (bob, 2_000)):
        won = sum(r["paid"] + r["returned"] for r in results if r["seat"] == robot.you["seat"])
        assert robot.you["balance"] == GRANT - staked + won
    assert_events_are_the_records(server, eve, ann, bob)


@pytest.mark.rule("F-27", "F-11")
def test_rounds_of_in_between_with_two_players_and_one_who_watches(server: LocalServer) -> None:
    ann, bob, eve = server.join("between", 2), server.join("between", 5), server.watch("between")
    for number in (1, 2, 3):
        bet(ann, 1_000, bonus=500)
        bet(bob, 500)
        ann.done("ready")
        bob.done("ready")
        play_on(ann, bob)
        eve.round(number + 1)
    assert len(eve.given("card")) >= 3 * 5
    assert len(eve.given("dealt")) - len(eve.given("card")) <= 3  # hole cards that nobody had to see
    settled = [e for event in eve.events for e in event.get("effects", []) if e["kind"] == "settled"]
    assert {(e["seat"], e["spot"]) for e in settled} == {(2, "base"), (2, "in_between"), (5, "base")}
    for robot in (ann, bob):
        own = [e for e in settled if e["seat"] == robot.you["seat"]]
        assert robot.you["balance"] == GRANT - sum(e["amount"] - e["returned"] - e["paid"] for e in own)
    assert_events_are_the_records(server, eve, ann, bob)


def assert_events_are_the_records(server: LocalServer, *robots: Robot) -> None:
    """What was told is what is written, every event once and in its order; and all of it verifies."""
    with server.reading() as store:
        records = {r.sequence: r for r in store.read(robots[0].table)}
        for robot in robots:
            numbers = [event["sequence"] for event in robot.events]
            assert numbers == list(range(numbers[0], numbers[-1] + 1))
            assert numbers[-1] == robot.view["version"]
            for event in robot.events:
                record = records[event["sequence"]]
                assert check_event(event) == written(record)
                assert event.get("openings") == told_openings(record)
                assert event["time"] == record.time
        store.check_books()
    server.check()


@pytest.mark.rule("F-21")
def test_the_cards_of_a_round_lay_under_the_root_that_was_shown_before_the_deal(server: LocalServer) -> None:
    ann = server.join("money", 1)
    shoe = ann.phase("betting")["shoe"]
    assert shoe["dealt"] == 0
    bet(ann)
    ann.done("ready")
    ann.my_turn()
    assert ann.view["shoe"] == {**shoe, "dealt": 3}
    ann.done("choose", option="check")
    seen = ann.phase("over", "waiting")
    shown = cards(seen["seats"][0]["cards"]) + cards(seen["dealer"])
    ann.next_round()
    assert ann.view["shoe"]["root"] != shoe["root"]
    recalled = server.get("/api/tables/money/rounds/1")
    packed = server.ask("/api/tables/money/rounds/1", accept_encoding="gzip")
    assert (packed.headers["content-encoding"], packed.headers["vary"]) == ("gzip", "Accept-Encoding")
    assert json.loads(gzip.decompress(packed.body)) == recalled
    assert (recalled["root"], recalled["size"]) == (shoe["root"], shoe["size"])
    (ended,) = (r["event"] for r in recalled["records"] if r["event"]["kind"] == "round ended")
    assert len(ended["openings"]) == 3
    assert all(check_opening(shoe["root"], shoe["size"], opening) for opening in ended["openings"])
    if shown:
        assert sorted(opening["card"] for opening in ended["openings"]) == sorted(card for card in shown if card)


# Answers to commands.


@pytest.mark.rule("F-17")
def test_what_is_acknowledged_is_on_the_disk(server: LocalServer) -> None:
    """G2: another process finds it as soon as the answer is here."""
    ann = server.join("money", 1)
    ann.phase("betting")
    for n in range(5):
        ann.done("place", f"wager {n}", spot="ante", amount=100)
        with server.reading() as store:
            last = list(store.read("money"))[-1]
            assert (last.command, decode_event("money", last.event)) == (f"wager {n}", Answered(Placed(1, "ante", 100)))
            assert commit_of(store, [last.actor], f"wager {n}") == ann.receipt["commit"] == store.last_commit()
            player = Actor.parse(last.actor).id
            assert store.balance(str(player_account(player))) == GRANT - 100 * (n + 1)


@pytest.mark.rule("F-16")
def test_every_acknowledgement_carries_a_receipt_that_the_records_are_held_against(tmp_path: Path) -> None:
    """Signed by the house, over the command's commit and all before it: it shows a tail that was cut afterwards."""
    old = tmp_path / "old.db"
    receipts = []
    with LocalServer(tmp_path, [money()]) as server:
        public = server.house.keys.public
        ann = server.join("money", 1)
        ann.phase("betting")
        for n in range(3):
            ann.done("place", f"wager {n}", spot="ante", amount=100)
            receipts.append(msgspec.convert(ann.receipt, Receipt))
            if n == 1:
                backup(server.records, old)
        ann.done("place", "wager 0", spot="ante", amount=100)
        receipts.append(msgspec.convert(ann.receipt, Receipt))
    commits = [receipt.commit for receipt in receipts]
    assert commits[:3] == sorted(set(commits)) and commits[3] == commits[0]
    assert all(receipt.commit <= receipt.group for receipt in receipts)
    for receipt in receipts:
        assert receipt.is_signed_by(public)
    assert verify(server.records, public, receipts).problems == []
    assert verify(old, public).problems == []
    assert verify(old, public, receipts[:2]).problems == []
    assert verify(old, public, receipts[2:3]).problems != []
    forged = msgspec.structs.replace(receipts[0], commit=receipts[0].commit + 1_000, group=receipts[0].group + 1_000)
    assert verify(server.records, public, [forged]).problems != []


def test_a_repeated_command_is_answered_and_done_once(server: LocalServer) -> None:
    """G7: in the same tab, in another one, and after the connection was lost; for another player it is another."""
    ann = server.join("money", 1)
    ann.phase("betting")
    for _ in range(3):
        ann.done("place", "mine", spot="ante", amount=500)
    tab = ann.again()
    tab.done("place", "mine", spot="ante", amount=500)
    ann.lose()
    back = ann.again()
    back.done("place", "mine", spot="ante", amount=500)
    assert (back.you["balance"], back.seat["wagers"]) == (GRANT - 500, {"ante": 500})
    bob = server.join("money", 2)
    bob.done("place", "mine", spot="ante", amount=300)
    assert bob.until(lambda view: view["you"]["staked"])["you"]["balance"] == GRANT - 300


def test_a_command_sent_again_after_a_lost_connection_is_done_once_whether_or_not_it_had_arrived(
    server: LocalServer,
) -> None:
    ann = server.join("money", 1)
    ann.phase("betting")
    for n in range(10):
        ann.send("place", f"again {n}", spot="ante", amount=100)
        ann.lose()
        ann = ann.again()
        ann.done("place", f"again {n}", spot="ante", amount=100)
    assert ann.until(lambda view: view["you"]["staked"] == 1_000)["you"]["balance"] == GRANT - 1_000


@pytest.mark.rule("F-07")
def test_a_refused_command_changes_nothing_and_its_id_may_be_used_again(server: LocalServer) -> None:
    """G5."""
    ann = server.join("money", 1)
    before = ann.phase("betting")
    assert ann.refused("place", "first", spot="ante", amount=50) == "Ante takes at least 1.00."
    ann.done("place", "first", spot="ante", amount=100)
    assert ann.until(lambda view: view["you"]["staked"])["version"] == before["version"] + 1


REFUSED: list[tuple[str, Json, str]] = [
    ("sit", {"seat": 2}, "You sit at seat 1 already."),
    ("sit", {"seat": 0}, "There is no seat 0; the seats are 1 to 5."),
    ("sit", {"seat": -(10**30)}, "There is no seat of that number; the seats are 1 to 5."),
    ("place", {"spot": "ante", "amount": 99}, "Ante takes at least 1.00."),
    ("place", {"spot": "ante", "amount": 10_001}, "Ante takes at most 100.00; you would have 100.01."),
    ("place", {"spot": "ante", "amount": 0}, "Place between 1.00 and 100.00 on Ante."),
    ("place", {"spot": "ante", "amount": -500}, "Place between 1.00 and 100.00 on Ante."),
    ("place", {"spot": "ante", "amount": 10**300}, "Place between 1.00 and 100.00 on Ante."),
    ("place", {"spot": "raise", "amount": 500}, "There is no spot 'raise' at this table."),
    ("place", {"spot": "perfect_match", "amount": 500}, "There is no spot 'perfect_match' at this table."),
    ("place", {"spot": "three_card_bonus", "amount": 500}, "3 Card Bonus needs Ante; place that first."),
    ("take up", {"spot": "ante"}, "Seat 1 has nothing on Ante to take up."),
    ("ready", {}, "Place a wager first; then the cards come."),
    ("choose", {"option": "raise"}, "It is not your turn."),
]


@pytest.mark.rule("F-07")
def test_every_command_that_cannot_be_is_refused_with_a_reason(server: LocalServer) -> None:
    ann, eve = server.join("money", 1), server.watch("money")
    before = ann.phase("betting")
    eve.until(lambda view: view["version"] == before["version"])
    for kind, fields, why in REFUSED:
        assert ann.refused(kind, **fields) == why
    assert ann.view == before
    assert len(eve.frames) == len([f for f in eve.frames if '"view"' in f])
    bet(ann, 500)
    ann.done("ready")
    ann.my_turn()
    assert ann.refused("choose", option="fly") == "'fly' is not possible now; choose one of: check, raise, trade."
    assert ann.refused("choose", option="raise", amount=400) == "Raise: wager 5.00 here."
    assert ann.refused("choose", option="raise", amount=-500) == "Raise: wager 5.00 here."
    assert ann.refused("choose", option="check", amount=5) == "'check' carries no wager; leave the amount out."
    assert ann.refused("place", spot="ante", amount=500).startswith("Betting is closed")
    assert ann.refused("take up", spot="ante").startswith("Betting is closed")
    ann.done("choose", option="raise", amount=500)


@pytest.mark.rule("F-07")
def test_who_watches_cannot_play_and_no_seat_acts_for_another(server: LocalServer) -> None:
    ann, bob = server.join("money", 1), server.join("money", 2)
    eve, dan = server.watch("money"), server.join("money")
    bet(ann)
    bet(bob)
    bob.done("ready")
    for kind, fields in (
        *(("place", {"spot": "ante", "amount": 500}), ("take up", {"spot": "ante"}), ("ready", {})),
        *(("leave", {}), ("choose", {"option": "check"})),
    ):
        assert dan.refused(kind, **fields) == "You are watching; take a seat to play."
        assert eve.refused(kind, **fields) == "You are watching; go to the lobby to play."
    assert eve.refused("sit", seat=3) == "You are watching; go to the lobby to play."
    assert dan.refused("sit", seat=2) == "Seat 2 is taken; choose a free one."
    ann.done("ready")
    ann.my_turn()
    assert bob.refused("choose", option="raise") == "It is not your turn."


def test_who_does_not_read_for_a_while_is_told_how_the_last_round_ended_and_then_how_things_are(
    server: LocalServer,
) -> None:
    """After a round no card is on the table any more; nobody misses what was turned last."""
    with server.join("money", 1) as ann, Sleeper(server, "money") as eve:
        (first,) = eve.wake()
        for _ in range(3):
            bet(ann)
            ann.done("ready")
            ann.my_turn()
            ann.done("choose", option="check")
            ended = ann.phase("over")
            ann.next_round()
        over, now = eve.wake()
        assert (over["view"]["phase"], now["view"]["phase"]) == ("over", "betting")
        assert public({"table": ended["table"], **over["view"]}) == public(ended)
        assert None not in cards(over["view"]["dealer"])
        told = [event["sequence"] for message in (over, now) for event in message["events"]]
        assert told == list(range(first["view"]["version"] + 1, now["view"]["version"] + 1))
        assert eve.wake() == []


@pytest.mark.rule("F-14")
def test_who_is_told_late_how_a_round_ended_sees_their_own_sealed_card_and_nobody_else_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_toys(monkeypatch)
    with LocalServer(tmp_path, [bands(pace=AT_ONCE, clocks=SLOW)]) as server, server.join("bands", 1) as ann:
        assert ann.token is not None
        with Sleeper(server, "bands", ann.token) as tab, Sleeper(server, "bands") as eve:
            for sleeper in (tab, eve):
                sleeper.wake()
            ann.phase("betting")
            ann.done("place", spot="ante", amount=500)
            ann.done("ready")
            ann.my_turn()
            own = cards(ann.seat["cards"])
            ann.done("choose", option="fold")
            ann.next_round()
            views = [sleeper.wake()[0]["view"] for sleeper in (tab, eve)]
            assert [view["phase"] for view in views] == ["over", "over"]
            assert [cards(view["seats"][0]["cards"]) for view in views] == [own, [None]]
            assert None not in own


def test_a_double_click_does_once_what_can_be_done_once(server: LocalServer) -> None:
    ann = server.join("money", 1)
    bet(ann)
    pairs = [[ann.send("ready") for _ in range(2)]]
    ann.my_turn()
    pairs.append([ann.send("choose", option="raise") for _ in range(2)])
    for first, second in pairs:
        assert "ok" in ann.answer(first)
        assert "refused" in ann.answer(second)
    ann.round(2)
    assert ann.given("decide").count({"kind": "decide", "who": 1, "option": "raise"}) == 1


@pytest.mark.rule("F-30")
def test_a_command_that_was_meant_for_an_earlier_round_makes_no_wager_in_this_one(server: LocalServer) -> None:
    """A client that fell behind within the round is judged by the table as it is; one that saw none is not asked."""
    ann = server.join("money", 1)
    began = ann.phase("betting")["version"]
    bet(ann)
    ann.done("ready")
    ann.my_turn()
    ann.done("choose", option="check")
    again = ann.next_round()["version"]
    place = {"kind": "place", "spot": "ante", "amount": 100}
    for seen in (began, again - 1):
        ann.say(json.dumps({"id": "late", "seen": seen, "command": place}))
        why = "That was meant for an earlier round; look at the table and do it again."
        assert ann.answer("late") == {"refused": "late", "why": why}
    assert not ann.you["staked"]
    ann.done("place", spot="ante", amount=100)
    for n, seen in enumerate((again, 0, -1, 10**9)):
        ann.say(json.dumps({"id": f"seen {n}", "seen": seen, "command": place}))
        assert ann.answer(f"seen {n}")["ok"] == f"seen {n}"
    ann.done("ready")
    ann.my_turn()
    ann.say(json.dumps({"id": "closed", "seen": again, "command": {"kind": "take up", "spot": "ante"}}))
    assert "Betting is closed" in ann.answer("closed")["why"]


def test_two_tabs_of_one_seat_are_one_player(server: LocalServer) -> None:
    ann, bob = server.join("money", 1), server.join("money", 2)
    tab = ann.again()
    assert (tab.you["seat"], tab.you["name"]) == (1, ann.you["name"])
    bet(ann)
    tab.until(lambda view: view["you"]["staked"] == 500)
    tab.done("take up", spot="ante")
    ann.until(lambda view: view["you"]["staked"] == 0)
    ann.close()
    bet(tab, 700)
    assert tab.until(lambda view: view["you"]["staked"])["seats"][0]["present"]
    tab.close()
    bob.until(lambda view: not view["seats"][0]["present"])
    assert bob.view["seats"][0]["wagers"] == {"ante": 700}


# Connections.


@pytest.mark.rule("F-30")
def test_a_lost_connection_gets_the_longer_clock_once_and_finds_everything_when_it_is_back(tmp_path: Path) -> None:
    clocks = Clocks(betting=600_000, decision=600_000, away=2_000_000)
    with LocalServer(tmp_path, [money(clocks=clocks)]) as server:
        ann, bob = server.join("money", 1), server.join("money", 2)
        bet(ann, 500, bonus=100)
        bet(bob)
        ann.done("ready")
        bob.done("ready")
        before = ann.my_turn()
        ann.lose()
        away = bob.until(lambda view: not view["seats"][0]["present"])
        assert before["deadline"] + 1_300_000 < away["deadline"] <= before["deadline"] + 1_400_000 + 30_000
        again = ann.again()
        same = again.until(lambda view: view["seats"][0]["present"])
        kept = ("round", "phase", "dealer", "seats", "you", "shoe")
        assert {part: same[part] for part in kept} == {part: before[part] for part in kept}
        again.lose()
        assert bob.until(lambda view: view["version"] == same["version"] + 1)["deadline"] == away["deadline"]
        last = again.again()
        last.done("choose", option="check")
        bob.my_turn()


@pytest.mark.rule("F-30")
def test_clocks_that_run_out_close_the_betting_check_and_never_wager(server: LocalServer) -> None:
    ann, bob = server.join("money", 1), server.join("money", 2)
    bet(ann)
    bet(bob)
    bob.lose()
    ann.until(lambda view: not view["seats"][1]["present"])
    while ann.view["round"] == 1:
        server.pass_time(SLOW.away)
        ann.receive()
    ann.round(2)
    assert ann.given("decide") == [{"kind": "decide", "who": seat, "option": "check"} for seat in (1, 2)]
    with server.reading() as store:
        taken = [b for b in store.entries("money") if b.entry.kind.value == "wager taken"]
    assert [booking.entry.cents for booking in taken] == [500, 500]


@pytest.mark.rule("F-30")
def test_a_seat_is_free_again_when_nobody_came_back_to_it(tmp_path: Path) -> None:
    with LocalServer(tmp_path, [money(clocks=Clocks(seat=300))]) as server:
        ann, bob = server.join("money", 1), server.join("money", 2)
        bet(ann)
        bet(bob)
        ann.lose()
        view = bob.until(lambda view: not view["seats"][0]["present"])
        assert view["seats"][0]["wagers"] == {"ante": 500}
        bob.done("ready")
        bob.until(lambda view: view["phase"] == "deciding")
        server.run(lambda house: house.void("money", "for the test"))
        bob.until(lambda view: view["seats"][0]["name"] is None)
        assert ann.again().you["balance"] == GRANT


@pytest.mark.rule("F-17", "F-30")
def test_a_new_server_goes_on_with_the_round_and_gives_those_who_were_there_the_longer_clock(tmp_path: Path) -> None:
    clocks = Clocks(betting=600_000, decision=600_000, away=2_000_000)
    with LocalServer(tmp_path, [money(clocks=clocks)]) as server:
        ann = server.join("money", 4)
        bet(ann)
        ann.done("ready")
        before = ann.my_turn()
        with pytest.MonkeyPatch.context() as patch:  # the process dies before it can write that it ends
            patch.setattr("feltworks.web.hub.Hub.leave", lambda *_: None)
            ann.lose()
            server.__exit__()
    with LocalServer(tmp_path) as server:
        assert not server.watch("money").view["seats"][3]["present"]
        back = ann.again(server)
        view = back.until(lambda view: view["you"]["options"] and view["seats"][3]["present"])
        kept = ("round", "phase", "dealer", "seats", "you", "shoe")
        before["you"]["clock"] = view["you"]["clock"]  # it begins with the server
        assert {part: view[part] for part in kept} == {part: before[part] for part in kept}
        assert view["deadline"] > before["deadline"]
        back.done("choose", option="check")
        back.next_round()
        server.check()


@pytest.mark.slow
def test_a_server_ends_when_it_is_asked_to_and_waits_for_no_open_socket(tmp_path: Path) -> None:
    with ServerProcess(tmp_path, tables=DEMO) as server:
        ann = server.join("money", 1)
        watching = [server.watch(table) for table in ("money", "match", "between")]
        bet(ann)
        server.stop()
        assert server.process.returncode == 0
        assert server.complaints == ""
        assert not Path(f"{server.records}-wal").exists()  # the records were closed
        for robot in watching:
            robot.close()
    with ServerProcess(tmp_path, tables=DEMO, ignores_interrupts=True) as server:  # as the shell of a script starts it
        assert ann.again(server).you["balance"] == GRANT - 500
        server.stop(signal.SIGINT)
        assert (server.process.returncode, server.complaints) == (130, "")
        assert not Path(f"{server.records}-wal").exists()


def test_a_ping_is_answered_with_its_number_to_players_and_to_those_who_watch(server: LocalServer) -> None:
    ann, eve = server.join("money", 1), server.watch("money")
    for number, robot in enumerate((ann, eve, ann)):
        assert robot.told(json.dumps({"ping": number})) == {"pong": number}
