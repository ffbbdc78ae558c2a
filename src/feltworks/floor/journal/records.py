"""Records, and how they are bound together so that nobody can change, remove, add or reorder one unseen (F-16).

Record   an event in its stream. Its hash is over what it says and over the hash of the record before it in the stream.
Commit   a command with all records that it made, in any number of streams, their entries in the books and the digests
         of the secrets that came with them. Its hash is over all of that, over a salt that nobody can make without the
         house's key, and over the link of the commit before it.
Group    the commits that became durable together. The last one carries the house's Ed25519 signature over its hash and
         over the links of other chains, so that none of them can be rolled back alone.
Link     what the next commit is bound to: a hash over the commit's hash and its signature.

Each writing process has a chain of commits. The signature of its last group covers everything before it, because every
hash and every signature went into it; so one signature proves a whole chain.

A receipt tells nobody what others did: the hash in it goes over salts that stay in the records. The salt also shows the
house at once that a commit is its own, wherever it stands, so that no row that was put there stands for a command (G7).
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Annotated

import msgspec

from feltworks.floor.accounts import Entry
from feltworks.floor.keys import check_signature

Time = int
FIRST = "0" * 64
"""What the first record of a stream and the first commit of a chain name as the hash before them."""


class Record(msgspec.Struct, frozen=True):
    """An event as it is kept. `command` is the id of the command behind it or nothing; `round` may be 0."""

    stream: str
    sequence: int
    time: Time
    actor: str
    command: str
    round: int
    event: bytes
    previous: str
    hash: str

    @property
    def true_hash(self) -> str:
        """The hash that belongs to what the record says."""
        about = (self.stream, self.sequence, self.time, self.actor, self.command, self.round)
        return digest(b"feltworks record 1", *about, self.event, self.previous)


def chained(
    stream: str, sequence: int, time: Time, actor: str, command: str, round: int, event: bytes, previous: str
) -> Record:
    """A new record that follows the one with the hash `previous`."""
    draft = Record(stream, sequence, time, actor, command, round, event, previous, "")
    return msgspec.structs.replace(draft, hash=draft.true_hash)


class Commit(msgspec.Struct, frozen=True):
    """A command and everything that it made, as it is kept."""

    chain: str
    number: int
    time: Time
    actor: str
    command_id: str
    stream: str
    """To which the command was addressed."""
    command: bytes
    records: tuple[Record, ...] = ()
    entries: tuple[tuple[Entry, ...], ...] = ()
    """Of each record."""
    secrets: tuple[tuple[str, bytes], ...] = ()
    """Roots, and what is sealed under them."""
    signature: bytes = b""
    """Of a group's last commit."""
    others: str = ""
    """The links of other chains that the signature covers, as JSON."""
    salt: bytes = b""
    """The house's tag of what is `salted`."""

    def hash_after(self, link: str) -> str:
        """The commit's hash, after the link of the commit before it."""
        about = (self.chain, self.number, self.time, self.actor, self.command_id, self.stream, self.command)
        made: list[str | int] = [len(self.records)]
        for record, entries in zip(self.records, self.entries, strict=True):
            made += [record.stream, record.sequence, record.hash, len(entries), *map(str, entries)]
        sealed = [part for pair in self.sealed for part in pair]
        return digest(b"feltworks commit 1", *about, *made, *sealed, self.salt, link)

    @property
    def sealed(self) -> tuple[tuple[str, str], ...]:
        """Roots, and digests of what is sealed under them: all that a hash needs of the secrets."""
        return tuple((root, sha256(secret).hexdigest()) for root, secret in self.secrets)


def salted(chain: str, number: int, actor: str, command_id: str, stream: str, command: bytes) -> bytes:
    return bytes.fromhex(digest(b"feltworks salt 1", chain, number, actor, command_id, stream, command))


def link_after(hash: str, signature: bytes) -> str:
    return digest(b"feltworks link 1", hash, signature)


def group_hash(chain: str, number: int, hash: str, others: str) -> str:
    """What is signed, as text: the last commit of a group with all that it is bound to, and the other chains."""
    return digest(b"feltworks group 1", chain, number, hash, others)


def signed_message(group: str) -> bytes:
    return b"feltworks signature 1 " + bytes.fromhex(group)


def digest(tag: bytes, *fields: str | int | bytes) -> str:
    """SHA-256 over the fields, each after its length, so that no two lists of them read the same."""
    data = [field if isinstance(field, bytes) else str(field).encode() for field in (tag, *fields)]
    return sha256(b"".join([part for one in data for part in (len(one).to_bytes(8, "big"), one)])).hexdigest()


def table_digest(rows: Iterable[Sequence[object]]) -> str:
    """A digest of rows of plain values, in their order."""
    hash = sha256()
    for row in rows:
        hash.update(msgspec.msgpack.encode(row))
    return hash.hexdigest()


class Receipt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an acknowledgement carries: with it anybody can show that records were cut or written anew after it."""

    chain: str
    commit: int
    group: int
    """The number of the last commit that was made durable together with it."""
    hash: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
    signature: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{128}$", max_length=128)]

    def is_signed_by(self, public: str) -> bool:
        try:
            return check_signature(public, signed_message(self.hash), bytes.fromhex(self.signature))
        except ValueError:
            return False


class Head(msgspec.Struct, frozen=True):
    """A signature under one stream, as records of the first version have them."""

    stream: str
    sequence: int
    hash: str
    time: Time
    signature: bytes
    public: str

    @property
    def message(self) -> bytes:
        return bytes.fromhex(digest(b"feltworks head 1", self.stream, self.sequence, self.hash, self.time))


def signed_ends(heads: Iterable[Head]) -> dict[str, int]:
    """Up to which record each stream of the first version was signed."""
    ends: dict[str, int] = {}
    for head in heads:
        ends[head.stream] = max(head.sequence, ends.get(head.stream, 0))
    return ends
