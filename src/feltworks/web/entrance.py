"""Who stands at the door: which proxies are believed, which names the house answers to, who may see its figures."""

from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from feltworks.kit.errors import BadValue

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
Scope = MutableMapping[str, Any]

FORWARDED = {b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"x-real-ip", b"forwarded"}
"""What a proxy says of whom it speaks for."""


def networks(given: Iterable[str], option: str) -> tuple[Network, ...]:
    """Addresses and networks as somebody writes them."""
    try:
        return tuple(ip_network(text.strip()) for text in given)
    except ValueError as problem:
        raise BadValue(f"{option} takes an address or a network, such as 10.0.0.5 or 10.0.0.0/24: {problem}.") from None


LOOPBACK = networks(["127.0.0.0/8", "::1"], "")


def parsed(text: str) -> Address | None:
    """An address, perhaps with a port, as sockets, proxies and browsers write it."""
    try:
        found = ip_address(_without_port(text))
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


@dataclass(frozen=True)
class Entrance:
    """What is believed of those who come, and what they may see."""

    proxies: tuple[Network, ...] = ()
    """They say for whom they speak."""
    names: frozenset[str] | None = None
    """Host names that are answered, beside those of this machine itself; any if there are none."""
    figures: tuple[Network, ...] = LOOPBACK
    """Who may see the figures of the house."""

    @classmethod
    def of(
        cls, host: str, public: bool, names: Iterable[str], proxies: Iterable[str], figures: Iterable[str]
    ) -> "Entrance":
        """By what somebody says who starts a house. One that others can reach is known by names that only they know:
        where none is told, any is answered."""
        known = frozenset(_plain(name) for name in names)
        return cls(
            networks(proxies, "--trusted-proxy"),
            None if public and not known else known | {_plain(host)},
            LOOPBACK + networks(figures, "--metrics"),
        )

    def is_proxy(self, host: str) -> bool:
        """Whether a connection from this address is a trusted proxy's: many people come through it."""
        return _is_in(self.proxies, host)

    def answers_to(self, host: str) -> bool:
        """Whether a Host header names this house. A name that somebody else owns may point here all the same, and then
        a page from there could read what is here."""
        if self.names is None:
            return True
        name = _plain(host)
        return name == "localhost" or name in self.names or _is_in(LOOPBACK, name)

    def believe(self, scope: Scope) -> None:
        """What a trusted proxy says stands in the scope from here on: of those who passed a request on, the last one
        that is no such proxy counts. What anybody else says is not looked at."""
        peer = str((scope.get("client") or ("", 0))[0])
        if not self.is_proxy(peer):
            return
        passed = 0
        for hop in reversed(_listed(scope, b"x-forwarded-for")):
            if (address := parsed(hop)) is None:
                break
            peer, passed = str(address), passed + 1
            if not self.is_proxy(peer):
                break
        scope["client"] = peer, 0
        if schemes := _listed(scope, b"x-forwarded-proto"):
            # Where each proxy adds its own, the one that the last stranger talked to counts.
            secure = schemes[-min(max(passed, 1), len(schemes))].lower() in ("https", "wss")
            plain = "http" if scope["type"] == "http" else "ws"
            scope["scheme"] = plain + "s" * secure
        scope["headers"] = [(name, value) for name, value in scope["headers"] if name not in FORWARDED]

    def shows_figures(self, scope: Scope) -> bool:
        """Whether the figures may be seen: not by whom a proxy on this machine speaks for that nobody has named."""
        forwarded = any(name in FORWARDED for name, _ in scope["headers"])
        return not forwarded and _is_in(self.figures, str((scope.get("client") or ("", 0))[0]))


def _is_in(these: tuple[Network, ...], host: str) -> bool:
    address = parsed(host)
    return address is not None and any(address in network for network in these)


def _listed(scope: Scope, wanted: bytes) -> list[str]:
    """The values of a header that may come several times, and have several each."""
    values = ",".join(value.decode("latin-1") for name, value in scope["headers"] if name == wanted)
    return [value.strip() for value in values.split(",") if value.strip()]


def _without_port(host: str) -> str:
    host = host.strip()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0] if host.count(":") == 1 else host


def _plain(host: str) -> str:
    """A host as it is compared."""
    return _without_port(host).rstrip(".").lower()
