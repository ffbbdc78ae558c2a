"""Chance as a record has it, for a command that is decided again."""

from collections.abc import Collection, Sequence

from feltworks.floor.chance.shared_opening import SharedOpening
from feltworks.floor.streams import Event
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import played
from feltworks.floor.table.chance import Shuffle
from feltworks.floor.table.state import Table
from feltworks.kit import steps
from feltworks.kit.cards import Token
from feltworks.kit.errors import NotPossible


class RecordedChance:
    """Chance as the record of one commit has it."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events

    def answer(self, table: Table) -> steps.Answer:
        for event in self._events:
            if isinstance(event, ev.Answered):
                assert table.round is not None
                return played(event.answer, table.round)
        raise NotPossible("The record holds no answer.")

    def shuffled(self, table: Table, what: Shuffle, back: Collection[Token] = ()) -> tuple[str, int]:
        for event in self._events:
            if isinstance(event, ev.RoundStarted | ev.Reshuffled) and event.root is not None:
                return event.root, event.size
        raise NotPossible("the record holds no new root.")

    def openings(self, table: Table) -> tuple[SharedOpening, ...]:
        for event in self._events:
            if isinstance(event, ev.RoundEnded | ev.Voided):
                return event.openings
        return ()
