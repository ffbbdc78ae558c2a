"""Records: an event with who, when and where, chained to the one before it by a hash (F-16)."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

import msgspec

from feltworks.floor.events import Event, Time
from feltworks.floor.money import Entry

FIRST = "0" * 64
"""What the first record of a stream names as the hash before it."""

HOUSE_STREAM = "house"
"""The stream of what happens outside the tables."""


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
        return digest(
            b"feltworks record 1",
            self.stream,
            self.sequence,
            self.time,
            self.actor,
            self.command,
            self.round,
            self.event,
            self.previous,
        ).hex()


def chained(
    stream: str,
    sequence: int,
    time: Time,
    actor: str,
    command: str,
    round: int,
    event: bytes,
    previous: str,
) -> Record:
    """A new record that follows the one with the hash `previous`."""
    draft = Record(stream, sequence, time, actor, command, round, event, previous, "")
    return msgspec.structs.replace(draft, hash=draft.true_hash)


def digest(tag: bytes, *fields: str | int | bytes) -> bytes:
    """SHA-256 over the fields, each after its length, so that no two lists of them read the same."""
    digest = sha256()
    for field in (tag, *fields):
        data = field if isinstance(field, bytes) else str(field).encode()
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()


# Events outside the tables.


class _HouseEvent(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    pass


class Joined(_HouseEvent, tag="joined", frozen=True):
    """A player has an account from now on."""

    player: str
    name: str


class Booked(_HouseEvent, tag="booked", frozen=True):
    """Money moved outside the tables; the event says itself what was entered."""

    reason: str
    entries: list[Entry]


HouseEvent = Joined | Booked

_encoder = msgspec.json.Encoder(order="sorted")
_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_house_decoder: msgspec.json.Decoder[HouseEvent] = msgspec.json.Decoder(HouseEvent)


def encode_event(event: Event | HouseEvent) -> bytes:
    """The canonical bytes of an event: JSON with its keys in order."""
    return _encoder.encode(event)


def decode_event(data: bytes) -> Event:
    return _decoder.decode(data)


def decode_house_event(data: bytes) -> HouseEvent:
    return _house_decoder.decode(data)


# Signed heads.


class Signer(Protocol):
    """The house's keys: `public` is told to everybody, in hex."""

    @property
    def public(self) -> str: ...

    def sign(self, message: bytes) -> bytes: ...


@dataclass(frozen=True)
class Head:
    """The house's signature under a stream as it stood: nothing up to there can be cut or changed."""

    stream: str
    sequence: int
    hash: str
    time: Time
    signature: bytes
    public: str

    @property
    def message(self) -> bytes:
        return head_message(self.stream, self.sequence, self.hash, self.time)


def encode_heads(heads: list[Head]) -> bytes:
    """Heads as they are kept elsewhere: JSON."""
    return msgspec.json.format(msgspec.json.encode(heads)) + b"\n"


def decode_heads(data: bytes) -> list[Head]:
    return msgspec.json.decode(data, type=list[Head])


def head_message(stream: str, sequence: int, hash: str, time: Time) -> bytes:
    """What is signed."""
    return digest(b"feltworks head 1", stream, sequence, hash, time)
