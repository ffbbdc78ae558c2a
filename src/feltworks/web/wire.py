"""Events as clients are told of them: typed, without versions, cards opened in the published form, names beside ids."""

from collections.abc import Callable, Sequence

import msgspec

from feltworks.floor.chance.openings import expanded
from feltworks.floor.chance.shared_opening import SharedOpening
from feltworks.floor.journal.records import Record
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.table import events as ev
from feltworks.web import event_messages

Names = Callable[[str], str]


def numbered_event(record: Record, name: Names) -> event_messages.NumberedEvent:
    """An event of a table as the socket tells it."""
    return event_messages.numbered(record.sequence, record.time, wire_event(record, name))


def wire_event(record: Record, name: Names) -> event_messages.Event:
    """An event of a table."""
    event = decode_event(record.stream, record.event)
    match event:
        case ev.Sat(seat, player):
            return event_messages.Sat(seat, player, name(player))
        case ev.RoundStarted(round, root, size, effects, hold_over):
            told = _effects(effects)
            return event_messages.RoundStarted(round=round, root=root, size=size, effects=told, hold_over=hold_over)
        case ev.Answered(answer, effects, reason):
            return event_messages.Answered(answer, _effects(effects), reason)
        case ev.DealerCame():
            return event_messages.DealerCame()
        case ev.DealerLeft():
            return event_messages.DealerLeft()
        case ev.TakenBack(entry):
            return event_messages.TakenBack(entry)
        case ev.Corrected(entry, answer, reason, _, effects):
            caused = [effect for one in effects for effect in one]
            counts = [len(one) for one in effects]
            return event_messages.Corrected(entry, answer, reason, len(effects) - 1, _effects(caused), counts)
        case ev.RoundEnded(round, openings):
            return event_messages.RoundEnded(round, _openings(record, openings))
        case ev.Voided(round, reason, returned, openings):
            return event_messages.Voided(round, reason, list(returned), _openings(record, openings))
        case ev.WinReleased(win):
            return event_messages.WinReleased(win)
        case ev.Claimed(number):
            return event_messages.Claimed(number)
        case ev.DisputeDecided(number):
            return event_messages.DisputeDecided(number)
    assert isinstance(event, event_messages.AsRecorded)
    return event


def _effects(effects: Sequence[ev.Effect]) -> list[event_messages.Effect]:
    return [
        event_messages.Moved(effect.what, effect.to) if isinstance(effect, ev.Moved) else effect for effect in effects
    ]


def _openings(record: Record, openings: Sequence[SharedOpening]) -> list[event_messages.Opening]:
    """Those of the first version, which do not know the size of their shoe, are in the published form already."""
    if all(opening.size for opening in openings):
        found = [one for opening in openings for one in expanded(opening)]
    else:
        found = msgspec.json.decode(record.event)["openings"]
    return msgspec.convert(found, list[event_messages.Opening])
