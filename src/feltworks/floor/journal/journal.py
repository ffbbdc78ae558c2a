"""The journal of one writing process: everything that changes goes through `commit`, and nothing else writes.

It keeps the head of every stream, every balance and the link of its chain in memory, where nobody can change them. They
come from a checkpoint that the house has signed and from the commits after it; so what somebody wrote into the file
without the key is found at the start, or refused when the house next writes (F-16).
"""

import logging
from collections import ChainMap
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from feltworks.floor import administration, person
from feltworks.floor.accounts import Cents
from feltworks.floor.actors import Actor
from feltworks.floor.jackpot.meter import is_jackpot
from feltworks.floor.journal.position import Position, other_chains, read_checkpoint
from feltworks.floor.journal.records import (
    FIRST,
    Commit,
    Receipt,
    Record,
    chained,
    group_hash,
    link_after,
    salted,
    signed_message,
)
from feltworks.floor.journal.upcasting import encode
from feltworks.floor.keys import Signer, check_signature
from feltworks.floor.store.interface import Beside, KeptRow, PersonRow, SessionRow, Writing
from feltworks.floor.streams import HOUSE_STREAM, PERSON, Command, Happened, is_table
from feltworks.kit.errors import FeltworksError

Time = int
CHECKPOINT_EVERY = 500
"""After so many commits the heads and balances are written down again, signed."""
MAIN = "main"
"""The chain of the process that serves the tables."""

_log = logging.getLogger("feltworks.journal")


class BrokenRecords(FeltworksError):
    """The end of the records is not what the house has signed."""


class OldKey(BrokenRecords):
    """The key file is the one from before the last change of the key; `position` is where the records stand."""

    def __init__(self, position: Position) -> None:
        super().__init__("The house's key was changed, and the key file is still the old one: put the new one there.")
        self.position = position


class Overdrawn(FeltworksError):
    """An account would go below zero that may not owe (F-11)."""


@dataclass(frozen=True)
class Draft:
    """A command that was decided, and everything that is to be committed with it."""

    stream: str
    command: Command
    actor: Actor
    time: Time
    happened: Sequence[Happened] = ()
    command_id: str = ""
    secrets: Sequence[tuple[str, bytes]] = ()
    joined: Sequence[PersonRow] = ()
    renamed: Sequence[PersonRow] = ()
    kept: Sequence[KeptRow] = ()
    snapshot: Callable[[Record], bytes] | None = None
    """Makes one of the stream's last record."""


class Journal:
    """Decided commands become records here: chained, booked, signed and durable, or not at all."""

    def __init__(self, store: Writing, keys: Signer, chain: str = MAIN) -> None:
        self.store, self.keys, self.chain = store, keys, chain
        self.since_checkpoint = 0
        self.position = self._caught_up()

    def _caught_up(self) -> Position:
        """The position at the end of the records; what cannot be read at all is damaged too."""
        try:
            return self._followed()
        except BrokenRecords:
            raise
        except Exception as problem:  # whatever somebody who holds the file has written there
            said = str(problem).rstrip(".") or type(problem).__name__
            raise BrokenRecords(f"The end of the records cannot be read: {said}.") from problem

    @classmethod
    def at(cls, store: Writing, keys: Signer, position: Position) -> "Journal":
        """A journal that goes on from a position that is known."""
        journal = cls.__new__(cls)
        journal.store, journal.keys, journal.chain = store, keys, MAIN
        journal.since_checkpoint, journal.position = 0, position
        return journal

    def _followed(self) -> Position:
        """From the newest checkpoint, if the house has signed it, or from the first commit."""
        found = self.store.checkpoint()
        position = read_checkpoint(*found, self.keys.public) if found else None
        if found and position is None:
            _log.warning("The checkpoint after commit %s is not signed by the house; all commits are read.", found[0])
        position = position or Position()
        seen, known = position.id, position.group
        self.since_checkpoint = self._follow_all(position)
        if position.id > seen:
            self._check_end(position)
        elif self.store.last_commit() < seen:
            raise BrokenRecords("The end of the records is cut off: the house has signed more than there is.")
        if seen:
            self._check_belongs(known)
        self._check_nothing_after(position)
        position.public = position.public or self.keys.public
        if position.public != self.keys.public:
            raise OldKey(position)
        return position

    def _check_belongs(self, known: tuple[str, int, str, bytes] | None) -> None:
        """The checkpoint is of this file: the commit after which it was taken carries the signature that it names."""
        assert known is not None
        chain, number, _, signature = known
        if not self.store.is_signed(chain, number, signature):
            raise BrokenRecords("The checkpoint is of other records than these.")

    def _check_nothing_after(self, position: Position) -> None:
        """No row waits for a commit to come. Events are numbered over all streams, so their heads tell the last one."""
        event, commit, booked, sealed = self.store.last_rows()
        known = sum(sequence for sequence, _ in position.heads.values())
        if max(event, booked) > known or max(commit, sealed) > position.id:
            raise BrokenRecords("The records go on after their end: somebody put rows there.")

    def _check_end(self, position: Position) -> None:
        """Only what this house's own key has signed counts, whatever the records say about keys."""
        if position.open_group or position.group is None:
            raise BrokenRecords("The last records are not signed: somebody wrote them without the house's key.")
        *_, hash, signature = position.group
        if not check_signature(self.keys.public, signed_message(hash), signature):
            raise BrokenRecords(
                f"The last records are not signed with the key {self.keys.public[:12]} of this house: they were changed"
                " after that, or it is another key file."
            )

    def _follow_all(self, position: Position) -> int:
        """Go on to the end of the records, and say by how many commits."""
        count = 0
        for id, commit in self.store.commits(position.id):
            wrong = position.follow(id, commit)
            if wrong:
                raise BrokenRecords(f"The end of the records is damaged: {wrong}.")
            done = self.store.done([commit.actor], commit.command_id) if commit.command_id else None
            if commit.command_id and (done is None or done.id != id):
                raise BrokenRecords(f"The command of commit {commit.number} is not found under its id alone.")
            count += 1
        return count

    # Reading what is known for certain.

    def check_all(self) -> None:
        """All commits are what the house knows of them, those before the last checkpoint too."""
        position = Position()
        self._follow_all(position)
        self.check_position(position)

    def check_position(self, position: Position) -> None:
        """Whoever has followed all commits compares where that leads with what the house knows."""
        if (position.chains, position.heads) != (self.position.chains, self.position.heads):
            raise BrokenRecords("The records are not what the house has signed; run `felt verify`.")

    def version(self, stream: str) -> int:
        return self.position.heads.get(stream, (0, FIRST))[0]

    def streams(self) -> list[str]:
        return sorted(self.position.heads)

    def tables(self) -> list[str]:
        return [stream for stream in self.streams() if is_table(stream)]

    def balance(self, account: str) -> Cents:
        return self.position.balances.get(account, 0)

    def check_head(self, stream: str, sequence: int, hash: str) -> None:
        """Whoever has read a stream to its end compares it with what the house knows."""
        if self.position.heads.get(stream, (0, FIRST)) != (sequence, hash):
            raise BrokenRecords(f"{stream} is not what the house has recorded; run `felt verify`.")

    @property
    def head(self) -> Receipt | None:
        """The newest signature: it covers everything before it."""
        return self.position.head

    # Writing: begin, add what is decided, write, adopt.

    def begin(self) -> "Group":
        """A group of commits to come. There is one at a time; until it is adopted, what is known stays as it is."""
        if self.position.public != self.keys.public:
            raise OldKey(self.position)
        return Group(self.position, self.keys, self.chain)

    def write(self, group: "Group") -> None:
        """Sign a group and make it durable, as a whole or not at all. It may wait for the disk."""
        group.sign()
        checkpoint = b""
        if self.since_checkpoint + len(group.commits) >= CHECKPOINT_EVERY:
            checkpoint = group.after.checkpoint(self.keys)
        beside = _beside(group.drafts, group.commits, checkpoint)
        self.store.write(group.commits, beside, self.position.id)
        self.since_checkpoint = 0 if checkpoint else self.since_checkpoint + len(group.commits)

    def adopt(self, group: "Group") -> None:
        """What was written is so."""
        known, after = self.position, group.after
        known.heads.update(group.heads)
        known.balances.update(group.balances)
        known.id, known.chains, known.group, known.house = after.id, after.chains, after.group, after.house
        known.public, known.time, known.meters = after.public, after.time, after.meters

    def commit(self, drafts: Sequence[Draft]) -> list[list[Record]]:
        """All of it at once: the records of each are the answer."""
        group = self.begin()
        for draft in drafts:
            group.add(draft)
        if group.commits:
            self.write(group)
            self.adopt(group)
        return [list(commit.records) for commit in group.commits]

    def receipt(self, number: int) -> Receipt:
        """For a commit of this chain: the newest group covers it, whenever it was made."""
        head = self.head
        assert head is not None
        return msgspec.structs.replace(head, commit=number)

    def change_keys(self, keys: Signer) -> None:
        """After the commit that says so, which the old key has signed, the new one signs."""
        self.keys = keys
        self.position.public = keys.public
        self.save()

    def save(self) -> None:
        """Write a checkpoint now, so that the next start has nothing to read."""
        if self.position.group is not None:
            self.store.save_checkpoint(self.position.checkpoint(self.keys), self.position.id)
            self.since_checkpoint = 0


class Group:
    """Commits that become durable together; each is made on what the ones before it leave."""

    def __init__(self, before: Position, keys: Signer, chain: str) -> None:
        self.keys, self.chain = keys, chain
        self.heads: dict[str, tuple[int, str]] = {}
        self.balances: dict[str, Cents] = {}
        self.after = Position(
            before.id,
            before.public,
            ChainMap(self.heads, before.heads),
            ChainMap(self.balances, before.balances),
            dict(before.chains),
            before.group,
            before.house,
            time=before.time,
            meters=before.meters,
        )
        self.drafts: list[Draft] = []
        self.commits: list[Commit] = []

    def add(self, draft: Draft) -> Commit:
        """One more commit, or a refusal and nothing."""
        if self.commits:
            wrong = self.after.follow_key(self.commits[-1])
            assert not wrong, wrong
        number, link = self.after.chains.get(self.chain, (0, FIRST))
        heads, balances = ChainMap({}, self.after.heads), ChainMap({}, self.after.balances)
        house = Position(heads=heads, balances=balances, house=self.after.house, meters=self.after.meters)
        actor, command, records = str(draft.actor), encode(draft.command), []
        for happened in draft.happened:
            sequence, hash = heads.get(happened.stream, (0, FIRST))
            about = (draft.time, actor, draft.command_id, happened.round)
            record = chained(happened.stream, sequence + 1, *about, encode(happened.event), hash)
            heads[happened.stream] = record.sequence, record.hash
            records.append(record)
            if happened.stream == HOUSE_STREAM:
                house.administer(happened.event, draft.time)
            elif is_jackpot(happened.stream):
                house.turn(happened.stream, happened.event, draft.time)
            for entry in happened.entries:
                house.book([entry])
                if not entry.payer.may_owe and balances[str(entry.payer)] < 0:
                    raise Overdrawn(f"{entry.payer} holds less than {entry.cents} cents.")
        commit = Commit(
            self.chain,
            number + 1,
            draft.time,
            actor,
            draft.command_id,
            draft.stream,
            command,
            tuple(records),
            tuple(tuple(happened.entries) for happened in draft.happened),
            tuple(sorted(draft.secrets)),
            salt=self.keys.tag(salted(self.chain, number + 1, actor, draft.command_id, draft.stream, command)),
        )
        self.heads.update(heads.maps[0])
        self.balances.update(balances.maps[0])
        self.after.house, self.after.meters = house.house, house.meters
        self._hash = commit.hash_after(link)
        self.after.chains[self.chain] = commit.number, link_after(self._hash, b"")
        self.after.id += 1
        self.after.time = draft.time
        self.drafts.append(draft)
        self.commits.append(commit)
        return commit

    def sign(self) -> None:
        """The last commit carries the signature."""
        commit, after = self.commits[-1], self.after
        hash, text = self._hash, other_chains(after.chains, self.chain)
        signed = group_hash(self.chain, commit.number, hash, text)
        signature = self.keys.sign(signed_message(signed))
        self.commits[-1] = msgspec.structs.replace(commit, signature=signature, others=text)
        after.group = self.chain, commit.number, signed, signature
        after.chains[self.chain] = commit.number, link_after(hash, signature)
        wrong = after.follow_key(self.commits[-1])
        assert not wrong, wrong


def finish_key_change(store: Writing, keys: Signer, renewed: Signer) -> bool:
    """A house ended between the commit that changes its key, which the old one has signed, and the change of the key
    file: whether that was so. From now on the new key is in force."""
    try:
        Journal(store, keys)
    except OldKey as found:
        if found.position.public == renewed.public:
            Journal.at(store, renewed, found.position).save()
            return True
    except BrokenRecords:
        return False
    return False


def _beside(drafts: Sequence[Draft], commits: Sequence[Commit], checkpoint: bytes) -> Beside:
    """What stands beside these commits: people, sessions, snapshots."""
    joined: list[PersonRow] = []
    renamed: list[PersonRow] = []
    kept: dict[tuple[str, str], KeptRow | None] = {}
    """By whose and what it is, what the last of these commits leaves of it."""
    forgotten, sessions, ended, snapshots = [], [], [], []
    for draft, commit in zip(drafts, commits, strict=True):
        joined += draft.joined
        renamed += draft.renamed
        kept |= {(row.owner, row.what): row for row in draft.kept}
        for happened in draft.happened:
            id = happened.stream.removeprefix(PERSON)
            match happened.event:
                case person.SessionOpened(token, expires):
                    sessions.append(SessionRow(token, id, draft.time, expires))
                case person.SessionEnded(token):
                    ended.append(token)
                case person.Forgotten():
                    forgotten.append(id)
                case administration.ExclusionsRemoved():
                    kept[HOUSE_STREAM, administration.EXCLUSIONS] = None
        of_stream = [record for record in commit.records if record.stream == draft.stream]
        if draft.snapshot is not None and of_stream:
            record = of_stream[-1]
            snapshots.append((record.stream, record.sequence, draft.snapshot(record)))
    rows = [row for row in kept.values() if row is not None]
    removed = [key for key, row in kept.items() if row is None]
    return Beside(joined, renamed, rows, removed, forgotten, sessions, ended, snapshots, checkpoint)
