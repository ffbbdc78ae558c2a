"""What an attacker does, from an address of its own and in a process of its own, until it is ended:
`python -m bench.attackers NAME PORT FOLDER`."""

import select
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count, cycle
from pathlib import Path

import apsw

from bench.served import table
from feltworks.floor.data_folder import RECORDS
from feltworks.web.sockets import LARGEST
from tests.web.robots import HOST
from tests.web.test_attacks import BINARY, CONT, PING, TEXT, frame

ADDRESS = "127.0.0.2"
MANY = 1_100
HELD, FREE = 5.0, 1.0
"""Seconds for which the records are locked, and are not."""
OPEN = (
    f"GET /ws/{table(0)} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
).encode()
MALFORMED = (
    b"\xff" * 64,
    frame(TEXT, b"{}", bits=0x40),
    b"\x81\x05hello",
    frame(CONT),
    frame(TEXT, b"\xc3\x28"),
    frame(TEXT, b"{}") * 100,
    frame(BINARY, b"x" * LARGEST) * 100,
    frame(TEXT, b"[" * LARGEST) * 100,
    frame(TEXT, last=False) + frame(CONT, last=False) * 200,
)


def connected(port: int, buffer: int = 0, address: str = ADDRESS) -> socket.socket:
    wire = socket.socket()
    if buffer:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    wire.settimeout(5)
    wire.bind((address, 0))
    wire.connect((HOST, port))
    return wire


def over_and_over(work: Callable[[int], None]) -> Callable[[int, Path], None]:
    def attack(port: int, _: Path) -> None:
        while True:
            with suppress(OSError):
                work(port)
            time.sleep(0.01)

    return attack


def opened(port: int, buffer: int = 0) -> socket.socket:
    wire = connected(port, buffer)
    wire.sendall(OPEN)
    if wire.recv(12) != b"HTTP/1.1 101":
        raise ConnectionError
    return wire


def pings(port: int) -> None:
    """Until it is let go; what comes back is read."""
    with opened(port) as wire:
        flood = frame(PING) * 100
        while True:
            wire.sendall(flood)
            while select.select([wire], [], [], 0)[0]:
                if not wire.recv(65_536):
                    return


def unread_pings(port: int) -> None:
    with opened(port, 4_096) as wire:
        flood = frame(PING, b"x" * 125) * 100
        while True:
            wire.sendall(flood)


def deaf(port: int) -> None:
    """It watches a table and reads nothing, until it is cut off."""
    with opened(port, 4_096) as wire:
        hangup = select.poll()
        hangup.register(wire, select.POLLRDHUP | select.POLLHUP)
        hangup.poll()


_malformed: Iterator[bytes] = cycle(MALFORMED)


def malformed(port: int) -> None:
    with opened(port) as wire:
        wire.sendall(next(_malformed))
        while wire.recv(65_536):
            pass


def recall(port: int) -> None:
    with connected(port) as wire:
        wire.settimeout(60)
        wire.sendall(b"GET /api/tables/yo/rounds/1 HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n")
        wire.sendall(b"Connection: close\r\n\r\n")
        while wire.recv(1_048_576):
            pass


def recalls(port: int, folder: Path) -> None:
    four = [threading.Thread(target=over_and_over(recall), args=(port, folder)) for _ in range(4)]
    for thread in four:
        thread.start()
    four[0].join()


def log_in(port: int, address: str) -> None:
    """A wrong password; who has no account costs the house as much."""
    body = b"name=Somebody&password=nine+brown+horses"
    with connected(port, address=address) as wire:
        wire.settimeout(60)
        wire.sendall(b"POST /login HTTP/1.1\r\nHost: x\r\nConnection: close\r\n")
        wire.sendall(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        while wire.recv(65_536):
            pass


def log_ins(addresses: Iterator[str]) -> Callable[[int, Path], None]:
    """Sixteen at a time, each from the next address."""

    def attack(port: int, folder: Path) -> None:
        again = over_and_over(lambda to: log_in(to, next(addresses)))
        crowd = [threading.Thread(target=again, args=(port, folder)) for _ in range(16)]
        for thread in crowd:
            thread.start()
        crowd[0].join()

    return attack


def address_of(number: int) -> str:
    return f"127.1.{number // 250 % 250}.{number % 250 + 1}"


def held(port: int, said: bytes, then: Callable[[socket.socket], None], every: float = 1) -> None:
    """As many connections as it can get, each of which does something every so many seconds; those that are closed are
    opened again."""
    wires: dict[int, socket.socket] = {}
    poll = select.poll()
    while True:
        for number, _ in poll.poll(0):
            poll.unregister(number)
            wires.pop(number).close()
        for _ in range(min(MANY - len(wires), MANY // 10)):
            with suppress(OSError):
                wire = connected(port)
                wires[wire.fileno()] = wire
                poll.register(wire, select.POLLIN)
                wire.sendall(said)
        for wire in wires.values():
            with suppress(OSError):
                then(wire)
        time.sleep(every)


def idle(port: int, _: Path) -> None:
    held(port, b"", lambda wire: None)


def slow_headers(port: int, _: Path) -> None:
    held(port, b"GET / HTTP/1.1\r\nX: ", lambda wire: wire.sendall(b"x"))


def busy_headers(port: int, _: Path) -> None:
    held(port, b"GET / HTTP/1.1\r\nX: ", lambda wire: wire.sendall(b"x"), every=0.1)


def crowds(port: int, _: Path) -> None:
    """A thousand connections a second."""
    start = time.monotonic()
    for n in range(10**9):
        time.sleep(max(0, start + n / 1_000 - time.monotonic()))
        with suppress(OSError):
            connected(port).close()


def lock(_: int, folder: Path) -> None:
    """Another program keeps the records from being written; it says when it has let them go."""
    connection = apsw.Connection(str(folder / RECORDS))
    connection.set_busy_timeout(60_000)
    while True:
        connection.execute("BEGIN IMMEDIATE")
        time.sleep(HELD)
        connection.execute("ROLLBACK")
        print(time.perf_counter(), flush=True)
        time.sleep(FREE)


ATTACKS: dict[str, Callable[[int, Path], None]] = {
    "pings": over_and_over(pings),
    "pings of 125 bytes, unread": over_and_over(unread_pings),
    "a spectator who does not read": over_and_over(deaf),
    "malformed frames and messages": over_and_over(malformed),
    "four clients that recall a long round": recalls,
    f"{MANY:,} idle connections": idle,
    "slow headers": slow_headers,
    "slow headers, ten bytes a second": busy_headers,
    "a thousand connections a second": crowds,
    "log-ins from one address": log_ins(cycle([ADDRESS])),
    "log-ins, each from an address of its own": log_ins(map(address_of, count())),
    "lock": lock,
}

if __name__ == "__main__":
    ATTACKS[sys.argv[1]](int(sys.argv[2]), Path(sys.argv[3]))
