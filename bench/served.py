"""A server for the benchmarks, in a process of its own: it seats its guests, prints its port and their tokens, and
answers every line with what the clerk has written so far."""

import argparse
import gc
import json
import socket
import sys
import threading
import time
from pathlib import Path
from typing import Any, ClassVar

import apsw
import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from bench.echo import add_echoes
from bench.jackpots import opened
from feltworks.floor.actors import person as by_person
from feltworks.floor.house import House
from feltworks.floor.roles import Role
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.settings import Clocks
from feltworks.web.connections import config_of
from feltworks.web.guard import Caps
from feltworks.web.hub import Hub
from feltworks.web.lab import Lab
from feltworks.web.serving import open_house, run, server_of
from feltworks.web.sockets import LARGEST
from tests.web.dealing import dealt_by_hand
from tests.web.people_of_the_house import employ
from tests.web.robots import HOST, between, money, yo

HOUR = 3_600_000
NEVER = Clocks(HOUR, HOUR, HOUR, HOUR)
WIDE = Caps(1_000_000, 1_000_000, 1_000_000, questions=1_000_000)


class Timed:
    """A socket that notes how long a frame was here until its answer was handed out, and the view with what it did."""

    answered: ClassVar[list[float]] = []
    shown: ClassVar[list[float]] = []
    came: float | None = None
    acknowledged = False

    def data_received(self, data: bytes) -> None:
        self.came, self.acknowledged = time.perf_counter(), False
        super().data_received(data)  # type: ignore[misc]

    async def send(self, message: dict[str, Any]) -> None:
        await super().send(message)  # type: ignore[misc]
        if self.came is None or not (said := message.get("text")):
            return
        took = time.perf_counter() - self.came
        if said.startswith('{"ok"'):
            self.acknowledged = True
            Timed.answered.append(took)
        elif self.acknowledged and said.startswith('{"view"'):
            self.came = None
            Timed.shown.append(took)


class SlowFile(apsw.VFSFile):
    """A file that is slow to be safe."""

    delay = 0.0
    synced = 0

    def xSync(self, flags: int) -> None:  # noqa: N802
        SlowFile.synced += 1
        time.sleep(self.delay)
        super().xSync(flags)


class SlowDisk(apsw.VFS):
    def __init__(self, delay: float) -> None:
        self.below, SlowFile.delay = apsw.vfs_names()[0], delay
        super().__init__("slow", self.below, makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return SlowFile(self.below, name, flags)


def table(number: int) -> str:
    return f"table-{number}"


def seated(house: House, tables: int, seats: int) -> list[list[str]]:
    """Guests at every seat of every table: their tokens, by table."""
    with house.together():
        for n in range(tables):
            house.open_table(money(id=table(n), clocks=NEVER, seats=max(seats, 5)))
        guests = [[house.people.guest() for _ in range(seats)] for _ in range(tables)]
    with house.together():
        for n, players in enumerate(guests):
            for seat, (player, _) in enumerate(players, 1):
                house.give(table(n), player, cmd.Sit(seat))
    return [[token for _, token in players] for players in guests]


def play_long(house: House, events: int) -> None:
    """One round with so many events, which is over."""
    house.open_table(yo(clocks=NEVER))
    player, _ = house.people.guest()
    house.command("yo", player, cmd.Sit(1))
    house.deal_on("yo", "start round")
    with house.together():
        for _ in range(events // 2):
            house.give("yo", player, cmd.Place("play", 100))
            house.give("yo", player, cmd.TakeUp("play"))
    house.void("yo", "It is over.")


def dealt(house: House) -> str:
    """A table that a person deals at, with one wager, whose first card is dealt next: the token of its dealer."""
    house.open_table(dealt_by_hand(between(burn=0)))
    for _ in range(150):  # then the log of the records has its length, as it has in a house that was open for a while
        house.pause("between", "Tuning.")
        house.resume("between")
    dealer, token = employ(house, "Dana", Role.DEALER)
    actor = by_person(dealer)
    house.pit.deal_by_hand("between", cmd.SignOn(), actor)
    house.pit.for_patron("between", cmd.SeatPatron(1, 50_000), actor)
    house.pit.deal_by_hand("between", cmd.StartRound(shuffle=True), actor)
    house.pit.for_patron("between", cmd.PlaceFor(1, "base", 500), actor)
    house.pit.deal_by_hand("between", cmd.CloseBetting(), actor)
    return token


def bare() -> uvicorn.Server:
    """Sockets of the same kind, with the same settings, and nothing behind them."""

    async def idle(websocket: WebSocket) -> None:
        await websocket.accept()
        async for _ in websocket.iter_text():
            pass

    config = config_of(Starlette(routes=[WebSocketRoute("/ws/{table}", idle)]), WIDE, 4 * LARGEST)
    config.http, config.ws = "h11", "websockets-sansio"
    return uvicorn.Server(config)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tables", type=int, default=1)
    parser.add_argument("--seats", type=int, default=5)
    parser.add_argument("--events", type=int, default=0, help="in one round of Yo!")
    parser.add_argument("--delay", type=float, default=0, help="seconds that the disk takes longer")
    parser.add_argument("--wide", action="store_true", help="one address may do what it likes")
    parser.add_argument("--timed", action="store_true", help="note how long frames are here")
    parser.add_argument("--lab", action="store_true", help="answer live questions")
    parser.add_argument("--board", action="store_true", help="employ a supervisor, whose token is the last of all")
    parser.add_argument("--dealt", action="store_true", help="a table dealt by hand, and echoes beside it")
    parser.add_argument("--jackpot", choices=["meter", "prizes"], help="tables of Down Under that play for one meter")
    parser.add_argument("--bare", action="store_true", help="no house, only sockets")
    given = parser.parse_args()
    disk = SlowDisk(given.delay) if given.delay else None
    house, hub, tokens = None, None, []
    if given.bare:
        server = bare()
    else:
        house = open_house(given.folder)
        if given.jackpot:
            tokens = opened(house, given.tables, given.seats, given.jackpot == "meter")
        else:
            tokens = [[dealt(house)]] if given.dealt else seated(house, given.tables, given.seats)
        if given.board:
            tokens.append([house.staff.demonstrate(Role.SUPERVISOR)[1]])
        if given.events:
            play_long(house, given.events)
        server = server_of(house, WIDE if given.wide else Caps(), lab=Lab() if given.lab else None)
        hub = server.config.app.state.hub  # type: ignore[union-attr]
        if given.dealt:
            add_echoes(server.config.app, given.folder)  # type: ignore[arg-type]
        if given.timed:
            server.config.ws = type("TimedSocket", (Timed, server.config.ws), {})  # type: ignore[arg-type]
        assert disk is None or SlowFile.synced
    with socket.create_server((HOST, 0), backlog=2_048) as listener:
        print(json.dumps({"port": listener.getsockname()[1], "tokens": tokens}), flush=True)
        threading.Thread(target=_answer, args=(hub,), daemon=True).start()
        try:
            run(server, listener)
        finally:
            if house is not None:
                house.close()


class Counted(msgspec.Struct):
    commits: int
    groups: int
    synced: int
    sockets: int
    answered: list[float]
    """Seconds from a frame to its answer, where that is noted; and to the view with what it did."""
    shown: list[float]


def _answer(hub: Hub | None) -> None:
    for _ in sys.stdin:
        gc.collect()
        told = Counted(0, 0, SlowFile.synced, 0, Timed.answered, Timed.shown)
        if hub is not None:
            counts = hub.clerk.commits, hub.clerk.groups
            told = Counted(*counts, SlowFile.synced, len(hub.clients), Timed.answered, Timed.shown)
        print(msgspec.json.encode(told).decode(), flush=True)


if __name__ == "__main__":
    main()
