"""Snapshots of a table between two rounds, so that a house starts without folding every event there ever was.

A snapshot is signed together with the hash of the event after which it was taken and with the build that folds, and it
is used only if all of that is so still. It is a shortcut and nothing else: without it the fold gives the same table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec

from feltworks.floor import events as ev
from feltworks.floor.money import Settled
from feltworks.floor.records import Record, Signer, digest
from feltworks.floor.sealing import check_signature
from feltworks.floor.settings import TableSettings
from feltworks.floor.table import Occupant, Table
from feltworks.kit.cards import Seat, Token
from feltworks.kit.code_hash import folders_hash
from feltworks.kit.errors import FeltworksError
from feltworks.kit.game import Game
from feltworks.kit.unseen import Unseen

_HERE = folders_hash([Path(__file__).parent])
"""The build of the floor itself, as it was loaded."""


class NotUsable(FeltworksError):
    """A snapshot that is damaged, or was made by another build."""


class _State(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of a table between two rounds that its settings do not say."""

    build: str
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
    things: dict[str, str]
    results: tuple[Settled, ...]


@dataclass(frozen=True)
class Resumed:
    """A table as a snapshot gives it, and since when the play has been as it is."""

    table: Table
    since: ev.Time


def snapshot(table: Table, since: ev.Time, record: Record, keys: Signer) -> bytes:
    """A table between two rounds, after this record."""
    assert table.round is None
    state = _State(
        _build(table.game),
        since,
        dict(table.seats),
        *(table.round_number, table.version, table.began, table.windows),
        table.unseen.counts if table.unseen is not None else None,
        _plain(table.carry),
        *(table.root, table.size, table.dealt),
        [(token.owner, token.name, *place) for token, place in table.positions.items()],
        *(table.dice, dict(table.things), table.results),
    )
    held = msgspec.json.encode(state)
    return keys.sign(_signed(record, held)) + held


def resumed(data: bytes, record: Record | None, settings: TableSettings, game: Game, public: str) -> Resumed:
    """The table of a snapshot that was taken after this record."""
    signature, held = data[:64], data[64:]
    if record is None or not check_signature(public, _signed(record, held), signature):
        raise NotUsable("is damaged or of other records")
    state = msgspec.json.decode(held, type=_State)
    if state.build != _build(game):
        raise NotUsable("was taken by another build")
    table = Table(
        settings,
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
        things=state.things,
        results=state.results,
        began=state.began,
        windows=state.windows,
        version=state.version,
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


def _build(game: Game) -> str:
    return f"{game.fingerprint['build']} {_HERE}"


def _signed(record: Record, held: bytes) -> bytes:
    return digest(b"feltworks snapshot 1", record.stream, record.sequence, record.hash, held)


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
