"""Attacks from one address: whoever makes one is let go with a reason, and a player at the table goes on."""

import resource
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from feltworks.web import connections
from feltworks.web.connections import (
    FRAMES_AT_ONCE,
    HEADER_LINES,
    IN_PIECES,
    MOST_CONNECTIONS,
    NO_COMMANDS,
    NO_PATIENCE,
    NOT_UTF8,
    RESERVE,
    TOO_FAST,
    Budget,
    Patience,
    most_connections,
)
from feltworks.web.guard import Allowance, Caps
from feltworks.web.socket_messages import Refused
from feltworks.web.sockets import LARGEST
from tests.quick import SEED, share
from tests.web.robots import HOST, PATIENCE, Address, LocalServer, Robot, ServerProcess, money
from tests.web.test_guard import assert_guarded

CONT, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
FAR_TOO_MANY = 10 * FRAMES_AT_ONCE
GROWTH = 50_000_000
"""Bytes by which a server may grow under an attack, however long it goes on."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with LocalServer(tmp_path_factory.mktemp("house"), [money()], caps=Caps(sockets=20)) as server:
        yield server


@pytest.fixture
def server(house: LocalServer, monkeypatch: pytest.MonkeyPatch) -> LocalServer:
    """Each test may change what an address may do."""
    for name in ("arrivals", "requests", "most"):
        monkeypatch.setattr(house.register, name, getattr(house.register, name))
    return house


@pytest.fixture
def empty(server: LocalServer) -> LocalServer:
    """Nobody is connected; whoever was let go before is gone."""
    until(lambda: not server.register.open)
    return server


@pytest.fixture
def ann(server: LocalServer) -> Iterator[Robot]:
    """A player who is acknowledged after the attack, on the connection that she had before it."""
    with server.join("money", 1) as robot:
        robot.phase("betting")
        goes_on(robot)
        yield robot
        goes_on(robot)
        robot.done("leave")


def goes_on(robot: Robot) -> None:
    """A player is acknowledged."""
    robot.done("place", spot="ante", amount=100)
    robot.done("take up", spot="ante")


# An attacker with a client of its own.


def frame(kind: int, said: bytes = b"", last: bool = True, bits: int = 0) -> bytes:
    """A frame with a mask that changes nothing."""
    length = bytes([0x80 | len(said)]) if len(said) < 126 else struct.pack("!BH", 0xFE, len(said))
    return bytes([(0x80 if last else 0) | bits | kind]) + length + bytes(4) + said


def connected(server: Address, buffer: int = 0) -> socket.socket:
    wire = socket.socket()
    if buffer:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    wire.settimeout(PATIENCE)
    wire.connect((HOST, server.port))
    return wire


def opened(server: Address, buffer: int = 0) -> socket.socket:
    """A socket to the table, of which only the first line is read."""
    wire = connected(server, buffer)
    wire.sendall(
        b"GET /ws/money HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    assert wire.recv(12) == b"HTTP/1.1 101"
    return wire


def heard(wire: socket.socket) -> bytes:
    """Everything until the other side ends it."""
    said = b""
    with suppress(ConnectionError):
        while part := wire.recv(65_536):
            said += part
    wire.close()
    return said


def let_go(wire: socket.socket) -> tuple[int, str]:
    """The code and the reason with which a socket was closed: its last frame."""
    said, last = heard(wire).partition(b"\r\n\r\n")[2], b""
    kind = 0
    while said:
        kind, short = said[0] & 0x0F, said[1]
        start, size = {126: (4, "!H"), 127: (10, "!Q")}.get(short, (2, "!B"))
        (length,) = struct.unpack(size, said[start - struct.calcsize(size) : start])
        last, said = said[start : start + length], said[start + length :]
    assert kind == CLOSE
    return struct.unpack("!H", last[:2])[0], last[2:].decode()


def flooded(wire: socket.socket, what: bytes) -> None:
    """Send without end and without reading, until it is ended."""
    with wire, suppress(ConnectionError):
        while True:
            wire.sendall(what)


def until(wanted: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not wanted():
        assert time.monotonic() < end
        time.sleep(0.02)


# What a socket sends.


@pytest.mark.parametrize("kind", [PING, PONG], ids=["pings", "pongs"])
@pytest.mark.parametrize("length", [0, 125])
def test_who_floods_a_socket_with_pings_or_pongs_is_let_go(
    server: LocalServer, ann: Robot, kind: int, length: int
) -> None:
    eve = opened(server)
    eve.sendall(frame(kind, b"x" * length) * FAR_TOO_MANY)
    assert let_go(eve) == (1008, TOO_FAST)


def test_who_sends_a_message_in_endless_empty_pieces_is_let_go(server: LocalServer, ann: Robot) -> None:
    eve = opened(server)
    eve.sendall(frame(TEXT, last=False) + frame(CONT, last=False) * 200)
    assert let_go(eve) == (1008, IN_PIECES)


def test_who_pings_without_reading_is_let_go_and_the_answers_do_not_pile_up(
    server: LocalServer, ann: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where as many pings as one likes are allowed."""
    monkeypatch.setattr(connections, "FRAMES_AT_ONCE", 10**9)
    monkeypatch.setattr(connections, "BYTES_AT_ONCE", 10**9)
    monkeypatch.setattr(connections, "UNTAKEN_SECONDS", 0.5)
    waiting = []
    look = connections.Socket.look

    def watched(one: connections.Socket, now: float) -> None:
        waiting.append(one.transport.get_write_buffer_size())
        look(one, now)

    monkeypatch.setattr(connections.Socket, "look", watched)
    flooded(opened(server, 4_096), frame(PING, b"x" * 125) * 100)
    assert connections.UNTAKEN < max(waiting) < 2 * connections.UNTAKEN


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"\xff" * 64, 1002),
        (frame(TEXT, b"{}", bits=0x40), 1002),
        (frame(0x3), 1002),
        (b"\x81\x05hello", 1002),
        (frame(CONT), 1002),
        (frame(PING, last=False), 1002),
        (frame(TEXT, b"\xc3\x28"), 1007),
        (frame(TEXT, b"x" * (4 * LARGEST + 1)), 1009),
    ],
    ids=["noise", "reserved bits", "no such kind", "no mask", "a piece of nothing", "half a ping", "text", "too long"],
)
def test_who_does_not_speak_websocket_is_let_go_with_the_code_for_it_and_a_reason(
    server: LocalServer, ann: Robot, sent: bytes, code: int
) -> None:
    eve = opened(server)
    eve.sendall(sent)
    told, reason = let_go(eve)
    assert told == code
    assert reason == NOT_UTF8 if code == 1007 else reason


@pytest.mark.parametrize("sent", [b"{}", b"", b"x" * (LARGEST + 1)], ids=["no command", "nothing", "too long"])
@pytest.mark.parametrize("kind", [TEXT, BINARY], ids=["text", "bytes"])
def test_who_goes_on_sending_what_is_no_command_is_answered_and_then_let_go(
    server: LocalServer, ann: Robot, kind: int, sent: bytes
) -> None:
    eve = opened(server)
    eve.sendall(frame(kind, sent) * 5 * NO_COMMANDS)
    assert let_go(eve) == (1008, NO_PATIENCE)


def test_patience_comes_back_with_time() -> None:
    patience = Patience(0)
    assert not any(patience.ends(float(now)) for now in range(1_000))
    assert [patience.ends(1_000) for _ in range(NO_COMMANDS + 1)] == [False] * NO_COMMANDS + [True]


def test_who_is_refused_again_and_again_is_not_let_go_for_it(server: LocalServer, ann: Robot) -> None:
    for _ in range(2 * NO_COMMANDS):
        ann.refused("choose", option="check")
    ann.done("place", spot="ante", amount=100)


def test_a_budget_is_so_much_at_once_and_so_much_a_second() -> None:
    budget = Budget(10, 100, 0)
    assert budget.spend(100, 0)
    assert budget.spend(10, 1)
    assert not budget.spend(1, 1)
    assert budget.spend(100, 100)


# Who does not read, answer or go.


def test_who_does_not_read_a_socket_is_cut_off(
    empty: LocalServer, server: LocalServer, ann: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "UNTAKEN_SECONDS", 0.5)
    with opened(server, 4_096):
        until(lambda: len(server.hub.clients) == 2)
        (watching,) = [client for client in server.hub.clients if client.player is None]

        def say(_: object) -> None:
            for _ in range(10):
                watching.say(Refused(None, "x" * 100_000))

        server.run(say)
        until(lambda: len(server.hub.clients) == 1)


def test_who_does_not_read_pages_is_cut_off(
    empty: LocalServer, server: LocalServer, ann: Robot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "UNTAKEN_SECONDS", 0.5)
    with connected(server, 4_096) as eve:
        eve.sendall(b"GET /static/table/page.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 30)
        until(lambda: len(server.register.open) == 2)
        until(lambda: len(server.register.open) == 1)


def test_who_does_not_answer_a_ping_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "PING_SECONDS", 0.1)
    monkeypatch.setattr(connections, "PONG_SECONDS", 0.1)
    with LocalServer(tmp_path, [money()]) as server:
        assert let_go(opened(server)) == (1011, "keepalive ping timeout")


def test_who_neither_reads_nor_answers_a_close_is_cut_off(empty: LocalServer, server: LocalServer, ann: Robot) -> None:
    with opened(server, 4_096) as wire:
        here = wire.getsockname()
        (eve,) = [one for one in server.register.open.values() if one.transport.get_extra_info("peername") == here]

        def close(_: object) -> None:
            eve.transport.write(b"x" * 1_000_000)
            eve.transport.close()

        server.run(close)
        until(lambda: len(server.register.open) == 1)


# Pages.


def sent(server: Address, raw: bytes) -> bytes:
    eve = connected(server)
    eve.sendall(raw)
    return heard(eve)


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", b"408"),
        (b"POST /play HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\ntable", b"408"),
        (b"", b""),
    ],
    ids=["headers", "a body", "nothing"],
)
def test_a_request_that_does_not_come_to_its_end_is_not_waited_for(
    server: LocalServer, ann: Robot, monkeypatch: pytest.MonkeyPatch, raw: bytes, status: bytes
) -> None:
    monkeypatch.setattr(connections, "REQUEST_SECONDS", 1)
    said = sent(server, raw)
    assert said[9:12] == status
    assert not said or said.endswith(b"The request did not come in time.")


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"a: b\r\n" * HEADER_LINES + b"\r\n", b"431"),
        (
            b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            + b"a: bcdefghijklmnopqrstuvwxyzabcdefghijklmn\r\n" * 110
            + b"\r\n",
            b"431",
        ),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 40_000 + b"\r\n\r\n", b"400"),
        (b"POST /play HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 9, b"411"),
        (b"\0" * 100, b"400"),
    ],
    ids=["headers", "headers in two pieces", "a long header", "a body without a length", "noise"],
)
def test_a_request_with_too_much_in_it_is_refused_in_words(
    server: LocalServer, ann: Robot, raw: bytes, status: bytes
) -> None:
    said = sent(server, raw)
    assert said[9:12] == status
    assert said.rpartition(b"\r\n\r\n")[2].endswith(b".")


def test_who_pours_into_a_connection_is_cut_off(server: LocalServer, ann: Robot) -> None:
    eve = connected(server)
    eve.sendall(b"POST /play HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000000\r\n\r\n")
    flooded(eve, b"x" * 100_000)


def test_one_address_asks_for_only_so_much_and_is_told_when_to_come_back(server: LocalServer, ann: Robot) -> None:
    server.register.requests = Allowance(5, 60, lambda: 0.0)
    assert [server.ask("/static/core/base.css").status for _ in range(5)] == [200] * 5
    for path in ("/", "/static/core/base.css", "/api/tables"):
        refused = server.ask(path)
        assert (refused.status, refused.text) == (429, "Your address asks for too much; come back in a moment.")
        assert (refused.headers["retry-after"], refused.headers["connection"]) == ("13", "close")
        assert_guarded(refused)


# How many there are.


def test_one_address_opens_only_so_many_connections_in_a_second(server: LocalServer, ann: Robot) -> None:
    server.register.arrivals = Allowance(5, 60, lambda: 0.0)
    waiting = [connected(server) for _ in range(5)]
    for _ in range(10):
        assert heard(connected(server)) == b""
    for wire in waiting:
        wire.sendall(b"GET /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert heard(wire).startswith(b"HTTP/1.1 200")


def test_connections_that_only_rest_make_room_for_new_ones_of_their_address(
    empty: LocalServer, server: LocalServer, ann: Robot
) -> None:
    most = server.register.caps.connections
    idle = [connected(server) for _ in range(most)]
    assert server.get("/api/tables")
    watching = [server.watch("money") for _ in range(5)]
    assert len(server.register.open) <= most
    assert [heard(wire) for wire in idle[:5]] == [b""] * 5
    for robot in watching:
        assert robot.refused("ready") == "You are watching; go to the lobby to play."
        robot.close()
    for wire in idle:
        wire.close()


def test_a_full_house_closes_connections_that_rest_and_no_sockets(
    empty: LocalServer, server: LocalServer, ann: Robot
) -> None:
    watching = [server.watch("money") for _ in range(5)]
    until(lambda: len(server.register.open) == 6)
    server.register.most = 10
    idle = [connected(server) for _ in range(20)]
    assert server.get("/api/tables")
    assert len(server.register.open) <= 10
    for robot in watching:
        assert robot.refused("ready") == "You are watching; go to the lobby to play."
    for wire in idle:
        wire.close()
    until(lambda: len(server.register.open) == 6)
    server.register.most = 6
    assert heard(connected(server)) == b""
    for robot in watching:
        robot.close()


@pytest.mark.parametrize(
    ("soft", "hard", "raised", "most"),
    [
        (1_024, 4_096, 4_096, 4_096 - RESERVE),
        (1_024, -1, MOST_CONNECTIONS + RESERVE, MOST_CONNECTIONS),
        (100_000, 100_000, None, MOST_CONNECTIONS),
        (-1, -1, None, MOST_CONNECTIONS),
        (64, 64, 64, RESERVE),
    ],
)
def test_as_many_files_as_are_allowed_may_be_open_and_some_are_kept_for_the_records(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, raised: int | None, most: int
) -> None:
    changed: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: changed.append(limits))
    assert most_connections() == most
    assert changed == ([] if raised is None else [(raised, hard)])


# The same for longer, against a server of its own, whose memory is looked at.

FLOODS = {
    "pings": frame(PING, b"x" * 125) * 500,
    "empty pings": frame(PING) * 10_000,
    "pongs": frame(PONG, b"x" * 125) * 500,
    "pieces": frame(TEXT, last=False) + frame(CONT, last=False) * 10_000,
    "messages": frame(TEXT, b"{}") * 8_000,
    "bytes": frame(BINARY, b"x" * LARGEST) * 16,
    "noise": b"\xff" * 65_536,
}


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_is_ended_as_often_as_it_comes_and_the_server_does_not_grow(tmp_path: Path, flood: str) -> None:
    random = Random(SEED)
    with ServerProcess(tmp_path, "--connects", "100000", tables=[money()]) as server:
        ann = server.join("money", 1)
        ann.phase("betting")
        before = memory(server)
        for _ in range(share(10, soak=200)):
            flooded(opened(server, random.choice([0, 4_096])), FLOODS[flood])
            goes_on(ann)
            assert memory(server) < before + GROWTH
        server.get("/api/tables")


@pytest.mark.slow
@pytest.mark.soak
def test_idle_and_slow_connections_keep_nobody_out(tmp_path: Path) -> None:
    random = Random(SEED)
    begun = (b"", b"GET / HTTP/1.1\r\nX: ", b"POST /play HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\nx")
    with ServerProcess(tmp_path, tables=[money()]) as server:
        ann = server.join("money", 1)
        ann.phase("betting")
        before = memory(server)
        held: list[socket.socket] = []
        for n in range(share(1_100, soak=20_000)):
            with suppress(ConnectionError):
                held.append(connected(server))
                held[-1].sendall(random.choice(begun))
            if n % 100 == 0:
                goes_on(ann)
            for wire in held[:-1_100]:
                wire.close()
            del held[:-1_100]
        assert memory(server) < before + GROWTH
        for wire in held:
            wire.close()
        until(lambda: answers(server))


def answers(server: Address) -> bool:
    with suppress(OSError):
        return server.ask("/api/tables").status == 200
    return False


def memory(server: ServerProcess) -> int:
    """Bytes of memory that its process has in use."""
    return int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * resource.getpagesize()
