"""Snapshots of a table between two rounds, so that a house starts without folding every event there ever was.

A snapshot is signed together with the hash of the event after which it was taken, the definition that is played and the
shape of the state, and it is used only if all of that is so still. It is a shortcut and nothing else: without it the
fold gives the same table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec

from feltworks.floor.accounts import Cents
from feltworks.floor.journal.records import Record, digest
from feltworks.floor.keys import Signer, check_signature
from feltworks.floor.table import events as ev
from feltworks.floor.table.pending import Pending
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.table.state import Occupant, Service, Table
from feltworks.kit.cards import Seat, Token
from feltworks.kit.errors import FeltworksError
from feltworks.kit.game import Game
from feltworks.kit.steps import Pocket
from feltworks.kit.unseen import Unseen

MEANING = 1
"""Goes up when a field of the state means something else than before, though its shape is the same."""


class NotUsable(FeltworksError):
    """A snapshot that is damaged, or of a state that has another shape."""


class _State(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of a table between two rounds."""

    definition: str
    shape: str
    settings: TableSettings
    """As they are in force: who holds the file can change the event in which they stand, and its hash."""
    set_by: int
    change: ev.ChangePosted | None
    since: ev.Time
    seats: dict[int, Occupant]
    round_number: int
    version: int
    began: int
    windows: int
    unseen: tuple[int, ...] | None
    carry: Any
    root: str | None
    size: int
    dealt: int
    positions: list[tuple[int | None, str, str, int]]
    dice: tuple[int, ...] | None
    pocket: Pocket | None
    things: dict[str, str]
    results: tuple[ev.Settled, ...]
    brought: dict[int, Cents]
    reasons: tuple[str, ...]
    service: Service
    service_reason: str
    pending: Pending
    dealer: str
    first: tuple[ev.Effect, ...]
    done: int
    undo: tuple[ev.Settled, ...]


@dataclass(frozen=True)
class Resumed:
    """A table as a snapshot gives it, and since when the play has been as it is."""

    table: Table
    since: ev.Time


def snapshot(table: Table, since: ev.Time, record: Record, keys: Signer) -> bytes:
    """A table between two rounds, after this record."""
    assert table.round is None
    definition, shape = _bound_to(table.game)
    state = _State(
        definition=definition,
        shape=shape,
        settings=table.settings,
        set_by=table.set_by,
        change=table.change,
        since=since,
        seats=dict(table.seats),
        round_number=table.round_number,
        version=table.version,
        began=table.began,
        windows=table.windows,
        unseen=table.unseen.counts if table.unseen is not None else None,
        carry=_plain(table.carry),
        root=table.root,
        size=table.size,
        dealt=table.dealt,
        positions=[(token.owner, token.name, *place) for token, place in table.positions.items()],
        dice=table.dice,
        pocket=table.pocket,
        things=dict(table.things),
        results=table.results,
        brought=dict(table.brought),
        reasons=table.reasons,
        service=table.service,
        service_reason=table.service_reason,
        pending=table.pending,
        dealer=table.dealer,
        first=table.first,
        done=table.done,
        undo=table.undo,
    )
    data = msgspec.json.encode(state)
    return keys.sign(_signed(record.stream, record.sequence, record.hash, data)) + data


def is_signed(data: bytes, stream: str, sequence: int, hash: str, public: str) -> bool:
    """Whether the house has signed that a snapshot was taken after the event with this hash."""
    return check_signature(public, _signed(stream, sequence, hash, data[64:]), data[:64])


def resumed(data: bytes, record: Record | None, opened: ev.Opened, public: str, known: Table | None = None) -> Resumed:
    """The table of a snapshot that was taken after this record, of a table that was opened so. Whoever has loaded its
    game already passes a table that is `known`."""
    held = data[64:]
    if record is None or not is_signed(data, record.stream, record.sequence, record.hash, public):
        raise NotUsable("is damaged or of other records")
    try:
        state = msgspec.json.decode(held, type=_State)
    except msgspec.ValidationError:
        raise NotUsable("is of another shape") from None
    if state.set_by == 1 and (state.settings, state.definition) != (opened.settings, opened.definition):
        raise NotUsable("is of a table with other settings")
    try:
        same = known is not None and known.settings == state.settings
        game = known.game if known is not None and same else state.settings.load_game()
    except FeltworksError:
        raise NotUsable("is of another definition or shape") from None
    if (state.definition, state.shape) != _bound_to(game):
        raise NotUsable("is of another definition or shape")
    table = Table(
        state.settings,
        game,
        state.seats,
        state.round_number,
        unseen=Unseen(state.unseen) if state.unseen is not None else None,
        carry=_value(state.carry),
        root=state.root,
        size=state.size,
        dealt=state.dealt,
        positions={
            Token(None if owner is None else Seat(owner), name): (root, at) for owner, name, root, at in state.positions
        },
        dice=state.dice,
        pocket=state.pocket,
        things=state.things,
        results=state.results,
        brought=state.brought,
        reasons=state.reasons,
        began=state.began,
        windows=state.windows,
        version=state.version,
        service=state.service,
        service_reason=state.service_reason,
        change=state.change,
        set_by=state.set_by,
        pending=state.pending,
        dealer=state.dealer,
        first=state.first,
        done=state.done,
        undo=state.undo,
    )
    return Resumed(table, state.since)


def can_be_taken(table: Table) -> bool:
    """Between two rounds, when what goes into the next one is made of plain values."""
    if table.round is not None or (table.unseen is not None and table.unseen.beliefs):
        return False
    try:
        _plain(table.carry)
    except TypeError:
        return False
    return True


def _bound_to(game: Game) -> tuple[str, str]:
    return game.fingerprint["definition"], _shape()


@cache
def _shape() -> str:
    """A digest of the fields of the state and their types, whatever code reads and writes them."""
    return digest(b"feltworks snapshot shape", MEANING, msgspec.json.encode(msgspec.json.schema(_State)))[:16]


def _signed(stream: str, sequence: int, hash: str, state: bytes) -> bytes:
    return bytes.fromhex(digest(b"feltworks snapshot 2", stream, sequence, hash, state))


def _plain(value: Any) -> Any:
    """The facts that go from round to round as JSON; what is not a number or a text says what it is."""
    match value:
        case None | bool() | int() | str():
            return value
        case Fraction():
            return ["fraction", value.numerator, value.denominator]
        case tuple():
            return ["tuple", *map(_plain, value)]
        case frozenset():
            return ["set", *sorted(map(_plain, value), key=repr)]
        case Mapping():
            return ["map", *([_plain(key), _plain(held)] for key, held in value.items())]
    raise TypeError(f"{type(value).__name__} is not kept in a snapshot")


def _value(plain: Any) -> Any:
    match plain:
        case ["fraction", above, below]:
            return Fraction(above, below)
        case ["tuple", *parts]:
            return tuple(map(_value, parts))
        case ["set", *parts]:
            return frozenset(map(_value, parts))
        case ["map", *parts]:
            return {_value(key): _value(held) for key, held in parts}
    return plain
