"""What every response carries, and who may send what and how much: headers, other sites, and caps by address."""

import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_network
from typing import Any

from feltworks.floor.names import looks
from feltworks.web.entrance import Entrance, Scope, parsed

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
STRICT = (b"strict-transport-security", b"max-age=31536000")
"""Whoever came by TLS comes by TLS for a year."""
KEPT = (("/vendor/", b"public, max-age=604800"), ("/static/", b"no-cache"))
"""How long a browser keeps what it was given: our own files only as long as they are the same."""
SAFE = {"GET", "HEAD", "OPTIONS"}
HEALTH = "/health"
"""Asked for by whatever name: who looks after a machine knows it by its address."""

_log = logging.getLogger("feltworks.door")


class Guard:
    """Believes trusted proxies, refuses what is meant for another house and what another site makes a browser send, and
    puts the headers on everything else."""

    def __init__(self, app: App, entrance: Entrance) -> None:
        self.app, self.entrance = app, entrance

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        self.entrance.believe(scope)
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        if scope["path"] != HEALTH and not self.entrance.answers_to(headers.get(b"host", "")):
            await _refuse(scope, send, 400, "There is no house of that name here; open it by its own address.")
        elif _foreign(scope, headers):
            await _refuse(scope, send, 403, "This was sent from another site and is not done.")
        else:
            await self.app(scope, receive, _with_headers(send, scope))


def headers_for(scope: Scope) -> list[tuple[bytes, bytes]]:
    """What an answer carries whatever it is."""
    return [*HEADERS, STRICT] if _is_secure(scope) else HEADERS


def _is_secure(scope: Scope) -> bool:
    return scope.get("scheme") in ("https", "wss")


def _foreign(scope: Scope, headers: dict[bytes, str]) -> bool:
    """Whether another site is behind a request that changes something, or behind a socket."""
    if scope["type"] == "websocket":
        return _other_origin(scope, headers)
    if scope["method"] in SAFE:
        return False
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    return _other_origin(scope, headers)


def _other_origin(scope: Scope, headers: dict[bytes, str]) -> bool:
    """A page that came without TLS is another site's where the house has TLS. It may have it from a proxy that nobody
    has named: so the contrary is not looked at."""
    if (origin := headers.get(b"origin")) is None:
        return False
    scheme, _, host = origin.partition("://")
    return host != headers.get(b"host", "") or (_is_secure(scope) and scheme != "https")


async def _refuse(scope: Scope, send: Send, status: int, why: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": why})
    else:
        await refuse(scope, send, status, why)


async def refuse(scope: Scope, send: Send, status: int, said: str, more: Iterable[tuple[bytes, bytes]] = ()) -> None:
    """Answer a request with one sentence."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *headers_for(scope), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": said.encode()})


def _with_headers(send: Send, scope: Scope) -> Send:
    kept = [(b"cache-control", how) for folder, how in KEPT if scope["path"].startswith(folder)]
    always = headers_for(scope)

    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            extra = kept if message["status"] < 400 else []
            message["headers"] = [*message.get("headers", []), *always, *extra]
        await send(message)

    return wrapped


# How much one address may ask for.


@dataclass(frozen=True)
class Caps:
    """What one address may have: sockets open at once, sockets opened in a minute, in an hour new guests, names that
    they choose and rounds that they dispute, in a minute questions to the lab, and in ten minutes passwords that are
    tried, for one name and for all of them.

    An address may be a whole hotel; so the caps are wide, and only stop who would fill the house up alone.
    """

    sockets: int = 100
    connects: int = 600
    guests: int = 200
    names: int = 200
    disputes: int = 200
    questions: int = 600
    log_ins: int = 100
    log_ins_by_name: int = 10

    @property
    def connections(self) -> int:
        """Open at once: sockets, and those that ask for pages."""
        return self.sockets + 100

    @property
    def requests(self) -> int:
        """Requests in a second, and connections that are opened; some seconds' worth may come at once."""
        return max(100, self.sockets)


class TooMuch(Exception):
    """More than an address may have, with a reason that a person understands; `wait` in seconds."""

    def __init__(self, why: str, wait: int) -> None:
        super().__init__(why)
        self.wait = wait


@dataclass
class Allowance:
    """So many in so many seconds for each address, given back evenly as time goes by."""

    most: int
    seconds: float
    clock: Callable[[], float] = time.monotonic
    _used: dict[str, tuple[float, float]] = field(default_factory=dict)

    def take(self, address: str) -> float:
        """Take one: the seconds to wait until there is one, or nothing when it is taken."""
        now = self.clock()
        used, wait = self._left(address, now) + 1, self.seconds / self.most
        if used > self.most:
            return (used - self.most) * wait
        if len(self._used) >= MOST_ADDRESSES:
            self._used = {other: held for other, held in self._used.items() if self._left(other, now) > 0}
        self._used[address] = used, now
        return 0

    def _left(self, address: str, now: float) -> float:
        """How much of what was used is not given back yet."""
        used, then = self._used.get(address, (0.0, now))
        return max(0.0, used - (now - then) * self.most / self.seconds)


MOST_ADDRESSES = 10_000
"""When so many addresses are remembered, those that have everything back are forgotten."""


class Door:
    """Lets in no more from one address than the caps allow."""

    def __init__(self, caps: Caps) -> None:
        self.caps = caps
        self.open: Counter[str] = Counter()
        self.connects, self.guests = Allowance(caps.connects, 60), Allowance(caps.guests, 3_600)
        self.names, self.disputes = Allowance(caps.names, 3_600), Allowance(caps.disputes, 3_600)
        self.questions = Allowance(caps.questions, 60)
        self.log_ins, self.log_ins_by_name = Allowance(caps.log_ins, 600), Allowance(caps.log_ins_by_name, 600)
        self.refused: Counter[str] = Counter()
        """How many were refused since the start, by what they were too many of."""
        self._logged = Allowance(1, 60)

    def guest(self, scope: Scope) -> None:
        """A new guest comes in."""
        address = address_of(scope)
        wait = self.guests.take(address)
        if wait:
            said = f"Too many new guests came from your address; {_later(wait)}."
            raise self._refusal("guests", address, said, round(wait) + 1)

    def name(self, scope: Scope) -> None:
        """Somebody chooses a name."""
        address = address_of(scope)
        wait = self.names.take(address)
        if wait:
            said = f"Too many names were chosen from your address; {_later(wait)}."
            raise self._refusal("names", address, said, round(wait) + 1)

    def dispute(self, scope: Scope) -> None:
        """Somebody disputes a round: the records are looked at for it."""
        address = address_of(scope)
        wait = self.disputes.take(address)
        if wait:
            said = f"Too many rounds were disputed from your address; {_later(wait)}."
            raise self._refusal("disputes", address, said, round(wait) + 1)

    def question(self, scope: Scope) -> None:
        """Somebody asks the lab."""
        address = address_of(scope)
        wait = self.questions.take(address)
        if wait:
            said = f"Too many figures were asked for from your address; {_later(wait)}."
            raise self._refusal("questions", address, said, round(wait) + 1)

    def log_in(self, scope: Scope, name: str) -> None:
        """Somebody tries a password or a code. It is counted by where it comes from: whoever guesses somebody's
        password locks nobody out but themselves."""
        address = address_of(scope)
        wait = max(self.log_ins.take(address), self.log_ins_by_name.take(f"{address} {min(looks(name))[:100]}"))
        if wait:
            said = f"Too many passwords were tried from your address; {_later(wait)}."
            raise self._refusal("log-ins", address, said, round(wait) + 1)

    def busy(self, scope: Scope) -> TooMuch:
        """Too many wait already to have a password looked at."""
        said = "Too many log in at once; try again in a few seconds."
        return self._refusal("log-ins", address_of(scope), said, 5)

    @contextmanager
    def socket(self, scope: Scope) -> Iterator[None]:
        """A socket is open inside."""
        address = address_of(scope)
        wait = self.connects.take(address)
        if wait:
            said = f"Your address connects too often; {_later(wait)}."
            raise self._refusal("connects", address, said, round(wait) + 1)
        if self.open[address] >= self.caps.sockets:
            said = "Your address has too many connections open; close some and come back."
            raise self._refusal("sockets", address, said, 60)
        self.open[address] += 1
        try:
            yield
        finally:
            self.open[address] -= 1
            self.open += Counter()  # forgets those that have none

    def _refusal(self, what: str, address: str, why: str, wait: int) -> TooMuch:
        """Counted always, and logged once a minute for each address: nobody fills the disk with what is refused."""
        self.refused[what] += 1
        if not self._logged.take(address):
            _log.info("Too many %s from one address.", what, extra={"address": address})
        return TooMuch(why, wait)


def address_of(scope: Scope) -> str:
    """Where a request comes from; of IPv6 the half that a household has for itself."""
    host = str((scope.get("client") or ("", 0))[0])
    address = parsed(host)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, 64), strict=False))
    return host if address is None else str(address)


def _later(seconds: float) -> str:
    return (
        f"come back in {round(seconds) + 1} seconds" if seconds < 90 else f"come back in {round(seconds / 60)} minutes"
    )
