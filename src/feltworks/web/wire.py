"""Events as clients are told of them: typed, without versions, cards opened in the published form, names beside ids."""

from collections.abc import Callable
from typing import Any

import msgspec

from feltworks.floor.chance.openings import expanded
from feltworks.floor.journal.records import Record
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.table import events as ev

Names = Callable[[str], str]


def wire_event(record: Record, name: Names) -> dict[str, Any]:
    """An event of a table. Openings of the first version are in the published form already."""
    event = decode_event(record.stream, record.event)
    told = _unversioned(msgspec.to_builtins(event))
    match event:
        case ev.Sat(_, player):
            told["name"] = name(player)
        case ev.Answered() | ev.RoundStarted():
            told["effects"] = [_unversioned(effect) for effect in told.get("effects", ())]
        case ev.RoundEnded(openings=openings) | ev.Voided(openings=openings):
            old = msgspec.json.decode(record.event).get("openings", [])
            compact = all(opening.size for opening in openings)
            told["openings"] = [one for opening in openings for one in expanded(opening)] if compact else old
            if isinstance(event, ev.Voided):
                told["returned"] = told.get("returned", [])
    return told


def _unversioned(told: dict[str, Any]) -> dict[str, Any]:
    return {**told, "kind": told["kind"].partition("/")[0]}
