"""What each player wagered last at a table, and what became of it: a page that is opened again offers the same wagers,
and shows the result. A server that starts knows it of those who sit there, from the records."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from feltworks.floor.accounts import Cents
from feltworks.floor.house import House
from feltworks.floor.past_round import moments
from feltworks.floor.store.reader import Reader
from feltworks.floor.table.state import Table
from feltworks.kit.cards import Seat
from feltworks.kit.errors import FeltworksError
from feltworks.web import view_messages, views

MOST_KEPT = 2_000
"""Of so many players and tables: whoever has played nothing for longest is left out first."""


@dataclass(slots=True)
class _Played:
    wagers: dict[str, Cents] = field(default_factory=dict)
    """What lay on each spot when the last betting on it closed."""
    ended: view_messages.LastRound | None = None


class LastRounds:
    def __init__(self) -> None:
        self._of: OrderedDict[tuple[str, str], _Played] = OrderedDict()
        self._open: dict[str, Table] = {}
        """The tables where betting was open when they were last looked at."""

    def wagers(self, table: str, player: str) -> Mapping[str, Cents]:
        played = self._of.get((table, player))
        return played.wagers if played else {}

    def ended(self, table: str, player: str) -> view_messages.LastRound | None:
        played = self._of.get((table, player))
        return played.ended if played else None

    def begin(self, house: House) -> None:
        """Where people sat when the last server ended: the round that is played, and the one before it."""
        with Reader(house.store.path) as store:
            for name, live in house.tables.items():
                if not any(who.is_person for who in live.table.seats.values()):
                    continue
                try:
                    for played in reversed(store.rounds(name, limit=1 if live.table.round is None else 2)):
                        for moment in moments(house, store, played):
                            self.follow(moment.after)
                except (FeltworksError, msgspec.DecodeError):
                    continue  # nothing but a convenience: whoever checks the records says what is wrong with them

    def follow(self, table: Table) -> None:
        """A table has changed."""
        name = table.settings.id
        if table.betting:
            self._open[name] = table
            return
        if (before := self._open.pop(name, None)) is not None:
            for seat in before.seats:
                self._close(before, Seat(seat))
        if views.phase(table) == "over":
            for seat in table.seats:
                if result := views.last_round(table, seat):
                    self._played(table, seat).ended = result

    def _close(self, table: Table, seat: Seat) -> None:
        """Of the spots that were open, what is down counts; what was down on the others before still does."""
        down = views.laid_by(seat, table.wagers)
        if not down or not table.seats[seat].is_person:
            return
        played = self._played(table, seat)
        open_now = {spot.spot for spot in views.open_spots(table, seat, down)}
        played.wagers = {spot: cents for spot, cents in played.wagers.items() if spot not in open_now} | down

    def _played(self, table: Table, seat: int) -> _Played:
        key = table.settings.id, table.seats[seat].player
        found = self._of.setdefault(key, _Played())
        self._of.move_to_end(key)
        if len(self._of) > MOST_KEPT:
            self._of.popitem(last=False)
        return found
