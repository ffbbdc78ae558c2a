"""Who watches which table, and the automatic dealers: one task a table, one mailbox a client, the latest view wins."""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec

from feltworks.floor.house import Change, House
from feltworks.floor.journal.records import Record
from feltworks.kit.errors import FeltworksError
from feltworks.web import messages, views
from feltworks.web.wire import numbered_event

KEPT = 300
"""How many of a table's last events are kept for clients that fall behind."""
UNREAD = 64
"""How many answers wait for a client that does not read; until it does, nothing more is read from it."""

_encode = msgspec.json.Encoder().encode
_log = logging.getLogger("feltworks.hub")


@dataclass(eq=False)
class Client:
    """One connection: what it has been sent, and what waits to be sent."""

    table: str
    player: str | None
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    taken: asyncio.Event = field(default_factory=asyncio.Event)
    said: deque[messages.Reply] = field(default_factory=deque)
    sent: int | None = None
    heard: int | None = None
    """The last event it was told; while seats decide together, those since they began are kept back."""

    def say(self, message: messages.Reply) -> None:
        self.said.append(message)
        self.changed.set()

    def next_said(self) -> messages.Reply:
        self.taken.set()
        return self.said.popleft()

    async def has_room(self) -> None:
        """Wait until an answer can be put down for it without one being lost."""
        while len(self.said) >= UNREAD:
            self.taken.clear()
            await self.taken.wait()


class Hub:
    """Tells every client of a table what changed, and lets the dealers deal."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.clients: set[Client] = set()
        self._recent: dict[str, deque[Record]] = {}
        self._moved: dict[str, asyncio.Event] = {}
        self._about: dict[str, msgspec.Raw] = {}
        self._dealers: list[asyncio.Task[None]] = []
        self._unwritten: dict[tuple[str, str], bool] = {}
        """Who came or went when that could not be written."""
        house.listeners.append(self._on_change)

    def start(self) -> None:
        """Put a dealer at every table. Nobody is connected yet: who sat there when the last server ended is away."""
        for name, live in self.house.tables.items():
            for who in list(live.table.seats.values()):
                self._connection(name, who.player, present=False)
        self._dealers = [asyncio.create_task(self._deal(table)) for table in self.house.tables]

    async def stop(self) -> None:
        for dealer in self._dealers:
            dealer.cancel()
        for dealer in self._dealers:
            with suppress(asyncio.CancelledError):
                await dealer

    # Clients.

    def join(self, client: Client) -> None:
        self.clients.add(client)
        if client.player and self._count(client) == 1:
            self._connection(client.table, client.player, present=True)
        client.changed.set()

    def leave(self, client: Client) -> None:
        """A client is gone; its player is away when no other tab of theirs is here."""
        self.clients.discard(client)
        if client.player and not self._count(client):
            self._connection(client.table, client.player, present=False)

    def _connection(self, table: str, player: str, present: bool) -> None:
        """Write down who comes and goes; where that fails, later: nobody's connection ends for it."""
        self._unwritten.pop((table, player), None)
        try:
            self.house.connection(table, player, present)
        except FeltworksError as fault:
            self._unwritten[table, player] = present
            _log.error("Who is at table %s cannot be written: %s", table, fault)

    def _count(self, client: Client) -> int:
        return sum(c.player == client.player and c.table == client.table for c in self.clients)

    def message_for(self, client: Client) -> bytes | None:
        """The next message for a client: an answer that waits, or the view if it has changed."""
        if client.said:
            return _encode(client.next_said())
        table = self.house.live(client.table).table
        if client.sent == table.version:
            return None
        until = views.told_until(table)
        events = self._since(client.table, client.heard, until)
        client.sent, client.heard = table.version, until
        return _encode(messages.ViewMessage(self.view(client), events))

    def view(self, client: Client) -> messages.View:
        table = self.house.live(client.table).table
        player = client.player
        known = self.house.person(player) if player else None
        seen = views.view(
            table,
            player if known else None,
            self.house.name,
            self.house.balance(player) if player and known else 0,
            self.house.private_cards(client.table, table.seat_of(player) if player else None),
            self.house.clock(),
        )
        return msgspec.structs.replace(seen, table=self.about(client.table))

    def about(self, table: str) -> msgspec.Raw:
        """What is posted at a table, encoded once."""
        if table not in self._about:
            state = self.house.live(table).table
            self._about[table] = msgspec.Raw(_encode(views.about(state.settings, state.game)))
        return self._about[table]

    def _since(self, table: str, heard: int | None, until: int) -> list[messages.NumberedEvent]:
        """The events after the last one that a client heard, unless it fell too far behind."""
        recent = self._recent.get(table, deque())
        if heard is None or not recent or recent[0].sequence > heard + 1:
            return []
        return [numbered_event(r, self.house.name) for r in recent if heard < r.sequence <= until]

    def _on_change(self, table: str, change: Change) -> None:
        self._remember(table, change.records)
        self._event(table).set()
        for client in self.clients:
            if client.table == table:
                client.changed.set()

    def _remember(self, table: str, records: Sequence[Record]) -> None:
        self._recent.setdefault(table, deque(maxlen=KEPT)).extend(records)

    # Dealers.

    def _event(self, table: str) -> asyncio.Event:
        return self._moved.setdefault(table, asyncio.Event())

    async def _deal(self, table: str) -> None:
        """The automatic dealer of one table: waits until something is due or something has changed."""
        moved = self._event(table)
        while True:
            moved.clear()
            for (at, player), present in list(self._unwritten.items()):
                if at == table:
                    self._connection(table, player, present)
            due = self.house.due(table)
            wait = None if due is None else max(0, due.at - self.house.clock()) / 1000
            try:
                await asyncio.wait_for(moved.wait(), wait)
            except TimeoutError:
                assert due is not None
                try:
                    self.house.deal_on(table, due.doing)
                except Exception as fault:
                    # By its kind alone: what it says could name a sealed card.
                    _log.error("The dealer of table %s cannot go on: %s.", table, type(fault).__name__)
                    await asyncio.sleep(1)
