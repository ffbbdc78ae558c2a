"""What every response carries, and who may send what and how much: headers, other sites, and caps by address."""

import ipaddress
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

Scope = MutableMapping[str, Any]
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
KEPT = (("/vendor/", b"public, max-age=604800"), ("/static/", b"no-cache"))
"""How long a browser keeps what it was given: our own files only as long as they are the same."""
SAFE = {"GET", "HEAD", "OPTIONS"}


class Guard:
    """Refuses what another site makes a browser send, and puts the headers on everything else."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
        elif not _foreign(scope):
            await self.app(scope, receive, _with_headers(send, scope["path"]))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "other site"})
        else:
            await refuse(send, 403, "This was sent from another site and is not done.")


def _foreign(scope: Scope) -> bool:
    """Whether another site is behind a request that changes something, or behind a socket."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    origin, host = headers.get(b"origin"), headers.get(b"host", "")
    if scope["type"] == "websocket":
        return origin is not None and origin.partition("://")[2] != host
    if scope["method"] in SAFE:
        return False
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site not in ("same-origin", "none")
    return origin is not None and origin.partition("://")[2] != host


async def refuse(send: Send, status: int, said: str, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    """Answer a request with one sentence."""
    given = [(b"content-type", b"text/plain; charset=utf-8"), *HEADERS, *headers]
    await send({"type": "http.response.start", "status": status, "headers": given})
    await send({"type": "http.response.body", "body": said.encode()})


def _with_headers(send: Send, path: str) -> Send:
    kept = [(b"cache-control", how) for folder, how in KEPT if path.startswith(folder)]

    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            extra = kept if message["status"] < 400 else []
            message["headers"] = [*message.get("headers", []), *HEADERS, *extra]
        await send(message)

    return wrapped


# How much one address may ask for.


@dataclass(frozen=True)
class Caps:
    """What one address may have: sockets open at once, sockets opened in a minute, new guests in an hour.

    An address may be a whole hotel; so the caps are wide, and only stop who would fill the house up alone.
    """

    sockets: int = 100
    connects: int = 600
    guests: int = 200

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

    def guest(self, scope: Scope) -> None:
        """A new guest comes in."""
        wait = self.guests.take(address_of(scope))
        if wait:
            raise TooMuch(f"Too many new guests came from your address; {_later(wait)}.", round(wait) + 1)

    @contextmanager
    def socket(self, scope: Scope) -> Iterator[None]:
        """A socket is open inside."""
        address = address_of(scope)
        wait = self.connects.take(address)
        if wait:
            raise TooMuch(f"Your address connects too often; {_later(wait)}.", round(wait) + 1)
        if self.open[address] >= self.caps.sockets:
            raise TooMuch("Your address has too many connections open; close some and come back.", 60)
        self.open[address] += 1
        try:
            yield
        finally:
            self.open[address] -= 1
            self.open += Counter()  # forgets those that have none


def address_of(scope: Scope) -> str:
    """Where a request comes from; of IPv6 the half that a household has for itself."""
    host = (scope.get("client") or ("", 0))[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return str(host)
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(getattr(address, "ipv4_mapped", None) or address)


def _later(seconds: float) -> str:
    return (
        f"come back in {round(seconds) + 1} seconds" if seconds < 90 else f"come back in {round(seconds / 60)} minutes"
    )
