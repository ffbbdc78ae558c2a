"""Why somebody has lost a seat whom nobody saw leave it: told to that person alone, until they sit down again."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping

from feltworks.floor.journal.records import Record
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.table.events import Left
from feltworks.floor.table.state import TAKEN_BACK, Table

MOST_KEPT = 1_000
"""Of so many seats: the one that was lost first is left out first."""
PAGE_CLOSED = "the page of the table was closed"


class LostSeats:
    def __init__(self) -> None:
        self._why: OrderedDict[tuple[str, str], str] = OrderedDict()
        """By player and table."""
        self._seated: dict[str, dict[int, str]] = {}
        """Who had which seat of a table when it was last looked at, and was not leaving it."""

    def of(self, player: str) -> Mapping[str, str]:
        """Why somebody has lost seats, by table."""
        return {table: why for (who, table), why in self._why.items() if who == player}

    def why(self, table: str, player: str) -> str:
        return self._why.get((player, table), "")

    def follow(self, table: Table, records: Iterable[Record] = ()) -> None:
        """A table has changed. Whoever may not play there any more is told that by what they may, not here."""
        name = table.settings.id
        before = self._seated.get(name, {})
        now = self._seated[name] = {seat: who.player for seat, who in table.seats.items() if not who.leaving}
        if now == before:
            return
        for record in records:
            event = decode_event(name, record.event)
            if isinstance(event, Left) and event.why not in ("", TAKEN_BACK) and event.seat in before:
                self.note(name, before[event.seat], event.why)
        for player in {*now.values()} - {*before.values()}:
            for key in [key for key in self._why if key[0] == player]:
                del self._why[key]

    def note(self, table: str, player: str, why: str) -> None:
        if len(self._why) >= MOST_KEPT:
            self._why.popitem(last=False)
        self._why[player, table] = f"You have lost your seat here: {why}."
