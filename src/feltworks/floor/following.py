"""Whether a part of a stream is what the house has recorded, without reading all of it (F-16)."""

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from feltworks.floor.journal.journal import BrokenRecords
from feltworks.floor.journal.records import Record
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.store.interface import PlayedRound
from feltworks.floor.store.reader import Reader
from feltworks.floor.table import events as ev
from feltworks.floor.table.snapshot import is_signed

T = TypeVar("T")
AT_A_TIME = 16
MOST = 20_000
"""So many records are followed at most: that takes about a third of a second."""
OVER = (ev.RoundEnded, ev.Voided, ev.Abandoned)
"""The last event of a round."""
NOT_FOLLOWED = "These records were not followed to what the house has signed; `felt verify` checks everything."


def follow(
    store: Reader, stream: str, first: int, last: int, public: str | None, head: tuple[int, str] | None = None
) -> str:
    """Follow the hashes of a stream from a record past another to what is known: a snapshot that the house has signed,
    or the head. Where there is none, or it is too far, only these records are looked at, and the answer says so."""
    known = _signed_after(store, stream, last, public) or head
    if known is not None and (known[0] < last or known[0] - first > MOST):
        known = None
    number, hash = first - 1, ""
    for record in paced(store.read(stream, first - 1, known[0] if known else last)):
        if record.sequence != number + 1 or record.hash != record.true_hash:
            raise BrokenRecords(f"{stream}, event {number + 1}, was changed; run `felt verify`.")
        number, hash = record.sequence, record.hash
    if number < last or (known is not None and (number, hash) != known):
        raise BrokenRecords(f"{stream} is not what the house has recorded; run `felt verify`.")
    return "" if known else NOT_FOLLOWED


def wrong_about(stream: str, number: int) -> BrokenRecords:
    return BrokenRecords(f"The list of rounds is wrong about round {number} of {stream}; run `felt verify`.")


def round_records(store: Reader, stream: str, played: PlayedRound, most: int | None = None) -> list[Record]:
    """The records of a round, or the first of them: from where it begins to where it is over, or to the end of the
    stream while it is played. They must say so themselves, because nobody signs the list of rounds."""
    records: list[Record] = []
    for record in paced(store.read(stream, max(0, played.first - 1))):
        event = decode_event(stream, record.event)
        begins = isinstance(event, ev.RoundStarted) and event.round == played.round
        if begins == bool(records) or record.round != played.round:
            raise wrong_about(stream, played.round)
        records.append(record)
        if isinstance(event, OVER):
            if record.sequence != played.last:
                raise wrong_about(stream, played.round)
            return records
        if len(records) == most:
            return records
    if not records or records[-1].sequence < played.last:
        raise wrong_about(stream, played.round)
    return records


def paced(things: Iterable[T]) -> Iterator[T]:
    """The same, with a pause now and then in which other threads have their turn."""
    for n, thing in enumerate(things, 1):
        if n % AT_A_TIME == 0:
            time.sleep(0)
        yield thing


def _signed_after(store: Reader, stream: str, sequence: int, public: str | None) -> tuple[int, str] | None:
    for at, data in store.snapshots(stream, sequence) if public else ():
        hash = store.hash_of(stream, at)
        if public and is_signed(data, stream, at, hash, public):
            return at, hash
    return None
