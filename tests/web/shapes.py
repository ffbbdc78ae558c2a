"""Holds every message that a robot hears against its definition (`web/messages.py`), and events against the records."""

from typing import Any, get_args

import msgspec

from feltworks.floor.chance.openings import expanded
from feltworks.floor.journal.records import Record
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.table import events as ev
from feltworks.web import event_messages, jackpot_messages, socket_messages


def check_message(message: dict[str, Any]) -> None:
    """Refuse a message of the socket that is not exactly of a documented shape."""
    if "view" in message:
        msgspec.convert(message, socket_messages.ViewMessage)
        for event in message["events"]:
            check_event(event)
    else:
        answers = {
            "ok": socket_messages.Acknowledged,
            "pong": socket_messages.Pong,
            "jackpot": jackpot_messages.JackpotMessage,
        }
        kind = next((kind for field, kind in answers.items() if field in message), socket_messages.Refused)
        msgspec.convert(message, kind)


def check_event(event: dict[str, Any]) -> ev.Event:
    """An event of the socket: its sequence number and time, and what `check_told` looks at."""
    msgspec.convert(event, event_messages.NumberedEvent)
    return check_told({name: value for name, value in event.items() if name not in ("sequence", "time")})


TOLD = {
    tag.partition("/")[0]: tag
    for kind in (*get_args(ev.Event), *get_args(ev.Effect))
    if isinstance(tag := kind.__struct_config__.tag, str)
}
"""The tags of the records by what the wire calls them: without a version."""


UNTOLD: dict[str, dict[str, Any]] = {
    "claimed": {"round": 1, "seat": 1, "player": "", "text": ""},
    "dispute decided": {"decision": "upheld", "rule": "Hoyle", "reason": "", "by": ""},
}
"""What clients are not told of an event, with something in its place."""


def check_told(event: dict[str, Any]) -> ev.Event:
    """An event as clients are told of it, and what is in the records: its kind with the version, persons by id alone.
    Openings stand in the published form, and are left out here; `told_openings` are those that belong to a record."""
    said = {**event, "kind": TOLD[event["kind"]]}
    if event["kind"] == "sat":
        assert isinstance(said.pop("name"), str)
    if event["kind"] in ("round ended", "voided"):
        for opening in msgspec.convert(said.pop("openings"), list[event_messages.Opening]):
            told = (opening.card, opening.dice, opening.spin)
            assert sum(what is not msgspec.UNSET for what in told) == 1
    said |= UNTOLD.get(event["kind"], {})
    if "effects" in event:
        said["effects"] = [{**effect, "kind": TOLD[effect["kind"]]} for effect in event["effects"]]
    if event["kind"] == "corrected":
        said["effects"] = [said["effects"]]  # the record has those of each answer
    if event["kind"] in ("dealer came", "dealer left"):
        said["dealer"] = ""  # who it is, is told to those who work here
    found: ev.Event = msgspec.convert(said, ev.Event)
    return found


def written(record: Record) -> ev.Event:
    """What a record of a table says, without its openings."""
    event = decode_event(record.stream, record.event)
    assert isinstance(event, ev.Event)
    if isinstance(event, ev.RoundEnded | ev.Voided):
        return msgspec.structs.replace(event, openings=())
    match event:
        case ev.DealerCame() | ev.DealerLeft():
            return type(event)("")
        case ev.TakenBack(entry):
            return ev.TakenBack(entry)
        case ev.Corrected(entry, answer, reason, kept, effects):
            flat = tuple(effect for one in effects for effect in one)
            return ev.Corrected(entry, answer, reason, kept, (flat,))
    return event


def told_openings(record: Record) -> list[dict[str, Any]] | None:
    """The openings that a record holds, in the published form; nothing for an event that opens nothing."""
    event = decode_event(record.stream, record.event)
    if not isinstance(event, ev.RoundEnded | ev.Voided):
        return None
    return [one for opening in event.openings for one in expanded(opening)]
