"""Progressive jackpots as screens show them: what a table, a display or a page is told of a meter, and when.

Everything told here was read when it was durable: the house says so after the commit, and between two groups of the
clerk nothing else is known. What changes faster than anybody reads is told a few times a second, as it is then.
"""

import asyncio
from collections.abc import Callable

import msgspec

from feltworks.floor.house import House
from feltworks.floor.jackpot.meter import Meter
from feltworks.floor.jackpot.terms import Terms
from feltworks.floor.table.settings import TableSettings
from feltworks.floor.table.state import Table
from feltworks.web import jackpot_messages
from feltworks.web.jackpot_notices import progressive

BEAT = 0.2
"""Seconds between two of the messages about a meter: 60 tables change it more often than that."""
FEW = 3
"""So many tables are named in a notice."""
AWARDS = 5
"""How many of the last awards are shown."""

_encode = msgspec.json.Encoder().encode
Told = Callable[[str], None]
"""Somebody who shows jackpots, told the id of one that has changed."""


class JackpotScreens:
    """What there is to show of each jackpot, made once for all who look; and who is told that it has changed."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.listeners: list[Told] = []
        self._made: dict[tuple[str, str], bytes] = {}
        """By jackpot and table; no table for a display."""
        self._old: set[tuple[str, str]] = set()
        """Those that are looked at again before they are told."""
        self._settings: dict[str, TableSettings] = {}
        """By which each table was last seen to play."""
        self._terms: dict[str, Terms | None] = {}
        """The terms of a jackpot by which each table was last seen to play."""
        self.changed: set[str] = set()
        """The jackpots of which is told with the next beat."""
        self._beat: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        house.jackpot_listeners.append(lambda meter: self._change([meter.id]))
        house.house_listeners.append(self._on_house)

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._settings = {id: live.table.settings for id, live in self.house.tables.items()}
        self._terms = {id: self._terms_at(id) for id in self.house.tables}

    def stop(self) -> None:
        self._loop = None
        if self._beat is not None:
            self._beat.cancel()

    def seen(self, meter: Meter, table: str = "") -> jackpot_messages.JackpotSeen:
        """A jackpot as it stands in the books, for a table or for a display."""
        house, terms = self.house, self.house.jackpots.terms_at(meter, table)
        why = house.jackpots.not_taken(table) if table else house.jackpots.takes_none(meter.id)
        return jackpot_messages.JackpotSeen(
            id=meter.id,
            name=terms.name,
            version=meter.version,
            meter=meter.meter,
            wager=meter.wager,
            seed=terms.seed,
            maximum=terms.maximum,
            why=why,
            closed=bool(meter.closed),
            tables=[self.table_name(id) for id in house.jackpots.tables(meter.id)],
            notices=[*progressive(meter, terms), *([] if table else self.keeping(meter))],
            last=[
                jackpot_messages.JackpotAward(self.table_name(won.table), won.line, won.cents, won.time)
                for won in meter.last[:AWARDS]
            ],
        )

    def keeping(self, meter: Meter) -> list[str]:
        """Where a round is played to its end by the terms before, in words; nothing where none is (F-40)."""
        tables = self.house.jackpots.keeping(meter)
        where = ", ".join(map(self.table_name, tables)) if len(tables) <= FEW else f"{len(tables)} tables"
        return [f"The terms have changed. By those before, a round is played to its end at {where}."] if tables else []

    def table_name(self, id: str) -> str:
        live = self.house.tables.get(id)
        closed = self.house.closed.get(id)
        if live is not None:
            return live.table.settings.name
        return closed.settings.name if closed is not None and closed.settings is not None else id

    def at_table(self, table: str) -> bytes | None:
        """What whoever is at a table is told of the jackpot for which it plays; nothing where it plays for none."""
        live = self.house.tables.get(table)
        return self.message((live.table.settings.jackpot or "") if live is not None else "", table)

    def message(self, id: str, table: str = "") -> bytes | None:
        """A jackpot as a socket tells it; nothing where there is none of this id."""
        key = id, table
        if key not in self._made or key in self._old:
            meter = self.house.jackpots.meter(id) if id else None
            if meter is None:
                return None
            self._old.discard(key)
            made = _encode(jackpot_messages.JackpotMessage(self.seen(meter, table)))
            if made != self._made.get(key):  # the same again is told to nobody
                self._made[key] = made
        return self._made[key]

    def follow(self, table: Table) -> None:
        """By other settings a table may play for another jackpot, and its next round for the same by other terms."""
        terms = self._terms_at(table.settings.id)
        if table.settings.jackpot and terms is not self._terms.get(table.settings.id):
            self._change([table.settings.jackpot])
        self._terms[table.settings.id] = terms
        before = self._settings.get(table.settings.id)
        if table.settings is not before:
            self._settings[table.settings.id] = table.settings
            if table.settings.jackpot or (before is not None and before.jackpot):
                self._on_house()

    def _terms_at(self, table: str) -> Terms | None:
        meter = self.house.jackpots.of_table(table)
        return None if meter is None else self.house.jackpots.terms_at(meter, table)

    def _on_house(self) -> None:
        """Money may have been booked by hand, or a table may play for another jackpot."""
        self._change([meter.id for meter in self.house.jackpots.all()])

    def _change(self, ids: list[str]) -> None:
        self.changed.update(ids)
        if self._beat is None and self.changed:
            self._tell()

    def _tell(self) -> None:
        """Now, and again when it has changed by the next beat: in between, what was made of it stays."""
        changed, self.changed = sorted(self.changed), set()
        self._beat = None
        self._old.update(made for made in self._made if made[0] in changed)
        for id in changed:
            for listener in self.listeners:
                listener(id)
        if changed and self._loop is not None:
            self._beat = self._loop.call_later(BEAT, self._tell)
