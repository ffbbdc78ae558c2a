"""What one connection may do before it is let go, and how many there are: below the pages, where bytes come in."""

import asyncio
import resource
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import suppress
from http import HTTPStatus
from typing import Any, ClassVar

import uvicorn
from starlette.requests import ClientDisconnect
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from feltworks.web.entrance import Scope
from feltworks.web.guard import HEADERS, Allowance, App, Caps, Receive, Send, address_of, refuse

BYTES_A_SECOND, BYTES_AT_ONCE = 65_536, 1_048_576
"""What is read from a connection."""
FRAMES_A_SECOND, FRAMES_AT_ONCE = 100, 500
"""Frames of any sort that are read from a socket; pings count, and pieces of messages."""
FRAGMENTS = 100
"""The most frames of one message."""
UNTAKEN, UNTAKEN_SECONDS = 65_536, 10
"""A client that leaves more than this many bytes lying for so long does not read, and is cut off."""
MOST_UNTAKEN = 1_048_576
"""More than this never waits for a client."""
HEADER_LINES, HEADER_BYTES = 100, 16_384
REQUEST_SECONDS = 10
"""The headers of a request are here in this time, and then its body."""
KEEP_ALIVE_SECONDS = 5
PING_SECONDS, PONG_SECONDS = 20, 20
CLOSE_SECONDS = 1
"""How long a close waits for the other side."""
NO_COMMANDS, NO_COMMANDS_SECONDS = 20, 10
"""So many messages that are no commands in so many seconds, and the client is let go."""
ARRIVALS_AT_ONCE, REQUESTS_AT_ONCE = 3, 10
"""How many seconds' worth of connections, and of requests, an address may bring at once: a page is many files."""
RESERVE = 128
"""Files that are kept for the records and for reading, whatever number of connections there is."""
MOST_CONNECTIONS = 20_000
PIECE = 4_096
"""Bytes are read in pieces of this size, so that whoever sends too much is noticed before all of it is looked at."""
TICK = 0.5
"""Seconds between two looks at all connections."""

TOO_FAST = "This connection sends far too much; it is closed."
NOT_UTF8 = "That text is not UTF-8."
IN_PIECES = f"A message comes in at most {FRAGMENTS} frames."
NO_PATIENCE = "Too many messages that are no commands; it is closed."


class Budget:
    """So much at once, and so much a second after that."""

    __slots__ = ("_left", "_then", "a_second", "at_once")

    def __init__(self, a_second: float, at_once: float, now: float) -> None:
        self.a_second, self.at_once = a_second, at_once
        self._left, self._then = at_once, now

    def spend(self, much: float, now: float) -> bool:
        """Take so much; whether it was there."""
        self._left = min(self.at_once, self._left + (now - self._then) * self.a_second) - much
        self._then = now
        return self._left >= 0


class Patience:
    """How long a client is borne with that sends what is no command."""

    def __init__(self, now: float) -> None:
        self._budget = Budget(NO_COMMANDS / NO_COMMANDS_SECONDS, NO_COMMANDS, now)

    def ends(self, now: float) -> bool:
        """Whether what it sent now was one thing too many that was no command."""
        return not self._budget.spend(1, now)


# All connections.


class Register:
    """Every open connection of a server, by the address it comes from."""

    def __init__(self, caps: Caps, most: int, is_proxy: Callable[[str], bool] = lambda _: False) -> None:
        self.caps, self.most, self.is_proxy = caps, most, is_proxy
        self.open: dict[asyncio.Transport, _Watched] = {}
        self.resting: dict[_Watched, None] = {}
        """Those without a request, the one that has rested for longest first. Sockets are never among them."""
        self.by_address: dict[str, set[asyncio.Transport]] = {}
        self.arrivals = Allowance(ARRIVALS_AT_ONCE * caps.requests, ARRIVALS_AT_ONCE)
        self.requests = Allowance(REQUESTS_AT_ONCE * caps.requests, REQUESTS_AT_ONCE)

    def admit(self, new: "_Watched") -> bool:
        """Let a connection in if there is room, or if there is when one that only rests goes."""
        here = self.by_address.get(new.address, set())
        if self.arrivals.take(new.address):
            return False
        if len(here) >= self.caps.connections:
            longest = next((other for other in self.resting if other.transport in here), None)
        elif len(self.open) >= self.most:
            longest = next(iter(self.resting), None)
        else:
            longest = new
        if longest is None:
            return False
        if longest is not new:
            self.leave(longest)
            longest.transport.abort()
        if not self.open:
            new.loop.call_later(TICK, self._look, new.loop)
        self.open[new.transport] = new
        self.by_address.setdefault(new.address, set()).add(new.transport)
        return True

    def leave(self, gone: "_Watched") -> None:
        self.resting.pop(gone, None)
        if self.open.pop(gone.transport, None) is not None:
            here = self.by_address[gone.address]
            here.discard(gone.transport)
            if not here:
                del self.by_address[gone.address]

    def rest(self, connection: "_Watched") -> None:
        """It has no request; whoever does so latest is asked to go last."""
        if connection.transport in self.open:
            self.resting.pop(connection, None)
            self.resting[connection] = None

    def work(self, connection: "_Watched") -> None:
        self.resting.pop(connection, None)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for connection in list(self.open.values()):
            connection.look(now)
        if self.open:
            loop.call_later(TICK, self._look, loop)


def most_connections() -> int:
    """How many connections there may be: as many as files may be open, which is set to the most that is allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + RESERVE
    if soft != resource.RLIM_INFINITY and soft < wanted:
        if hard != resource.RLIM_INFINITY:
            wanted = min(wanted, hard)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else max(RESERVE, min(MOST_CONNECTIONS, soft - RESERVE))


# One connection.


class _Watched(asyncio.Protocol):
    """What pages and sockets share: how fast they send, and whether they take what they are sent."""

    register: ClassVar[Register]
    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    address = ""
    since = 0.0
    """When it came, or when it last did something that gives it new time."""
    deaf = False
    """It was let go; nothing more that it says is heard."""
    _stuck: float | None = None
    _closing: float | None = None

    def begin(self, transport: asyncio.Transport) -> None:
        client = get_remote_addr(transport)
        self.transport, self.address = transport, address_of({"client": client})
        if client is not None and self.register.is_proxy(client[0]):
            self.address = f"{client[0]} {client[1]}"  # it speaks for many: each of its connections counts by itself
        self.since = self.loop.time()
        self.bytes = Budget(BYTES_A_SECOND, BYTES_AT_ONCE, self.since)
        transport.set_write_buffer_limits(UNTAKEN)

    def connection_lost(self, exc: Exception | None) -> None:
        self.register.leave(self)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        self._stuck = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        self._stuck = None
        super().resume_writing()

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """What came, piece by piece, until it is too much or nothing more is to be heard."""
        for start in range(0, len(data), PIECE):
            if self.deaf or self.transport.is_closing():
                return
            piece = data[start : start + PIECE]
            if not self.bytes.spend(len(piece), self.loop.time()):
                self.too_fast()
                return
            yield piece

    def too_fast(self) -> None:
        self.transport.abort()

    def look(self, now: float) -> None:
        """Cut off whoever does not read, and whoever does not go."""
        if self._closing is None and self.transport.is_closing():
            self._closing = now
        if (
            (self._closing is not None and now - self._closing >= CLOSE_SECONDS)
            or (self._stuck is not None and now - self._stuck >= UNTAKEN_SECONDS)
            or self.transport.get_write_buffer_size() > MOST_UNTAKEN
        ):
            self.transport.abort()


class _TurnedAway(Exception):
    """A request that is not looked at any further."""

    def __init__(self, status: HTTPStatus, said: str) -> None:
        super().__init__(said)
        self.status = status


class Plain(_Watched, H11Protocol):
    """A connection for pages, until it becomes a socket."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.begin(transport)
        if not self.register.admit(self):
            transport.abort()
            return
        wire = transport.get_extra_info("socket")
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNTAKEN)  # or megabytes lie there before it is noticed
        super().connection_made(transport)
        self.app = self._limited(self.app)
        self.register.rest(self)

    def _limited(self, app: App) -> App:
        async def asked(scope: Scope, receive: Receive, send: Send) -> None:
            if wait := self.register.requests.take(self.address):
                said = "Your address asks for too much; come back in a moment."
                headers = [(b"retry-after", b"%d" % (int(wait) + 1)), (b"connection", b"close")]
                await refuse(scope, send, HTTPStatus.TOO_MANY_REQUESTS, said, headers)
            else:
                with suppress(ClientDisconnect):
                    await app(scope, receive, send)

        return asked

    @property
    def _busy(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def data_received(self, data: bytes) -> None:
        for piece in self.pieces(data):
            if not self._busy and piece.partition(b"\r\n\r\n")[0].count(b"\n") > HEADER_LINES:
                self._turn_away(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "That request has too many headers.")
                return
            super().data_received(piece)
            if self.transport.get_protocol() is not self:
                return

    def handle_events(self) -> None:
        try:
            super().handle_events()
        except _TurnedAway as why:
            self._turn_away(why.status, str(why))

    def _should_upgrade(self) -> bool:
        """The headers of a request are here."""
        if len(self.headers) > HEADER_LINES:
            raise _TurnedAway(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "That request has too many headers.")
        if any(name == b"transfer-encoding" for name, _ in self.headers):
            raise _TurnedAway(HTTPStatus.LENGTH_REQUIRED, "Say how long the body is.")
        self.since = self.loop.time()
        self.register.work(self)
        return super()._should_upgrade()

    def on_response_complete(self) -> None:
        self.since = self.loop.time()
        self.register.rest(self)
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        self._turn_away(HTTPStatus.BAD_REQUEST, msg)

    def _turn_away(self, status: HTTPStatus, said: str) -> None:
        """Answer at once, and close; not into an answer that is half written."""
        if self._busy and self.cycle.response_started:
            self.transport.abort()
            return
        if not self.transport.is_closing():
            body = said.encode()
            headers = [
                *[(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(body))],
                *[(b"connection", b"close"), *HEADERS],
            ]
            lines = [b"HTTP/1.1 %d %s" % (status, status.phrase.encode()), *(b": ".join(line) for line in headers)]
            self.transport.write(b"\r\n".join([*lines, b"", body]))
            self.transport.close()
            if self._busy:  # it waits for the rest of the request
                self.cycle.disconnected = True
                self.cycle.message_event.set()

    def look(self, now: float) -> None:
        super().look(now)
        if now - self.since >= REQUEST_SECONDS and (not self._busy or self.cycle.more_body):
            if self._busy or self.conn.trailing_data[0]:
                self._turn_away(HTTPStatus.REQUEST_TIMEOUT, "The request did not come in time.")
            self.transport.close()


class Socket(_Watched, WebSocketsSansIOProtocol):
    """A connection that talks with a table."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.begin(transport)
        self.register.open[transport] = self
        super().connection_made(transport)
        self.close_timeout = CLOSE_SECONDS
        self.budget = Budget(FRAMES_A_SECOND, FRAMES_AT_ONCE, self.since)

    def data_received(self, data: bytes) -> None:
        for piece in self.pieces(data):
            self.conn.receive_data(piece)
            if not self.budget.spend(len(self.conn.events), self.loop.time()):
                self.too_fast()
            elif self.conn.parser_exc is not None:
                self.handle_parser_exception()
            else:
                self.handle_events()

    def too_fast(self) -> None:
        self.let_go(1008, TOO_FAST)

    def let_go(self, code: int, reason: str) -> None:
        """Say why, where that can be said at once, and listen no more; whoever does not go is cut off."""
        if self.close_sent or not (self.handshake_complete and self.writable.is_set()) or self.transport.is_closing():
            self.transport.abort()
            return
        self.conn.fail(code, reason)
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.transport.write_eof()
        self.transport.pause_reading()
        self.deaf = self.close_sent = True
        self.read_paused = False  # or whoever takes the last message would have it read on
        self.stop_keepalive()
        self.close_timer = self.loop.call_later(CLOSE_SECONDS, self.transport.abort)

    def handle_parser_exception(self) -> None:
        """It is not WebSocket, or too long; the parser has found the code and the words."""
        self.let_go(1002, "That is not WebSocket.")

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= FRAGMENTS:
            self.let_go(1008, IN_PIECES)
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.let_go(1007, NOT_UTF8)
        if not self.deaf:
            super().send_receive_event_to_app()

    def handle_ping(self) -> None:
        """Answer, unless the answers before it are still lying there."""
        if self.writable.is_set() and not self.close_sent:
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def look(self, now: float) -> None:
        super().look(now)
        if not self.handshake_complete and now - self.since >= REQUEST_SECONDS:
            self.transport.abort()


def config_of(
    app: Any,
    caps: Caps,
    largest: int,
    is_proxy: Callable[[str], bool] = lambda _: False,
    context: ssl.SSLContext | None = None,
    own_log: bool = True,
) -> uvicorn.Config:
    """How uvicorn serves within these limits; no message is longer than the largest."""
    register = Register(caps, most_connections(), is_proxy)
    bound = {"register": register}
    return uvicorn.Config(
        app,
        http=type("Plain", (Plain,), bound),
        ws=type("Socket", (Socket,), bound),
        log_level="error",  # a warning is about what somebody sent, and anybody could fill the log
        ws_max_size=largest,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PONG_SECONDS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=HEADER_BYTES,
        server_header=False,
        proxy_headers=False,  # the guard looks at them
        log_config=uvicorn.config.LOGGING_CONFIG if own_log else None,
        ssl_context_factory=(lambda *_: context) if context else None,
    )
