"""Robots that sit at the tables of a real server, in this process or in one of its own: what the web tests share."""

import asyncio
import json
import re
import signal
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec
import websockets.sync.client as ws

from feltworks.floor.data_folder import RECORDS
from feltworks.floor.house import House
from feltworks.floor.store.reader import Reader
from feltworks.floor.table.settings import Clocks, Limits, Pace, TableSettings
from feltworks.floor.verification.report import Report
from feltworks.floor.verification.verify import verify
from feltworks.games import load
from feltworks.web.connections import Register
from feltworks.web.cookies import COOKIE
from feltworks.web.demo import TABLES
from feltworks.web.entrance import Entrance
from feltworks.web.guard import Caps
from feltworks.web.hub import Client, Hub
from feltworks.web.lab import Lab
from feltworks.web.serving import open_house, server_of
from tests import children
from tests.web.shapes import check_message

T = TypeVar("T")
Json = dict[str, Any]

HOST = "127.0.0.1"
PATIENCE = 60.0
"""Seconds until a robot stops to wait: far more than anything takes on a busy machine."""

AT_ONCE = Pace(0, 0, 0)
SLOW = Clocks(betting=600_000, decision=600_000, away=1_200_000)
"""Clocks that never run out in a test that does not want them to."""
LIMITS = Limits(100, 10_000)


def money(**changes: Any) -> TableSettings:
    """A table of One For The Money whose dealer does not pause."""
    given: Json = {
        "id": "money",
        "name": "Burgundy",
        "game": "one-for-the-money",
        "limits": {"ante": LIMITS, "three_card_bonus": LIMITS},
        "pace": AT_ONCE,
        "clocks": SLOW,
    }
    return TableSettings(**{**given, **changes})


def between(**changes: Any) -> TableSettings:
    """A table of IN BETween whose dealer does not pause, from a shoe."""
    given: Json = {
        "id": "between",
        "name": "Green",
        "game": "in-between",
        "limits": {"base": LIMITS, "in_between": LIMITS},
        "pace": AT_ONCE,
        "clocks": SLOW,
        "shuffling": "shoe",
    }
    return TableSettings(**{**given, **changes})


def blackjack(**changes: Any) -> TableSettings:
    """A table of blackjack alone."""
    return between(**{"id": "blackjack", "game": "blackjack", "limits": {"base": LIMITS}, **changes})


PRIZE = 1_000_000
"""What the house jackpot pays at 100 %."""


def under(**changes: Any) -> TableSettings:
    """A table of Down Under Hold'em with a house jackpot, whose dealer does not pause."""
    spots = ("ante", "bet", "trips_or_better", "match_the_dealer")
    given: Json = {
        "id": "under",
        "name": "Eucalyptus",
        "game": "down-under-holdem",
        "limits": {**dict.fromkeys(spots, LIMITS), "jackpot": Limits(100, 100)},
        "pay": {"jackpot": "3"},
        "prize": PRIZE,
        "pace": AT_ONCE,
        "clocks": SLOW,
    }
    return TableSettings(**{**given, **changes})


def yo(**changes: Any) -> TableSettings:
    """A table of Yo! whose dealer does not pause."""
    spots = ("play", "late_play", "more", "yo", "high", "low", "pairs", "eleven", "craps")
    given: Json = {
        "id": "yo",
        "name": "Blue",
        "game": "yo",
        "limits": dict.fromkeys(spots, LIMITS),
        "pace": Pace(0, 0, 0, 0),
        "clocks": SLOW,
        "seats": 6,
    }
    return TableSettings(**{**given, **changes})


def table_of(game: str, **changes: Any) -> TableSettings:
    """A table of any game, by the name of the game, whose dealer does not pause."""
    spots = [spot for wager in load(game).wagers.values() for spot in wager.opens]
    given: Json = {
        "id": game,
        "name": load(game).title,
        "game": game,
        "limits": dict.fromkeys(spots, LIMITS),
        "pace": AT_ONCE,
        "clocks": SLOW,
    }
    return TableSettings(**{**given, **changes})


DEMO = [msgspec.structs.replace(t, clocks=SLOW, pace=Pace(between_rounds=3_600_000)) for t in TABLES]
"""The demo tables for a slow machine: no clock runs out, and what is on the table stays when a round is over."""


# Talking to a server.


@dataclass(frozen=True)
class Reply:
    """What an HTTP request was answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()


class Address:
    """A server that listens somewhere on this machine."""

    port: int

    def ask(self, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Reply:
        """Send a request; underscores in the names of headers are hyphens."""
        connection = HTTPConnection(HOST, self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {name.replace("_", "-"): v for name, v in headers.items()})
            response = connection.getresponse()
            return Reply(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        """The JSON at a path that must be there."""
        reply = self.ask(path)
        assert reply.status == 200, reply
        return reply.json

    def session(self, table: str = "money") -> str:
        """A new guest's session, as the lobby's button gives it: the token of the cookie."""
        reply = self.ask("/play", "POST", f"table={table}".encode(), content_type="application/x-www-form-urlencoded")
        assert reply.status == 303, reply
        found = re.match(rf"{COOKIE}=([^;]+); HttpOnly;", reply.headers["set-cookie"])
        assert found, reply.headers
        return found[1]

    def watch(self, table: str, token: str | None = None, **headers: str) -> "Robot":
        """A robot at a table, with the session of this token or as a spectator."""
        return Robot(self, table, token, headers)

    def join(self, table: str, seat: int | None = None) -> "Robot":
        """A robot with a session of its own, at this seat if one is named."""
        robot = self.watch(table, self.session(table))
        if seat is not None:
            robot.done("sit", seat=seat)
        return robot


class Robot:
    """A client at a table: it remembers the last view, every event, and every message as it came."""

    _names = count(1)

    def __init__(self, server: Address, table: str, token: str | None, headers: Mapping[str, str]) -> None:
        self.server, self.table, self.token, self.headers = server, table, token, dict(headers)
        self.view: Json = {}
        self.jackpot: Json = {}
        """The jackpot for which the table plays, as it was told last."""
        self.events: list[Json] = []
        self.frames: list[str] = []
        self.answers: dict[str | None, Json] = {}
        self.receipt: Json = {}
        """Of the last command that was `done`."""
        self._open()

    @property
    def path(self) -> str:
        return f"/ws/{self.table}"

    def _open(self) -> None:
        cookie = {"Cookie": f"{COOKIE}={self.token}"} if self.token else {}
        self.socket = ws.connect(
            f"ws://{HOST}:{self.server.port}{self.path}",
            additional_headers={**cookie, **self.headers},
            compression=None,
            proxy=None,
            ping_interval=None,
            close_timeout=1,
            open_timeout=PATIENCE,
            max_size=None,
        ).__enter__()
        self.receive()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def lose(self) -> None:
        """The connection breaks without a word."""
        self.socket.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close_socket()

    def again(self, server: Address | None = None) -> Self:
        """The same person in another tab, or after the connection was lost."""
        return type(self)(server or self.server, self.table, self.token, self.headers)

    # Saying.

    def say(self, raw: str | bytes) -> None:
        """Send anything at all."""
        self.socket.send(raw)

    def send(self, kind: str, id: str = "", **fields: Any) -> str:
        """Send a command without waiting for its answer; its id comes back."""
        id = id or f"robot {next(self._names)}"
        self.say(json.dumps({"id": id, "seen": self.view.get("version", 0), "command": {"kind": kind, **fields}}))
        return id

    def do(self, kind: str, id: str = "", **fields: Any) -> Json:
        """Send a command and wait for its answer."""
        return self.answer(self.send(kind, id, **fields))

    def done(self, kind: str, id: str = "", **fields: Any) -> None:
        """Send a command that must be carried out; what was too much at once is sent again."""
        id = id or f"robot {next(self._names)}"
        while "too much" in (answer := self.do(kind, id, **fields)).get("why", ""):
            time.sleep(0.2)
        assert answer.get("ok") == id, answer
        assert answer["receipt"] is not None
        self.receipt = answer["receipt"]

    def refused(self, kind: str, id: str = "", **fields: Any) -> str:
        """Send a command that must be refused; why it was."""
        answer = self.do(kind, id, **fields)
        assert "refused" in answer, answer
        why = answer["why"]
        assert isinstance(why, str)
        return why

    def told(self, raw: str | bytes) -> Json:
        """Send anything at all, and wait for the next answer, whatever it answers."""
        self.say(raw)
        while (message := self.receive()).keys() & {"view", "jackpot"}:
            pass
        return message

    # Hearing.

    def receive(self, timeout: float = PATIENCE) -> Json:
        """The next message."""
        frame = self.socket.recv(timeout)
        assert isinstance(frame, str)
        self.frames.append(frame)
        message: Json = json.loads(frame)
        self.check(message)
        if "view" in message:
            self.view = {"table": self.view.get("table"), **message["view"]}
            self.events += message["events"]
        elif "jackpot" in message:
            self.jackpot = message["jackpot"]
        elif "pong" not in message:
            self.answers[message["ok"] if "ok" in message else message["refused"]] = message
        return message

    def check(self, message: Json) -> None:
        check_message(message)

    def answer(self, id: str | None) -> Json:
        """The answer to a command."""
        while id not in self.answers:
            self.receive()
        return self.answers.pop(id)

    def until(self, wanted: Callable[[Json], Any]) -> Json:
        """The first view that is as wanted, the last one if it is so already."""
        while not wanted(self.view):
            self.receive()
        return self.view

    def meter(self, cents: int) -> Json:
        """The jackpot once its meter stands at so much."""
        while self.jackpot.get("meter") != cents:
            self.receive()
        return self.jackpot

    def given(self, *kinds: str) -> list[Json]:
        """The answers of these kinds that this robot was told of."""
        answers = [event["answer"] for event in self.events if event["kind"] == "answered"]
        return [answer for answer in answers if answer["kind"] in kinds]

    def phase(self, *phases: str) -> Json:
        return self.until(lambda view: view["phase"] in phases)

    def round(self, number: int) -> Json:
        return self.until(lambda view: view["round"] == number)

    def my_turn(self) -> Json:
        return self.until(lambda view: view["you"]["options"])

    def next_round(self) -> Json:
        """Betting is open in a round after the one that this robot saw last."""
        last = self.view["round"] or 0
        return self.until(lambda view: view["phase"] == "betting" and view["round"] > last)

    @property
    def you(self) -> Json:
        you: Json = self.view["you"]
        return you

    @property
    def seat(self) -> Json:
        seat: Json = self.view["seats"][self.you["seat"] - 1]
        return seat


def play_on(*robots: Robot) -> None:
    """All take the first option of whatever they are asked for, until betting is open in a round after this one."""
    last = {robot: robot.view["round"] or 0 for robot in robots}
    while last:
        for robot, number in list(last.items()):
            with suppress(TimeoutError):
                while True:
                    robot.receive(0.02)
            if options := robot.you["options"]:
                robot.do("choose", option=options[0]["name"])
            elif robot.view["phase"] == "betting" and robot.view["round"] > number:
                del last[robot]


# Servers.


class LocalServer(Address):
    """The server of `felt serve` in a thread of this process, with tables of the test's own."""

    def __init__(
        self,
        folder: Path,
        tables: Sequence[TableSettings] = (),
        clock: Callable[[], int] | None = None,
        caps: Caps | None = None,
        entrance: Entrance | None = None,
        context: ssl.SSLContext | None = None,
        lab: Lab | None = None,
        *,
        demo: bool = False,
        port: int = 0,
    ) -> None:
        self._port = port
        self.folder, self.tables, self.clock, self.caps = folder, tables, clock, caps
        self.entrance, self.context, self.lab, self.demo = entrance, context, lab, demo
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._up = threading.Event()
        self._failed: BaseException | None = None
        self._passed = 0

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._up.wait(PATIENCE)
        if self._failed is not None:
            raise self._failed
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread.is_alive():
            self._server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()

    def _serve(self) -> None:
        try:
            house = open_house(self.folder)
        except BaseException as error:
            self._failed = error
            self._up.set()
            return
        try:
            clock = self.clock or house.clock
            house.clock = lambda: clock() + self._passed
            for settings in self.tables:
                if settings.id not in house.tables:
                    house.open_table(settings)
            self.house = house
            self._server = server_of(house, self.caps, self.entrance, self.context, lab=self.lab, demo=self.demo)
            self.hub: Hub = self._server.config.app.state.hub  # type: ignore[union-attr]
            self.register: Register = self._server.config.http.register  # type: ignore[union-attr]
            with socket.create_server((HOST, self._port)) as listener:
                self.port = listener.getsockname()[1]
                with asyncio.Runner(loop_factory=self._server.config.get_loop_factory()) as runner:
                    runner.run(self._main(listener))
        finally:
            self._up.set()
            house.close()

    async def _main(self, listener: socket.socket) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.call_soon(self._up.set)
        await self._server.serve(sockets=[listener])

    def run(self, work: Callable[[House], T]) -> T:
        """Do something with the house in the server's own thread."""

        async def there() -> T:
            return await self.hub.clerk.undisturbed(lambda: work(self.house))

        return asyncio.run_coroutine_threadsafe(there(), self._loop).result(PATIENCE)

    def wait_for(self, wanted: Callable[[], bool]) -> None:
        """Wait until something is so."""
        end = time.monotonic() + PATIENCE
        while not wanted():
            assert time.monotonic() < end
            time.sleep(0.01)

    def pass_time(self, milliseconds: int) -> None:
        """Let the house's clock go on by so much at once, and the dealers look at it."""

        def pass_there(house: House) -> None:
            self._passed += milliseconds
            for table in house.tables:
                self.hub.wake(table)

        self.run(pass_there)

    @property
    def records(self) -> Path:
        return self.folder / RECORDS

    def check(self) -> Report:
        """Everything that is written is in order."""
        report = verify(self.records, self.house.keys.public)
        assert report.ok, report.problems
        return report

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """The records as another process reads them."""
        with Reader(self.records) as store:
            yield store


class Sleeper:
    """A client that reads nothing but when it is told to: of a person, or a spectator."""

    def __init__(self, server: LocalServer, table: str, token: str = "") -> None:
        self.server = server
        self.client = Client(table, server.run(lambda house: house.people.player_of(token)))
        server.run(lambda _: server.hub.join(self.client))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.run(lambda _: self.server.hub.leave(self.client))

    def wake(self) -> list[Json]:
        """Everything that waits for it."""

        def read(_: House) -> list[bytes]:
            return list(iter(lambda: self.server.hub.message_for(self.client), None))

        messages: list[Json] = [json.loads(frame) for frame in self.server.run(read)]
        for message in messages:
            check_message(message)
        return messages


class ServerProcess(Address):
    """`felt serve` as a person starts it, in a process of its own; with tables of the test's own, if it wants some."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        tables: Sequence[TableSettings] = (),
        port: int = 0,
        ignores_interrupts: bool = False,
    ) -> None:
        self.folder = folder
        if tables:
            house = open_house(folder)
            for settings in tables:
                if settings.id not in house.tables:
                    house.open_table(settings)
            house.close()
        command = ["-m", "feltworks.cli", "serve", "--data", str(folder), "--port", str(port), *options]
        self.process = children.start(*command, ignores_interrupts=ignores_interrupts)
        try:
            assert self.process.stdout is not None
            found = None
            while found is None and (line := self.process.stdout.readline()):
                found = re.search(r"Feltworks is at https?://[^/]+:(\d+)/", line)
                self.said += line
        except BaseException:
            self.kill()
            raise
        if found is None:
            self.kill()
            raise AssertionError(f"the server did not start: {self.said}{self.complaints}")
        self.port = int(found[1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def records(self) -> Path:
        return self.folder / RECORDS

    said = ""
    """What it told whoever started it, up to its address."""
    complaints = ""

    def kill(self) -> None:
        """End it as a power cut would, if it is still there, and keep what it said to standard error."""
        if self.process.stdout and not self.process.stdout.closed:
            _, self.complaints = children.end(self.process)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Ask it to end, and wait until it has."""
        self.process.send_signal(how)
        self.process.wait(PATIENCE)
        self.kill()
