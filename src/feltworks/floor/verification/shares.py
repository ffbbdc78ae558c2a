"""Playing the records again on several processors: each takes a share of the tables."""

from collections.abc import Collection

import msgspec

from feltworks.floor.administration import KeyChanged, Propose
from feltworks.floor.jackpot.meter import is_jackpot
from feltworks.floor.journal.records import Commit, signed_ends
from feltworks.floor.journal.upcasting import decode_command, decode_event
from feltworks.floor.store.reader import Reader
from feltworks.floor.streams import HOUSE_STREAM, is_table
from feltworks.floor.table import events as ev
from feltworks.floor.verification.replay import StreamReplay
from feltworks.floor.verification.report import Report


def publics_of(store: Reader, public: str | None) -> list[str]:
    """Every key that may have signed."""
    found = [public] if public else []
    for record in store.read(HOUSE_STREAM):
        if b"key changed" in record.event:
            event = decode_event(HOUSE_STREAM, record.event)
            if isinstance(event, KeyChanged):
                found += [event.before, event.public]
    return found


def touches(commit: Commit, streams: Collection[str]) -> bool:
    """Whether a commit depends on one of these streams: what is proposed to a table is tried there first, and the terms
    of a jackpot change by the rounds that are being played (F-40)."""
    if commit.stream in streams or any(record.stream in streams for record in commit.records):
        return True
    if is_jackpot(commit.stream):
        return bool(streams) and b'"change jackpot"' in commit.command
    if commit.stream != HOUSE_STREAM or b'"propose"' not in commit.command:
        return False
    try:
        command = decode_command(HOUSE_STREAM, commit.command)
    except msgspec.DecodeError:
        return False  # whoever follows it says so
    return isinstance(command, Propose) and command.stream in streams


def shares_of(store: Reader, count: int) -> list[set[str]]:
    """The tables, in shares of about as many events. A table and its successor are in one share."""
    together: dict[str, list[str]] = {}
    first: dict[str, str] = {}
    for stream in filter(is_table, store.streams()):
        first[stream] = stream
        for record in store.read(stream, 0, 1):
            event = decode_event(stream, record.event)
            if isinstance(event, ev.Opened) and event.predecessor:
                first[stream] = event.predecessor
    for stream in first:
        oldest = stream
        for _ in first:  # at most so many times, whatever somebody has written there
            oldest = first.get(oldest, oldest)
        together.setdefault(oldest, []).append(stream)
    tables = sorted((sum(store.head(stream)[0] for stream in streams), streams) for streams in together.values())
    shares: list[tuple[int, set[str]]] = [(0, set()) for _ in range(min(count, max(1, len(tables))))]
    for events, streams in reversed(tables):
        lightest = min(range(len(shares)), key=lambda n: shares[n][0])
        weight, held = shares[lightest]
        shares[lightest] = weight + events, {*held, *streams}
    return [streams for _, streams in shares if streams]


def replay_tables(path: str, until: int, streams: set[str], public: str | None) -> Report:
    report = Report()
    with Reader(path) as store:
        snapshots = {stream: dict(store.snapshots(stream)) for stream in streams}
        replay = StreamReplay(report, publics_of(store, public), snapshots, signed_ends(store.old_heads()))
        for id, commit in store.commits(store.first_commit() - 1):
            if id > until:
                break
            if touches(commit, streams):
                replay.follow(commit, id)
            else:
                replay.fold(commit)
    return report
