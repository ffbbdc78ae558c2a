"""Writing an excerpt: the commits of a range of time, as they stand in the records, while more may be written.

Commits never change, so once it is known which ones belong to it, an excerpt is read page by page, and no transaction
is kept open for whoever takes long to fetch it.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from feltworks.floor.administration import KeyChanged
from feltworks.floor.excerpt.lines import Header, line_of
from feltworks.floor.following import paced
from feltworks.floor.journal.journal import BrokenRecords
from feltworks.floor.journal.position import read_checkpoint
from feltworks.floor.journal.records import FIRST, Commit, Receipt, group_hash, link_after, signed_message
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.keys import check_signature
from feltworks.floor.store.backup import made_whole
from feltworks.floor.store.reader import Reader
from feltworks.floor.streams import HOUSE_STREAM
from feltworks.floor.times import shown
from feltworks.kit.errors import BadValue

Time = int
PIECE = 2**16
"""A piece has about so many bytes."""
OLDER = (
    "Records of an older version lie before the first commit. They are in no excerpt: verify the whole file, or a"
    " backup of it, for them."
)
Chains = dict[str, tuple[int, str]]


@dataclass(frozen=True)
class Plan:
    """Which commits an excerpt has, by their places, and its first line."""

    first: int
    last: int
    header: Header
    note: str = ""
    """What of the range asked for is not in it."""


def plan(store: Reader, since: Time, until: Time, public: str | None) -> Plan:
    """What an excerpt of this range holds; `public` is the key that signs now. The chain is followed from the last
    checkpoint that lies before it, or from the first commit."""
    if since >= until:
        raise BadValue(f"{shown(since)} is not before {shown(until)}; give a range that begins before it ends.")
    with store.frozen():
        found = store.commits_between(since, until)
        if found is None:
            raise BadValue(_nothing(store, since, until))
        first, end = max(1, found[0] - 1), store.last_commit()
        last = store.signed_from(min(found[1] + 1, end))
        begins, ends = store.time_of(first), store.time_of(last or 0)
    if last is None or begins is None or ends is None:
        raise BrokenRecords("The last records are not signed; run `felt verify`.")
    key = _signing_key(store, last, public)
    if key is None:
        raise BadValue("The house's public key is not there: an excerpt names it. Put house.public beside the records.")
    commits, events, entries = store.counts_between(first, last)
    header = Header(
        public=key,
        since=since,
        until=until,
        first=begins,
        last=ends,
        chains=_chains_before(store, first, public),
        commits=commits,
        events=events,
        entries=entries,
    )
    has_older = first == 1 and since < begins and store.first_commit() < 1
    return Plan(first, last, header, OLDER if has_older else "")


def pieces(store: Reader, plan: Plan) -> Iterator[bytes]:
    """The file, in pieces. Nobody gets the last one unless the house has signed what is in it."""
    buffer = bytearray(line_of(plan.header))
    chains: Chains = dict(plan.header.chains)
    for id, commit in paced(store.commits(plan.first - 1)):
        hash = commit.hash_after(chains.get(commit.chain, (0, FIRST))[1])
        chains[commit.chain] = commit.number, link_after(hash, commit.signature)
        buffer += line_of(commit)
        if id == plan.last:
            buffer += line_of(_head(commit, hash, plan.header.public))
            yield bytes(buffer)
            return
        if len(buffer) >= PIECE:
            yield bytes(buffer)
            buffer.clear()
    raise BrokenRecords("The end of the records was cut off meanwhile; run `felt verify`.")


def write_excerpt(path: Path, to: Path, since: Time, until: Time, public: str | None) -> Plan:
    """Write an excerpt to a new file. The records may be written meanwhile."""
    with Reader(path) as store:
        planned = plan(store, since, until, public)
        with made_whole(to) as copy, copy.open("wb") as file:
            for piece in pieces(store, planned):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
    return planned


def _head(commit: Commit, hash: str, public: str) -> Receipt:
    signed = group_hash(commit.chain, commit.number, hash, commit.others)
    if not check_signature(public, signed_message(signed), commit.signature):
        raise BrokenRecords(f"What the house has signed is not what is there up to commit {commit.number}.")
    return Receipt(commit.chain, commit.number, commit.number, signed, commit.signature.hex())


def _chains_before(store: Reader, first: int, public: str | None) -> Chains:
    """Where each chain stands before a commit. Links are not kept, but in checkpoints: from there they are followed."""
    known, chains = 0, Chains()
    for at, data in store.checkpoints():
        position = read_checkpoint(at, data, public) if public and at < first else None
        if position is not None:
            known, chains = at, position.chains
    if known + 1 < first:
        for id, commit in paced(store.commits(known)):
            hash = commit.hash_after(chains.get(commit.chain, (0, FIRST))[1])
            chains[commit.chain] = commit.number, link_after(hash, commit.signature)
            if id + 1 == first:
                break
    return chains


def _signing_key(store: Reader, last: int, public: str | None) -> str | None:
    """The key that signs the group that ends with a commit: the one before the next change, or the one of now."""
    later = (decode_event(HOUSE_STREAM, event) for event in store.house_events_like(b"key changed", last))
    return next((event.before for event in later if isinstance(event, KeyChanged)), public)


def _nothing(store: Reader, since: Time, until: Time) -> str:
    asked = f"No commit lies between {shown(since)} and {shown(until)}"
    start, end = store.time_of(1), store.time_of(store.last_commit())
    if start is None or end is None:
        return f"{asked}: there is none at all yet."
    older = f" {OLDER}" if since < start and store.first_commit() < 1 else ""
    return f"{asked}; the records go from {shown(start)} to {shown(end)}.{older}"
