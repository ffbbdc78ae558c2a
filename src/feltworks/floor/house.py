"""The house: everything that one process operates. A command is decided, committed, and only then told to anybody (G2).

A fault has a size: a table that cannot be read or played on is closed, and the others go on; where the journal itself
is not what the house has signed, the house can be looked at and nothing is written.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path

import msgspec
from msgspec import UNSET

from feltworks.floor import administration, deadlines, person
from feltworks.floor.accounts import Cents, Entry, account_of
from feltworks.floor.actors import DEALER, PROGRAM, Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.aggregates import decide, tried
from feltworks.floor.chance.sealed import SealedShoes
from feltworks.floor.code_check import CodeCheck
from feltworks.floor.exclusion.desk import ExclusionDesk
from feltworks.floor.following import follow
from feltworks.floor.jackpot.desk import JackpotDesk
from feltworks.floor.jackpot.events import InPlay
from feltworks.floor.jackpot.meter import JACKPOT, Meter, is_jackpot
from feltworks.floor.jackpot_aggregate import in_play
from feltworks.floor.journal.journal import BrokenRecords, Draft, Journal, Overdrawn
from feltworks.floor.journal.records import Receipt, Record
from feltworks.floor.journal.upcasting import encode
from feltworks.floor.keys import Keys
from feltworks.floor.live_tables import Change, ClosedTable, Listener, Live
from feltworks.floor.pending_desk import PendingDesk
from feltworks.floor.people import People
from feltworks.floor.person import Person
from feltworks.floor.pit import Pit
from feltworks.floor.protection import Protection
from feltworks.floor.recovery import PLAY, Recovery
from feltworks.floor.refusal import Refused
from feltworks.floor.signers import ONE_HAND
from feltworks.floor.staff import Staff
from feltworks.floor.statutory_limits import day_of, held_win_limit
from feltworks.floor.steady_clock import JUMP, Jump, SteadyClock
from feltworks.floor.store.inspect import wrong_tables
from feltworks.floor.store.interface import DoneRow, KeptRow, PersonRow
from feltworks.floor.store.migration import migrate
from feltworks.floor.store.reader import Reader
from feltworks.floor.store.sqlite import Store, StoreError
from feltworks.floor.streams import HOUSE_STREAM, PERSON, Command, Decision, State, States, is_table, person_stream
from feltworks.floor.table import answers
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.abandoned import AbandonedTable
from feltworks.floor.table.dealer import Doing, Next, Wish, next_for
from feltworks.floor.table.incidents import check_reported, check_words, voids
from feltworks.floor.table.meter_prize import confirms_award, entered_by
from feltworks.floor.table.running_rules import faults_of, told_at_table
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.table.snapshot import can_be_taken, snapshot
from feltworks.floor.table.state import NotInstalled, Table
from feltworks.floor.together import Decided, Together
from feltworks.kit.cards import Card, Token
from feltworks.kit.errors import BadValue, FaultyRules, FeltworksError, NotPossible, UnknownName

OVER = (ev.RoundEnded, ev.Voided)
Given = cmd.PlayerCommand | cmd.StaffCommand
"""What a person says at a table, through a socket: with an id, so that it is done once."""

_start_round = msgspec.json.Decoder(cmd.StartRound).decode
_log = logging.getLogger("feltworks.house")


class House:
    """Everything that one process operates."""

    def __init__(self, store: Store, keys: Keys, clock: Callable[[], ev.Time]) -> None:
        self.store, self.keys, self.clock = store, keys, clock
        self.people = People(self)
        self.protection = Protection(self, self.people)
        self.staff = Staff(self, self.people, self.protection)
        self.exclusions = ExclusionDesk(self, self.protection)
        self.pit = Pit(self, self.staff)
        self.pending = PendingDesk(self)
        self.jackpots = JackpotDesk(self, self.staff)
        self.code_check = CodeCheck(self)
        self.tables: dict[str, Live] = {}
        self.closed: dict[str, ClosedTable] = {}
        self.listeners: list[Listener] = []
        self.house_listeners: list[Callable[[], None]] = []
        """Who is told that something has changed that is of no table that is played on: people, signatures, what is
        due, and what a table that is closed for good has left open."""
        self.jackpot_listeners: list[Callable[[Meter], None]] = []
        """Who is told of every change of a meter, when it is durable."""
        self.refused = 0
        """How many commands were refused since the start: they are counted, not recorded."""
        self.on_commit: Callable[[], None] = lambda: None
        """Called after every commit."""
        self.fault = ""
        """Why nothing is written, if that is so."""
        self._together: Together | None = None
        self._is_closed = False
        self._is_known = False
        """Whether the journal was read to its end: otherwise there is nothing but the file to go by."""
        self.unplayed: dict[str, AbandonedTable] = {}
        self.newest: ev.Time | None = None
        """The time of the newest record that was found at the start, as the house has signed it."""
        self._jumps: list[Jump] = []
        """What the wall clock did and is not written down yet."""
        self._stopped: set[str] = set()
        """The tables whose clocks have not gone on since the start."""
        self.older_copy: Path | None = None
        """Where the file of an older version lies that was brought up to date."""
        if not store.is_current:
            with suppress(StoreError):
                self.newest = store.newest_of_older()
            self.older_copy = migrate(store, keys, clock())
        try:
            for problem in wrong_tables(store):
                raise BrokenRecords(problem)
            self.journal = Journal(store, keys)
        except (BrokenRecords, StoreError) as problem:
            self._open_read_only(problem)
            return
        self._is_known = True
        self.newest = self.newest or self.journal.position.time or None
        if isinstance(clock, SteadyClock) and self.newest is not None and (by := clock() - self.newest) < -JUMP:
            self._jumps.append(Jump(by, clock()))
        self._recovery = Recovery(store, self.journal, keys)
        for stream in self.journal.tables():
            if not self.fault:
                self._open_stream(stream)
        self._stopped = set(self.tables)

    def close(self) -> None:
        """Write down where the records stand, so that the next start is quick. Closing it again does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        if not self.fault:
            try:
                self.journal.save()
            except FeltworksError as problem:
                _log.warning("No checkpoint was written: %s", problem)
        self.store.close()

    # Starting.

    def _open_read_only(self, problem: FeltworksError) -> None:
        """Nothing is written, and every table says why."""
        self.tables.clear()
        self.fault = f"The house is read-only. {problem} Run `felt verify`."
        _log.error("%s", self.fault)
        with suppress(StoreError):
            for stream in filter(is_table, self.store.streams()):
                self.closed[stream] = ClosedTable(stream, self.fault)

    def _open_stream(self, stream: str) -> None:
        try:
            try:
                self.tables[stream] = Live(*self._recovery.table(stream))
            except NotInstalled as problem:
                self._abandon(stream, str(problem))
            else:
                live = self.tables[stream]
                live.shoes.load(live.table.roots, self.store.secret)
        except Exception as problem:  # whatever is wrong with one table, the others open
            said = str(problem) if isinstance(problem, FeltworksError) else f"{type(problem).__name__}."
            self.unplayed.pop(stream, None)
            self._close(ClosedTable(stream, f"Its records cannot be read: {said}"))

    def _close(self, table: ClosedTable) -> None:
        self.tables.pop(table.id, None)
        self.closed[table.id] = table
        _log.warning("The table %s is closed. %s", table.id, table.why, extra={"table": table.id})

    # Time.

    def check_clock(self) -> None:
        """F-30: whoever serves the tables calls this before the dealers begin, and every second from then on. It
        writes down that the wall clock has jumped. After a start the clocks of the tables begin anew, because nobody
        knows how long the house was away: the wall clock may have been set meanwhile."""
        if self.fault:
            return
        if isinstance(self.clock, SteadyClock) and (jump := self.clock.jumped()) is not None:
            _log.warning("The wall clock jumped by %s ms; the house goes on with its own time.", jump.by)
            self._jumps.append(jump)
        for jump in list(self._jumps):
            self.carry_out(HOUSE_STREAM, administration.NoteJump(*jump), PROGRAM)
        for waiting in list(self.administration.waiting.values()):
            if waiting.expires <= self.clock():
                self.carry_out(HOUSE_STREAM, administration.Lapse(waiting.action), PROGRAM)
        self.protection.unseat_who_may_not_play()
        for table in sorted(self._stopped):
            live = self.tables.get(table)
            if live is None or live.table.service == "closed":
                self._stopped.remove(table)  # a closed one goes by the clock of when it is opened again
            elif live.table.has_clocks or live.since > self.clock():
                self.carry_out(table, cmd.RestartClocks(), DEALER)
            else:
                self._stopped.remove(table)

    # What decides outcomes, and what is due.

    def note_due(self, item: administration.NoteDue, now: ev.Time) -> None:
        """Nothing that has happened is undone because the list of what is due has no room for it."""
        try:
            self.carry_out(HOUSE_STREAM, item, PROGRAM, at=now)
        except Refused as problem:
            _log.error("%s is due and not on the list: %s", item.what, problem)

    def due_items(self) -> list[deadlines.DueItem]:
        """What is due and not done, the most urgent first (F-38). `deadlines.done_items` tells what was done."""
        return deadlines.items(self.journal.position.house, self.clock()) if self._is_known else []

    def mark_done(self, id: str, note: str, actor: Actor) -> None:
        """Somebody has done what was due."""
        self.carry_out(HOUSE_STREAM, administration.MarkDone(id, note), actor)

    @property
    def head(self) -> Receipt | None:
        """The newest signature, as the house knows it: it covers everything before it."""
        return self.journal.head if self._is_known else None

    # Tables that cannot be played on.

    def _abandon(self, stream: str, why: str) -> None:
        """F-17: what is in action goes back, from the records alone; the table stays closed, and another one with the
        same settings can take its place."""
        try:
            state = self._recovery.abandoned(stream, why)
        except BrokenRecords as problem:
            self._open_read_only(problem)
            return
        self.unplayed[stream] = state
        self.closed[stream] = ClosedTable(stream, why, state.settings, state.successor)
        if not state.abandoned:
            try:
                self._recovery.check_older()
            except BrokenRecords as problem:
                self._open_read_only(problem)
            else:
                self.carry_out(stream, cmd.Abandon(why, signed=True), PROGRAM)

    def open_successor(self, table: str) -> str:
        """Open a table with the settings of one that is closed for good, and say its id."""
        closed = self.closed.get(table)
        if closed is None or closed.settings is None or closed.successor:
            raise BadValue(f"{table!r} is not a closed table without a successor.")
        taken = {*self.tables, *self.closed}
        id = next(id for n in range(2, 10_000) if (id := f"{table[:27]}-{n}") not in taken)
        self.open_table(_with_id(closed.settings, id), predecessor=table)
        return id

    # Tables.

    def open_table(self, settings: TableSettings, predecessor: str = "", actor: Actor = PROGRAM) -> None:
        """Open a new table."""
        if settings.id in self.tables or settings.id in self.closed or not is_table(settings.id):
            raise BadValue(f"There is a table {settings.id!r} already; choose another id.")
        self.carry_out(settings.id, cmd.OpenTable(settings, predecessor), actor)

    def live(self, table: str) -> Live:
        if table not in self.tables:
            raise UnknownName("table", table, self.tables)
        return self.tables[table]

    def table(self, name: str) -> Table:
        """A table as the next command finds it."""
        ahead = self._together.states.get(name) if self._together is not None else None
        return ahead if isinstance(ahead, Table) else self.live(name).table

    def pause(self, table: str, reason: str, actor: Actor = PROGRAM) -> None:
        """Let nothing go on at a table; everything lies where it is, and no clock runs."""
        self.carry_out(table, cmd.Pause(reason), actor)

    def resume(self, table: str, actor: Actor = PROGRAM) -> None:
        self.carry_out(table, cmd.Resume(), actor)

    def close_table(self, table: str, reason: str, actor: Actor = PROGRAM) -> None:
        """Close a table when its round is over, which is at once where nobody is in it."""
        self.carry_out(table, cmd.CloseTable(reason), actor)

    def reopen_table(self, table: str, actor: Actor = PROGRAM) -> None:
        self.carry_out(table, cmd.ReopenTable(), actor)

    def change_settings(self, table: str, settings: TableSettings, actor: Actor = PROGRAM) -> None:
        """Post other settings for a table: they are in force from the next round on (F-40)."""
        self.carry_out(table, cmd.ChangeSettings(settings), actor)

    def withdraw_change(self, table: str, actor: Actor = PROGRAM) -> None:
        self.carry_out(table, cmd.WithdrawChange(), actor)

    def close_for_the_night(self, reason: str, actor: Actor = PROGRAM) -> None:
        """No new rounds: every table closes when its round is over."""
        for table in self.tables:
            if self.table(table).service in ("open", "paused"):
                self.close_table(table, reason, actor)

    @property
    def is_at_rest(self) -> bool:
        """Whether every table is closed."""
        return all(live.table.service == "closed" for live in self.tables.values())

    # Commands.

    def command(self, table: str, player: str, command: Given, command_id: str = "", seen: int = 0) -> Receipt | None:
        """Carry out a player's command, or refuse it and change nothing. What is recorded gets a receipt."""
        number = self.give(table, player, command, command_id, seen)
        return None if number is None else self.journal.receipt(number)

    def give(self, table: str, player: str, command: Given, command_id: str = "", seen: int = 0) -> int | None:
        """Decide a person's command: the number of its commit, for which there is a receipt when it is durable. A
        repeated one was done already (G7); there is no receipt if it was before the house gave any.

        `seen` is the version of the table that the player saw: what was meant for an earlier round makes no wager in
        this one (F-30).
        """
        try:
            return self.give_once(table, player, command, command_id, seen)
        except Refused:
            self.refused += 1
            raise

    def give_once(self, table: str, player: str, command: Given, command_id: str, seen: int) -> int | None:
        actor = by_person(player)
        if self.fault:
            raise Refused(self.fault)
        if command_id and self._together is not None and (player, command_id) in self._together.made:
            return self._again(self._together.made[player, command_id], table, command)
        if command_id and (done := self._looked_up(player, command_id)) is not None:
            return self._done_before(done, table, command)
        known = self.state(person_stream(player))
        if not isinstance(known, Person) or known.forgotten:
            raise Refused("Your session has ended; open the page again.")
        if table in self.closed:
            raise Refused(f"The table is closed. {self.closed[table].why}")
        if 0 < seen < self.table(table).began and not isinstance(command, cmd.Sit | cmd.Leave):
            raise Refused("That was meant for an earlier round; look at the table and do it again.")
        with self.stopped_if_faulty(table), self.protection.breaches_noted():
            return self.carry_out(table, command, actor, command_id)

    def look_up(self, commands: Iterable[tuple[str, str]]) -> dict[tuple[str, str], DoneRow | None]:
        """Which of these commands, by player and id, were done already. It may wait for the disk."""
        return {(player, id): self.store.done([str(by_person(player)), player], id) for player, id in commands if id}

    def _looked_up(self, player: str, id: str) -> DoneRow | None:
        if self._together is not None and (player, id) in self._together.done:
            return self._together.done[player, id]
        return self.look_up([(player, id)])[player, id]

    def when_told(self, note: Callable[[], None]) -> None:
        """Note something beside the records: not before what is decided is told, as it may be decided anew."""
        if self._together is None:
            note()
        else:
            self._together.notes.append(note)

    def was_done(self, player: str, id: str) -> bool:
        """Whether a command was done already, or is about to be with others; it may wait for the disk."""
        ahead = self._together is not None and (player, id) in self._together.made
        return ahead or self._looked_up(player, id) is not None

    def _done_before(self, done: DoneRow, table: str, command: Given) -> int | None:
        """A repeated command is acknowledged again; another one under its id is not done."""
        try:
            self._recovery.check_done(done)
        except BrokenRecords as problem:
            self._open_read_only(problem)
            raise Refused(self.fault) from None
        return None if done.id < 1 else self._again(done, table, command)

    def _again(self, done: DoneRow, table: str, command: Given) -> int:
        if isinstance(command, cmd.StartRound):  # the house has filled in the rest
            with suppress(msgspec.DecodeError):
                command = cmd.StartRound(command.shuffle, _start_round(done.command).hold_over)
        if (done.stream, done.command) != (table, encode(command)):
            raise Refused("Another command had that id; send this one under an id of its own.")
        return done.number

    def connection(self, table: str, player: str, present: bool) -> None:
        """A player's connection was lost or is back."""
        if self.table(table).seat_of(player) is not None:
            self.carry_out(table, cmd.Connection(player, present), by_person(player))

    def due(self, table: str, wish: Wish = "motion") -> Next | None:
        """What the dealer does next at a table, and when; nothing while nothing can be written."""
        if self.fault:
            return None
        live = self.live(table)
        return next_for(live.table, live.since, wish)

    def deal_due(self, table: str, wish: Wish = "motion") -> None:
        """Let the automatic dealer of a table do what is due, if it still is and nobody has changed the table."""
        due = self.due(table, wish) if table in self.tables else None
        changed = self._together is not None and table in self._together.states
        if due is not None and due.at <= self.clock() and not changed:
            self.deal_on(table, due.doing)

    def deal_on(self, table: str, doing: Doing) -> None:
        """Do what the automatic dealer does next. Where the rules are at fault the table stops (F-17, F-28); where all
        the cards lie on the table, which new settings do not let happen, the round is void (F-23)."""
        commands: dict[Doing, cmd.Command] = {
            "start round": cmd.StartRound(self.table(table).needs_shuffle),
            "answer": cmd.GoOn(),
            "clock": cmd.ClockRanOut(),
            "free seats": cmd.FreeSeats(),
            "end round": cmd.EndRound(),
        }
        try:
            self.carry_out(table, commands[doing], DEALER)
        except NotPossible:
            self.void(table, "The cards ran out.")
        except FaultyRules as fault:
            self.stop_for(table, fault)

    def void(self, table: str, reason: str, actor: Actor = DEALER) -> None:
        """Void the round: every wager in action goes back, and what was turned is opened (F-17, F-21)."""
        self.carry_out(table, cmd.VoidRound(reason), actor)

    def book(self, command: administration.Book, actor: Actor) -> None:
        """Money moves outside the tables."""
        with self.protection.breaches_noted():
            self.carry_out(HOUSE_STREAM, command, actor)

    @contextmanager
    def stopped_if_faulty(self, table: str) -> Iterator[None]:
        """Where the rules are at fault, the table stops, and whoever has given the command is told why."""
        try:
            yield
        except FaultyRules as fault:
            raise Refused(self.stop_for(table, fault)) from None

    def stop_for(self, table: str, fault: FaultyRules) -> str:
        """F-17, F-28: nothing of the answer was written that the rules failed on. The wagers go back, and the table is
        paused until somebody lets it go on; both records say what is wrong, and in which file and line. Where the rules
        fail at the void too, everything lies where it is."""
        said, now, void = told_at_table(fault), self.table(table), False
        with self.as_one():
            if now.round is not None and not now.round.over:
                with suppress(FaultyRules):
                    self.void(table, said)
                    void = True
            if self.table(table).service == "open":
                self.pause(table, said)
        _log.error("The table %s stops: %s", table, said, extra={"table": table})
        return f"{'The round is void and every wager goes back' if void else 'The table is paused'}: {said}"

    # One way for everything: decide, commit, adopt, tell. Several decisions may be committed together: between `begin`
    # and `end` they are made, `write` may wait for the disk, and only then is what they say so.

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is carried out inside becomes durable as one."""
        self.begin()
        try:
            yield
        except BaseException:
            self.drop(self.end())
            raise
        together = self.end()
        if together.decided:
            try:
                self.write(together)
            except BaseException:
                self.drop(together)
                raise
            self.adopt(together)
        self.tell(together)

    @contextmanager
    def as_one(self) -> Iterator[None]:
        """The same, also inside of what becomes durable together already."""
        if self._together is not None:
            yield
        else:
            with self.together():
                yield

    def begin(self, done: Mapping[tuple[str, str], DoneRow | None] | None = None) -> None:
        """From here on decisions are made together; `done` is what was looked up for them."""
        assert self._together is None, "one thing after the other"
        if self.fault:
            raise Refused(self.fault)
        self._together = Together(self.journal.begin(), done=dict(done or {}))

    def end(self) -> Together:
        together = self._together
        assert together is not None
        self._together = None
        return together

    def write(self, together: Together) -> None:
        """Make it durable, or say why not. It may wait for the disk, and touches nothing that is known."""
        self.journal.write(together.group)
        self.on_commit()

    def drop(self, together: Together) -> None:
        """It was not written: nothing of it is so."""
        for decided in together.decided:
            decided.shoes.go_back()
        if self.store.refusal and not self.fault:
            self.fault = f"The house is read-only. {self.store.refusal}"
            _log.error("%s", self.fault)

    def adopt(self, together: Together) -> None:
        """It is durable: now it is so."""
        self.journal.adopt(together.group)
        for stream, state in together.states.items():
            match state:
                case Table():
                    live = self.tables.get(stream)
                    if live is None:
                        live = self.tables[stream] = Live(state, 0, together.shoes[stream])
                    live.table = state
                    live.shoes.keep(state)
                case AbandonedTable():
                    self.unplayed[stream] = state
                    self.closed[stream] = ClosedTable(stream, state.why, state.settings, state.successor)
                case Person():
                    self.people.adopt(state)
        for id, name in together.names.items():
            self.people.call(id, name)
        for decided in together.decided:
            for happened in decided.decision.happened:
                if isinstance(happened.event, PLAY) and happened.stream in self.tables:
                    self.tables[happened.stream].since = decided.at
                if isinstance(happened.event, administration.ClockJumped):
                    del self._jumps[0]
                if isinstance(happened.event, administration.CodeChecked):
                    self.code_check.at, self.code_check.found = decided.at, happened.event
                if isinstance(happened.event, ev.ClocksRestarted):
                    self._stopped.discard(happened.stream)

    def tell(self, together: Together) -> None:
        """Everybody hears of it."""
        for note in together.notes:
            note()
        for decided in together.decided:
            for stream, state in decided.decision.states.items():
                if isinstance(state, Table):
                    records = [record for record in decided.records if record.stream == stream]
                    for listener in list(self.listeners):
                        listener(stream, Change(state, records))
        meters = {
            state.id: state
            for decided in together.decided
            for state in decided.decision.states.values()
            if isinstance(state, Meter)
        }
        for meter in meters.values():
            for shown in list(self.jackpot_listeners):
                shown(meter)
        changed = [state for decided in together.decided for state in decided.decision.states.values()]
        if any(isinstance(state, administration.Administration | AbandonedTable) for state in changed):
            for told in list(self.house_listeners):
                told()

    def carry_out(
        self,
        stream: str,
        command: Command,
        actor: Actor,
        command_id: str = "",
        joined: Sequence[PersonRow] = (),
        at: ev.Time | None = None,
        renamed: Sequence[PersonRow] = (),
        kept: Sequence[KeptRow] = (),
    ) -> int | None:
        """Decide a command together with others, or by itself: the number of its commit."""
        if self._together is None:
            with self.together():
                return self.carry_out(stream, command, actor, command_id, joined, at, renamed, kept)
        together = self._together
        now = self.clock() if at is None else at
        if isinstance(command, cmd.StartRound):  # whatever somebody says who starts it
            limit = held_win_limit(day_of(now))
            command = cmd.StartRound(command.shuffle, UNSET if limit is None else limit.cents)
        target = self._signed_stream(command) or stream
        before, shoes = self.state(target), self._shoes(target, together)
        shoes.begin()
        with faults_of(before.game) if isinstance(before, Table) else nullcontext():
            decision = decide(self._states(shoes), stream, command, actor, now)
            if actor.is_person:
                self._check_given(stream, command, actor)
        if not decision.happened and not command_id:
            return None
        draft = Draft(
            stream,
            command,
            actor,
            now,
            decision.happened,
            command_id,
            shoes.sealed,
            joined,
            renamed,
            kept,
            self._snapshot_after(stream, decision, now),
        )
        try:
            commit = together.group.add(draft)
        except Overdrawn:
            raise Refused("You do not have that much.") from None
        shoes.go_on()
        together.states |= decision.states
        together.names |= {row.id: row.name for row in (*joined, *renamed)}
        if command_id:
            together.made[actor.id, command_id] = DoneRow.of(commit)
        together.decided.append(Decided(stream, decision, now, shoes, commit.number, commit.records))
        after = decision.states.get(target)
        if isinstance(before, Table) and isinstance(after, Table):
            for item in deadlines.faults(target, before, after, now):
                self.note_due(item, now)
        return commit.number

    def _states(self, shoes: SealedShoes | None = None) -> States:
        """What a decision may look at, as it is now."""
        return States(self.state, self.account, shoes, self.lying_elsewhere, self._deals_at, self._in_play)

    def _in_play(self, jackpot: str) -> Iterator[InPlay]:
        """The rounds that are being played for a jackpot."""
        begun = () if self._together is None else self._together.states
        return in_play(map(self.state, {**self.tables, **dict.fromkeys(begun)}), jackpot)

    def account(self, name: str) -> Cents:
        """What an account holds, as the next decision finds it."""
        position = self.journal.position if self._together is None else self._together.group.after
        return position.balances.get(name, 0)

    def meters(self) -> Mapping[str, Meter]:
        """The progressive jackpots by id, as the next decision finds them."""
        if not self._is_known:
            return {}
        return (self.journal.position if self._together is None else self._together.group.after).meters

    def tried(self, stream: str, command: Command, actor: Actor) -> tuple[Mapping[str, State], tuple[Entry, ...]]:
        """What a command would make and book that somebody may give, alone or with another; nothing is done."""
        decision = tried(self._states(), stream, command, actor, self.clock())
        return decision.states, tuple(entry for one in decision.happened for entry in one.entries)

    def _check_given(self, stream: str, command: Command, actor: Actor) -> None:
        """F-13, F-28: a person decides about an incident with a reason, and voids a round with another person; and what
        people write into the records can be read there. Older records hold other things too, which is why it is checked
        here and not when they are decided again."""
        check_words(command.command if isinstance(command, administration.Propose) else command)
        if isinstance(command, cmd.Report) and not command.incident.strip():
            raise Refused("Name what went wrong.")
        if isinstance(command, cmd.Enter) and isinstance(command.answer, answers.Decided):
            self._check_confirmed(stream, command.answer.option, actor)
        state = self.state(stream) if isinstance(command, cmd.Enter | cmd.Resolve | cmd.Report) else None
        if isinstance(state, Table) and isinstance(command, cmd.Report):
            check_reported(state, command)
        if not isinstance(state, Table) or not state.report:
            return
        if isinstance(command, cmd.Enter):
            raise Refused(f"{state.incident.capitalize()} was reported; what is decided about it needs a reason.")
        if isinstance(command, cmd.Resolve) and command.reason is UNSET:
            raise Refused("Say why it is decided so.")
        if isinstance(command, cmd.Resolve) and voids(state, command.role, command.option):
            raise Refused("That voids the round and needs two signatures; propose it.")

    def _check_confirmed(self, stream: str, option: str, actor: Actor) -> None:
        """F-13, D-18: a percentage award is entered by one person and confirmed by another."""
        table = self.state(stream)
        if not isinstance(table, Table) or not confirms_award(option):
            return
        entered = {table.dealer, entered_by(table)} - {""}
        meter = self.meters().get(table.settings.jackpot or "")
        if meter is not None and (round := meter.at(stream, table.round_number)) is not None and round.entered:
            by = Actor.parse(round.entered)
            entered |= {by.id} if by.is_person else set()
        if actor.id in entered:
            raise Refused("You have entered this award, or deal here; another supervisor confirms it.")
        if any(self.staff.are_in_one_hand(who, actor.id) for who in entered):
            raise Refused(ONE_HAND)

    def _signed_stream(self, command: Command) -> str:
        """The stream of what is proposed, or happens with a second signature."""
        if isinstance(command, administration.Sign):
            waiting = self.administration.waiting.get(command.action)
            return waiting.stream if waiting is not None else ""
        return command.stream if isinstance(command, administration.Propose) else ""

    def lying_elsewhere(self, player: str, but: str) -> Cents:
        """What a player has on the tables, but for one of them."""
        return sum(self.table(name).lying(player) for name in self.tables if name != but)

    def _deals_at(self, dealer: str) -> str:
        """The name of the table at which somebody has signed on, if at any."""
        here = (self.table(name) for name in self.tables)
        return next((table.settings.name for table in here if table.dealer == dealer), "")

    def _shoes(self, stream: str, together: Together) -> SealedShoes:
        if stream in self.tables:
            return self.tables[stream].shoes
        return together.shoes.setdefault(stream, SealedShoes(self.keys))

    def _snapshot_after(self, stream: str, decision: Decision, now: ev.Time) -> Callable[[Record], bytes] | None:
        table = decision.states.get(stream)
        over = any(isinstance(happened.event, OVER) for happened in decision.happened)
        if over and isinstance(table, Table) and can_be_taken(table):
            return partial(snapshot, table, now, keys=self.keys)
        return None

    @property
    def administration(self) -> administration.Administration:
        """The house as a whole, as the next decision finds it; where the journal cannot be read, nothing is known."""
        if not self._is_known:
            return administration.Administration()
        return (self.journal.position if self._together is None else self._together.group.after).house

    def state(self, stream: str) -> State | None:
        """The state of a stream as the next decision finds it."""
        together = self._together
        if stream == HOUSE_STREAM:
            return self.administration
        if is_jackpot(stream):
            return self.meters().get(stream.removeprefix(JACKPOT))
        if together is not None and stream in together.states:
            return together.states[stream]
        if not is_table(stream):
            return self.people.person(stream.removeprefix(PERSON))
        if stream in self.unplayed:
            return self.unplayed[stream]
        return self.tables[stream].table if stream in self.tables else None

    @contextmanager
    def reading(self, store: Reader, table: str) -> Iterator[Callable[[int, int], str]]:
        """Read what is recorded of a table at one moment, while more may be written. The function says whether the
        records from one to another are what the house knows; what could not be checked of them is its answer."""
        head = self.journal.position.heads.get(table) if self._is_known else None  # the file knows that much by now
        with store.frozen():
            yield lambda first, last: follow(store, table, first, last, self.keys.public, head)

    # Chance.

    def private_cards(self, table: str, seat: int | None) -> dict[Token, Card]:
        """The cards that were turned to this seat alone: for nobody else's eyes (F-14)."""
        live = self.live(table)
        return live.shoes.private_cards(live.table, seat)

    # People.

    def forget(self, id: str, reason: str, actor: Actor = PROGRAM) -> None:
        """Remove what can identify a person; the records stay whole."""
        self.carry_out(person_stream(id), person.Forget(reason), actor)
        self.people.forget(id)
        self.exclusions.forget(id)

    def read_person(self, id: str, store: Reader) -> Person | None:
        """A person as the journal knows it, read from the records."""
        known = self._is_known and self.journal.version(person_stream(id))
        return self._recovery.person(id, store) if known else None

    @property
    def names_ahead(self) -> Mapping[str, str]:
        """What people will be called when that is durable, by their ids."""
        return self._together.names if self._together is not None else {}

    def balance(self, player: str) -> Cents:
        """What somebody at a table has: a person in their account, or a patron in front of the seat."""
        account = str(account_of(player))
        return self.journal.balance(account) if self._is_known else self.store.balance(account)

    def balance_now(self, player: str) -> Cents:
        """What a player has as the next decision finds it."""
        position = self.journal.position if self._together is None else self._together.group.after
        return position.balances.get(str(account_of(player)), 0)

    def change_keys(self, keys: Keys) -> None:
        """Sign with another key from now on: the old one signs the commit that says so."""
        self.carry_out(HOUSE_STREAM, administration.ChangeKey(keys.public, self.keys.public), PROGRAM)
        self.keys = keys
        self.journal.change_keys(keys)
        self._recovery = Recovery(self.store, self.journal, keys)


def _with_id(settings: TableSettings, id: str) -> TableSettings:
    return msgspec.structs.replace(settings, id=id)
