"""Verifying an excerpt by its file and the house's public key alone.

One signature covers every commit, because each is bound to the one before it. What the header says is checked by the
commits. What an excerpt cannot prove is said in the notes of the report.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import BinaryIO

from feltworks.floor import administration, person
from feltworks.floor.administration import Migrated
from feltworks.floor.excerpt.lines import HEAD, LONGEST, BadLine, Header, read_commit, read_head, read_header
from feltworks.floor.excerpt.rounds import ExcerptedRounds
from feltworks.floor.jackpot import events as jackpot_events
from feltworks.floor.jackpot import meter
from feltworks.floor.jackpot.meter import JACKPOT, is_jackpot
from feltworks.floor.journal.position import Position, key_changes
from feltworks.floor.journal.records import FIRST, Commit, Receipt, signed_message
from feltworks.floor.journal.upcasting import decode_command, decode_event
from feltworks.floor.keys import check_signature
from feltworks.floor.store.schema import StoreError
from feltworks.floor.streams import HOUSE_STREAM, PERSON, Event, is_table
from feltworks.floor.table import events as ev
from feltworks.floor.times import shown
from feltworks.floor.verification.report import Report

CANNOT_PROVE = (
    "An excerpt shows what was recorded and that nobody has changed it. Whether the rules make these results, and"
    " whether everybody had the money, follows from the records before it: `felt verify` checks that for a whole file."
)


def is_excerpt(path: Path) -> bool:
    """Whether a file is meant to be an excerpt: it is text, and the records themselves are not."""
    try:
        with path.open("rb") as file:
            return file.read(1) == b"{"
    except OSError:
        return False


def verify_excerpt(path: Path, public: str | None = None) -> Report:
    """Look at everything that is there; `public` is the house's public key."""
    report = Report()
    check = _Check(path, public, report)
    try:
        check.all()
    except _Stop as found:
        report.problems.append(str(found))
    except Exception as error:  # whatever somebody has written there
        report.problems.append(f"The file is damaged: {str(error).rstrip('.') or type(error).__name__}.")
    return report


class _Stop(Exception):
    """After this nothing that follows can be told from what was changed."""


class _Part(Position):
    """Where the records stand, without what lies before them: of the house only its key is followed."""

    def administer(self, event: Event, time: int) -> None:
        pass

    def meet(self, commit: Commit) -> None:
        """A stream that was not seen yet goes on from what its first record here names."""
        for record in commit.records:
            previous = record.previous if record.sequence > 1 else FIRST
            self.heads.setdefault(record.stream, (record.sequence - 1, previous))


class _Check:
    def __init__(self, path: Path, public: str | None, report: Report) -> None:
        self.path, self.public, self.report = path, public, report
        self.position = _Part()
        self.is_from_first = False
        """Whether the first commit of all is there."""
        self.rounds: dict[str, ExcerptedRounds] = {}
        self.changed_keys: list[tuple[str, str]] = []
        """The key before and the key after each change."""
        self.inside: list[int] = []
        """Which of the commits is the first, and which the last, whose time is in the range."""
        self.is_closed = self.is_late = False
        """Whether the group has ended that has the next one, and whether there is more after it."""
        self.times: list[int] = []
        """Of the first commit and of the last."""
        self.went_back = False

    def all(self) -> None:
        with _lines(self.path) as lines:
            header = self._header(lines)
            head = self._commits(header, lines)
        self._ends(header, head)
        self._counts(header)
        self._signatures(header)
        self._notes(header)

    def _header(self, lines: "_Lines") -> Header:
        try:
            header = read_header(lines.next())
        except BadLine as problem:
            raise _Stop(f"The first line is not the header of an excerpt: {problem}.") from None
        self.position = _Part(id=sum(number for number, _ in header.chains.values()), chains=dict(header.chains))
        self.is_from_first = self.position.id == 0
        if any(number < 1 for number, _ in header.chains.values()):
            raise _Stop("The header names a commit before the first one.")
        return header

    def _commits(self, header: Header, lines: "_Lines") -> Receipt:
        """One pass over the commits: the answer is the line after them."""
        report, streams = self.report, set[str]()
        for line in lines:
            if line.startswith(HEAD):
                return self._head(line, lines)
            commit = self._commit(line, lines.number)
            report.commits += 1
            report.records += len(commit.records)
            report.entries += sum(map(len, commit.entries))
            streams |= {record.stream for record in commit.records}
            report.streams = len(streams)
            self._time(header, commit)
        raise _Stop("The end is cut off: the last line, with the signature, is missing.")

    def _head(self, line: bytes, lines: "_Lines") -> Receipt:
        try:
            head = read_head(line)
        except BadLine as problem:
            raise _Stop(f"Line {lines.number}, with the signature, was changed: {problem}.") from None
        if next(lines, None) is not None:
            raise _Stop("There is something after the last line.")
        return head

    def _commit(self, line: bytes, number: int) -> Commit:
        position = self.position
        try:
            commit = read_commit(line)
        except BadLine as problem:
            raise _Stop(f"Line {number} was changed: {problem}.") from None
        if not self.is_from_first:
            position.meet(commit)
        wrong = position.follow(position.id + 1, commit)
        if wrong:
            raise _Stop(f"{wrong[0].upper()}{wrong[1:]}.")
        self._key(commit)
        self.report.problems.extend(self._content(commit))
        return commit

    def _key(self, commit: Commit) -> None:
        """A change of the key counts only by the signature of the one before."""
        for change in key_changes(commit):
            assert self.position.group is not None
            self.report.signatures += 1
            if not check_signature(change.before, signed_message(self.position.group[2]), commit.signature):
                raise _Stop(f"Commit {commit.number} changes the key, and the key before it has not signed that.")
            self.changed_keys.append((change.before, change.public))

    def _content(self, commit: Commit) -> Iterator[str]:
        """What can be said of a commit without those before it."""
        try:
            decode_command(commit.stream, commit.command)
        except ValueError as error:
            yield f"Commit {commit.number}: its command cannot be read: {error}."
        for record, booked in zip(commit.records, commit.entries, strict=True):
            where = f"{record.stream}, event {record.sequence}"
            try:
                event = decode_event(record.stream, record.event)
            except ValueError as error:
                yield f"{where}: it cannot be read: {error}."
                continue
            if isinstance(event, Migrated):
                self.report.notes.append(
                    "Commit 1 took over records of an older version. They are in no excerpt; `felt verify` of the whole"
                    " file checks them."
                )
            if isinstance(event, BOOKED_ALONE) and booked != _booked(record.stream, event):
                yield f"{where}: its entries in the books are not those that it makes."
            if is_table(record.stream) and isinstance(event, ev.Event):
                rounds = self.rounds.setdefault(record.stream, ExcerptedRounds(record.sequence == 1))
                yield from (f"{where}: {wrong}" for wrong in rounds.look(event, self.report))

    def _time(self, header: Header, commit: Commit) -> None:
        """It ends with the group of the first commit after the range."""
        self.went_back = self.went_back or bool(self.times and commit.time < self.times[-1])
        self.times = [*self.times[:1], commit.time]
        if header.since <= commit.time < header.until:
            self.inside = [*self.inside[:1], self.report.commits]
            self.is_closed = self.is_late = False
        elif self.inside:
            self.is_late = self.is_late or self.is_closed
            self.is_closed = self.is_closed or bool(commit.signature)

    # What the header says, and the ends.

    def _ends(self, header: Header, head: Receipt) -> None:
        report, problems = self.report, self.report.problems
        if self.position.open_group or self.position.group is None:
            raise _Stop("The end is cut off: the last commit carries no signature.")
        report.head = self.position.head
        if head != report.head:
            raise _Stop("The last line is not the signature of the last commit: one of them was changed or cut off.")
        asked = f"{shown(header.since)} to {shown(header.until)}"
        if header.since >= header.until or not self.inside:
            problems.append(f"No commit here is of the range that the header says was asked for, {asked}.")
            return
        if self.inside[0] == 1 and not self.is_from_first:
            problems.append(
                f"The beginning is cut off: the first commit is of the range that was asked for, {asked}, and the one"
                " before it is not there."
            )
        elif self.inside[0] > 2:
            problems.append(f"It begins earlier than the range that the header says was asked for, {asked}.")
        if self.is_late:
            problems.append(f"It ends later than the range that the header says was asked for, {asked}.")

    def _counts(self, header: Header) -> None:
        report = self.report
        said = {"commits": header.commits, "events": header.events, "entries": header.entries}
        found = {"commits": report.commits, "events": report.records, "entries": report.entries}
        for what, number in said.items():
            if number != found[what]:
                report.problems.append(f"The header counts {number} {what}; there are {found[what]}.")
        if self.times and (header.first, header.last) != (self.times[0], self.times[-1]):
            report.problems.append(
                f"The header says that it goes from {shown(header.first)} to {shown(header.last)}; it goes from"
                f" {shown(self.times[0])} to {shown(self.times[-1])}."
            )

    def _signatures(self, header: Header) -> None:
        report, group = self.report, self.position.group
        assert group is not None
        signer = self.position.signer or header.public
        if signer != header.public:
            report.problems.append(f"The header names the key {header.public}; the commits say that {signer} signs.")
            return
        report.signatures += 1
        if not check_signature(signer, signed_message(group[2]), group[3]):
            report.problems.append(self._first_unsigned(signer))
        elif self.public is None:
            report.notes.append(f"It is signed with the key {signer}; compare it with the house's.")
        elif self.public != signer and self.public not in {before for before, _ in self.changed_keys}:
            report.problems.append(
                f"It is signed with the key {signer}, which is not the house's, {self.public}. If the house has changed"
                " its key, give the one that was in force then."
            )

    def _first_unsigned(self, signer: str) -> str:
        """The first group whose signature does not hold."""
        current = self.changed_keys[0][0] if self.changed_keys else signer
        with _lines(self.path) as lines:
            header = read_header(lines.next())
            position, since = _Part(id=sum(n for n, _ in header.chains.values()), chains=dict(header.chains)), 0
            for line in lines:
                commit = read_commit(line)
                if not self.is_from_first:
                    position.meet(commit)
                position.follow(position.id + 1, commit)
                since = since or commit.number
                if commit.signature and position.group is not None:
                    self.report.signatures += 1
                    if not check_signature(current, signed_message(position.group[2]), commit.signature):
                        break
                    since = 0
                for change in key_changes(commit):
                    current = change.public
        span = f"commit {commit.number}" if since == commit.number else f"one of the commits {since} to {commit.number}"
        start = ", or the link before it" if since == header.chains.get(commit.chain, (0, ""))[0] + 1 else ""
        return (
            f"What the house has signed is not what is there: {span}{start} was changed, or its signature is not by the"
            f" key {current}."
        )

    def _notes(self, header: Header) -> None:
        notes = self.report.notes
        span = f"every commit from {shown(header.since)} to just before {shown(header.until)}"
        if self.report.ok:
            notes.insert(0, f"It holds {span}, and the next ones on both sides: nothing was removed or put in.")
        else:
            notes.insert(0, f"It says that it holds {span}.")
        if self.inside and self.inside[-1] == self.report.commits:
            notes.append(
                "The records ended inside the range when this was written; whether more followed, a later excerpt or a"
                " signed head tells."
            )
        if self.went_back:
            notes.append("Times go back inside: the house was started after its wall clock had been set back.")
        left_out = sum(rounds.left_out for rounds in self.rounds.values())
        if left_out:
            said = "1 round has" if left_out == 1 else f"{left_out} rounds have"
            notes.append(f"{said} begun, or the shoe has, before the excerpt: those cards and dice are not checked.")
        notes.append(CANNOT_PROVE)


BOOKED_ALONE = administration.Event | person.Event | jackpot_events.Event
"""What books nothing that does not follow from the event alone."""


def _booked(stream: str, event: administration.Event | person.Event | jackpot_events.Event) -> tuple[object, ...]:
    if stream == HOUSE_STREAM and isinstance(event, administration.Event):
        return tuple(administration.entries(event))
    if is_jackpot(stream) and isinstance(event, jackpot_events.Event):
        return tuple(meter.entries(stream.removeprefix(JACKPOT), event))
    assert isinstance(event, person.Event)
    return tuple(person.entries(stream.removeprefix(PERSON), event))


class _Lines:
    """The lines of a file, one after the other, each whole."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.number = 0

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> bytes:
        line = self._file.readline(LONGEST)
        if not line:
            raise StopIteration
        self.number += 1
        if not line.endswith(b"\n"):
            raise _Stop(f"Line {self.number} is cut off.")
        return line

    def next(self) -> bytes:
        return next(self, b"")


@contextmanager
def _lines(path: Path) -> Iterator[_Lines]:
    try:
        file = path.open("rb")
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}.") from None
    with closing(file):
        yield _Lines(file)
