"""Verifying the records of a house that is served, beside it: `python -m feltworks.floor.verification.process`.

The process copies the records as they are at one moment, so that no long reading holds up whoever writes them, and
verifies the copy at the lowest priority. What to verify is a line of JSON on standard input; lines on standard output
tell how far it is, and the last one what was found. It ends, with its copy, as soon as its standard input does: so it
cannot outlive the house.
"""

import os
import shutil
import sys
import threading
from pathlib import Path
from tempfile import mkdtemp

import msgspec

from feltworks.floor.journal.records import Receipt
from feltworks.floor.store.backup import backup
from feltworks.floor.verification.report import Report
from feltworks.floor.verification.verify import verify
from feltworks.kit.errors import FeltworksError

NICE = 19
"""Whatever else wants the processor goes first."""
MOST_TOLD = 50
"""So many problems are told one by one; more of them say nothing new."""
SPARE = 2**28
"""So many bytes of the disk are left to the house beside the copy."""
COPY = ".verifying-"
"""How the name of the folder begins that the copy lies in, beside the records."""


class Asked(msgspec.Struct, frozen=True):
    records: str
    public: str
    head: Receipt | None = None
    """The newest signature, as the house knows it: it shows an end that was cut off."""


class Progress(msgspec.Struct, frozen=True, tag="progress"):
    done: int
    total: int


class Finding(msgspec.Struct, frozen=True, tag="finding"):
    """What was found, in words."""

    is_ok: bool
    counts: str
    notes: list[str]
    problems: list[str]
    more: int = 0
    """Problems beside these."""


class Failure(msgspec.Struct, frozen=True, tag="failure"):
    """Why nothing was verified."""

    why: str


Told = Progress | Finding | Failure


def check(asked: Asked, folder: Path) -> "Finding | Failure":
    """Copy the records into a folder and verify the copy."""
    records, copy = Path(asked.records), folder / "records.db"
    try:
        size = records.stat().st_size + _log_size(records)
        if shutil.disk_usage(folder).free < size + SPARE:
            return Failure(
                f"There is too little room on the disk for a copy of the records, which takes {size // 2**20 + 1} MB;"
                " make room, or run `felt verify` on a backup elsewhere."
            )
        backup(records, copy)
        report = verify(
            copy, asked.public, [asked.head] if asked.head else [], (), lambda *far: _tell(Progress(*far)), alone=True
        )
    except (FeltworksError, OSError) as problem:
        return Failure(str(problem))
    return finding(report)


def finding(report: Report) -> Finding:
    notes = [*report.notes, *report.not_replayed]
    more = max(0, len(report.problems) - MOST_TOLD)
    return Finding(report.ok, report.counts, notes[:MOST_TOLD], report.problems[:MOST_TOLD], more)


def _log_size(records: Path) -> int:
    log = Path(f"{records}-wal")
    return log.stat().st_size if log.exists() else 0


def _tell(told: Told) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
    sys.stdout.buffer.flush()


def main() -> None:
    os.nice(NICE)
    asked = msgspec.json.decode(sys.stdin.buffer.readline(), type=Asked)
    beside = Path(asked.records).parent
    for left in beside.glob(f"{COPY}*"):  # by one that was killed
        shutil.rmtree(left, ignore_errors=True)
    folder = Path(mkdtemp(prefix=COPY, dir=beside))

    def wait_for_the_end() -> None:
        sys.stdin.buffer.read()
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)

    threading.Thread(target=wait_for_the_end, daemon=True).start()
    try:
        _tell(check(asked, folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
