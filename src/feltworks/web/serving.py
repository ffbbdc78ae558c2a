"""Starting the server: the data folder, the demo tables, the address."""

import ipaddress
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

import uvicorn

from feltworks.floor.folder import KEYS, PUBLIC, RECORDS, data_folder
from feltworks.floor.house import House
from feltworks.floor.sealing import load_keys, publish
from feltworks.floor.store import Store
from feltworks.kit.errors import BadValue, FeltworksError
from feltworks.web.app import HERE, LARGEST, create_app
from feltworks.web.demo import open_demo_tables
from feltworks.web.guard import Caps


def now() -> int:
    return time.time_ns() // 1_000_000


def open_house(folder: Path) -> House:
    """The house whose records lie in a folder; the folder and its keys are made on first use."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadValue(f"{folder} cannot be used for the records: {error.strerror}.") from None
    keys = load_keys(folder / KEYS)
    publish(keys, folder / PUBLIC)
    return House(Store(folder / RECORDS), keys, now)


def check_assets() -> None:
    """The browser's modules come from npm at set-up; say what to do where they are missing."""
    if not (HERE / "vendor" / "preact.js").is_file():
        raise FeltworksError("The browser modules are not installed; run `make play` or `tools/assets` once.")


def serve(
    folder: Path | None,
    host: str,
    port: int,
    *,
    demo: bool,
    public: bool,
    caps: Caps,
    told: Callable[[str], None],
) -> None:
    """Serve until stopped."""
    check_assets()
    if min(caps.sockets, caps.connects, caps.guests) < 1:
        raise BadValue("An address may have at least one socket, one connection a minute and one guest an hour.")
    if not public and not _is_loopback(host):
        raise BadValue(f"{host} can be reached by others; put TLS in front of it and say --public, or use 127.0.0.1.")
    house = open_house(data_folder(folder))
    try:
        if demo:
            open_demo_tables(house)
        listener = _listen(host, port)
        address = f"http://{host}:{listener.getsockname()[1]}/"
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # the server ends first; then the records are closed
        told(address)
        server_of(house, caps).run(sockets=[listener])
    finally:
        house.store.close()


def server_of(house: House, caps: Caps | None = None) -> uvicorn.Server:
    """The server of a house, with its limits; where it listens is up to the caller."""
    config = uvicorn.Config(
        create_app(house, caps),
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=4 * LARGEST,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
        server_header=False,
        proxy_headers=False,  # whoever connects is counted as the address it comes from, whatever it says
    )
    return uvicorn.Server(config)


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _listen(host: str, port: int) -> socket.socket:
    """A socket on this port; on the next free one when it is taken and was not asked for."""
    for candidate in [port] if port != 8000 else [*range(8000, 8020), 0]:
        listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
        except OSError as error:
            listener.close()
            if candidate == port and port != 8000:
                raise BadValue(f"Port {port} cannot be used: {error.strerror}; choose another with --port.") from None
            continue
        listener.listen()  # whoever reads the address may connect at once, and waits until the server is ready
        return listener
    raise BadValue("No free port was found; choose one with --port.")
