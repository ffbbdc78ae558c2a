"""Who watches which table, and the automatic dealers: one task a table, one mailbox a client. The latest view wins, but
for the end of a round, which everybody is told."""

import asyncio
import logging
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile

import msgspec

from feltworks.floor.house import House
from feltworks.floor.live_tables import Change
from feltworks.floor.person import Person, is_robot
from feltworks.floor.refusal import Refused
from feltworks.floor.rights import is_player
from feltworks.floor.table.commands import Leave, Sit
from feltworks.floor.table.dealer import Wish
from feltworks.floor.table.running_rules import faults_of
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.table.state import Table
from feltworks.kit.errors import FaultyRules
from feltworks.web import socket_messages, view_messages, views
from feltworks.web.archive import Archive
from feltworks.web.clerk import Clerk, Order, Tell
from feltworks.web.jackpots import JackpotScreens
from feltworks.web.last_rounds import LastRounds
from feltworks.web.lost_seats import PAGE_CLOSED, LostSeats
from feltworks.web.robots import Robots
from feltworks.web.statistics import Statistics
from feltworks.web.waiting import Lines, middle_first
from feltworks.web.wire import numbered_event

KEPT = 300
"""How many of a table's last events are kept for clients that fall behind."""
UNREAD = 64
"""How many answers wait for a client that does not read; until it does, nothing more is read from it."""
DEALERS_TURN: tuple[view_messages.Phase, ...] = ("dealing", "over", "waiting")
"""When the dealer goes on by itself."""
KEEPS_PLACE = 15.0
"""Seconds for which somebody without a page at the table keeps a place in its line, and a seat that was taken from the
lobby, before they are away."""
KEEPS_SEAT = 60.0
"""Seconds for which somebody who closed the page keeps a seat where nothing of theirs lies: enough to open it again.
Whose connection was lost keeps it for the table's own clock (F-30)."""
MOST_REFUSED = 1_000
"""Refusals of a seat are kept for no more people, until their page is there."""
LOOK_AT_CLOCK = 1.0
"""Seconds from one look at the wall clock to the next."""
LOOK_AT_CODE = 60.0
"""Seconds after which it is asked whether it is time to look at the code."""

_encode = msgspec.json.Encoder().encode
_log = logging.getLogger("feltworks.hub")


@dataclass(eq=False, slots=True)
class Client:
    """One connection: what it has been sent, and what waits to be sent. There are thousands, so each is kept small."""

    table: str
    player: str | None
    session: str = ""
    """The digest of its token."""
    address: str = ""
    ended: bool = False
    """Whether that session was ended: it is told so, and closed."""
    closed: bool = False
    """Whether whoever had it closed it, so that it is not merely lost."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    taken: asyncio.Event | None = None
    """Only while it has no room for more."""
    said: list[socket_messages.Reply] = field(default_factory=list)
    asked: int = 0
    """How many of its commands are on their way."""
    calm: bool = False
    """Whether it shows no motion, and said so."""
    stale: bool = False
    """Whether what it sees has changed though the table has not: a name, a place in the line, the balance."""
    posted: TableSettings | None = None
    """The settings of which it was told what is posted at the table."""
    may_not: str = ""
    """Why its player may not play there, as it was last told."""
    meter: bytes | None = None
    """What it was last told of the jackpot for which the table plays."""
    sent: int | None = None
    heard: int | None = None
    """The last event it was told; while seats decide together, those since they began are kept back."""

    def say(self, message: socket_messages.Reply) -> None:
        self.said.append(message)
        self.changed.set()

    def besides(self, table: Table) -> bytes:
        """What a view tells this client besides what everybody sees: more fields of its JSON, each with a comma."""
        return b""

    def next_said(self) -> socket_messages.Reply:
        if self.taken is not None:
            self.taken.set()
        return self.said.pop(0)

    async def has_room(self) -> None:
        """Wait until an answer can be put down for it without one being lost."""
        while len(self.said) + self.asked >= UNREAD:
            self.taken = asyncio.Event()
            await self.taken.wait()


@dataclass(frozen=True)
class _Ended:
    """A table when its round is over, with all that was turned and settled, and the cards that each seat alone saw."""

    table: Table
    private: Mapping[int | None, views.Private] = field(repr=False)


@dataclass
class _Room:
    """What is kept of a table for those who watch it."""

    moved: asyncio.Event = field(default_factory=asyncio.Event)
    clients: set[Client] = field(default_factory=set)
    recent: deque[tuple[int, bytes]] = field(default_factory=lambda: deque(maxlen=KEPT))
    """The last events, each encoded once."""
    about: tuple[TableSettings, bytes] | None = None
    """What is posted, with the settings that it is of."""
    public: tuple[int, bytes] = (-1, b"")
    """What everybody without a session sees, with the version of the table that it is of."""
    ended: _Ended | None = None
    """How the last round ended."""
    asked: set[str] = field(default_factory=set)
    """The players who asked the dealer to go on, until somebody is asked or the round is settled."""
    dealer: asyncio.Task[None] | None = None
    seating: asyncio.Task[None] | None = None
    """Those who wait are being seated."""


class Hub:
    """Tells every client of a table what changed, and lets the dealers deal."""

    def __init__(self, house: House) -> None:
        self.house, self.clerk = house, Clerk(house)
        self.sessions, self.rounds = Archive(house.store.path, "sessions"), Archive(house.store.path, "rounds")
        self._rooms: defaultdict[str, _Room] = defaultdict(_Room)
        self._unwritten: dict[tuple[str, str], bool] = {}
        """Who came or went when that could not be written."""
        self._closed: dict[tuple[str, str], asyncio.TimerHandle] = {}
        """Who closed their page, and when their seat is looked at."""
        self._refused_seats: dict[tuple[str, str], str] = {}
        """Why somebody got no seat who asked for one in the lobby, by table and player."""
        self.lines = Lines()
        self.answered: Counter[str] = Counter()
        """How many commands were acknowledged and refused since the start."""
        self._is_open = False
        self.robots = Robots(house, self.clerk, self.lines, self.seen)
        self.statistics = Statistics()
        self.last_rounds = LastRounds()
        self.session_listeners: list[Callable[[str], None]] = []
        """Who else is told that a session was ended, by the digest of its token."""
        self.lost_seats = LostSeats()
        self.jackpots = JackpotScreens(house)
        self.jackpots.listeners.append(self._on_jackpot)
        house.listeners.append(self._on_change)

    def start(self) -> None:
        """Put a dealer at every table. Nobody is connected yet: who sat there when the last server ended is away."""
        self.last_rounds.begin(self.house)
        self.clerk.take(Order(self.house.check_clock, lambda *_: None))
        for name, live in self.house.tables.items():
            self.statistics.begin(live.table, self.house.clock())
            self.lost_seats.follow(live.table)
            for who in list(live.table.seats.values()):
                self.house.people.name(who.player)
                if who.is_patron:
                    continue
                if is_robot(who.player):
                    self.clerk.take(Order(partial(self.house.give, name, who.player, Leave()), lambda *_: None))
                else:
                    self._connection(name, who.player, present=False)
        self.clerk.finish()
        self.clerk.start()
        self.jackpots.start()
        self._is_open = True
        self._watching = [asyncio.create_task(watch()) for watch in (self._watch_clock, self._watch_code)]
        for name in self.house.tables:
            self._seat_dealer(name)

    async def stop(self) -> None:
        self._is_open = False
        for closed in self._closed.values():
            closed.cancel()
        rooms = self._rooms.values()
        tasks = [*self._watching, *(task for room in rooms for task in (room.dealer, room.seating) if task is not None)]
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task
        self.jackpots.stop()
        await self.robots.stop()
        await self.clerk.stop()
        self.sessions.close()
        self.rounds.close()

    # Clients.

    @property
    def clients(self) -> set[Client]:
        return {client for room in self._rooms.values() for client in room.clients}

    async def player_of(self, token: str) -> str | None:
        """Whose session a token opens."""
        if not token:
            return None
        return self.house.people.player_by(await self.sessions.ask(partial(self.house.people.find_session, token)))

    def join(self, client: Client) -> None:
        """A client is here. It sees the table when it is written that its player is back."""
        self._room(client.table).clients.add(client)
        if client.player:
            self._keep_seat(client.table, client.player)
            if why := self._refused_seats.pop((client.table, client.player), ""):
                client.say(socket_messages.Refused(None, why))
        if client.player and sum(c.player == client.player for c in self._room(client.table).clients) == 1:
            self._connection(client.table, client.player, present=True, client=client)
        else:
            client.changed.set()

    def refuse_seat(self, table: str, player: str, why: str) -> None:
        """Whoever asked for a seat and got none is told why: at once, or when their page is at the table."""
        here = [client for client in self._room(table).clients if client.player == player]
        for client in here:
            client.say(socket_messages.Refused(None, why))
        if here:
            return
        if len(self._refused_seats) >= MOST_REFUSED:
            del self._refused_seats[next(iter(self._refused_seats))]
        self._refused_seats[table, player] = why

    def leave(self, client: Client) -> None:
        """A client is gone; its player is away when no other tab of theirs is here."""
        self._room(client.table).clients.discard(client)
        if client.player and not self._is_here(client.table, client.player):
            self._connection(client.table, client.player, present=False)
            if client.closed:
                self._free_later(client.table, client.player)
            if self.lines.place(client.table, client.player):
                self._look_again(client.table, client.player)

    def end(self, session: str, said: str = "You have logged out; go to the lobby to play.") -> None:
        """Whoever is here by this session can do nothing any more, and comes back as a spectator."""
        for client in self.clients:
            if client.session == session:
                client.ended = True
                client.say(socket_messages.Refused(None, said))
        for listener in self.session_listeners:
            listener(session)

    def _connection(self, table: str, player: str, present: bool, client: Client | None = None) -> None:
        """Write down who comes and goes; where that fails, later: nobody's connection ends for it."""

        def tell(_: None, problem: Exception | None) -> None:
            self._unwritten.pop((table, player), None)
            if problem is not None:
                self._unwritten[table, player] = present
                _log.error("Who is at table %s cannot be written: %s", table, problem, extra={"table": table})
            if client is not None:
                client.changed.set()

        self.clerk.take(Order(partial(self.house.connection, table, player, present), tell))

    def _is_here(self, table: str, player: str) -> bool:
        return any(client.player == player for client in self._room(table).clients)

    def renamed(self, player: str) -> None:
        """Everybody who sees somebody sees them by their new name."""
        for table, live in self.house.tables.items():
            room = self._room(table)
            if live.table.seat_of(player) is not None:
                room.public = (-1, b"")
                self._refresh(room.clients)
            else:
                self._refresh(client for client in room.clients if client.player == player)

    def _refresh(self, clients: Iterable[Client]) -> None:
        for client in clients:
            client.stale = True
            client.changed.set()

    # Seats.

    def wait(self, table: str, player: str, address: str) -> asyncio.Task[None] | None:
        """Somebody wants a seat: the free one closest to the middle, or a place in the line for the next. Who has
        either keeps it. The answer is what seats them, if a seat is free."""
        if self.house.fault:
            raise Refused(self.house.fault)
        now = self.house.live(table).table
        if now.service not in ("open", "paused"):
            raise Refused(f"The table is closed: {now.service_reason}")
        if now.seat_of(player) is not None:
            return None
        self.lines.join(table, player, address)
        self._tell_line(table)
        seating = self._seat_those_waiting(table)
        self._look_again(table, player)
        return seating

    def stop_waiting(self, table: str, player: str) -> None:
        if self.lines.leave(table, player):
            self._tell_line(table)
            self._refresh(client for client in self._room(table).clients if client.player == player)

    def _tell_line(self, table: str) -> None:
        line = set(self.lines.of(table))
        self.robots.look(table)
        self._refresh(client for client in self._room(table).clients if client.player in line)

    def _look_again(self, table: str, player: str) -> None:
        """Who waits and has no page at the table some time later waits no longer; who got a seat is away from it."""

        def look() -> None:
            if self._is_open and not self._is_here(table, player):
                self.stop_waiting(table, player)
                self._connection(table, player, present=False)

        if not self._is_here(table, player):
            asyncio.get_running_loop().call_later(KEEPS_PLACE, look)

    def _seat_those_waiting(self, table: str) -> asyncio.Task[None] | None:
        room = self._room(table)
        if self._is_open and (room.seating is None or room.seating.done()) and self._has_seat_for_line(table):
            room.seating = asyncio.create_task(self._seat_all(table))
        return room.seating

    def _has_seat_for_line(self, table: str) -> bool:
        live = self.house.tables.get(table)
        if live is None or live.table.service not in ("open", "paused") or not self.lines.of(table):
            return False
        return len(live.table.seats) < live.table.settings.seats

    async def _seat_all(self, table: str) -> None:
        while self._has_seat_for_line(table):
            player = self.lines.of(table)[0]
            try:
                await self.clerk.carried_out(partial(self._sit, table, player))
            except Refused as refusal:  # whatever keeps them from it, the next one may sit down
                self.refuse_seat(table, player, str(refusal))
            except Exception as fault:
                _log.error("Nobody can be seated at table %s: %s.", table, type(fault).__name__, extra={"table": table})
                return
            self.stop_waiting(table, player)
            self._look_again(table, player)

    def _free_later(self, table: str, player: str) -> None:
        """Who closed the page and does not open it again leaves the seat, as soon as nothing of theirs lies there."""

        def leave() -> int | None:
            seat = self.house.table(table).seat_of(player) if table in self.house.tables else None
            if seat is None or not self._is_open or self._is_here(table, player):
                return None
            if not self.house.table(table).has_chips(seat):
                return self.house.give(table, player, Leave())
            self._free_later(table, player)
            return None

        def left(commit: int | None, problem: Exception | None) -> None:
            if commit is not None and problem is None:
                self.lost_seats.note(table, player, PAGE_CLOSED)

        def look() -> None:
            self._closed.pop((table, player), None)
            self.clerk.take(Order(leave, left))

        self._keep_seat(table, player)
        if self._is_open:
            self._closed[table, player] = asyncio.get_running_loop().call_later(KEEPS_SEAT, look)

    def _keep_seat(self, table: str, player: str) -> None:
        if closed := self._closed.pop((table, player), None):
            closed.cancel()

    def _sit(self, table: str, player: str) -> None:
        """Somebody takes the free seat closest to the middle, as they would by themselves."""
        now = self.house.table(table)
        if free := middle_first(now.settings.seats, now.seats):
            self.house.give(table, player, Sit(free[0]))

    # What is asked of the house.

    def ask(self, table: str, player: str, request: socket_messages.Request, tell: Tell) -> None:
        """Take down what somebody asks of the house; the balance is told at every table where they are."""

        def told(commit: int | None, problem: Exception | None) -> None:
            tell(commit, problem)
            self._refresh(client for client in self.clients if client.player == player)

        match request:
            case socket_messages.MoreMoney():
                self.clerk.take(Order(partial(self.house.people.grant_again, table, player), told))
            case socket_messages.AskRobot(seat):
                self.clerk.take(Order(partial(self.robots.ask, table, player, seat), told))
            case socket_messages.SendRobotAway(seat):
                self.clerk.take(Order(partial(self.robots.send_away, table, player, seat), told))

    def message_for(self, client: Client) -> bytes | None:
        """The next message for a client: an answer that waits, or what has changed of the view, or of the jackpot."""
        if client.said:
            return _encode(client.next_said())
        live, ended = self.house.tables.get(client.table), self._room(client.table).ended
        if live is None:
            return None  # there is no table where the house has become read-only
        if client.sent == live.table.version and not client.stale:
            return self._jackpot_for(client)
        try:
            with faults_of(live.table.game):
                return self._changes_for(client, live.table, ended)
        except FaultyRules as fault:  # as soon as the table stops, there is something to tell
            client.posted = None
            self.clerk.take(Order(partial(self._stop, client.table, live.table.version, fault), lambda *_: None))
            return None

    def _stop(self, name: str, version: int, fault: FaultyRules) -> None:
        """Rules that cannot be shown stop their table once, however many look at it."""
        if name in self.house.tables and self.house.table(name).version == version:
            self.house.stop_for(name, fault)

    def _changes_for(self, client: Client, table: Table, ended: _Ended | None) -> bytes:
        client.stale = False
        if ended is not None and client.sent is not None and client.sent < ended.table.version:
            table = ended.table  # to one that fell behind, first this: after it there is no card on the table any more
        until = views.told_until(table)
        events = self._since(client.table, client.heard, until)
        view = self._view(client, table)
        client.sent, client.heard = table.version, until
        return b'{"view":' + view + b',"events":[' + b",".join(events) + b"]}"

    def _jackpot_for(self, client: Client) -> bytes | None:
        """After the view: whoever sees a spot light up has seen the chips on it first."""
        said = self.jackpots.at_table(client.table)
        if said is client.meter:
            return None
        client.meter = said
        return said

    def _view(self, client: Client, table: Table) -> bytes:
        """A view: its version, the time, what is posted and how the last round went if that was not told yet, and all
        the rest."""
        room, now = self._room(client.table), self.house.clock()
        posted = b""
        if client.posted is not table.settings:
            if room.about is None or room.about[0] is not table.settings:
                room.about = table.settings, _encode(views.about(table.settings, table.game, now))
            is_first, client.posted = client.posted is None, table.settings
            posted = b',"table":' + room.about[1]
            if is_first and client.player and (last := self.last_rounds.ended(client.table, client.player)):
                posted += b',"last":' + _encode(last)
        if client.player is None:
            if room.public[0] != table.version:
                room.public = table.version, self._seen(client, table)
            rest = room.public[1]
        else:
            rest = self._seen(client, table)
        return b'{"version":%d,"now":%d' % (table.version, now) + posted + client.besides(table) + b"," + rest[1:]

    def _seen(self, client: Client, table: Table) -> bytes:
        client.may_not = self._may_not(client)
        return _encode(self.seen(client.table, client.player, table))

    def seen(self, name: str, player: str | None, table: Table | None = None) -> view_messages.Seen:
        """What somebody sees of a table, as it is now or as it was when its round was over."""
        table = table or self.house.live(name).table
        known = self.house.people.person(player) if player else None
        seat = table.seat_of(player) if player else None
        with faults_of(table.game):
            return views.view(
                table,
                player if known else None,
                self.house.people.known_name,
                self.house.balance(player) if player and known else 0,
                self._private(name, table, seat),
                self.lines.place(name, player) if player else None,
                last=self.last_rounds.wagers(name, player) if player else None,
                clock=self.statistics.clock(player) if player else None,
                allowed=self._allowed(name, known) if known else views.EVERYTHING,
            )

    def _may_not(self, client: Client) -> str:
        return self.house.protection.may_not_play(client.player, client.table) if client.player else ""

    def _allowed(self, table: str, who: Person) -> views.Allowed:
        return views.Allowed(
            may_not=self.house.protection.may_not_play(who.id, table),
            lost_seat=self.lost_seats.why(table, who.id),
            decides=is_player(who),
            refused=partial(self.house.protection.wager_refused, who.id, table),
        )

    def _private(self, name: str, table: Table, seat: int | None) -> views.Private:
        ended = self._room(name).ended
        if ended is not None and ended.table is table:
            return ended.private.get(seat, {})
        return self.house.private_cards(name, seat)

    def _since(self, table: str, heard: int | None, until: int) -> list[bytes]:
        """The events after the last one that a client heard, unless it fell too far behind."""
        recent = self._room(table).recent
        if heard is None or not recent or recent[0][0] > heard + 1:
            return []
        missed = takewhile(lambda one: one[0] > heard, reversed(recent))  # they are the last of many
        return [event for sequence, event in missed if sequence <= until][::-1]

    def _on_jackpot(self, id: str) -> None:
        for table, live in self.house.tables.items():
            if live.table.settings.jackpot == id:
                for client in self._room(table).clients:
                    client.changed.set()

    def _on_change(self, table: str, change: Change) -> None:
        room = self._room(table)
        for record in change.records:
            room.recent.append((record.sequence, _encode(numbered_event(record, self.house.people.known_name))))
        self.statistics.follow(table, change.records, change.table)
        self.last_rounds.follow(change.table)
        self.lost_seats.follow(change.table, change.records)
        now = self.house.live(table).table
        if views.phase(now) not in ("dealing", "waiting"):
            room.asked.clear()
        if views.phase(now) == "over":
            room.ended = _Ended(now, {seat: self.house.private_cards(table, seat) for seat in now.seats})
        room.moved.set()
        for client in room.clients:
            client.changed.set()
        self.jackpots.follow(change.table)
        if self._is_open:
            if room.dealer is None:
                self._seat_dealer(table)
            self.robots.look(table)
        self._seat_those_waiting(table)

    # Dealers.

    def _room(self, table: str) -> _Room:
        return self._rooms[table]

    def wake(self, table: str) -> None:
        """Let a table's dealer look again."""
        self._room(table).moved.set()

    def wish(self, client: Client, wish: Wish) -> None:
        """Somebody at the table says whether anything moves on the screen, or asks the dealer to go on, which is of use
        only while the dealer has something to do."""
        room, live = self._room(client.table), self.house.tables.get(client.table)
        if wish != "go on":
            client.calm = wish == "calm"
        elif live is not None and client.player and not client.ended and views.phase(live.table) in DEALERS_TURN:
            room.asked |= {client.player} & {who.player for who in live.table.seats.values()}
        room.moved.set()

    def wish_at(self, table: str) -> Wish:
        """What those who sit there and are present wish together: nobody is hurried by another."""
        room, live = self._room(table), self.house.tables.get(table)
        seats = live.table.seats.values() if live is not None else ()
        players = {who.player for who in seats if who.present and not who.leaving and who.is_person}
        if players and players <= room.asked:
            return "go on"
        screens = [client.calm for client in room.clients if client.player in players]
        return "calm" if screens and all(screens) else "motion"

    def _seat_dealer(self, table: str) -> None:
        self._room(table).dealer = asyncio.create_task(self._deal(table))

    async def _watch_clock(self) -> None:
        """What cannot be written is tried again a second later. Who may play, or may not any more, though nothing has
        changed at the table, reads so then."""
        while True:
            await asyncio.sleep(LOOK_AT_CLOCK)
            try:
                await self.clerk.carried_out(self.house.check_clock)
            except Exception as fault:
                _log.error("What the clock did cannot be written: %s.", type(fault).__name__)
            self._refresh(client for client in self.clients if client.may_not != self._may_not(client))

    async def _watch_code(self) -> None:
        while True:
            await asyncio.sleep(LOOK_AT_CODE)
            if self.house.fault or not self.house.code_check.is_due:
                continue
            try:
                await self.check_code()
            except Exception as fault:
                _log.error("The code cannot be looked at: %s.", type(fault).__name__)

    async def check_code(self) -> None:
        """F-39: the files are hashed in a thread; what follows from it is decided like everything else."""
        found = await asyncio.to_thread(self.house.code_check.look())
        await self.clerk.carried_out(partial(self.house.code_check.note, found))

    async def _deal(self, table: str) -> None:
        """The automatic dealer of one table: waits until something is due or something has changed."""
        moved = self._room(table).moved
        while True:
            moved.clear()
            for (at, player), present in list(self._unwritten.items()):
                if at == table:
                    self._connection(table, player, present)
            wish = self.wish_at(table)
            due = self.house.due(table, wish)
            wait = None if due is None else max(0, due.at - self.house.clock()) / 1000
            try:
                await asyncio.wait_for(moved.wait(), wait)
            except TimeoutError:
                try:
                    await self.clerk.carried_out(partial(self.house.deal_due, table, wish))
                except Exception as fault:
                    # By its kind alone: what it says could name a sealed card.
                    kind = type(fault).__name__
                    _log.error("The dealer of table %s cannot go on: %s.", table, kind, extra={"table": table})
                    await asyncio.sleep(1)
