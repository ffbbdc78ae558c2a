"""Starting the server: the data folder, the demo tables, the address."""

import gc
import logging
import signal
import socket
import ssl
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from ipaddress import ip_address
from pathlib import Path

import uvicorn

from feltworks.floor.data_folder import KEYS, PUBLIC, RECORDS, data_folder
from feltworks.floor.house import House
from feltworks.floor.journal.journal import finish_key_change
from feltworks.floor.keys import (
    BadKeyFile,
    Keys,
    adopt_renewed,
    load_keys,
    note_journal,
    publish,
    read_public,
    renewed_keys,
)
from feltworks.floor.steady_clock import SteadyClock
from feltworks.floor.store.sqlite import Store
from feltworks.kit.errors import BadValue, FeltworksError
from feltworks.kit.printable import printable
from feltworks.web.app import HERE, create_app
from feltworks.web.connections import config_of
from feltworks.web.control import listening
from feltworks.web.demo import open_demo_tables
from feltworks.web.entrance import Entrance
from feltworks.web.guard import Caps
from feltworks.web.lab import Lab
from feltworks.web.logs import show_warnings, write_log
from feltworks.web.sockets import LARGEST
from feltworks.web.tls import tls_context
from feltworks.web.training_tables import GALLERY, open_training_tables

NO_RECORDS = (
    "The key file {key} has signed records, and there are none in {folder}: put them back. To begin anew, move the key"
    " file away."
)
IN_EARNEST = (
    "This house has a manager: in a demonstration any visitor could read and change what is theirs. Start it without"
    " --demo, or give the demonstration a folder of its own with --data."
)

_log = logging.getLogger("feltworks.server")


def open_house(folder: Path, house_key: Path | None = None, told: Callable[[str], None] = lambda line: None) -> House:
    """The house whose records lie in a folder; the folder and its keys are made on first use, and before that it is
    said. A key is never made anew where records exist."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadValue(f"{folder} cannot be used for the records: {error.strerror}.") from None
    records, key = folder / RECORDS, house_key or folder / KEYS
    new = not records.exists() or not records.stat().st_size
    keys = load_keys(key, new, told)
    if new and keys.has_journal:
        raise BadKeyFile(NO_RECORDS.format(key=key, folder=folder))
    renewed = key.with_name(f"{key.name}.new")
    store = Store(records)
    try:
        if renewed.exists() and store.is_current:  # it may have ended between the change of the key and of the file
            changed = load_keys(renewed, new=False)
            if finish_key_change(store, keys, changed):
                _take_up(changed, folder, key)
                keys = changed
            elif changed.public == keys.public:
                renewed.unlink()  # it ended right after the change of the file
        house = House(store, keys, SteadyClock())
        if not house.fault:
            if keys.has_journal and not house.journal.position.id:
                raise BadKeyFile(NO_RECORDS.format(key=key, folder=folder))
            publish(keys, folder / PUBLIC)
            if house.journal.position.id:
                note_journal(key, keys)
            house.on_commit = lambda: note_journal(key, house.keys)
        elif (folder / PUBLIC).exists() and (named := read_public(folder / PUBLIC)) != keys.public:
            raise BadKeyFile(
                f"The key file {key} is not the one that signed these records: it is {keys.public[:12]}, and {PUBLIC}"
                f" names {named[:12]}. Put your copy of the right one back, or say with --house-key where it lies."
            )
    except BaseException:
        store.close()
        raise
    return house


def change_key(house: House, folder: Path, house_key: Path | None = None) -> None:
    """New keys for the house, which the old one vouches for; the old file is kept beside the new one."""
    key = house_key or folder / KEYS
    keys = renewed_keys(key)
    house.change_keys(keys)
    _take_up(keys, folder, key)


def _take_up(keys: Keys, folder: Path, key: Path) -> None:
    """The files follow the journal. As long as the old key file is there, the next start does this again."""
    publish(keys, folder / PUBLIC, anew=True)
    adopt_renewed(key, keys)


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
    house_key: Path | None = None,
    new_key: bool = False,
    successors: Sequence[str] = (),
    tls: tuple[Path, Path] | None = None,
    entrance: Entrance | None = None,
    log: str | None = None,
    games: Sequence[str] = (),
    found: Sequence[str] = (),
) -> None:
    """Serve until stopped, with a training table of each of these games, and where no manager opens tables, of each
    that was found. `tls` is a certificate and its key; without an entrance, only this machine's own names are
    answered."""
    check_assets()
    if min(caps.sockets, caps.connects, caps.guests) < 1:
        raise BadValue("An address may have at least one socket, one connection a minute and one guest an hour.")
    if not public and not _is_loopback(host):
        raise BadValue(
            f"{host} can be reached by others; give it TLS or put that in front of it, and say --public, or use"
            " 127.0.0.1."
        )
    context = tls_context(*tls) if tls else None
    if log:
        write_log(log)
    else:
        show_warnings()

    def say(line: str) -> None:
        """What whoever starts it reads is in the log too; where that is what is read, it is there alone."""
        if log != "-":
            told(printable(line))
        _log.info("%s", line)

    def say_alone(line: str) -> None:
        """For whoever starts it and nobody else: not for the log, unless that is all that is read."""
        if log == "-":
            _log.info("%s", line)
        else:
            told(printable(line))

    house = open_house(data_folder(folder), house_key, say)
    try:
        if demo and house.administration.managers:
            raise BadValue(IN_EARNEST)
        if not house.fault:
            house.code_check.note(house.code_check.look()())
            if new_key:
                change_key(house, data_folder(folder), house_key)
            for table in successors:
                house.open_successor(table)
            if demo:
                open_demo_tables(house)
                open_training_tables(house, GALLERY)
            else:
                house.staff.end_demonstration()
            open_training_tables(house, games or (() if house.administration.managers else found))
        for line in state_of(house):
            say(line)
        entrance = entrance or Entrance(names=frozenset())
        if entrance.names is None:
            say("It is answered under any name; say with --host-name by which ones it is known.")
        listener = _listen(host, port)
        address = f"{'https' if context else 'http'}://{host}:{listener.getsockname()[1]}/"
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # the server ends first; then the records are closed
        with listening(data_folder(folder)) as control:
            if not demo and not house.fault and not house.administration.managers:
                code = house.staff.offer_set_up()
                say_alone(f"It has no manager yet: open {address}setup and give this code, which is good once: {code}")
            say(f"Feltworks is at {address}  (Ctrl-C ends it; nothing is lost)")
            server = server_of(house, caps, entrance, context, own_log=not log, control=control, lab=Lab(), demo=demo)
            run(server, listener)
    finally:
        house.close()
        _log.info("The house is closed.")


def state_of(house: House) -> list[str]:
    """What whoever starts a house should know: how old its records are, and what is not as it should be."""
    said = [house.fault] if house.fault else []
    if house.newest is not None:
        age = house.clock() - house.newest
        ago = f"{_age(age)} ago" if age >= 0 else f"{_age(-age)} after what the clock shows now: it was set back"
        said.append(f"The newest record was of {_utc(house.newest)}, {ago}.")
    if house.older_copy is not None:
        said.append(f"The records were of an older version and are up to date now; a copy is at {house.older_copy}.")
    overdue = [item for item in house.due_items() if item.overdue]
    said += [f"Overdue since {_utc(item.deadline)}: {item.what} ({item.about})." for item in overdue]
    for table in house.closed.values():
        waits = table.settings is not None and not table.successor
        hint = f" `felt serve --successor {table.id}` opens one with the same settings." if waits else ""
        said.append(f"The table {table.id} is closed. {table.why}{hint}")
    return said


def _utc(milliseconds: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(milliseconds / 1_000))


def _age(milliseconds: int) -> str:
    for name, length in (("days", 86_400_000), ("hours", 3_600_000), ("minutes", 60_000)):
        if milliseconds >= 2 * length:
            return f"{milliseconds // length} {name}"
    return f"{max(0, milliseconds) // 1_000} seconds"


def server_of(
    house: House,
    caps: Caps | None = None,
    entrance: Entrance | None = None,
    context: ssl.SSLContext | None = None,
    own_log: bool = True,
    control: socket.socket | None = None,
    lab: Lab | None = None,
    *,
    demo: bool = False,
) -> uvicorn.Server:
    """The server of a house, with its limits; where it listens is up to the caller. Without a log of its own, it logs
    where everything else does. Through `control` its owner runs the tables, and a `lab` answers live questions. In a
    demonstration any visitor takes any role."""
    entrance = entrance or Entrance()
    app = create_app(house, caps, entrance, control, lab, demo=demo)
    config = config_of(app, caps or Caps(), 4 * LARGEST, entrance.is_proxy, context, own_log)
    server = uvicorn.Server(config)
    app.state.stop = partial(setattr, server, "should_exit", True)
    return server


def run(server: uvicorn.Server, listener: socket.socket) -> None:
    """Serve at this socket until stopped. What there is by now stays to the end: the collector of garbage leaves it
    alone, or everybody would wait some 50 ms whenever it looked through all of it; and what outlives two looks it
    looks at less often, since next to nothing here needs it."""
    server.config.load()
    gc.collect()
    gc.freeze()
    gc.set_threshold(2_000, 20, 100)
    server.run(sockets=[listener])


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
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
