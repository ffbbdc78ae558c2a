"""What each person has played since they came, table by table: from the events as they happen, since the server
started. Robots have none."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from feltworks.floor.accounts import Cents, is_patron, patron_at
from feltworks.floor.journal.records import Record
from feltworks.floor.journal.upcasting import decode_event
from feltworks.floor.person import is_robot
from feltworks.floor.table import events as ev
from feltworks.floor.table.state import Table
from feltworks.kit.steps import Stake
from feltworks.web import view_messages

MOST_PEOPLE = 2_000
"""Of whom it is known: whoever has done nothing for longest is left out first."""


@dataclass(slots=True)
class Played:
    """What somebody has played at one table."""

    since: ev.Time | None = None
    """Since when they have had the seat that they have now."""
    spent: ev.Time = 0
    """Milliseconds in the seats that they had before."""
    round: int = 0
    rounds: int = 0
    wagered: Cents = 0
    won: Cents = 0
    lost: Cents = 0
    biggest: Cents = 0
    """The most that one wager has won."""

    def settle(self, settled: ev.Settled, round: int) -> None:
        if round != self.round:
            self.round, self.rounds = round, self.rounds + 1
        if settled.stake != Stake.STAYS.value:
            self.wagered += settled.amount
        self.won += settled.paid
        self.lost += settled.paid - settled.net
        self.biggest = max(self.biggest, settled.paid)

    def take_back(self, settled: ev.Settled) -> None:
        """It was settled by an entry that was wrong."""
        if settled.stake != Stake.STAYS.value:
            self.wagered -= settled.amount
        self.won -= settled.paid
        self.lost -= settled.paid - settled.net

    def time(self, now: ev.Time) -> ev.Time:
        return self.spent + (now - self.since if self.since is not None else 0)


class Statistics:
    """By person, and by table."""

    def __init__(self) -> None:
        self._of: OrderedDict[str, dict[str, Played]] = OrderedDict()
        self._answered: dict[str, list[ev.Answered]] = {}
        """The answers of the round at tables where entries can be corrected."""
        self._seats: dict[str, dict[int, str]] = {}
        """Who sat down last at each seat of a table: what is settled there is theirs."""

    def of(self, player: str) -> Mapping[str, Played]:
        return self._of.get(player, {})

    def clock(self, player: str) -> view_messages.SessionClock | None:
        """How long somebody has played since they came, at all tables, and what it has brought (F-15)."""
        played = self.of(player).values()
        if not played:
            return None
        since = min((at.since for at in played if at.since is not None), default=None)
        return view_messages.SessionClock(sum(at.spent for at in played), since, sum(at.won - at.lost for at in played))

    def begin(self, table: Table, now: ev.Time) -> None:
        """A table as it is when the server starts."""
        self._answered[table.settings.id] = [
            past.event for past in table.answers if isinstance(past.event, ev.Answered)
        ]
        for seat, who in table.seats.items():
            self._sit(table.settings.id, seat, who.player, now)

    def follow(self, table: str, records: Iterable[Record], after: Table) -> None:
        """What happened at a table, and how it is now."""
        for record in records:
            match decode_event(table, record.event):
                case ev.Sat(seat, player):
                    self._sit(table, seat, player, record.time)
                case ev.PatronSat(seat):
                    self._sit(table, seat, patron_at(table, seat), record.time)
                case ev.RoundStarted():
                    self._answered[table] = []
                case ev.Answered() as event:
                    for settled in _settled([event]):
                        self._played(table, settled.seat).settle(settled, record.round)
                    if after.settings.has_dealer:
                        self._answered.setdefault(table, []).append(event)
                case ev.TakenBack() | ev.Corrected() as event:
                    before = self._answered.get(table, [])
                    again = self._answered[table] = ev.answers_again(before, event)
                    for settled in _settled(before):
                        self._played(table, settled.seat).take_back(settled)
                    for settled in _settled(again):
                        self._played(table, settled.seat).settle(settled, record.round)
                case ev.Left() | ev.RoundEnded() | ev.Voided() | ev.TableClosed():
                    self._stand_up(table, after, record.time)

    def _sit(self, table: str, seat: int, player: str, now: ev.Time) -> None:
        self._seats.setdefault(table, {})[seat] = player
        self._played(table, seat).since = now

    def _stand_up(self, table: str, after: Table, now: ev.Time) -> None:
        """Whose seat is free now."""
        for seat, player in self._seats.get(table, {}).items():
            played = self._of.get(player, {}).get(table)
            if played is not None and played.since is not None and seat not in after.seats:
                played.spent, played.since = played.time(now), None

    def _played(self, table: str, seat: int) -> Played:
        player = self._seats.get(table, {}).get(seat, "")
        if not player or is_robot(player) or is_patron(player):
            return Played()
        known = self._of.setdefault(player, {})
        self._of.move_to_end(player)
        if len(self._of) > MOST_PEOPLE:
            self._of.popitem(last=False)
        return known.setdefault(table, Played())


def _settled(answers: Iterable[ev.Answered]) -> list[ev.Settled]:
    return [effect for answer in answers for effect in answer.effects if isinstance(effect, ev.Settled)]
