"""What a hostile client can send: nothing of it changes anything, harms another, or ends more than its own socket."""

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Opcode

from feltworks.floor.people import SESSION
from feltworks.web import sockets
from feltworks.web.hub import UNREAD, Client
from feltworks.web.socket_messages import Refused
from feltworks.web.sockets import LARGEST, hear
from tests.web.robots import HOST, PATIENCE, LocalServer, Robot, between, money, play_on

NOT_A_COMMAND = "That message is not a command this table knows."
WAGER = {"kind": "place", "spot": "ante", "amount": 500}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with LocalServer(tmp_path_factory.mktemp("house"), [money(seats=7), between()]) as server:
        yield server


@pytest.fixture
def ann(server: LocalServer) -> Iterator[Robot]:
    """A seat at an open betting; it goes again after the test."""
    robot = server.join("money")
    robot.done("sit", seat=next(seat["seat"] for seat in robot.view["seats"] if seat["name"] is None))
    robot.phase("betting")
    yield robot
    robot.again().done("leave")
    robot.close()


def everything(server: LocalServer) -> list[Any]:
    """What the records hold at the end of everything that was sent so far."""
    with server.reading() as store:
        return [store.balances(), [store.head(stream) for stream in store.streams()]]


def command(**changes: Any) -> str:
    return json.dumps({"id": "forged", "seen": 1, "command": WAGER, **changes})


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


FORGED = {
    "nothing": "",
    "not JSON": "place 500 on ante",
    "half of JSON": '{"id":"forged","command":{"kind":"ready"}',
    "more than JSON": command() + command(),
    "a number": "1",
    "a list": "[]",
    "nothing in it": "{}",
    "null": "null",
    "no id": json.dumps({"command": WAGER}),
    "no command": json.dumps({"id": "forged"}),
    "a number as id": command(id=7),
    "nothing as id": command(id=None),
    "a list as command": command(command=[WAGER]),
    "a string as command": command(command="ready"),
    "no kind": command(command={"spot": "ante", "amount": 500}),
    "an unknown kind": command(command={"kind": "win"}),
    "a number as kind": command(command={"kind": 1}),
    "another player in it": command(player="somebody"),
    "another player in the command": command(command={**WAGER, "player": "somebody"}),
    "another seat in the command": command(command={**WAGER, "seat": 2}),
    "a wager without amount": command(command={"kind": "place", "spot": "ante"}),
    "a wager as text": command(command={**WAGER, "amount": "500"}),
    "half a cent": command(command={**WAGER, "amount": 500.5}),
    "a fraction that is whole": command(command={**WAGER, "amount": 500.0}),
    "not a number": command(command={**WAGER, "amount": float("nan")}),
    "more than there is": command(command={**WAGER, "amount": float("inf")}),
    "a huge power": command().replace("500", "1e400"),
    "true": command(command={**WAGER, "amount": True}),
    "no amount": command(command={**WAGER, "amount": None}),
    "a spot that is a list": command(command={**WAGER, "spot": ["ante"]}),
    "a seat that is text": command(command={"kind": "sit", "seat": "1"}),
    "a version that is text": command(seen="1"),
    "half a character": '{"id":"\\ud800","command":{"kind":"ready"}}',
    "half a character as spot": command().replace('"ante"', '"\\ud83c"'),
    "deep in the command": command().replace('"kind"', f'"deep": {nested(1_500)}, "kind"'),
    "deep before it": command().replace('"id"', f'"deep": {nested(1_500)}, "id"'),
    "deep as amount": command().replace("500", nested(1_500)),
    "only deep": nested(2_000),
    "objects all the way down": '{"command":' * 370,
    "an unknown wish": json.dumps({"wish": "win"}),
    "a wish of nothing": json.dumps({"wish": None}),
    "a wish with an id": json.dumps({"id": "forged", "wish": "go on"}),
    "a ping that is no number": json.dumps({"ping": "now"}),
    "a ping with an id": json.dumps({"id": "forged", "ping": 1}),
    "a wish and a command": command(wish="go on"),
    # Commands of the house.
    "an answer of chance": command(command={"kind": "enter", "answer": {"kind": "card", "card": "As"}}),
    "the dealer's next card": command(command={"kind": "go on"}),
    "what a role decides": command(command={"kind": "resolve", "role": "supervisor", "option": "void"}),
    "a report": command(command={"kind": "report", "incident": "fouled"}),
    "a release": command(command={"kind": "release", "what": "reader", "reason": "I say so"}),
    "another table": command(command={"kind": "open table", "settings": {}}),
    "the end of a table": command(command={"kind": "abandon", "reason": "I lost"}),
    "money from the house": command(
        command={"kind": "book", "entry": "play-money grant", "payer": "house", "payee": "player:me", "cents": 1}
    ),
    "a grant": command(command={"kind": "grant", "cents": 100, "reason": "please"}),
    "another key": command(command={"kind": "change key", "public": "00" * 32, "before": "00" * 32}),
    "a void": command(command={"kind": "void round", "reason": "I lost"}),
    "the clock": command(command={"kind": "clock ran out"}),
    "the end of the round": command(command={"kind": "end round"}),
    "the start of a round": command(command={"kind": "start round", "shuffle": True}),
    "the end of the betting": command(command={"kind": "close betting"}),
    "a shuffle": command(command={"kind": "reshuffle", "root": "00" * 32, "size": 312}),
    "a lost connection": command(command={"kind": "connection", "player": "somebody", "present": False}),
    "seats taken away": command(command={"kind": "free seats"}),
    # Events.
    "an event": command(
        command={"kind": "answered/2", "answer": {"kind": "place", "seat": 1, "spot": "ante", "amount": 500}}
    ),
    "a settlement": command(command={"kind": "settled", "seat": 1, "paid": 10_000}),
}


@pytest.mark.rule("F-07")
@pytest.mark.parametrize("what", FORGED)
def test_a_message_that_is_no_command_of_a_player_is_refused_and_changes_nothing(
    server: LocalServer, ann: Robot, what: str
) -> None:
    before = everything(server)
    assert ann.told(FORGED[what]) == {"refused": None, "why": NOT_A_COMMAND}
    assert everything(server) == before
    ann.done("place", spot="ante", amount=100)  # and it goes on


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b'{"id":"forged","command":{"kind":"ready"}}', "Send commands as text."),
        (b"", "Send commands as text."),
        (" " * (LARGEST + 1), "That message is too long."),
        (command(id="x" * LARGEST), "That message is too long."),
        (command(id=""), "A command needs an id of 1 to 64 characters."),
        (command(id="x" * 65), "A command needs an id of 1 to 64 characters."),
    ],
    ids=["bytes", "no bytes", "too long", "a long id", "an empty id", "an id of 65"],
)
def test_a_message_of_the_wrong_size_or_sort_is_refused_and_changes_nothing(
    server: LocalServer, ann: Robot, raw: str | bytes, why: str
) -> None:
    before = everything(server)
    assert ann.told(raw) == {"refused": None, "why": why}
    assert everything(server) == before
    ann.done("place", "x" * 64, spot="ante", amount=100)


def test_ids_are_any_text(server: LocalServer, ann: Robot) -> None:
    for name in ("\x00", "'; DROP TABLE events; --", "🂡", "\N{RIGHT-TO-LEFT OVERRIDE}", "\r\n"):
        ann.done("place", name, spot="ante", amount=100)
        done = ann.receipt["commit"]
        again = ann.do("place", name, spot="ante", amount=100)
        assert (again["ok"], again["receipt"]["commit"]) == (name, done)
    assert ann.until(lambda view: view["you"]["staked"] == 500)


@pytest.mark.parametrize("size", [4 * LARGEST + 1, 5_000_000])
def test_a_message_far_too_large_ends_the_socket_that_sent_it_and_no_other(
    server: LocalServer, ann: Robot, size: int
) -> None:
    bob = server.watch("money")
    with pytest.raises(ConnectionClosed) as ended:
        ann.told("x" * size)
    assert ended.value.rcvd is None or ended.value.rcvd.code == 1009
    bob.until(lambda view: any(not seat["present"] and seat["name"] for seat in view["seats"]))
    bob.close()


def test_frames_that_are_no_protocol_end_the_socket_that_sent_them_and_no_other(server: LocalServer) -> None:
    bob = server.watch("money")
    for frame in (
        b"\xff" * 64,  # no such frame
        b"\x81\x05hello",  # without a mask
        bytes([0x80 | Opcode.TEXT, 0x82]) + b"\0\0\0\0" + b"\xc3\x28",  # text that is no text
        bytes([0x80 | Opcode.CLOSE, 0x80]) + b"\0\0\0\0",
    ):
        eve = server.watch("money")
        eve.socket.socket.sendall(frame)
        with pytest.raises(ConnectionClosed):
            eve.until(lambda _: False)
    assert bob.told("")["why"] == NOT_A_COMMAND
    bob.close()


def test_what_is_no_http_at_all_is_answered_with_a_refusal(server: LocalServer) -> None:
    for raw in (b"\0" * 100, b"GET\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"x: " + b"y" * 100_000 + b"\r\n\r\n"):
        with socket.create_connection((HOST, server.port), PATIENCE) as wire:
            wire.sendall(raw)
            answer = wire.recv(100)
            assert not answer or answer.startswith(b"HTTP/1.1 4")
    assert server.get("/api/tables")


def test_too_much_at_once_is_refused_by_name_and_the_next_second_is_another(
    server: LocalServer, ann: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "PER_SECOND", 2)  # which the slowest machine does in a second
    before = everything(server)
    ids = [ann.send("choose", option="check") for _ in range(100)]
    answers = [ann.answer(id)["why"] for id in ids]
    late = answers.count("That was too much at once; wait a second.")
    assert answers.count("It is not your turn.") + late == len(ids)
    assert late
    assert everything(server) == before
    while "ok" not in ann.do("place", spot="ante", amount=100):
        time.sleep(0.1)


def test_a_client_that_does_not_read_is_not_read_from_and_loses_no_answer() -> None:
    async def overrun() -> None:
        client = Client("money", "ann")
        for n in range(UNREAD):
            await client.has_room()
            client.say(Refused(str(n), "No."))
        waiting = asyncio.create_task(client.has_room())
        await asyncio.sleep(0.01)
        assert not waiting.done()
        assert client.next_said() == Refused("0", "No.")
        await asyncio.wait_for(waiting, PATIENCE)
        assert list(client.said) == [Refused(str(n), "No.") for n in range(1, UNREAD)]

    asyncio.run(overrun())


# Who is who.


def test_without_a_session_one_watches(server: LocalServer, ann: Robot) -> None:
    assert ann.token is not None
    other = ann.token[:-1] + ("a" if ann.token[-1] != "a" else "b")
    for token in (None, "x", other, ann.token.upper(), ann.token + "x", "%00", "ü" * 10, "x" * 3_000):
        eve = server.watch("money", token)
        assert eve.view["you"] is None
        assert eve.refused("ready") == "You are watching; go to the lobby to play."
        eve.close()


def test_a_session_that_has_expired_is_none(tmp_path: Path) -> None:
    late = 0

    def clock() -> int:
        return 1_800_000_000_000 + late

    with LocalServer(tmp_path, [money()], clock) as server:
        ann = server.join("money")
        late = SESSION - 1
        assert ann.again().view["you"] is not None
        late = SESSION
        assert ann.again().view["you"] is None
        assert server.session() != ann.token


def test_a_player_who_is_not_in_the_records_cannot_play(server: LocalServer) -> None:
    client = Client("money", "nobody")
    server.run(lambda _: hear(server.hub, client, command(seen=0)))
    server.run(lambda _: server.hub.clerk.finish())
    assert list(client.said) == [Refused("forged", "Your session has ended; open the page again.")]


@pytest.mark.parametrize("table", ["nowhere", "", "..", "money/..", "house", "%2e%2e", "MONEY"])
def test_a_socket_to_a_table_that_is_not_there_is_refused(server: LocalServer, table: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        server.watch(table)
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("http://{host}", True),
        ("https://{host}", True),
        ("http://evil.example", False),
        ("http://127.0.0.1", False),
        ("http://127.0.0.1:1", False),
        ("http://{host}.evil.example", False),
        ("http://evil.example/{host}", False),
        ("null", False),
        ("", False),
    ],
)
def test_a_socket_that_another_site_opens_is_refused(server: LocalServer, origin: str, allowed: bool) -> None:
    named = origin.format(host=f"{HOST}:{server.port}")
    if allowed:
        server.watch("money", Origin=named).close()
    else:
        with pytest.raises(InvalidStatus) as refused:
            server.watch("money", Origin=named)
        assert refused.value.response.status_code == 403


def test_the_house_is_as_it_was_after_all_of_this(server: LocalServer) -> None:
    """The tables still play, and the records verify."""
    ann = server.join("between", 1)
    ann.phase("betting")
    ann.done("place", spot="base", amount=500)
    ann.done("ready")
    play_on(ann)
    server.check()
