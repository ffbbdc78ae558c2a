"""Verifying the records of a house: every commit, event, entry, signature, secret and opened card, by the file alone.

Whoever holds the file can change it, and the hashes with it. What they cannot do is sign: the signature of the last
group covers everything before it. A receipt or an exported head, kept elsewhere, shows records that were cut after it
or written anew.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from feltworks.floor import person
from feltworks.floor.administration import (
    EXCLUSIONS,
    ExclusionsImported,
    ExclusionsRemoved,
    KeyChanged,
    Migrated,
    OldJoined,
)
from feltworks.floor.journal.position import Position, overdrawn, read_checkpoint
from feltworks.floor.journal.records import (
    FIRST,
    Commit,
    Head,
    Receipt,
    Record,
    signed_ends,
    signed_message,
    table_digest,
)
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import check_signature
from feltworks.floor.person import is_identity, is_kept
from feltworks.floor.store.inspect import rows_of_older_version, wrong_file, wrong_lists
from feltworks.floor.store.reader import Reader
from feltworks.floor.streams import HOUSE_STREAM, PERSON
from feltworks.floor.table import events as ev
from feltworks.floor.verification.replay import StreamReplay
from feltworks.floor.verification.report import Report
from feltworks.floor.verification.shares import publics_of, replay_tables, shares_of, touches
from feltworks.kit.workers import processors

SMALL = 20_000
"""Records up to this many commits are checked by one process: others take longer to start."""
Progress = Callable[[int, int], None]


def verify(
    path: str | Path,
    public: str | None = None,
    receipts: Iterable[Receipt] = (),
    heads: Iterable[Head] = (),
    progress: Progress | None = None,
    *,
    alone: bool = False,
) -> Report:
    """Look at everything, as it is at one moment; the file may be written meanwhile.

    `public` is the house's public key; `receipts` and `heads` are signatures that were kept elsewhere. `alone`: long
    records take one process too, and other work on the machine has the other processors.
    """
    report = Report()
    with Reader(path) as store:
        try:
            with store.frozen():
                _Check(store, public, list(receipts), list(heads), report, progress).all(alone)
        except Exception as error:  # whatever somebody who holds the file has written there
            report.problems.append(f"The file is damaged: {str(error).rstrip('.') or type(error).__name__}.")
    return report


@dataclass
class _Signatures:
    """The keys that signed, one after the other, and what each signature that matters covers."""

    first: str | None = None
    """The key before the first change; nothing if it never changed."""
    changes: list[tuple[int, str, str]] = field(default_factory=list)
    """Commits that change the key: their place, the key before and the key after."""

    @property
    def publics(self) -> list[str]:
        known = [self.first] if self.first else []
        return [*known, *(after for _, _, after in self.changes)]


class _Check:
    def __init__(
        self,
        store: Reader,
        public: str | None,
        receipts: Sequence[Receipt],
        heads: Sequence[Head],
        report: Report,
        progress: Progress | None,
    ) -> None:
        self.store, self.public, self.report, self.progress = store, public, report, progress
        self.receipts, self.heads = receipts, [*store.old_heads(), *heads]
        self.publics = publics_of(store, public)
        """Every key that may have signed."""
        self.position = Position()
        self.bad_streams: set[str] = set()
        self.bad_chains: set[str] = set()
        self.old_ends: dict[str, tuple[int, str]] = {}
        self.old_joined: dict[str, int] = {}
        self.signed: dict[tuple[str, int], str] = {}
        """What was signed at the ends of groups that somebody kept a receipt of."""
        self.keys = _Signatures()
        self.vouched = False
        """Whether the house's key has signed a checkpoint that is right: everything before it counts as signed."""
        self.lost: list[str] = []
        """What is there and is not found by its key."""
        self.people: dict[str, tuple[str, int]] = {}
        self.kept: dict[tuple[str, str], str] = {}
        """The digests of what is kept outside the journal, by whose and what it is."""
        self.sessions: dict[str, tuple[str, int, int]] = {}

    def all(self, alone: bool = False) -> None:
        report, store = self.report, self.store
        snapshots = {stream: dict(store.snapshots(stream)) for stream in store.snapshot_streams()}
        total = store.last_commit()
        split = not alone and total > SMALL and processors() > 1
        if split:
            jobs = shares_of(store, processors())
            context = get_context("spawn")
            with ProcessPoolExecutor(len(jobs), context) as pool:
                futures = [pool.submit(replay_tables, str(store.path), total, job, self.public) for job in jobs]
                self._walk(StreamReplay(report, (), {}), total, elsewhere=set().union(*jobs))
                for future in futures:
                    report.add(future.result())
        else:
            self._walk(StreamReplay(report, self.publics, snapshots, signed_ends(store.old_heads())), total)
        self._check_signatures()
        self._check_rest()

    # One pass over everything.

    def _walk(self, replay: StreamReplay, total: int, elsewhere: Collection[str] = ()) -> None:
        """`elsewhere` are the streams that other processes replay."""
        seen = {"commits": 0, "events": 0, "entries": 0, "secrets": 0}
        checkpoints = dict(self.store.checkpoints())
        wanted = {(receipt.chain, receipt.group) for receipt in self.receipts}
        whole = True
        for id, commit in self.store.commits(self.store.first_commit() - 1):
            self._look_up(id, commit)
            seen["commits"] += 1
            seen["events"] += len(commit.records)
            seen["entries"] += sum(map(len, commit.entries))
            seen["secrets"] += len(commit.secrets)
            if self.progress and seen["commits"] % 1_000 == 0:
                self.progress(max(0, id), total)
            if id < 1:
                whole = self._old_records(commit) and whole
            else:
                self._taken_over(id, commit)
                whole = self._follow(id, commit) and whole
                group = self.position.group
                if group is not None and group[:2] in wanted and commit.signature:
                    self.signed[group[:2]] = group[2]
                if id in checkpoints and whole:
                    self._check_checkpoint(id, checkpoints[id], self.publics)
                self._gather(id, commit)
            if touches(commit, elsewhere):
                replay.fold(commit)
            else:
                replay.follow(commit, id)
        if total < 1 and self.old_ends:
            self.report.problems.append("The older records were never taken over: nobody has signed them.")
        for id in sorted(checkpoints):
            if id < 1 or id > total:
                self.report.problems.append(f"There is a checkpoint after commit {id}, which is not there.")
        self._count(seen)

    def _look_up(self, id: int, commit: Commit) -> None:
        """What was read in its order is found by its key too: a house looks for it there."""
        if commit.command_id:
            done = self.store.done([commit.actor], commit.command_id)
            if done is None or done.id != id:
                self.lost.append(f"The command {commit.command_id} of {commit.actor} is not found under its id alone.")
        for root, sealed in commit.secrets:
            if self.store.secret(root) != sealed:
                self.lost.append(f"What is sealed under the root {root} is not found there.")

    def _old_records(self, commit: Commit) -> bool:
        """The chain of each stream, as the first version has it."""
        good = True
        for record in commit.records:
            if record.stream in self.bad_streams:
                continue
            wrong = _broken(record, *self.old_ends.get(record.stream, (0, FIRST)))
            if wrong:
                good = False
                self._bad(record.stream, wrong)
            self.old_ends[record.stream] = record.sequence, record.hash
            if record.stream == HOUSE_STREAM:
                event = decode_event(HOUSE_STREAM, record.event)
                if isinstance(event, OldJoined):
                    self.old_joined[event.player] = record.time
            for head in self.heads:
                if (head.stream, head.sequence) == (record.stream, record.sequence) and head.hash != record.hash:
                    self._bad(
                        record.stream, f"{record.stream}, event {record.sequence}: it is not the event that was signed."
                    )
        return good

    def _bad(self, stream: str, wrong: str) -> None:
        self.bad_streams.add(stream)
        self.report.problems.append(wrong)

    @property
    def is_broken(self) -> bool:
        return bool(self.bad_streams or self.bad_chains)

    def _taken_over(self, id: int, commit: Commit) -> None:
        """The older records are those that the first commit took over."""
        if id != 1:
            return
        first = commit.records[0] if commit.records and commit.stream == HOUSE_STREAM else None
        event = decode_event(first.stream, first.event) if first else None
        if not isinstance(event, Migrated):
            if self.old_ends or self.store.first_commit() < 1 or self.store.old_heads():
                self.report.problems.append("There are older records that nobody has taken over or signed.")
            return
        self.report.notes.append(
            "Older records were taken over by commit 1. Entries, sessions and what was not signed then are as they were"
            " found; since then nobody can have changed them."
        )
        if {stream: tuple(end) for stream, end in event.heads.items()} != self.old_ends:
            self.report.problems.append("The older records do not end where they were taken over.")
        for name, rows in rows_of_older_version(self.store).items():
            if table_digest(rows) != event.tables.get(name):
                self.report.problems.append(f"The {name} are not those that were taken over.")

    def _follow(self, id: int, commit: Commit) -> bool:
        """The chain of commits; of each stream and chain the first fault is told."""
        position = self.position
        if commit.chain in self.bad_chains:
            return False
        ends: dict[str, tuple[int, str]] = {}
        for record in commit.records:
            before = ends.get(record.stream) or position.heads.get(record.stream)
            wrong = _broken(record, *(before or self.old_ends.get(record.stream, (0, FIRST))))
            if wrong and record.stream not in self.bad_streams:
                self._bad(record.stream, wrong)
            ends[record.stream] = record.sequence, record.hash
        wrong = position.follow(id, commit)
        if wrong:
            if not self.is_broken:
                self.report.problems.append(f"{wrong[0].upper()}{wrong[1:]}.")
            self.bad_chains.add(commit.chain)
            return False
        for name in overdrawn({str(e.payer): position.balances[str(e.payer)] for es in commit.entries for e in es}):
            self.report.problems.append(f"Commit {commit.number} leaves {name} below zero.")
        return True

    def _gather(self, id: int, commit: Commit) -> None:
        """What stands beside the records, as the events make it."""
        secrets = {root for root, _ in commit.secrets}
        for record in commit.records:
            try:
                event = decode_event(record.stream, record.event)
            except ValueError:
                continue  # the replay names it
            who = record.stream.removeprefix(PERSON)
            match event:
                case ev.RoundStarted(root=str(root)) | ev.Reshuffled(root=str(root)) if root and root not in secrets:
                    self.report.problems.append(
                        f"{record.stream}, event {record.sequence}: its sealed cards or rolls are missing."
                    )
                case KeyChanged(public, before):
                    self.keys.first = self.keys.first or before
                    self.keys.changes.append((id, before, public))
                case person.Joined(digest):
                    self.people[who] = digest, self.old_joined.get(who, record.time)
                case person.Renamed(digest) if who in self.people:
                    self.people[who] = digest, self.people[who][1]
                case person.Forgotten():
                    self.people.pop(who, None)
                    self.kept = {key: digest for key, digest in self.kept.items() if key[0] != who}
                case person.PasswordSet(digest):
                    self.kept[who, person.PASSWORD] = digest
                case person.Kept(what, digest):
                    self.kept[who, what] = digest
                case ExclusionsImported(digest=digest):
                    self.kept[HOUSE_STREAM, EXCLUSIONS] = digest
                case ExclusionsRemoved():
                    self.kept.pop((HOUSE_STREAM, EXCLUSIONS), None)
                case person.SessionOpened(token, expires):
                    self.sessions = {
                        token: held for token, held in self.sessions.items() if held[0] != who or held[2] > record.time
                    }
                    self.sessions[token] = who, record.time, expires
                case person.SessionEnded(token):
                    self.sessions.pop(token, None)

    def _check_checkpoint(self, id: int, data: bytes, publics: Sequence[str]) -> None:
        for public in publics:
            found = read_checkpoint(id, data, public)
            if found is not None:
                here, timed = self.position, found.time in (0, self.position.time)
                known = (here.heads, here.balances, here.chains, here.house, here.meters)
                if (found.heads, found.balances, found.chains, found.house, found.meters) != known or not timed:
                    self.report.problems.append(f"The checkpoint after commit {id} is not what the records make.")
                elif public == self.public:
                    self.vouched = True
                return
        if publics:
            self.report.problems.append(f"The checkpoint after commit {id} is not signed by the house.")

    def _count(self, seen: dict[str, int]) -> None:
        report = self.report
        report.commits += seen["commits"]
        report.records += seen["events"]
        report.entries += seen["entries"]
        report.streams = len(self.store.streams())
        for table, count in self.store.counts().items():
            if count != seen[table]:
                report.problems.append(
                    f"There are {count - seen[table]} rows of {table} that belong to no commit in order."
                )

    # Signatures.

    def _check_signatures(self) -> None:
        report, group = self.report, self.position.group
        report.head = self.position.head
        known = {*self.keys.publics, *([self.public] if self.public else [])}
        if self.public is not None and self.keys.publics and self.public not in self.keys.publics:
            report.problems.append(f"The house's key, {self.public}, never signed these records.")
        elif self.public is not None and self.keys.changes and not self._has_signed(self.public):
            report.problems.append(
                f"The house's key, {self.public}, has signed nothing of these records: they only name it."
            )
        for problem in self._old_signatures():
            report.problems.append(problem)
        if group is None:
            if self.store.last_commit() > 0 and not self.is_broken:
                report.problems.append("No commit is signed.")
            elif self.store.last_commit() < 1 and self.public is not None:
                report.notes.append(f"The house's key, {self.public}, has signed nothing here: there is no commit.")
        else:
            if self.position.open_group:
                number = self.position.chains[group[0]][0]
                report.problems.append(
                    f"The commits after {group[1]}, up to {number}, are not signed: they were written without the key."
                )
            self._check_last(group, known)
        self._check_receipts(known)

    def _has_signed(self, public: str) -> bool:
        """Whether a key that the records name has signed something that covers what is before it."""
        return (
            self.vouched
            or self.position.signer == public
            or any(public == before for _, before, _ in self.keys.changes)
        )

    def _check_last(self, group: tuple[str, int, str, bytes], known: Collection[str]) -> None:
        """One signature proves everything before it; where it does not hold, the first that does not is searched."""
        current = self.position.signer or self.public
        if current is None:
            self.report.notes.append("No public key is given, so that signatures are not checked; give it with --key.")
            return
        self.report.signatures += 1
        if self.is_broken:
            return
        holds = check_signature(current, signed_message(group[2]), group[3])
        wrong = self._first_unsigned() if not holds or self.keys.changes else ""
        if wrong or not holds:
            self.report.problems.append(wrong or "The last signature is not the house's.")
        elif self.public is None:
            self.report.notes.append(f"The records are signed with the key {current}; compare it with the house's.")

    def _first_unsigned(self) -> str:
        """The first group whose signature does not hold: each change of the key must be signed by the one before."""
        position, since = Position(), 0
        current = self.keys.first or self.public or ""
        changes = {id: after for id, _, after in self.keys.changes}
        for id, commit in self.store.commits(0):
            position.follow(id, commit)
            if commit.signature and position.group is not None:
                self.report.signatures += 1
                if not check_signature(current, signed_message(position.group[2]), commit.signature):
                    span = f"commit {id}" if since + 1 == id else f"one of the commits {since + 1} to {id}"
                    return (
                        f"What the house has signed is not what is there: {span} ({commit.stream}) was changed, or its"
                        " signature is not the house's."
                    )
                since = id
            current = changes.get(id, current)
        return ""

    def _old_signatures(self) -> Iterator[str]:
        """Of records of the first version: heads of streams."""
        for head in sorted(self.heads, key=lambda head: (head.stream, head.sequence)):
            self.report.signatures += 1
            last = self.old_ends.get(head.stream, (0, FIRST))[0]
            where = f"{head.stream}, event {head.sequence}"
            if not check_signature(head.public, head.message, head.signature):
                yield f"{where}: the signature under it is not the house's."
            elif head.sequence > last:
                yield f"{head.stream}, event {last + 1}: it is missing; event {head.sequence} was signed."
                return

    def _check_receipts(self, known: Collection[str]) -> None:
        last = self.position.chains
        for receipt in self.receipts:
            self.report.receipts += 1
            if known and not any(receipt.is_signed_by(public) for public in known):
                self.report.problems.append(f"The receipt of commit {receipt.commit} is not signed by this house.")
            elif receipt.commit > receipt.group:
                self.report.problems.append(f"The receipt of commit {receipt.commit} is of a group that ended before.")
            elif receipt.group > last.get(receipt.chain, (0, ""))[0]:
                end = last.get(receipt.chain, (0, ""))[0]
                self.report.problems.append(
                    f"Commit {receipt.commit} was acknowledged and is not there: the records end with commit {end}."
                    " They were cut, or this is an older copy."
                )
            elif self.signed.get((receipt.chain, receipt.group)) != receipt.hash:
                self.report.problems.append(
                    f"Commit {receipt.commit} is not what was acknowledged: the records were written anew."
                )

    # What stands beside the commits.

    def _check_rest(self) -> None:
        report, store = self.report, self.store
        report.problems += [*store.wrong_books(), *wrong_lists(store), *wrong_file(store)]
        if not self.is_broken:
            made = {name: cents for name, cents in self.position.balances.items() if cents}
            held = {name: cents for name, cents in store.balances().items() if cents}
            for name in sorted({n for n in {*made, *held} if made.get(n) != held.get(n)})[:3]:
                report.problems.append(
                    f"The account {name} stands at {held.get(name, 0)} cents; the commits make {made.get(name, 0)}."
                )
        report.problems += [*self._people(), *self.lost[:3]]

    def _people(self) -> Iterator[str]:
        people = dict(self.people)
        for row in self.store.people():
            digest, joined = people.pop(row.id, ("", 0))
            if not is_identity(digest, row.salt, row.name) or joined != row.joined:
                yield f"The person {row.id} is not the one who joined."
            elif self.store.person(row.id) != row:
                yield f"The person {row.id} is not found under this id."
        for missing in sorted(people)[:3]:
            yield f"The person {missing} joined, was not forgotten, and has no name."
        yield from self._wrongly_kept()
        rows = self.store.sessions()
        self.lost += [
            f"A session of {row.person} is not found by its token."
            for row in rows
            if self.store.session(row.token) != row
        ]
        sessions = {row.token: (row.person, row.opened, row.expires) for row in rows}
        for token in sorted({t for t in {*sessions, *self.sessions} if sessions.get(t) != self.sessions.get(t)})[:3]:
            who = (sessions.get(token) or self.sessions[token])[0]
            yield f"A session of {who} is not as it was opened or ended."

    def _wrongly_kept(self) -> Iterator[str]:
        """Passwords' hashes and the like: each is what the journal has the digest of."""
        missing = dict(self.kept)
        for row in self.store.all_kept():
            if not is_kept(missing.pop((row.owner, row.what), ""), row.salt, row.what, row.body):
                yield f"The {row.what} of {row.owner} is not what was recorded."
            elif self.store.kept(row.owner, row.what) != row:
                yield f"The {row.what} of {row.owner} is not found under its name."
        for owner, what in sorted(missing)[:3]:
            yield f"The {what} of {owner} is missing."


def _broken(record: Record, last: int, hash: str) -> str:
    """How a record breaks the chain of its stream, if it does."""
    where = f"{record.stream}, event {last + 1}"
    if record.sequence != last + 1:
        return f"{where}: it is missing; the next one there is {record.sequence}."
    if record.hash != record.true_hash:
        return f"{where}: it was changed or moved: its hash does not belong to what it says."
    if record.previous != hash:
        return f"{where}: it does not follow the event before it: one of them was put in later."
    return ""
