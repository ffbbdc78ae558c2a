"""Verifying the records of a house: every event, entry, signature and opened card, by the file alone (F-16).

Whoever holds the file can change it, and the hashes with it. What they cannot do is sign: so a head that the
house signed, kept elsewhere, shows a stream that was cut or written anew.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol

import apsw
import msgspec

from feltworks.floor import events as ev
from feltworks.floor.database import migrate
from feltworks.floor.deciding import all_ready, decide
from feltworks.floor.money import Entry
from feltworks.floor.reading import Reader
from feltworks.floor.records import (
    FIRST,
    HOUSE_STREAM,
    Booked,
    Head,
    Joined,
    Record,
    decode_event,
    decode_house_event,
    encode_event,
)
from feltworks.floor.sealing import check_signature
from feltworks.floor.settings import standing
from feltworks.floor.shoe import check_opening
from feltworks.floor.table import DEALER, Table, bookings, evolve
from feltworks.kit.steps import Turn

ENOUGH = 10**12
"""More than anybody has: whether an account held enough is seen in the books."""


@dataclass
class Report:
    """What was looked at, and what is wrong with it: of each stream the first bad event."""

    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    streams: int = 0
    records: int = 0
    entries: int = 0
    rounds: int = 0
    openings: int = 0
    heads: int = 0

    @property
    def ok(self) -> bool:
        return not self.problems


class Fold(Protocol):
    """Goes through a stream record by record."""

    def check(self, record: Record, entries: list[Entry], report: Report) -> Iterator[str]:
        """What is wrong with a record and the entries that stand in the books for it."""
        ...


Replay = Callable[[str], Fold]


def verify(
    path: str | Path,
    keys_public: str | None = None,
    replay: Replay | None = None,
    heads: Iterable[Head] = (),
) -> Report:
    """Look at everything, as it is at one moment; the file may be written meanwhile.

    `keys_public` is the house's public key; `heads` are signed heads that were kept elsewhere.
    """
    report = Report()
    with Reader(path) as store:
        try:
            with store.frozen():
                _verify(store, [*store.heads(), *heads], keys_public, replay or fold_of, report)
        except (apsw.Error, ValueError) as error:
            report.problems.append(f"The file is damaged: {error}.")
    return report


def _verify(store: Reader, heads: list[Head], public: str | None, replay: Replay, report: Report) -> None:
    signed = defaultdict(list)
    for head in heads:
        signed[head.stream].append(head)
    for stream in sorted({*store.streams(), *signed}):
        report.streams += 1
        hashes = {head.sequence: FIRST for head in signed[stream]}
        try:
            last = _verify_stream(store, stream, replay(stream), hashes, report)
        except ValueError as error:
            report.problems.append(f"{stream}: it holds what cannot be: {error}.")
            last = None
        if last is not None:
            _verify_heads(signed[stream], hashes, last, public, report)
        if not signed[stream]:
            report.notes.append(f"{stream} has no signed head: a tail that was cut would not be seen.")
    if public is None:
        for key in sorted({head.public for head in heads}):
            report.notes.append(f"Heads are signed with the key {key}; compare it with the house's.")
    report.problems += [*_loose_ends(store), *store.wrong_books(), *_wrong_file(store)]


def _verify_stream(store: Reader, stream: str, fold: Fold, hashes: dict[int, str], report: Report) -> int | None:
    """Walk a stream to its last event, and keep the hashes asked for; nothing if the chain is broken."""
    booked = groupby(store.entries(stream), lambda booking: booking.sequence)
    sequence, entries = next(booked, (0, iter(())))
    last, hash, folding = 0, FIRST, True
    for record in store.read(stream):
        broken = _broken(record, last, hash)
        if broken:
            report.problems.append(f"{stream}, event {last + 1}: {broken}")
            return None
        own = []
        if sequence == record.sequence:
            own = [booking.entry for booking in entries]
            sequence, entries = next(booked, (0, iter(())))
        if folding:
            wrong = _first_wrong(fold, record, own, report)
            folding = wrong is None
            if wrong is not None:
                report.problems.append(f"{stream}, event {record.sequence}: {wrong}")
        last, hash = record.sequence, record.hash
        if last in hashes:
            hashes[last] = hash
        report.records += 1
        report.entries += len(own)
    return last


def _broken(record: Record, last: int, hash: str) -> str:
    """How a record breaks the chain, if it does."""
    if record.sequence != last + 1:
        return f"it is missing; the next one there is {record.sequence}."
    if record.hash != record.true_hash:
        return "it was changed or moved: its hash does not belong to what it says."
    if record.previous != hash:
        return "it does not follow the event before it: one of them was put in later."
    return ""


def _first_wrong(fold: Fold, record: Record, entries: list[Entry], report: Report) -> str | None:
    try:
        return next(fold.check(record, entries, report), None)
    except Exception as error:  # whatever a forged event makes the rules do
        return f"it cannot be replayed: {str(error) or type(error).__name__}"


def _verify_heads(heads: list[Head], hashes: dict[int, str], last: int, public: str | None, report: Report) -> None:
    for head in sorted(heads, key=lambda head: head.sequence):
        report.heads += 1
        where = f"{head.stream}, event {head.sequence}"
        if not check_signature(head.public, head.message, head.signature):
            report.problems.append(f"{where}: the signature under it is not the house's.")
        elif public is not None and head.public != public:
            report.problems.append(f"{where}: it is signed with another key, {head.public}.")
        elif head.sequence > last:
            report.problems.append(f"{head.stream}, event {last + 1}: it is missing; event {head.sequence} was signed.")
            return
        elif head.hash != hashes[head.sequence]:
            report.problems.append(f"{where}: it is not the event that was signed.")
            return


# Replaying.


def fold_of(stream: str) -> Fold:
    return HouseFold() if stream == HOUSE_STREAM else TableFold()


class HouseFold:
    """The house's own events: a booking says itself what is entered."""

    def check(self, record: Record, entries: list[Entry], report: Report) -> Iterator[str]:
        event = decode_house_event(record.event)
        yield from _wrong_entries(entries, event.entries if isinstance(event, Booked) else [])


class TableFold:
    """A table played again: each event must be what the rules make of the table before it (G3)."""

    def __init__(self) -> None:
        self.table: Table | None = None
        self.sizes: dict[str, int] = {}
        self.turned: dict[tuple[str, int], str] = {}

    def check(self, record: Record, entries: list[Entry], report: Report) -> Iterator[str]:
        event, before = decode_event(record.event), self.table
        if isinstance(event, ev.Opened):
            yield from self._check_game(record, event, report)
        elif before is None:
            yield "a table begins with its opening."
            return
        else:
            yield from _too_early(before, event, record)
            command, player, name = behind(before, event, record.actor)
            made = decide(before, command, player, name, lambda _: ENOUGH, record.time)
            if isinstance(event, ev.RoundStarted) and not event.effects and made:  # from before they were kept
                made = [msgspec.structs.replace(made[0], effects=[])]
            if not made or decode_event(encode_event(made[0])) != event:
                yield f"the rules make something else of it: {made[0] if made else 'nothing'}."
            yield from self._check_chance(before, event, report)
        yield from _wrong_entries(entries, bookings(before, event))
        self.table = after = evolve(before, event, record.time)
        playing = after.round is not None or (before is not None and before.round is not None)
        if record.round != (after.round_number if playing else 0):
            yield f"it names round {record.round}; the table is at {after.round_number}."

    def _check_game(self, record: Record, opened: ev.Opened, report: Report) -> Iterator[str]:
        """G8: the rules that were played are the rules at hand."""
        if self.table is not None:
            yield "the table is open already."
        game = opened.settings.load_game()
        fingerprint = game.fingerprint
        if fingerprint["definition"] != opened.definition:
            yield (
                f"it was played by the definition {opened.definition[:12]} of {opened.settings.game};"
                f" here is {fingerprint['definition'][:12]}."
            )
        if fingerprint["build"] != opened.build:
            report.notes.append(
                f"{record.stream} was opened by the build {opened.build[:12]} of {opened.settings.game};"
                f" it is replayed by {fingerprint['build'][:12]}."
            )
        elif opened.standing is not None and opened.standing != (true := standing(opened.settings, game)):
            yield f"it says that the table stands {opened.standing.words!r}, and by its settings it is {true.words!r}."

    def _check_chance(self, table: Table, event: ev.Event, report: Report) -> Iterator[str]:
        """The cards that were turned and the dice that were rolled are those of the opened commitments (F-21)."""
        match event:
            case ev.RoundStarted(_, root, size):
                self.turned = {}
                if root is not None:
                    self.sizes = {root: size}
            case ev.Reshuffled(root, size):
                self.sizes[root] = size
            case ev.Answered(["card", card]) if isinstance(table.step, Turn):
                self.turned[table.positions[table.step.token]] = card
            case ev.Answered(["dice", *faces]) if table.root is not None:
                self.turned[table.root, table.dealt] = "-".join(map(str, faces))
            case ev.RoundEnded(_, openings) | ev.Voided(_, _, _, openings):
                report.rounds += 1
                report.openings += len(openings)
                yield from self._check_openings(openings)

    def _check_openings(self, openings: list[dict[str, Any]]) -> Iterator[str]:
        opened: dict[tuple[str, int], str] = {}
        for opening in openings:
            root, position = opening["root"], opening["position"]
            if root not in self.sizes or not check_opening(root, self.sizes[root], opening):
                yield f"the opening of position {position} does not lead to the root {root}."
            rolled = self.turned.get((root, position), "").count("-") + 1
            opened[root, position] = opening["card"] if "card" in opening else "-".join(opening["dice"][:rolled])
        for (root, position), turned in self.turned.items():
            if opened.get((root, position)) != turned:
                shown = opened.get((root, position), "not opened")
                yield f"position {position} of the root {root} was turned as {turned} and is {shown}."
        for root, position in opened.keys() - self.turned.keys():
            yield f"position {position} of the root {root} is opened and was not turned."


def _too_early(table: Table, event: ev.Event, record: Record) -> Iterator[str]:
    """What the clock does, it does when it has run out (F-30)."""
    if table.round is None or (table.deadline is not None and record.time >= table.deadline):
        return
    match event:
        case ev.Answered(["close"]) if not all_ready(table, table.round):
            yield "betting was closed before its clock ran out, and not everybody was ready."
        case ev.Answered(["decide", int(seat), *_]) if record.actor == DEALER:
            yield f"it was decided for seat {seat} before its clock ran out."


def behind(table: Table, event: ev.Event, actor: str) -> tuple[ev.Command, str, str]:
    """A command that makes the event happen, and who gives it; the house for what it could have been too."""
    match event:
        case ev.Sat(seat, player, name):
            return ev.Sit(seat), player, name
        case ev.Left(seat, ""):
            return ev.Leave(), table.seats[seat].player, ""
        case ev.Left():
            return ev.FreeSeats(), "", ""
        case ev.Presence(seat, present):
            return ev.Connection(table.seats[seat].player, present), "", ""
        case ev.Readied(seat):
            return ev.Ready(), table.seats[seat].player, ""
        case ev.RoundStarted(_, root, size):
            return ev.StartRound(root, size), "", ""
        case ev.Answered(["place", _, str(spot), int(cents)]):
            return ev.Place(spot, cents), actor, ""
        case ev.Answered(["decide", int(), str(option), cents]) if actor != DEALER:
            return ev.Choose(option, cents), actor, ""
        case ev.Answered(["decide", int(), *_]):
            return ev.ClockRanOut(), "", ""
        case ev.Answered(answer):
            return ev.Answer(answer), "", ""
        case ev.Reshuffled(root, size, discards):
            return ev.Reshuffle(root, size, discards), "", ""
        case ev.RoundEnded(_, openings):
            return ev.EndRound(openings), "", ""
        case ev.Voided(_, reason, _, openings):
            return ev.VoidRound(reason, openings), "", ""
        case ev.Reported(incident, text, seat, spots, amount):
            return ev.Report(incident, text, seat, spots, amount), "", ""
        case ev.Released(what, reason):
            return ev.Release(what, reason), "", ""
    raise ValueError("a table is opened once")


def _wrong_entries(stand: list[Entry], made: list[Entry]) -> Iterator[str]:
    if stand != made:
        yield f"its entries in the books are {_said(stand)}; it makes {_said(made)}."


def _said(entries: list[Entry]) -> str:
    said = [f"{e.kind.value} of {e.cents} cents from {e.payer} to {e.payee}" for e in entries]
    return ", ".join(said) or "none"


# What stands beside the streams.

_ORPHANS = """
    SELECT count(*), min(entries.event)
    FROM entries LEFT JOIN events ON events.id = entries.event WHERE events.id IS NULL"""
_PLAYED = """
    SELECT stream, round, account FROM (
        SELECT event, payer AS account FROM entries UNION SELECT event, payee FROM entries) AS moved
    JOIN events ON id = moved.event WHERE round > 0 AND substr(account, 1, 7) = 'player:'"""
_UNLIKE = "SELECT * FROM ({0} EXCEPT {1}) UNION SELECT * FROM ({1} EXCEPT {0}) LIMIT 1"


def _loose_ends(store: Reader) -> Iterator[str]:
    """Rows that no event made."""
    run = store.connection.execute
    ((count, event),) = run(_ORPHANS).fetchall()
    if count:
        yield f"The books hold entries without an event ({count}); the first names a missing one, id {event}."
    unlike = _UNLIKE.format(_PLAYED, "SELECT stream, round, account FROM played")
    for stream, round, account in run(unlike).fetchall():
        yield f"The list of rounds to recall is wrong about {account} in round {round} of {stream}."
    joined = {}
    with suppress(ValueError):  # an event that cannot be read is told where it stands
        for record in store.read(HOUSE_STREAM):
            event = decode_house_event(record.event)
            if isinstance(event, Joined):
                joined[event.player] = (event.name, record.time)
    for player in store.players():
        if joined.pop(player.id, None) != (player.name, player.joined):
            yield f"The player {player.id} did not join as it is written."
    for missing in joined:
        yield f"The player {missing} joined and is missing."


def _wrong_file(store: Reader) -> Iterator[str]:
    """What is wrong with the file itself: its pages, its tables and what guards them."""
    for (said,) in store.connection.execute("PRAGMA integrity_check(1)").fetchall():
        if said != "ok":
            yield f"The file is damaged: {said}."
    schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
    fresh = apsw.Connection(":memory:")
    migrate(fresh)
    found, wanted = (set(db.execute(schema).fetchall()) for db in (store.connection, fresh))
    for kind, name, _ in sorted(found ^ wanted, key=lambda row: row[:2]):
        yield f"The {kind} {name} of the file is not what Feltworks made it."
        return
