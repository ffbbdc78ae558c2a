"""What is due: deadlines with their source, and the list of what is to be done and of what was (F-38)."""

import tomllib
from collections.abc import Iterator
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from feltworks.floor.administration import Administration, BecameDue, DueDone, NoteDue
from feltworks.floor.following import paced
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.store.reader import Reader
from feltworks.floor.streams import HOUSE_STREAM
from feltworks.floor.table.state import Table
from feltworks.floor.times import EPOCH
from feltworks.kit.incidents import CARDS, DEVICE_FAULT, device_of

Time = int
Kind = Literal["device_fault", "code_difference"]
DEADLINES = Path(__file__).with_suffix(".toml")
HOUR = 3_600_000


class Deadline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long there is for something, since when that is so, and who says it."""

    since: date
    hours: int
    what: str
    source: str
    verified: bool


class DueItem(msgspec.Struct, frozen=True):
    """Something that is due."""

    id: str
    what: str
    about: str
    deadline: Time
    source: str
    verified: bool
    overdue: bool


class DoneItem(msgspec.Struct, frozen=True):
    """Something that was due and was done, by whom, when, and what they say about it."""

    id: str
    what: str
    about: str
    deadline: Time
    by: str
    at: Time
    note: str

    @property
    def late(self) -> bool:
        return self.at > self.deadline


@cache
def in_force() -> dict[str, list[Deadline]]:
    """By kind, as they were and are in force."""
    return msgspec.convert(tomllib.loads(DEADLINES.read_text("utf-8")), dict[str, list[Deadline]])


def deadline_of(kind: Kind, now: Time) -> Deadline:
    """The deadline that is in force now; before the first one, that."""
    known = sorted(in_force()[kind], key=lambda deadline: deadline.since)
    begun = [d for d in known if _first_moment(d.since) <= now]
    return (begun or known[:1])[-1]


def note_due(kind: Kind, id: str, about: str, now: Time) -> NoteDue:
    found = deadline_of(kind, now)
    return NoteDue(id, found.what, about, now + found.hours * HOUR, found.source, found.verified)


def faults(stream: str, before: Table, after: Table, now: Time) -> Iterator[NoteDue]:
    """What becomes due when a device fault is reported, or devices go out of service without that (D-10)."""
    failed = [device for device in after.out_of_service if device not in before.out_of_service and device != CARDS]
    if before.incident == DEVICE_FAULT:  # which is on the list since it was reported
        failed = [device for device in failed if device != device_of(before.report_text)]
    elif after.incident == DEVICE_FAULT:
        failed.append(device_of(after.report_text))
    for device in failed:
        round = f", round {after.round_number}" if after.round_number else ""
        yield note_due("device_fault", f"{stream}/{after.version}/{device}", f"table {stream}{round}: {device}", now)


def items(house: Administration, now: Time) -> list[DueItem]:
    """What is due, the most urgent first."""
    found = [
        DueItem(item.id, item.what, item.about, item.deadline, item.source, item.verified, item.deadline < now)
        for item in house.due.values()
    ]
    return sorted(found, key=lambda item: (item.deadline, item.id))


class DoneList:
    """All that was due and was done, from the journal. What was read once is remembered, and the next look goes on from
    there."""

    def __init__(self) -> None:
        self._after = 0
        self._due: dict[str, BecameDue] = {}
        self._done: list[DoneItem] = []

    def read(self, store: Reader) -> list[DoneItem]:
        """The oldest first."""
        for record in paced(store.read(HOUSE_STREAM, self._after)):
            if b"due" in record.event:
                match decode_event(HOUSE_STREAM, record.event):
                    case BecameDue(id) as item:
                        self._due[id] = item
                    case DueDone(id, note) if id in self._due:
                        item = self._due.pop(id)
                        said = (record.actor, record.time, note)
                        self._done.append(DoneItem(id, item.what, item.about, item.deadline, *said))
            self._after = record.sequence
        return self._done


def done_items(store: Reader) -> list[DoneItem]:
    """All that was due and was done, the newest first, from the journal."""
    return DoneList().read(store)[::-1]


def _first_moment(day: date) -> Time:
    return int((datetime(day.year, day.month, day.day, tzinfo=EPOCH.tzinfo) - EPOCH).total_seconds() * 1_000)
