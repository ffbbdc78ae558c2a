"""Playing the records again: every command is decided once more, and must make what was recorded (G3).

Of records of the first version the command is not known: there, one is taken that makes the event happen.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec

from feltworks.floor import person
from feltworks.floor.accounts import Cents, Entry, player_account
from feltworks.floor.actors import Actor
from feltworks.floor.administration import Administration, Migrate, Migrated, Sign
from feltworks.floor.aggregates import decide, entries, evolve
from feltworks.floor.jackpot.events import InPlay, JackpotChanged
from feltworks.floor.jackpot.meter import Meter, is_jackpot
from feltworks.floor.jackpot_aggregate import in_play
from feltworks.floor.journal.records import Commit, Record
from feltworks.floor.journal.upcasting import decode_command, decode_event, encode
from feltworks.floor.player_limits import DayBegan
from feltworks.floor.streams import HOUSE_STREAM, Command, Decision, Event, State, States, is_table
from feltworks.floor.table import commands as cmd
from feltworks.floor.table import events as ev
from feltworks.floor.table.abandoned import AbandonedTable
from feltworks.floor.table.registered import registered
from feltworks.floor.table.settings import standing
from feltworks.floor.table.snapshot import NotUsable, is_signed, resumed
from feltworks.floor.table.state import NotInstalled, Table, check_rules
from feltworks.floor.table_aggregate import round_of
from feltworks.floor.verification.older import OldChance, behind, too_early
from feltworks.floor.verification.openings import OpeningCheck
from feltworks.floor.verification.recorded_chance import RecordedChance
from feltworks.floor.verification.report import Report

ENOUGH = 10**12
"""More than anybody has, for records of the first version: whether an account held enough is seen in the books."""


NEWER = (
    *(ev.Paused, ev.Resumed, ev.Closing, ev.TableClosed, ev.Reopened, ev.ClocksRestarted, ev.Abandoned, ev.Succeeded),
    *(ev.ChangePosted, ev.ChangeWithdrawn, ev.SettingsChanged),
)
"""Events that the first version did not have."""


class StreamReplay:
    """One table's stream, or those of the house and of its people, commit by commit."""

    def __init__(
        self,
        report: Report,
        publics: Collection[str] = (),
        snapshots: dict[str, dict[int, bytes]] | None = None,
        signed: Mapping[str, int] | None = None,
    ):
        """`signed` says up to which event each stream of the first version was signed."""
        self.states: dict[str, State] = {}
        self.bad: set[str] = set()
        self._report, self._publics, self._snapshots = report, publics, snapshots or {}
        self._signed = signed or {}
        self._old_layouts: dict[str, AbandonedTable] = {}
        """Tables of the first version whose rules are here, as their records alone give them."""
        self._openings: dict[str, OpeningCheck] = {}
        self._unplayed: dict[str, AbandonedTable] = {}
        self._elsewhere: dict[str, AbandonedTable] = {}
        """Tables that somebody else replays: all that counts of them here is that they are there."""
        self._balances: dict[str, Cents] = {}
        """What each account holds after the commits so far: a decision may depend on it."""
        self._other_builds: set[str] = set()
        self._noted: set[str] = set()
        self._signed_on: set[str] = set()
        """The tables at which dealers sign on: where the records begin earlier, nobody did (F-41)."""

    @property
    def tables(self) -> dict[str, Table]:
        """The tables as they are now."""
        return {stream: state for stream, state in self.states.items() if isinstance(state, Table)}

    @property
    def not_played(self) -> Mapping[str, AbandonedTable]:
        """The tables whose rules are not here."""
        return self._unplayed

    def shown(self, stream: str) -> Mapping[tuple[str, int], str]:
        """What was turned or rolled in the last round of a table, by root and position."""
        return self._chance(stream).shown

    def follow(self, commit: Commit, id: int) -> None:
        """Check a commit, and tell of each stream only the first bad event."""
        try:
            self._follow(commit, id)
        finally:
            self._book(commit)

    def _follow(self, commit: Commit, id: int) -> None:
        streams = {commit.stream, *(record.stream for record in commit.records)}
        if streams & self.bad:
            self.bad |= {s for s in streams if is_table(s)}
            self._turn_meters(commit)
            return
        first = commit.records[0] if commit.records else None
        where = f"{first.stream}, event {first.sequence}" if first else f"{commit.stream}, commit {commit.number}"
        try:
            wrong = next(self._old(commit) if id < 1 else self._new(commit), None)
        except Exception as error:  # whatever a forged event makes the rules do
            wrong = f"it cannot be replayed: {str(error) or type(error).__name__}"
        if wrong:
            self._report.problems.append(f"{where}: {wrong}")
            self.bad |= {s for s in streams if is_table(s)} or streams
            self._turn_meters(commit)

    def _turn_meters(self, commit: Commit) -> None:
        """A jackpot goes on by its records alone where what else is in the commit is not replayed: other tables play
        for it."""
        for record in commit.records:
            known = self.states.get(record.stream)
            behind = known is None or (isinstance(known, Meter) and known.version < record.sequence)
            if is_jackpot(record.stream) and behind:
                with suppress(Exception):
                    event = decode_event(record.stream, record.event)
                    self.states[record.stream] = evolve(known, record.stream, event, record.time)

    def fold(self, commit: Commit) -> None:
        """Go on with what a commit makes of the house and of its people, and note the tables that it opens; whether it
        is right is checked elsewhere."""
        for record in commit.records:
            if is_table(record.stream) and record.sequence > 1:
                continue
            with suppress(Exception):  # whoever checks it tells what is wrong with it
                event = decode_event(record.stream, record.event)
                if isinstance(event, Migrated):
                    self._balances = dict(event.balances)
                if isinstance(event, ev.Opened):
                    self._elsewhere[record.stream] = AbandonedTable(event.settings, event.definition, "")
                else:
                    before = self.states.get(record.stream)
                    self.states[record.stream] = evolve(before, record.stream, event, record.time)
        self._book(commit)

    def _book(self, commit: Commit) -> None:
        for booked in commit.entries:
            for entry in booked:
                payer, payee = str(entry.payer), str(entry.payee)
                self._balances[payer] = self._balances.get(payer, 0) - entry.cents
                self._balances[payee] = self._balances.get(payee, 0) + entry.cents

    # Records with their commands.

    def _new(self, commit: Commit) -> Iterator[str]:
        command, actor = decode_command(commit.stream, commit.command), Actor.parse(commit.actor)
        made = [decode_event(record.stream, record.event) for record in commit.records]
        if isinstance(command, Migrate):
            yield from self._migrated(commit, made)
            return
        if isinstance(command, cmd.OpenTable):
            yield from self._opened(commit.stream, made)
        yield from self._changed(commit, made)
        if isinstance(command, cmd.SignOn):
            self._signed_on.add(commit.stream)
        if isinstance(command, cmd.Abandon) and (table := self._table(commit.stream)) is not None:
            # What it is played by is installed again.
            old = self._old_layouts.get(commit.stream)
            self._unplayed[commit.stream] = _on_layout(table, command.reason, old, self._balances)
            del self.states[commit.stream]
        if commit.stream in self._unplayed:
            yield from self._not_played(commit, command, made)
            yield from self._check_snapshot(commit)
            return
        if isinstance(command, Sign) and any(record.stream in self._unplayed for record in commit.records):
            yield from self._signed_not_played(commit, made)
            return
        decision = self._decide(commit, command, actor, made)
        expected = [
            (happened.stream, encode(happened.event), happened.entries, happened.round)
            for happened in decision.happened
        ]
        written = [
            (record.stream, record.event, booked, record.round)
            for record, booked in zip(commit.records, commit.entries, strict=True)
        ]
        if expected != written and not self._said_otherwise(commit, decision, made):
            yield _difference(expected, written)
        for event, record in zip(made, commit.records, strict=True):
            if is_table(record.stream) and isinstance(event, ev.Event):
                before = self._table(record.stream)
                yield from self._chance(record.stream).follow(before, event, self._report)
        if expected == written:
            for stream, state in decision.states.items():
                if isinstance(state, AbandonedTable):
                    self._unplayed[stream] = state
                else:
                    self.states[stream] = state
        else:
            for event, record in zip(made, commit.records, strict=True):
                if (closed := self._unplayed.get(record.stream)) is not None and isinstance(event, ev.Event):
                    self._unplayed[record.stream] = closed.after(event)
                    continue
                self.states[record.stream] = evolve(self.states.get(record.stream), record.stream, event, record.time)
        yield from self._check_snapshot(commit)

    def _said_otherwise(self, commit: Commit, decision: Decision, made: Sequence[Event]) -> bool:
        """Whether a table that was opened by another build says or moves things otherwise, and decides and books the
        same: that is told once, and is no fault of the records."""
        if commit.stream not in self._other_builds:
            return False
        booked = [(happened.stream, happened.entries, happened.round) for happened in decision.happened]
        stands = [(r.stream, e, r.round) for r, e in zip(commit.records, commit.entries, strict=True)]
        if booked != stands or [_decided(h.event) for h in decision.happened] != [_decided(event) for event in made]:
            return False
        if not isinstance(made[0], ev.Opened):  # of which it is told by which build
            self._note_words(commit.stream)
        return True

    def _note_words(self, stream: str) -> None:
        if stream not in self._noted:
            self._noted.add(stream)
            self._report.notes.append(f"{stream}: this build words some calls or moves differently.")

    def _migrated(self, commit: Commit, made: Sequence[Event]) -> Iterator[str]:
        """Older records were taken over, with everybody who was there: nothing is booked by that."""
        if commit.number != 1 or not isinstance(made[0], Migrated) or any(commit.entries):
            yield "records are taken over once, at the beginning."
        for event, record in zip(made, commit.records, strict=True):
            if not isinstance(event, Migrated | person.Joined | person.SessionOpened):
                yield f"{type(event).__name__} is not made by taking records over."
            if isinstance(event, Migrated):
                self._balances = dict(event.balances)
            self.states[record.stream] = evolve(self.states.get(record.stream), record.stream, event, record.time)

    def _table(self, stream: str) -> Table | None:
        state = self.states.get(stream)
        return state if isinstance(state, Table) else None

    def _decide(self, commit: Commit, command: Command, actor: Actor, made: Sequence[Event]) -> Decision:
        states = States(
            self._state,
            lambda account: self._balances.get(account, 0),
            RecordedChance(made),
            self._lying_elsewhere(made),
            in_play=self._in_play(made),
            signs_on=lambda table: table in self._signed_on,
        )
        return decide(states, commit.stream, command, actor, commit.time)

    def _lying_elsewhere(self, made: Sequence[Event]) -> Callable[[str, str], Cents]:
        """What a player had on other tables when a day of theirs began: those are replayed elsewhere, so the record is
        believed that it was there, and not that it was less than nothing."""

        def lying(player: str, but: str) -> Cents:
            table = self._table(but)
            began = next((event.cents for event in made if isinstance(event, DayBegan)), None)
            if began is None or table is None:
                return 0
            here = self._balances.get(str(player_account(player)), 0) + table.lying(player)
            return max(0, began - here)

        return lying

    def _in_play(self, made: Sequence[Event]) -> Callable[[str], Iterable[InPlay]]:
        """The rounds that are being played for a jackpot. Of tables that are replayed elsewhere, or not at all, the
        record is believed; whoever replays one decides the change of terms too."""
        kept = [one for event in made if isinstance(event, JackpotChanged) for one in event.keep]

        def rounds(jackpot: str) -> Iterator[InPlay]:
            tables = self.tables
            yield from in_play(tables.values(), jackpot)
            yield from (one for one in kept if one.table not in tables)

        return rounds

    def _state(self, stream: str) -> State | None:
        if stream == HOUSE_STREAM and stream not in self.states:
            return Administration()
        return self._unplayed.get(stream) or self.states.get(stream) or self._elsewhere.get(stream)

    def _opened(self, stream: str, made: Sequence[Event]) -> Iterator[str]:
        """G8: the rules that were played are the rules at hand."""
        for event in made:
            if isinstance(event, ev.Opened):
                if stream in self.states or stream in self._unplayed:
                    yield "the table is open already."
                yield from self._check_game(stream, event)

    def _check_game(self, stream: str, opened: ev.Opened) -> Iterator[str]:
        try:
            game = check_rules(opened)
        except NotInstalled as problem:
            self._unplayed[stream] = AbandonedTable(opened.settings, opened.definition, str(problem))
            self._report.not_replayed.append(f"{stream}: not replayed: definition {opened.definition[:12]}. {problem}")
            return
        here = game.fingerprint["build"]
        if here != opened.build:
            self._other_builds.add(stream)
            self._report.notes.append(
                f"{stream} was opened by the build {opened.build[:12]} of {opened.settings.game}; it is replayed by"
                f" {here[:12]}."
            )
        elif opened.standing is not None and opened.standing != (true := standing(opened.settings, game)):
            yield f"it says that the table stands {opened.standing.words!r}, and by its settings it is {true.words!r}."

    def _changed(self, commit: Commit, made: Sequence[Event]) -> Iterator[str]:
        """G8 for settings that are posted or come into force: from there on a table may be played by rules that are not
        here, and then its records alone are followed."""
        table = self._table(commit.stream)
        for event in made:
            if not isinstance(event, ev.ChangePosted | ev.SettingsChanged) or table is None:
                continue
            try:
                game = check_rules(event)
            except NotInstalled as problem:
                old = self._old_layouts.get(commit.stream)
                self._unplayed[commit.stream] = _on_layout(table, str(problem), old, self._balances)
                self.states.pop(commit.stream, None)
                self._report.not_replayed.append(
                    f"{commit.stream}: not replayed from event {table.version + 1} on: definition"
                    f" {event.definition[:12]}. {problem}"
                )
                return
            if game.fingerprint["build"] != event.build:
                self._other_builds.add(commit.stream)
            elif event.standing != (true := standing(event.settings, game)):
                said = event.standing.words if event.standing else "nothing"
                yield f"it says that the table stands {said!r}, and by its settings it is {true.words!r}."

    # Tables whose definition is not installed.

    def _not_played(self, commit: Commit, command: Command, made: Sequence[Event]) -> Iterator[str]:
        state = self._unplayed[commit.stream]
        if isinstance(command, cmd.Abandon):
            abandoned = state.abandon(command.reason, command.signed)
            expected: list[Event] = [abandoned, *state.patrons_leave(abandoned)]
            own = [event for event in made if isinstance(event, ev.Event)]  # what its jackpot gives back is told there
            if state.abandoned or [_handed(event) for event in own] != [_handed(event) for event in expected]:
                yield f"what lay on the table makes {abandoned}."
        elif isinstance(command, cmd.OpenTable):
            yield from self._not_opened(commit, command, made)
            made, commit = (
                made[1:],
                msgspec.structs.replace(commit, records=commit.records[1:], entries=commit.entries[1:]),
            )
        for event, record, booked in zip(made, commit.records, commit.entries, strict=True):
            if is_jackpot(record.stream):
                yield from self._follow_jackpot(record, event, booked)
                continue
            if booked != tuple(entries(self._unplayed.get(record.stream), record.stream, event)) and isinstance(
                event,
                ev.Abandoned | ev.Succeeded | ev.PatronSat | ev.PatronLeft | ev.WinReleased | ev.DisputeDecided,
            ):
                yield f"its entries in the books are {_named(booked)}."
            yield from self._follow_unplayed(record.stream, event, booked)

    def _follow_jackpot(self, record: Record, event: Event, booked: Sequence[Entry]) -> Iterator[str]:
        """What a table whose definition is not installed has made of its jackpot: by the event alone."""
        if booked != tuple(entries(None, record.stream, event)):
            yield f"its entries in the books are {_named(booked)}, and it makes no such entries."
        self.states[record.stream] = evolve(self.states.get(record.stream), record.stream, event, record.time)

    def _signed_not_played(self, commit: Commit, made: Sequence[Event]) -> Iterator[str]:
        """Two have signed something at a table whose definition is not installed."""
        for event, record, booked in zip(made, commit.records, commit.entries, strict=True):
            if is_jackpot(record.stream):
                yield from self._follow_jackpot(record, event, booked)
            elif record.stream in self._unplayed:
                yield from self._follow_unplayed(record.stream, event, booked)
            else:
                self.states[record.stream] = evolve(self.states.get(record.stream), record.stream, event, record.time)

    def _not_opened(self, commit: Commit, command: cmd.OpenTable, made: Sequence[Event]) -> Iterator[str]:
        """A table was opened by rules that are not here: by its settings, and in the place of the one it names."""
        opened = made[0] if made else None
        if not isinstance(opened, ev.Opened) or (opened.settings, opened.predecessor) != (
            command.settings,
            command.predecessor,
        ):
            yield "it is not opened as it was to be."
        follows = [ev.Succeeded(commit.stream)] if command.predecessor else []
        if list(made[1:]) != follows or any(commit.entries):
            yield "opening a table makes something else."
        if command.predecessor and [record.stream for record in commit.records[1:]] != [command.predecessor]:
            yield f"it does not take the place of {command.predecessor}."

    def _follow_unplayed(
        self, stream: str, event: Event, booked: Sequence[Entry], signed: bool = True
    ) -> Iterator[str]:
        state = self._unplayed.get(stream)
        if state is None or not isinstance(event, ev.Event):
            yield f"{type(event).__name__} is not of a closed table."
            return
        yield from self._chance(stream).follow(None, event, self._report)
        if not isinstance(event, ev.Abandoned) and not state.can_book(event, booked):
            yield f"its entries in the books are {_named(booked)}, and it makes no such entries."
        self._unplayed[stream] = state.after(event, booked, signed)

    # Records of the first version.

    def _old(self, commit: Commit) -> Iterator[str]:
        for record, booked in zip(commit.records, commit.entries, strict=True):
            event = decode_event(record.stream, record.event)
            before = self.states.get(record.stream)
            signed = record.sequence <= self._signed.get(record.stream, 0)
            if isinstance(event, NEWER):
                yield "no older version made such an event."
            if isinstance(event, ev.Opened):
                if event.settings.id != record.stream:
                    yield f"it opens a table that calls itself {event.settings.id!r}."
                yield from self._opened(record.stream, [event])
                if record.stream in self._unplayed:
                    continue
                self._old_layouts[record.stream] = AbandonedTable(event.settings, event.definition, "")
            elif record.stream in self._unplayed:
                yield from self._follow_unplayed(record.stream, event, booked, signed)
                continue
            elif isinstance(event, ev.Event):
                assert isinstance(before, Table), "a table begins with its opening."
                yield from self._old_event(before, event, record)
                self._old_layouts[record.stream] = self._old_layouts[record.stream].after(event, booked, signed)
            expected = tuple(entries(before, record.stream, event))
            if expected != booked:
                yield f"its entries in the books are {_named(booked)}; it makes {_named(expected)}."
            self.states[record.stream] = evolve(before, record.stream, event, record.time)
            if isinstance(event, ev.Event):
                assert before is None or isinstance(before, Table)
                if record.round != round_of(before, event):
                    yield f"it names round {record.round}; the table is at {round_of(before, event)}."

    def _old_event(self, before: Table, event: ev.Event, record: Record) -> Iterator[str]:
        yield from too_early(before, event, record)
        command, actor = behind(before, event, Actor.parse(record.actor))
        if isinstance(event, ev.Reshuffled) and not event.discards:
            yield from self._chance(record.stream).follow(before, event, self._report)
            return  # it came with the event before it
        states = States(lambda _: before, _enough, OldChance([event]))
        decision = decide(states, record.stream, command, actor, record.time)
        made = decision.happened[0].event if decision.happened else None
        if isinstance(event, ev.RoundStarted) and isinstance(made, ev.RoundStarted) and not event.effects:
            made = ev.RoundStarted(made.round, made.root, made.size)  # from before the first effects were kept
        if made != event:
            if record.stream in self._other_builds and made is not None and _decided(made) == _decided(event):
                self._note_words(record.stream)
            else:
                yield f"the rules make something else of it: {made or 'nothing'}."
        yield from self._chance(record.stream).follow(before, event, self._report)

    def _chance(self, stream: str) -> OpeningCheck:
        return self._openings.setdefault(stream, OpeningCheck())

    def _check_snapshot(self, commit: Commit) -> Iterator[str]:
        for record in commit.records:
            data = self._snapshots.get(record.stream, {}).get(record.sequence)
            state = self.states.get(record.stream)
            if data is not None and record.stream in self._unplayed and self._publics:
                where = (record.stream, record.sequence, record.hash)
                if not any(is_signed(data, *where, public) for public in self._publics):
                    yield "the snapshot after it is damaged or of other records."
            if data is None or not isinstance(state, Table):
                continue
            said: list[str] = []
            for public in self._publics:
                try:
                    opened = ev.Opened(state.settings, state.game.fingerprint["definition"], state.game.build)
                    found = resumed(data, record, opened, public, known=state)
                except NotUsable as problem:
                    said.append(str(problem))
                else:
                    if found.table != state:
                        yield "the snapshot after it is not what its events make."
                    break
            else:
                if said and not any("shape" in problem for problem in said):
                    yield f"the snapshot after it {said[0]}."


def _on_layout(table: Table, why: str, old: AbandonedTable | None, balances: Mapping[str, Cents]) -> AbandonedTable:
    """A table as its records alone give it: whose money lies on it. `old` is the same as the first version left it."""
    wagers: dict[str, int] = {}
    winnings: dict[str, int] = {}
    for up, by_player in ((table.wagers, wagers), (table.winnings, winnings)):
        for (seat, _), cents in up.items():
            player = table.seats[seat].player
            by_player[player] = by_player.get(player, 0) + int(cents)
    seats = {seat: who.player for seat, who in table.seats.items()}
    number = table.round_number if table.round is not None else 0
    definition = table.game.fingerprint["definition"]
    lost, won = (old.lost, old.won) if old is not None and old.version == table.version else ({}, {})
    chips = {who.player: balances.get(who.player, 0) for who in table.seats.values() if who.is_patron}
    lying = (wagers, winnings, lost, won, chips)
    decided = frozenset(registered(table).keys() - {(int(seat), spot) for seat, spot in table.wagers})
    about = (table.settings, definition, why, seats, *lying, number, table.pending)
    return AbandonedTable(*about, version=table.version, answers=(decided,))


def _handed(event: Event) -> object:
    """What an abandoned table hands back to each, and why; what of it was won is told elsewhere."""
    if not isinstance(event, ev.Abandoned):
        return event
    return event.reason, {back.player: back.wagers + back.winnings for back in event.back}


def _decided(event: Event) -> Event:
    """An event without what was said and moved, or which build said it: what is left decides and is booked."""
    if isinstance(event, ev.SettingsEvent):
        return msgspec.structs.replace(event, build="", standing=None)
    if isinstance(event, ev.ChangePosted):
        return msgspec.structs.replace(event, build="", standing=None, differences=())
    if isinstance(event, ev.TakenBack | ev.Corrected):
        kept = (tuple(e for e in effects if isinstance(e, ev.Settled)) for effects in event.effects)
        return msgspec.structs.replace(event, effects=tuple(kept))
    if not isinstance(event, ev.Answered | ev.RoundStarted):
        return event
    settled = tuple(effect for effect in event.effects if isinstance(effect, ev.Settled))
    return msgspec.structs.replace(event, effects=settled)


def _enough(_: str) -> int:
    return ENOUGH


def _difference(
    expected: list[tuple[str, bytes, tuple[Entry, ...], int]], written: list[tuple[str, bytes, tuple[Entry, ...], int]]
) -> str:
    for made, stands in zip(expected, written, strict=False):
        if made[:2] != stands[:2]:
            return f"the rules make something else of it: {made[1].decode()}."
        if made[2] != stands[2]:
            return f"its entries in the books are {_named(stands[2])}; it makes {_named(made[2])}."
        if made[3] != stands[3]:
            return f"it names round {stands[3]}; the table is at {made[3]}."
    return f"its command makes {len(expected)} events; {len(written)} are recorded."


def _named(booked: Iterable[Entry]) -> str:
    return ", ".join(map(str, booked)) or "none"
