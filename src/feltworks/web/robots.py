"""Robots that sit down beside people who ask for company: at training tables, with play money of their own.

A robot is a person of the house whose record says that it is one. It sees what its seat sees, gives the commands that
anybody gives, and waits for people: it wagers when one of them has, and is ready when all who have are. When the last
of them has left, or somebody waits for its seat, it leaves too.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from feltworks.floor.house import House
from feltworks.floor.person import is_robot
from feltworks.floor.refusal import Refused
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.settings import MOST_ROBOTS
from feltworks.floor.table.state import Table
from feltworks.kit.errors import FaultyRules
from feltworks.web import view_messages
from feltworks.web.clerk import Clerk
from feltworks.web.waiting import Lines

A_BONUS = 3
"""A robot makes a bonus wager in one of so many rounds."""
GIVES_UP = {"fold", "surrender", "withdraw", "pass"}
"""What a robot chooses only where there is nothing else."""

_log = logging.getLogger("feltworks.robots")


class Robots:
    """The robots of the house, and a task for each table where some sit."""

    def __init__(
        self, house: House, clerk: Clerk, lines: Lines, seen: Callable[[str, str], view_messages.Seen]
    ) -> None:
        """`seen` is what somebody sees of a table."""
        self.house, self.clerk, self.lines, self.seen = house, clerk, lines, seen
        self._known: dict[tuple[str, int], str] = {}
        """Who is which robot of a table: it comes again when it is asked again."""
        self._moved: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    # Asked to come and to go.

    def ask(self, table: str, player: str, seat: int) -> int | None:
        """A robot sits down beside somebody: the number of its commit."""
        at = self._asked_by(table, player)
        if not 1 <= seat <= at.settings.seats or seat in at.seats:
            raise Refused(
                f"Seat {seat} is not free; choose a free one." if 0 < seat < 100 else "There is no such seat."
            )
        if self.lines.of(table):
            raise Refused("People wait for a seat here.")
        seated = set(seats_of(at).values())
        if len(seated) >= MOST_ROBOTS:
            raise Refused(f"{MOST_ROBOTS} robots are enough for a table.")
        number = next(n for n in range(1, MOST_ROBOTS + 1) if self._known.get((table, n)) not in seated)
        robot = self._known.get((table, number))
        if robot is None or self.house.people.person(robot) is None or self.house.balance_now(robot) < at.least_to_play:
            robot = self._known[table, number] = self.house.people.robot(f"Robot {number}")
        return self.house.give(table, robot, cmd.Sit(seat))

    def send_away(self, table: str, player: str, seat: int) -> int | None:
        robot = seats_of(self._asked_by(table, player)).get(seat)
        if robot is None:
            raise Refused("No robot sits there.")
        return self.house.give(table, robot, cmd.Leave())

    def _asked_by(self, table: str, player: str) -> Table:
        at = self.house.table(table)
        if at.settings.venue != "training":
            raise Refused("Robots sit at training tables only.")
        if at.seat_of(player) is None:
            raise Refused("Take a seat first; robots sit down beside you.")
        return at

    # Playing.

    def look(self, table: str) -> None:
        """Something has changed at a table."""
        if table in self._moved:
            self._moved[table].set()
        elif (live := self.house.tables.get(table)) is not None and seats_of(live.table):
            self._moved[table] = asyncio.Event()
            self._tasks[table] = asyncio.create_task(self._play(table))

    async def stop(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        for task in self._tasks.values():
            with suppress(asyncio.CancelledError):
                await task

    async def _play(self, table: str) -> None:
        """Each does one thing, until nobody has anything to do; then they wait until something changes."""
        moved, refused, version = self._moved[table], set[tuple[str, cmd.PlayerCommand]](), 0
        while (live := self.house.tables.get(table)) is not None and (robots := seats_of(live.table)):
            moved.clear()
            if version != live.table.version:
                version, refused = live.table.version, set()
            for robot in robots.values():
                wished = ((robot, command) for command in self.wishes(table, robot))
                try:
                    wish = next((wish for wish in wished if wish not in refused), None)
                except FaultyRules:  # whoever watches sees the table stop
                    continue
                if wish is None:
                    continue
                try:
                    await self.clerk.carried_out(partial(self.house.give, table, *wish))
                except Refused:
                    refused.add(wish)  # unless the table changes, it is not tried again
                    moved.set()
                except Exception as fault:
                    _log.error("A robot at table %s cannot go on: %s.", table, type(fault).__name__)
                    await asyncio.sleep(1)
                    moved.set()
            await moved.wait()
        del self._moved[table], self._tasks[table]

    def wishes(self, table: str, robot: str) -> Iterator[cmd.PlayerCommand]:
        """What a robot would do now, the first of it that it may; by what it sees."""
        at, seen = self.house.live(table).table, self.seen(table, robot)
        own = next((seat for seat in seen.seats if seat.you), None)
        if own is None or own.leaving or seen.you is None:
            return
        people = [seat for seat in seen.seats if seat.name and not seat.robot and not seat.leaving]
        makes_room = self.lines.of(table) and all(seat.name for seat in seen.seats)
        if not people or makes_room or (seen.you.grant is not None and not own.wagers):
            yield cmd.Leave()
        if seen.you.options:
            yield cmd.Choose(choice(seen.you, at.game.definition.layout.get("primary")))
        playing = [seat for seat in people if seat.wagers]
        if seen.phase != "betting" or not playing:
            return
        yield from (cmd.Collect(spot) for spot in own.winnings)
        yield from (cmd.Place(spot.spot, spot.least) for spot in wagers(at, seen.you, own, seen.round or 0))
        if seen.you.can_ready and all(seat.ready for seat in playing):
            yield cmd.Ready()


def seats_of(table: Table) -> dict[int, str]:
    """The robots that have a seat and are not leaving it."""
    return {seat: who.player for seat, who in table.seats.items() if is_robot(who.player) and not who.leaving}


def choice(you: view_messages.You, primary: str | None) -> str:
    """What the page offers first, or what the clock would choose, unless that gives up or costs too much."""
    can = [option.name for option in you.options if option.least <= you.balance and option.name not in GIVES_UP]
    if primary in can:
        return primary
    return can[0] if can else you.options[0].name


def wagers(
    at: Table, you: view_messages.You, own: view_messages.SeatSeen, round: int
) -> Iterator[view_messages.OpenSpot]:
    """Where a robot puts the least: what is required, or one of the wagers with which one comes in, and now and then a
    bonus wager."""
    wager_of = at.game.wager_of
    free = [spot for spot in you.spots if not spot.down and spot.least <= you.balance]
    needed = [spot for spot in free if wager_of(spot.spot).required]
    ways = [spot for spot in free if wager_of(spot.spot).one_of]
    if ways and not any(wager_of(spot).one_of for spot in own.wagers):
        needed = [ways[(round + own.seat) % len(ways)]]
    if not needed and not own.wagers:
        needed = [spot for spot in free if wager_of(spot.spot).instead][:1]
    yield from needed
    bonus = [spot for spot in free if not wager_of(spot.spot).comes_in and not wager_of(spot.spot).instead]
    if own.wagers and (round + own.seat) % A_BONUS == 0 and all(wager_of(spot).comes_in for spot in own.wagers):
        yield from bonus[:1]
