"""The lines of an excerpt, as they stand in its file: JSON, one line each, always written in the same way.

    header   the range that was asked for, where the chains stood before it, and what is to be counted
    commit   one line each, in their order: everything that goes into its hash, and of sealed secrets a digest alone
    head     the signature of the last group: it covers every line before it that is a commit

The first commit is the last one before the range, and the last group has the first one after it: by them one sees that
nothing is cut off at either end. Where the records begin or end inside the range, there is none.
"""

from typing import TypeVar

import msgspec

from feltworks.floor.accounts import Account, Entry, Kind
from feltworks.floor.journal.records import Commit, Receipt, Record
from feltworks.kit.errors import BadValue, FeltworksError

Time = int
T = TypeVar("T")
FORMAT = "excerpt 1"
LONGEST = 2**28
"""No line is longer."""
_encode = msgspec.json.Encoder().encode


class BadLine(FeltworksError):
    """A line that Feltworks did not write."""


class Header(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="feltworks",
    tag=FORMAT,
    forbid_unknown_fields=True,
):
    """The first line. It is checked by the commits, and never believed."""

    public: str
    """The key that signs the last group."""
    since: Time
    until: Time
    """The range that was asked for: from the one to just before the other, in milliseconds since 1970, UTC."""
    first: Time
    last: Time
    """The times of the first and the last commit."""
    chains: dict[str, tuple[int, str]]
    """Of each chain, the number and the link of the commit before the first one here."""
    commits: int
    events: int
    entries: int


class _EventLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event. Time, actor and id of the command are those of its commit."""

    stream: str
    sequence: int
    round: int
    event: str
    """Its bytes, which are text."""
    previous: str
    hash: str
    entries: list[tuple[str, str, str, int]]
    """Kind, payer, payee and cents."""


class _CommitLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    chain: str
    number: int
    time: Time
    actor: str
    command_id: str
    stream: str
    command: str
    salt: str
    events: list[_EventLine]
    sealed: list[tuple[str, str]]
    """Roots, and SHA-256 of what is sealed under them."""
    others: str
    signature: str


class Excerpted(Commit, frozen=True):
    """A commit as an excerpt has it: without its secrets."""

    digests: tuple[tuple[str, str], ...] = ()

    @property
    def sealed(self) -> tuple[tuple[str, str], ...]:
        return self.digests


class _Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last line."""

    signed: Receipt


HEAD = b'{"signed":'
"""How it begins."""


def line_of(what: Header | Receipt | Commit) -> bytes:
    """The one way in which something stands in the file."""
    match what:
        case Commit():
            return _encode(_commit_line(what)) + b"\n"
        case Receipt():
            return _encode(_Head(what)) + b"\n"
    return _encode(what) + b"\n"


def _commit_line(commit: Commit) -> _CommitLine:
    events = [
        _EventLine(
            record.stream,
            record.sequence,
            record.round,
            record.event.decode(),
            record.previous,
            record.hash,
            [(e.kind.value, str(e.payer), str(e.payee), e.cents) for e in entries],
        )
        for record, entries in zip(commit.records, commit.entries, strict=True)
    ]
    return _CommitLine(
        commit.chain,
        commit.number,
        commit.time,
        commit.actor,
        commit.command_id,
        commit.stream,
        commit.command.decode(),
        commit.salt.hex(),
        events,
        list(commit.sealed),
        commit.others,
        commit.signature.hex(),
    )


def read_header(line: bytes) -> Header:
    return _read(line, Header)


def read_head(line: bytes) -> Receipt:
    return _read(line, _Head).signed


def read_commit(line: bytes) -> Commit:
    """The commit of a line, which must stand there as Feltworks writes it, byte for byte."""
    found = _decoded(line, _CommitLine)
    try:
        commit = _commit(found)
        same = line_of(commit) == line
    except (ValueError, BadValue) as error:
        raise BadLine(f"it is no commit: {str(error).rstrip('.')}") from None
    if not same:
        raise BadLine("it is not as Feltworks writes it")
    return commit


def _commit(line: _CommitLine) -> Excerpted:
    about = (line.time, line.actor, line.command_id)
    records = [Record(e.stream, e.sequence, *about, e.round, e.event.encode(), e.previous, e.hash) for e in line.events]
    return Excerpted(
        line.chain,
        line.number,
        *about,
        line.stream,
        line.command.encode(),
        tuple(records),
        tuple(tuple(map(_entry, e.entries)) for e in line.events),
        signature=bytes.fromhex(line.signature),
        others=line.others,
        salt=bytes.fromhex(line.salt),
        digests=tuple(line.sealed),
    )


def _entry(row: tuple[str, str, str, int]) -> Entry:
    """Money that moves from one account to another one: so the entries of every commit sum to zero."""
    kind, payer, payee, cents = row
    if payer == payee or not 0 < cents <= 10**12:
        raise ValueError(f"{cents} cents cannot move from {payer} to {payee}")
    return Entry(Kind(kind), Account.parse(payer), Account.parse(payee), cents)


def _read(line: bytes, kind: type[T]) -> T:
    found = _decoded(line, kind)
    if _encode(found) + b"\n" != line:
        raise BadLine("it is not as Feltworks writes it")
    return found


def _decoded(line: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(line, type=kind)
    except ValueError as error:
        raise BadLine(f"it cannot be read: {error}") from None
