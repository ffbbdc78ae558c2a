"""What the server may say, to the last field: every message that a robot hears is held against this.

`docs/api.md` says the same in words; a field that is added, dropped or renamed fails here first.
"""

from typing import Annotated, Any, Literal, get_args

import msgspec

from feltworks.floor.chance.openings import expanded
from feltworks.floor.journal.records import Record
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.table import events as ev


class _Exact(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Limits(_Exact, frozen=True):
    least: int
    most: int


class Spot(_Exact, frozen=True):
    spot: str
    title: str
    wager: str
    opens: bool
    required: bool
    needs: list[str]
    instead: list[str]
    self_service: bool


class Line(_Exact, frozen=True):
    line: str
    pays: str


class PayTable(_Exact, frozen=True):
    wager: str
    title: str
    table: str
    lines: list[Line]


class Reading(_Exact, frozen=True):
    name: str
    value: str
    question: str


class Fingerprint(_Exact, frozen=True):
    definition: str
    build: str


class About(_Exact, frozen=True):
    """What is posted at a table."""

    id: str
    name: str
    game: str
    title: str
    game_version: str
    version_title: str
    standing: str
    warnings: list[str]
    venue: Literal["training", "card room", "tribal casino"]
    decks: int | None
    shuffling: Literal["shoe", "shuffler"]
    chip: int
    seats: int
    limits: dict[str, Limits]
    spots: list[Spot]
    pay_tables: list[PayTable]
    readings: list[Reading]
    layout: dict[str, Any]
    fingerprint: Fingerprint
    prize: int | None = None


class CardSeen(_Exact, frozen=True):
    token: str
    card: str | None
    place: str
    reading: str | None


class Result(_Exact, frozen=True):
    seat: int
    spot: str
    line: str
    pays: str
    stake: Literal["returned", "stays", "taken"]
    amount: int
    paid: int
    returned: int
    net: int
    rule: str


class SeatSeen(_Exact, frozen=True):
    seat: int
    name: str | None
    you: bool
    present: bool
    ready: bool
    leaving: bool
    acting: bool
    shooter: bool
    wagers: dict[str, int]
    contract: list[str]
    winnings: dict[str, int]
    cards: list[CardSeen]
    results: list[Result]
    net: int | None


class OpenSpot(_Exact, frozen=True):
    spot: str
    title: str
    least: int
    most: int
    down: int


class Option(_Exact, frozen=True):
    name: str
    wager: int
    least: int


class You(_Exact, frozen=True):
    name: str
    balance: int
    seat: int | None
    staked: int
    spots: list[OpenSpot]
    options: list[Option]
    can_ready: bool


class ShoeSeen(_Exact, frozen=True):
    root: str
    size: int
    dealt: int


class View(_Exact, frozen=True):
    version: int
    now: int
    round: int | None
    phase: Literal["waiting", "betting", "dealing", "deciding", "over"]
    message: str
    deadline: int | None
    dealer: list[CardSeen]
    dice: list[int] | None
    things: dict[str, str]
    told: dict[str, str]
    seats: list[SeatSeen]
    you: You | None
    shoe: ShoeSeen | None
    table: About | msgspec.UnsetType = msgspec.UNSET
    """With the first view of a connection."""


class Shown(_Exact, frozen=True):
    view: View
    events: list[dict[str, Any]]


class Receipt(_Exact, frozen=True):
    chain: str
    commit: int
    group: int
    hash: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    signature: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{128}\Z")]


class Ok(_Exact, frozen=True):
    ok: str
    version: int
    receipt: Receipt | None
    """None for a command that was done before the house gave receipts."""


class Refused(_Exact, frozen=True):
    refused: str | None
    why: str


class TableListed(_Exact, frozen=True):
    """An entry of /api/tables."""

    id: str
    name: str
    game: str
    title: str
    summary: str
    version_title: str
    standing: str
    warnings: list[str]
    venue: str
    seats: int
    taken: int
    occupied: list[int]
    decks: int | None
    least: int | None
    most: int | None
    felt: str


class RoundListed(_Exact, frozen=True):
    """An entry of /api/tables/{table}/rounds."""

    round: int
    time: int
    sequence_from: int
    sequence_to: int


class Recorded(_Exact, frozen=True):
    sequence: int
    time: int
    actor: Literal["dealer", "player"]
    hash: str
    event: dict[str, Any]


class Recalled(_Exact, frozen=True):
    """What /api/tables/{table}/rounds/{number} says."""

    round: int
    recall: Literal[True]
    standing: str
    warnings: list[str]
    root: str | None
    size: int
    records: list[Recorded]


class ProofNode(_Exact, frozen=True):
    side: Literal["left", "right"]
    hash: str


class Opening(_Exact, frozen=True):
    """An opened card or roll in the published form."""

    token: tuple[int | None, str]
    root: str
    position: int
    salt: str
    proof: list[ProofNode]
    card: str | None = None
    dice: str | None = None


def check_message(message: dict[str, Any]) -> None:
    """Refuse a message of the socket that is not exactly of a documented shape."""
    if "view" in message:
        for event in msgspec.convert(message, Shown).events:
            check_event(event)
    else:
        msgspec.convert(message, Ok if "ok" in message else Refused)


def check_event(event: dict[str, Any]) -> ev.Event:
    """An event of the socket: its sequence number and time, and what `check_told` looks at."""
    said = dict(event)
    assert isinstance(said.pop("sequence"), int)
    assert isinstance(said.pop("time"), int)
    return check_told(said)


TOLD = {
    tag.partition("/")[0]: tag
    for kind in (*get_args(ev.Event), *get_args(ev.Effect))
    if isinstance(tag := kind.__struct_config__.tag, str)
}
"""The tags of the records by what the wire calls them: without a version."""


def check_told(event: dict[str, Any]) -> ev.Event:
    """An event as clients are told of it, and what is in the records: its kind with the version, persons by id alone.
    Openings stand in the published form, and are left out here; `told_openings` are those that belong to a record."""
    said = {**event, "kind": TOLD[event["kind"]]}
    if event["kind"] == "sat":
        assert isinstance(said.pop("name"), str)
    if event["kind"] in ("round ended", "voided"):
        for opening in msgspec.convert(said.pop("openings"), list[Opening]):
            assert (opening.card is None) != (opening.dice is None)
    if "effects" in event:
        said["effects"] = [{**effect, "kind": TOLD[effect["kind"]]} for effect in event["effects"]]
    found: ev.Event = msgspec.convert(said, ev.Event)
    return found


def written(record: Record) -> ev.Event:
    """What a record of a table says, without its openings."""
    event = decode_event(record.stream, record.event)
    assert isinstance(event, ev.Event)
    if isinstance(event, ev.RoundEnded | ev.Voided):
        return msgspec.structs.replace(event, openings=())
    return event


def told_openings(record: Record) -> list[dict[str, Any]] | None:
    """The openings that a record holds, in the published form; nothing for an event that opens nothing."""
    event = decode_event(record.stream, record.event)
    if not isinstance(event, ev.RoundEnded | ev.Voided):
        return None
    return [one for opening in event.openings for one in expanded(opening)]
